/* The edges of the elements of a mesh, each once. */
#ifndef PAPERS_EDGES_H
#define PAPERS_EDGES_H

#include "experiment.h"

typedef int edge[2]; /* the smaller number first */

/* Edges of triangles and tets, sorted. They are freed with the result; NULL when memory ran out. */
edge *edges_of(paper_result *r, const taut_mesh *mesh, int *count);
/* The same with each edge as often as there are elements around it, element by element. */
edge *sides_of(paper_result *r, const taut_mesh *mesh, int *count);

#endif
