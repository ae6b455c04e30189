#!/bin/sh
# Simulates scenes/demo.json and writes out/demo.glb, out/demo.png and out/demo.mp4. If it cannot draw, it writes the
# files that it can make and says what is missing.
# usage: scripts/demo.sh [TAUT]    TAUT: the tool to run (build/taut)
set -eu
cd "$(dirname "$0")/.."
taut=${1:-build/taut}
scene=scenes/demo.json

echo "A banner in the wind, a cloth over a ball, a soft ring that falls: $scene"
"$taut" run $scene --out out/demo.glb
left=out/demo.glb
lacking=
if "$taut" render $scene --frames 65 --out out/demo.png --size 1280x720; then
    left="$left out/demo.png"
    if ! command -v ffmpeg >/dev/null; then
        lacking="There is no film: install ffmpeg and try again."
    elif "$taut" render $scene --out out/demo.mp4 --size 960x540; then
        left="$left out/demo.mp4"
    else
        lacking="There is no film: see above."
    fi
else
    lacking="There are no pictures: see above. scripts/install-deps.sh render film installs what they need."
fi

printf '\nLook at:\n'
for file in $left; do
    case $file in
    *.glb) what="meshes and motion, for Blender and other programs that read glTF" ;;
    *.png) what="a frame" ;;
    *.mp4) what="the film" ;;
    esac
    printf '  %-14s %s\n' "$file" "$what"
done
[ -z "$lacking" ] || echo "$lacking"
