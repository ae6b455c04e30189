/* Saving a world as bytes and putting it back, exact to the bit.
 *
 *     magic, format   settings   colliders   bodies   ties   checksum            slots come before what is in them
 *
 * Everything is written number by number. A save holds no models: a body names its model by hash.
 *
 * Restoring looks at every number before it changes the world. The checksum guards against accidents, and these checks
 * guard against bytes that were made up. Then it makes the bodies that are missing. A body of the same model that is in
 * the slot already is used again. Only then it reads, and that cannot fail any more. */
#ifndef TAUT_WORLD_SAVE_H
#define TAUT_WORLD_SAVE_H

#include "world/cursor.h"
#include "world/world.h"

extern const char tt_save_magic[8];
enum { TT_SAVE_FORMAT = 12 };

/* One walk for counting, writing, checking and reading (save_walk.c). */
void tt_save_head(tt_cursor *c, char head[8], int *format);
void tt_save_settings(tt_cursor *c, taut_world *world);
void tt_save_slots(tt_cursor *c, tt_slots *slots);
/* The group and the mask of a body. */
void tt_save_filter(tt_cursor *c, uint32_t *group, uint32_t *mask);
/* Without what it owns (save_owned.h). */
void tt_save_collider(tt_cursor *c, tt_collider *collider);
void tt_save_material(tt_cursor *c, taut_material *material);
void tt_save_pin(tt_cursor *c, tt_pin *pin);
/* Positions, velocities and inverse masses. `mesh` NULL: they are only counted or checked. */
void tt_save_particles(tt_cursor *c, const taut_model *model, tt_level *mesh);
void tt_save_tie(tt_cursor *c, tt_tie *tie);

/* What was found in the bytes, before it takes the world's place. */
typedef struct tt_reading {
    const taut_world *world;  /* that is to be restored */
    taut_world found;         /* settings and slots                                            */
    tt_collider *collider;    /* per slot                                                      */
    const taut_model **model; /* per slot of bodies; NULL: it is free                          */
    tt_body **made;           /* per slot of bodies: a new body, NULL: that of the world does  */
    tt_tie *tie;              /* per slot                                                      */
} tt_reading;

/* Checks (save_check.c): magic, format and checksum; all the rest, to `r`. What it takes lives in `scratch`, but for
 * what colliders own. */
bool tt_save_check_frame(tt_cursor *c, taut_error *error);
bool tt_save_check_world(tt_cursor *c, tt_scope *scratch, const taut_model *const *models, int nmodels, tt_reading *r,
                         taut_error *error);
/* What slot i of the world owns already, if it can be used again. */
tt_owned *tt_save_owned_of(const tt_reading *r, int i, taut_shape shape);

#endif
