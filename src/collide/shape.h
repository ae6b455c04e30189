/* Colliders: shapes that particles stay out of. */
#ifndef TAUT_COLLIDE_SHAPE_H
#define TAUT_COLLIDE_SHAPE_H

#include "taut.h"

/* A collider where it is at the end of one substep, and how it moved there. */
typedef struct tt_shape {
    taut_shape shape;
    float a[3], b[3], normal[3], radius;
    float da[3], db[3];  /* motion of a and b over the substep, m  */
    float turn[3];       /* spin * h, rad                          */
    float friction;
} tt_shape;

/* A collider in the world. `now` is reached, `target` is where the next step ends. */
typedef struct tt_collider {
    bool used;
    taut_collider_def now, target;
} tt_collider;

bool tt_collider_check(const taut_collider_def *def, taut_error *error);

/* The collider at fraction `to` of the way from now to target; it was at `from` a substep of h ago. */
tt_shape tt_collider_between(const tt_collider *collider, float from, float to, float h);

#endif
