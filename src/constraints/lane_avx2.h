/* Eight lanes. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_H
#define TAUT_CONSTRAINTS_LANE_AVX2_H

#include <immintrin.h>
#include <stdbool.h>

enum { LANES = 8 };
typedef __m256 lane;
typedef __m256 mask;

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return _mm256_set1_ps(s); }
TT_INLINE lane lane_load(const real *a) { return _mm256_load_ps(a); }
TT_INLINE void lane_store(real *a, lane v) { _mm256_store_ps(a, v); }
TT_INLINE lane lane_sqrt(lane v) { return _mm256_sqrt_ps(v); }
TT_INLINE mask lane_less(lane a, lane b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
TT_INLINE lane lane_select(mask m, lane a, lane b) { return _mm256_blendv_ps(b, a, m); }
TT_INLINE mask mask_and(mask a, mask b) { return _mm256_and_ps(a, b); }
TT_INLINE mask mask_or(mask a, mask b) { return _mm256_or_ps(a, b); }
TT_INLINE bool mask_any(mask m) { return _mm256_movemask_ps(m) != 0; }

/* The 4x4 transpose of each half; its own inverse. */
TT_INLINE void transpose(lane *a, lane *b, lane *c, lane *d)
{
    lane ab = _mm256_unpacklo_ps(*a, *b), AB = _mm256_unpackhi_ps(*a, *b);
    lane cd = _mm256_unpacklo_ps(*c, *d), CD = _mm256_unpackhi_ps(*c, *d);
    *a = _mm256_shuffle_ps(ab, cd, 0x44);
    *b = _mm256_shuffle_ps(ab, cd, 0xee);
    *c = _mm256_shuffle_ps(AB, CD, 0x44);
    *d = _mm256_shuffle_ps(AB, CD, 0xee);
}

/* Two particles, four lanes apart. */
TT_INLINE lane load_pair(const real *p, const uint32_t *offset)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p + offset[0])),
                                _mm_load_ps(p + offset[4]), 1);
}

TT_INLINE void store_pair(real *p, const uint32_t *offset, lane v)
{
    _mm_store_ps(p + offset[0], _mm256_castps256_ps128(v));
    _mm_store_ps(p + offset[4], _mm256_extractf128_ps(v, 1));
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    q->x = load_pair(p, offset), q->y = load_pair(p, offset + 1);
    q->z = load_pair(p, offset + 2), q->w = load_pair(p, offset + 3);
    transpose(&q->x, &q->y, &q->z, &q->w);
}

TT_INLINE void scatter(real *p, const uint32_t *offset, int live, const quad *q)
{
    lane r[4] = {q->x, q->y, q->z, q->w};
    transpose(&r[0], &r[1], &r[2], &r[3]);
    if (live >= LANES) {
        for (int i = 0; i < 4; i++) store_pair(p, offset + i, r[i]);
        return;
    }
    for (int i = 0; i < live; i++)
        _mm_store_ps(p + offset[i], i < 4 ? _mm256_castps256_ps128(r[i & 3])
                                          : _mm256_extractf128_ps(r[i & 3], 1));
}

#endif
