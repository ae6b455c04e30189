#!/bin/sh
# taut info and taut mesh: figures that are known beforehand, problems with their places, and errors that leave no
# files.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp # where the tool makes its temporary folders
taut() { TMPDIR="$work/tmp" "$TAUT" "$@"; }

# A cube of 1 m, its faces quads that face outwards.
corners='v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n'
sides='f 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'
printf "${corners}f 1 4 3 2\n$sides" >cube.obj
printf "$corners$sides" >open.obj
printf "${corners}f 1 2 3 4\n$sides" >turned.obj
printf 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n' >tet.obj
sed 's/^f \(.*\) \(.*\) \(.*\)/f \3 \2 \1/' tet.obj >inside-out.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n' >fin.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 9 9 9\nv 0 1 0\nv 2 0 1\n' >odd.obj
printf 'f 1 2 3\nf 2 1 4\nf 3 2 7\nf 4 1 7\nl 6 3\n' >>odd.obj
printf 'g left\nv 0 0 0\nv 300 0 0\nv 0 300 0\nvt 0 0\nvt 1 0\nvt 0 1\ng all\nf 1/1 2/2 3/3\n' >large.obj
printf 'v 0 0 0\nv 3 4 0\nv 7 7 7\nv 7 7 8\nl 1 2\nl 3 4\n' >lines.obj
cat >scene.json <<'END'
{
  "fps": 24, "frames": 48,
  "bodies": [
    {
      "name": "cloth",
      "mesh": { "generator": "sheet", "nx": 5, "ny": 4, "width": 2, "height": 1 },
      "material": { "density": 0.25 },
      "pins": [{ "vertices": [0, 4] }]
    },
    {
      "name": "block",
      "mesh": { "generator": "beam", "nx": 2, "ny": 1, "nz": 1, "size": [1, 0.5, 0.5] },
      "material": { "density": 1000 }
    }
  ],
  "colliders": [{ "shape": "plane" }]
}
END
# Triangles of 1/2 kg: a corner of two triangles weighs 1/3 kg, and a corner of one weighs 1/6 kg. One mass of each sort
# is replaced.
cat >masses.json <<'END'
{"bodies": [{
  "mesh": {"generator": "sheet", "nx": 2, "ny": 2, "width": 1, "height": 1},
  "material": {"density": 1}, "masses": [{"vertices": [0, 1], "mass": 1.125}]
}]}
END
cat >elastic.json <<'END'
{"solver": {"substeps": 2}, "bodies": [
  {"name": "soft", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1},
   "material": {"density": 1, "elastic": {"young": 100}}},
  {"name": "stiff", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1},
   "material": {"density": 1, "elastic": {"young": 400}}},
  {"name": "plain", "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1}}
]}
END
# Two vertices, two frames: the second vertex moves by 2 m.
{ printf 'POINTCACHE2\000\001\000\000\000\002\000\000\000\000\000\000\000\000\000\200\077\002\000\000\000'
  head -c 44 /dev/zero; printf '\000\000\000\100'; } >moves.pc2

# LINE FILE...: the line is in the description, word for word except for the spaces between.
tells() {
    line=$1
    shift
    taut info "$@" >out 2>err || return 1
    cat out err
    [ ! -s err ] && sed 's/   */ /g; s/^ //' out | grep -qxF -e "$line"
}

# WORD ARGUMENT...: exit code 2, WORD on stderr.
refuses() {
    word=$1
    shift
    taut "$@" >out 2>err
    code=$?
    cat out err
    [ $code -eq 2 ] && grep -qF -e "$word" err
}

# EXPRESSION FILE...: the expression is true of the list `all` that --json prints.
json() {
    expression=$1
    shift
    taut info --json "$@" >json.out
    cat json.out
    python3 -c 'import json, sys
all = json.load(open("json.out"))
one = all[0]
sys.exit(0 if eval("(" + sys.argv[1] + ")") else 1)' "$expression"
}

helps() { # COMMAND...
    taut "$@" --help >out || return 1
    cat out
    grep -q "^usage: taut $*" out && grep -A 1 '^example:' out | grep -q "^  taut $*" || return 1
    for option in $(head -n 1 out | grep -o -e ' \[-[a-z-]*' | tr -d ' ['); do
        grep -q -e "^  $option .*[a-z]" out || return 1
    done
}

# ---- Meshes ----

check "info --help" helps info
check "faces by size" tells "faces 6: 0 triangles, 6 quads, 0 larger; cut into 12 triangles" cube.obj
check "bounds" tells "bounds 0 0 0 to 1 1 1 m" cube.obj
check "area" tells "area 6 m^2" cube.obj
check "enclosed volume" tells "encloses 1 m^3" cube.obj
check "a closed surface" tells "surface closed" cube.obj
check "edges" tells "edges 18, from 1 to 1.414 m, mean 1.138 m" cube.obj
check "angles" tells "40 .. 50 12 ########################################" cube.obj
check "no problems" tells "problems none found" cube.obj
check "an open surface" tells "surface open: 4 boundary edges, the first between vertices 0 and 1" open.obj
check "pieces and lines" tells "pieces 2" lines.obj
check "lengths of lines" tells "edges 2, from 1 to 5 m, mean 3 m" lines.obj
check "groups and UVs" json 'one["uvs"] and [g["name"] for g in one["groups"]] == ["all"] and
    one["groups"][0]["vertices"] == 3' large.obj
check "cube in JSON" json 'len(all) == 1 and one["kind"] == "mesh" and one["vertices"] == 8 and one["faces"] == 6 and
    one["face_quads"] == 6 and one["triangles"] == 12 and one["closed"] and one["enclosed_volume"] == 1 and
    one["min"] == [0, 0, 0] and one["max"] == [1, 1, 1] and one["edges"]["count"] == 18 and
    one["angles"]["histogram"] == [0, 0, 0, 0, 12, 0] and one["pieces"] == 1 and one["problems"] == []' cube.obj

# ---- Problems ----

check "an edge of three triangles" tells \
    "problems 1 edge joins three or more triangles; the first is between vertices 0 and 1." fin.obj
check "a face turned round" tells \
    "problems 4 edges join two triangles that face opposite ways; the first is between vertices 0 and 1." turned.obj
check "a surface inside out" tells \
    "problems The closed surface is inside out: its triangles face inwards." inside-out.obj
check "the same surface outside out" tells "encloses 0.166667 m^3" tet.obj
check "a triangle without area" tells \
    "problems 1 triangle has no area to speak of; the worst is triangle 0." odd.obj
check "a vertex of nothing" tells "1 vertex belongs to no element; the first is vertex 4." odd.obj
check "two vertices at one place" tells \
    "1 vertex is where another is already; the first is vertex 5, at the place of 3." odd.obj
check "centimetres" tells \
    "problems It is 300 m across. Taut's unit is the metre: was it modelled in centimetres?" large.obj
check "problems in JSON" json '[(p["problem"], p["count"]) for p in one["problems"]] ==
    [("degenerate_triangles", 1), ("unreferenced_vertices", 1), ("duplicate_vertices", 1)]' odd.obj

# ---- Scenes and animations ----

check "frames of a scene" tells "frames 48 at 24 a second: 2 s" scene.json
check "pins of a body" tells "vertices 20, 2 of them pinned" scene.json
check "mass of a sheet" tells "mass 0.5 kg" scene.json
check "masses by vertex" tells "mass 2.75 kg" masses.json
check "mass of a solid" tells "mass 250 kg" scene.json
check "constraints of a sheet" tells "strain_tri 24" scene.json
check "a material of the scene" tells "material as the scene says, ratios for stiffnesses" scene.json
check "cloth without a material" tells "material the preset cotton, because the scene gives none; physical units" elastic.json
check "materials in JSON" json '[(b["has_material"], b["physical"]) for b in one["bodies"]] == [(1, 0), (1, 0), (0, 1)]' \
    elastic.json
cat >rope.json <<'END'
{"bodies": [{"mesh": {"generator": "chain", "n": 5, "length": 1}, "material": {}}]}
END
check "a rope without a material" tells "material the default, because the scene gives none; ratios for stiffnesses" rope.json
check "scene in JSON" json 'one["kind"] == "scene" and one["colliders"] == 1 and one["particles"] == 32 and
    [b["name"] for b in one["bodies"]] == ["cloth", "block"] and one["bodies"][0]["constraints"]["strain_tri"] == 24 and
    one["bodies"][1]["tets"] == 10 and one["fps"] == 24' scene.json
check "levels of a body" tells "levels 0" scene.json
with_levels() {
    sed 's/"name": "cloth",/"levels": 1, "material": {"limit": {"stretch": ["none", 1.01]}},/; s/"nx": 5, "ny": 4/"nx": 30, "ny": 30/
         /"density": 0.25/d' scene.json >levels.json
    tells "levels 1" levels.json && json '[b["levels"] for b in one["bodies"]] == [1, 0]' levels.json
}
check "levels that were asked for" with_levels
glb() {
    taut run scene.json --frames 2 --out moves.glb --quiet && tells "meshes 2" moves.glb &&
        tells "frames 3 at 24 a second" moves.glb &&
        json 'one["kind"] == "animation" and one["meshes"] == 2 and one["frames"] == 3 and one["vertices"] == 32' moves.glb
}
check "a GLB of taut" glb
seam() {
    cat >tube.json <<END
{ "bodies": [{ "mesh": { "generator": "tube", "around": 8, "along": 3, "radius": 1, "length": 1 } },
             { "mesh": { "generator": "sheet", "nx": 3, "ny": 3, "width": 1, "height": 1 } }] }
END
    taut run tube.json --frames 1 --out tube.glb --quiet && grep -aq '"originals":\[' tube.glb &&
        json 'one["meshes"] == 2 and one["vertices"] == 8 * 3 + 9' tube.glb
}
check "the seam of a tube's UVs makes no vertices" seam
not_of_taut() { echo "glTF of somebody" >other.glb && refuses "other.glb" info other.glb; }
check "a GLB of somebody else" not_of_taut
check "the step that elastic forces bear" tells "stable step 14.4 ms; a substep is 8.33 ms" elastic.json
check "a substep that is too long" tells "stable step 7.22 ms; a substep is 8.33 ms: steps will have more" elastic.json
check "stable steps in JSON" json '[round(b.get("stable_step", 0), 5) for b in one["bodies"]] == [0.01443, 0.00722, 0]
    and round(one["bodies"][0]["substep"], 5) == 0.00833' elastic.json
cat >fine.json <<'END'
{"bodies": [
  {"name": "denim", "mesh": {"generator": "sheet", "nx": 41, "ny": 41, "width": 1, "height": 1},
   "material": {"preset": "denim"}},
  {"name": "dihedral", "mesh": {"generator": "sheet", "nx": 41, "ny": 41, "width": 1, "height": 1},
   "material": {"preset": "denim", "bend": {"model": "dihedral"}}}
]}
END
sed '1s/{/{"solver": {"stretch": 0}, /' fine.json >counts.json
softer="WARNING its stretch along the warp acts about 46.6 times softer than the material says:"
by_quality() {
    tells "$softer for so fine a mesh solver.substeps should be 153 or more, not 16" fine.json &&
        [ "$(grep -c WARNING out)" -eq 1 ] && json '[b["softer_warp"] > 1 for b in one["bodies"]] == [False, True]' fine.json
}
check "cloth that is solved by quality is resolved, with dihedral bending it is not" by_quality
check "by counts it is not: stretch would help" tells "$softer solver.stretch should be 0.02, not 0" counts.json
cat >thick.json <<'END'
{"bodies": [
  {"name": "thick", "mesh": {"generator": "sheet", "nx": 21, "ny": 21, "width": 1, "height": 1},
   "material": {"preset": "cotton", "thickness": 0.1}},
  {"name": "usual", "mesh": {"generator": "sheet", "nx": 21, "ny": 21, "width": 1, "height": 1},
   "material": {"preset": "cotton", "thickness": 0.05}},
  {"name": "alone", "mesh": {"generator": "sheet", "nx": 21, "ny": 21, "width": 1, "height": 1},
   "material": {"preset": "cotton", "thickness": 0.1, "contact": "off"}}
]}
END
thickness="its thickness of 0.1 m is more than an edge of its mesh, 0.0569 m in the mean: layers keep only 0.0142 m"
warns_of_thickness() { tells "WARNING $thickness" thick.json && [ "$(grep -c WARNING out)" -eq 1 ]; }
check "layers that are thicker than an edge" warns_of_thickness
check "an animation" tells "motion at most 2 m a frame: vertex 1 to frame 1" moves.pc2
check "animation in JSON" json 'one["frames"] == 2 and one["vertices"] == 2 and one["max"] == [0, 0, 2]' moves.pc2

# ---- Several files, bad ones among them ----

check "files after a bad one" refuses "not-there.obj: cannot open" info cube.obj not-there.obj open.obj
files_are_told() { [ "$(grep -c ': mesh$' out)" -eq 2 ]; }
check "are described" files_are_told
check "a bad file in JSON" json '[f["kind"] for f in all] == ["mesh", "error", "mesh"] and
    all[1]["error"] == "not-there.obj: cannot open: No such file or directory"' cube.obj not-there.obj open.obj
check "no file" refuses "FILE... is missing" info
touch picture.png
check "an ending that nobody knows" refuses "json (scenes), pc2, mdd, glb (animations)" info picture.png
check "an unknown option" refuses "did you mean '--json'" info --jason cube.obj

# ---- taut mesh ----

# FILE: the file holds the cube, filled with tets.
is_cube_of_tets() {
    json 'one["tets"] > 500 and abs(one["volume"] - 1) < 0.01 and one["tet_quality"]["min"] > 0.1 and
        one["triangles"] == 0 and one["problems"] == []' "$1"
}
fills() { # FILE
    taut mesh tets cube.obj -o "$1" --cell 0.2 >out && cat out && grep -q '^  volume .* % of the 1 m^3' out &&
        is_cube_of_tets "$1"
}
finer() {
    taut mesh tets cube.obj -o fine.msh --cell 0.1 && taut mesh tets cube.obj -o coarse.msh --cell 0.4 &&
        json 'all[0]["tets"] > 30 * all[1]["tets"]' fine.msh coarse.msh
}
# LENGTH: a beam of this length gets a few thousand tets, whatever its shape.
usual_number() {
    sed "s/^v 1/v $1/" cube.obj >usual.obj && taut mesh tets usual.obj -o usual.msh &&
        json '2000 < one["tets"] < 20000' usual.msh
}
leaves_nothing() { # FILE COMMAND...
    file=$1
    shift
    "$@" && [ ! -e "$file" ] && [ ! -e "$file.part" ] && [ -z "$(ls tmp)" ]
}

check "mesh lists its actions" taut mesh
check "mesh tets --help" helps mesh tets
check "mesh convert --help" helps mesh convert
check "tets to msh" fills cube.msh
check "tets to vtk" fills cube.vtk
check "smaller cells, more tets" finer
check "cells of their own choice in a cube" usual_number 1
check "cells of their own choice in a rod" usual_number 30
check "tets of nothing" refuses "IN is missing" mesh tets
check "a surface with a hole" taut mesh tets open.obj -o open.msh --cell 0.2
check "a way that there is not" refuses "did you mean 'gmsh'" mesh tets cube.obj -o a.msh --with gmesh
check "tets to obj" leaves_nothing a.obj refuses "tets are written as msh or vtk" mesh tets cube.obj -o a.obj
check "tets of lines" leaves_nothing a.msh refuses "no faces to fill" mesh tets lines.obj -o a.msh
check "cells too small" leaves_nothing a.msh refuses "too small" mesh tets cube.obj -o a.msh --cell 1e-7
check "cells of no size" leaves_nothing a.msh refuses "--cell must be" mesh tets cube.obj -o a.msh --cell 0
check "a folder that is not there" refuses "cannot write to the folder 'no'" mesh tets cube.obj -o no/a.msh --cell 0.5
check "no output" refuses "where to?" mesh tets cube.obj
check "an unknown action" refuses "did you mean 'tets'" mesh tats

converts() { # FROM TO
    taut mesh convert "$1" -o "$2" && json "all[0]['triangles'] == all[1]['triangles'] and
        all[0]['tets'] == all[1]['tets'] and all[0]['uvs'] == all[1]['uvs']" "$1" "$2"
}
check "obj to ply" converts large.obj large.ply
check "msh to vtk" converts cube.msh again.vtk
check "tets do not get lost in obj" leaves_nothing a.obj refuses "would lose the" mesh convert cube.msh -o a.obj

# ---- gmsh itself, and a stand-in ----

mkdir none fails works
printf '#!/bin/sh\necho "Info    : hello"\necho "Error   : no luck today"\nexit 1\n' >fails/gmsh
# This script replaces gmsh. It checks its input, and returns tets that were made before.
printf '#!/bin/sh\n[ -s surface.msh ] && grep -q surface.msh solid.geo && cp "%s" solid.msh\n' "$work/cube.msh" \
    >works/gmsh
chmod +x fails/gmsh works/gmsh
gmsh_fails() {
    (export PATH="$work/fails:$PATH"
     leaves_nothing a.msh refuses "gmsh failed: no luck today" mesh tets cube.obj -o a.msh --with gmsh)
}
without_gmsh() {
    (export PATH="$work/none"; taut mesh tets cube.obj -o a.msh --with gmsh 2>err)
    [ $? -eq 2 ] && grep -q "gmsh is not installed (Debian package gmsh)" err && [ ! -e a.msh ] && [ -z "$(ls tmp)" ]
}
stand_in() {
    (export PATH="$work/works:$PATH"; taut mesh tets cube.obj -o by-gmsh.vtk --with gmsh) &&
        is_cube_of_tets by-gmsh.vtk && [ -z "$(ls tmp)" ]
}
really_gmsh() {
    taut mesh tets cube.obj -o really.msh --with gmsh --cell 0.2 &&
        json 'one["tets"] >= 6 and abs(one["volume"] - 1) < 1e-4 and one["problems"] == []' really.msh &&
        [ -z "$(ls tmp)" ]
}
check "gmsh is missing" without_gmsh
check "gmsh fails" gmsh_fails
check "a stand-in for gmsh" stand_in
if command -v gmsh >/dev/null; then
    check "gmsh fills the cube" really_gmsh
else
    skip "gmsh fills the cube" "gmsh is not installed"
fi
tap_done
