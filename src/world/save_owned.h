/* The data that colliders own, in saves: the mesh from which it was made, and the places of the vertices of a deforming
 * mesh. Everything else follows from these. */
#ifndef TAUT_WORLD_SAVE_OWNED_H
#define TAUT_WORLD_SAVE_OWNED_H

#include "collide/owned.h"
#include "world/cursor.h"

/* Counts or writes the data. */
void tt_owned_write(tt_cursor *c, tt_owned *owned);
/* Checks the written data and makes it anew. If `present` (may be NULL) is the same, returns `present` instead. NULL
 * with an error. `c` is at TT_CHECK. */
tt_owned *tt_owned_check(tt_cursor *c, const tt_scope *like, taut_shape shape, tt_owned *present, taut_error *error);
/* Reads the places that can change; the rest is there already. */
void tt_owned_read(tt_cursor *c, tt_owned *owned);

#endif
