/* Checkpoints: everything needed to go on with a run that was interrupted. */
#ifndef TOOLS_RUN_CHECKPOINT_H
#define TOOLS_RUN_CHECKPOINT_H

#include "run.h"

#define RUN_CHECKPOINT_BEGIN "TAUTck" /* the first bytes of every checkpoint, of whatever version */

/* A hash of everything that decides the result, as far as it is known: the scene with its includes and the values set
 * on the command line, models, materials, the world at its start, frame rate and count, names of outputs. `r->scene` is
 * at frame 0. */
uint64_t run_fingerprint(const run *r);

/* Replaces the checkpoint by one of the scene's present frame. The outputs must contain that frame already. */
bool run_checkpoint_write(const run *r, taut_error *error);

typedef enum run_checkpoint_state { CHECKPOINT_NONE, CHECKPOINT_READ, CHECKPOINT_BAD } run_checkpoint_state;
/* Restores scene, notes and breaks. If it returns BAD, `error` is filled. */
run_checkpoint_state run_checkpoint_read(run *r, taut_error *error);

#endif
