/* Saving a world as bytes and putting it back, exact to the bit.
 *
 *     magic, format   settings   colliders   bodies   ties   tiers   checksum    slots come before what is in them
 *
 * Everything is written number by number. A save holds no models: a body names its model by hash.
 *
 * A restore looks at every number before it changes the world. The checksum guards against accidents, and these checks
 * guard against forged bytes. Then the restore makes the bodies that are missing. If a slot already has a body of the
 * same model, that body is used again. Only then the restore reads, and from there on it cannot fail. */
#ifndef TAUT_WORLD_SAVE_H
#define TAUT_WORLD_SAVE_H

#include "world/cursor.h"
#include "world/world.h"

extern const char tt_save_magic[8];
enum { TT_SAVE_FORMAT = 15 };

/* One walk for counting, writing, checking and reading (save_walk.c). */
void tt_save_head(tt_cursor *c, char head[8], int *format);
void tt_save_settings(tt_cursor *c, taut_world *world);
void tt_save_slots(tt_cursor *c, tt_slots *slots);
/* The group and the mask of a body. */
void tt_save_filter(tt_cursor *c, uint32_t *group, uint32_t *mask);
/* A collider, without the mesh that it owns (save_owned.h). */
void tt_save_collider(tt_cursor *c, tt_collider *collider);
void tt_save_material(tt_cursor *c, taut_material *material);
void tt_save_pin(tt_cursor *c, tt_pin *pin);
/* Positions, velocities and inverse masses. `mesh` NULL: they are only counted or checked. */
void tt_save_particles(tt_cursor *c, const taut_model *model, tt_level *mesh);
/* What friction between layers of cloth holds. */
void tt_save_held(tt_cursor *c, const taut_model *model, tt_level *mesh);
void tt_save_tie(tt_cursor *c, tt_tie *tie);
void tt_save_tier(tt_cursor *c, tt_tier *tier);

/* The content of the bytes, before it replaces that of the world. */
typedef struct tt_reading {
    const taut_world *world;  /* the world to be restored */
    taut_world found;         /* settings and slots                                            */
    tt_collider *collider;    /* per slot                                                      */
    const taut_model **model; /* per slot of bodies; NULL: it is free                          */
    tt_body **made;           /* per slot of bodies: a new body; NULL: that of the world is kept */
    tt_tie *tie;              /* per slot                                                      */
} tt_reading;

/* Checks (save_check.c). The first checks magic, format and checksum. The second checks all the rest and fills `r`. Its
 * memory comes from `scratch`, except that of the meshes that colliders own. */
bool tt_save_check_frame(tt_cursor *c, taut_error *error);
bool tt_save_check_world(tt_cursor *c, tt_scope *scratch, const taut_model *const *models, int nmodels, tt_reading *r,
                         taut_error *error);
/* The mesh that the collider in slot i of the world owns already, if it can be used again. */
tt_owned *tt_save_owned_of(const tt_reading *r, int i, taut_shape shape);

#endif
