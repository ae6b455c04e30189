/* The data to which a collider's shape refers: its own copy of the caller's mesh, and the tables made of it. */
#ifndef TAUT_COLLIDE_OWNED_H
#define TAUT_COLLIDE_OWNED_H

#include "base/memory.h"
#include "collide/field.h"
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
    /* A field, which has nothing else: */
    tt_field *field;
} tt_owned;

/* Copies the part of a mesh that a shape needs. NULL on error. */
tt_owned *tt_owned_create(const tt_scope *like, taut_shape shape, const taut_mesh *mesh, taut_error *error);
/* A hash of such a copy: copies with the same hash are the same. */
uint64_t tt_owned_hash(taut_shape shape, const taut_mesh *mesh);
/* The same for a field: built from a mesh; a copy of one, with all of its values. */
tt_owned *tt_owned_create_field(const tt_scope *like, const taut_mesh *mesh, float cell, tt_helpers helpers,
                                taut_error *error);
tt_owned *tt_owned_copy_field(const tt_scope *like, const tt_field *field, taut_error *error);
uint64_t tt_owned_hash_field(const tt_field *field);
void tt_owned_free(tt_owned *owned);
/* Whether the shape refers to a mesh; and to its triangles. */
static inline bool tt_shape_owns(taut_shape shape) { return shape >= TAUT_HULL; }
static inline bool tt_shape_owns_triangles(taut_shape shape) { return shape == TAUT_MESH; }

#endif
