/* What the shape of a collider refers to: a copy of the caller's mesh that the collider owns, and what is made of it. */
#ifndef TAUT_COLLIDE_OWNED_H
#define TAUT_COLLIDE_OWNED_H

#include "base/memory.h"
#include "mesh/bvh.h"

typedef struct tt_owned {
    tt_scope scope; /* owns this */
    int nvertices, ntris;
    float *x; /* 3 per vertex, in the shape's own axes */
    int *tri; /* 3 per triangle                        */
    tt_box box;
    uint64_t hash; /* of vertices and triangles */
    /* A hull: */
    float (*plane)[4]; /* per triangle: the way out, and how far out the plane is */
} tt_owned;

/* A copy of what a shape needs of a mesh. NULL on error. */
tt_owned *tt_owned_create(const tt_scope *like, const taut_mesh *mesh, taut_error *error);
/* Tells copies apart. */
uint64_t tt_owned_hash(const taut_mesh *mesh);
void tt_owned_free(tt_owned *owned);
/* Whether the shape refers to a mesh. */
static inline bool tt_shape_owns(taut_shape shape) { return shape == TAUT_HULL; }

#endif
