/* Eight lanes in one register, for kernels with so many values that sixteen lanes of them do not fit into the
 * registers. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_NARROW_H
#define TAUT_CONSTRAINTS_LANE_AVX2_NARROW_H

#include "constraints/lane_avx2_eight.h"

#include <stdbool.h>

enum { LANES = 8 };
typedef float lane __attribute__((vector_size(32)));
typedef int32_t mask __attribute__((vector_size(32)));

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return (lane)_mm256_set1_ps(s); }
TT_INLINE lane lane_load(const real *a) { return (lane)_mm256_load_ps(a); }
TT_INLINE void lane_store(real *a, lane v) { _mm256_store_ps(a, (__m256)v); }
TT_INLINE lane lane_sqrt(lane v) { return (lane)_mm256_sqrt_ps((__m256)v); }
TT_INLINE lane lane_min(lane a, lane b) { return (lane)_mm256_min_ps((__m256)a, (__m256)b); }
TT_INLINE lane lane_max(lane a, lane b) { return (lane)_mm256_max_ps((__m256)a, (__m256)b); }
TT_INLINE mask lane_less(lane a, lane b) { return (mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ); }
TT_INLINE lane lane_select(mask m, lane a, lane b)
{
    return (lane)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
TT_INLINE mask mask_and(mask a, mask b) { return a & b; }
TT_INLINE mask mask_or(mask a, mask b) { return a | b; }
TT_INLINE bool mask_any(mask m) { return _mm256_movemask_ps((__m256)m) != 0; }

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    __m256 r[4];
    load_eight(p, offset, r);
    *q = (quad){(lane)r[0], (lane)r[1], (lane)r[2], (lane)r[3]};
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    __m256 r[4] = {(__m256)q->x, (__m256)q->y, (__m256)q->z, (__m256)q->w};
    store_eight(p, offset, r);
}

TT_INLINE lane row_load(const real *p, const uint32_t *offset, int i) { return (lane)row_load_eight(p, offset + i); }
TT_INLINE void row_store(real *p, const uint32_t *offset, int i, lane v) { row_store_eight(p, offset + i, (__m256)v); }
TT_INLINE lane row_all(lane v, int i) { return (lane)row_all_eight((__m256)v, i); }
TT_INLINE lane row_without_w(lane v, int i) { return (void)i, (lane)row_without_w_eight((__m256)v); }
TT_INLINE void transpose(lane *row) { transpose_eight((__m256 *)row); }

#endif
