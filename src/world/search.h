/* The search of the balance (stage_search.c, stage_brace.c). It finds how far the bodies of an island have to go until
 * no load is left, and adds that to `gone`. */
#ifndef TAUT_WORLD_SEARCH_H
#define TAUT_WORLD_SEARCH_H

#include "world/stage.h"

/* Computes the braces of all levels, which the search needs: the stiffness that holds each particle if it moves
 * alone. */
void tt_balance_braces(const tt_work *work);
/* The inverse of a symmetric matrix, xx yy zz and xy yz xz, in place. */
void tt_balance_invert(float *straight, float *mixed);
/* Bodies that only other cloth holds go as wholes (stage_whole.c). */
void tt_balance_wholes(const tt_work *work);
/* Searches until a step begins with a load worth no more than `enough`; that step is the last. */
void tt_balance_search(const tt_work *work, double enough);
/* Both go along a `way` of the caller: the first to its end, the second until the given load along it is gone. */
void tt_balance_go(const tt_work *work);
void tt_balance_go_for(const tt_work *work, double load);
/* The product of two vectors in a part of a mesh. */
double tt_product(const tt_level *mesh, const float *a, const float *b, int part);

#endif
