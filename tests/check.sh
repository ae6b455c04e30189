#!/bin/sh
# taut check: intersections that are known beforehand, in meshes, scenes and animations; pictures, exit codes, errors.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Two triangles; a corner of the second goes through the first. In the animations the first begins above the second.
triangle='v 0 0 0\nv 4 0 0\nv 0 4 0\n'
faces='f 1 2 3\nf 4 5 6\n'
printf "${triangle}v 1 1 -1\nv 1 2 1\nv 2 1 1\n$faces" >cross.obj
printf "${triangle}v 4 0 0\nv 4 4 0\nv 0 4 0\n$faces" >beside.obj
printf "${triangle}v 1 1 -1\nv 1 1 1\nf 1 2 3\nl 4 5\n" >line.obj
printf "${triangle}v 1 1 -1\nf 1 2 9\n" >bad.obj
mkdir moves
sed 's/ 0$/ 7/' cross.obj >moves/m_0000.obj
cp cross.obj moves/m_0001.obj
sed 's/ 0$/ 0.5/' cross.obj >moves/m_0002.obj
python3 - <<'END'
import struct
apart = [0, 0, 7, 4, 0, 7, 0, 4, 7, 1, 1, -1, 1, 2, 1, 2, 1, 1]
cross = [0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 2, 1, 2, 1, 1]
open("moves.pc2", "wb").write(struct.pack("<12siiffi36f", b"POINTCACHE2", 1, 6, 0, 1, 2, *apart, *cross))
END
# A cloth that is held everywhere, with a ball in it; and a ball that comes to such a cloth from above.
cat >scene.json <<'END'
{
  "fps": 30, "frames": 2,
  "bodies": [
    {
      "name": "cloth", "pins": [{"all": true}],
      "mesh": {"generator": "sheet", "nx": 9, "ny": 9, "width": 1, "height": 1},
      "transform": {"rotation": [-90, 0, 0]}
    },
    {
      "name": "ball", "velocity": [0, -30, 0],
      "mesh": {"generator": "sphere", "levels": 2, "radius": 0.2}, "transform": {"position": [0, 0.1, 0.5]}
    }
  ]
}
END
# The ball passes through the cloth, because it has no contact.
sed 's/0.1, 0.5/1, 0.5/; s/"name": "ball",/& "material": {"contact": "off"},/' scene.json >apart.json

# CODE LINE ARGUMENT...: the exit code is CODE, and the line is on stdout, except for the spaces between words.
says() {
    wanted=$1 line=$2
    shift 2
    "$TAUT" check "$@" >out 2>err
    code=$?
    cat out err
    [ $code -eq "$wanted" ] && [ ! -s err ] && sed 's/   */ /g; s/^ //' out | grep -qxF -e "$line"
}

# WORD ARGUMENT...: exit code 2, and WORD on stderr.
refuses() {
    word=$1
    shift
    "$TAUT" check "$@" >out 2>err
    code=$?
    cat out err
    [ $code -eq 2 ] && grep -qF -e "$word" err
}

# CODE EXPRESSION ARGUMENT...: the exit code is CODE, and the expression is true of the object `o` that --json prints.
json() {
    wanted=$1 expression=$2
    shift 2
    "$TAUT" check --json "$@" >json.out
    code=$?
    cat json.out
    [ $code -eq "$wanted" ] && python3 -c 'import json, sys
o = json.load(open("json.out"))
frames = o["frames"]
sys.exit(0 if eval("(" + sys.argv[1] + ")") else 1)' "$expression"
}

# ---- Meshes ----

two="1 pair of triangles, 2 crossings of an edge and a triangle"
check "a mesh that crosses" says 1 "frame 0 $two" cross.obj
check "which triangle and edge" says 1 "triangle 0 (0 1 2), edge 3-5 of triangle 1" cross.obj
check "the first crossings only" says 1 "and 1 more" --most 1 cross.obj
lists_none() { says 1 "frame 0 $two" --most 0 cross.obj && [ "$(wc -l <out)" -eq 2 ]; }
check "no crossings listed" lists_none
check "triangles side by side in a plane" says 0 "frame 0 no intersections" beside.obj
check "a line" says 1 "triangle 0 (0 1 2), edge 3-4 of a line" line.obj
check "a mesh in JSON" json 1 'o["kind"] == "check" and o["triangles"] == 2 and o["bad_frames"] == 1 and
    [(f["frame"], f["pairs"], f["crossings"]) for f in frames] == [(0, 1, 2)] and frames[0]["list"][1] ==
    {"body": 0, "triangle": 0, "vertices": [0, 1, 2], "edge_body": 0, "edge": [3, 5], "edge_triangles": [1]}' cross.obj
check "nothing found in JSON" json 0 'frames == [{"frame": 0, "pairs": 0, "crossings": 0, "list": []}]' beside.obj

# ---- Animations ----

check "positions and their mesh" says 1 "frame 1 $two" moves.pc2 --mesh cross.obj
check "a frame that is free" says 1 "frame 0 no intersections" moves.pc2 --mesh cross.obj
check "all frames together" says 1 "all frames intersections in 1 of 2, first in frame 1; most in frame 1: 1 pair" \
    moves.pc2 --mesh cross.obj
check "only the frames asked for" says 0 "frame 0 no intersections" moves.pc2 --mesh cross.obj --frames 0
check "a mesh a frame" json 1 '[f["pairs"] for f in frames] == [0, 1, 1]' moves/m_%04d.obj
check "some of them" json 1 '[f["frame"] for f in frames] == [0, 2]' moves/m_%04d.obj --frames 0,2

# ---- Scenes ----

check "bodies of a scene together" json 1 'len(frames) == 1 and frames[0]["pairs"] > 8 and
    {c["body"] for c in frames[0]["list"]} | {c["edge_body"] for c in frames[0]["list"]} == {"cloth", "ball"}' \
    scene.json --most 1000
names_bodies() {
    says 1 "frame 0 no intersections" apart.json --frames 0,2 &&
        grep -q '^  *cloth triangle [0-9]* ([0-9 ]*), ball edge [0-9]*-[0-9]* of triangles [0-9]*, [0-9]*$' out
}
check "names of bodies" names_bodies
check "bodies that are apart" says 0 "frame 0 no intersections" apart.json
check "a scene that is simulated" json 1 '[f["pairs"] > 0 for f in frames] == [False, True]' apart.json --frames 0,2
# The output is the same, except for the name of the file.
like_its_cache() {
    "$TAUT" run apart.json --out apart.glb --quiet || return 1
    says 1 "frame 0 no intersections" apart.json --frames 0- --most 0 && sed 1d out >simulated &&
        says 1 "frame 0 no intersections" apart.glb --most 0 && sed 1d out | cmp - simulated
}
check "the cache of a scene" like_its_cache
# The solid has one cell, and its render mesh reaches farther.
render_mesh() {
    cat >solid.json <<'END'
{"bodies": [
  {"name": "solid", "mesh": {"generator": "beam", "nx": 1, "ny": 1, "nz": 1, "size": [1, 1, 1]}, "render_mesh": "cross.obj"}
]}
END
    json 0 'o["triangles"] == 12 and frames[0]["pairs"] == 0' solid.json
}
check "the simulated mesh, not the one that is shown" render_mesh

# ---- Pictures ----

# FILE: how many pixels have the colour of intersections.
magenta() {
    python3 - "$1" <<'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
assert (depth, kind) == (8, 2)
body, at = b"", 8
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
    at += 12 + size
def paeth(a, b, c):
    return min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
raw, above, count = zlib.decompress(body), bytearray(3 * width), 0
for y in range(height):
    start = y * (3 * width + 1)
    how, row = raw[start], bytearray(raw[start + 1:start + 1 + 3 * width])
    for i in range(3 * width if how else 0):
        a, b, c = row[i - 3] if i > 2 else 0, above[i], above[i - 3] if i > 2 else 0
        row[i] = (row[i] + (a if how == 1 else b if how == 2 else (a + b) // 2 if how == 3 else paeth(a, b, c))) & 255
    count += sum(row[i] > 150 and row[i + 1] < 60 and row[i + 2] > 110 for i in range(0, 3 * width, 3))
    above = row
print(count)
END
}
worst_picture() {
    says 1 "frame 1 $two" moves.pc2 --mesh cross.obj --render worst.png && [ "$(magenta worst.png)" -gt 1000 ]
}
clean_picture() { says 0 "frame 0 no intersections" beside.obj --render clean.png && [ "$(magenta clean.png)" -eq 0 ]; }
picture_a_frame() {
    says 1 "frame 1 $two" moves/m_%04d.obj --render frame_%04d.png --frames 0-1 &&
        [ "$(magenta frame_0000.png)" -eq 0 ] && [ "$(magenta frame_0001.png)" -gt 1000 ] && [ ! -e frame_0002.png ]
}
simulated_picture() {
    says 1 "frame 0 no intersections" apart.json --frames 0,2 --render scene.png && [ "$(magenta scene.png)" -gt 100 ]
}
picture_of_the_start() {
    "$TAUT" check scene.json --render start.png
    [ $? -eq 1 ] && [ "$(magenta start.png)" -gt 100 ]
}
check "a picture of a start that intersects" picture_of_the_start
check "a picture of the worst frame" worst_picture
check "a picture without intersections" clean_picture
check "a picture a frame" picture_a_frame
check "a picture of a simulated frame" simulated_picture

# ---- Errors ----

check "no input" refuses "INPUT is missing"
check "a file that is not there" refuses "not-there.obj: there is no such file" not-there.obj
check "a bad mesh, with its line" refuses "bad.obj:5: " bad.obj
printf '{"bodies": [\n  {"mesh": 3}]}' >bad.json
check "a bad scene, with its line" refuses "bad.json:2:" bad.json
echo '{"bodies": []}' >empty.json
check "a scene without bodies" refuses "empty.json: there are no bodies" empty.json
head -c 100 moves.pc2 >cut.pc2
check "a cache that is cut off" refuses "cut.pc2" cut.pc2 --mesh cross.obj
check "a cache without its mesh" refuses "moves.pc2 holds positions only: --mesh FILE" moves.pc2
check "a cache of another mesh" refuses "moves.pc2 has 6 vertices, its mesh line.obj has 5" moves.pc2 --mesh line.obj
check "what taut only writes" refuses "moves.usda is an animation that taut only writes" moves.usda
check "frames that there are not" refuses "there are frames 0 to 1" moves.pc2 --mesh cross.obj --frames 2
check "a number that is negative" refuses "--most must be in 0 .. 1000000" cross.obj --most -1
check "a picture of another kind" refuses "picture.png or frame_%04d.png" cross.obj --render film.mp4
check "a picture in no folder" refuses "cannot write to the folder 'no'" cross.obj --render no/a.png
kept() {
    cp cross.obj mesh.png && refuses "mesh.png" moves.pc2 --mesh mesh.png --render mesh.png && cmp cross.obj mesh.png
}
check "an input is not overwritten" kept
check "an unknown option" refuses "did you mean '--json'" cross.obj --jason
tap_done
