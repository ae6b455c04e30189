/* Restriction: the value at a vertex of a coarser mesh is made of the values at many vertices of the finer one. */
#ifndef TAUT_MESH_RESTRICTION_H
#define TAUT_MESH_RESTRICTION_H

#include "mesh/topology.h"
#include "mesh/transfer.h"

/* The value at vertex v is the sum of weight[i] times that of vertex index[i] of the other mesh, i = first[v] ..
 * first[v + 1] - 1. The first of them is the nearest to it. */
typedef struct tt_restriction {
    int count;
    int *first; /* count + 1 */
    int *index;
    float *weight;
} tt_restriction;

/* Each vertex copies one of the other mesh. */
bool tt_restriction_copy(tt_scope *scope, const int *origin, int count, tt_restriction *restriction);

/* Each vertex is the mean of the vertices that ride on it, weighted by their weights in `up` times their masses;
 * `origin` tells the first of them. A pinned vertex copies its origin. So if coarse vertices move along the gradient of
 * a function of their places, divided by mass, their riders move along the gradient of that function too. */
bool tt_restriction_mean(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const tt_transfer *up,
                         const double *mass, const int *origin, tt_restriction *restriction);

/* Each vertex of a coarse solid takes the value of a linear field: the one that best fits the vertices of `fine` that
 * ride on it, weighted by mass. So linear fields are exact, and noise from vertex to vertex is averaged. The field is
 * taken at the place of the vertex. If that is far from all its riders, the field is taken a little nearer to them, and
 * the rest position of the vertex is there too (tt_coarse_rest). A vertex without riders has no entries. A vertex next
 * to a pinned one takes the corners of the nearest tet.
 *
 * `up` (tt_transfer_build) is changed: with R for the restriction and M for the masses it becomes M^-1 R^T M_c. So, as
 * for tt_restriction_mean, steps of the coarse level are gradients on the mesh too, and momentum is kept. `coarse_mass`
 * gets M_c, which is 0 for a vertex without riders. False when memory ran out. */
bool tt_restriction_fit(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const double *mass,
                        tt_transfer *up, double *coarse_mass, tt_restriction *restriction);

#endif
