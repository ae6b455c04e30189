#!/bin/sh
# Includes have the right direction, and the check for that finds violations.
. "$SOURCE/scripts/tap.sh"
check_includes="$SOURCE/scripts/check-includes.sh"

# FILE HEADER: in a copy of the sources where FILE includes HEADER, the check names that file.
refuses() {
    copy=$(mktemp -d)
    cp -r "$SOURCE/include" "$SOURCE/src" "$SOURCE/tools" "$SOURCE/papers" "$copy"
    mkdir -p "$copy/$(dirname "$1")"
    echo "#include \"$2\"" >>"$copy/$1"
    if "$check_includes" "$copy" >"$copy/log"; then
        verdict=1
    else
        grep -q "^$1:.*\"$2\"" "$copy/log"
        verdict=$?
    fi
    rm -rf "$copy"
    return $verdict
}

check "includes point one way" "$check_includes"
check "a lower layer must not include a higher one" refuses src/base/planted.c world/world.h
check "neighbouring layers keep their order" refuses src/mesh/planted.h constraints/kinds.h
check "files in and out see the core by its public header only" refuses src/io/planted.c mesh/bvh.h
check "a header of src is written with its layer" refuses src/world/planted.c step.h
check "tools must not include internals" refuses tools/planted.c base/memory.h
check "experiments must not include internals" refuses papers/planted.c base/memory.h
check "experiments must not include tools" refuses papers/planted.c folder.h
check "tools must not reach around the include path" refuses tools/planted.c ../src/base/memory.h
check "public headers must not include internals" refuses include/planted.h base/memory.h
tap_done
