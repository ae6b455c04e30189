/* Shared by the tests of exact geometry: random points of whole numbers, and an oracle that works on whole numbers. */
#ifndef TAUT_TESTS_HELPERS_ORACLE_H
#define TAUT_TESTS_HELPERS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/* ---- Random numbers --------------------------------------------------------------------------------------------- */

static uint64_t random_state = 1;

static inline uint64_t random_bits(int bits)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> (64 - bits);
}

/* A whole number of -most .. most. */
static inline int whole(int most) { return (int)(random_bits(31) % (uint64_t)(2 * most + 1)) - most; }

/* Chooses from few places, so that points often coincide, or lie on lines and in planes. */
static inline void random_places(float (*point)[3], int n, int most, bool flat)
{
    for (int i = 0; i < n; i++) {
        point[i][0] = (float)whole(most), point[i][1] = (float)whole(most);
        point[i][2] = flat ? point[i][0] + point[i][1] : (float)whole(most);
    }
}

/* ---- Whether shapes meet ---------------------------------------------------------------------------------------- */

typedef struct vector {
    int64_t at[3];
} vector;

static inline vector cross(vector a, vector b)
{
    vector c;
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        c.at[k] = a.at[u] * b.at[v] - a.at[v] * b.at[u];
    }
    return c;
}

static inline int64_t dot(vector a, vector b) { return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2]; }

static inline vector vector_from(const float *a, const float *b)
{
    vector d;
    for (int k = 0; k < 3; k++) d.at[k] = (int64_t)b[k] - (int64_t)a[k];
    return d;
}

/* The hulls of points 0 .. split-1 and split .. n-1. */
typedef struct hulls {
    int n, split;
    const float *point[6];
} hulls;

/* Whether the hulls are apart along the axis by more than `least`: 0 excludes touching, -1 allows it. */
static inline bool separates(const hulls *h, vector axis, int64_t least)
{
    int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
    for (int i = 0; i < h->n; i++) {
        int64_t along = dot(axis, vector_from(h->point[0], h->point[i]));
        int side = i >= h->split;
        low[side] = along < low[side] ? along : low[side];
        high[side] = along > high[side] ? along : high[side];
    }
    return low[0] - high[1] > least || low[1] - high[0] > least;
}

/* The theorem of separating axes for shapes of any dimension. If the hull of all differences of their points does not
 * contain 0, the normal of one of its facets shows it. Facets are spanned by differences of points. If the hull is
 * flat, normals within its plane, or from 0 to its line, are products of three such differences. */
static inline bool oracle_meets(const hulls *h)
{
    vector d[15];
    int n = 0;
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < i; k++) d[n++] = vector_from(h->point[k], h->point[i]);
    for (int i = 0; i < n; i++) {
        if (separates(h, d[i], 0)) return false;
        for (int k = 0; k < i; k++) {
            vector normal = cross(d[i], d[k]);
            if (dot(normal, normal) == 0) continue;
            if (separates(h, normal, 0)) return false;
            for (int m = 0; m < n; m++)
                if (separates(h, cross(normal, d[m]), 0)) return false;
        }
    }
    return true;
}

static inline vector normal_of(const float *const corner[3])
{
    return cross(vector_from(corner[0], corner[1]), vector_from(corner[0], corner[2]));
}

/* Whether two triangles with an area lie in one plane and the line of a side separates them. */
static inline bool oracle_side_by_side(const hulls *h)
{
    vector normal = normal_of(h->point), other = normal_of(h->point + 3);
    if (dot(normal, normal) == 0 || dot(other, other) == 0) return false;
    for (int k = 3; k < 6; k++)
        if (dot(normal, vector_from(h->point[0], h->point[k])) != 0) return false;
    for (int i = 0; i < 6; i++) {
        const float *next = h->point[i % 3 == 2 ? i - 2 : i + 1];
        if (separates(h, cross(normal, vector_from(h->point[i], next)), -1)) return true;
    }
    return false;
}

#endif
