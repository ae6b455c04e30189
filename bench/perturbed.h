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

/* Prints the result on stdout. */
bool perturbed_run(const perturbed_options *options, taut_error *error);

#endif
