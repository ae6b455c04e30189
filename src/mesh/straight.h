/* Straight ways between two vertices of a surface. */
#ifndef TAUT_MESH_STRAIGHT_H
#define TAUT_MESH_STRAIGHT_H

#include "mesh/terrain.h"

/* The length of a way from u to v that is straight on the surface, if it is hardly longer than the line through the
 * air: then it is the shortest way, or nearly so. INFINITY if this is not certain. The cost grows with the number of
 * triangles under the way. */
double tt_straight_way(const tt_terrain *terrain, int u, int v);

#endif
