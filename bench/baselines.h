/* The methods with which the papers compare strain limiting, scalar and one element at a time. Positions are those of
 * all vertices, w their inverse masses; indices i point into both. The methods share no code with the library. */
#ifndef BENCH_BASELINES_H
#define BENCH_BASELINES_H

#include "reference.h"

/* ---- Cauchy strain, component by component (Thomaszewski, Pabst and Strasser 2009) ---- */

typedef struct base_cauchy {
    int i[3];
    float rest[2][2], inverse[2][2]; /* rest edges as columns, the first along x; and their inverse */
} base_cauchy;

enum { BASE_XX, BASE_YY, BASE_XY, BASE_STRAINS };

/* False when the rest shape is degenerate. */
bool base_cauchy_rest(base_cauchy *c, const int i[3], const ref_float_vec3 *x);
/* The strains of the un-rotated triangle; 0 at rest. */
void base_cauchy_strain(const base_cauchy *c, const ref_float_vec3 *p, float strain[BASE_STRAINS]);
/* Puts each strain of n triangles within limit[BASE_XX ...] = {least, largest}, one triangle after the other. The
 * linear and the angular momentum of the change are zero. Nothing is pinned: w > 0. */
void base_cauchy_project(const base_cauchy *c, int n, const float limit[BASE_STRAINS][2], ref_float_vec3 *p,
                         const float *w);

/* ---- Springs within limits (Provot 1995) ---- */

typedef struct base_spring {
    int i[2];
    float length;
} base_spring;

/* Puts the length of n springs within [low, high] times that at rest, one after the other. A spring of length 0 and one
 * with both ends pinned stay as they are. */
void base_spring_project(const base_spring *c, int n, float low, float high, ref_float_vec3 *p, const float *w);

/* ---- Fast projection of a chain (Goldenthal et al. 2007) ---- */

typedef struct base_chain {
    int n;                /* vertices, at least 2                         */
    const double *length; /* n - 1, of the lines at rest                  */
    double *scratch;      /* 3 (n - 1), for the tridiagonal system        */
} base_chain;

/* The largest |length / rest - 1| of a line. */
double base_chain_strain(const base_chain *c, const ref_double_vec3 *p);
/* Takes Newton steps until the strain is at most `threshold`, but no more than `most`. Each step solves a tridiagonal
 * system for all lines at once. Returns the number of steps. Two pinned neighbours make no line. */
int base_chain_project(const base_chain *c, double threshold, int most, ref_double_vec3 *p, const double *w);

#endif
