/* What is odd about a mesh, in plain sentences that say where. */
#ifndef TOOLS_MESH_PROBLEMS_H
#define TOOLS_MESH_PROBLEMS_H

#include "mesh_measure.h"

typedef struct mesh_problem {
    const char *kind; /* one word, for machines */
    int count;
    char text[200];
} mesh_problem;

enum { MOST_PROBLEMS = 12 };

/* Returns how many there are. */
int mesh_problems(const mesh_figures *figures, mesh_problem problem[MOST_PROBLEMS]);

#endif
