/* From the vertices of one level of a hierarchy to those of another (MRSL 4.1). */
#ifndef TAUT_MESH_TRANSFER_H
#define TAUT_MESH_TRANSFER_H

#include "base/memory.h"

/* The value at vertex v is the sum of weight[v][i] times that of vertex index[v][i] of the other mesh, i = 0..3. On
 * triangles three terms are enough: the last is index[v][0] with the weight 0. */
typedef struct tt_transfer {
    int count;
    int (*index)[4];
    float (*weight)[4];
} tt_transfer;

typedef struct tt_transfer_options {
    /* For each vertex of `from` the same vertex of `to`, as tt_coarsen gives it, or NULL. Such vertices copy each other
     * (one weight of exactly 1), and every part of the mesh takes values only from itself, even if another is
     * nearer. */
    const int *origin;
    /* Outside of all tets: use the weights of the nearest tet, some of them negative, instead of the value at its
     * closest point. Then any linear field is exact there too, but noise grows with the distance. */
    bool extrapolate;
} tt_transfer_options;

/* Finds for each vertex of `to` the closest element of `from` in the rest shape, triangle or tet, and its barycentric
 * weights there. They are at least 0 (unless `extrapolate` is set) and add up to 1, so that linear fields are exact
 * inside elements. If there is no element to take values from, all weights are 0. Both meshes have been checked. False
 * when memory ran out. */
bool tt_transfer_build(tt_scope *scope, const taut_mesh *from, const taut_mesh *to, tt_transfer_options options,
                       tt_transfer *transfer);

#endif
