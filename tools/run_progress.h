/* How far a run is: a bar drawn over itself on a terminal, a line now and then elsewhere. */
#ifndef TOOLS_RUN_PROGRESS_H
#define TOOLS_RUN_PROGRESS_H

#include "run.h"

double seconds_now(void); /* of a clock that is never set back */

typedef struct progress {
    bool quiet, terminal;
    int first, last;       /* frames: done when this process began, and all */
    double began, shown;   /* seconds_now */
    int shown_tenth;       /* of all frames, when the last line was printed */
} progress;

void progress_begin(progress *p, const run *r);
/* Call it after each frame. */
void progress_show(progress *p, const run *r);
/* Ends the bar's line, if there is one. */
void progress_end(const progress *p);

#endif
