/* A body that has limits and nothing else: no stiffness, no gravity, no motion. */
#ifndef BENCH_LIMITED_BODY_H
#define BENCH_LIMITED_BODY_H

#include "taut.h"

typedef struct limited_body {
    taut_model *model;
    taut_world *world;
    int body, levels; /* levels: the number of coarser meshes */
    float *still;     /* velocities, all 0 */
} limited_body;

taut_material limited_body_material(const taut_limit *limit);

/* The caller closes the body even if this fails. `both_ways`: coarser levels limit compression as they limit
 * stretch. */
bool limited_body_open(limited_body *b, const taut_mesh *mesh, const taut_limit *limit,
                       const taut_model_options *options, bool both_ways, taut_error *error);
void limited_body_close(limited_body *b);

bool limited_body_place(limited_body *b, const float *xyz, taut_error *error);
/* Enforces the limits on all levels, from coarse to fine, with the passes of each. Returns the processor time, ms. */
double limited_body_enforce(limited_body *b);
/* How many elements the limits looked at, over all levels and passes. */
double limited_body_projections(const limited_body *b);
const float *limited_body_positions(const limited_body *b);

#endif
