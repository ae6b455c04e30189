/* Two axes are tried for a pair: the line between the middles of A and B, and that between their closest points. The
 * pair is left out if its boxes are apart by `far` along one of them. It is also left out if its boxes are apart at
 * all along the second one, so that it needs no certificate, and it is not near now and not where it is expected. */
#include "collide/shape.h"
#include "collide/triangle_kernel.h"

#include <math.h>

extern tt_sift_pairs TT_NAME(tt_sift_faces), TT_NAME(tt_sift_sides);

/* The four particles of LANES pairs. */
typedef struct group {
    lane3 x[4], way[4], low[4], high[4];
} group;

TT_INLINE void load_group(const tt_sift *sift, int first, group *g)
{
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        uint32_t at[LANES], box[LANES], upper[LANES];
        quad q;
        for (int i = 0; i < LANES; i++) {
            at[i] = 4 * (uint32_t)sift->particle[k][first + i];
            box[i] = 2 * at[i], upper[i] = box[i] + 4;
        }
        gather(sift->x, at, &q), g->x[k] = lane3_of(q);
        gather(sift->way, at, &q), g->way[k] = lane3_of(q);
        gather(sift->box, box, &q), g->low[k] = lane3_of(q);
        gather(sift->box, upper, &q), g->high[k] = lane3_of(q);
    }
}

/* The gap between A and B, whose particles are at q along an axis. */
TT_INLINE lane gap_between(bool sides, const lane q[4])
{
    if (sides) return lane_min(q[0], q[1]) - lane_max(q[2], q[3]);
    return q[0] - lane_max(q[1], lane_max(q[2], q[3]));
}

/* The coordinate along n of the end of a box that is lowest, or highest, along n. */
TT_INLINE lane end_of_box(lane low, lane high, lane n, bool lowest)
{
    mask up = lane_less(lane_all(0), n);
    return lowest ? lane_select(up, low, high) : lane_select(up, high, low);
}

/* The gap along n, which need not be a unit vector, for all positions inside the boxes. */
TT_INLINE lane gap_of_boxes(bool sides, const group *g, lane3 n)
{
    lane q[4];
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        bool of_a = k < (sides ? 2 : 1);
        lane3 end = {end_of_box(g->low[k].x, g->high[k].x, n.x, of_a), end_of_box(g->low[k].y, g->high[k].y, n.y, of_a),
                     end_of_box(g->low[k].z, g->high[k].z, n.z, of_a)};
        q[k] = dot3(n, sub3(end, g->x[0]));
    }
    return gap_between(sides, q);
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
    lane3 low = g->low[0], high = g->high[0];
    TT_UNROLL
    for (int k = 1; k < 4; k++) {
        low = (lane3){lane_min(low.x, g->low[k].x), lane_min(low.y, g->low[k].y), lane_min(low.z, g->low[k].z)};
        high = (lane3){lane_max(high.x, g->high[k].x), lane_max(high.y, g->high[k].y), lane_max(high.z, g->high[k].z)};
    }
    lane3 size = sub3(high, low);
    return lane_all(TT_ROUNDING) * (size.x + size.y + size.z);
}

/* The least gap along n, now and at the places where the particles are expected. */
TT_INLINE lane least_gap(bool sides, const group *g, lane3 n)
{
    lane now[4], then[4];
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        now[k] = dot3(n, sub3(g->x[k], g->x[0]));
        then[k] = now[k] + dot3(n, g->way[k]);
    }
    return lane_min(gap_between(sides, now), gap_between(sides, then));
}

/* 1 for the pairs that are kept. If an axis has no length, or a number is NaN, the pair is kept. */
TT_INLINE lane sift_group(bool sides, const tt_sift *sift, const group *g)
{
    const lane zero = lane_all(0), one = lane_all(1), far = lane_all(sift->far);
    lane3 n = between_middles(sides, g->x);
    lane gap = gap_of_boxes(sides, g, n);
    lane least = lane_all(1.01f) * far * far * dot3(n, n);
    lane kept = lane_select(mask_and(lane_less(zero, gap), lane_less(least, gap * gap)), zero, one);
    if (!mask_any(lane_less(zero, kept))) return zero;
    n = between_closest(sides, g->x);
    n = scale3(lane_divide(one, lane_sqrt(dot3(n, n))), n);
    lane room = gap_of_boxes(sides, g, n), needed = lane_all(sift->margin) + rounding_of(g);
    if (!sift->watched) needed = lane_all(-INFINITY);
    mask unseen = mask_and(lane_less(needed, room), lane_less(lane_all(sift->near), least_gap(sides, g, n)));
    return lane_select(mask_or(lane_less(far, room), unseen), zero, kept);
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
