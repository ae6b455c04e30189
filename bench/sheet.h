/* The benchmark of a hanging sheet: how fast a step is, and how little the sheet sags. */
#ifndef BENCH_SHEET_H
#define BENCH_SHEET_H

#include "taut.h"

typedef struct sheet_options {
    int n;                    /* vertices along each side */
    int threads;              /* as in taut_world_def */
    int substeps, iterations; /* 0: the numbers that suit the cloth */
    int levels;               /* as in taut_model_options */
    bool strain;              /* taut_default_material(), with warp and weft, in place of stiff edges */
    bool flat;                /* the sheet starts exactly flat, without the imperfection that lets it buckle */
    bool no_tethers, json;
    bool compare;             /* also run without levels and tethers, with as many substeps as that takes */
} sheet_options;

/* Prints the result on stdout. */
bool sheet_run(const sheet_options *options, taut_error *error);

#endif
