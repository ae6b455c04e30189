#include "collide/tiers.h"

#include <string.h>

static bool is_before(const tt_tier *tier, int a, int b) { return tier->a < a || (tier->a == a && tier->b < b); }

/* The place of a pair, or of the first one after it. */
static int find(const tt_tiers *tiers, int a, int b)
{
    int low = 0, high = tiers->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(&tiers->tier[middle], a, b)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool is_at(const tt_tiers *tiers, int place, int a, int b)
{
    return place < tiers->count && tiers->tier[place].a == a && tiers->tier[place].b == b;
}

taut_contact tt_tiers_between(const tt_tiers *tiers, int a, taut_contact own_a, int b, taut_contact own_b)
{
    int low = a < b ? a : b, high = a < b ? b : a, place = find(tiers, low, high);
    if (a != b && is_at(tiers, place, low, high)) return tiers->tier[place].contact;
    return own_a < own_b ? own_a : own_b;
}

bool tt_tiers_reserve(tt_tiers *tiers, tt_scope *scope, int count)
{
    if (count <= tiers->capacity) return true;
    int capacity = 2 * count;
    tt_tier *tier = tt_enlarge(scope, tiers->tier, (size_t)tiers->count, (size_t)capacity, sizeof *tier);
    if (!tier) return false;
    tiers->tier = tier;
    tiers->capacity = capacity;
    return true;
}

void tt_tiers_set(tt_tiers *tiers, int a, int b, taut_contact contact)
{
    int low = a < b ? a : b, high = a < b ? b : a, place = find(tiers, low, high);
    bool known = is_at(tiers, place, low, high), keep = contact != TAUT_CONTACT_AUTO;
    tt_tier *tier = &tiers->tier[place];
    size_t after = (size_t)(tiers->count - place);
    if (known && !keep) memmove(tier, tier + 1, (after - 1) * sizeof *tier), tiers->count--;
    if (!known && keep) memmove(tier + 1, tier, after * sizeof *tier), tiers->count++;
    if (keep) *tier = (tt_tier){low, high, contact};
}

void tt_tiers_drop(tt_tiers *tiers, int body)
{
    int kept = 0;
    for (int i = 0; i < tiers->count; i++)
        if (tiers->tier[i].a != body && tiers->tier[i].b != body) tiers->tier[kept++] = tiers->tier[i];
    tiers->count = kept;
}

bool tt_tiers_are_sorted(const tt_tiers *tiers)
{
    for (int i = 0; i < tiers->count; i++) {
        const tt_tier *tier = &tiers->tier[i];
        if (tier->a >= tier->b || (i > 0 && !is_before(&tiers->tier[i - 1], tier->a, tier->b))) return false;
    }
    return true;
}
