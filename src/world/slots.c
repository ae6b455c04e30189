#include "world/slots.h"

void tt_slots_open(tt_slots *slots) { *slots = (tt_slots){.first_free = -1}; }

bool tt_slots_reserve(tt_slots *slots, tt_scope *scope, int count)
{
    if (count <= slots->capacity) return true;
    int capacity = slots->capacity ? slots->capacity : 16;
    while (capacity < count) capacity *= 2;
    tt_slot *slot = tt_enlarge(scope, slots->slot, (size_t)slots->count, (size_t)capacity, sizeof *slot);
    if (!slot) return false;
    slots->slot = slot;
    slots->capacity = capacity;
    return true;
}

int tt_slots_next(const tt_slots *slots) { return slots->first_free >= 0 ? slots->first_free : slots->count; }

int tt_slots_id(const tt_slots *slots, int slot) { return slots->slot[slot].uses << TT_SLOT_BITS | slot; }

int tt_slots_add(tt_slots *slots)
{
    int number = tt_slots_next(slots);
    tt_slot *slot = &slots->slot[number];
    if (number == slots->count) *slot = (tt_slot){.next = -1}, slots->count++;
    else slots->first_free = slot->next;
    slot->used = true;
    slot->next = -1;
    return tt_slots_id(slots, number);
}

int tt_slots_find(const tt_slots *slots, int id)
{
    int number = id & (TT_MOST_SLOTS - 1);
    if (id < 0 || number >= slots->count) return -1;
    return slots->slot[number].used && slots->slot[number].uses == id >> TT_SLOT_BITS ? number : -1;
}

/* A slot that has had its last use is not used again, because its ids would begin to repeat. */
void tt_slots_remove(tt_slots *slots, int number)
{
    tt_slot *slot = &slots->slot[number];
    slot->used = false;
    if (++slot->uses == TT_MOST_USES) return;
    slot->next = slots->first_free;
    slots->first_free = number;
}

bool tt_slots_are_sound(const tt_slots *slots)
{
    int waiting = 0, listed = 0;
    for (int i = 0; i < slots->count; i++) {
        const tt_slot *slot = &slots->slot[i];
        if (slot->uses < 0 || slot->uses > TT_MOST_USES || (slot->used && slot->uses == TT_MOST_USES)) return false;
        if (slot->next < -1 || slot->next >= slots->count) return false;
        waiting += !slot->used && slot->uses < TT_MOST_USES;
    }
    if (slots->first_free < -1 || slots->first_free >= slots->count) return false;
    for (int at = slots->first_free; at >= 0 && listed <= waiting; at = slots->slot[at].next) {
        if (slots->slot[at].used || slots->slot[at].uses == TT_MOST_USES) return false;
        listed++;
    }
    return listed == waiting; /* if there were more, the list would have a loop */
}
