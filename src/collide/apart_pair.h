/* Geometry of a pair: gaps, closest points, axes. All numbers have single precision, and there are only products, sums,
 * quotients and square roots. So the bits are the same everywhere. */
#ifndef TAUT_COLLIDE_APART_PAIR_H
#define TAUT_COLLIDE_APART_PAIR_H

#include "collide/apart.h"

#include <math.h>

typedef struct spot {
    float x, y, z;
} spot;

static inline spot spot_of(const float *p) { return (spot){p[0], p[1], p[2]}; }
static inline spot minus(spot a, spot b) { return (spot){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline spot plus(spot a, spot b) { return (spot){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline spot times(spot a, float s) { return (spot){a.x * s, a.y * s, a.z * s}; }
static inline float dot(spot a, spot b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline spot cross(spot a, spot b)
{
    return (spot){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float least_of(float a, float b) { return a < b ? a : b; }
static inline float most_of(float a, float b) { return a > b ? a : b; }

/* The number of particles, of a pair's four, that belong to A. */
static inline int of_a(int kind) { return kind == TT_SIDE_ON_SIDE ? 2 : 1; }

/* Places of a pair's particles along the axis, relative to the first. */
static inline void along_axis(const float *x, const int *particle, spot n, float q[4])
{
    spot o = spot_of(&x[4 * (size_t)particle[0]]);
    q[0] = 0;
    for (int k = 1; k < 4; k++) q[k] = dot(n, minus(spot_of(&x[4 * (size_t)particle[k]]), o));
}

static inline float gap_of(int kind, const float q[4])
{
    if (kind == TT_SIDE_ON_SIDE) return least_of(q[0], q[1]) - most_of(q[2], q[3]);
    return q[0] - most_of(q[1], most_of(q[2], q[3]));
}

static inline float gap_along(const float *x, const int *particle, int kind, spot n)
{
    float q[4];
    along_axis(x, particle, n, q);
    return gap_of(kind, q);
}

static inline spot axis_of(const tt_apart_pair *pair) { return spot_of(pair->axis); }

/* The point of triangle b c d that is closest to a, by its weights. */
static inline void closest_on_face(spot a, spot b, spot c, spot d, float weight[4])
{
    spot bc = minus(c, b), bd = minus(d, b), ba = minus(a, b), ca = minus(a, c), da = minus(a, d);
    float d1 = dot(bc, ba), d2 = dot(bd, ba), d3 = dot(bc, ca), d4 = dot(bd, ca), d5 = dot(bc, da), d6 = dot(bd, da);
    float of_d = d1 * d4 - d3 * d2, of_c = d5 * d2 - d1 * d6, of_b = d3 * d6 - d5 * d4, v, w;
    if (d1 <= 0 && d2 <= 0) v = w = 0;
    else if (d3 >= 0 && d4 <= d3) v = 1, w = 0;
    else if (d6 >= 0 && d5 <= d6) v = 0, w = 1;
    else if (of_d <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3), w = 0;
    else if (of_c <= 0 && d2 >= 0 && d6 <= 0) v = 0, w = d2 / (d2 - d6);
    else if (of_b <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w;
    else {
        float all = of_b + of_c + of_d;
        v = all > 0 ? of_c / all : 0;
        w = all > 0 ? of_d / all : 0;
    }
    weight[0] = 1, weight[1] = v + w - 1, weight[2] = -v, weight[3] = -w;
}

static inline float within(float a) { return a < 0 ? 0 : a > 1 ? 1 : a; }

/* The closest points of edges a b and c d. If the edges are parallel, these are any two opposite points. */
static inline void closest_on_sides(spot a, spot b, spot c, spot d, float weight[4])
{
    spot ab = minus(b, a), cd = minus(d, c), ca = minus(a, c);
    float l = dot(ab, ab), m = dot(cd, cd), f = dot(cd, ca), e = dot(ab, ca), g = dot(ab, cd);
    float all = l * m - g * g, s = all > 1e-6f * l * m ? within((g * f - e * m) / all) : 0.5f;
    float t = m > 0 ? (g * s + f) / m : 0;
    if (t < 0) t = 0, s = l > 0 ? within(-e / l) : 0;
    else if (t > 1) t = 1, s = l > 0 ? within((g - e) / l) : 0;
    weight[0] = 1 - s, weight[1] = s, weight[2] = t - 1, weight[3] = -t;
}

/* The vector from the closest point of B to that of A. */
static inline spot between(const float *x, const int *particle, const float weight[4])
{
    spot o = spot_of(&x[4 * (size_t)particle[2]]), r = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        if (k != 2) r = plus(r, times(minus(spot_of(&x[4 * (size_t)particle[k]]), o), weight[k]));
    return r;
}

static inline void closest(const float *x, const int *particle, int kind, float weight[4])
{
    spot a = spot_of(&x[4 * (size_t)particle[0]]), b = spot_of(&x[4 * (size_t)particle[1]]);
    spot c = spot_of(&x[4 * (size_t)particle[2]]), d = spot_of(&x[4 * (size_t)particle[3]]);
    if (kind == TT_SIDE_ON_SIDE) closest_on_sides(a, b, c, d, weight);
    else closest_on_face(a, b, c, d, weight);
}

static inline void set_axis(tt_apart_pair *pair, spot n, float gap)
{
    pair->axis[0] = n.x, pair->axis[1] = n.y, pair->axis[2] = n.z;
    pair->gap = gap;
}

static inline void try_axis(const float *x, tt_apart_pair *pair, spot n)
{
    float gap = gap_along(x, pair->particle, pair->kind, n);
    if (gap > pair->gap) set_axis(pair, n, gap);
}

/* Tries the normal of the triangle, or of both edges, in both directions. */
static inline void try_normals(const float *x, tt_apart_pair *pair)
{
    const int *i = pair->particle;
    spot a = spot_of(&x[4 * (size_t)i[0]]), b = spot_of(&x[4 * (size_t)i[1]]);
    spot c = spot_of(&x[4 * (size_t)i[2]]), d = spot_of(&x[4 * (size_t)i[3]]);
    spot n = pair->kind == TT_SIDE_ON_SIDE ? cross(minus(b, a), minus(d, c)) : cross(minus(c, b), minus(d, b));
    float size = sqrtf(dot(n, n));
    if (!(size > 0)) return;
    n = times(n, 1 / size);
    try_axis(x, pair, n);
    try_axis(x, pair, times(n, -1));
}

/* Chooses the axis along which the pair at x is farthest apart. This is the line of the closest points, unless rounding
 * makes another axis better. */
static inline void choose_axis(const float *x, tt_apart_pair *pair)
{
    closest(x, pair->particle, pair->kind, pair->weight);
    spot r = between(x, pair->particle, pair->weight);
    float distance = sqrtf(dot(r, r));
    set_axis(pair, (spot){0, 1, 0}, -INFINITY);
    if (distance > 0) try_axis(x, pair, times(r, 1 / distance));
    if (pair->gap < 0.9f * distance || pair->gap < 2 * pair->usual) try_normals(x, pair);
    if (pair->gap >= pair->usual) return;
    for (int c = 0; c < 6; c++) {
        float sign = c < 3 ? 1 : -1;
        try_axis(x, pair, (spot){c % 3 == 0 ? sign : 0, c % 3 == 1 ? sign : 0, c % 3 == 2 ? sign : 0});
    }
}

/* Sets the gap that motion from the present places must leave. A pair that is closer than usual may come no closer. */
static inline void set_least(tt_apart_pair *pair)
{
    pair->least = least_of(pair->usual, pair->gap);
    pair->stuck = !(pair->gap > 2 * pair->rounding);
}

/* ---- In a substep ---- */

/* How far a particle is at p from the middle of its box at the end of the substep. */
static inline spot off_box(const tt_apart *apart, int i)
{
    size_t at = 4 * (size_t)i;
    spot from = spot_of(&apart->from[at]), way = minus(spot_of(&apart->to[at]), from);
    return minus(spot_of(&apart->p[at]), plus(from, times(way, apart->along)));
}

/* The sliding of A's closest point relative to B's since the substep began. */
static inline spot slide_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    spot s = {0, 0, 0}, n = axis_of(pair);
    for (int k = 0; k < 4; k++) {
        size_t i = 4 * (size_t)pair->particle[k];
        s = plus(s, times(minus(spot_of(&apart->p[i]), spot_of(&apart->x[i])), pair->weight[k]));
    }
    return minus(s, times(n, dot(n, s)));
}

/* The change of the pair's distance by a unit impulse between both points. */
static inline float ease_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    float ease = 0;
    for (int k = 0; k < 4; k++) ease += apart->p[4 * (size_t)pair->particle[k] + 3] * pair->weight[k] * pair->weight[k];
    return ease;
}

/* The distance that the pair should have in this substep. A lost thickness comes back by at most `rise`. */
static inline float goal_of(const tt_apart_pair *pair, float rise)
{
    return least_of(pair->thickness, pair->gap + rise);
}

static inline float distance_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    return dot(axis_of(pair), between(apart->p, pair->particle, pair->weight));
}

/* Adds to a vector what moves the closest points by `step` from each other, by inverse mass. */
static inline void move(float *to, const tt_apart *apart, const tt_apart_pair *pair, spot step)
{
    for (int k = 0; k < 4; k++) {
        size_t i = 4 * (size_t)pair->particle[k];
        spot d = times(step, apart->p[i + 3] * pair->weight[k]);
        to[i] += d.x, to[i + 1] += d.y, to[i + 2] += d.z;
    }
}

/* How much closer than it should be the pair is at p. If it slides past a side or a corner of B, its axis may be
 * slanted, and would hinder the slide. Then it takes an axis from the places at p, or one between both, if that also
 * separates it at x. */
static inline float lack_of(const tt_apart *apart, tt_apart_pair *pair, float rise)
{
    float lack = goal_of(pair, rise) - distance_of(apart, pair), weight[4];
    if (!(lack > 0) || pair->gap < pair->usual) return lack;
    closest(apart->p, pair->particle, pair->kind, weight);
    spot n = between(apart->p, pair->particle, weight), old = axis_of(pair);
    for (int k = 0; k < 2; k++) {
        float size = sqrtf(dot(n, n));
        if (!(size > 0)) break;
        n = times(n, 1 / size);
        float gap = gap_along(apart->x, pair->particle, pair->kind, n);
        float goal = least_of(pair->thickness, gap + rise);
        float other = goal - dot(n, between(apart->p, pair->particle, weight));
        if (gap >= pair->usual && other < 0.9f * lack) {
            set_axis(pair, n, gap);
            for (int i = 0; i < 4; i++) pair->weight[i] = weight[i];
            lack = other;
        }
        n = plus(n, old);
    }
    return lack;
}

/* The vectors of a particle's member, and the place of the particle's numbers in them. */
static inline const tt_apart_view *view_of(const tt_apart *apart, int particle)
{
    return &apart->view[apart->owner[particle]];
}

static inline size_t offset_of(const tt_apart *apart, int particle)
{
    return 4 * (size_t)(particle - apart->member[apart->owner[particle]].first);
}

#endif
