/* Shows the progress of a run. */
#ifndef TOOLS_RUN_PROGRESS_H
#define TOOLS_RUN_PROGRESS_H

#include "progress.h"
#include "run.h"

/* Call it after each frame. */
void run_progress_show(progress *p, const run *r);

/* A bar on a terminal while models are built, for taut_scene_options.progress; `user` is a progress of
 * RUN_PROGRESS_BUILT steps. */
enum { RUN_PROGRESS_BUILT = 100 };
void run_progress_building(int body, float done, void *user);

#endif
