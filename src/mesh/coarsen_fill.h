/* Makes a mesh of the vertices and triangles that coarsening has left. */
#ifndef TAUT_MESH_COARSEN_FILL_H
#define TAUT_MESH_COARSEN_FILL_H

#include "mesh/editable.h"

/* Fills `coarse` and `origin` as tt_coarsen promises. went[v] is the vertex that v collapsed to, or v; the array is
 * changed. Memory for the work comes from `scratch`. */
bool tt_coarsen_fill(tt_scope *scope, tt_scope *scratch, const taut_mesh *fine, const float axis[3],
                     const tt_editable *left, int *went, taut_mesh *coarse, int **origin);

/* Copies positions and pins of the vertices that stay to the coarse mesh. number[v] is not 0 if vertex v stays; it
 * becomes the coarse number of v, or -1. False when memory ran out. */
bool tt_coarsen_vertices(tt_scope *scope, const taut_mesh *fine, int *number, taut_mesh *coarse, int **origin);

#endif
