/* Coarse meshes of tets, for hierarchies (MRSL 4.1). */
#ifndef TAUT_MESH_COARSEN_TETS_H
#define TAUT_MESH_COARSEN_TETS_H

#include "base/memory.h"

/* Makes a mesh of about `target` tets that covers the tets of `fine`: all tets of a lattice that overlap any of them.
 * So every vertex of a fine tet is in a coarse one, or outside by no more than rounding. A thin or small solid takes
 * more tets than asked for, perhaps more than `fine` has: compare before use. A solid without volume gets none.
 *
 * The frame and the scale of a tet are means over the fine tets in it. The vertices are new, so masses and pins are
 * left to the caller. Triangles and lines are left out.
 *
 * The mesh has been checked. Arrays come from `scope`. False when memory ran out. */
bool tt_coarsen_tets(tt_scope *scope, const taut_mesh *fine, int target, taut_mesh *coarse);
/* Gives frames and scales to the tets of a coarse mesh that was made in another way. */
bool tt_inherit_frames(tt_scope *scope, const taut_mesh *fine, taut_mesh *coarse);

#endif
