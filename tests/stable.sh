#!/bin/sh
# Every scene of scenes/ is stable with 1, 4 and 16 substeps. No particle turns NaN. Bodies are at most as fast as a fall
# over the same time makes them, beside 1.5 times their speed with the scene's own solver. Unless taut run warns that
# they act too soft, they stretch by no more than twice as much as there and 5 % with 16 substeps. Ratios of stiffness are
# softer with fewer substeps, so there is more room with 4 and with 1.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TAUT_SIMD
frames=10

run_scene() { # SCENE NAME OPTION...: leaves NAME.csv and NAME.err
    scene=$1 name=$2
    shift 2
    "$TAUT" run "$SOURCE/scenes/$scene.json" --frames $frames --out "$work/out.pc2" --stats "$work/$name.csv" "$@" \
        >/dev/null 2>"$work/$name.err"
}

cat >"$work/compare.py" <<'END_OF_PYTHON'
import csv, math, os, sys
folder, name = sys.argv[1:]
def figures(name):
    rows = list(csv.DictReader(open(os.path.join(folder, name + ".csv"))))
    most = lambda key: max(float(row[key]) for row in rows)
    return {key: most(key) for key in ("rms_speed", "stretch_p99", "bad_particles", "time")}
own, now = figures("own"), figures(name)
soft = "softer than the material says" in open(os.path.join(folder, name + ".err")).read()
print(name, now, "own solver:", own, "too soft, says taut run" if soft else "")
assert now["bad_particles"] == 0 and all(math.isfinite(value) for value in now.values())
assert now["rms_speed"] <= 1.5 * own["rms_speed"] + 9.81 * now["time"]
room = {"16": 0.05, "4": 0.3, "1": 2}[name]
assert soft or now["stretch_p99"] <= 2 * own["stretch_p99"] + room
END_OF_PYTHON

is_stable() { # SCENE
    run_scene "$1" own || return 1
    for substeps in 1 4 16; do
        run_scene "$1" "$substeps" --set solver.substeps=$substeps || return 1
        python3 "$work/compare.py" "$work" "$substeps" || return 1
    done
}

for scene in $(cd "$SOURCE/scenes" && ls *.json | sed 's/\.json$//'); do
    check "$scene with 1, 4 and 16 substeps" is_stable "$scene"
done
tap_done
