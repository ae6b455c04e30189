#!/bin/sh
# taut run: outputs, records and messages; a run that is killed, stopped or out of disk space goes on with the same
# bits.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenes="$SOURCE/tests/scenes"
cd "$work" || exit 1

# WORD ARGUMENT...: exit code 0, nothing on stderr, WORD on stdout.
prints() {
    word=$1
    shift
    "$TAUT" run "$@" >"$work/out.txt" 2>"$work/err.txt" || { cat "$work/err.txt"; return 1; }
    cat "$work/out.txt" "$work/err.txt"
    [ ! -s "$work/err.txt" ] && grep -q -e "$word" "$work/out.txt"
}

# WORD ARGUMENT...: exit code 2, WORD on stderr.
refuses() {
    word=$1
    shift
    "$TAUT" run "$@" >"$work/out.txt" 2>"$work/err.txt"
    code=$?
    cat "$work/out.txt" "$work/err.txt"
    [ $code -eq 2 ] && grep -q -e "$word" "$work/err.txt"
}

# ---- Elastic bodies ----

cat >elastic.json <<'END'
{"solver": {"substeps": 2}, "frames": 2, "bodies": [
  {"name": "soft", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1},
   "material": {"density": 1, "elastic": {"young": 900}}},
  {"name": "stiff", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1},
   "transform": {"position": [0, 0, 1]}, "material": {"density": 1, "elastic": {"young": 1600}}}
]}
END

warns_of_long_substeps() {
    "$TAUT" run elastic.json --out elastic.pc2 >out.txt 2>err.txt || return 1
    cat err.txt
    [ "$(cat err.txt)" = "taut run: stiff: its elastic forces are stable up to a substep of 3.61 ms:\
 a step has 5 substeps, not 2" ]
}

check "substeps that are too long for elastic forces" warns_of_long_substeps
check "substeps that are short enough" prints frames elastic.json --out elastic.pc2 --set solver.substeps=5
is_quiet() { "$TAUT" run elastic.json --out elastic.pc2 --quiet >out.txt 2>&1 && [ ! -s out.txt ]; }
check "no warning with --quiet" is_quiet

# ---- Starts that intersect ----

# A cloth that is held, and a second one that stands on edge in it.
cat >crossed.json <<'END'
{"frames": 1, "bodies": [
  {"name": "flat", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1},
   "material": {"contact": "strict"}, "transform": {"rotation": [-90, 0, 0]}, "pins": [{"all": true}]},
  {"name": "upright", "mesh": {"generator": "sheet", "nx": 3, "ny": 3, "width": 0.4, "height": 0.4},
   "material": {"contact": "strict"}, "transform": {"position": [0.05, 0.3, 0.6]}}
]}
END

# It says the same as taut check.
warns_of_a_crossed_start() {
    "$TAUT" run crossed.json --out crossed.pc2 >out.txt 2>err.txt || return 1
    cat out.txt err.txt crossed.run.json
    "$TAUT" check crossed.json --json >check.json
    python3 - <<'END'
import json
found = json.load(open("check.json"))["frames"][0]
start = json.load(open("crossed.run.json"))["start"]
assert found["pairs"] == start["pairs"] > 0 and found["crossings"] == start["crossings"]
bodies = ["flat", "upright"]
assert len(start["list"]) == min(10, start["crossings"])
for a, b in zip(found["list"], start["list"]):
    assert (a["body"], a["triangle"], a["edge_body"], a["edge"]) == (
        bodies[b["body"]], b["triangle"], bodies[b["edge_body"]], b["edge"])
first = start["list"][0]
said = open("err.txt").read()
assert said.startswith("taut run: %d pairs of triangles intersect at the start, first triangle %d of %s and edge" % (
    start["pairs"], first["triangle"], bodies[first["body"]])) and "taut check crossed.json" in said, said
assert "%d pairs of triangles intersected at the start\n" % start["pairs"] in open("out.txt").read()
END
}
# Bodies without contact may intersect.
is_silent_without_contact() {
    "$TAUT" run crossed.json --set bodies[0].material.contact=off --out off.pc2 >out.txt 2>err.txt &&
        cat err.txt && [ ! -s err.txt ] && grep -q '"start": {"pairs": 0, "crossings": 0, "list": \[\]}' off.run.json
}
check "a start that intersects, in the record, on stderr and in the summary" warns_of_a_crossed_start
check "bodies without contact that intersect" is_silent_without_contact

# ---- Cloth that is too soft ----

cat >fine.json <<'END'
{"frames": 1, "bodies": [
  {"name": "fine", "mesh": {"generator": "sheet", "nx": 41, "ny": 41, "width": 1, "height": 1},
   "material": {"preset": "denim"}}
]}
END

# VALUE: runs with that solver.stretch; warnings go to err.txt.
runs_with_stretch() { "$TAUT" run fine.json --out fine.pc2 --set solver.stretch="$1" >out.txt 2>err.txt && cat err.txt; }
warns_of_counts() {
    runs_with_stretch 0 && [ "$(cat err.txt)" = "taut run: fine: its stretch along the warp acts about 46.6 times softer than\
 the material says: solver.stretch should be 0.02, not 0" ]
}
is_resolved() { runs_with_stretch 0.02 && [ ! -s err.txt ]; }
check "cloth that is softer than its material names solver.stretch" warns_of_counts
check "no warning where it is solved by quality" is_resolved

cat >soft.json <<'END'
{"frames": 1, "solver": {"substeps": 2}, "bodies": [
  {"name": "limited", "mesh": {"generator": "sheet", "nx": 33, "ny": 33, "width": 1, "height": 1}, "levels": 0,
   "material": {"density": 0.15, "strain": {"xx": 0, "yy": 0, "xy": 0}, "limit": {"stretch": ["none", 1.02]}}},
  {"name": "bar", "mesh": {"generator": "beam", "nx": 16, "ny": 4, "nz": 4, "size": [0.4, 0.1, 0.1]},
   "material": {"preset": "rubber"}},
  {"name": "rope", "mesh": {"generator": "chain", "n": 65, "length": 1}, "levels": 0,
   "material": {"units": "physical", "density": 0.05, "edge": 1000, "strain": {"xx": 0, "yy": 0, "xy": 0}}}
]}
END
warns_of() { # NAME SENTENCE: and the substeps it asks for silence it
    "$TAUT" run soft.json --out soft.pc2 >out.txt 2>err.txt && cat err.txt &&
        grep -q "^taut run: $1: $2: for so fine a mesh solver.substeps should be [0-9]* or more, not 2\$" err.txt || return 1
    enough=$(sed -n "s/^taut run: $1: .* should be \([0-9]*\) or more, not 2/\1/p" err.txt)
    "$TAUT" run soft.json --out soft.pc2 --set solver.substeps="$enough" >out.txt 2>err.txt && ! grep "$1" err.txt
}
check "limits that cannot be kept" warns_of limited "its own weight stretches it beyond its limits, by about [0-9.]* % in the mean"
check "solids that are too soft" warns_of bar "its stretch along [xyz] acts about [0-9.]* times softer than the material says"
check "ropes that are too soft" warns_of rope "its stretch acts about [0-9.]* times softer than the material says"
cat >thick.json <<'END'
{"frames": 1, "bodies": [
  {"name": "thick", "mesh": {"generator": "sheet", "nx": 21, "ny": 21, "width": 1, "height": 1},
   "material": {"preset": "cotton", "thickness": 0.1}}
]}
END
thickness="its thickness of 0.1 m is more than an edge of its mesh, 0.0569 m in the mean: layers keep only 0.0142 m"
warns_of_thickness() {
    "$TAUT" run thick.json --out thick.pc2 >out.txt 2>err.txt && [ "$(cat err.txt)" = "taut run: thick: $thickness" ]
}
check "layers that are thicker than an edge" warns_of_thickness
stays_stable() {
    "$TAUT" run fine.json --frames 20 --out stable.pc2 --set 'bodies[0].material.elastic={"young": 4000}' \
        --set solver.substeps=200 >out.txt 2>err.txt && cat out.txt err.txt && ! grep -q "left all bounds" out.txt err.txt
}
check "elastic forces besides a fabric take the substeps that are asked for" stays_stable

# ---- Killed at any moment ----

outputs="--out s.pc2 --out s.glb --out s.obj --stats s.csv"

# FOLDER OPTION...: the run of this section, in a folder of its own; it replaces the shell.
become_run_in() {
    mkdir -p "$1" && cd "$1" || exit 1
    shift
    exec "$TAUT" run "$scenes/run_sheet.json" $outputs --checkpoint 5 --quiet "$@"
}

run_in() { (become_run_in "$@"); }

# FOLDER: all files are the same as those of the undisturbed run, except for values that tell times.
same_as_undisturbed() {
    for folder in undisturbed "$1"; do
        (cd "$folder" && cut -d, -f1,2,4- s.csv >csv.txt && sed -n '/"hash"/,$p' s.run.json >hash.txt &&
            sed -n '/"residuals"/,/"hash"/p' s.run.json >residuals.txt &&
            sed -n '/"bodies"/,/"ms"/p' s.run.json >bodies.txt && [ "$(wc -l <hash.txt)" -eq 124 ]) || return 1
    done
    # A run that is killed while it writes a file may leave it under its temporary name (docs/running.md).
    diff -r -x s.csv -x s.run.json -x '.taut-*' undisturbed "$1"
}

milliseconds() { # a random number below $1
    echo $(($(od -An -N2 -tu2 /dev/urandom) % $1))
}

# When a run reaches its end in spite of the kills, its files are compared and a new run begins.
killed_50_times() {
    run_in undisturbed || return 1
    kills=0 ends=0
    while [ $kills -lt 50 ]; do
        (become_run_in killed --resume) &
        sleep "0.$(printf %03d "$(milliseconds 100)")"
        kill -9 $! 2>/dev/null
        wait $!
        case $? in
        137) kills=$((kills + 1)) ;;
        0)
            same_as_undisturbed killed || return 1
            rm -r killed
            ends=$((ends + 1))
            ;;
        *) return 1 ;;
        esac
    done
    run_in killed --resume && same_as_undisturbed killed && echo "$kills kills, $ends ends" &&
        [ "$(grep -c . killed/s.csv)" -eq 122 ] && [ ! -e killed/s.checkpoint ]
}

# SIGNAL FOLDER OPTION...: sends the signal once the first frames are there; returns the run's exit code. A shell makes
# its background processes ignore SIGINT; env undoes that.
stop_run_in() {
    stop_signal=$1 folder=$2
    shift 2
    mkdir "$folder"
    (cd "$folder" && exec env --default-signal=INT "$TAUT" run "$scenes/run_sheet.json" "$@") &
    until [ -e "$folder/s0003.obj" ] || ! kill -0 $!; do sleep 0.01; done
    kill -s "$stop_signal" $!
    wait $!
}

# SIGNAL CODE
stopped_by() {
    rm -rf stopped
    stop_run_in "$1" stopped $outputs --checkpoint 0 >"$work/out.txt"
    code=$?
    cat "$work/out.txt"
    ls stopped
    [ $code -eq "$2" ] && grep -q "^stopped after frame [0-9]* of 120;.*--resume" "$work/out.txt" &&
        [ -e stopped/s.checkpoint ] && [ ! -e stopped/s.glb ] && run_in stopped --resume --threads 1 &&
        same_as_undisturbed stopped && grep -q '"breaks": 1' stopped/s.run.json
}

finished() {
    cp -r undisturbed finished && (cd finished && prints "is finished" "$scenes/run_sheet.json" $outputs --resume) &&
        same_as_undisturbed finished
}

# A finished run whose outputs are gone is run again.
finished_but_gone() {
    rm finished/s.glb
    (cd finished && prints "from the beginning" "$scenes/run_sheet.json" $outputs --resume) && [ -e finished/s.glb ]
}

other_settings() {
    mine="--out s.pc2 --out s.obj"
    stop_run_in TERM other $mine --quiet
    cp -r other kept
    (cd other
        for change in "--frames 100" "--set bodies[0].material.strain.xx=0.1" "--out s.mdd"; do
            refuses "another scene or of other settings" "$scenes/run_sheet.json" $mine --resume $change || return 1
        done
        sed 's/0.25/0.24/' "$scenes/run_sheet.json" >"$work/changed.json"
        refuses "another scene" "$work/changed.json" $mine --resume || return 1
        diff -r ../kept . || return 1
        echo "nonsense" >s.checkpoint
        refuses "no checkpoint" "$scenes/run_sheet.json" $mine --resume || return 1
        head -c 3000 ../kept/s.checkpoint >s.checkpoint
        refuses "damaged" "$scenes/run_sheet.json" $mine --resume || return 1
        for byte in 0 9 13 20 30 33 36 39 40 44 47 60 2000 2900; do # the first 48 are the head
            python3 -B - ../kept/s.checkpoint s.checkpoint $byte <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[3])] ^= 0x10
open(sys.argv[2], "wb").write(data)
END
            refuses "s.checkpoint'* is" "$scenes/run_sheet.json" $mine --resume || { echo "byte $byte"; return 1; }
        done)
}

# If a value in an included file changes, it is another run, even if the value acts only after the last frame. A change
# of line breaks does not matter.
changed_include() (
    mkdir include && cd include || exit 1
    wind='{"wind": {"keys": [{"time": 0, "velocity": [0, 0, 0]}, {"time": 9, "velocity": [%s, 0, 0]}]}}\n'
    sheet='{"mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1}}'
    printf "$wind" 1 >wind.json
    echo "{\"include\": \"wind.json\", \"frames\": 2, \"bodies\": [$sheet]}" >s.json
    prints "starting from the beginning" s.json --out s.pc2 --resume || exit 1
    printf "\n\n$wind" 1 >wind.json
    prints "this run is finished" s.json --out s.pc2 --resume || exit 1
    printf "$wind" 2 >wind.json
    prints "starting from the beginning" s.json --out s.pc2 --resume
)

# Of two runs at once, one goes on and the other is refused.
two_at_once() {
    (become_run_in twice) &
    until [ -e twice/s0001.obj ] || ! kill -0 $!; do sleep 0.01; done
    (cd twice && refuses "another run is writing" "$scenes/run_sheet.json" $outputs --resume)
    refused=$?
    wait $! && [ $refused -eq 0 ] && same_as_undisturbed twice
}

check "killed 50 times, the files are the same" killed_50_times
check "two runs at once" two_at_once
check "SIGTERM keeps a checkpoint" stopped_by TERM 143
check "SIGINT keeps a checkpoint" stopped_by INT 130
check "--resume of a finished run" finished
check "--resume of a finished run without its files" finished_but_gone
check "--resume of another run" other_settings
check "--resume after a change in an included file" changed_include

# ---- A disk that is full ----

# BLOCKS: no file may be larger than that many blocks of 512 bytes. Only whole files have their names.
full_disk() {
    rm -rf full && mkdir full
    (ulimit -f "$1" && cd full && "$TAUT" run "$scenes/run_sheet.json" $outputs --checkpoint 5) \
        >"$work/out.txt" 2>"$work/err.txt"
    code=$?
    cat "$work/err.txt"
    ls full
    [ $code -eq 2 ] && grep -q "File too large" "$work/err.txt" &&
        [ -z "$(find full -name '.taut-*' -o -name s.glb)" ] || return 1
    for file in full/s0*.obj; do
        [ ! -e "$file" ] || cmp "$file" "undisturbed/${file#full/}" || return 1
    done
}

# The frames fit on the disk, but the finished file does not. With more room the run goes on.
full_at_the_end() {
    full_disk 3500 && [ -e full/s.checkpoint ] && grep -q "resume" "$work/err.txt" && run_in full --resume &&
        same_as_undisturbed full
}

full_at_once() { full_disk 10 && [ -z "$(ls full)" ]; }

unwritable_stats() {
    refuses "/dev/full" "$scenes/run_sheet.json" --frames 2 --out u/s.pc2 --stats /dev/full/s.csv &&
        [ ! -e u/s.run.json ]
}

check "a disk full of frames" full_disk 300
check "a disk full at the end" full_at_the_end
check "a disk full at once leaves nothing" full_at_once
check "statistics that cannot be written" unwritable_stats

# ---- Names of outputs ----

few="$scenes/run_sheet.json --frames 2"

# FOLDER FILE...: holds these files and no others.
holds() {
    folder=$1
    shift
    [ "$(ls "$folder")" = "$(printf '%s\n' "$@" | LC_ALL=C sort)" ] || { ls "$folder"; return 1; }
}

default_output() {
    (mkdir d && cd d && prints "wrote out/run_sheet.glb" $few) && holds d/out run_sheet.glb run_sheet.run.json
}

format_for_scene() {
    (mkdir e && cd e && prints "wrote" $few --format mdd,usda) &&
        holds e/out run_sheet-cube.mdd run_sheet-sheet.mdd run_sheet.run.json run_sheet.usda
}

format_for_out() {
    prints "wrote a/b/c.usda" $few --out a/b/c --out a/x.pvd --format usda,glb --record a/r/me.json &&
        holds a/b c.glb c.usda && holds a/r me.json && holds a b r x.pvd x0000.vtu x0001.vtu x0002.vtu
}

numbered() { prints "wrote n/f%02d.ply" $few --out n/f%02d.ply && holds n f.run.json f00.ply f01.ply f02.ply; }

scene_output() {
    sed 's/"fps"/"output": ["named\/flag.pc2", "named\/flag.vtu"], "fps"/' "$scenes/run_sheet.json" >named.json
    prints "wrote named/flag-" named.json --frames 1 &&
        holds named flag-cube.pc2 flag-sheet.pc2 flag.pvd flag.run.json flag0000.vtu flag0001.vtu
}

# The cells of both the sheet and the cube have every field. A pull on the sheet changes them.
vtu_fields() {
    prints wrote "$scenes/run_sheet.json" --frames 20 --out v/s.vtu || return 1
    for name in stretch_x stretch_y shear principal bend; do
        [ "$(grep -a -c "Name=\"$name\" NumberOfComponents=\"1\"" v/s0020.vtu)" -eq 2 ] || return 1
    done
    cmp v/s0000.vtu v/s0020.vtu | grep -q differ
}

check "without any output it is out/SCENE.glb" default_output
check "--format for the scene's name" format_for_scene
check "--format for names without an ending" format_for_out
check "numbers in names" numbered
check "the scene's own outputs" scene_output
check "stretch, shear and bend in VTU" vtu_fields

# ---- Options, record, messages ----

# The record is JSON. Its last hash is the same as the table's.
record() {
    prints "^worst stretch of an edge .* in frame [0-9]*, worst compression .* in frame" "$scenes/run_sheet.json" --frames 7 --threads 1 --out r/s.pc2 --stats r/s.csv \
        --set solver.substeps=3 --set bodies[0].name=flag || return 1
    python3 - <<'END'
import csv, json
record, rows = json.load(open("r/s.run.json")), list(csv.DictReader(open("r/s.csv")))
assert record["frames"] == 7 and record["threads"] == 1 and record["breaks"] == 0
assert record["solver"] == {"stretch": 0.02, "budget": 40, "substeps": 3, "iterations": 1}
assert record["sets"] == ["solver.substeps=3", "bodies[0].name=flag"] and record["outputs"] == ["r/s.pc2"]
assert [b["name"] for b in record["bodies"]] == ["flag", "cube"] and record["bodies"][0]["vertices"] == 1600
assert record["bodies"][0]["constraints"]["strain_tri"] == 39 * 39 * 2
assert [row["hash"] for row in rows] == record["hash"] and len(set(record["hash"])) == 8
assert record["residuals"]["strain_tet"]["constraints"] > 0 and record["residuals"]["strain_tri"]["rms"] > 0
assert 0 < record["ms"]["step"]["median"] <= record["ms"]["step"]["p99"] <= record["ms"]["step"]["total"]
for worst in "worst_stretch", "worst_compression":
    column = [float(row[worst]) for row in rows]
    assert record[worst] > 0 and abs(max(column) / record[worst] - 1) < 1e-6
    assert column[record[worst + "_frame"]] == max(column)
numbers = "stretch_p99", "stretch", "compression_p99", "compression", "shear_p99", "shear", "rms_speed"
for row in rows:
    for number in numbers: # of all bodies, and of each
        assert float(row[number]) == max(float(row[name + "." + number]) for name in ("flag", "cube")), (row, number)
    assert float(row["stretch_p99"]) <= float(row["stretch"]) and float(row["shear_p99"]) <= float(row["shear"]), row
for body in record["bodies"]:
    end, last = body["end"], {number: float(rows[-1][body["name"] + "." + number]) for number in numbers}
    for number in "stretch", "compression", "shear":
        assert 0 <= end[number]["p50"] <= end[number]["p99"] <= end[number]["worst"] > 0, body
        assert abs(last[number] / end[number]["worst"] - 1) < 1e-6 > abs(last[number + "_p99"] / end[number]["p99"] - 1)
    assert abs(last["rms_speed"] / end["rms_speed"] - 1) < 1e-6 and 0 < end["edge_stretch"]["worst"]
assert max(body["end"]["edge_stretch"]["worst"] for body in record["bodies"]) - float(rows[-1]["worst_stretch"]) < 1e-8
assert record["worst_stretch"] != record["worst_compression"] and record["limits"]["most_passes"] == 0
assert [b["levels"] for b in record["bodies"]] == [3, 0]
assert record["bad_particles"] == 0 and record["simd"] and record["compiler"] and record["taut"]
END
}

# A run is stopped before anyone asks for a table. In the table of the resumed run, numbers that nobody measured are
# empty.
late_table() {
    stop_run_in INT late --out s.obj --checkpoint 0 >"$work/out.txt"
    (cd late && prints "^going on" "$scenes/run_sheet.json" --out s.obj --resume --stats s.csv) || return 1
    python3 - <<'END'
import csv
rows = list(csv.DictReader(open("late/s.csv")))
known = [row["stretch_p99"] != "" for row in rows]
assert len(rows) == 121 and not known[0] and known[-1] and known == sorted(known), known
assert all((row["cube.rms_speed"] != "") == (row["stretch_p99"] != "") for row in rows)
assert all(row["worst_stretch"] != "" for row in rows) and float(rows[-1]["stretch"]) > 0
END
}

# Names go into a table as they are, quotes and commas too.
odd_names() {
    prints wrote $few --out o/s.pc2 --stats o/s.csv --set 'bodies[0].name=a,"b' \
        --set bodies[0].imperfection=0 && python3 - <<'END'
import csv
rows = list(csv.DictReader(open("o/s.csv")))
assert rows[0]['a,"b.shear_p99'] == "0" and None not in rows[0], rows[0]
END
}

# Pins pull a sheet to twice its length, so it cannot keep a limit of 2 %. Table, record and summary must say so.
over_limits() {
    prints "^limits were left violated in [0-9]* of [0-9]* frames: by up to " "$scenes/run_pulled.json" \
        --out p/s.pc2 --stats p/s.csv || return 1
    python3 - <<'END'
import csv, json
record, rows = json.load(open("p/s.run.json")), list(csv.DictReader(open("p/s.csv")))
limits, excess = record["limits"], [float(row["limit_excess"]) for row in rows]
assert record["bodies"][0]["levels"] == 1
assert limits["most_passes"] == max(int(row["limit_passes"]) for row in rows) > 0
assert limits["passes"] == int(rows[-1]["limit_passes"]) and limits["bodies_over"] == 1
assert limits["frames_over"] == sum(int(row["bodies_over_limits"]) > 0 for row in rows) > 0
assert abs(limits["worst_excess"] / max(excess) - 1) < 1e-6 and excess[limits["worst_excess_frame"]] == max(excess)
assert abs(limits["excess"] / excess[-1] - 1) < 1e-6 and excess[-1] > 0.02
END
}

# One search in a substep is too little for falling cotton. Table, record and summary must say so, and be silent if there
# are enough.
over_budget() {
    cotton="$scenes/run_cotton.json"
    prints "^solver.budget cut the search short in [0-9]* of 5 frames: stretch was off by up to .*, not by 0.02" \
        "$cotton" --out b/cut.pc2 --stats b/cut.csv --set solver.budget=1 &&
        prints wrote "$cotton" --out b/s.pc2 --stats b/s.csv && ! grep -q "solver.budget" "$work/out.txt" || return 1
    python3 - <<'END'
import csv, json
for name in "cut", "s":
    record, rows = json.load(open(f"b/{name}.run.json")), list(csv.DictReader(open(f"b/{name}.csv")))
    quality, cut = record["quality"], [int(row["searches_cut"]) for row in rows]
    assert [float(row["stretch_reached"]) for row in rows] == quality["stretch_reached"]
    assert [int(row["searches"]) for row in rows] == quality["searches"] and quality["most_searches"] >= 4
    assert quality["worst_stretch_reached"] == max(quality["stretch_reached"]) > 0
    assert quality["frames_cut"] == sum(number > 0 for number in cut)
    assert (quality["frames_cut"] > 0) == (quality["worst_stretch_reached"] > 0.02) == (name == "cut")
END
}

# PATH=VALUE: this value changes the result.
changes() {
    prints wrote $few --out c/a.pc2 && prints wrote $few --out c/b.pc2 --set "$1" && ! cmp c/a-sheet.pc2 c/b-sheet.pc2
}

lines_of_ten_percent() {
    prints "^frame  7/70 .* s left  .* ms/frame  stretch .* % (worst .* %)  contacts [0-9]" "$scenes/run_sheet.json" --frames 70 \
        --out l/s.pc2 && [ "$(grep -c '^frame' "$work/out.txt")" -eq 10 ] && ! grep -q "$(printf '\r')" "$work/out.txt"
}

quiet() {
    "$TAUT" run $few --out q/s.pc2 --quiet >"$work/out.txt" 2>&1 && [ ! -s "$work/out.txt" ] && [ -e q/s-sheet.pc2 ]
}

# The bar is drawn over itself and fits the terminal.
bar() {
    script -qec "stty cols 100; '$TAUT' run '$scenes/run_sheet.json' --frames 60 --out t/s.pc2" /dev/null >bar.txt
    tr '\r' '\n' <bar.txt | grep '^\[#*\.*\] frame 60/60  .* s left  .* ms/frame  stretch .*  contacts ' >last.txt &&
        [ "$(sed 's/\x1b.*//' last.txt | awk '{ print length }')" -le 100 ]
}

help_is_complete() {
    "$TAUT" run --help >"$work/out.txt" || return 1
    for option in out format frames threads set resume checkpoint stats record quiet help; do
        grep -q -e "^  --$option .*[a-z]" "$work/out.txt" || return 1
    done
    [ "$(sed '1,/^example/d' "$work/out.txt" | grep -c '^  taut run')" -ge 3 ] &&
        [ "$(awk '{ print length }' "$work/out.txt" | sort -n | tail -n 1)" -le 120 ]
}

check "record and table" record
check "a table that is asked for late" late_table
check "names of bodies in a table" odd_names
check "limits in record and table" over_limits
check "table, record and summary say that a budget was too small" over_budget
check "--set a material" changes bodies[0].material.strain.xx=0.1
check "--set gravity" changes "gravity=[0,-1,0]"
check "lines when it is no terminal" lines_of_ten_percent
check "--quiet" quiet
if command -v script >/dev/null; then
    check "a bar on a terminal" bar
else
    skip "a bar on a terminal" "script is not installed"
fi
check "--help" help_is_complete
check "no scene" refuses "SCENE.json is missing"
check "a scene that is not there" refuses "absent.json: .*No such file" absent.json
check "a mesh instead of a scene" refuses "cube.obj is a mesh; .* taut info .* A scene (.json) is expected" cube.obj
check "an animation instead of a scene" refuses "moves.pc2 is an animation; .*taut render --mesh" moves.pc2
check "a picture as output" refuses "taut render $scenes/run_sheet.json --out x/flag.png draws" $few --out x/flag.png
check "a film as output" refuses "taut render .*flag.mp4" $few --out x/flag.mp4
echo "{\"bodies\": 3}" >wrong.json
check "a scene that is wrong" refuses "wrong.json:1:" wrong.json
check "a wrong --set" refuses "solver" $few --set solver.sub=3
check "an unknown format" refuses "no format 'pc3'; did you mean 'pc2'" $few --format pc3
check "an output without an ending" refuses "must end in .pc2" $few --out x/flag
check "a --format that is not needed" refuses "have one" $few --out x/flag.pc2 --format glb
check "an output named twice" refuses "named twice" $few --out x/flag.pc2 --out x/flag.pc2
check "a folder that cannot be made" refuses "cannot make the folder" $few --out "$work/out.txt/flag.pc2"
tap_done
