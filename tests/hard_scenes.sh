#!/bin/sh
# Scenes in which cloth and solids are twisted, pinched, shot at, piled up and worn. No surface may pass through another
# in any frame, at any frame rate, from any start (docs/contact.md). `make test` runs the beginning of each scene.
# TEST_ALL=1 runs all frames at 24, 60 and 240 frames a second, each from $STARTS jittered starts too (20 unless given).
# That takes hours. SCENES="twist ring" takes only these.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenes=${SCENES:-turning twist coil pile ring funnel shot pinch layers tori roller knot skirt garments}

# Without contact the same scene has crossings, so the check can fail.
crosses_without_contact() { # NAME FRAMES
    "$TAUT" run "$SOURCE/scenes/$1.json" --frames "$2" --set 'bodies[0].material.contact=off' --out "$work/off.glb" --quiet &&
        ! "$TAUT" check "$work/off.glb" --most 0
}

stays_apart() { # NAME FPS FRAMES OPTION...
    name=$1 fps=$2 frames=$3
    shift 3
    "$TAUT" run "${folder:-$SOURCE/scenes}/$name.json" --set fps="$fps" --frames "$frames" --out "$work/$name.glb" --quiet "$@" &&
        grep -q '"bad_particles": 0,' "$work/$name.run.json" && "$TAUT" check "$work/$name.glb" --most 2
}

# As many frames of 1/60 s as it takes to show the worst. They take less than half a minute.
worst_of() {
    case $1 in
    turning | ring) echo 120 ;;
    twist) echo 200 ;;
    coil) echo 150 ;;
    pile) echo 30 ;;
    shot) echo 40 ;;
    pinch) echo 60 ;;
    layers) echo 50 ;;
    tori) echo 80 ;;
    roller | skirt | garments) echo 100 ;;
    *) echo 90 ;;
    esac
}

frames_of() { sed -n 's/^  "frames": \([0-9]*\),$/\1/p' "$SOURCE/scenes/$1.json"; }

# Start number N of a scene: another irregular mesh, or a first body that moves a little.
start_of() { # NAME N
    if grep -q '"seed"' "$SOURCE/scenes/$1.json"; then echo "bodies[0].mesh.seed=$((100 + $2))"
    else awk -v n="$2" 'BEGIN { printf "bodies[0].velocity=[%.4f,%.4f,%.4f]\n", 0.002 * n, 0.001 * n, -0.0015 * n }'; fi
}

all_of() { # NAME
    for fps in 24 60 240; do
        frames=$(($(frames_of "$1") * fps / 60))
        check "$1 stays apart at $fps frames a second" stays_apart "$1" $fps $frames
        for start in $(seq "${STARTS:-20}"); do
            check "$1 stays apart at $fps frames a second, start $start" \
                stays_apart "$1" $fps $frames --set "$(start_of "$1" "$start")"
        done
    done
}

check "hard_twist without contact passes through itself" crosses_without_contact hard_twist 120
for scene in $scenes; do
    check "hard_$scene stays apart" stays_apart "hard_$scene" 60 "$(worst_of "$scene")"
    if testing_all; then all_of "hard_$scene"; fi
done

# A tight skirt on a human whose hips move. The mesh is not part of Taut.
human="$SOURCE/../shared/data/meshes/human_neutral.obj"
folder="$SOURCE/tests/scenes"
if [ -e "$human" ]; then
    check "a skirt on a human stays apart" stays_apart human_skirt 60 90
    if testing_all; then
        check "a skirt on a human stays apart at 24 frames a second" stays_apart human_skirt 24 36
        check "a skirt on a human stays apart at 240 frames a second" stays_apart human_skirt 240 360
    fi
else
    skip "a skirt on a human stays apart" "$human is not there"
fi
tap_done
