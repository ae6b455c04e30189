/* Sixteen lanes: a whole block at once. With TT_SIMDE_AVX512 the same code runs in emulation, for tests on machines
 * without these instructions. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX512_H
#define TAUT_CONSTRAINTS_LANE_AVX512_H

#if defined(TT_SIMDE_AVX512)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
typedef simde__mmask16 mask;
#else
#include <immintrin.h>
typedef __mmask16 mask;
#endif
#include <stdbool.h>

enum { LANES = 16 };
typedef __m512 lane;

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return _mm512_set1_ps(s); }
TT_INLINE lane lane_load(const real *a) { return _mm512_load_ps(a); }
TT_INLINE void lane_store(real *a, lane v) { _mm512_store_ps(a, v); }
TT_INLINE lane lane_sqrt(lane v) { return _mm512_sqrt_ps(v); }
TT_INLINE lane lane_min(lane a, lane b) { return _mm512_min_ps(a, b); }
TT_INLINE lane lane_max(lane a, lane b) { return _mm512_max_ps(a, b); }
TT_INLINE mask lane_less(lane a, lane b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
TT_INLINE lane lane_select(mask m, lane a, lane b) { return _mm512_mask_blend_ps(m, b, a); }
TT_INLINE mask mask_and(mask a, mask b) { return (mask)(a & b); }
TT_INLINE mask mask_or(mask a, mask b) { return (mask)(a | b); }
TT_INLINE bool mask_any(mask m) { return m != 0; }

/* The 4x4 transpose of each quarter; its own inverse. */
TT_INLINE void transpose_four(lane *a, lane *b, lane *c, lane *d)
{
    lane ab = _mm512_unpacklo_ps(*a, *b), AB = _mm512_unpackhi_ps(*a, *b);
    lane cd = _mm512_unpacklo_ps(*c, *d), CD = _mm512_unpackhi_ps(*c, *d);
    *a = _mm512_shuffle_ps(ab, cd, 0x44);
    *b = _mm512_shuffle_ps(ab, cd, 0xee);
    *c = _mm512_shuffle_ps(AB, CD, 0x44);
    *d = _mm512_shuffle_ps(AB, CD, 0xee);
}

/* Four particles, four lanes apart. */
TT_INLINE lane load_four(const real *p, const uint32_t *offset)
{
    __m256 low = _mm256_castps128_ps256(_mm_load_ps(p + offset[0]));
    __m256 high = _mm256_castps128_ps256(_mm_load_ps(p + offset[8]));
    low = _mm256_insertf128_ps(low, _mm_load_ps(p + offset[4]), 1);
    high = _mm256_insertf128_ps(high, _mm_load_ps(p + offset[12]), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

TT_INLINE void store_four(real *p, const uint32_t *offset, lane v)
{
    _mm_store_ps(p + offset[0], _mm512_castps512_ps128(v));
    _mm_store_ps(p + offset[4], _mm512_extractf32x4_ps(v, 1));
    _mm_store_ps(p + offset[8], _mm512_extractf32x4_ps(v, 2));
    _mm_store_ps(p + offset[12], _mm512_extractf32x4_ps(v, 3));
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    q->x = load_four(p, offset), q->y = load_four(p, offset + 1);
    q->z = load_four(p, offset + 2), q->w = load_four(p, offset + 3);
    transpose_four(&q->x, &q->y, &q->z, &q->w);
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    lane r[4] = {q->x, q->y, q->z, q->w};
    transpose_four(&r[0], &r[1], &r[2], &r[3]);
    TT_UNROLL
    for (int i = 0; i < 4; i++) store_four(p, offset + i, r[i]);
}

TT_INLINE lane row_load(const real *p, const uint32_t *offset, int i) { return load_four(p, offset + i); }
TT_INLINE void row_store(real *p, const uint32_t *offset, int i, lane v) { store_four(p, offset + i, v); }
TT_INLINE lane row_all(lane v, int i)
{
    if (i == 0) return _mm512_shuffle_ps(v, v, 0x00);
    if (i == 1) return _mm512_shuffle_ps(v, v, 0x55);
    return i == 2 ? _mm512_shuffle_ps(v, v, 0xaa) : _mm512_shuffle_ps(v, v, 0xff);
}
TT_INLINE lane row_without_w(lane v, int i)
{
    (void)i;
    return _mm512_maskz_mov_ps(0x7777, v);
}
TT_INLINE void transpose(lane *row) { transpose_four(&row[0], &row[1], &row[2], &row[3]); }

#endif
