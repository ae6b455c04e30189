/* Distances along a surface, for tethers. */
#ifndef TAUT_MESH_GEODESIC_H
#define TAUT_MESH_GEODESIC_H

#include "mesh/topology.h"

/* For each vertex the length of the shortest way to the nearest vertex with source[v] != 0, and which source that is
 * (-1 and infinity: none can be reached). Dijkstra over edges, with the fast-marching update across triangles that is
 * exact in the plane (unfold the triangle, measure from the virtual source), so that a flat sheet gets straight-line
 * distances. Never below the truth by more than rounding. False when memory ran out. */
bool tt_geodesic(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const unsigned char *source,
                 double *distance, int *nearest);

#endif
