#!/bin/sh
# The hash of every scene is the one in golden_hashes.txt, because results may change only on purpose.
# scripts/update-golden.sh writes that file anew.
. "$SOURCE/scripts/tap.sh"
golden="$SOURCE/tests/golden_hashes.txt"
unset TAUT_SIMD

same_scenes() {
    [ "$("$TAUT" hash --list)" = "$(cut -d ' ' -f 1 "$golden")" ]
}

same_hash() { # NAME STEPS HASH
    now=$("$TAUT" hash "$1" --steps "$2") || return 1
    echo "expected $3, got $now"
    [ "$now" = "$3" ]
}

check "the file lists every scene" same_scenes
while read -r name steps hash; do
    check "$name" same_hash "$name" "$steps" "$hash"
done <"$golden"
tap_done
