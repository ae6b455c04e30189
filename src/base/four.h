/* Four floats at once: the numbers of one particle. Compilers make of them what the processor has. Each number is
 * rounded as it would be alone, so the bits are the same everywhere. */
#ifndef TAUT_BASE_FOUR_H
#define TAUT_BASE_FOUR_H

#include <string.h>

typedef float tt_four __attribute__((vector_size(16)));

static inline tt_four tt_four_of(const float *a)
{
    tt_four four;
    memcpy(&four, a, sizeof four);
    return four;
}

static inline void tt_four_to(float *a, tt_four four) { memcpy(a, &four, sizeof four); }

static inline tt_four tt_four_all(float a) { return (tt_four){a, a, a, a}; }

/* The product of the first three numbers. */
static inline float tt_four_dot(tt_four a, tt_four b)
{
    tt_four product = a * b;
    return product[0] + product[1] + product[2];
}

#endif
