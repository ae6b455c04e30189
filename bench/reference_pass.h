/* One pass of the reference solver over all constraints of a workload, in the mesh's order. */
#ifndef BENCH_REFERENCE_PASS_H
#define BENCH_REFERENCE_PASS_H

#include "reference.h"
#include "workload.h"

typedef struct reference_kind reference_kind;

typedef struct reference_pass {
    const reference_kind *kind;
    int count, vertices;
    void *element;
    const ref_float_vec3 *start;
    ref_float_vec3 *p;
    const float *w;
    const taut_limit *limit;
} reference_pass;

/* Arrays come from the workload's scope; false when memory ran out. */
bool reference_pass_make(reference_pass *r, workload *w);
void reference_pass_reset(reference_pass *r);
void reference_pass_run(reference_pass *r);

#endif
