/* Coarse meshes of lines, for hierarchies of ropes, nets and plants. */
#ifndef TAUT_MESH_COARSEN_LINES_H
#define TAUT_MESH_COARSEN_LINES_H

#include "mesh/topology.h"
#include "mesh/transfer.h"

/* Keeps every second vertex of each chain of lines: origin[coarse vertex] is its number in `fine`. Ends, vertices where
 * more than two lines meet, and pinned vertices always stay. So a chain of n lines becomes one of n/2, rounded up. `up`
 * carries values from the coarse to the fine vertices: a vertex in between takes those of its two neighbours.
 *
 * The coarse mesh has positions and pins. Vertices without a line are left out; the others keep their order. Two chains
 * between the same two vertices may end as two lines in the same place.
 *
 * The mesh is of lines alone and has been checked; `topology` is its own. Arrays come from `scope`. False when memory
 * ran out. */
bool tt_coarsen_lines(tt_scope *scope, const taut_mesh *fine, const tt_topology *topology, taut_mesh *coarse,
                      int **origin, tt_transfer *up);

#endif
