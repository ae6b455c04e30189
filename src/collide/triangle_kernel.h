/* The points of triangles nearest to particles. */
#ifndef TAUT_COLLIDE_TRIANGLE_KERNEL_H
#define TAUT_COLLIDE_TRIANGLE_KERNEL_H

#include "collide/contact_kernel.h"

/* Whether a <= 0; the smallest positive numbers count as 0. */
TT_INLINE mask at_most_zero(lane a) { return lane_less(a, lane_all(1e-36f)); }

/* A point of a triangle a b c: a + s (b - a) + t (c - a). */
typedef struct shares {
    lane s, t;
} shares;

TT_INLINE lane3 point_at(const lane3 corner[3], shares at)
{
    lane3 u = sub3(corner[1], corner[0]), v = sub3(corner[2], corner[0]);
    return add3(corner[0], add3(scale3(at.s, u), scale3(at.t, v)));
}

/* Finds which of corners, sides and inside is nearest (Ericson, Real-Time Collision Detection, 5.1.5). The shares of b
 * and c are chosen in his order from last to first. */
TT_INLINE shares nearest_shares(const lane3 corner[3], lane3 p)
{
    const lane zero = lane_all(0), one = lane_all(1);
    lane3 u = sub3(corner[1], corner[0]), v = sub3(corner[2], corner[0]);
    lane3 ap = sub3(p, corner[0]), bp = sub3(p, corner[1]), cp = sub3(p, corner[2]);
    lane d1 = dot3(u, ap), d2 = dot3(v, ap), d3 = dot3(u, bp), d4 = dot3(v, bp), d5 = dot3(u, cp), d6 = dot3(v, cp);
    lane va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    lane sum = va + vb + vc, s = lane_divide(vb, sum), t = lane_divide(vc, sum);
    mask on = mask_and(at_most_zero(va), mask_and(at_most_zero(d3 - d4), at_most_zero(d6 - d5)));
    lane along = lane_divide(d4 - d3, (d4 - d3) + (d5 - d6));
    t = lane_select(on, along, t), s = lane_select(on, one - along, s);
    on = mask_and(at_most_zero(vb), mask_and(at_most_zero(-d2), at_most_zero(d6)));
    t = lane_select(on, lane_divide(d2, d2 - d6), t), s = lane_select(on, zero, s);
    on = mask_and(at_most_zero(-d6), at_most_zero(d5 - d6));
    t = lane_select(on, one, t), s = lane_select(on, zero, s);
    on = mask_and(at_most_zero(vc), mask_and(at_most_zero(-d1), at_most_zero(d3)));
    s = lane_select(on, lane_divide(d1, d1 - d3), s), t = lane_select(on, zero, t);
    on = mask_and(at_most_zero(-d3), at_most_zero(d4 - d3));
    s = lane_select(on, one, s), t = lane_select(on, zero, t);
    on = mask_and(at_most_zero(d1), at_most_zero(d2));
    s = lane_select(on, zero, s), t = lane_select(on, zero, t);
    return (shares){s, t};
}

TT_INLINE lane3 nearest_of_triangle(lane3 a, lane3 b, lane3 c, lane3 p)
{
    const lane3 corner[3] = {a, b, c};
    return point_at(corner, nearest_shares(corner, p));
}

#endif
