/* Processor time of the calling thread, ms; other programs on the machine do not count. A file compiled with strict
 * -std=c17 defines _POSIX_C_SOURCE (200809L) before its first include. */
#ifndef BENCH_OWN_CLOCK_H
#define BENCH_OWN_CLOCK_H

#include <time.h>

static inline double own_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

#endif
