/* Saving a world as bytes and putting it back, exact to the bit.
 *
 *     magic, format   settings   slots of colliders, colliders   slots of bodies, bodies   slots of ties, ties   checksum
 *
 * Everything is written number by number. A save holds no models: a body names its model by hash.
 *
 * Restoring looks at every number before it changes the world. The checksum guards against accidents, and these checks
 * guard against bytes that were made up. Then it makes the bodies that are missing. A body of the same model that is in
 * the slot already is used again. Only then it reads, and that cannot fail any more. */
#include "world/world.h"

#include "base/error.h"
#include "base/hash.h"
#include "world/cursor.h"
#include "world/origin.h"
#include "world/save_owned.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char magic[8] = {'T', 'A', 'U', 'T', 's', 'a', 'v', 'e'};

enum { FORMAT = 11 };

/* ---- One walk for counting, writing, checking and reading -------------------------------------------------------- */

static void walk_head(tt_cursor *c, char head[8], int *format)
{
    tt_walk_text(c, head, 8);
    tt_walk_int(c, format);
}

static void walk_settings(tt_cursor *c, taut_world *world)
{
    tt_walk_vector(c, world->def.gravity, 3);
    tt_walk_vector(c, world->def.wind, 3);
    tt_walk_vector(c, &world->def.air_density, 1);
    tt_walk_vector(c, &world->def.stretch, 1);
    tt_walk_int(c, &world->def.budget);
    tt_walk_int(c, &world->def.substeps);
    tt_walk_int(c, &world->def.iterations);
    tt_walk_i64(c, &world->steps);
    tt_walk_double(c, &world->seconds);
    tt_walk_vector(c, world->last_h, TT_PACES);
}

static void walk_slot(tt_cursor *c, tt_slot *slot)
{
    tt_walk_bool(c, &slot->used);
    tt_walk_int(c, &slot->uses);
    tt_walk_int(c, &slot->next);
}

static void walk_slots(tt_cursor *c, tt_slots *slots)
{
    for (int i = 0; i < slots->count; i++) walk_slot(c, &slots->slot[i]);
    tt_walk_int(c, &slots->first_free);
}

static void walk_filter(tt_cursor *c, uint32_t *group, uint32_t *mask)
{
    uint64_t both = (uint64_t)*group << 32 | *mask;
    tt_walk_u64(c, &both);
    *group = (uint32_t)(both >> 32);
    *mask = (uint32_t)both;
}

/* Where a collider is. Its cookie is that of this library. */
static void walk_place(tt_cursor *c, taut_collider_def *def)
{
    int shape = (int)def->shape;
    if (tt_is_reading(c)) *def = taut_default_collider_def();
    tt_walk_int(c, &shape);
    def->shape = (taut_shape)shape;
    tt_walk_point(c, def->origin);
    tt_walk_vector(c, def->a, 3);
    tt_walk_vector(c, def->b, 3);
    tt_walk_vector(c, def->normal, 3);
    tt_walk_vector(c, &def->radius, 1);
    tt_walk_vector(c, def->spin, 3);
    tt_walk_vector(c, &def->friction, 1);
    walk_filter(c, &def->group, &def->mask);
    tt_walk_vector(c, def->rotation, 4);
    tt_walk_vector(c, def->size, 3);
    tt_walk_vector(c, &def->radius_b, 1);
    tt_walk_vector(c, &def->thickness, 1);
    tt_walk_vector(c, def->belt, 3);
}

static void walk_collider(tt_cursor *c, tt_collider *collider)
{
    walk_place(c, &collider->now);
    walk_place(c, &collider->target);
}

/* Its cookie is that of this library. */
static void walk_material(tt_cursor *c, taut_material *material)
{
    if (tt_is_reading(c)) *material = taut_default_material();
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *parameter = taut_parameter_at(i);
        taut_parameter_type type = parameter->type;
        void *member = (char *)material + parameter->offset;
        if (type == TAUT_PARAMETER_BOOL) tt_walk_bool(c, member);
        else if (type == TAUT_PARAMETER_INT || type == TAUT_PARAMETER_CHOICE) tt_walk_int(c, member);
        else
            for (size_t k = 0; k < parameter->size / sizeof(float); k++) tt_walk_float(c, (float *)member + k);
    }
}

static void walk_pin(tt_cursor *c, tt_pin *pin)
{
    tt_walk_int(c, &pin->particle);
    tt_walk_vector(c, &pin->stiffness, 1);
    tt_walk_point(c, pin->target);
    tt_walk_bool(c, &pin->arrived);
}

/* Positions, velocities and inverse masses. `mesh` NULL: they are only counted or checked. */
static void walk_particles(tt_cursor *c, const taut_model *model, tt_level *mesh)
{
    size_t n = (size_t)model->nparticles;
    tt_walk_array(c, mesh ? mesh->p : NULL, n, 3, 4, -FLT_MAX);
    tt_walk_array(c, mesh ? mesh->v : NULL, n, 3, 4, -FLT_MAX);
    tt_walk_array(c, mesh ? mesh->free_w : NULL, n, 1, 1, 0);
}

static void walk_doubles(tt_cursor *c, double *value, int count)
{
    for (int i = 0; i < count; i++) tt_walk_double(c, &value[i]);
}

static void walk_tie(tt_cursor *c, tt_tie *tie)
{
    tt_walk_int(c, &tie->body);
    tt_walk_int(c, &tie->particle);
    tt_walk_int(c, &tie->collider);
    tt_walk_int(c, &tie->other);
    for (int i = 0; i < TT_TIE_ENDS - 1; i++) tt_walk_int(c, &tie->corner[i]);
    tt_walk_vector(c, tie->weight, TT_TIE_ENDS - 1);
    walk_doubles(c, &tie->ride.along, 1);
    walk_doubles(c, tie->ride.arm, 3);
    tt_walk_vector(c, &tie->slack, 1);
    tt_walk_float(c, &tie->speed);
    tt_walk_float(c, &tie->strength);
    walk_doubles(c, &tie->reach, 1);
    walk_doubles(c, &tie->force, 1);
}

/* ---- Saving ------------------------------------------------------------------------------------------------------ */

static void write_body(tt_cursor *c, tt_body *body)
{
    uint64_t model = tt_body_model(body)->hash;
    tt_walk_u64(c, &model);
    walk_material(c, &body->material);
    walk_filter(c, &body->group, &body->mask);
    tt_walk_point(c, body->origin);
    walk_particles(c, tt_body_model(body), &body->level[0]);
    tt_walk_int(c, &body->pair_chunks);
    tt_walk_int(c, &body->npins);
    for (int i = 0; i < body->npins; i++) walk_pin(c, &body->pin[i]);
}

static void write_collider(tt_cursor *c, tt_collider *collider)
{
    walk_collider(c, collider);
    if (collider->owned) tt_owned_write(c, collider->owned);
}

/* The walk writes to the world only when it reads. */
static void write_world(tt_cursor *c, taut_world *world)
{
    char head[8];
    int format = FORMAT;
    memcpy(head, magic, sizeof head);
    walk_head(c, head, &format);
    walk_settings(c, world);
    tt_walk_int(c, &world->colliders.count);
    walk_slots(c, &world->colliders);
    for (int i = 0; i < world->colliders.count; i++)
        if (world->colliders.slot[i].used) write_collider(c, &world->collider[i]);
    tt_walk_int(c, &world->bodies.count);
    walk_slots(c, &world->bodies);
    for (int i = 0; i < world->bodies.count; i++)
        if (world->body[i]) write_body(c, world->body[i]);
    tt_walk_int(c, &world->ties.count);
    walk_slots(c, &world->ties);
    for (int i = 0; i < world->ties.count; i++)
        if (world->ties.slot[i].used) walk_tie(c, &world->tie[i]);
}

size_t taut_world_save(const taut_world *world, void *bytes, size_t size)
{
    tt_cursor c = {.walk = TT_COUNT};
    write_world(&c, (taut_world *)world);
    size_t needed = c.at + sizeof(uint64_t);
    if (!bytes || size < needed) return needed;
    c = (tt_cursor){.walk = TT_WRITE, .to = bytes};
    write_world(&c, (taut_world *)world);
    uint64_t check = tt_hash(TT_HASH_SEED, bytes, c.at);
    tt_walk_u64(&c, &check);
    return needed;
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* What was found in the bytes, before it takes the world's place. */
typedef struct reading {
    const taut_world *world;  /* that is to be restored */
    taut_world found;         /* settings and slots                                            */
    tt_collider *collider;    /* per slot                                                      */
    const taut_model **model; /* per slot of bodies; NULL: it is free                          */
    tt_body **made;           /* per slot of bodies: a new body, NULL: that of the world does  */
    tt_tie *tie;              /* per slot                                                      */
} reading;

static bool cut_short(taut_error *error) { return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short"); }

static bool impossible(const char *what, int i, taut_error *error)
{
    return tt_fail(error, TAUT_BAD_SAVE, i, "%s %d: the save holds impossible values", what, i);
}

static bool check_settings(tt_cursor *c, taut_world *found, taut_error *error)
{
    bool sound = true;
    walk_settings(c, found);
    for (int pace = 0; pace < TT_PACES; pace++)
        sound = sound && isfinite(found->last_h[pace]) && found->last_h[pace] >= 0;
    if (sound && !c->failed && tt_world_def_check(&found->def, NULL) && found->steps >= 0 && isfinite(found->seconds))
        return true;
    return tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible settings");
}

/* Counts are checked against the bytes that are there before anything is taken for them. */
static bool check_slots(tt_cursor *c, tt_scope *scratch, tt_slots *slots, taut_error *error)
{
    enum { SLOT_BYTES = 9 };
    tt_slots_open(slots);
    tt_walk_int(c, &slots->count);
    if (c->failed || slots->count < 0 || slots->count > TT_MOST_SLOTS) return cut_short(error);
    if ((size_t)slots->count > (c->size - c->at) / SLOT_BYTES) return cut_short(error);
    slots->slot = TT_TAKE(scratch, tt_slot, slots->count);
    if (!slots->slot) return tt_no_memory(error);
    walk_slots(c, slots);
    return (!c->failed && tt_slots_are_sound(slots)) ||
           tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible ids");
}

/* What a slot of the world owns already, if it can be used again. */
static tt_owned *owned_of(const reading *r, int i, taut_shape shape)
{
    const tt_collider *present = i < r->world->colliders.count ? &r->world->collider[i] : NULL;
    return present && present->used && present->now.shape == shape ? present->owned : NULL;
}

static bool check_collider(tt_cursor *c, reading *r, int i, taut_error *error)
{
    tt_collider *collider = &r->collider[i];
    walk_collider(c, collider);
    bool sound = !c->failed && collider->now.shape == collider->target.shape &&
                 tt_collider_check(&collider->now, NULL) && tt_collider_check(&collider->target, NULL);
    if (!sound) return impossible("collider", i, error);
    taut_shape shape = collider->now.shape;
    if (!tt_shape_owns(shape)) return true;
    collider->owned = tt_owned_check(c, &r->world->scope, owned_of(r, i, shape), error);
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
        walk_pin(c, &pin);
        if (pin.particle < 0 || pin.particle >= model->nvertices) return false;
        if (!(pin.stiffness > 0 && pin.stiffness <= 1)) return false;
    }
    return !c->failed;
}

static bool check_body(tt_cursor *c, const taut_model *const *models, int nmodels, int i, reading *r, taut_error *error)
{
    uint64_t hash = 0;
    double origin[3];
    taut_material material;
    uint32_t group = 0, mask = 0;
    int pair_chunks = -1;
    tt_walk_u64(c, &hash);
    if (c->failed) return cut_short(error);
    const taut_model *model = find_model(models, nmodels, hash);
    if (!model) return tt_fail(error, TAUT_BAD_SAVE, i, "body %d: its model is not among those given", i);
    walk_material(c, &material);
    if (c->failed || !tt_material_change_check(model, &material, NULL)) return impossible("body", i, error);
    walk_filter(c, &group, &mask);
    tt_walk_point(c, origin);
    walk_particles(c, model, NULL);
    tt_walk_int(c, &pair_chunks);
    if (pair_chunks < 0 || pair_chunks > TT_APART_MOST_CHUNKS) return impossible("body", i, error);
    if (c->failed || !check_pins(c, model)) return impossible("body", i, error);
    r->model[i] = model;
    return true;
}

/* Whether the particle belongs to the body of an id. */
static bool has_particle(const reading *r, int body, int particle)
{
    int slot = tt_slots_find(&r->found.bodies, body);
    return slot >= 0 && particle >= 0 && particle < r->model[slot]->nvertices;
}

static bool is_sound_tie(const reading *r, const tt_tie *tie)
{
    bool by_collider = tie->collider >= 0, ends = false;
    double size = fabs(tie->ride.along);
    for (int i = 0; i < 3; i++) size += fabs(tie->ride.arm[i]);
    bool sound = has_particle(r, tie->body, tie->particle) && by_collider != (tie->other >= 0) && size <= TT_FARTHEST &&
                 tie->slack >= 0 && tie->speed > 0 && tie->strength > 0 && tie->reach >= (double)tie->slack &&
                 tie->reach <= TT_FARTHEST && tie->force >= 0 && isfinite(tie->force) && tie->ride.along >= 0 &&
                 tie->ride.along <= 1;
    if (by_collider) return sound && tt_slots_find(&r->found.colliders, tie->collider) >= 0;
    sound = sound && tie->corner[0] >= 0;
    for (int i = 0; i < TT_TIE_ENDS - 1 && sound && !ends; i++) {
        ends = tie->corner[i] < 0;
        sound = ends || (has_particle(r, tie->other, tie->corner[i]) && fabsf(tie->weight[i]) <= 1e3f &&
                         (tie->other != tie->body || tie->corner[i] != tie->particle));
        for (int k = 0; k < i && !ends; k++) sound = sound && tie->corner[k] != tie->corner[i];
    }
    return sound;
}

static bool check_ties(tt_cursor *c, tt_scope *scratch, reading *r, taut_error *error)
{
    tt_slots *slots = &r->found.ties;
    if (!check_slots(c, scratch, slots, error)) return false;
    r->tie = TT_TAKE(scratch, tt_tie, slots->count);
    if (!r->tie) return tt_no_memory(error);
    for (int i = 0; i < slots->count; i++) {
        if (!slots->slot[i].used) continue;
        walk_tie(c, &r->tie[i]);
        if (c->failed || !is_sound_tie(r, &r->tie[i])) return impossible("attachment", i, error);
    }
    return true;
}

static bool check_world(tt_cursor *c, tt_scope *scratch, const taut_model *const *models, int nmodels, reading *r,
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
    if (!check_ties(c, scratch, r, error)) return false;
    return c->at == c->size || tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds more than a world");
}

static bool check_frame(tt_cursor *c, taut_error *error)
{
    char head[8] = {0};
    int format = 0;
    uint64_t check = 0;
    walk_head(c, head, &format);
    if (c->failed || memcmp(head, magic, sizeof head) != 0)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "these bytes are not a saved world");
    if (format != FORMAT)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save has format %d, this version of taut reads format %d", format,
                       FORMAT);
    if (c->size < c->at + sizeof check) return cut_short(error);
    c->size -= sizeof check;
    tt_cursor tail = {.walk = TT_CHECK, .from = c->from, .at = c->size, .size = c->size + sizeof check};
    tt_walk_u64(&tail, &check);
    if (check == tt_hash(TT_HASH_SEED, c->from, c->size)) return true;
    return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short or damaged: its checksum does not match");
}

/* ---- Restoring --------------------------------------------------------------------------------------------------- */

/* The body of a slot, if it can be used again. */
static tt_body *reusable(const taut_world *world, const reading *r, int i)
{
    tt_body *body = i < world->bodies.count ? world->body[i] : NULL;
    return body && tt_body_model(body) == r->model[i] ? body : NULL;
}

static bool make_bodies(taut_world *world, reading *r, taut_error *error)
{
    for (int i = 0; i < r->found.bodies.count; i++) {
        if (!r->model[i]) continue;
        if (reusable(world, r, i)) continue;
        r->made[i] = tt_body_create(&world->scope, r->model[i], NULL, error);
        if (!r->made[i]) return false;
    }
    return (tt_world_reserve(world, r->found.bodies.count, r->found.colliders.count) &&
            tt_world_reserve_ties(world, r->found.ties.count)) ||
           tt_no_memory(error);
}

/* Frees what was made for colliders, as the restore failed. */
static void drop_owned(const reading *r)
{
    for (int i = 0; r->collider && i < r->found.colliders.count; i++)
        if (r->collider[i].owned && r->collider[i].owned != owned_of(r, i, r->collider[i].now.shape))
            tt_owned_free(r->collider[i].owned);
}

static void take_slots(tt_slots *to, const tt_slots *from)
{
    if (from->count) memcpy(to->slot, from->slot, (size_t)from->count * sizeof *to->slot);
    to->count = from->count;
    to->first_free = from->first_free;
}

/* The colliders, with what they own already in the world or made anew. */
static void read_colliders(tt_cursor *c, taut_world *world, const reading *r)
{
    int before = world->colliders.count, count;
    tt_walk_int(c, &count);
    take_slots(&world->colliders, &r->found.colliders);
    walk_slots(c, &world->colliders);
    for (int i = 0; i < before; i++)
        if (i >= count || world->collider[i].owned != r->collider[i].owned) tt_owned_free(world->collider[i].owned);
    for (int i = 0; i < count; i++) {
        world->collider[i] = (tt_collider){.used = world->colliders.slot[i].used, .owned = r->collider[i].owned};
        if (!world->collider[i].used) continue;
        walk_collider(c, &world->collider[i]);
        if (r->collider[i].owned) tt_owned_skip(c, r->collider[i].owned);
    }
}

static void read_body(tt_cursor *c, tt_body *body)
{
    uint64_t hash;
    int npins = 0;
    tt_level *mesh = &body->level[0];
    tt_walk_u64(c, &hash);
    walk_material(c, &body->material);
    walk_filter(c, &body->group, &body->mask);
    tt_walk_point(c, body->origin);
    walk_particles(c, mesh->model, mesh);
    while (body->npins) tt_body_remove_pin(body, body->pin[body->npins - 1].particle);
    for (int i = 0; i < mesh->model->nparticles; i++) mesh->p[4 * (size_t)i + 3] = mesh->free_w[i];
    tt_walk_int(c, &body->pair_chunks);
    tt_walk_int(c, &npins);
    for (int i = 0; i < npins; i++) {
        tt_pin pin = {0};
        walk_pin(c, &pin);
        tt_body_set_pin(body, pin.particle, pin.target, pin.stiffness);
        body->pin[body->pin_of[pin.particle] - 1].arrived = pin.arrived;
    }
    tt_body_changed(body);
    tt_body_show(body);
}

/* Cannot fail: everything was checked, and there is room for it. */
static void read_world(tt_cursor *c, taut_world *world, const reading *r)
{
    char head[8];
    int format, count;
    walk_head(c, head, &format);
    walk_settings(c, world);
    read_colliders(c, world, r);
    for (int i = 0; i < world->bodies.count; i++)
        if (i >= r->found.bodies.count || !reusable(world, r, i)) tt_body_free(world->body[i]), world->body[i] = NULL;
    tt_walk_int(c, &count);
    take_slots(&world->bodies, &r->found.bodies);
    walk_slots(c, &world->bodies);
    for (int i = 0; i < count; i++) {
        if (r->made[i]) world->body[i] = r->made[i];
        if (!r->model[i]) continue;
        read_body(c, world->body[i]);
        tt_body_derive(world->body[i], world, 1, world->def.substeps * world->def.iterations);
    }
    take_slots(&world->ties, &r->found.ties);
    for (int i = 0; i < r->found.ties.count; i++) world->tie[i] = r->tie[i];
}

bool taut_world_restore(taut_world *world, const void *bytes, size_t size, const taut_model *const *models, int nmodels,
                        taut_error *error)
{
    tt_cursor c = {.walk = TT_CHECK, .from = bytes, .size = size};
    tt_clear(error);
    if (!check_frame(&c, error)) return false;
    reading r = {.world = world, .found = {.def = taut_default_world_def()}};
    tt_scope scratch;
    tt_scope_open(&scratch, &world->scope.allocator);
    bool whole = check_world(&c, &scratch, models, nmodels, &r, error) && make_bodies(world, &r, error);
    c = (tt_cursor){.walk = TT_READ, .from = bytes, .size = c.size};
    if (whole) read_world(&c, world, &r);
    if (!whole) drop_owned(&r);
    for (int i = 0; !whole && r.made && i < r.found.bodies.count; i++) tt_body_free(r.made[i]);
    tt_scope_close(&scratch);
    return whole;
}
