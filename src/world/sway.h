/* The sway of a body: the shift, turn, stretch and shear of the whole that fits its velocities best. */
#ifndef TAUT_WORLD_SWAY_H
#define TAUT_WORLD_SWAY_H

#include "base/vec.h"

/* Sums over particles of mass m at x with velocity v. */
typedef struct tt_sway_sums {
    double mass;
    vec3 place, linear; /* m x, m v                                */
    vec3 spread[3];     /* m x x^T                                 */
    vec3 flow[3];       /* m v x^T: a row for each component of v  */
} tt_sway_sums;

/* The velocity at x is linear + gradient (x - centre). */
typedef struct tt_sway {
    vec3 centre, linear, gradient[3];
    double size; /* m: root mean square of the distances from the centre; 0: there is no sway */
} tt_sway;

/* The line from which a body hangs: all its pins are on it. */
typedef struct tt_axis {
    vec3 point, direction; /* direction: of length 1, or 0 if there is no such line */
    vec3 turn;             /* rad: the turn about the line that undoes the turn by the constraints */
} tt_axis;

#endif
