#!/bin/sh
# taut train writes a scene's coarse limits to a file. A training that was stopped and resumed gives the same file. Runs
# use it.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# FILE EXTRA: a scene of a body that can be trained and one that cannot.
write_scene() {
    cat >"$1" <<END
{
  "frames": 20,
  "bodies": [
    {"name": "coat", "mesh": {"generator": "sheet", "nx": 14, "ny": 14, "width": 1, "height": 1}, "levels": 1,
     "transform": {"rotation": [90, 0, 0]}, "pins": [{"vertices": [0, 13]}],
     "material": {"limit": {"stretch": [0.95, 1.02], "bend": [-200, 200]}}$2},
    {"name": "ball", "mesh": {"generator": "sphere", "levels": 1, "radius": 0.1}, "material": {"density": 0.2},
     "transform": {"position": [0, -2, 0]}}
  ]
}
END
}

# WORD ARGUMENT...: exit code 0, nothing on stderr, WORD on stdout.
prints() {
    word=$1
    shift
    "$TAUT" "$@" >"$work/out.txt" 2>"$work/err.txt" || { cat "$work/err.txt"; return 1; }
    cat "$work/out.txt" "$work/err.txt"
    [ ! -s "$work/err.txt" ] && grep -q -e "$word" "$work/out.txt"
}

# WORD ARGUMENT...: exit code 2, WORD on stderr.
refuses() {
    word=$1
    shift
    "$TAUT" "$@" >"$work/out.txt" 2>"$work/err.txt"
    code=$?
    cat "$work/out.txt" "$work/err.txt"
    [ $code -eq 2 ] && grep -q -e "$word" "$work/err.txt"
}

write_scene plain.json
write_scene trained.json ', "training": "plain.coat.limits"'

trains() {
    prints '"training": "plain.coat.limits"' train plain.json && [ -s plain.coat.limits ] &&
        ! ls | grep -e partial -e '\.part$' && grep -q '^coat: trained in' out.txt &&
        grep -q '^ *1 .* 0\.[0-9]* ' out.txt
}

same_elsewhere() {
    TAUT_SIMD=scalar "$TAUT" train plain.json --threads 3 --quiet --out other.limits >out.txt && [ ! -s out.txt ] &&
        cmp plain.coat.limits other.limits
}

# SIGNAL CODE: the training is stopped at its first sign of progress, or a moment later. When it is resumed, it ends
# with the same bytes.
stopped_by() {
    rm -f stopped.*
    (exec env --default-signal=INT "$TAUT" train plain.json --threads 1 --out stopped.limits >stopped.txt) &
    until grep -q triangles stopped.txt 2>/dev/null || ! kill -0 $!; do sleep 0.01; done
    kill -s "$1" $!
    wait $!
    code=$?
    cat stopped.txt
    ls
    [ $code -eq "$2" ] && grep -q -e '--resume goes on' stopped.txt && [ ! -e stopped.limits ] &&
        prints 'going on after' train plain.json --out stopped.limits --resume && [ ! -e stopped.limits.partial ] &&
        cmp plain.coat.limits stopped.limits
}

killed() {
    rm -f killed.*
    "$TAUT" train plain.json --out killed.limits >killed.txt &
    until grep -q triangles killed.txt 2>/dev/null || ! kill -0 $!; do sleep 0.01; done
    kill -9 $!
    wait $!
    [ ! -e killed.limits ] && "$TAUT" train plain.json --out killed.limits --resume --quiet >out.txt &&
        cmp plain.coat.limits killed.limits
}

runs() {
    prints '20 frames' run trained.json --out trained.pc2 &&
        prints '20 frames' run trained.json --threads 3 --out again.pc2 && cmp trained-coat.pc2 again-coat.pc2
}

refuses_damaged() {
    head -c 100 plain.coat.limits >plain.short
    write_scene short.json ', "training": "plain.short"'
    refuses 'short.json:6:.*training.*the trained limits are damaged' run short.json
}

refuses_damaged_partial() {
    echo nonsense >bad.limits.partial
    refuses "'bad.limits.partial' is there and is no file of trained limits" train plain.json --out bad.limits --resume &&
        [ "$(cat bad.limits.partial)" = nonsense ]
}

check "a scene is trained" trains
check "any threads and instruction set give the same file" same_elsewhere
check "SIGINT stops it, and it goes on" stopped_by INT 130
check "SIGTERM stops it, and it goes on" stopped_by TERM 143
check "killed, it starts again" killed
check "a run takes the limits" runs
check "a scene with stale limits can be trained again" prints 'wrote trained.coat.limits' train trained.json \
    --set 'bodies[0].material.limit.bend=[-300,300]'
check "limits of other limits are refused" refuses 'trained.json:6:.*training.*trained for other limits' run \
    trained.json --set 'bodies[0].material.limit.bend=[-300,300]'
check "limits of another mesh are refused" refuses 'trained for another mesh' run trained.json \
    --set 'bodies[0].mesh.nx=13'
check "limits of other levels are refused" refuses 'trained for another number of levels' run trained.json \
    --set 'bodies[0].levels=2'
check "a missing file is told" refuses 'training.*gone.limits: cannot open' run trained.json \
    --set 'bodies[0].training="gone.limits"'
check "a name is a string" refuses 'must be a string' run trained.json --set 'bodies[0].training=3'
check "damaged limits are refused" refuses_damaged
check "damaged partial limits are refused, and left alone" refuses_damaged_partial
check "a folder that is not there is told at once" refuses "cannot write to the folder 'gone': No such file" train \
    plain.json --out gone/x.limits
check "unknown bodies are told" refuses "there is no body 'hat'" train plain.json --body hat
check "a body that cannot be trained says why" refuses 'ball: there is nothing to train' train plain.json --body ball
check "a scene without anything to train says so" refuses 'nothing to train: no body' train plain.json \
    --set 'bodies[0].levels=0'
check "--direct and --indirect do not mix" refuses 'cannot both' train plain.json --direct --indirect
check "indirectly" prints 'wrote indirect.limits' train plain.json --indirect --out indirect.limits
tap_done
