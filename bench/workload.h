/* A mesh with one kind of constraint, about as many of them as asked for, and with positions a few percent off rest. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "model/model.h"

typedef struct workload {
    tt_scope scope; /* owns the arrays below */
    int kind;       /* index into tt_kind_table() */
    taut_mesh mesh;
    taut_model *model;
    int count; /* constraints */
    const int
        *particle; /* [count][particles + anchors], in vertices and in the mesh's order; anchors are vertices too */
    float *start;  /* 3 per vertex */
    float *inverse_mass; /* per vertex, 0 = pinned */
} workload;

/* Names of the workloads: one for each kind, limits last, some of these in two states; NULL past the last one. */
const char *workload_name(int index);
bool workload_is_limit(int index);

/* `shuffled`: vertices and elements of the mesh are in random order. The caller closes the workload even if this
 * fails. */
bool workload_open(workload *w, int index, int elements, bool shuffled, taut_error *error);
void workload_close(workload *w);

#endif
