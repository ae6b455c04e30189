/* What draped cloth looks like from above, and around its rim. */
#ifndef BENCH_OUTLINE_H
#define BENCH_OUTLINE_H

#include <stdbool.h>

enum { OUTLINE_SECTORS = 1440 }; /* a quarter of a degree each */

/* The shadow of lines, seen from above the origin, if it is star-shaped from there: how far out each sector is hidden.
 * It begins as {0}. */
typedef struct outline_shadow {
    double far[OUTLINE_SECTORS];
} outline_shadow;

/* Casts the line from a to b, each x and z: it hides the rays that it crosses, out to where it crosses them. */
void outline_cast(outline_shadow *shadow, const double a[2], const double b[2]);
/* m^2 */
double outline_area(const outline_shadow *shadow);

/* How many folds a profile of n heights has: how often it turns after it went up or down by more than `prominence`.
 * A closed profile goes on from its last height to its first; there a fold is a turn down and a turn up. */
int outline_folds(const double *height, int n, double prominence, bool closed);

#endif
