#!/bin/sh
# Scenes in which cloth and solids are twisted, pinched, shot at and piled up. No surface may pass through another in
# any frame, at any frame rate (docs/contact.md). `make test` runs the beginning of each scene.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Without contact the same scene has crossings, so the check can fail.
crosses_without_contact() { # NAME FRAMES
    "$TAUT" run "$SOURCE/scenes/$1.json" --frames "$2" --set 'bodies[0].material.contact=off' --out "$work/off.glb" --quiet &&
        ! "$TAUT" check "$work/off.glb" --most 0
}

stays_apart() { # NAME FPS FRAMES
    "$TAUT" run "$SOURCE/scenes/$1.json" --set fps="$2" --frames "$3" --out "$work/$1.glb" --quiet &&
        grep -q '"bad_particles": 0,' "$work/$1.run.json" && "$TAUT" check "$work/$1.glb" --most 2
}

frames_of() { sed -n 's/^  "frames": \([0-9]*\),$/\1/p' "$SOURCE/scenes/$1.json"; }

check "hard_twist without contact passes through itself" crosses_without_contact hard_twist 120

# For each scene, as many frames of 1/60 s as it takes to show the worst. They take less than half a minute.
while read -r name frames <&3; do
    check "$name stays apart" stays_apart "$name" 60 "$frames"
    testing_all || continue
    for fps in 24 60 240; do
        check "$name stays apart at $fps frames a second" stays_apart "$name" $fps $(($(frames_of "$name") * fps / 60))
    done
done 3<<'END_OF_TABLE'
hard_turning 120
hard_twist 200
hard_coil 150
hard_pile 30
hard_ring 120
hard_funnel 90
hard_shot 40
hard_pinch 60
hard_layers 50
hard_tori 80
hard_roller 100
hard_knot 90
END_OF_TABLE
tap_done
