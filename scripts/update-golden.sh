#!/bin/sh
# Writes tests/golden_hashes.txt anew, after a change that is meant to change results.
# usage: scripts/update-golden.sh [TAUT]    TAUT: the tool to ask (build/taut)
set -eu
cd "$(dirname "$0")/.."
taut=${1:-build/taut}
golden=tests/golden_hashes.txt
steps=20
unset TAUT_SIMD

trap 'rm -f "$golden.tmp"' EXIT
scenes=$("$taut" hash --list)
for scene in $scenes; do
    hash=$("$taut" hash "$scene" --steps $steps)
    echo "$scene $steps $hash"
done >"$golden.tmp"
mv "$golden.tmp" "$golden"
echo "$golden: $(wc -l <"$golden") scenes"
