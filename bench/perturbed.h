/* The benchmark of a perturbed sheet (MRSL Fig. 14): how fast its triangles return to their shape. */
#ifndef BENCH_PERTURBED_H
#define BENCH_PERTURBED_H

#include "taut.h"

typedef struct perturbed_options {
    int n;          /* vertices along each side */
    int levels;     /* coarser meshes, as in taut_model_options */
    int iterations; /* passes over each level before the residual is measured again */
    int passes;     /* the most passes over the sheet itself */
    int seed;
    bool json;
} perturbed_options;

/* Mean residuals, percent, and the passes and processor time to reach each. */
enum { PERTURBED_GOALS = 5, PERTURBED_METHODS = 8 };
extern const double perturbed_goal[PERTURBED_GOALS];

typedef struct perturbed_record {
    const char *method;
    int slower; /* the record of the same method on one level, for comparison */
    int levels;
    int passes[PERTURBED_GOALS];
    double ms[PERTURBED_GOALS];
    int done;       /* goals that were reached */
    double closest; /* residual, percent; infinite: there was nothing to do */
} perturbed_record;

/* One level; levels; levels both ways; the same three with bending limited and without a second way; Cauchy strain;
 * springs. */
bool perturbed_measure(const perturbed_options *options, perturbed_record r[PERTURBED_METHODS], taut_error *error);

/* The perturbed positions of a sheet of n x n vertices. */
void perturbed_start(const taut_mesh *sheet, int n, int seed, float *start);
/* Fills residual[t] of each triangle (unless it is NULL), which is the mean of |s - 1| over both principal stretches,
 * and returns the mean over the triangles, percent. */
double perturbed_residual(const taut_mesh *mesh, const float *x, float *residual);

/* Prints the result on stdout. */
bool perturbed_run(const perturbed_options *options, taut_error *error);

#endif
