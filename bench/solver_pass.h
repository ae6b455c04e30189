/* One pass of the library's kernels over all constraints of a workload. */
#ifndef BENCH_SOLVER_PASS_H
#define BENCH_SOLVER_PASS_H

#include "base/pool.h"
#include "workload.h"

typedef struct solver_pass {
    const taut_model *model;
    const tt_kind *kind;
    const tt_group *group;
    tt_tuning tuning;
    float *start, *p; /* {x, y, z, w} per particle */
    float *anchor;
    int first; /* the first segment of the present phase */
} solver_pass;

/* Arrays come from the workload's scope; false when memory ran out. */
bool solver_pass_make(solver_pass *s, workload *w);

/* Puts the positions back to the start. `pool` NULL: uses this thread alone. */
void solver_pass_reset(solver_pass *s, tt_pool *pool);
void solver_pass_run(solver_pass *s, tt_pool *pool);

#endif
