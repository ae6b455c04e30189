/* Four lanes: every aarch64. */
#ifndef TAUT_CONSTRAINTS_LANE_NEON_H
#define TAUT_CONSTRAINTS_LANE_NEON_H

#include <arm_neon.h>
#include <stdbool.h>

enum { LANES = 4 };
typedef float32x4_t lane;
typedef uint32x4_t mask;

typedef struct quad {
    lane x, y, z, w;
} quad;

TT_INLINE lane lane_all(real s) { return vdupq_n_f32(s); }
TT_INLINE lane lane_load(const real *a) { return vld1q_f32(a); }
TT_INLINE void lane_store(real *a, lane v) { vst1q_f32(a, v); }
TT_INLINE lane lane_sqrt(lane v) { return vsqrtq_f32(v); }
TT_INLINE mask lane_less(lane a, lane b) { return vcltq_f32(a, b); }
TT_INLINE lane lane_select(mask m, lane a, lane b) { return vbslq_f32(m, a, b); }
TT_INLINE lane lane_min(lane a, lane b) { return lane_select(lane_less(a, b), a, b); }
TT_INLINE lane lane_max(lane a, lane b) { return lane_select(lane_less(b, a), a, b); }
TT_INLINE mask mask_and(mask a, mask b) { return vandq_u32(a, b); }
TT_INLINE mask mask_or(mask a, mask b) { return vorrq_u32(a, b); }
TT_INLINE bool mask_any(mask m) { return vmaxvq_u32(m) != 0; }

/* The 4x4 transpose; its own inverse. */
TT_INLINE void transpose_four(lane *a, lane *b, lane *c, lane *d)
{
    float64x2_t ab = vreinterpretq_f64_f32(vzip1q_f32(*a, *b));
    float64x2_t AB = vreinterpretq_f64_f32(vzip2q_f32(*a, *b));
    float64x2_t cd = vreinterpretq_f64_f32(vzip1q_f32(*c, *d));
    float64x2_t CD = vreinterpretq_f64_f32(vzip2q_f32(*c, *d));
    *a = vreinterpretq_f32_f64(vzip1q_f64(ab, cd));
    *b = vreinterpretq_f32_f64(vzip2q_f64(ab, cd));
    *c = vreinterpretq_f32_f64(vzip1q_f64(AB, CD));
    *d = vreinterpretq_f32_f64(vzip2q_f64(AB, CD));
}

TT_INLINE void gather(const real *p, const uint32_t *offset, quad *q)
{
    *q = (quad){vld1q_f32(p + offset[0]), vld1q_f32(p + offset[1]), vld1q_f32(p + offset[2]),
                vld1q_f32(p + offset[3])};
    transpose_four(&q->x, &q->y, &q->z, &q->w);
}

TT_INLINE void scatter(real *p, const uint32_t *offset, const quad *q)
{
    quad r = *q;
    transpose_four(&r.x, &r.y, &r.z, &r.w);
    vst1q_f32(p + offset[0], r.x);
    vst1q_f32(p + offset[1], r.y);
    vst1q_f32(p + offset[2], r.z);
    vst1q_f32(p + offset[3], r.w);
}

TT_INLINE lane row_load(const real *p, const uint32_t *offset, int i) { return vld1q_f32(p + offset[i]); }
TT_INLINE void row_store(real *p, const uint32_t *offset, int i, lane v) { vst1q_f32(p + offset[i], v); }
TT_INLINE lane row_all(lane v, int i)
{
    if (i == 0) return vdupq_laneq_f32(v, 0);
    if (i == 1) return vdupq_laneq_f32(v, 1);
    return i == 2 ? vdupq_laneq_f32(v, 2) : vdupq_laneq_f32(v, 3);
}
TT_INLINE lane row_without_w(lane v, int i)
{
    (void)i;
    return vsetq_lane_f32(0, v, 3);
}
TT_INLINE void transpose(lane *row) { transpose_four(&row[0], &row[1], &row[2], &row[3]); }

#endif
