/* Two axes are tried for a pair: the line between the middles of A and B, and that between their closest points. The
 * pair is left out if its boxes are apart by `far` along one of them. It is also left out if its boxes are apart at
 * all along the second one, so that it needs no certificate, and it is not near now and not where it is expected. */
#include "collide/shape.h"
#include "collide/triangle_kernel.h"

#include <math.h>

extern tt_sift_pairs TT_NAME(tt_sift_faces), TT_NAME(tt_sift_sides);

/* The four particles of LANES pairs. */
typedef struct group {
    lane3 from[4], to[4], room[4];
} group;

TT_INLINE void load_group(const tt_sift *sift, int first, group *g)
{
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        uint32_t at[LANES];
        quad q;
        for (int i = 0; i < LANES; i++) at[i] = 4 * (uint32_t)sift->particle[k][first + i];
        gather(sift->from, at, &q), g->from[k] = lane3_of(q);
        gather(sift->to, at, &q), g->to[k] = lane3_of(q);
        gather(sift->room, at, &q), g->room[k] = lane3_of(q);
    }
}

/* The gap between A and B, whose particles are at q along an axis. */
TT_INLINE lane gap_between(bool sides, const lane q[4])
{
    if (sides) return lane_min(q[0], q[1]) - lane_max(q[2], q[3]);
    return q[0] - lane_max(q[1], lane_max(q[2], q[3]));
}

/* How far a box reaches along n from its middle. */
TT_INLINE lane reach_along(lane3 room, lane3 n)
{
    return lane_abs(n.x) * room.x + lane_abs(n.y) * room.y + lane_abs(n.z) * room.z;
}

/* The gaps along n, which need not be a unit vector: between the middles of the boxes, and for all positions inside
 * them. Each is the lesser of the gaps at both ends of the way. */
TT_INLINE void find_gaps(bool sides, const group *g, lane3 n, lane *of_middles, lane *of_boxes)
{
    lane now[4], then[4], now_off[4], then_off[4];
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        lane off = reach_along(g->room[k], n);
        if (k < (sides ? 2 : 1)) off = -off;
        now[k] = dot3(n, sub3(g->from[k], g->from[0])), then[k] = dot3(n, sub3(g->to[k], g->to[0]));
        now_off[k] = now[k] + off, then_off[k] = then[k] + off;
    }
    *of_middles = lane_min(gap_between(sides, now), gap_between(sides, then));
    *of_boxes = lane_min(gap_between(sides, now_off), gap_between(sides, then_off));
}

TT_INLINE lane3 between_middles(bool sides, const lane3 x[4])
{
    if (sides) return sub3(add3(x[0], x[1]), add3(x[2], x[3]));
    return sub3(scale3(lane_all(3), x[0]), add3(add3(x[1], x[2]), x[3]));
}

TT_INLINE lane within(lane a) { return lane_max(lane_all(0), lane_min(lane_all(1), a)); }

/* The vector from the closest point of edge c d to that of edge a b; for parallel edges between any two points. */
TT_INLINE lane3 between_sides(lane3 a, lane3 b, lane3 c, lane3 d)
{
    const lane zero = lane_all(0), one = lane_all(1);
    lane3 u = sub3(b, a), v = sub3(d, c), r = sub3(a, c);
    lane l = dot3(u, u), m = dot3(v, v), f = dot3(v, r), e = dot3(u, r), g = dot3(u, v);
    lane s = within(lane_divide(g * f - e * m, l * m - g * g)), t = lane_divide(g * s + f, m);
    mask before = lane_less(t, zero), behind = lane_less(one, t);
    s = lane_select(before, within(lane_divide(-e, l)), lane_select(behind, within(lane_divide(g - e, l)), s));
    t = within(t);
    return add3(r, sub3(scale3(s, u), scale3(t, v)));
}

TT_INLINE lane3 between_closest(bool sides, const lane3 x[4])
{
    if (sides) return between_sides(x[0], x[1], x[2], x[3]);
    return sub3(x[0], nearest_of_triangle(x[1], x[2], x[3], x[0]));
}

/* More than twice the possible error of a computed gap (tt_apart_pair). */
TT_INLINE lane rounding_of(const group *g)
{
    lane all = lane_all(0);
    const lane infinity = lane_all((real)INFINITY);
    TT_UNROLL
    for (int c = 0; c < 3; c++) {
        lane low = infinity, high = -infinity;
        TT_UNROLL
        for (int k = 0; k < 4; k++) {
            lane from = c == 0 ? g->from[k].x : c == 1 ? g->from[k].y : g->from[k].z;
            lane to = c == 0 ? g->to[k].x : c == 1 ? g->to[k].y : g->to[k].z;
            lane room = c == 0 ? g->room[k].x : c == 1 ? g->room[k].y : g->room[k].z;
            low = lane_min(low, lane_min(from, to) - room), high = lane_max(high, lane_max(from, to) + room);
        }
        all = all + (high - low);
    }
    return lane_all(TT_ROUNDING) * all;
}

/* 1 for the pairs that are kept. If an axis has no length, or a number is NaN, the pair is kept. */
TT_INLINE lane sift_group(bool sides, const tt_sift *sift, const group *g)
{
    const lane zero = lane_all(0), one = lane_all(1), far = lane_all(sift->far);
    lane3 n = between_middles(sides, g->from);
    lane gap, least;
    find_gaps(sides, g, n, &least, &gap);
    lane square = lane_all(1.01f) * far * far * dot3(n, n);
    lane kept = lane_select(mask_and(lane_less(zero, gap), lane_less(square, gap * gap)), zero, one);
    if (!mask_any(lane_less(zero, kept))) return zero;
    n = between_closest(sides, g->from);
    n = scale3(lane_divide(one, lane_sqrt(dot3(n, n))), n);
    find_gaps(sides, g, n, &least, &gap);
    lane needed = lane_all(sift->margin) + rounding_of(g);
    if (!sift->watched) needed = lane_all(-INFINITY);
    mask unseen = mask_and(lane_less(needed, gap), lane_less(lane_all(sift->near), least));
    return lane_select(mask_or(lane_less(far, gap), unseen), zero, kept);
}

TT_INLINE void sift_pairs(bool sides, tt_sift *sift)
{
    for (int k = 0; k < 4; k++) /* the last group is filled up with the last pair */
        for (int i = sift->count; i < TT_SIFT && i % LANES; i++)
            sift->particle[k][i] = sift->particle[k][sift->count - 1];
    for (int first = 0; first < sift->count; first += LANES) {
        _Alignas(64) real kept[LANES];
        group g;
        load_group(sift, first, &g);
        lane_store(kept, sift_group(sides, sift, &g));
        for (int i = 0; i < LANES; i++) sift->kept[first + i] = kept[i] > 0;
    }
}

void TT_NAME(tt_sift_faces)(tt_sift *sift) { sift_pairs(false, sift); }
void TT_NAME(tt_sift_sides)(tt_sift *sift) { sift_pairs(true, sift); }
