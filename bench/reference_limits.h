/* The limits of MRSL, written as its formulas are printed, one element at a time, in float. The limits of the library
 * are measured against them. p are the positions and w the inverse masses (0 = pinned) of all vertices; i are indices
 * into both. */
#ifndef BENCH_REFERENCE_LIMITS_H
#define BENCH_REFERENCE_LIMITS_H

#include "reference.h"

/* Principal stretches of a triangle and of a tet, within [low, high]. */
typedef struct ref_limit_tri {
    int i[3];
    float rest[2][2], inverse[2][2]; /* rest edges as columns, and their inverse */
} ref_limit_tri;

typedef struct ref_limit_tet {
    int i[4];
    float rest[3][3], inverse[3][3];
} ref_limit_tet;

/* False when the rest shape is degenerate. */
bool ref_limit_tri_rest(ref_limit_tri *c, const int i[3], const ref_float_vec3 *x);
bool ref_limit_tet_rest(ref_limit_tet *c, const int i[4], const ref_float_vec3 *x);

/* Projects n elements one after the other. An element with two or more pinned vertices does not move. */
void ref_limit_tri_project(const ref_limit_tri *c, int n, float low, float high, ref_float_vec3 *p, const float *w);
void ref_limit_tet_project(const ref_limit_tet *c, int n, float low, float high, ref_float_vec3 *p, const float *w);

/* Bending over the three edges of a triangle: i are its corners, then the far vertex over the edge opposite to each, -1
 * where there is none. The angle may differ from `angle` by low * heights to high * heights. */
typedef struct ref_limit_bend {
    int i[6];
    float angle[3], heights[3];
} ref_limit_bend;

bool ref_limit_bend_rest(ref_limit_bend *c, const int i[6], const ref_float_vec3 *x);
void ref_limit_bend_project(const ref_limit_bend *c, int n, float low, float high, ref_float_vec3 *p, const float *w);

#endif
