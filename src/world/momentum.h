/* The sums from which the momentum of a body follows. */
#ifndef TAUT_WORLD_MOMENTUM_H
#define TAUT_WORLD_MOMENTUM_H

#include "base/vec.h"

/* Sums over particles of mass m at x that move by d. */
typedef struct tt_motion {
    double mass;
    vec3 place, linear, angular;   /* m x, m d, m x cross d */
    double xx, yy, zz, xy, yz, xz; /* m x x^T               */
} tt_motion;

#endif
