#!/bin/sh
# Draws the pictures of docs/fabrics.md anew: a tablecloth of each fabric, and a bar of each solid.
# usage: scripts/update-fabrics.sh [TAUT]    TAUT: the tool to draw with (build/taut)
set -eu
cd "$(dirname "$0")/.."
taut=${1:-build/taut}
while read -r fabric color; do
    "$taut" render docs/fabrics/table.json --set "bodies[cloth].material.preset=$fabric" \
        --set "bodies[cloth].color=$color" --frames 150 --size 320x240 --out "docs/fabrics/$fabric.png" --quiet
done <<'END'
cotton #d9cbb0
silk #c8334a
denim #3b5b8c
wool #6a6a72
linen #c9b98a
jersey #7fb08a
leather #7a4a2a
paper #f4f2ec
ripstop #e07a2a
felt #8a5a9a
END
"$taut" render docs/fabrics/bars.json --frames 180 --size 960x240 --out docs/fabrics/solids.png --quiet
echo docs/fabrics/*.png
