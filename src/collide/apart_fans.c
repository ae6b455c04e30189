/* Fans: the triangles around a vertex.
 *
 * A fan is plain if every triangle faces the same side wherever its corners are in their boxes, and if the fan goes
 * around its vertex at most once. Then it is a graph over a plane, so nothing in it can cross. No pair within it has to
 * be judged until the next search. Most fans are plain, because they lie nearly flat. */
#include "collide/apart_pair.h"

enum { SHARE = 512 };

/* A fan when all boxes have gone half their ways. Side i lies across from the vertex and has the ends 2i and 2i+1. */
typedef struct fan {
    int n;
    spot own;                    /* half the size of the vertex's box */
    spot spoke[2 * TT_FAN_MOST]; /* from the vertex to an end         */
    spot off[2 * TT_FAN_MOST]; /* how far the end may be off, the vertex being in the middle of its box: by its own box,
                                * and because it may move faster or slower than the vertex */
} fan;

static spot at(const float *numbers, int particle) { return spot_of(&numbers[4 * (size_t)particle]); }

static spot sizes(spot a) { return (spot){fabsf(a.x), fabsf(a.y), fabsf(a.z)}; }

static void open_fan(const tt_apart *apart, const tt_apart_member *m, int vertex, fan *f)
{
    const tt_skin *skin = m->skin;
    const int *side = &skin->fan_side[2 * (size_t)skin->fan_start[vertex]];
    spot from = at(apart->from, m->first + vertex), to = at(apart->to, m->first + vertex);
    f->n = skin->fan_start[vertex + 1] - skin->fan_start[vertex];
    f->own = at(apart->room, m->first + vertex);
    for (int i = 0; i < 2 * f->n; i++) {
        if (i > 0 && side[i] == side[i - 1]) {
            f->spoke[i] = f->spoke[i - 1], f->off[i] = f->off[i - 1];
            continue;
        }
        int end = m->first + side[i];
        spot now = minus(at(apart->from, end), from), then = minus(at(apart->to, end), to);
        f->spoke[i] = times(plus(now, then), 0.5f);
        f->off[i] = plus(at(apart->room, end), times(sizes(minus(then, now)), 0.5f));
    }
}

static spot fan_normal(const fan *f)
{
    spot n = {0, 0, 0};
    for (int i = 0; i < f->n; i++) n = plus(n, cross(f->spoke[2 * i], f->spoke[2 * i + 1]));
    float size = sqrtf(dot(n, n));
    return size > 0 ? times(n, 1 / size) : n;
}

/* The largest d.a for all d within a box of these half sizes around 0. */
static float most_along(spot half, spot a) { return half.x * fabsf(a.x) + half.y * fabsf(a.y) + half.z * fabsf(a.z); }

/* A bound of n.(d x e) for all d and e within such boxes. */
static float most_twist(spot n, spot d, spot e)
{
    return fabsf(n.x) * (d.y * e.z + d.z * e.y) + fabsf(n.y) * (d.z * e.x + d.x * e.z) +
           fabsf(n.z) * (d.x * e.y + d.y * e.x);
}

/* Whether the projection of every triangle along n keeps its sense of rotation, wherever its corners are in their
 * boxes, and at all times. Let a and b be the spokes. Let u be the way from the middle of its box to the vertex. Let d
 * and e be the ways from the ends of the spokes to the two other corners, as seen from that middle. Then
 *
 *     n.((a + d - u) x (b + e - u)) = n.(a x b) + d.(b x n) + e.(n x a) + u.(n x (b - a)) + n.((d - u) x (e - u)) */
static bool faces_one_side(const fan *f, spot n)
{
    spot u = f->own;
    for (int i = 0; i < f->n; i++) {
        spot a = f->spoke[2 * i], b = f->spoke[2 * i + 1], d = f->off[2 * i], e = f->off[2 * i + 1];
        float most = most_along(d, cross(b, n)) + most_along(e, cross(n, a)) + most_along(u, cross(n, minus(b, a))) +
                     most_twist(n, plus(d, u), plus(e, u));
        if (!(dot(n, cross(a, b)) > 1.01f * most)) return false;
    }
    return true;
}

static float length(spot a) { return sqrtf(dot(a, a)); }

/* Whether an open fan keeps out of the wedge of a right angle opposite its middle, so that its two ends cannot meet. */
static bool leaves_a_gap(const fan *f, spot n)
{
    float own = length(f->own);
    spot middle = {0, 0, 0};
    for (int i = 0; i < 2 * f->n; i++) {
        spot e = f->spoke[i];
        float size = sqrtf(dot(e, e));
        if (size > 0) middle = plus(middle, times(e, 1 / size));
    }
    middle = minus(middle, times(n, dot(n, middle)));
    float size = sqrtf(dot(middle, middle));
    if (!(size > 0)) return false;
    middle = times(middle, 1 / size);
    for (int i = 0; i < f->n; i++) {
        float ahead[2], left[2];
        for (int k = 0; k < 2; k++) {
            spot e = f->spoke[2 * i + k];
            float off = own + length(f->off[2 * i + k]);
            e = minus(e, times(n, dot(n, e)));
            ahead[k] = dot(e, middle) - off;
            left[k] = dot(n, cross(middle, e));
            if (!(ahead[k] > -0.7f * sqrtf(dot(e, e)) + off)) return false;
        }
        if (ahead[0] <= 0 && ahead[1] <= 0 && left[0] >= 0 && left[1] <= 0) return false;
    }
    return true;
}

static bool is_plain(const tt_apart *apart, const tt_apart_member *m, int i)
{
    fan f;
    if (m->skin->fan[i] == TT_FAN_NONE) return false;
    open_fan(apart, m, i, &f);
    spot n = fan_normal(&f);
    return faces_one_side(&f, n) && (m->skin->fan[i] == TT_FAN_CLOSED || leaves_a_gap(&f, n));
}

static bool has_loose(const tt_apart *apart, const tt_apart_member *m, int vertex)
{
    const tt_skin *skin = m->skin;
    bool any = apart->loose[m->first + vertex];
    for (int i = 2 * skin->fan_start[vertex]; i < 2 * skin->fan_start[vertex + 1] && !any; i++)
        any = apart->loose[m->first + skin->fan_side[i]];
    return any;
}

/* In a search that is only for loose particles, fans without any are what they were. */
static void judge_share(void *argument, int share)
{
    tt_apart *apart = argument;
    int last = (share + 1) * SHARE < apart->nparticles ? (share + 1) * SHARE : apart->nparticles;
    for (int i = share * SHARE; i < last; i++) {
        const tt_apart_member *m = &apart->member[apart->owner[i]];
        bool before = apart->plain[i] & TT_PLAIN, now = before;
        if (!apart->again || has_loose(apart, m, i - m->first)) now = is_plain(apart, m, i - m->first);
        apart->plain[i] = (uint8_t)((now ? TT_PLAIN : 0) | (before ? TT_WAS_PLAIN : 0));
    }
}

void tt_apart_judge_fans(tt_apart *apart, tt_apart_team team)
{
    team.run((apart->nparticles + SHARE - 1) / SHARE, judge_share, apart, team.user);
}
