/* Sixteen lanes in two registers. The chain of dependent operations of one projection is long (square roots,
 * divisions); two independent halves at a time keep the machine busy where eight lanes left it waiting. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_H
#define TAUT_CONSTRAINTS_LANE_AVX2_H

#include <immintrin.h>
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

/* The 4x4 transpose of each quarter; its own inverse. */
TT_INLINE void transpose(__m256 *a, __m256 *b, __m256 *c, __m256 *d)
{
    __m256 ab = _mm256_unpacklo_ps(*a, *b), AB = _mm256_unpackhi_ps(*a, *b);
    __m256 cd = _mm256_unpacklo_ps(*c, *d), CD = _mm256_unpackhi_ps(*c, *d);
    *a = _mm256_shuffle_ps(ab, cd, 0x44);
    *b = _mm256_shuffle_ps(ab, cd, 0xee);
    *c = _mm256_shuffle_ps(AB, CD, 0x44);
    *d = _mm256_shuffle_ps(AB, CD, 0xee);
}

/* Two particles, four lanes apart. */
TT_INLINE __m256 load_pair(const real *p, const uint32_t *offset)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p + offset[0])),
                                _mm_load_ps(p + offset[4]), 1);
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    __m256 r[2][4];
    TT_UNROLL
    for (int h = 0; h < 2; h++) {
        TT_UNROLL
        for (int i = 0; i < 4; i++) r[h][i] = load_pair(p, offset + 8 * h + i);
        transpose(&r[h][0], &r[h][1], &r[h][2], &r[h][3]);
    }
    __m256 *half = (__m256 *)q;
    TT_UNROLL
    for (int i = 0; i < 4; i++) half[2 * i] = r[0][i], half[2 * i + 1] = r[1][i];
}

/* Half a block; `live` of its eight lanes are stored. */
TT_INLINE void store_half(real *p, const uint32_t *offset, int live, __m256 x, __m256 y, __m256 z, __m256 w)
{
    __m256 r[4] = {x, y, z, w};
    transpose(&r[0], &r[1], &r[2], &r[3]);
    TT_UNROLL
    for (int i = 0; i < 4; i++) {
        if (live > i) _mm_store_ps(p + offset[i], _mm256_castps256_ps128(r[i]));
        if (live > i + 4) _mm_store_ps(p + offset[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
}

TT_INLINE void scatter(real *p, const uint32_t *offset, int live, const quad *q)
{
    halves x = {.v = q->x}, y = {.v = q->y}, z = {.v = q->z}, w = {.v = q->w};
    if (live >= LANES) {
        store_half(p, offset, 8, x.half[0], y.half[0], z.half[0], w.half[0]);
        store_half(p, offset + 8, 8, x.half[1], y.half[1], z.half[1], w.half[1]);
    } else {
        store_half(p, offset, live, x.half[0], y.half[0], z.half[0], w.half[0]);
        store_half(p, offset + 8, live - 8, x.half[1], y.half[1], z.half[1], w.half[1]);
    }
}

#endif
