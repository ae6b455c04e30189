#!/bin/sh
# Draws pictures of the documentation anew: docs/demo.png, docs/heat.png, docs/levels.png,
# docs/hollow.png, docs/character.png, docs/tiers.png, docs/thickness.png, docs/friction.png, docs/layered.png,
# docs/hard.png and docs/gallery.png.
# usage: scripts/update-pictures.sh [TAUT]    TAUT: the tool to draw with (build/taut)
set -eu
cd "$(dirname "$0")/.."
taut=${1:-build/taut}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$taut" render scenes/demo.json --frames 65 --size 1280x720 --out docs/demo.png --quiet
"$taut" render scenes/drape.json --frames 90 --size 960x540 --heat shear --view 32,20 --out docs/heat.png --quiet
"$taut" render scenes/hollow.json --frames 180 --size 960x400 --out docs/hollow.png --quiet
"$taut" render scenes/levels.json --frames 170 --size 960x540 --out docs/levels.png --quiet
for picture in cape:100 sewn:190 balloons:90; do
    "$taut" render "scenes/${picture%:*}.json" --frames "${picture#*:}" --size 480x270 \
        --out "$work/${picture%:*}.png" --quiet
done
ffmpeg -y -loglevel error -i "$work/cape.png" -i "$work/sewn.png" -i "$work/balloons.png" \
    -filter_complex "hstack=inputs=3" -frames:v 1 docs/character.png
# Pictures of docs/touching.md: the same scene with other settings, side by side.
beside() { # OUT: the pictures that `draw` has made since
    ffmpeg -y -loglevel error $inputs -filter_complex "hstack=inputs=$number" -frames:v 1 "docs/$1.png"
    inputs= number=0
}
draw() { # SCENE FRAME SIZE [SETTING]
    number=$((number + 1))
    "$taut" render "scenes/$1.json" --frames "$2" --size "$3" ${4:+--set "$4"} --set "camera.fov=${fov:-30}" \
        --out "$work/beside_$number.png" --quiet
    inputs="$inputs -i $work/beside_$number.png"
}
inputs= number=0
fov=20
for tier in off fast strict; do draw hard_twist 200 320x360 "bodies[0].material.contact=$tier"; done
beside tiers
for metres in 0.001 0.006; do draw hard_pile 150 480x300 "bodies[0].material.thickness=$metres"; done
beside thickness
for friction in 0 1; do draw hard_pile 150 480x300 "bodies[0].material.contact_friction=$friction"; done
beside friction
fov=26
for frame in 0 10 60; do draw layers $frame 320x360; done
beside layered
# A frame of each hard scene, in rows of five.
inputs= layout= number=0
for picture in turning:120 twist:200 coil:150 pile:60 ring:65 funnel:60 shot:1 pinch:80 layers:80 tori:60 roller:90 \
    knot:150 skirt:84 garments:54; do
    "$taut" render "scenes/hard_${picture%:*}.json" --frames "${picture#*:}" --size 360x270 \
        --out "$work/${picture%:*}.png" --quiet
    inputs="$inputs -i $work/${picture%:*}.png"
    layout="$layout|$((number % 5 * 366))_$((number / 5 * 276))"
    number=$((number + 1))
done
ffmpeg -y -loglevel error $inputs \
    -filter_complex "xstack=inputs=$number:layout=${layout#|}:fill=white" -frames:v 1 docs/hard.png
inputs= layout=
number=0
# FRAME of each scene: the one that shows most.
while read -r scene frame; do
    "$taut" render "scenes/$scene.json" --frames "$frame" --size 480x270 --out "$work/$scene.png" --quiet
    inputs="$inputs -i $work/$scene.png"
    layout="$layout|$((number % 3 * 488))_$((number / 3 * 278))"
    number=$((number + 1))
done <<'END'
anisotropy 80
fibres 60
inflation 120
bending 120
bending_limits 60
shells 60
net_and_rope 60
plants 90
chain_of_bodies 80
twist 120
drape 68
limits 60
elastic 30
presets 120
flags 160
curtain 200
hollow 180
levels 170
END
ffmpeg -y -loglevel error $inputs \
    -filter_complex "xstack=inputs=$number:layout=${layout#|}:fill=white,pad=iw:ih:0:0:white" -frames:v 1 docs/gallery.png
echo "docs/demo.png docs/heat.png docs/levels.png docs/hollow.png docs/character.png docs/tiers.png docs/thickness.png" \
    "docs/friction.png docs/layered.png docs/hard.png docs/gallery.png"
