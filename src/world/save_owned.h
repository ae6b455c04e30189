/* What colliders own, in saves: the mesh that it was made from, and where the vertices of a deforming one are. All else
 * follows from that. */
#ifndef TAUT_WORLD_SAVE_OWNED_H
#define TAUT_WORLD_SAVE_OWNED_H

#include "collide/owned.h"
#include "world/cursor.h"

/* Counts or writes it. */
void tt_owned_write(tt_cursor *c, tt_owned *owned);
/* Checks what was written and makes it anew, unless `present` (may be NULL) is the same: then that is the answer.
 * NULL with an error. `c` is at TT_CHECK. */
tt_owned *tt_owned_check(tt_cursor *c, const tt_scope *like, taut_shape shape, tt_owned *present, taut_error *error);
/* Reads what can change; the rest is there already. */
void tt_owned_read(tt_cursor *c, tt_owned *owned);

#endif
