/* Capsules as bodies of characters. */
#ifndef PAPERS_CAPSULE_H
#define PAPERS_CAPSULE_H

#include "taut.h"

#include <math.h>

/* How deep a point is in a capsule, m; below 0: outside. */
static inline double capsule_depth(const taut_collider_def *d, const float x[3])
{
    double along = 0, square = 0, distance = 0;
    for (int k = 0; k < 3; k++) {
        double axis = (double)d->b[k] - (double)d->a[k];
        along += axis * ((double)x[k] - (double)d->a[k]);
        square += axis * axis;
    }
    double share = along / square;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int k = 0; k < 3; k++) {
        double near = (double)d->a[k] + share * ((double)d->b[k] - (double)d->a[k]);
        distance += ((double)x[k] - near) * ((double)x[k] - near);
    }
    return (double)d->radius - sqrt(distance);
}

#endif
