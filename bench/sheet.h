/* The benchmark of a hanging sheet: how fast a step is, and how little the sheet sags. */
#ifndef BENCH_SHEET_H
#define BENCH_SHEET_H

#include "taut.h"

typedef struct sheet_options {
    int n;                    /* vertices along each side */
    int threads;              /* as in taut_world_def */
    int substeps, iterations; /* 0: the library's default */
    bool no_tethers, json;
} sheet_options;

/* Prints the result on stdout. */
bool sheet_run(const sheet_options *options, taut_error *error);

#endif
