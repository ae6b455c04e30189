/* The benchmark of draped sheets: what a user gets who takes the defaults, on any mesh and at any frame rate. */
#ifndef BENCH_DRAPE_H
#define BENCH_DRAPE_H

#include "taut.h"

/* Lists are words with commas between them; NULL: what the benchmark takes by itself. */
typedef struct drape_options {
    const char *tests, *sides, *meshes, *rates, *threads;
    const char *material;             /* the name of a preset; NULL: TAUT_DEFAULT_CLOTH */
    int substeps, iterations, levels; /* 0, 0, TAUT_LEVELS_AUTO: the defaults */
    bool flat; /* sheets begin exactly flat: without the imperfection that lets them buckle */
    bool counts; /* a fixed number of substeps and iterations, not by quality (docs/balance.md) */
    bool quick, json;
    /* Told now and then which share of all work is done, 0..1, and what is under way. `about` NULL: something is going
     * to be printed. NULL: nobody listens. */
    void (*progress)(double share, const char *about);
} drape_options;

/* Prints the result on stdout. */
bool drape_run(const drape_options *options, taut_error *error);

#endif
