/* Scenes: JSON files that say everything a world is made of.
 *
 *   {"gravity": [0, -9.81, 0], "wind": [0, 0, 0], "air_density": 1.2, "solver": {"substeps": 8, "iterations": 1},
 *    "fps": 60, "frames": 300,
 *    "bodies": [{"name": "flag", "mesh": {"generator": "sheet", "nx": 33, "ny": 33, "width": 1, "height": 1},
 *                "transform": {"position": [0, 2, 0], "rotation": [90, 0, 0], "scale": 1}, "velocity": [0, 0, 0],
 *                "warp_axis": [1, 0, 0], "material": {"preset": "cotton"}, "pins": [{"vertices": [0, 32]}]}],
 *    "colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 1, 0], "friction": 0.5}]}
 *
 * Only "bodies" and the "mesh" of each must be there; the rest has the defaults of taut.h. Lengths are metres.
 *   mesh       a file's name, seen from the scene's folder, or a generator (sheet, irregular, tube, sphere, beam,
 *              torus, strip, chain, branch) with the arguments of its taut_mesh_ function; a beam has size [x, y, z]
 *   transform  scale, then rotation (degrees about x, then y, then z; or a quaternion x y z w), then position
 *   pins       each with one of: vertex, vertices, group (of the mesh file), box {min, max}, sphere {center, radius},
 *              boundary (true), highest or lowest (all within that many metres of the extreme y), all (true); places
 *              are those after the transform. Optional: stiffness, (0,1]; below 1 pulls instead of holding.
 *   colliders  plane {point, normal}, sphere {center, radius}, capsule {a, b, radius}; all take friction and spin */
#ifndef TAUT_IO_SCENE_H
#define TAUT_IO_SCENE_H

#include "taut_io.h"

#endif
