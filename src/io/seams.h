/* UVs belong to the corners of faces, but some formats store them by vertex. For those, a vertex becomes as many
 * vertices as it has different UVs: the first keeps its number, its copies come after all vertices. */
#ifndef TAUT_IO_SEAMS_H
#define TAUT_IO_SEAMS_H

#include "base/memory.h"

typedef struct tio_seams {
    int nvertices, ncopies;
    const int *original; /* of each copy */
    const int *corner;   /* of each vertex, then of each copy: a corner that has its UV; -1: no face has the vertex */
    const int *number;   /* of each corner: its vertex, or nvertices + its copy */
    const float *uv;     /* as given: 2 a corner */
} tio_seams;

/* `vertex` and `uv` are those of `ncorners` corners; UVs are finite. False when memory ran out. */
bool tio_find_seams(tt_scope *scope, const int *vertex, const float *uv, size_t ncorners, int nvertices,
                    tio_seams *seams);
/* The UV of a vertex or of copy `number - nvertices`; 0 0 where no face has the vertex. */
const float *tio_seam_uv(const tio_seams *seams, int number);

#endif
