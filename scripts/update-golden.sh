#!/bin/sh
# Writes tests/golden_hashes.txt and tests/gallery_hashes.txt anew, after a change that is meant to change results.
# usage: scripts/update-golden.sh [TAUT]    TAUT: the tool to use; if it is not given, build/taut is built first, so
# that it is not an old one
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || make >/dev/null
taut=${1:-build/taut}
steps=20
frames=30
unset TAUT_SIMD

golden=tests/golden_hashes.txt
gallery=tests/gallery_hashes.txt
work=$(mktemp -d)
trap 'rm -rf "$golden.tmp" "$gallery.tmp" "$work"' EXIT
scenes=$("$taut" hash --list)
for scene in $scenes; do
    hash=$("$taut" hash "$scene" --steps $steps)
    echo "$scene $steps $hash"
done >"$golden.tmp"
for scene in scenes/*.json; do
    hash=$(scripts/run-hash.sh "$taut" "$scene" $frames "$work")
    echo "$(basename "$scene" .json) $frames $hash"
done >"$gallery.tmp"
mv "$golden.tmp" "$golden"
mv "$gallery.tmp" "$gallery"
wc -l "$golden" "$gallery" | sed '$d'
