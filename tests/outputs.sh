#!/bin/sh
# Files that the tool writes: no existing file gets lost, an output that cannot be written is an error before the work
# begins, and every file that appears is whole.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >sheet.json <<'END'
{"frames": 3, "bodies": [{"mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1}}]}
END
cat >long.json <<'END'
{"frames": 5000, "bodies": [{"mesh": {"generator": "sheet", "nx": 60, "ny": 60, "width": 1, "height": 1}}]}
END
cat >coat.json <<'END'
{"bodies": [{"name": "coat", "mesh": {"generator": "sheet", "nx": 9, "ny": 9, "width": 1, "height": 1}, "levels": 1,
  "material": {"limit": {"stretch": [0.95, 1.02], "bend": [-200, 200]}}}]}
END

# WORD ARGUMENT...: exit code 2 and WORD on stderr, before the first step.
refuses() {
    word=$1
    shift
    "$TAUT" "$@" >"$work/out.txt" 2>"$work/err.txt"
    code=$?
    cat "$work/out.txt" "$work/err.txt"
    [ $code -eq 2 ] && ! grep -q 'frame' "$work/out.txt" && grep -q -e "$word" "$work/err.txt"
}

# FOLDER FILE...: holds these files and no others, hidden ones included.
holds() {
    folder=$1
    shift
    [ "$(ls -A "$folder")" = "$(printf '%s\n' "$@" | LC_ALL=C sort)" ] || { ls -A "$folder"; return 1; }
}

# ---- Devices and pipes ----

# ARGUMENT...: the command succeeds, and `node` is still a device.
keeps_device() {
    rm -f node && mknod node c 1 3 && "$TAUT" "$@" >out.txt && [ -c node ] && ! ls -A | grep -e taut- -e '\.part$'
}

# The device /dev/full accepts no bytes.
full_device() {
    rm -f node && mknod node c 1 7 || return 1
    "$TAUT" run sheet.json --out d/s.pc2 --stats node 2>err.txt
    [ $? -eq 2 ] && grep -q "node: No space left" err.txt && [ -c node ]
}

into_pipe() {
    rm -f pipe && mkfifo pipe || return 1
    timeout 20 cat pipe >piped.csv &
    "$TAUT" run sheet.json --out d/s.pc2 --stats pipe --quiet && wait $! && [ "$(grep -c , piped.csv)" -eq 5 ] && [ -p pipe ]
}

# The shell sends stdout to a file, and the table goes there. The name `stdout`, a link like /dev/stdout, stays a link.
into_stdout() {
    ln -s /proc/self/fd/1 stdout || return 1
    "$TAUT" run sheet.json --out d/s.pc2 --stats stdout --quiet >table.csv && [ -L stdout ] &&
        [ "$(grep -c , table.csv)" -eq 5 ]
}

if mknod probe c 1 3 2>/dev/null; then
    check "--record on a device" keeps_device run sheet.json --out d/s.pc2 --record node
    check "--stats on a device" keeps_device run sheet.json --out d/s.pc2 --stats node
    check "train --out on a device" keeps_device train coat.json --out node
    check "a device that takes nothing" full_device
else
    for name in "--record on a device" "--stats on a device" "train --out on a device" "a device that takes nothing"; do
        skip "$name" "mknod is not permitted"
    done
fi
check "--stats into a pipe" into_pipe
check "--stats to the name of stdout, which is a file" into_stdout

# ---- Names beside the output ----

# Someone who guesses a name may have put a link there. The file behind the link is left alone.
links_beside() {
    rm -rf l && mkdir l && echo precious >l/victim || return 1
    for name in s.csv.part s.csv.new s.run.json.part s.run.json.new s.checkpoint.new s0000.obj.new; do
        ln -s victim "l/$name"
    done
    "$TAUT" run sheet.json --out l/s.obj --stats l/s.csv --quiet && [ "$(cat l/victim)" = precious ]
}

# KIND: the same for names that can be known beforehand. The run says that something is in the way.
link_in_the_way() {
    rm -rf l && mkdir l && echo precious >l/victim && ln -s victim "l/$1" || return 1
    refuses "$1" run sheet.json --out l/s.pc2 && [ "$(cat l/victim)" = precious ] && holds l "$1" victim
}

# A link in the place of the output is replaced, as a file would be.
link_as_output() {
    rm -rf l && mkdir l && echo precious >l/victim && ln -s victim l/s.csv || return 1
    "$TAUT" run sheet.json --out l/s.pc2 --stats l/s.csv --quiet && [ ! -L l/s.csv ] && [ "$(cat l/victim)" = precious ]
}

check "links under names beside the output are not followed" links_beside
check "a link under the name of kept frames" link_in_the_way s.pc2.part
check "a link under the name of the checkpoint" link_in_the_way s.checkpoint
check "a link under the name of the lock" link_in_the_way s.pc2.lock
check "a link in the place of an output is replaced" link_as_output

# ---- Closed streams ----

# Whichever streams the shell has closed, the files are the same as those of any other run.
closed_streams() {
    rm -rf o && mkdir o && "$TAUT" run long.json --frames 40 --out o/a.mdd --quiet || return 1
    "$TAUT" run long.json --frames 40 --out o/b.mdd >&- && "$TAUT" run long.json --frames 40 --out o/c.mdd <&- >&- 2>&- &&
        cmp o/a.mdd o/b.mdd && cmp o/a.mdd o/c.mdd || return 1
    "$TAUT" run long.json --frames 2 --out dir/ 2>&-
    [ $? -eq 2 ]
}

check "stdin, stdout and stderr are closed" closed_streams

# ---- Two runs at once ----

# WORD ARGUMENT...: a run with these outputs is refused while another one writes t/a.obj, t/b.glb, t/c.csv and t/d.json.
shares() {
    word=$1
    shift
    rm -rf t
    "$TAUT" run long.json --out t/a.obj --out t/b.glb --stats t/c.csv --record t/d.json --quiet &
    until [ -e t/a0001.obj ] || ! kill -0 $!; do sleep 0.01; done
    refuses "$word" run sheet.json "$@"
    refused=$?
    kill -9 $!
    wait $!
    [ $refused -eq 0 ]
}

check "two runs that share the first output" shares "another run is writing 't/a.checkpoint'" --out t/a.obj
check "two runs that share the second output" shares "another run is writing 't/../t/b.glb'" --out t/z.pc2 \
    --out t/../t/b.glb
check "two runs that share frames under another name" shares "another run is writing 't/a%04d.obj'" --out t/z.pc2 \
    --out t/a%04d.obj
check "two runs that share the table" shares "another run is writing 't/c.csv'" --out t/z.pc2 --stats t/c.csv
check "two runs that share the record" shares "another run is writing 't/d.json'" --out t/z.pc2 --record t/d.json
check "two runs that share the checkpoint" shares "another run is writing 't/a.checkpoint'" --out t/a.pc2

# ---- One file for two purposes ----

check "one output under two names" refuses "'a.obj' and 'a%04d.obj' are the same files" run sheet.json --out a.obj \
    --out a%04d.obj
check "VTU under both of its names" refuses "are the same files" run sheet.json --out a.vtu --out a.pvd
check "one output spelled in two ways" refuses "are the same files" run sheet.json --out a.pc2 --out ./a.pc2
check "table and record in one file" refuses "are the same files" run sheet.json --out a.pc2 --stats x.json \
    --record ./x.json
check "the table in the place of a frame" refuses "'a0002.obj' is to be written twice" run sheet.json --out a.obj \
    --stats a0002.obj
is_clean() { ! ls -A | grep -e '^a[.0]' -e '^x' -e '^a.*lock$' -e '\.taut-'; }
check "nothing is left of refused runs" is_clean

# ---- Files that are there already ----

# FILE COMMAND...: the command is refused with `word`, and the file stays the same.
keeps() {
    word=$1 file=$2
    shift 2
    cp "$file" kept.copy && refuses "$word" "$@" && cmp "$file" kept.copy
}

cp sheet.json own.run.json
cp sheet.json own.pc2.part
echo "my own notes" >notes.checkpoint
echo "my own notes" >notes.run.json
echo "my own notes" >note.csv.lock
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >tri0000.obj
echo '{"frames": 2, "bodies": [{"mesh": "tri0000.obj"}]}' >tri.json
echo '{"include": "sheet.json", "frames": 2}' >more.json

check "a scene with the name of the record" keeps "the record (see --record) 'own.run.json' is a file that" own.run.json \
    run own.run.json --out own.glb
check "a record in the place of an included scene" keeps "is a file that this command reads" sheet.json \
    run more.json --out own.glb --record sheet.json
check "a frame in the place of the scene's mesh" keeps "the output 'tri0000.obj' is a file that" tri0000.obj \
    run tri.json --out tri.obj
check "a checkpoint that is the user's own" keeps "'notes.checkpoint' is there and is no checkpoint of taut" \
    notes.checkpoint run sheet.json --out notes.glb --record r.json
check "a record that is the user's own" keeps "'notes.run.json' is there and is no record of taut" notes.run.json \
    run sheet.json --out notes.glb
check "a name of kept frames that is the user's own" keeps "'own.pc2.part' is there and is no kept" own.pc2.part \
    run sheet.json --out own.pc2 --record r.json
check "a name of a lock that is the user's own" keeps "'note.csv.lock' is in the way" note.csv.lock \
    run sheet.json --out lock.pc2 --stats note.csv
check "train --out on the scene" keeps "is a file that this command reads" coat.json train coat.json --out coat.json
check "train --out on a file of the user's" keeps "'notes.run.json' is there and is no" notes.run.json \
    train coat.json --out notes.run.json
check "mesh convert onto its input" keeps "is a file that this command reads" tri0000.obj \
    mesh convert tri0000.obj -o tri0000.obj

record_of_earlier_run() {
    "$TAUT" run sheet.json --out again.pc2 --quiet && "$TAUT" run sheet.json --out again.pc2 --quiet && : >empty.json &&
        "$TAUT" run sheet.json --out again.pc2 --record empty.json --quiet && [ -s empty.json ]
}
check "a record of an earlier run, and an empty file, are replaced" record_of_earlier_run

# ---- Outputs that cannot be written ----

mkdir -p dir/s.pc2 dir/f0002.obj dir/r.json dir/t.csv dir/c.checkpoint dir/k.glb.part dir/x.limits dir/p.png dir/f.mp4
check "an output that is a folder" refuses "the output 'dir/s.pc2' is a folder" run sheet.json --out dir/s.pc2
check "a later frame that is a folder" refuses "the output 'dir/f0002.obj' is a folder" run sheet.json --out dir/f.obj
check "a record that is a folder" refuses "'dir/r.json' is a folder" run sheet.json --out a.pc2 --record dir/r.json
check "a table that is a folder" refuses "'dir/t.csv' is a folder" run sheet.json --out a.pc2 --stats dir/t.csv
check "a checkpoint that is a folder" refuses "'dir/c.checkpoint' is a folder" run sheet.json --out dir/c.pc2
check "kept frames that are a folder" refuses "'dir/k.glb.part' is there and is no kept" run sheet.json --out dir/k.glb
check "trained limits that are a folder" refuses "'dir/x.limits' is a folder" train coat.json --out dir/x.limits
check "a picture that is a folder" refuses "'dir/p.png' is a folder" render sheet.json --out dir/p.png
check "a film that is a folder" refuses "'dir/f.mp4' is a folder" render sheet.json --out dir/f.mp4
check "a mesh that is a folder" refuses "'dir/f0002.obj' is a folder" mesh convert tri0000.obj -o dir/f0002.obj
check "a record without a name" refuses "is a folder" run sheet.json --out a.pc2 --record dir/
check "a folder that takes no files" refuses "cannot write to the folder '/proc'" run sheet.json --out /proc/a.pc2
check "a record where no files can be" refuses "cannot write to the folder '/proc'" run sheet.json --out a.pc2 \
    --record /proc/a.json
check "a table where no files can be" refuses "cannot write to the folder '/proc'" run sheet.json --out a.pc2 \
    --stats /proc/a.csv
check "a picture in a missing folder" refuses "cannot write to the folder 'gone'" render sheet.json --out gone/p.png
check "pictures in a missing folder" refuses "cannot write to the folder 'gone'" render sheet.json --out gone/p%d.png
check "a film in a missing folder" refuses "cannot write to the folder 'gone'" render sheet.json --out gone/f.mp4
check "a mesh in a missing folder" refuses "cannot write to the folder 'gone'" mesh convert tri0000.obj -o gone/x.ply
check "an output that is an ending only" refuses "'a.d/.pc2' has no name before its ending" run sheet.json --out a.d/.pc2
check "a --format for a name that is a folder" refuses "has no name before its ending" run sheet.json --out dir/ --format glb
long=$(printf '%0300d' 0)
check "a name that is too long" refuses "File name too long" run sheet.json --out "$long.pc2"
check "nothing is left of what could not be written" is_clean

# When the disk is full, the message says so, whichever file is written.
full_disk() {
    mkdir small && mount -t tmpfs -o size=128k tmpfs small || return 1
    told=0
    for ending in pc2 mdd glb usda obj ply vtu; do
        for n in 12 15 18 21 24; do
            "$TAUT" run long.json --frames 100 --set "bodies[0].mesh.nx=$n" --out "small/s.$ending" --quiet 2>err.txt
            [ $? -eq 2 ] && grep "No space left" err.txt && told=$((told + 1)) || cat err.txt
            rm -f small/*
        done
    done
    umount small
    [ $told -eq 35 ]
}
if mkdir probe.d && mount -t tmpfs tmpfs probe.d 2>/dev/null && umount probe.d; then
    check "a disk that is full" full_disk
else
    skip "a disk that is full" "mount is not permitted"
fi

# ---- Frames of an earlier run ----

# ENDING FILE...: a run of two frames leaves these files of an earlier run of seven. A file that only looks like a frame
# is left alone.
shorter_run() {
    ending=$1
    shift
    rm -rf q && mkdir q && "$TAUT" run sheet.json --frames 7 --out "q/s.$ending" --quiet &&
        cp "q/s0005.$ending" "q/s00005.$ending" && cp "q/s0005.$ending" "q/s0009.$ending" &&
        "$TAUT" run sheet.json --frames 2 --out "q/s.$ending" --quiet &&
        holds q "s0000.$ending" "s0001.$ending" "s0002.$ending" "s00005.$ending" "s0009.$ending" s.run.json "$@"
}

# A file of the user among the numbered frames ends the sequence.
foreign_frame() {
    rm -rf q && mkdir q && "$TAUT" run sheet.json --frames 5 --out q/s.obj --quiet && echo "# mine" >q/s0003.obj &&
        "$TAUT" run sheet.json --frames 2 --out q/s.obj --quiet &&
        holds q s0000.obj s0001.obj s0002.obj s0003.obj s0004.obj s0005.obj s.run.json && [ "$(cat q/s0003.obj)" = "# mine" ]
}

check "a shorter run of obj" shorter_run obj
check "a shorter run of ply" shorter_run ply
check "a shorter run of vtu" shorter_run vtu s.pvd
check "a file of the user's among the frames" foreign_frame
tap_done
