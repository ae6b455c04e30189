/* The benchmark of a falling shell: how much levels and their training reduce the violations of its limits. */
#ifndef BENCH_SHELL_H
#define BENCH_SHELL_H

#include "taut.h"

typedef struct shell_options {
    int n;      /* vertices along each side */
    int levels; /* coarser meshes, as in taut_model_options */
    int bend;   /* degrees a metre */
    int frames;
    bool json;
} shell_options;

/* Prints the result on stdout. */
bool shell_run(const shell_options *options, taut_error *error);

#endif
