/* Looking at every number of a save before the world changes. */
#include "world/save.h"

#include "base/error.h"
#include "base/hash.h"
#include "world/origin.h"
#include "world/save_owned.h"

#include <math.h>
#include <string.h>

static bool cut_short(taut_error *error) { return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short"); }

static bool impossible(const char *what, int i, taut_error *error)
{
    return tt_fail(error, TAUT_BAD_SAVE, i, "%s %d: the save holds impossible values", what, i);
}

static bool check_settings(tt_cursor *c, taut_world *found, taut_error *error)
{
    bool sound = true;
    tt_save_settings(c, found);
    for (int pace = 0; pace < TT_PACES; pace++)
        sound = sound && isfinite(found->last_h[pace]) && found->last_h[pace] >= 0;
    if (sound && !c->failed && tt_world_def_check(&found->def, NULL) && found->steps >= 0 && isfinite(found->seconds))
        return true;
    return tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible settings");
}

/* Counts are checked against the bytes that are left before any memory is taken for them. */
static bool check_slots(tt_cursor *c, tt_scope *scratch, tt_slots *slots, taut_error *error)
{
    enum { SLOT_BYTES = 9 };
    tt_slots_open(slots);
    tt_walk_int(c, &slots->count);
    if (c->failed || slots->count < 0 || slots->count > TT_MOST_SLOTS) return cut_short(error);
    if ((size_t)slots->count > (c->size - c->at) / SLOT_BYTES) return cut_short(error);
    slots->slot = TT_TAKE(scratch, tt_slot, slots->count);
    if (!slots->slot) return tt_no_memory(error);
    tt_save_slots(c, slots);
    return (!c->failed && tt_slots_are_sound(slots)) ||
           tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible ids");
}

tt_owned *tt_save_owned_of(const tt_reading *r, int i, taut_shape shape)
{
    const tt_collider *present = i < r->world->colliders.count ? &r->world->collider[i] : NULL;
    return present && present->used && present->now.shape == shape ? present->owned : NULL;
}

static bool check_collider(tt_cursor *c, tt_reading *r, int i, taut_error *error)
{
    tt_collider *collider = &r->collider[i];
    tt_save_collider(c, collider);
    bool sound = !c->failed && collider->now.shape == collider->target.shape &&
                 tt_collider_check(&collider->now, NULL) && tt_collider_check(&collider->target, NULL);
    if (!sound) return impossible("collider", i, error);
    taut_shape shape = collider->now.shape;
    if (!tt_shape_owns(shape)) return true;
    collider->owned = tt_owned_check(c, &r->world->scope, shape, tt_save_owned_of(r, i, shape), error);
    return collider->owned;
}

static const taut_model *find_model(const taut_model *const *models, int nmodels, uint64_t hash)
{
    for (int i = 0; i < nmodels; i++)
        if (models[i]->hash == hash) return models[i];
    return NULL;
}

static bool check_pins(tt_cursor *c, const taut_model *model)
{
    int npins = -1;
    tt_walk_int(c, &npins);
    if (npins < 0 || npins > model->nvertices) return false;
    for (int i = 0; i < npins && !c->failed; i++) {
        tt_pin pin = {0};
        tt_save_pin(c, &pin);
        if (pin.particle < 0 || pin.particle >= model->nvertices) return false;
        if (!(pin.stiffness > 0 && pin.stiffness <= 1)) return false;
    }
    return !c->failed;
}

static bool check_body(tt_cursor *c, const taut_model *const *models, int nmodels, int i, tt_reading *r,
                       taut_error *error)
{
    uint64_t hash = 0;
    double origin[3];
    taut_material material;
    uint32_t group = 0, mask = 0;
    int pair_chunks = -1;
    bool may_cross;
    tt_walk_u64(c, &hash);
    if (c->failed) return cut_short(error);
    const taut_model *model = find_model(models, nmodels, hash);
    if (!model) return tt_fail(error, TAUT_BAD_SAVE, i, "body %d: its model is not among those given", i);
    tt_save_material(c, &material);
    if (c->failed || !tt_material_change_check(model, &material, NULL)) return impossible("body", i, error);
    tt_save_filter(c, &group, &mask);
    tt_walk_point(c, origin);
    tt_save_particles(c, model, NULL);
    tt_walk_int(c, &pair_chunks);
    tt_walk_bool(c, &may_cross);
    tt_save_held(c, model, NULL);
    if (pair_chunks < 0 || pair_chunks > TT_APART_MOST_CHUNKS) return impossible("body", i, error);
    if (c->failed || !check_pins(c, model)) return impossible("body", i, error);
    r->model[i] = model;
    return true;
}

/* Whether the particle belongs to the body of an id. */
static bool has_particle(const tt_reading *r, int body, int particle)
{
    int slot = tt_slots_find(&r->found.bodies, body);
    return slot >= 0 && particle >= 0 && particle < r->model[slot]->nvertices;
}

/* Whether a distance that comes down to `least` is possible; if one is infinite, both are. */
static bool is_sound_length(double now, float least)
{
    return least >= 0 && now >= (double)least && (now <= TT_FARTHEST || (isinf(now) && isinf(least)));
}

static bool is_sound_ride(const tt_reading *r, const tt_tie *tie)
{
    const tt_ride *ride = &tie->ride;
    double size = fabs(ride->along);
    bool sound = ride->along >= 0 && ride->along <= 1;
    for (int i = 0; i < 3; i++) {
        size += fabs(ride->arm[i]);
        sound = sound && ride->weight[i] >= 0 && ride->weight[i] <= 1;
    }
    if (!sound || !(size <= TT_FARTHEST) || tie->collider < 0) return sound && size <= TT_FARTHEST;
    int slot = tt_slots_find(&r->found.colliders, tie->collider);
    if (slot < 0 || ride->triangle < -1) return false;
    const tt_collider *collider = &r->collider[slot];
    return ride->triangle < 0 ||
           (collider->now.shape == TAUT_MESH && ride->triangle < collider->owned->surface->ntris);
}

static bool is_sound_tie(const tt_reading *r, const tt_tie *tie)
{
    bool by_collider = tie->collider >= 0, ends = false;
    bool sound = has_particle(r, tie->body, tie->particle) && by_collider != (tie->other >= 0) &&
                 is_sound_ride(r, tie) && is_sound_length(tie->leash, tie->slack) &&
                 is_sound_length(tie->wall, tie->backstop) && tie->speed > 0 && tie->strength > 0 && tie->force >= 0 &&
                 isfinite(tie->force);
    if (by_collider) return sound && isinf(tie->backstop);
    sound = sound && tie->corner[0] >= 0 && (isinf(tie->backstop) || (tie->corner[1] >= 0 && tie->corner[2] >= 0));
    for (int i = 0; i < TT_TIE_ENDS - 1 && sound && !ends; i++) {
        ends = tie->corner[i] < 0;
        sound = ends || (has_particle(r, tie->other, tie->corner[i]) && fabsf(tie->weight[i]) <= 1e3f &&
                         (tie->other != tie->body || tie->corner[i] != tie->particle));
        for (int k = 0; k < i && !ends; k++) sound = sound && tie->corner[k] != tie->corner[i];
    }
    return sound;
}

static bool check_ties(tt_cursor *c, tt_scope *scratch, tt_reading *r, taut_error *error)
{
    tt_slots *slots = &r->found.ties;
    if (!check_slots(c, scratch, slots, error)) return false;
    r->tie = TT_TAKE(scratch, tt_tie, slots->count);
    if (!r->tie) return tt_no_memory(error);
    for (int i = 0; i < slots->count; i++) {
        if (!slots->slot[i].used) continue;
        tt_save_tie(c, &r->tie[i]);
        if (c->failed || !is_sound_tie(r, &r->tie[i])) return impossible("attachment", i, error);
    }
    return true;
}

static bool is_used(const tt_slots *slots, int slot)
{
    return slot >= 0 && slot < slots->count && slots->slot[slot].used;
}

static bool check_tiers(tt_cursor *c, tt_scope *scratch, tt_reading *r, taut_error *error)
{
    enum { TIER_BYTES = 12 };
    tt_tiers *tiers = &r->found.tiers;
    int count = -1;
    tt_walk_int(c, &count);
    if (c->failed || count < 0 || (size_t)count > (c->size - c->at) / TIER_BYTES) return cut_short(error);
    if (!tt_tiers_reserve(tiers, scratch, count)) return tt_no_memory(error);
    for (tiers->count = 0; tiers->count < count; tiers->count++) {
        tt_tier *tier = &tiers->tier[tiers->count];
        tt_save_tier(c, tier);
        bool known = is_used(&r->found.bodies, tier->a) && is_used(&r->found.bodies, tier->b);
        if (c->failed || !known || tier->contact < TAUT_CONTACT_OFF || tier->contact >= TAUT_CONTACT_AUTO)
            return impossible("pair", tiers->count, error);
    }
    return tt_tiers_are_sorted(tiers) || impossible("pair", 0, error);
}

bool tt_save_check_world(tt_cursor *c, tt_scope *scratch, const taut_model *const *models, int nmodels, tt_reading *r,
                         taut_error *error)
{
    taut_world *found = &r->found;
    if (!check_settings(c, found, error) || !check_slots(c, scratch, &found->colliders, error)) return false;
    r->collider = TT_TAKE(scratch, tt_collider, found->colliders.count);
    if (!r->collider) return tt_no_memory(error);
    for (int i = 0; i < found->colliders.count; i++)
        if (found->colliders.slot[i].used && !check_collider(c, r, i, error)) return false;
    if (!check_slots(c, scratch, &found->bodies, error)) return false;
    r->model = TT_TAKE(scratch, const taut_model *, found->bodies.count);
    r->made = TT_TAKE(scratch, tt_body *, found->bodies.count);
    if (!r->model || !r->made) return tt_no_memory(error);
    for (int i = 0; i < found->bodies.count; i++)
        if (found->bodies.slot[i].used && !check_body(c, models, nmodels, i, r, error)) return false;
    if (!check_ties(c, scratch, r, error) || !check_tiers(c, scratch, r, error)) return false;
    return c->at == c->size || tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds more than a world");
}

bool tt_save_check_frame(tt_cursor *c, taut_error *error)
{
    char head[8] = {0};
    int format = 0;
    uint64_t check = 0;
    tt_save_head(c, head, &format);
    if (c->failed || memcmp(head, tt_save_magic, sizeof head) != 0)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "these bytes are not a saved world");
    if (format != TT_SAVE_FORMAT)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save has format %d, this version of taut reads format %d", format,
                       TT_SAVE_FORMAT);
    if (c->size < c->at + sizeof check) return cut_short(error);
    c->size -= sizeof check;
    tt_cursor tail = {.walk = TT_CHECK, .from = c->from, .at = c->size, .size = c->size + sizeof check};
    tt_walk_u64(&tail, &check);
    if (check == tt_hash(TT_HASH_SEED, c->from, c->size)) return true;
    return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short or damaged: its checksum does not match");
}
