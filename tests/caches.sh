#!/bin/sh
# Foreign programs read the caches that we write: Blender (PC2, MDD, GLB, OBJ, PLY) and VTK (VTU, PVD).
. "$SOURCE/scripts/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

write_caches() {
    "${CC:-cc}" -std=c17 -O1 -ffp-contract=off -I"$SOURCE/include" -I"$SOURCE/src" -I"$SOURCE/tests" \
        "$SOURCE/tests/write_caches.c" "$BUILD/libtautio.a" "$BUILD/libtaut.a" -lm -lpthread -o "$work/write_caches" &&
        "$work/write_caches" "$work" && ls "$work"
}

in_blender() { # FORMAT
    PYTHONDONTWRITEBYTECODE=1 blender --background --factory-startup --python-exit-code 1 \
        --python "$SOURCE/tests/blender/read_cache.py" -- "$work" "$1" >"$work/log" 2>&1
    status=$?
    cat "$work/log"
    [ $status -eq 0 ] && grep -q "^$1: .* largest difference" "$work/log"
}

in_vtk() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$SOURCE/tests/blender/read_vtu.py" "$work"; }

blender_lacks_numpy() {
    blender --background --factory-startup --python-expr "import numpy" 2>&1 | grep -q "No module named 'numpy'"
}

check "caches are written" write_caches
for format in pc2 mdd glb obj ply; do
    if ! command -v blender >/dev/null; then
        skip "Blender finds every position in $format" "blender is not installed"
    elif [ $format = glb ] && blender_lacks_numpy; then
        skip "Blender finds every position in $format" "its importer needs python3-numpy"
    else
        check "Blender finds every position in $format" in_blender $format
    fi
done
if [ -e /usr/lib/python3/dist-packages/vtk.py ]; then
    check "VTK finds every position and field in vtu and pvd" in_vtk
else
    skip "VTK finds every position and field in vtu and pvd" "python3-vtk9 is not installed"
fi
tap_done
