/* Which vertices of different parts of a mesh are the same. */
#ifndef TAUT_IO_SCENE_WELD_H
#define TAUT_IO_SCENE_WELD_H

#include "base/memory.h"

/* Vertex v of part part[v] (ascending in v) is welded to the nearest vertex of an earlier part within `weld` m. Fills
 * number[v] with the vertices' numbers after that, in the old order, and returns how many there are; -1 when memory ran
 * out. */
int tio_weld(const float *xyz, const int *part, int nvertices, double weld, int *number);

#endif
