/* The convex hull of points, by exact predicates: no point lies outside of it. */
#ifndef TAUT_MESH_HULL_H
#define TAUT_MESH_HULL_H

#include "base/memory.h"

enum { TT_MOST_HULL_POINTS = 4096 };

/* The triangles of the hull, which face out: 3 numbers of points each, at most 2 count - 4, taken from `scope`. Returns
 * how many; 0 with an error if there are too few or too many points, or all of them lie in a plane. */
int tt_hull(tt_scope *scope, const float *xyz, int count, int **tri, taut_error *error);

#endif
