/* The animation files of a run, all written together. */
#ifndef TOOLS_RUN_OUTPUTS_H
#define TOOLS_RUN_OUTPUTS_H

#include "run.h"

typedef struct run_body_fields run_body_fields;

typedef struct run_outputs {
    int count;
    taut_cache *cache[WORDS];
    taut_cache_object *object; /* one per body */
    int nbodies;
    float **xyz;                            /* positions of each body, as shown */
    run_body_fields *fields;                /* of each body; NULL: no output can hold any */
    const taut_cache_field **field_of_body; /* as taut_cache_write takes them */
} run_outputs;

/* Opens every output of the run, which goes on at `first_frame`. Close, leave or discard them in any case. */
bool run_outputs_open(run_outputs *outputs, const run *r, int first_frame, taut_error *error);
/* Writes the present state of the scene as the next frame. */
bool run_outputs_write(run_outputs *outputs, const taut_scene *scene, taut_error *error);
bool run_outputs_flush(run_outputs *outputs, taut_error *error);
/* Finishes all files. */
bool run_outputs_close(run_outputs *outputs, taut_error *error);
/* Leaves unfinished files, so that a later run can go on with them. */
void run_outputs_leave(run_outputs *outputs);
/* Removes unfinished files. */
void run_outputs_discard(run_outputs *outputs);

/* Whether all frames of all outputs are there. */
bool run_outputs_complete(const run *r);

#endif
