/* What a collider's shape refers to: a copy of the caller's mesh, which the collider owns, and what is made of it. */
#ifndef TAUT_COLLIDE_OWNED_H
#define TAUT_COLLIDE_OWNED_H

#include "base/memory.h"
#include "collide/surface.h"

typedef struct tt_owned {
    tt_scope scope; /* owns this */
    int nvertices, ntris;
    float *x; /* 3 per vertex, in the shape's own axes */
    int *tri; /* 3 per triangle                        */
    tt_box box;
    uint64_t hash; /* of vertices and triangles */
    /* A hull: */
    float (*plane)[4]; /* per triangle: the way out, and how far out the plane is */
    /* A mesh: */
    tt_surface *surface;
} tt_owned;

/* A copy of what a shape needs of a mesh. NULL on error. */
tt_owned *tt_owned_create(const tt_scope *like, taut_shape shape, const taut_mesh *mesh, taut_error *error);
/* Tells copies apart. */
uint64_t tt_owned_hash(taut_shape shape, const taut_mesh *mesh);
void tt_owned_free(tt_owned *owned);
/* Whether the shape refers to a mesh; and to its triangles. */
static inline bool tt_shape_owns(taut_shape shape) { return shape == TAUT_HULL || shape == TAUT_MESH; }
static inline bool tt_shape_owns_triangles(taut_shape shape) { return shape == TAUT_MESH; }

#endif
