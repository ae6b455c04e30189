"""Loads a cache into Blender and compares every frame with positions.txt, and UVs with uvs.txt.

usage: blender --background --factory-startup --python-exit-code 1 --python read_cache.py -- FOLDER pc2|mdd|glb|obj|ply
"""
import glob
import os
import sys

import bpy
from mathutils import Matrix

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expected

FPS = 25
# Positions are floats of a few metres. A morph target adds its offset to the rest shape in single precision.
TOLERANCE = 1e-6
folder, kind = sys.argv[sys.argv.index("--") + 1:]
positions = expected.read(folder, "positions.txt")
frames = 1 + max(frame for frame, _ in positions)
names = sorted({name for _, name in positions})
# Importers turn the y-up files to Blender's z-up.
z_up_to_y_up = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS


def vertices(thing, frame, turn=Matrix.Identity(4)):
    bpy.context.scene.frame_set(frame)
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [list(turn @ seen.matrix_world @ v.co) for v in seen.to_mesh().vertices]


def check(found, frame, name):
    return expected.compare(found, positions[frame, name], TOLERANCE, f"{kind}, frame {frame}, {name}")


def check_uvs(thing, original):
    """Checks the UVs of each vertex; `original` maps vertices of the importer to ours."""
    mesh = thing.data
    found = {(original(loop.vertex_index), *uv.uv) for loop, uv in zip(mesh.loops, mesh.uv_layers[0].data)}
    wanted = {(int(vertex), u, v) for vertex, u, v in expected.read(folder, "uvs.txt")[0, "flag"]}
    if found != wanted:
        raise SystemExit(f"{kind}: UVs {sorted(found)}, expected {sorted(wanted)}")


def cached_mesh(name, path):
    """A mesh of bare vertices that the Mesh Cache modifier moves, without any change of axes."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(0, 0, 0)] * len(positions[0, name]), [], [])
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind.upper()
    cache.filepath = path
    cache.interpolation = "NONE"
    cache.frame_start = 0
    cache.forward_axis = "POS_Y"
    cache.up_axis = "POS_Z"
    return thing


def check_modifier():
    for name in names:
        safe = name.translate(str.maketrans('/\\:*?"<>|', "_________"))
        thing = cached_mesh(name, os.path.join(folder, f"show-{safe}.{kind}"))
        yield from (check(vertices(thing, frame), frame, name) for frame in range(frames))


def check_glb():
    # The default shading needs a name that newer versions of NumPy have dropped (docs/running.md).
    bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "show.glb"), import_shading="SMOOTH")
    for name in names:
        thing = bpy.data.objects[name]
        count = len(positions[0, name])  # copies of vertices at seams come last
        yield from (check(vertices(thing, frame, z_up_to_y_up)[:count], frame, name) for frame in range(frames))
    flag = bpy.data.objects["flag"]
    if len(flag.data.vertices) != 7 + 2:
        raise SystemExit(f"glb: the flag has {len(flag.data.vertices)} vertices")
    check_uvs(flag, lambda vertex: vertex if vertex < 7 else {7: 1, 8: 5}[vertex])


def check_sequence():
    paths = sorted(glob.glob(os.path.join(folder, f"show[0-9]*.{kind}")))
    if len(paths) != frames:
        raise SystemExit(f"{len(paths)} files, expected {frames}")
    for frame, path in enumerate(paths):
        empty_scene()
        if kind == "obj":
            bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
            for name in names:
                if name in bpy.data.objects:  # objects without faces are not imported
                    yield check(vertices(bpy.data.objects[name], 0), frame, name)
            check_uvs(bpy.data.objects["flag"], int)
        else:
            bpy.ops.import_mesh.ply(filepath=path)
            (thing,) = bpy.data.objects
            in_order = [key for key in positions if key[0] == frame]
            all_rows = [row for key in in_order for row in positions[key]]
            yield expected.compare(vertices(thing, 0), all_rows, TOLERANCE, f"ply, frame {frame}")


empty_scene()
checks = {"pc2": check_modifier, "mdd": check_modifier, "glb": check_glb, "obj": check_sequence, "ply": check_sequence}
worst = list(checks[kind]())
if len(worst) < frames:
    raise SystemExit(f"{kind}: only {len(worst)} comparisons")
print(f"{kind}: {len(worst)} comparisons, largest difference {max(worst):g}")
