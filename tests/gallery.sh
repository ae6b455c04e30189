#!/bin/sh
# For every scene of scenes/, taut run gives the hash in gallery_hashes.txt, also with one thread. Together the scenes
# have every kind of constraint. scripts/update-golden.sh writes that file anew.
. "$SOURCE/scripts/tap.sh"
hashes="$SOURCE/tests/gallery_hashes.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TAUT_SIMD

same_scenes() {
    (cd "$SOURCE/scenes" && ls *.json) | sed 's/\.json$//' >"$work/scenes" && cut -d ' ' -f 1 "$hashes" |
        diff "$work/scenes" -
}

same_hash() { # NAME FRAMES HASH OPTION...
    scene=$1 frames=$2 hash=$3
    shift 3
    now=$("$SOURCE/scripts/run-hash.sh" "$TAUT" "$SOURCE/scenes/$scene.json" "$frames" "$work" "$@") || return 1
    echo "expected $hash, got $now"
    [ "$now" = "$hash" ] && grep -q '"bad_particles": 0,' "$work/$scene.run.json"
}

# The records of the runs above tell the kinds.
every_kind() {
    "$TAUT" hash --check >"$work/check" && cut -d ' ' -f 1 "$work/check" | grep . >"$work/kinds" || return 1
    missing=0
    while read -r kind; do
        grep -q "\"constraints\": {.*\"$kind\": [1-9]" "$work"/*.run.json || { echo "no $kind"; missing=1; }
    done <"$work/kinds"
    return $missing
}

# The record tells this too: in the first second the banner fills, the cloth falls on the ball and the ring on the
# ground.
demo_holds() {
    grep '"worst_stretch":' "$work/demo.run.json" | tr -d , | awk '{ print; exit !($2 > 0 && $2 < 0.05) }'
}

# A thousand flags share one model, so each takes memory for its state only: 300 bytes a particle, and a tenth more for
# what malloc loses by alignment.
one_model() {
    "$TAUT" info "$SOURCE/scenes/flags.json" >"$work/info" || return 1
    grep '^  bodies\|^  particles\|^  memory' "$work/info"
    awk '$1 == "bodies" { bodies = $2 } $1 == "particles" { particles = $2 } $1 == "memory" { bytes = 1e6 * $2 }
        END { exit bodies != 1000 || bytes > 330 * particles }' "$work/info"
}

schema() {
    python3 - "$SOURCE/docs/scene.schema.json" "$SOURCE"/scenes/*.json <<'END'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema)
END
}

check "the file lists every scene" same_scenes
while read -r name frames hash <&3; do
    check "$name" same_hash "$name" "$frames" "$hash"
done 3<"$hashes"
for name in bending demo flags; do
    check "$name, one thread" same_hash $(grep "^$name " "$hashes") --threads 1
done
check "every kind of constraint is in a scene" every_kind
check "the demo stretches by less than 5 %" demo_holds
check "a thousand flags of one model" one_model
check "the schema takes every scene" schema
tap_done
