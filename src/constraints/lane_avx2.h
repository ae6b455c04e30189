/* Eight lanes in one register. Sixteen in two would hide more of the time that roots and divisions take, but sixteen
 * registers do not hold the particles of such a go, and what is put aside and fetched again costs more than that. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_H
#define TAUT_CONSTRAINTS_LANE_AVX2_H

#include <immintrin.h>
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
TT_INLINE mask lane_less(lane a, lane b) { return (mask)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ); }
TT_INLINE lane lane_select(mask m, lane a, lane b)
{
    return (lane)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
TT_INLINE mask mask_and(mask a, mask b) { return a & b; }
TT_INLINE mask mask_or(mask a, mask b) { return a | b; }
TT_INLINE bool mask_any(mask m) { return _mm256_movemask_ps((__m256)m) != 0; }

/* The 4x4 transpose of each half; its own inverse. */
TT_INLINE void transpose(__m256 r[4])
{
    __m256 ab = _mm256_unpacklo_ps(r[0], r[1]), AB = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 cd = _mm256_unpacklo_ps(r[2], r[3]), CD = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    r[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    r[2] = _mm256_shuffle_ps(AB, CD, 0x44);
    r[3] = _mm256_shuffle_ps(AB, CD, 0xee);
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    __m256 r[4];
    TT_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p + offset[i])),
                                    _mm_load_ps(p + offset[i + 4]), 1);
    transpose(r);
    *q = (quad){(lane)r[0], (lane)r[1], (lane)r[2], (lane)r[3]};
}

/* `live` is a constant where all are. */
TT_INLINE void scatter_live(real *p, const uint32_t *offset, int live, const quad *q)
{
    __m256 r[4] = {(__m256)q->x, (__m256)q->y, (__m256)q->z, (__m256)q->w};
    transpose(r);
    TT_UNROLL
    for (int i = 0; i < 4; i++) {
        if (live > i) _mm_store_ps(p + offset[i], _mm256_castps256_ps128(r[i]));
        if (live > i + 4) _mm_store_ps(p + offset[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
}

TT_INLINE void scatter(real *p, const uint32_t *offset, int live, const quad *q)
{
    if (live >= LANES) scatter_live(p, offset, LANES, q);
    else scatter_live(p, offset, live, q);
}

#endif
