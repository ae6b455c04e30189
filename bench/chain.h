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

/* One level; levels with 4, 8 and 16 lines at the top; fast projection. */
enum { CHAIN_METHODS = 5 };
extern const char *const chain_method[CHAIN_METHODS];

/* What a method costs until the chain is done. */
typedef struct chain_cost {
    double ms, projections; /* processor time; of lines, on all levels */
    int rounds;             /* over all levels, or Newton's steps      */
    bool done;
} chain_cost;

/* Measures a chain of n vertices with method `which`. */
bool chain_measure(int n, int which, const chain_options *options, chain_cost *cost, taut_error *error);

/* Prints the result on stdout, row by row. */
bool chain_run(const chain_options *options, taut_error *error);

#endif
