#!/bin/sh
# The reference of scene files stays true: every example loads, every key of the reader is in the page and in the
# schema, and reader and schema agree about what is right and what is wrong.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/examples" "$work/spoiled" "$work/copy" "$work/copy/docs"

script() { python3 -B "$SOURCE/tests/scene_docs.py" "$@"; }

# COMMAND...: the check refuses what is wrong.
refuses() {
    if "$@"; then return 1; fi
}

# FOLDER: the files that the examples name.
put_files() {
    cat >"$1/crate.obj" <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 4 1 5 8
g lid
f 3 4 8 7
END
    for frame in 0001 0002; do cp "$1/crate.obj" "$1/walk_$frame.obj"; done
    python3 -c 'import struct, sys
sys.stdout.buffer.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 4, 0, 1, 2) + struct.pack("<24f", *range(24)))' \
        >"$1/walk.pc2"
}

loads() { "$TAUT" info "$1"; }

# FILE: refused as a mistake of the user, with a place in the file.
is_refused() {
    "$TAUT" info "$1" >"$work/out" 2>&1
    [ $? -eq 2 ] && grep -q "$(basename "$1"):[0-9]*:[0-9]*: " "$work/out" || {
        echo "$1:"
        cat "$1" "$work/out"
        return 1
    }
}

all_are_refused() {
    for file in "$work"/spoiled/spoiled_*.json; do
        is_refused "$file" || return 1
    done
}

check "the examples are marked" script examples "$SOURCE" "$work/examples"
put_files "$work/examples"
put_files "$work/spoiled"
trained=$(grep -l '"training"' "$work"/examples/*.json)
check "the example of trained limits can be trained" "$TAUT" train "$trained" --out "$work/examples/curtain.limits"
cp "$work/examples/curtain.limits" "$work/spoiled"
cp "$work/examples/base.json" "$work/spoiled/base.json"
for example in "$work"/examples/*.json; do
    check "$(basename "$example" .json) loads" loads "$example"
done

check "every key is in page and schema" script keys "$SOURCE" "$TAUT"
cp -r "$SOURCE/src" "$work/copy/src"
cp "$SOURCE/docs/scene.schema.json" "$work/copy/docs"
sed 's/`spin`/spin/' "$SOURCE/docs/scenes.md" >"$work/copy/docs/scenes.md"
check "a key that the page lacks is found" refuses script keys "$work/copy" "$TAUT"
cp "$SOURCE/docs/scenes.md" "$work/copy/docs"
sed 's/"tether_slack"/"tether_slck"/' "$SOURCE/docs/scene.schema.json" >"$work/copy/docs/scene.schema.json"
check "a key that the schema lacks is found" refuses script keys "$work/copy" "$TAUT"

parameters() { python3 -B "$SOURCE/scripts/update-parameters.py" "$TAUT" "$1" --check; } # FOLDER
check "page and schema have the parameters of materials as the library has them" parameters "$SOURCE"
cp "$SOURCE/docs/scene.schema.json" "$work/copy/docs"
sed 's/| `density` | 0.2 /| `density` | 0.3 /' "$SOURCE/docs/scenes.md" >"$work/copy/docs/scenes.md"
check "a wrong default in the page is found" refuses parameters "$work/copy"
cp "$SOURCE/docs/scenes.md" "$work/copy/docs"
sed 's/"maximum": 10000,/"maximum": 9999,/' "$SOURCE/docs/scene.schema.json" >"$work/copy/docs/scene.schema.json"
check "a wrong range in the schema is found" refuses parameters "$work/copy"

check "every key of every object has an example" script covered "$SOURCE" "$work/examples"
mkdir "$work/few"
cp "$work"/examples/*_collider.json "$work/few"
check "a key without an example is found" refuses script covered "$SOURCE" "$work/few"

check "mistakes are made" script spoil "$work/examples" "$work/spoiled"
check "the reader refuses each, with its place" all_are_refused
rm "$work/spoiled/base.json"
check "the schema is a schema, and takes every example" script valid "$SOURCE" "$work/examples"
check "the schema refuses every mistake" script invalid "$SOURCE" "$work/spoiled"
check "the schema does not refuse everything" refuses script invalid "$SOURCE" "$work/examples"
tap_done
