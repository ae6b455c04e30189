/* The shadow of draped cloth from above, and the folds of its rim. */
#ifndef BENCH_OUTLINE_H
#define BENCH_OUTLINE_H

#include <stdbool.h>

enum { OUTLINE_SECTORS = 1440 }; /* a quarter of a degree each */

/* The shadow of lines, which has to be star-shaped around the origin: the distance out to which each sector is hidden.
 * It begins as {0}. */
typedef struct outline_shadow {
    double far[OUTLINE_SECTORS];
} outline_shadow;

/* Adds the line from a to b (each x and z). It hides the rays that it crosses, out to the crossing. */
void outline_cast(outline_shadow *shadow, const double a[2], const double b[2]);
/* m^2 */
double outline_area(const outline_shadow *shadow);

/* The number of folds of a profile of n heights: it counts turns after the profile went up or down by more than
 * `prominence`. A closed profile goes on from its last height to its first, and a fold is two turns, down and up. */
int outline_folds(const double *height, int n, double prominence, bool closed);

#endif
