/* The benchmark of MRSL's Table 1: bodies of its sizes, with its levels and iterations. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "taut.h"

typedef struct table_options {
    int frames; /* how many are timed */
    int scale;  /* percent of the paper's iterations */
    bool json;
} table_options;

typedef struct table_left {
    double worst;        /* the largest violation that the last pass met: strain or rad */
    double strain, bend; /* the mean over those that are violated; of bending degrees/cm */
} table_left;

/* One run of a row. */
typedef struct table_timing {
    int iterations;
    double ms; /* a frame */
    table_left left;
} table_timing;

typedef struct table_row {
    const char *name;
    bool shell;      /* its bending is limited too */
    double paper_ms; /* a frame, in the paper      */
    int elements, levels;
    table_timing one;    /* with the paper's iterations on one thread: processor time */
    table_timing all;    /* the same on one thread per core                           */
    table_timing enough; /* the fewest iterations that leave no more violation than the paper's; 0: none do */
} table_row;

int table_rows(void);
bool table_measure(int row, const table_options *options, table_row *r, taut_error *error);

/* Prints the result on stdout. */
bool table_run(const table_options *options, taut_error *error);

#endif
