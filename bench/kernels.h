/* The benchmark of single projections: each kind of constraint against the reference solver. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include "taut.h"

typedef struct kernels_options {
    const char *kernel; /* NULL: all */
    int elements;       /* 0: 3600, 100000 and 1000000 */
    bool json, quick;
    bool limits;        /* the limits in place of the constraints */
} kernels_options;

const char *kernels_name(int index); /* NULL past the last one */
bool kernels_has(const char *name);

/* What a constraint costs on one thread: processor time, ns. */
typedef struct kernels_time {
    int count; /* constraints that were timed */
    double ns, reference_ns;
} kernels_time;
bool kernels_measure(const char *kernel, int elements, bool quick, kernels_time *time, taut_error *error);

/* Prints the result on stdout, row by row. */
bool kernels_run(const kernels_options *options, taut_error *error);

#endif
