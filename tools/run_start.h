/* Intersections at the start of a run: bodies with contact that begin in each other or in themselves. */
#ifndef TOOLS_RUN_START_H
#define TOOLS_RUN_START_H

#include "run.h"

#include <stdio.h>

/* Searches the scene, which must be at its start, and fills r->start. */
bool run_start_search(run *r, taut_error *error);
/* Says on stderr how many there are, which is the first, and how to see them all. */
void run_start_warn(const run *r);
/* Writes them as the member "start" of the record. */
void run_start_put(FILE *file, const run *r);

#endif
