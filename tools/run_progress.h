/* How far a run is. */
#ifndef TOOLS_RUN_PROGRESS_H
#define TOOLS_RUN_PROGRESS_H

#include "progress.h"
#include "run.h"

/* Call it after each frame. */
void run_progress_show(progress *p, const run *r);

#endif
