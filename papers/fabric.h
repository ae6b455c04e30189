/* The rigid fabric of TB: a sheet of 10 x 10 vertices whose edges keep their length, with one of three models of
 * bending at full strength, or with less. */
#ifndef PAPERS_FABRIC_H
#define PAPERS_FABRIC_H

#include "trial.h"

enum { FABRIC_SIDE = 10, FABRIC_VERTICES = FABRIC_SIDE * FABRIC_SIDE, FABRIC_ITERATIONS = 16, FABRIC_MODELS = 3 };

extern const taut_bend_model fabric_model[FABRIC_MODELS];
extern const char *const fabric_name[FABRIC_MODELS];
extern const char *const fabric_kind[FABRIC_MODELS]; /* of its constraints */

/* A trial of 1 m x 1 m with 16 iterations, to be changed and opened. The caller closes it even if this fails. */
bool fabric_make(trial *t, taut_bend_model model, taut_error *error);
/* A highly violated state: the sheet is crumpled, every vertex on its own. */
void fabric_crumple(const taut_mesh *mesh, float xyz[3 * FABRIC_VERTICES]);

#endif
