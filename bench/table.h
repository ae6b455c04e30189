/* The benchmark of MRSL's Table 1: bodies of its sizes, with its levels and iterations. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "taut.h"

typedef struct table_options {
    int frames; /* how many are timed */
    int scale;  /* percent of the paper's iterations */
    bool json;
} table_options;

/* Prints the result on stdout. */
bool table_run(const table_options *options, taut_error *error);

#endif
