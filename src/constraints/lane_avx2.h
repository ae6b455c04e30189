/* Sixteen lanes in two registers. The chain of dependent operations of one projection is long (square roots,
 * divisions). Two independent halves at a time keep the machine busy, where with eight lanes it would wait. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_H
#define TAUT_CONSTRAINTS_LANE_AVX2_H

#include "constraints/lane_avx2_eight.h"

#include <stdbool.h>

enum { LANES = 16 };
typedef float lane __attribute__((vector_size(64)));
typedef int32_t mask __attribute__((vector_size(64)));

typedef struct quad {
    lane x, y, z, w;
} quad;

typedef union halves {
    lane v;
    mask m;
    __m256 half[2];
} halves;

TT_INLINE lane lane_join(__m256 low, __m256 high) { return (halves){.half = {low, high}}.v; }

TT_INLINE lane lane_all(real s)
{
    __m256 v = _mm256_set1_ps(s);
    return lane_join(v, v);
}
TT_INLINE lane lane_load(const real *a) { return lane_join(_mm256_load_ps(a), _mm256_load_ps(a + 8)); }
TT_INLINE void lane_store(real *a, lane v)
{
    halves h = {.v = v};
    _mm256_store_ps(a, h.half[0]);
    _mm256_store_ps(a + 8, h.half[1]);
}
TT_INLINE lane lane_sqrt(lane v)
{
    halves h = {.v = v};
    return lane_join(_mm256_sqrt_ps(h.half[0]), _mm256_sqrt_ps(h.half[1]));
}
TT_INLINE lane lane_min(lane a, lane b)
{
    halves x = {.v = a}, y = {.v = b};
    return lane_join(_mm256_min_ps(x.half[0], y.half[0]), _mm256_min_ps(x.half[1], y.half[1]));
}
TT_INLINE lane lane_max(lane a, lane b)
{
    halves x = {.v = a}, y = {.v = b};
    return lane_join(_mm256_max_ps(x.half[0], y.half[0]), _mm256_max_ps(x.half[1], y.half[1]));
}
TT_INLINE mask lane_less(lane a, lane b)
{
    halves x = {.v = a}, y = {.v = b};
    return (halves){.half = {_mm256_cmp_ps(x.half[0], y.half[0], _CMP_LT_OQ),
                             _mm256_cmp_ps(x.half[1], y.half[1], _CMP_LT_OQ)}}.m;
}
TT_INLINE lane lane_select(mask m, lane a, lane b)
{
    halves h = {.m = m}, x = {.v = a}, y = {.v = b};
    return lane_join(_mm256_blendv_ps(y.half[0], x.half[0], h.half[0]),
                     _mm256_blendv_ps(y.half[1], x.half[1], h.half[1]));
}
TT_INLINE mask mask_and(mask a, mask b) { return a & b; }
TT_INLINE mask mask_or(mask a, mask b) { return a | b; }
TT_INLINE bool mask_any(mask m)
{
    halves h = {.m = m};
    return (_mm256_movemask_ps(h.half[0]) | _mm256_movemask_ps(h.half[1])) != 0;
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    __m256 low[4], high[4], *half = (__m256 *)q;
    load_eight(p, offset, low);
    load_eight(p, offset + 8, high);
    TT_UNROLL
    for (int i = 0; i < 4; i++) half[2 * i] = low[i], half[2 * i + 1] = high[i];
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    halves x = {.v = q->x}, y = {.v = q->y}, z = {.v = q->z}, w = {.v = q->w};
    __m256 low[4] = {x.half[0], y.half[0], z.half[0], w.half[0]};
    __m256 high[4] = {x.half[1], y.half[1], z.half[1], w.half[1]};
    store_eight(p, offset, low);
    store_eight(p, offset + 8, high);
}

#endif
