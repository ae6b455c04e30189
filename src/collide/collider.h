/* Colliders: shapes that particles stay out of, and their motion through a step. */
#ifndef TAUT_COLLIDE_COLLIDER_H
#define TAUT_COLLIDE_COLLIDER_H

#include "collide/owned.h"
#include "mesh/bvh.h"

/* A collider in the world. `now` is where it is, `target` where the next step ends. */
typedef struct tt_collider {
    bool used;
    taut_collider_def now, target; /* without a mesh */
    tt_owned *owned;               /* what its shape refers to; NULL: nothing */
} tt_collider;

/* A collider where it is at the end of one substep, and how it moved there. */
typedef struct tt_placed {
    taut_shape shape;
    double now_a[3], now_b[3], end_a[3], end_b[3]; /* in the world: where the step begins and ends */
    float from, to;                                /* of that way, where the substep begins and ends */
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
    float inner;                                   /* what moves less than this does not get past it */
    float thickness;
    const tt_owned *owned;
    float friction;
    uint32_t group, mask;
} tt_placed;

bool tt_collider_check(const taut_collider_def *def, taut_error *error);

/* The collider at fraction `to` of the way from now to target, relative to the world's origin. It was at `from` one
 * substep of length h earlier. */
tt_placed tt_collider_place(const tt_collider *collider, float from, float to, float h);

/* The same relative to another origin: that of a body. */
tt_placed tt_placed_from(const tt_placed *placed, const double origin[3]);

/* For the places of shapes: it turned as the direction of u turned to that of v; as a rotation says. */
void tt_placed_turn(tt_placed *placed, const float u[3], const float v[3]);
void tt_placed_rotate(tt_placed *placed, const tt_collider *collider, float from, float to);

/* The box around a box in the shape's own axes, which stand at a. */
tt_box tt_turned_box(const taut_collider_def *def, const tt_box *own);

/* A box around the collider wherever it is between now and target, with room for the rounding of kernels. */
tt_box tt_collider_box(const tt_collider *collider);

#endif
