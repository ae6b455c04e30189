/* Straight ways between two vertices of a surface. */
#ifndef TAUT_MESH_STRAIGHT_H
#define TAUT_MESH_STRAIGHT_H

#include "mesh/terrain.h"

/* The length of a way from u to v that is straight on the surface, if there is one that is hardly longer than the line
 * through the air: it is then the shortest way, or as good as that. INFINITY where this is not sure. The cost is that
 * of the triangles under the way. */
double tt_straight_way(const tt_terrain *terrain, int u, int v);

#endif
