/* Sifting: most pairs of features whose boxes overlap are still far from each other. A kernel leaves these out. */
#ifndef TAUT_COLLIDE_SIFT_H
#define TAUT_COLLIDE_SIFT_H

#include "constraints/real.h"

#include <stdbool.h>
#include <stdint.h>

enum { TT_SIFT = 128 }; /* a multiple of LANES */

/* A computed gap is wrong by less than half of this share of the extents of the pair's boxes, summed. */
#define TT_ROUNDING 9.6e-7f

/* Pairs of one kind. `from`, `to` and `room` have 4 numbers a particle: the ends of the way of the middle of its box,
 * and half the size of that box. */
typedef struct tt_sift {
    const real *from, *to, *room;
    float far, margin, near; /* boxes that far apart need nothing; pairs as close as `near` are kept */
    bool watched;                  /* the pairs need certificates           */
    int count;
    int particle[4][TT_SIFT]; /* as in a tt_apart_pair */
    uint8_t kept[TT_SIFT];    /* the answer            */
} tt_sift;

/* Leaves out the pairs that an axis separates: sets `kept` to 1 for all others. */
typedef void tt_sift_pairs(tt_sift *sift);

#endif
