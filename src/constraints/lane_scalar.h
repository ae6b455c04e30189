/* One lane: plain C, for machines without vectors and, in double, for the oracle. */
#ifndef TAUT_CONSTRAINTS_LANE_SCALAR_H
#define TAUT_CONSTRAINTS_LANE_SCALAR_H

#include <math.h>
#include <stdbool.h>

enum { LANES = 1 };
typedef real lane;
typedef bool mask;

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return s; }
TT_INLINE lane lane_load(const real *a) { return *a; }
TT_INLINE void lane_store(real *a, lane v) { *a = v; }
#if defined(TT_ISA_DOUBLE)
TT_INLINE lane lane_sqrt(lane v) { return sqrt(v); }
TT_INLINE lane lane_abs(lane a) { return fabs(a); }
#else
TT_INLINE lane lane_sqrt(lane v) { return sqrtf(v); }
TT_INLINE lane lane_abs(lane a) { return fabsf(a); }
#endif
TT_INLINE mask lane_less(lane a, lane b) { return a < b; }
TT_INLINE lane lane_select(mask m, lane a, lane b) { return m ? a : b; }
TT_INLINE lane lane_min(lane a, lane b) { return lane_select(lane_less(a, b), a, b); }
TT_INLINE lane lane_max(lane a, lane b) { return lane_select(lane_less(b, a), a, b); }
TT_INLINE mask mask_and(mask a, mask b) { return a && b; }
TT_INLINE mask mask_or(mask a, mask b) { return a || b; }
TT_INLINE bool mask_any(mask m) { return m; }

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    const real *a = p + offset[0];
    *q = (quad){a[0], a[1], a[2], a[3]};
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    real *a = p + offset[0];
    a[0] = q->x, a[1] = q->y, a[2] = q->z, a[3] = q->w;
}

TT_INLINE lane row_load(const real *p, const uint32_t *offset, int i) { return p[offset[0] + (uint32_t)i]; }
TT_INLINE void row_store(real *p, const uint32_t *offset, int i, lane v) { p[offset[0] + (uint32_t)i] = v; }
TT_INLINE lane row_all(lane v, int i) { return (void)i, v; }
TT_INLINE lane row_without_w(lane v, int i) { return i < 3 ? v : 0; }
TT_INLINE void transpose(lane *row) { (void)row; }

#endif
