/* Vectors of lanes, and the one transcendental function that the kernels need. */
#ifndef TAUT_CONSTRAINTS_LANE_MATH_H
#define TAUT_CONSTRAINTS_LANE_MATH_H

#include "base/exact.h"
#include "constraints/lane.h"

typedef struct lane3 {
    lane x, y, z;
} lane3;

TT_INLINE lane3 lane3_of(quad q) { return (lane3){q.x, q.y, q.z}; }
TT_INLINE lane3 lane3_zero(void) { return (lane3){lane_all(0), lane_all(0), lane_all(0)}; }
TT_INLINE lane3 add3(lane3 a, lane3 b) { return (lane3){a.x + b.x, a.y + b.y, a.z + b.z}; }
TT_INLINE lane3 sub3(lane3 a, lane3 b) { return (lane3){a.x - b.x, a.y - b.y, a.z - b.z}; }
TT_INLINE lane3 scale3(lane s, lane3 a) { return (lane3){s * a.x, s * a.y, s * a.z}; }
TT_INLINE lane dot3(lane3 a, lane3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
TT_INLINE lane3 select3(mask m, lane3 a, lane3 b)
{
    return (lane3){lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.z, b.z)};
}
TT_INLINE lane3 cross3(lane3 a, lane3 b)
{
    return (lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#if defined(TT_ISA_DOUBLE)
TT_INLINE lane lane_atan2(lane y, lane x) { return tt_atan2(y, x); }
#else
/* atan t = t + t^3 Q(t^2) on [0,1]; the coefficients minimise the relative error (1e-7). atan2(0,0) = 0. Usually no
 * angle is above 45 degrees, and then the work for larger angles is skipped. The bits are the same either way. */
TT_INLINE lane lane_atan2(lane y, lane x)
{
    lane ax = lane_abs(x), ay = lane_abs(y), least = ay, most = ax;
    mask steep = lane_less(ax, ay), behind = lane_less(x, lane_all(0));
    const bool narrow = !mask_any(mask_or(steep, behind));
    if (!narrow) least = lane_select(steep, ax, ay), most = lane_select(steep, ay, ax);
    lane t = lane_divide(least, most);
    lane s = t * t;
    lane ss = s * s; /* terms in pairs (Estrin), for a short chain of dependent steps */
    lane q01 = lane_all(-0.33332463f) + lane_all(0.19975608f) * s;
    lane q23 = lane_all(-0.14050376f) + lane_all(0.099954567f) * s;
    lane q45 = lane_all(-0.060609797f) + lane_all(0.025035460f) * s;
    lane q = q01 + ss * (q23 + ss * (q45 + ss * lane_all(-0.0049098553f)));
    lane angle = t + t * (s * q);
    if (!narrow) {
        angle = lane_select(steep, lane_all((real)(TT_PI / 2)) - angle, angle);
        angle = lane_select(behind, lane_all((real)TT_PI) - angle, angle);
    }
    return lane_select(lane_less(y, lane_all(0)), -angle, angle);
}
#endif

#endif
