/* How the tets of a solid are deformed along their material axes. */
#ifndef PAPERS_TETS_H
#define PAPERS_TETS_H

#include "taut.h"

typedef struct tets_measure {
    double stretch[3]; /* mean of | |f_i| - 1 |                        */
    double shear;      /* rad: mean of the three angles off 90 degrees */
    double volume;     /* of the whole, over that at rest              */
    double volume_off; /* mean of |volume / rest - 1| of single tets   */
    int inverted;
} tets_measure;

/* The mesh has frames, and no degenerate tets. */
void tets_measure_of(const taut_mesh *mesh, const float *xyz, tets_measure *measure);

#endif
