/* Random numbers that are the same on every machine. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

/* The state must not be 0. */
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline double uniform(uint32_t *state, double low, double high)
{
    return low + (high - low) * (next_random(state) >> 8) * 0x1p-24;
}

#endif
