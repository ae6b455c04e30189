#include "collide/broad.h"

#include <string.h>

bool tt_broad_reserve(tt_broad *broad, tt_scope *scope, int count)
{
    tt_broad larger = {.shapes = broad->shapes,
                       .looks = broad->looks,
                       .placed = TT_TAKE(scope, tt_placed, count),
                       .box = TT_TAKE(scope, tt_box, count),
                       .moving = TT_TAKE(scope, int, count)};
    if (!larger.placed || !larger.box || !larger.moving) return false;
    if (!tt_bvh_reserve(scope, count, &larger.tree)) return false;
    *broad = larger;
    return true;
}

/* Compares to the bit, so that every change is noticed. */
static bool same_bytes(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

void tt_broad_begin(tt_broad *broad, const tt_collider *collider, int count)
{
    const tt_box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    bool changed = broad->count != count;
    broad->count = count;
    broad->nused = broad->nmoving = 0;
    broad->any_solid = false;
    for (int i = 0; i < count; i++) {
        tt_box box = collider[i].used ? tt_collider_box(&collider[i]) : nothing;
        changed = changed || !same_bytes(&box, &broad->box[i], sizeof box);
        broad->box[i] = box;
        if (!collider[i].used) continue;
        broad->nused++;
        if (broad->shapes->shape[collider[i].now.shape]->meet_faces) broad->any_solid = true;
        bool deforms = collider[i].owned && collider[i].owned->surface && collider[i].owned->surface->moves;
        if (deforms || !same_bytes(&collider[i].now, &collider[i].target, sizeof collider[i].now))
            broad->moving[broad->nmoving++] = i;
    }
    if (changed) tt_bvh_fill(&broad->tree, broad->box, count);
}

static void place(tt_broad *broad, const tt_collider *collider, int i, float from, float to, float h)
{
    broad->placed[i] = tt_collider_place(&collider[i], from, to, h);
    broad->placed[i].look = broad->looks;
}

void tt_broad_advance(tt_broad *broad, const tt_collider *collider, float from, float to, float h)
{
    broad->looks++;
    for (int i = 0; i < broad->count && from == 0; i++)
        if (collider[i].used) place(broad, collider, i, from, to, h);
    for (int k = 0; k < broad->nmoving && from > 0; k++) place(broad, collider, broad->moving[k], from, to, h);
}
