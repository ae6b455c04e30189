#!/bin/sh
# The command line tool: help texts, exit codes, messages, and the files that its commands leave behind.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TAUT_SIMD

# WORD ARGUMENT...: exit code 0, nothing on stderr, and WORD on stdout.
prints() {
    word=$1
    shift
    "$TAUT" "$@" >"$work/out" 2>"$work/err" || return 1
    cat "$work/out" "$work/err"
    [ ! -s "$work/err" ] && grep -q -e "$word" "$work/out"
}

# WORD ARGUMENT...: exit code 2, nothing on stdout, and WORD on stderr.
refuses() {
    word=$1
    shift
    "$TAUT" "$@" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err"
    [ $code -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$word" "$work/err"
}

# COMMAND...: its help names every option that its usage line has, and gives an example.
helps() {
    prints "^usage: taut $*" "$@" --help || return 1
    grep -A 1 '^example:' "$work/out" | grep -q "^  taut $1" || return 1
    for option in $(head -n 1 "$work/out" | grep -o -e '--[a-z-]*'); do
        grep -q -e "^  $option .*[a-z]" "$work/out" || return 1
    done
}

unwritable_stdout() {
    "$TAUT" hash --list >/dev/full
    [ $? -eq 2 ]
}

check "taut --help" prints "^  hash" --help
check "taut --version" prints "^taut [0-9]*\.[0-9]*\.[0-9]*$" --version
check "hash --help" helps hash
check "bench --help" prints "^  kernels" bench --help
check "bench chain --help" helps bench chain
check "bench contact --help" helps bench contact
check "bench drape --help" helps bench drape
check "bench kernels --help" helps bench kernels
check "bench limits --help" helps bench limits
check "bench perturbed --help" helps bench perturbed
check "bench table --help" helps bench table
check "bench sheet --help" helps bench sheet
check "bench shell --help" helps bench shell
# USAGE COMMAND...: the usage line begins like this; only optional words are in brackets.
usage() {
    usage=$1
    shift
    "$TAUT" "$@" --help | head -n 1 | grep -qF -e "usage: taut $usage"
}
check "run takes as many threads as the library" refuses "0 \.\. 256" run scene.json --threads 257
check "train takes as many threads as the library" refuses "0 \.\. 256" train scene.json --threads 257
check "materials --help" helps materials
check "check --help" helps check
check "lab --help" helps lab
check "paper --help" helps paper
check "materials lists every preset" prints "^denim  *0.4  *10000  *6000" materials --presets
check "materials says what cloth without a material is" prints "without a material gets the preset cotton" materials --presets
check "materials lists every parameter" prints "^strain.xx  *1  *from 0 to 1  *stretch along x (warp)" materials
check "materials --json" prints '"key": "limit.x", "member": "limit.axis\[0\]"' materials --json
check "usage of run" usage "run SCENE.json [" run
check "usage of render" usage "render INPUT [" render
check "usage of info" usage "info FILE... [" info
check "usage of check" usage "check INPUT [" check
check "usage of mesh tets" usage "mesh tets IN -o OUT [" mesh tets
check "usage of mesh convert" usage "mesh convert IN -o OUT" mesh convert
check "usage of hash" usage "hash [NAME] [" hash
check "no command" refuses "usage: taut"
check "an unknown command" refuses "'rendr'.*'render'" rendr
check "an unknown benchmark" refuses "'sheat'.*'sheet'" bench sheat
check "no benchmark" refuses "usage: taut bench" bench
check "a benchmark like no other" refuses "'nosuch', only chain, contact" bench nosuch
check "an option like no other" refuses "'--zzz'; --help lists them" hash sheet --zzz
check "an unknown option" refuses "'--step'.*'--steps'" hash sheet --step 3
check "an option without its value" refuses "--steps needs a value" hash sheet --steps
check "a number with letters" refuses "--n must be a whole number, got '12x'" bench sheet --n 12x
check "an empty number" refuses "--n needs a value" bench sheet --n ""
check "a number out of range" refuses "--n must be in 2 .. 2000, got 1" bench sheet --n 1
check "a number beyond int" refuses "--steps must be" hash sheet --steps 99999999999999999999
check "one argument too many" refuses "'flag' is one argument too many" hash sheet flag
check "an unknown kernel" refuses "'strain_tr'.*'strain_tri'" bench kernels --kernel strain_tr
check "an output that cannot be written" unwritable_stdout

# ---- hash ----

hashes_twice() {
    scenes=$("$TAUT" hash --list) && [ -n "$scenes" ] || return 1
    for scene in $scenes; do
        first=$("$TAUT" hash "$scene" --steps 3) && second=$("$TAUT" hash "$scene" --steps 3) || return 1
        echo "$scene $first $second"
        [ "$first" = "$second" ] && echo "$first" | grep -qx '[0-9a-f]\{16\}' || return 1
    done
}

# If two scenes had the same hash, they would be the same scene, or would be empty.
hashes_differ() {
    for scene in $("$TAUT" hash --list); do "$TAUT" hash "$scene" --steps 5; done >"$work/hashes"
    [ "$(sort -u "$work/hashes" | wc -l)" -eq "$("$TAUT" hash --list | wc -l)" ]
}

hash_moves() { [ "$("$TAUT" hash sheet --steps 1)" != "$("$TAUT" hash sheet --steps 2)" ]; }

default_steps() { [ "$("$TAUT" hash chain)" = "$("$TAUT" hash chain --steps 100)" ]; }

refuses_simd() {
    TAUT_SIMD=abacus "$TAUT" hash sheet --steps 1 >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q abacus "$work/err"
}

check "an unknown scene" refuses "'shet'.*'sheet'" hash shet
check "hash without a scene" refuses "hash --list" hash
check "every scene's hash is the same in two runs" hashes_twice
check "every scene's hash is different" hashes_differ
check "a step changes the hash" hash_moves
check "100 steps by default" default_steps
check "hash --describe" prints "^sheet  *a " hash --describe
check "every kind of constraint is in a scene" prints "^tether" hash --check
check "an instruction set that is not there" refuses_simd

# ---- bench ----

# ARGUMENT...: runs taut; its output goes to $work/json.
json() { "$TAUT" "$@" >"$work/json" && cat "$work/json"; }

# A sheet that falls on a ball crosses itself, unless contact is strict. Capes this small touch nothing.
contact_json() {
    json bench contact --quick --scale 3 --scene sheet,capes --contact off,strict --threads 2 --json &&
        python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
assert [(r["scene"], r["contact"]) for r in rows] == [(s, c) for s in ("sheet", "capes") for c in ("off", "strict")], rows
for r in rows:
    assert set(r) == {"scene", "contact", "triangles", "vertices", "threads", "moving", "resting", "rms_speed",
                      "crossings"}, r
    assert r["threads"] == 2 and r["triangles"] == (338 if r["scene"] == "sheet" else 100 * 18), r
    moving, strict = r["moving"], r["contact"] == "strict"
    assert 0 < moving["ms"] <= moving["longest_ms"] and 0 <= moving["search_share"] <= 1, r
    assert 0 < r["resting"]["ms"] <= r["resting"]["longest_ms"], r
    assert (moving["searches"] > 0) == strict, r
    assert strict or moving["held"] == moving["pushes"] == moving["pairs"] == 0, r
    assert (r["crossings"] > 0) == (r["scene"] == "sheet" and not strict), r
END
}

drape_json() {
    json bench drape --quick --n 12,16 --threads 1,2 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
tests = ["hang", "shake", "ball", "table", "top"]
assert [(r["test"], r["n"]) for r in rows] == \
    [(t, n) for n in (12, 16) for t in tests[:2]] + [(t, n) for t in tests[2:] for n in (12, 16)], rows
for r in rows:
    assert set(r) == {"test", "n", "mesh", "fps", "material", "density", "vertices", "levels", "stretch", "substeps",
                      "iterations", "contact", "defaults", "build_ms", "threads", "ms", "longest_ms", "weave_stretch",
                      "weave_compression", "edge_stretch", "edge_compression", "shear_degrees", "rms_speed",
                      "plumb_degrees", "folds", "bend_times_n", "drape_coefficient", "sag", "sag_ratio"}, r
    assert r["mesh"] == "irregular" and r["fps"] == 60 and r["material"] == "default" and r["defaults"] is True, r
    assert r["contact"] == "auto", r
    assert abs(r["stretch"] - 0.02) < 1e-6, r
    assert r["threads"] == [1, 2] and all(0 < ms <= most for ms, most in zip(r["ms"], r["longest_ms"])), r
    for key in ("weave_stretch", "weave_compression", "edge_stretch", "edge_compression"):
        assert 0 <= r[key]["p50"] <= r[key]["p99"] <= r[key]["p99_peak"] <= r[key]["worst"], r
    lies, test = r["test"] in ("ball", "table"), r["test"]
    assert (r["drape_coefficient"] is None) == (not lies) == (r["plumb_degrees"] is not None), r
    assert not lies or -0.1 < r["drape_coefficient"] < 1, r
    assert (r["sag"] is None) == (test != "top") and r["folds"] >= 0 and r["bend_times_n"] >= 0, r
    assert test in ("ball", "table") or abs(r["density"] - 0.2) < 1e-6 or test == "top", r
    assert abs(r["vertices"] / r["n"] ** 2 - 1) < 0.4 if test == "table" else r["vertices"] == r["n"] ** 2, r
END
}

drape_flags() {
    prints "^these are NOT the defaults" bench drape --test top --n 9 --mesh regular --fps 24 --threads 1 --substeps 2 \
        --iterations 3 --levels 0 --material cotton --flat &&
        grep -q "^sheets begin exactly flat" "$work/out" &&
        grep -q "^cotton material, 2 substeps x 3 iterations, 0 levels" "$work/out" &&
        [ "$(grep -c '^top  *9 regular  *24 ' "$work/out")" -eq 1 ] &&
        grep -q "^top  *bend [0-9.]*  sag [0-9.]* times its closed form$" "$work/out"
}

# Without --material the cloth is cotton, except for the density of hanging sheets.
drape_default() {
    top="bench drape --test top --n 9 --mesh regular --fps 24 --threads 1"
    prints "^default material (cotton), by quality, stretch 0.02, levels by the mesh: the defaults$" $top && tail -n 1 "$work/out" >"$work/default" &&
        prints "^cotton material" $top --material cotton && tail -n 1 "$work/out" | cmp - "$work/default"
}

drape_counts() {
    top="bench drape --test top --n 9 --mesh regular --fps 24 --threads 1"
    prints "^default material (cotton), 16 substeps x 1 iterations, levels by the mesh$" $top --counts &&
        grep -q "^these are NOT the defaults (by quality, stretch 0.02, levels by the mesh)$" "$work/out"
}

sheet_json() {
    json bench sheet --n 20 --threads 1 --json && python3 - "$work/json" <<'END'
import json, sys
row = json.load(open(sys.argv[1]))
assert set(row) == {"n", "threads", "ms", "sag", "p99_stretch", "max_stretch", "p99_compression", "rms_speed",
                    "settings"}
assert row["n"] == 20 and row["threads"] == 1 and row["ms"] > 0
assert -10 < row["sag"] < 10 and 0 <= row["p99_stretch"] <= row["max_stretch"] < 100
assert 0 <= row["rms_speed"] < 1 and "tethers" in row["settings"]
END
}

sheet_flags() {
    json bench sheet --n 10 --json --flat --substeps 4 --iterations 1 --no-tethers --levels 1 --strain &&
        grep -q "strain .*, no tethers, 1 level, 4 substeps x 1 iteration\"" "$work/json"
}

kernels_json() {
    json bench kernels --quick --elements 3600 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
names = {row["kernel"] for row in rows}
assert names >= {"distance", "strain_tri", "strain_tet", "dihedral", "isometric", "isometric_curved",
                 "triangle_bend", "triangle_bend_sided", "midpoint_bend", "tether"}, names
for row in rows:
    assert {"kernel", "elements", "threads", "simd", "ns", "reference_ns", "ratio", "order"} <= set(row)
    assert row["elements"] == 3600 and abs(row["count"] / 3600 - 1) < 0.01, row
    assert row["threads"] >= 1 and row["order"] == "natural" and row["simd"], row
    assert 0 < row["ns"] < 1e6 and 0 < row["reference_ns"] < 1e6, row
    assert abs(row["ratio"] * row["ns"] / row["reference_ns"] - 1) < 0.01, row
END
}

limits_json() {
    json bench limits --quick --elements 3600 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
limits = {"limit_tri", "limit_tet", "limit_bend"}
assert {row["kernel"] for row in rows} == limits | {name + "_skip" for name in limits}, rows
for row in rows:
    assert {"kernel", "elements", "threads", "simd", "ns", "reference_ns", "ratio", "order"} <= set(row)
    share = row["count"] / 3600 # of the triangles; each edge is in one element of limit_bend, in two of the reference
    assert 0.5 <= share < 0.6 if "bend" in row["kernel"] else abs(share - 1) < 0.01, row
    assert 0 < row["ns"] < 1e6 and 0 < row["reference_ns"] < 1e6, row
END
}

perturbed_json() {
    json bench perturbed --n 31 --levels 2 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
best = {}
for row in rows:
    assert set(row) == {"method", "triangles", "levels", "residual", "passes", "ms", "ratio"}, row
    assert row["triangles"] == 1800 and row["passes"] % 5 == 0 and row["ms"] > 0, row
    best[row["method"]] = row
bent = {"bend, one level", "bend, levels", "bend, trained"}
assert {"one level", "levels", "levels both ways", "cauchy", "springs"} | bent == set(best), best
# A deterministic solver decides the number of passes, so no clock has an influence.
assert best["levels both ways"]["residual"] == best["one level"]["residual"] == 1
assert best["levels both ways"]["levels"] == 2 and best["one level"]["levels"] == 0
assert 4 * best["levels both ways"]["passes"] < best["one level"]["passes"], best
END
}

shell_json() {
    json bench shell --n 21 --levels 2 --bend 30 --frames 5 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
left = {}
for row in rows:
    assert set(row) == {"method", "passes", "ms", "stretch", "bend"} and row["ms"] > 0, row
    left[row["method"], row["passes"]] = row["stretch"], row["bend"]
assert len(left) == len(rows) == 18, rows
# The solver is deterministic, so the violation that it leaves is the same each time.
assert left["trained", 5][1] < left["levels", 5][1] < left["one level", 5][1], left
END
}

chain_json() {
    json bench chain --n 65 --json && python3 - "$work/json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
cost = {}
for row in rows:
    assert set(row) == {"vertices", "method", "rounds", "projections", "ms", "work_ratio", "ratio", "done"}, row
    assert row["vertices"] == 65 and row["rounds"] > 0 and row["ms"] > 0 and row["done"], row
    cost[row["method"]] = row["projections"]
assert set(cost) == {"one level", "levels, top 4", "levels, top 8", "levels, top 16", "fast projection"}, cost
assert cost["fast projection"] % 64 == 0 and cost["one level"] % 64 == 0, cost
# Work is counted, not timed.
assert 150 * cost["levels, top 4"] < cost["one level"] and 60 * cost["levels, top 8"] < cost["one level"], cost
assert 12 * cost["levels, top 16"] < cost["one level"], cost
END
}

table_json() {
    json bench table --frames 1 --scale 1 --json && python3 - "$work/json" <<'END'
import json, sys
rows = {row["example"]: row for row in json.load(open(sys.argv[1]))}
assert len(rows) == 7
assert rows["cloth"]["elements"] == 12800 and rows["cloth"]["levels"] == 4 and rows["cloth"]["iterations"] == 2
assert rows["tori"]["elements"] == 51840 and rows["solid dragon"]["elements"] == 74100
assert all(row["ms"] > 0 and row["ratio"] > 0 and row["ms_all_threads"] > 0 for row in rows.values())
for row in rows.values():
    enough = row["mean_strain"] <= 0.01 and row["mean_bend"] <= 1.2
    assert (0 < row["enough_iterations"] <= row["iterations"]) == enough == ("enough_ratio" in row), row
assert any("enough_ratio" in row for row in rows.values()) and rows["bunny"]["mean_strain"] > 0.01, rows
END
}

one_kernel() {
    prints "^tether " bench kernels --quick --elements 500 --kernel tether &&
        ! grep -q -e '^distance' "$work/out"
}

check "bench contact --json" contact_json
check "bench contact as text" prints "^capes  *fast  *1800 " bench contact --quick --scale 3 --scene capes --contact fast
check "bench contact: a scene that is not there" refuses "no 'shet', only sheet" bench contact --scene shet
check "bench drape --json" drape_json
check "bench drape takes the default material of cloth" drape_default
check "bench drape takes its options" drape_flags
check "bench drape --counts says so" drape_counts
check "bench drape: a test that is not there" refuses "no 'hng', only hang, shake" bench drape --test hang,hng
check "bench drape: a number that is none" refuses "commas, got '5x'" bench drape --n 25,5x
check "bench drape: an empty item" refuses "commas, got ''" bench drape --fps 60,
check "bench drape: a material that is not there" refuses "no 'cottn'" bench drape --material cottn
check "bench sheet --json" sheet_json
check "bench sheet takes its options" sheet_flags
check "bench sheet as text" prints "^sag  *[0-9.-]* %" bench sheet --n 5
check "bench kernels --json" kernels_json
check "bench kernels --kernel" one_kernel
check "bench limits --json" limits_json
check "bench chain --json" chain_json
check "bench chain as text" prints "^  *17 fast projection " bench chain --n 17 --threshold 50 --arc
check "bench perturbed --json" perturbed_json
check "bench shell --json" shell_json
check "bench table --json" table_json
check "bench perturbed as text" prints "^one level  *0 .* %" bench perturbed --n 11 --passes 20 --levels 1
tap_done
