/* The search of the balance (stage_search.c, stage_brace.c). It looks for how far the bodies of an island have to go
 * until no load is left, and adds that to `gone`. */
#ifndef TAUT_WORLD_SEARCH_H
#define TAUT_WORLD_SEARCH_H

#include "world/stage.h"

/* What holds each particle of all levels if it moves alone: the search needs it. */
void tt_balance_braces(const tt_work *work);
/* A search that begins with a load worth as little as `enough` is the last. */
void tt_balance_search(const tt_work *work, double enough);
/* Goes along a `way` of the caller: to its end; until the load along it, as it is given, is gone. */
void tt_balance_go(const tt_work *work);
void tt_balance_go_for(const tt_work *work, double load);
/* The product of two vectors in a part of a mesh. */
double tt_product(const tt_level *mesh, const float *a, const float *b, int part);

#endif
