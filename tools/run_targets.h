/* Checks what a run is about to write, before its first step. */
#ifndef TOOLS_RUN_TARGETS_H
#define TOOLS_RUN_TARGETS_H

#include "run.h"

/* ARGUMENTS_READ when every file of the run can be written and none of them is one that it reads, else EXIT_USAGE after
 * a message. */
int run_targets_check(const run *r);

#endif
