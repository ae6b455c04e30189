/* Squared distances from many planes at once (Garland and Heckbert 1997). */
#ifndef TAUT_MESH_QUADRIC_H
#define TAUT_MESH_QUADRIC_H

#include "base/vec.h"

/* x^T A x + 2 b x + c, A = sum of w n n^T, b = sum of w d n, c = sum of w d^2 over planes n x + d = 0 of weight w. */
typedef struct tt_quadric {
    double xx, xy, xz, yy, yz, zz;
    vec3 b;
    double c;
} tt_quadric;

/* The plane through `point` with the unit normal n. */
static inline void tt_quadric_add_plane(tt_quadric *q, vec3 n, vec3 point, double weight)
{
    double d = -vec_dot(n, point);
    vec3 wn = vec_scale(n, weight);
    q->xx += wn.x * n.x, q->xy += wn.x * n.y, q->xz += wn.x * n.z;
    q->yy += wn.y * n.y, q->yz += wn.y * n.z, q->zz += wn.z * n.z;
    q->b = vec_add(q->b, vec_scale(wn, d));
    q->c += weight * d * d;
}

static inline void tt_quadric_add(tt_quadric *q, const tt_quadric *other)
{
    q->xx += other->xx, q->xy += other->xy, q->xz += other->xz;
    q->yy += other->yy, q->yz += other->yz, q->zz += other->zz;
    q->b = vec_add(q->b, other->b);
    q->c += other->c;
}

/* The sum of the planes' weights times their squared distances from p. */
static inline double tt_quadric_at(const tt_quadric *q, vec3 p)
{
    double square = p.x * (q->xx * p.x + 2 * (q->xy * p.y + q->xz * p.z)) + p.y * (q->yy * p.y + 2 * q->yz * p.z) +
                    p.z * q->zz * p.z;
    double sum = square + 2 * vec_dot(q->b, p) + q->c;
    return sum > 0 ? sum : 0; /* only rounding makes it negative */
}

#endif
