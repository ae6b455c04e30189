/* Momentum and energy of bodies, and their motion as a whole. */
#ifndef TAUT_WORLD_MOMENTUM_H
#define TAUT_WORLD_MOMENTUM_H

#include "base/vec.h"

#include <stdbool.h>

/* Sums over particles of mass m at x that move by d. */
typedef struct tt_motion {
    double mass, energy;           /* m, m d.d / 2             */
    vec3 place, linear, angular;   /* m x, m d, m x cross d    */
    double xx, yy, zz, xy, yz, xz; /* m x x^T                  */
} tt_motion;

/* A shift, and a turn about a centre. */
typedef struct tt_rigid {
    vec3 shift, turn, centre;
} tt_rigid;

struct tt_body;

void tt_motion_add(tt_motion *sum, double m, vec3 x, vec3 d);

/* The sum of all parts, in their order, so that it does not matter which threads made them. */
tt_motion tt_sum_of_parts(const tt_motion *part, int count);
vec3 tt_angular_about_centre(const tt_motion *s);
/* The rigid motion of the particles of `s` that has this momentum; the angular one is about the centre of mass. It is
 * zero if the body is a point, or if a number is not finite: a bad particle must not spoil the others. */
tt_rigid tt_rigid_motion(const tt_motion *s, vec3 linear, vec3 angular);
/* The same for a body that keeps turning. A second pass removes the error of the first, a ten-millionth. */
tt_rigid tt_whole_motion(const tt_motion *s, vec3 linear, vec3 angular);
vec3 tt_rigid_at(const tt_rigid *r, vec3 x);
/* Whether neither pins nor colliders take momentum from the body. */
bool tt_body_is_loose(const struct tt_body *body);

#endif
