/* How single pairs of bodies touch, where they differ from what both materials say. */
#ifndef TAUT_COLLIDE_TIERS_H
#define TAUT_COLLIDE_TIERS_H

#include "base/memory.h"
#include "taut.h"

typedef struct tt_tier {
    int a, b; /* slots of bodies, a < b */
    taut_contact contact;
} tt_tier;

typedef struct tt_tiers {
    int count, capacity;
    tt_tier *tier; /* sorted by a, then by b; each pair at most once */
} tt_tiers;

/* How two bodies touch, from what their materials say: the tier of their pair, or else the lower one of their own. A
 * body touches itself as its material says. */
taut_contact tt_tiers_between(const tt_tiers *tiers, int a, taut_contact own_a, int b, taut_contact own_b);
/* Makes room for that many pairs; false when memory ran out. */
bool tt_tiers_reserve(tt_tiers *tiers, tt_scope *scope, int count);
/* Sets the tier of a pair, for which there must be room; TAUT_CONTACT_AUTO: it has none of its own. */
void tt_tiers_set(tt_tiers *tiers, int a, int b, taut_contact contact);
/* Forgets all pairs of a body. */
void tt_tiers_drop(tt_tiers *tiers, int body);
/* Whether tt_tiers_set can lead to this order. */
bool tt_tiers_are_sorted(const tt_tiers *tiers);

#endif
