/* Eight particles in four registers, for both widths of AVX2. */
#ifndef TAUT_CONSTRAINTS_LANE_AVX2_EIGHT_H
#define TAUT_CONSTRAINTS_LANE_AVX2_EIGHT_H

#include <immintrin.h>

/* The 4x4 transpose of each half; its own inverse. */
TT_INLINE void transpose_eight(__m256 r[4])
{
    __m256 ab = _mm256_unpacklo_ps(r[0], r[1]), AB = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 cd = _mm256_unpacklo_ps(r[2], r[3]), CD = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    r[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    r[2] = _mm256_shuffle_ps(AB, CD, 0x44);
    r[3] = _mm256_shuffle_ps(AB, CD, 0xee);
}

TT_INLINE void load_eight(const real *p, const uint32_t *offset, __m256 r[4])
{
    TT_UNROLL
    for (int i = 0; i < 4; i++)
        r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p + offset[i])),
                                    _mm_load_ps(p + offset[i + 4]), 1);
    transpose_eight(r);
}

TT_INLINE void store_eight(real *p, const uint32_t *offset, __m256 r[4])
{
    transpose_eight(r);
    TT_UNROLL
    for (int i = 0; i < 4; i++) {
        _mm_store_ps(p + offset[i], _mm256_castps256_ps128(r[i]));
        _mm_store_ps(p + offset[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
}

/* Rows of lane.h. `offset` is that of the row's first lane. */
TT_INLINE __m256 row_load_eight(const real *p, const uint32_t *offset)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(p + offset[0])), _mm_load_ps(p + offset[4]), 1);
}

TT_INLINE void row_store_eight(real *p, const uint32_t *offset, __m256 v)
{
    _mm_store_ps(p + offset[0], _mm256_castps256_ps128(v));
    _mm_store_ps(p + offset[4], _mm256_extractf128_ps(v, 1));
}

TT_INLINE __m256 row_all_eight(__m256 v, int i)
{
    if (i == 0) return _mm256_permute_ps(v, 0x00);
    if (i == 1) return _mm256_permute_ps(v, 0x55);
    return i == 2 ? _mm256_permute_ps(v, 0xaa) : _mm256_permute_ps(v, 0xff);
}

TT_INLINE __m256 row_without_w_eight(__m256 v) { return _mm256_blend_ps(v, _mm256_setzero_ps(), 0x88); }

#endif
