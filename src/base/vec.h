/* Vectors of three doubles, for building meshes and models. */
#ifndef TAUT_BASE_VEC_H
#define TAUT_BASE_VEC_H

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec_of(const float *p) { return (vec3){p[0], p[1], p[2]}; }
static inline vec3 vec_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec_scale(vec3 a, double s) { return (vec3){a.x * s, a.y * s, a.z * s}; }
static inline double vec_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 vec_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double vec_length(vec3 a) { return sqrt(vec_dot(a, a)); }

#endif
