/* From the vertices of one level of a hierarchy to those of another (MRSL 4.1). */
#ifndef TAUT_MESH_TRANSFER_H
#define TAUT_MESH_TRANSFER_H

#include "base/memory.h"

/* The value at vertex v is the sum of weight[v][i] times that of vertex index[v][i] of the other mesh, i = 0..3. Three
 * of them do on triangles: the last is index[v][0] with the weight 0. */
typedef struct tt_transfer {
    int count;
    int (*index)[4];
    float (*weight)[4];
} tt_transfer;

typedef struct tt_transfer_options {
    /* The vertices of `to` that those of `from` are, as from tt_coarsen, or NULL. They then copy each other (one weight
     * of exactly 1), and every part of the mesh listens to itself only, even where another part is nearer. */
    const int *origin;
    /* Outside of all tets: reach out with the nearest one's weights, some of them negative, rather than take the value
     * of its closest point. Any linear field is then exact there too, and noise grows with the distance. */
    bool extrapolate;
} tt_transfer_options;

/* For each vertex of `to` its closest element of `from` in the rest shape, triangle or tet, and its barycentric weights
 * there: at least 0 (but see above), adding up to 1, so that linear fields are exact inside elements. Where there is no
 * element to listen to, all weights are 0. Both meshes have been checked. False when memory ran out. */
bool tt_transfer_build(tt_scope *scope, const taut_mesh *from, const taut_mesh *to, tt_transfer_options options,
                       tt_transfer *transfer);

#endif
