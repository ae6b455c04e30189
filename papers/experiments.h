/* The table of all experiments. */
#ifndef PAPERS_EXPERIMENTS_H
#define PAPERS_EXPERIMENTS_H

#include "experiment.h"

/* NULL past the last one. */
const experiment *experiment_at(int index);

#endif
