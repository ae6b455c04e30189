/* The coarser and coarser meshes of a model's levels (MRSL 4.1), before they are compiled.
 *
 *     cloth    a fifth of the vertices (down to a twelfth if few levels are asked for), by collapsing edges; its
 *              vertices are vertices of the finer mesh
 *     ropes    every second vertex
 *     solids   a lattice of an eighth of the tets around the finer mesh, or a mesh that the user gave */
#ifndef TAUT_MODEL_HIERARCHY_H
#define TAUT_MODEL_HIERARCHY_H

#include "model/model.h"
#include "model/reach.h"

typedef struct tt_coarse_mesh {
    taut_mesh mesh;
    int *origin;    /* per vertex: its number in the next finer mesh; NULL for solids        */
    tt_transfer up; /* to the next finer mesh */
    tt_restriction down; /* from the next finer mesh */
    /* Of cloth and ropes: */
    tt_metric metric;
    int nlinks;
    tt_link *link;
} tt_coarse_mesh;

struct tt_hierarchy {
    tt_metric finest;
    int count;
    tt_coarse_mesh level[TAUT_MOST_LEVELS];
};

/* Makes the meshes of all levels, and the topologies of those of cloth and ropes; `topology` is that of `mesh`. Arrays
 * come from `scope`; the hierarchy must stay where it is. False when memory ran out. */
bool tt_hierarchy_coarsen(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology,
                          const taut_material *material, const taut_model_options *options, tt_hierarchy *hierarchy);
/* Makes the weights by which the finer mesh rides on level i. This can be done for all levels at the same time. */
bool tt_hierarchy_ride(tt_scope *scope, tt_hierarchy *hierarchy, int i);
/* Ties all levels together: makes the restrictions, masses and links. The threads of the pool take memory by the
 * allocator of `scope`. */
bool tt_hierarchy_tie(tt_scope *scope, tt_pool *pool, const taut_material *material, const taut_model_options *options,
                      tt_hierarchy *hierarchy);

/* All three of these functions, one after the other. */
bool tt_hierarchy_build(tt_scope *scope, const taut_mesh *mesh, const taut_material *material,
                        const taut_model_options *options, tt_hierarchy *hierarchy);

/* Whether all coarse meshes that the options give can be levels of `mesh`, which has been checked. */
bool tt_given_check(const taut_mesh *mesh, const taut_model_options *options, taut_error *error);

#endif
