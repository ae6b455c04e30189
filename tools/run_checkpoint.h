/* Checkpoints: everything needed to go on with a run that was interrupted. */
#ifndef TOOLS_RUN_CHECKPOINT_H
#define TOOLS_RUN_CHECKPOINT_H

#include "run.h"

#define RUN_CHECKPOINT_BEGIN "TAUTck" /* the first bytes of every checkpoint, of whatever version */

/* A hash of everything that decides the result, as far as it can be seen: what the scene, its includes and the
 * values set on the command line say, models, materials, the world at its start, frame rate and count, names of
 * outputs. `r->scene` is at frame 0. */
uint64_t run_fingerprint(const run *r);

/* Replaces the checkpoint by one of the frame that the scene is at. The outputs must hold that frame already. */
bool run_checkpoint_write(const run *r, taut_error *error);

typedef enum run_checkpoint_state { CHECKPOINT_NONE, CHECKPOINT_READ, CHECKPOINT_BAD } run_checkpoint_state;
/* Puts scene, notes and breaks back to where they were. BAD has filled `error`. */
run_checkpoint_state run_checkpoint_read(run *r, taut_error *error);

#endif
