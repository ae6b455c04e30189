/* Pairs of features that move in straight lines: a vertex and a triangle, or two edges. Coordinates are whole numbers,
 * so that a proof that a pair never meets has no rounding in it. */
#ifndef TAUT_TESTS_HELPERS_SWEEP_H
#define TAUT_TESTS_HELPERS_SWEEP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 wide_integer;

typedef struct sweep {
    bool edges;               /* 0 1 and 2 3 are edges; else 0 is a vertex and 1 2 3 is a triangle */
    int64_t x[4][3], p[4][3]; /* from x to p, of at most 55 bits                              */
} sweep;

typedef struct double3 {
    double at[3];
} double3;

static inline double3 minus3(double3 a, double3 b)
{
    return (double3){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

static inline double dot3(double3 a, double3 b) { return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; }

static inline double3 cross3(double3 a, double3 b)
{
    return (double3){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                      a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

/* The vector to a from the closest point of line segment b c. */
static inline double3 from_segment(double3 a, double3 b, double3 c)
{
    double3 along = minus3(c, b), off = minus3(a, b);
    double length = dot3(along, along), share = length > 0 ? dot3(off, along) / length : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int k = 0; k < 3; k++) off.at[k] -= share * along.at[k];
    return off;
}

/* The exact places at time `time` / 2^depth, multiplied by 2^depth. */
static inline void places_at(const sweep *s, int depth, int64_t time, wide_integer place[4][3])
{
    wide_integer whole = (wide_integer)1 << depth;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) place[i][k] = s->x[i][k] * (whole - time) + s->p[i][k] * time;
}

/* Whether all of A is above all of B along the axis. */
static inline bool is_above(const sweep *s, wide_integer place[4][3], const int64_t axis[3])
{
    wide_integer low = 0, high = 0;
    for (int i = 0; i < 4; i++) {
        wide_integer q = 0;
        bool of_a = i == 0 || (i == 1 && s->edges), first = i == 0 || i == (s->edges ? 2 : 1);
        for (int k = 0; k < 3; k++) q += (place[i][k] - place[0][k]) * axis[k];
        if (of_a) low = first || q < low ? q : low;
        else high = first || q > high ? q : high;
    }
    return low > high;
}

/* Whether one axis separates both ends of a straight motion; then it separates the whole motion. */
static inline bool separates_both(const sweep *s, wide_integer from[4][3], wide_integer to[4][3], double3 axis)
{
    int64_t n[3];
    double size = fmax(fabs(axis.at[0]), fmax(fabs(axis.at[1]), fabs(axis.at[2])));
    if (!(size > 0)) return false;
    for (int k = 0; k < 3; k++) n[k] = (int64_t)(axis.at[k] / size * 0x1p38);
    return is_above(s, from, n) && is_above(s, to, n);
}

/* Lists axes along which the pair could be apart at these places; some of them come from closest points. */
static inline int axes_at(const sweep *s, wide_integer place[4][3], double3 *axis)
{
    double3 a[4];
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) a[i].at[k] = (double)(place[i][k] - place[0][k]);
    if (s->edges) {
        axis[n++] = from_segment(a[0], a[2], a[3]);
        axis[n++] = from_segment(a[1], a[2], a[3]);
        axis[n++] = minus3((double3){{0, 0, 0}}, from_segment(a[2], a[0], a[1]));
        axis[n++] = minus3((double3){{0, 0, 0}}, from_segment(a[3], a[0], a[1]));
    } else {
        for (int i = 1; i < 4; i++) axis[n++] = from_segment(a[0], a[i], a[i % 3 + 1]);
    }
    axis[n] =
        s->edges ? cross3(minus3(a[1], a[0]), minus3(a[3], a[2])) : cross3(minus3(a[2], a[1]), minus3(a[3], a[1]));
    axis[n + 1] = minus3((double3){{0, 0, 0}}, axis[n]);
    return n + 2;
}

/* Proves that the pair does not meet between two times. False: it meets, or comes so close that there is no proof. */
static inline bool is_free_between(const sweep *s, int depth, int64_t time)
{
    enum { DEEPEST = 20 };
    wide_integer from[4][3], middle[4][3], to[4][3];
    double3 axis[6];
    places_at(s, depth + 1, 2 * time, from);
    places_at(s, depth + 1, 2 * time + 1, middle);
    places_at(s, depth + 1, 2 * time + 2, to);
    int n = axes_at(s, middle, axis);
    for (int i = 0; i < n; i++)
        if (separates_both(s, from, to, axis[i])) return true;
    if (depth == DEEPEST) return false;
    return is_free_between(s, depth + 1, 2 * time) && is_free_between(s, depth + 1, 2 * time + 1);
}

static inline bool is_free(const sweep *s) { return is_free_between(s, 0, 0); }

#endif
