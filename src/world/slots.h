/* Ids of items that come and go. An id consists of the number of a slot and how often that slot was used before. So the
 * id of an item that is gone is recognised, and never names the item that took its slot. Adding and removing take
 * constant time. */
#ifndef TAUT_WORLD_SLOTS_H
#define TAUT_WORLD_SLOTS_H

#include "base/memory.h"

enum {
    TT_SLOT_BITS = 20, /* a million slots...             */
    TT_MOST_SLOTS = 1 << TT_SLOT_BITS,
    TT_MOST_USES = 1 << (31 - TT_SLOT_BITS) /* ...each used up to 2048 times */
};

typedef struct tt_slot {
    bool used;
    int uses; /* before the present one                 */
    int next; /* of a free slot: the next free slot, or -1 */
} tt_slot;

typedef struct tt_slots {
    int count, capacity;
    int first_free; /* -1: none */
    tt_slot *slot;
} tt_slots;

void tt_slots_open(tt_slots *slots);
/* Makes room for `count` slots in all, and keeps those in use; false when memory ran out. */
bool tt_slots_reserve(tt_slots *slots, tt_scope *scope, int count);
/* The number of the slot that the next tt_slots_add takes; TT_MOST_SLOTS when all are used up. */
int tt_slots_next(const tt_slots *slots);
/* Takes that slot, for which there must be room; returns its id. */
int tt_slots_add(tt_slots *slots);
/* The slot of an id, or -1 when its item is gone or never existed. */
int tt_slots_find(const tt_slots *slots, int id);
int tt_slots_id(const tt_slots *slots, int slot);
/* Frees a slot in use. */
void tt_slots_remove(tt_slots *slots, int slot);
/* Whether adding and removing can lead to this state. A restore checks what it has read. */
bool tt_slots_are_sound(const tt_slots *slots);

#endif
