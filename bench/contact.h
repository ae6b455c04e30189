/* The benchmark of contact: the cost of cloth that touches itself and other cloth. */
#ifndef BENCH_CONTACT_H
#define BENCH_CONTACT_H

#include "taut.h"

typedef struct contact_options {
    const char *scenes, *tiers; /* words with commas between them; NULL: all */
    int threads;                /* 0: one per core                           */
    int scale;                  /* percent of the triangles                  */
    bool quick, json;
} contact_options;

/* Prints the result on stdout. */
bool contact_run(const contact_options *options, taut_error *error);

#endif
