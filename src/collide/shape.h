/* Shapes of colliders. As for constraints there is a table, with one file and one row for each shape
 * (shapes_kernel.c). */
#ifndef TAUT_COLLIDE_SHAPE_H
#define TAUT_COLLIDE_SHAPE_H

#include "collide/collider.h"
#include "collide/leaves.h"
#include "collide/sift.h"
#include "constraints/real.h"
#include "mesh/bvh.h"
#include "model/skin.h"

enum { TT_SHAPES = TAUT_FIELD + 1 };

/* Where contacts are noted, 4 numbers a particle. NULL: nowhere. */
typedef struct tt_touched {
    real *normal; /* of the surface; and the coefficient of friction */
    real *motion; /* of the surface over the substep, 0              */
} tt_touched;

/* A memo of a mesh near a particle, in its own axes, so that the mesh need not be searched again. Either no triangle is
 * within `radius` of `centre`, as long as the surface keeps its look. Or the surface counts as a plane for particles
 * within `radius` of `centre`, as long as the collider is not placed anew. */
typedef struct tt_memo {
    uint64_t look; /* of the surface, or of the placed collider if it is flat; 0: nothing is remembered */
    bool flat;
    float centre[3], radius;
    float normal[3], offset, motion[3]; /* of the plane, and how it moves over the substep */
} tt_memo;

/* Particles first .. last-1 of a level (multiples of a block), and how they touch. */
typedef struct tt_contact_batch {
    real *p;       /* predicted, moved out of the shapes     */
    const real *x; /* where they were when the substep began */
    int first, last;
    double origin[3]; /* in the world: p and x are relative to it */
    float thickness, friction;
    float escape;         /* m: how far a particle that begins inside a shape may come out in this substep */
    uint32_t group, mask; /* of their body */
    real *pushed; /* 4 numbers for each, from `first` on: the last push; 0: none yet. NULL: no other collider pushes */
    tt_touched touched;
    float usual;   /* thickness of the body, whatever `thickness` is this time                           */
    tt_memo *memo; /* one per particle of the level; NULL: nothing is remembered                         */
} tt_contact_batch;

/* Triangles of a skin, and how they touch. Up to TT_FACES of them are tested together. */
enum { TT_FACES = 64 };
typedef struct tt_face_batch {
    const tt_skin_triangle *tri;
    int count;
    real *p;       /* as in tt_contact_batch */
    const real *x;
    double origin[3];
    float thickness, friction;
    uint32_t group, mask;
} tt_face_batch;

/* The contact of a triangle with a shape: a plane that has the shape behind it. Points p of the plane have normal.p =
 * height. */
typedef struct tt_face_contact {
    int particle[3];
    float weight[3]; /* of the point that must be in front of the plane */
    float normal[3], height;
    float motion[3]; /* of the surface over the substep                     */
    float friction;
    bool far;        /* it went through: all corners have to be in front */
} tt_face_contact;

typedef struct tt_shape {
    const char *name;
    /* Checks the members of a definition that only this shape needs; tt_collider_check checks all others. NULL: there
     * are none. */
    bool (*check)(const taut_collider_def *def, taut_error *error);
    /* Fills in where the shape is at fraction `to` of the way, and how it has turned since `from`. tt_collider_place
     * has filled in what all have. */
    void (*place)(const tt_collider *collider, float from, float to, tt_placed *placed);
    /* The box around the shape, relative to the definition's origin and without any thickness. It may be unbounded. */
    tt_box (*box)(const tt_collider *collider, const taut_collider_def *def);
    /* Moves the particles of a batch out of the shape; returns the number of those that touched it. */
    int (*keep_out)(const tt_contact_batch *batch, const tt_placed *placed);
    /* Finds the triangles of a batch that touch the shape between their corners; returns how many. Moves nothing. NULL:
     * no triangle can. */
    int (*meet_faces)(const tt_face_batch *batch, const tt_placed *placed, tt_face_contact *found);
    bool remembers; /* it is faster with memos */
} tt_shape;

/* The smallest box around the particles of a batch that can move. Other particles touch nothing, so they do not
 * count. */
typedef tt_box tt_bounds(const tt_contact_batch *batch);

/* All shapes, and the kernels of the search for pairs, compiled for one instruction set. */
typedef struct tt_shape_set {
    const tt_shape *shape[TT_SHAPES]; /* by taut_shape */
    tt_bounds *bounds;
    tt_sift_pairs *sift[2]; /* by tt_apart_kind */
    tt_compare_leaves *compare_leaves;
} tt_shape_set;

/* Shapes that are the same for all instruction sets. */
extern const tt_shape tt_mesh_shape, tt_field_shape;

/* The shapes for an instruction set, by its name (tt_simd). Only the kernels differ between the sets. */
const tt_shape_set *tt_shapes(const char *simd);

#endif
