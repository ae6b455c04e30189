/* Coarse meshes of lines, for hierarchies of ropes, nets and plants. */
#ifndef TAUT_MESH_COARSEN_LINES_H
#define TAUT_MESH_COARSEN_LINES_H

#include "mesh/topology.h"
#include "mesh/transfer.h"

/* Every second vertex of each chain of lines: origin[coarse vertex] is its number in `fine`. Ends, vertices where more
 * than two lines meet and pinned ones always stay, so a chain of n lines becomes one of n/2, rounded up. `up` carries
 * values from the coarse to the fine vertices: those in between listen to their two neighbours.
 *
 * The coarse mesh has positions and pins. Vertices without a line are left out; the others keep their order. Two chains
 * between the same two vertices may end as two lines in the same place.
 *
 * The mesh is of lines alone and has been checked; `topology` is its own. Arrays come from `scope`. False when memory
 * ran out. */
bool tt_coarsen_lines(tt_scope *scope, const taut_mesh *fine, const tt_topology *topology, taut_mesh *coarse,
                      int **origin, tt_transfer *up);

#endif
