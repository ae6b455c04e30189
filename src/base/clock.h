/* Time for statistics and for spinning; never part of a result. */
#ifndef TAUT_BASE_CLOCK_H
#define TAUT_BASE_CLOCK_H

#include <time.h>

/* Milliseconds since some fixed moment; never goes back. Strict -std=c17 hides clock_gettime: a file compiled that way
 * defines _POSIX_C_SOURCE (200809L) before its first include. */
static inline double tt_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Adds the time since *since to *total, and sets *since to now. Does nothing if `total` is NULL. */
static inline void tt_lap(double *total, double *since)
{
    if (!total) return;
    double now = tt_clock();
    *total += now - *since;
    *since = now;
}

#endif
