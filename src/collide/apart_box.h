/* Arithmetic with boxes, all coordinates at once. */
#ifndef TAUT_COLLIDE_APART_BOX_H
#define TAUT_COLLIDE_APART_BOX_H

#include "collide/apart.h"

#include <string.h>

typedef int32_t tt_four_bits __attribute__((vector_size(16)));

static inline tt_four tt_least(tt_four a, tt_four b)
{
    tt_four_bits less = a < b;
    return (tt_four)((less & (tt_four_bits)a) | (~less & (tt_four_bits)b));
}

static inline tt_four tt_most(tt_four a, tt_four b)
{
    tt_four_bits more = a > b;
    return (tt_four)((more & (tt_four_bits)a) | (~more & (tt_four_bits)b));
}

static inline tt_apart_box tt_around(tt_apart_box a, tt_apart_box b)
{
    return (tt_apart_box){tt_least(a.low, b.low), tt_most(a.high, b.high)};
}

/* The box of a feature with half the thickness around it. */
static inline tt_apart_box tt_grown(tt_apart_box a)
{
    tt_four by = {a.high[3], a.high[3], a.high[3], 0};
    return (tt_apart_box){a.low - by, a.high + by};
}

/* Has no branches, because processors could not predict which comparison fails. The fourth numbers always pass. */
static inline bool tt_overlap(const tt_apart_box *a, const tt_apart_box *b)
{
    tt_four_bits yes = (a->low <= b->high) & (b->low <= a->high);
    uint64_t half[2];
    memcpy(half, &yes, sizeof half);
    return (half[0] & half[1]) == UINT64_MAX;
}

#endif
