/* Distances along a surface, for tethers and for the edges of coarser meshes. */
#ifndef TAUT_MESH_GEODESIC_H
#define TAUT_MESH_GEODESIC_H

#include "base/pool.h"
#include "mesh/topology.h"

/* For each vertex: the length of the shortest way to the nearest vertex with source[v] != 0, and the number of that
 * source (infinity and -1 if none can be reached). Beams from the sources are unfolded triangle by triangle. So each
 * distance is the length of a real way, and a flat sheet gets straight-line distances. Lines and edges of tets count as
 * ways too. A distance is never below the true one by more than rounding. False when memory ran out. */
bool tt_geodesic(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const unsigned char *source,
                 double *distance, int *nearest);

/* The lengths of the shortest ways between pairs of vertices; infinity if there is no way. Pairs with the same first
 * vertex follow each other. `length` is the length of each edge; NULL: that of the positions. The threads of the pool
 * (NULL: none) take memory by the allocator of `scope`. */
bool tt_geodesic_pairs(tt_scope *scope, tt_pool *pool, const taut_mesh *mesh, const tt_topology *topology,
                       const double *length, int npairs, const int (*pair)[2], double *between);

#endif
