/* The surface of a solid: the faces that belong to only one tet. */
#ifndef TAUT_MESH_SURFACE_H
#define TAUT_MESH_SURFACE_H

#include "base/memory.h"

/* The triangles, facing out at rest and in the order of the tets, in memory of `scope`: 3 vertices each. Returns NULL
 * when memory ran out. The indices of `tet` must be valid. */
int *tt_surface(tt_scope *scope, const float *rest, const int *tet, int ntets, int *ntris);

#endif
