/* A point that rides on a collider: it moves and turns with the surface. */
#ifndef TAUT_COLLIDE_RIDE_H
#define TAUT_COLLIDE_RIDE_H

#include "collide/collider.h"

/* The place of the point when a step begins. */
typedef struct tt_ride {
    double along;  /* the fraction of the way from a to b, if the collider has both */
    double arm[3]; /* m: from there to the point, in the world's directions  */
    int triangle;  /* of a mesh: it rides on this triangle, and `arm` is in the directions of the triangle. -1: none */
    double weight[3]; /* of its corners */
} tt_ride;

/* The ride of a point in the world, on the collider as it is now. The boxes of a mesh must be up to date. */
tt_ride tt_ride_of(const tt_collider *collider, const double point[3]);
/* The point at fraction `to` of the step, `time` seconds after its beginning. */
void tt_ride_at(const tt_collider *collider, const tt_ride *ride, double to, double time, double point[3]);
/* The ride when the step of dt is over. */
tt_ride tt_ride_after(const tt_collider *collider, const tt_ride *ride, double dt);

#endif
