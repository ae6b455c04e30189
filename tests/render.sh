#!/bin/sh
# taut render: pictures of a scene and of caches, heat maps, sheets, films, and error messages.
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >scene.json <<'END'
{"fps": 30, "frames": 12,
 "bodies": [{"name": "cloth", "color": "#d03020",
             "mesh": {"generator": "sheet", "nx": 17, "ny": 17, "width": 1, "height": 1},
             "transform": {"position": [0, 1.2, 0]}, "pins": [{"vertices": [0, 16]}], "velocity": [0, 0, 2]}],
 "colliders": [{"shape": "plane"}, {"shape": "sphere", "center": [0, 0.6, 0.4], "radius": 0.2}]}
END

# A square that moves two metres along x in two steps, as a cache and as a sequence of meshes.
python3 - <<'END'
import struct
corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
with open("square.pc2", "wb") as f:
    f.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 4, 0, 1, 3))
    for frame in range(3):
        for x, y, z in corners:
            f.write(struct.pack("<3f", x + frame, y, z))
for frame in range(3):
    with open("square_%04d.obj" % frame, "w") as f:
        f.writelines("v %d %d %d\n" % (x + frame, y, z) for x, y, z in corners)
        f.write("f 1 2 3 4\n")
END
cp square_0000.obj square.obj

# pixels(PATH): the rows of a PNG, lists of red, green and blue.
cat >png.py <<'END'
import struct, sys, zlib
def pixels(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR": w, h, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT": packed += data[at + 8:at + 8 + size]
        at += size + 12
    assert (depth, color) == (8, 2)
    raw, line, before, rows = zlib.decompress(packed), 3 * w + 1, bytes(3 * w), []
    for y in range(h):
        mode, row = raw[y * line], bytearray(raw[y * line + 1:(y + 1) * line])
        for i in range(3 * w):
            a, b, c = (row[i - 3] if i > 2 else 0), before[i], (before[i - 3] if i > 2 else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth)[mode]) & 255
        before = bytes(row)
        rows.append([tuple(row[3 * x:3 * x + 3]) for x in range(w)])
    return rows
END

# Prints about a PNG: width, height, number of colours, number of reddish pixels, their first and last column and row.
facts() {
    python3 -B - "$1" <<'END'
import sys
from png import pixels
rows = pixels(sys.argv[1])
w, h = len(rows[0]), len(rows)
colors = {pixel for row in rows for pixel in row}
red = [(x, y) for y, row in enumerate(rows) for x, (r, g, b) in enumerate(row) if r > g + 50 and r > b + 50]
xs, ys = [x for x, y in red] or [0], [y for x, y in red] or [0]
print(w, h, len(colors), len(red), min(xs), max(xs), min(ys), max(ys))
END
}

render() { "$TAUT" render "$@" --threads 1; }

scene_picture() {
    render scene.json --size 160x90 --out picture.png || return 1
    set -- $(facts picture.png)
    echo "$@"
    # all of the cloth is in the picture, and fills a good part of it
    [ "$1 $2" = "160 90" ] && [ "$3" -gt 500 ] && [ "$4" -gt 500 ] && [ "$5" -gt 2 ] && [ "$6" -lt 157 ] &&
        [ "$7" -gt 2 ] && [ "$8" -lt 87 ] && [ $(($8 - $7)) -gt 35 ] && [ ! -e picture.png.part ]
}

moving_cache() { # INPUT OPTIONS...: the square is left in frame 0, right in frame 2
    render "$@" --size 160x90 --view 0,0 --frames 0,2 --out 'moved_%02d.png' || return 1
    [ ! -e moved_01.png ] || return 1
    set -- $(facts moved_00.png) $(facts moved_02.png)
    echo "$@"
    [ "$4" -gt 300 ] && [ "${12}" -gt 300 ] && [ "$6" -lt 90 ] && [ "${13}" -gt 70 ]
}

# The last frame of a GLB that taut wrote.
glb() {
    "$TAUT" run scene.json --out cache.glb --threads 1 --quiet || return 1
    render cache.glb --size 160x90 --out glb.png || return 1
    head -c 3000 cache.glb >cut.glb && sed 's/"taut /"else /' cache.glb >foreign.glb || return 1
    set -- $(facts glb.png)
    echo "$@"
    [ "$4" -gt 500 ] && refused "cut off" cut.glb --out none.png &&
        refused "not written by taut" foreign.glb --out none.png
}

heat_maps() {
    for measure in stretch_x stretch_y shear principal bend; do
        render scene.json --size 160x90 --heat $measure --out heat_$measure.png || return 1
    done
    [ "$(cat heat_*.png | wc -c)" -gt 20000 ] && [ "$(cksum heat_*.png | cut -d' ' -f1 | sort -u | wc -l)" = 5 ]
}

# A stretched cloth is nearly white in a wide range of colours, and red in a narrow one.
heat_range() {
    render square_%04d.obj --mesh half.obj --size 160x90 --heat stretch_x --range -9:9 --out wide.png &&
        render square_%04d.obj --mesh half.obj --size 160x90 --heat stretch_x --range -1:1 --out narrow.png || return 1
    set -- $(facts wide.png) $(facts narrow.png)
    echo "$@"
    [ "${12}" -gt $(($4 + 300)) ]
}
sed 's/^v 1 /v 0.5 /' square.obj >half.obj

# A square twice as wide as at rest, seen from straight ahead, has exactly the colour that the legend has beside +1.
heat_legend() {
    render square_%04d.obj --mesh half.obj --size 160x90 --view 0,0 --heat principal --range -2:2 --out legend.png &&
        python3 -B - <<'END'
from png import pixels
rows = pixels("legend.png")
square, legend = rows[45][80], rows[35][136]
print(square, legend)
assert max(abs(a - b) for a, b in zip(square, legend)) <= 4
assert square[0] > square[2] + 50
END
}

# A ball is between the usual camera and the cloth. The camera then takes a place from which it sees the cloth.
hiding_ball() {
    cat >hidden.json <<'END'
{"frames": 1, "bodies": [{"color": "#d03020", "pins": [{"vertices": [0, 4, 20, 24]}],
   "mesh": {"generator": "sheet", "nx": 5, "ny": 5, "width": 1, "height": 1}}],
 "colliders": [{"shape": "sphere", "center": [0.5, 0.3, 1.2], "radius": 0.7}]}
END
    render hidden.json --size 160x90 --out seen.png && render hidden.json --size 160x90 --view 32,17 --out unseen.png ||
        return 1
    set -- $(facts seen.png) $(facts unseen.png)
    echo "$@"
    [ "$4" -gt $((2 * ${12})) ]
}

# The ground has no edges where nothing stands.
even_ground() {
    cat >wide.json <<'END'
{"frames": 1, "colliders": [{"shape": "plane"}], "bodies": [{"transform": {"position": [0, 1.2, 0]},
  "mesh": {"generator": "sheet", "nx": 41, "ny": 5, "width": 10, "height": 1}, "pins": [{"highest": 0.01}]}]}
END
    render wide.json --size 320x180 --view 0,5 --out wide.png && python3 -B - <<'END'
from png import pixels
column = [row[20] for row in pixels("wide.png")][140:]
steps = [max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(column, column[1:])]
print(steps)
assert max(steps) <= 4
END
}

# A cloth that fills the whole view does not cover the legend.
legend_beside() {
    render scene.json --size 320x180 --heat shear --frames 0 --out beside.png \
        --set 'camera={"eye": [0, 0.7, 0.5], "target": [0, 0.7, 0]}' && python3 -B - <<'END'
from png import pixels
rows = pixels("beside.png")
paper = rows[2][319]
print(paper, rows[2][0])
assert rows[2][0] != paper and all(row[x] == paper for row in rows[:30] + rows[150:] for x in range(280, 320))
assert sum(pixel == paper for row in rows[50:130] for pixel in row[275:320]) > 1000
END
}

wire() {
    render scene.json --size 160x90 --wire --out wire.png && ! cmp -s wire.png picture.png
}

sheet() {
    render scene.json --size 320x180 --contact 4x2 --out sheet.png || return 1
    set -- $(facts sheet.png)
    [ "$1" -ge 320 ] && [ "$1" -le 360 ] && [ "$2" -ge 90 ] && [ "$2" -le 120 ] && [ "$4" -gt 800 ]
}

film_frames() { # FILE
    ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 "$1" | tr -d ,
}

films() {
    render scene.json --size 160x90 --out film.mp4 &&
        render scene.json --size 80x46 --every 3 --out film.gif || return 1
    [ "$(film_frames film.mp4)" = 13 ] && [ "$(film_frames film.gif)" = 5 ] && ! ls -A | grep '^\.taut-'
}

# ffmpeg takes every name as the name of a file, whatever it looks like. A film may be replaced.
odd_film_names() (
    rm -rf odd && mkdir odd && cd odd || exit 1
    for name in -dash.mp4 'tee:a|b.mp4' file:x.mp4 'concat:c|d.gif' -y.gif; do
        render ../scene.json --frames 0-2 --size 64x36 --out "$name" && render ../scene.json --frames 0-2 --size 64x36 \
            --out "$name" || exit 1
        [ "$(film_frames "file:$name")" = 3 ] || exit 1
    done
    ls -A
    [ "$(ls -A | wc -l)" -eq 5 ]
)

# A signal stops the film; nothing is left of it.
stopped_film() (
    rm -rf stop && mkdir stop && cd stop || exit 1
    (exec env --default-signal=INT "$TAUT" render ../scene.json --set frames=100000 --size 64x36 --out film.mp4) &
    until ls -d .taut-* >/dev/null 2>&1 || ! kill -0 $!; do sleep 0.01; done
    kill -s INT $!
    wait $!
    [ $? -eq 130 ] && [ -z "$(ls -A)" ]
)

# A red beam under a blue chain, then the other way round: both are drawn.
solids_and_lines() {
    for colors in "#d03020 #2030d0" "#2030d0 #d03020"; do
        cat >solids.json <<END
{"frames": 2, "bodies": [
   {"mesh": {"generator": "beam", "nx": 3, "ny": 1, "nz": 1, "size": [1, 0.3, 0.3]}, "color": "${colors% *}"},
   {"mesh": {"generator": "chain", "n": 9, "length": 1}, "transform": {"position": [0, 0.5, 0]},
    "color": "${colors#* }"}]}
END
        render solids.json --size 160x90 --out solids.png --quiet >quiet && [ ! -s quiet ] || return 1
        set -- $(facts solids.png)
        echo "$@"
        [ "$4" -gt 60 ] || return 1
    done
    render solids.json --size 160x90 --heat principal --out solids.png
}

before= # what the tool is started with

# PATTERN ARGUMENTS...: exit code 2, a message that has the pattern, and no file
refused() {
    pattern=$1
    shift
    rm -f none.png none.mp4
    $before "$TAUT" render "$@" >said 2>&1
    code=$?
    cat said
    [ $code -eq 2 ] && grep -q -- "$pattern" said && ! ls none* 2>/dev/null
}

bad_arguments() {
    printf '{"bodies": [\n  {"mesh": 3}]}' >bad.json
    echo '{"bodies": []}' >empty.json
    refused "INPUT is missing" &&
        refused "empty.json: there are no bodies" empty.json --out none.png &&
        refused "absent.json" absent.json --out none.png &&
        refused "bad.json:2" bad.json --out none.png &&
        refused "did you mean 'stretch_x'" scene.json --heat strech_x --out none.png &&
        refused "range needs" scene.json --range 0:1 --out none.png &&
        refused "LOW:HIGH" scene.json --heat bend --range 1:0 --out none.png &&
        refused "WIDTHxHEIGHT" scene.json --size 100 --out none.png &&
        refused "WIDTHxHEIGHT" scene.json --size 100x9999999 --out none.png &&
        refused "frames 0 to 12" scene.json --frames 3,13 --out none.png &&
        refused "frames must be" scene.json --frames 3,a --out none.png &&
        refused "COLUMNSxROWS" scene.json --contact 4 --out none.png &&
        refused "AZIMUTH" scene.json --view 4 --out none.png &&
        refused "such as picture.png" scene.json --out none.jpg &&
        refused "such as picture.png" scene.json --out none_%s.png &&
        refused "mesh FILE" square.pc2 --out none.png &&
        refused "4 vertices" square.pc2 --mesh sphere.obj --out none.png &&
        refused "no scene" square.pc2 --mesh square.obj --set fps=1 --out none.png
}
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >sphere.obj

without_module() {
    mkdir -p alone && cp "$TAUT" alone/taut && alone/taut render scene.json --out none.png >said 2>&1
    code=$?
    cat said
    [ $code -eq 2 ] && grep -q "install libegl-dev" said && [ ! -e none.png ]
}

without_ffmpeg() {
    before="env PATH=/nonexistent"
    refused "install the package ffmpeg" scene.json --out none.mp4
    code=$?
    before=
    return $code
}

no_folder() { refused "nowhere" scene.json --size 64x64 --out nowhere/none.png; }

starts_without_mesa() { ldd "$TAUT" >linked && grep libc linked && ! grep -E 'EGL|GLES|libpng' linked; }

help_text() {
    "$TAUT" render --help >help && grep -q "taut render scene.json --out film.mp4" help &&
        for option in out size frames every contact heat range wire view mesh fps set threads quiet; do
            grep -q -- "^  --$option" help || return 1
        done
}

check "help names every option" help_text
check "the tool is not linked with what draws" starts_without_mesa
check "bad arguments and files: exit code 2, nothing written" bad_arguments
check "without the module it says what to install" without_module
check "a scene" scene_picture
check "pc2 with its mesh" moving_cache square.pc2 --mesh square.obj
check "a sequence of meshes" moving_cache square_%04d.obj
check "a GLB of taut" glb
check "every heat map" heat_maps
check "the range of a heat map" heat_range
check "colours of a heat map are those of its legend" heat_legend
check "the legend is beside the picture" legend_beside
check "a collider in the way" hiding_ball
check "a ground without a band" even_ground
check "a wireframe" wire
check "a contact sheet" sheet
check "solids and lines" solids_and_lines
check "a folder that is not there" no_folder
check "films need ffmpeg, and say so" without_ffmpeg
check "films" films
check "films with names that mean something to ffmpeg" odd_film_names
check "a film that is stopped" stopped_film
tap_done
