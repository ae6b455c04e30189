/* Strain of a triangle: shared by its projection (strain_tri.c) and its springs (strain_springs.c). */
#ifndef TAUT_CONSTRAINTS_STRAIN_SPRINGS_H
#define TAUT_CONSTRAINTS_STRAIN_SPRINGS_H

#include "constraints/strain.h"

enum { DIMENSION = 2, PARTICLES = 3, FIELDS = 5, WEIGHT = 4, XX = 0, YY, XY, AREA, MODES };

/* The modes that most cloth has: all but the area, in the default forms. */
static const strain_shape usual = {.active = {true, true, true, false}};

/* `resist`, `stiffen` and `brace` of the kind. */
void TT_NAME(tt_strain_resist)(const tt_batch *batch);
void TT_NAME(tt_strain_stiffen)(const tt_batch *batch);
void TT_NAME(tt_strain_brace)(const tt_batch *batch);

#endif
