/* Colliders: shapes out of which particles stay, and their motion through a step. */
#ifndef TAUT_COLLIDE_COLLIDER_H
#define TAUT_COLLIDE_COLLIDER_H

#include "collide/owned.h"
#include "mesh/bvh.h"

/* A collider in the world. `now` is its present place, `target` its place at the end of the next step. */
typedef struct tt_collider {
    bool used;
    taut_collider_def now, target; /* without a mesh */
    tt_owned *owned;               /* the mesh to which its shape refers; NULL: none */
} tt_collider;

/* The place of a collider at the end of a substep, and its motion in the substep. */
typedef struct tt_placed {
    taut_shape shape;
    double now_a[3], now_b[3], end_a[3], end_b[3]; /* in the world: at the begin and the end of the step */
    float from, to;                                /* fractions of that way: begin and end of the substep */
    tt_box box;                                    /* in the world: around it in all of the step   */
    float low[3], high[3];                         /* of that box, relative to the origin          */
    float a[3], b[3], normal[3], radius;           /* a, b: relative to an origin                  */
    float da[3], db[3];                            /* motion of a and b over the substep, m */
    float turn[3], belt[3];                        /* spin * h, rad; m                      */
    float turned[3][3];                            /* how the shape turned over the substep: a matrix */
    float axis[3][3];                              /* its own x, y and z                    */
    float half[3];                                 /* of the sides of a box                 */
    float radius_b, slope, least, most;            /* of a tapered capsule                  */
    float grown;                                   /* how much wider it has become          */
    float inner;                                   /* particles that move less than this do not get past it */
    float thickness;
    const tt_owned *owned;
    uint64_t look; /* tells the times apart at which it was placed */
    float friction;
    uint32_t group, mask;
} tt_placed;

bool tt_collider_check(const taut_collider_def *def, taut_error *error);

/* The collider at fraction `to` of the way from now to target, relative to the world's origin. It was at `from` one
 * substep of length h earlier. */
tt_placed tt_collider_place(const tt_collider *collider, float from, float to, float h);

/* The same relative to another origin: that of a body. */
tt_placed tt_placed_from(const tt_placed *placed, const double origin[3]);

/* For `place` of shapes. The first sets the turn that takes the direction of u to that of v; the second the turn of the
 * collider's rotation, which is all that some shapes need. */
void tt_placed_turn(tt_placed *placed, const float u[3], const float v[3]);
void tt_placed_rotate(const tt_collider *collider, float from, float to, tt_placed *placed);

/* The box, in the world's axes, around a box in the shape's own axes, which begin at a. */
tt_box tt_turned_box(const taut_collider_def *def, const tt_box *own);

/* A box around the collider wherever it is between now and target, with room for the rounding of kernels. */
tt_box tt_collider_box(const tt_collider *collider);

#endif
