/* Four lanes: every x86-64. */
#ifndef TAUT_CONSTRAINTS_LANE_SSE2_H
#define TAUT_CONSTRAINTS_LANE_SSE2_H

#include <emmintrin.h>
#include <stdbool.h>

enum { LANES = 4 };
typedef __m128 lane;
typedef __m128 mask;

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return _mm_set1_ps(s); }
TT_INLINE lane lane_load(const real *a) { return _mm_load_ps(a); }
TT_INLINE void lane_store(real *a, lane v) { _mm_store_ps(a, v); }
TT_INLINE lane lane_sqrt(lane v) { return _mm_sqrt_ps(v); }
TT_INLINE lane lane_min(lane a, lane b) { return _mm_min_ps(a, b); }
TT_INLINE lane lane_max(lane a, lane b) { return _mm_max_ps(a, b); }
TT_INLINE mask lane_less(lane a, lane b) { return _mm_cmplt_ps(a, b); }
TT_INLINE lane lane_select(mask m, lane a, lane b)
{
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
TT_INLINE mask mask_and(mask a, mask b) { return _mm_and_ps(a, b); }
TT_INLINE mask mask_or(mask a, mask b) { return _mm_or_ps(a, b); }
TT_INLINE bool mask_any(mask m) { return _mm_movemask_ps(m) != 0; }

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    __m128 a = _mm_load_ps(p + offset[0]), b = _mm_load_ps(p + offset[1]);
    __m128 c = _mm_load_ps(p + offset[2]), d = _mm_load_ps(p + offset[3]);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    *q = (quad){a, b, c, d};
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    __m128 a = q->x, b = q->y, c = q->z, d = q->w;
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_store_ps(p + offset[0], a);
    _mm_store_ps(p + offset[1], b);
    _mm_store_ps(p + offset[2], c);
    _mm_store_ps(p + offset[3], d);
}

TT_INLINE lane row_load(const real *p, const uint32_t *offset, int i) { return _mm_load_ps(p + offset[i]); }
TT_INLINE void row_store(real *p, const uint32_t *offset, int i, lane v) { _mm_store_ps(p + offset[i], v); }
TT_INLINE lane row_all(lane v, int i)
{
    if (i == 0) return _mm_shuffle_ps(v, v, 0x00);
    if (i == 1) return _mm_shuffle_ps(v, v, 0x55);
    return i == 2 ? _mm_shuffle_ps(v, v, 0xaa) : _mm_shuffle_ps(v, v, 0xff);
}
TT_INLINE lane row_without_w(lane v, int i)
{
    (void)i;
    return _mm_and_ps(v, _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0)));
}
TT_INLINE void transpose(lane *row) { _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]); }

#endif
