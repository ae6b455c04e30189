/* Vertex order: reverse Cuthill-McKee, so that neighbours are near in memory whatever the input's order. */
#ifndef TAUT_MESH_ORDER_H
#define TAUT_MESH_ORDER_H

#include "mesh/topology.h"

/* place[v] = new position of vertex v (a permutation of 0..n-1). Integer work only, so the same everywhere. Components
 * follow each other; vertices without neighbours come last. Returns the bandwidth (largest |place[a] - place[b]| over
 * edges), or -1 when memory ran out. */
int tt_order(tt_scope *scope, const tt_topology *topology, int nvertices, int *place);
/* Orders each run of `size` places anew by itself. A run is a slice across the mesh; its new order goes along the
 * length of the slice, so that a sweep over it stays within the memory of a few particles. False when memory ran
 * out. */
bool tt_order_within(tt_scope *scope, const tt_topology *topology, int nvertices, int size, int *place);

#endif
