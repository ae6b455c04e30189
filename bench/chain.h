/* The benchmark of a stretched chain (MRSL Fig. 12): the cost of bringing it back to its length. */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#include "taut.h"

typedef struct chain_options {
    int n;         /* vertices; 0: 33, 65, 129, 257 and 513 */
    int threshold; /* the chain is done at this strain of its worst line, thousandths */
    bool arc;      /* it starts as a quarter of a circle, not straight */
    bool json;
} chain_options;

/* Prints the result on stdout, row by row. */
bool chain_run(const chain_options *options, taut_error *error);

#endif
