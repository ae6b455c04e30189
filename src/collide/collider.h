/* Colliders: shapes that particles stay out of, and their motion through a step. */
#ifndef TAUT_COLLIDE_COLLIDER_H
#define TAUT_COLLIDE_COLLIDER_H

#include "mesh/bvh.h"

/* A collider in the world. `now` is where it is, `target` where the next step ends. */
typedef struct tt_collider {
    bool used;
    taut_collider_def now, target;
} tt_collider;

/* A collider where it is at the end of one substep, and how it moved there. */
typedef struct tt_placed {
    taut_shape shape;
    double now_a[3], now_b[3], end_a[3], end_b[3]; /* in the world: where the step begins and ends */
    float to;                                      /* of that way                                  */
    float a[3], b[3], normal[3], radius;           /* a, b: relative to an origin                  */
    float da[3], db[3];                            /* motion of a and b over the substep, m */
    float turn[3];                                 /* spin * h, rad                         */
    float friction;
    uint32_t group, mask;
} tt_placed;

bool tt_collider_check(const taut_collider_def *def, taut_error *error);

/* The collider at fraction `to` of the way from now to target, relative to the world's origin. It was at `from` one
 * substep of length h earlier. */
tt_placed tt_collider_place(const tt_collider *collider, float from, float to, float h);

/* The same relative to another origin: that of a body. */
tt_placed tt_placed_from(const tt_placed *placed, const double origin[3]);

/* A box around the collider wherever it is between now and target, with room for the rounding of kernels. */
tt_box tt_collider_box(const tt_collider *collider);

#endif
