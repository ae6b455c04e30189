#!/bin/sh
# Bad scenes, meshes and animations: the exact message for each, exit code 2, nothing on stdout. All run with little
# memory and processor time, so that a file that only claims to be large must be an error at once. After an intended
# change, `sh tests/errors.sh --update` writes tests/errors/expected.txt anew.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected="$SOURCE/tests/errors/expected.txt"
cp "$SOURCE"/tests/errors/files/* "$work" && sh "$SOURCE/tests/errors/binary.sh" "$work" || exit 1
mkdir "$work/folder.obj"
cd "$work" || exit 1
files="$(ls) not-there.obj not-there.json"

complain() { (ulimit -v 400000 && ulimit -t 5 && "$TAUT" info "$1" 2>&1 >.out </dev/null); }

if [ "${1:-}" = --update ]; then
    for file in $files; do printf '%s\t%s\n' "$file" "$(complain "$file")"; done >"$expected"
    exit
fi

is_refused() { # FILE
    wanted=$(awk -F '\t' -v file="$1" '$1 == file { print $2 }' "$expected")
    got=$(complain "$1")
    code=$?
    printf 'wanted: %s\n   got: %s\nexit code %d\n' "$wanted" "$got" $code
    [ $code -eq 2 ] && [ -n "$wanted" ] && [ "$got" = "$wanted" ] && [ ! -s .out ]
}

all_are_there() { # no line of the list is for a file that is gone
    for file in $files; do echo "$file"; done | sort >.have
    cut -f 1 "$expected" | sort | diff .have -
}

for file in $files; do check "$file" is_refused "$file"; done
check "every expected message has its file" all_are_there
tap_done
