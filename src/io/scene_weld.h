/* Finds the vertices of different parts of a mesh that are the same. */
#ifndef TAUT_IO_SCENE_WELD_H
#define TAUT_IO_SCENE_WELD_H

#include "base/memory.h"

/* Vertex v is in part part[v], which ascends with v. It is welded to the nearest vertex of an earlier part within
 * `weld` m. Fills number[v] with the new numbers of the vertices, in the old order, and returns how many vertices there
 * are; -1 when memory ran out. */
int tio_weld(const float *xyz, const int *part, int nvertices, double weld, int *number);

#endif
