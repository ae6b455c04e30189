/* Vectors in double precision, those of the plain reference. */
#ifndef PAPERS_VEC_H
#define PAPERS_VEC_H

#include "random.h"
#include "reference.h"

#include <math.h>

typedef ref_double_vec3 vec;

static inline vec vec_at(const float *x) { return (vec){(double)x[0], (double)x[1], (double)x[2]}; }
static inline vec plus(vec a, double s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline vec minus(vec a, vec b) { return plus(a, -1, b); }
static inline vec times(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double length(vec a) { return sqrt(dot(a, a)); }
/* a is not 0. */
static inline vec unit(vec a) { return times(1 / length(a), a); }
static inline vec random_vec(uint32_t *seed, double size)
{
    double x = uniform(seed, -size, size), y = uniform(seed, -size, size);
    return (vec){x, y, uniform(seed, -size, size)};
}

#endif
