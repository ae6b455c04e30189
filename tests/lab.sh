#!/bin/sh
# taut lab: if the solver has the time, the laboratory measures the values that the material states. It refuses
# materials that it cannot measure. It draws.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Checks the converged figures of a test, on both meshes, over the closed form.
converges() { # MATERIAL TEST LEAST MOST
    "$TAUT" lab "$1" --test "$2" --quick --json >"$work/$2.json" || return 1
    python3 -c 'import json, sys
test = json.load(open(sys.argv[1]))[0]
ratios = [test[key] / test["closed_form"] for key in ("regular_converged", "irregular_converged") if key in test]
print(ratios)
sys.exit(not all(float(sys.argv[2]) <= ratio <= float(sys.argv[3]) for ratio in ratios))' "$work/$2.json" "$3" "$4"
}

# Checks the figures of the default solver, on all meshes, over the closed form.
default_is_right() { # MATERIAL TEST LEAST MOST
    "$TAUT" lab "$1" --test "$2" --quick --json >"$work/default.json" || return 1
    python3 -c 'import json, sys
test = json.load(open(sys.argv[1]))[0]
ratios = [figure / test["closed_form"] for key in ("regular", "irregular") for figure in test[key]]
print(ratios)
sys.exit(not all(float(sys.argv[2]) <= ratio <= float(sys.argv[3]) for ratio in ratios))' "$work/default.json" "$3" "$4"
}

drapes_apart() {
    for fabric in jersey denim; do
        "$TAUT" lab $fabric --test drape --quick --json >"$work/$fabric.json" || return 1
    done
    python3 -c 'import json, sys
limp, stiff = (json.load(open(name))[0]["regular_converged"] for name in sys.argv[1:])
print(limp, stiff)
sys.exit(not 0 < limp + 20 < stiff <= 100)' "$work/jersey.json" "$work/denim.json"
}

refuses() { # MESSAGE ARGUMENT...
    message=$1
    shift
    "$TAUT" lab "$@" >"$work/out" 2>"$work/error"
    [ $? -eq 2 ] && grep -qF "$message" "$work/error" || { cat "$work/error"; return 1; }
}

measures_cotton() {
    "$TAUT" lab --test shear --quick >"$work/none" && "$TAUT" lab cotton --test shear --quick >"$work/cotton" &&
        cmp "$work/none" "$work/cotton"
}

draws() {
    "$TAUT" lab silk --test cantilever --quick --out "$work/new/folder" >/dev/null &&
        python3 -c 'import sys, xml.dom.minidom
lines = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("polyline")
sys.exit(len(lines) < 6)' "$work/new/folder/silk-cantilever.svg"
}

check "a cantilever has the bending length of its rigidity" converges cotton cantilever 0.95 1.12
check "a heart loop has the bending length of its rigidity" converges cotton loop 0.9 1.1
check "a strip of denim too" converges denim cantilever 0.95 1.12
check "a strip stretches by its modulus" converges jersey warp 0.9 1.1
check "a strip on the bias stretches by shear" converges jersey bias 0.9 1.25
check "a sample between clamps has its shear modulus" converges cotton shear 0.85 1.1
check "a bar has Young's modulus" converges foam bar 0.9 1.15
check "by default a heart loop of cotton bends by its rigidity" default_is_right cotton loop 0.85 1.15
check "by default a strip of silk too" default_is_right silk cantilever 0.95 1.12
check "by default a strip of jersey stretches by its modulus" default_is_right jersey weft 0.98 1.02
check "jersey drapes and denim stands" drapes_apart
check "a drawing has every outline" draws
check "without a material it is cotton" measures_cotton
check "an unknown preset is refused" refuses "did you mean 'cotton'" coton
check "an unknown test is refused" refuses "there is no test" cotton --test strength
check "a test of solids is not for fabrics" refuses "is not for fabrics" cotton --test bar
tap_done
