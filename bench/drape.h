/* The benchmark of draped sheets with the default settings, on meshes of any size and at any frame rate. */
#ifndef BENCH_DRAPE_H
#define BENCH_DRAPE_H

#include "taut.h"

/* Lists are words with commas between them; NULL: the defaults of the benchmark. */
typedef struct drape_options {
    const char *tests, *sides, *meshes, *rates, *threads;
    const char *material;             /* the name of a preset; NULL: TAUT_DEFAULT_CLOTH */
    const char *contact;              /* "off", "fast", "strict" or "auto"; NULL: the default */
    int substeps, iterations, levels; /* 0, 0, TAUT_LEVELS_AUTO: the defaults */
    bool flat; /* sheets begin exactly flat: without the imperfection that lets them buckle */
    bool counts; /* solve by counts of substeps and iterations, not by quality (docs/balance.md) */
    bool quick, json;
    /* Called now and then with the share of all work that is done, 0..1, and a text about the present test. `about` is
     * NULL when something is going to be printed. NULL: never called. */
    void (*progress)(double share, const char *about);
} drape_options;

/* Prints the result on stdout. */
bool drape_run(const drape_options *options, taut_error *error);

#endif
