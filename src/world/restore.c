/* Putting a saved world back. */
#include "world/save.h"

#include "base/error.h"
#include "world/save_owned.h"

#include <string.h>

/* The body of a slot, if it can be used again. */
static tt_body *reusable(const taut_world *world, const tt_reading *r, int i)
{
    tt_body *body = i < world->bodies.count ? world->body[i] : NULL;
    return body && tt_body_model(body) == r->model[i] ? body : NULL;
}

static bool make_bodies(taut_world *world, tt_reading *r, taut_error *error)
{
    for (int i = 0; i < r->found.bodies.count; i++) {
        if (!r->model[i]) continue;
        if (reusable(world, r, i)) continue;
        r->made[i] = tt_body_create(&world->scope, r->model[i], NULL, error);
        if (!r->made[i]) return false;
    }
    return (tt_world_reserve(world, r->found.bodies.count, r->found.colliders.count) &&
            tt_world_reserve_ties(world, r->found.ties.count) &&
            tt_tiers_reserve(&world->tiers, &world->scope, r->found.tiers.count)) ||
           tt_no_memory(error);
}

/* Frees the meshes that were made for colliders, because the restore failed. */
static void drop_owned(const tt_reading *r)
{
    for (int i = 0; r->collider && i < r->found.colliders.count; i++)
        if (r->collider[i].owned && r->collider[i].owned != tt_save_owned_of(r, i, r->collider[i].now.shape))
            tt_owned_free(r->collider[i].owned);
}

static void take_slots(tt_slots *to, const tt_slots *from)
{
    if (from->count) memcpy(to->slot, from->slot, (size_t)from->count * sizeof *to->slot);
    to->count = from->count;
    to->first_free = from->first_free;
}

/* Reads the colliders. The meshes that they own are already in the world or have been made anew. */
static void read_colliders(tt_cursor *c, taut_world *world, const tt_reading *r)
{
    int before = world->colliders.count, count;
    tt_walk_int(c, &count);
    take_slots(&world->colliders, &r->found.colliders);
    tt_save_slots(c, &world->colliders);
    for (int i = 0; i < before; i++)
        if (i >= count || world->collider[i].owned != r->collider[i].owned) tt_owned_free(world->collider[i].owned);
    for (int i = 0; i < count; i++) {
        world->collider[i] = (tt_collider){.used = world->colliders.slot[i].used, .owned = r->collider[i].owned};
        if (!world->collider[i].used) continue;
        tt_save_collider(c, &world->collider[i]);
        if (r->collider[i].owned) tt_owned_read(c, r->collider[i].owned);
    }
}

static void read_body(tt_cursor *c, tt_body *body)
{
    uint64_t hash;
    int npins = 0;
    tt_level *mesh = &body->level[0];
    tt_walk_u64(c, &hash);
    tt_save_material(c, &body->material);
    tt_save_filter(c, &body->group, &body->mask);
    tt_walk_point(c, body->origin);
    tt_save_particles(c, mesh->model, mesh);
    while (body->npins) tt_body_remove_pin(body, body->pin[body->npins - 1].particle);
    for (int i = 0; i < mesh->model->nparticles; i++) mesh->p[4 * (size_t)i + 3] = mesh->free_w[i];
    tt_walk_int(c, &body->pair_chunks);
    tt_walk_bool(c, &body->may_cross);
    tt_save_held(c, mesh->model, mesh);
    tt_walk_int(c, &npins);
    for (int i = 0; i < npins; i++) {
        tt_pin pin = {0};
        tt_save_pin(c, &pin);
        tt_body_set_pin(body, pin.particle, pin.target, pin.stiffness);
        body->pin[body->pin_of[pin.particle] - 1].arrived = pin.arrived;
    }
    tt_body_changed(body);
    tt_body_show(body);
}

/* This cannot fail, because everything was checked and there is room for it. */
static void read_world(tt_cursor *c, taut_world *world, const tt_reading *r)
{
    char head[8];
    int format, count;
    tt_save_head(c, head, &format);
    tt_save_settings(c, world);
    read_colliders(c, world, r);
    for (int i = 0; i < world->bodies.count; i++)
        if (i >= r->found.bodies.count || !reusable(world, r, i)) tt_body_free(world->body[i]), world->body[i] = NULL;
    tt_walk_int(c, &count);
    take_slots(&world->bodies, &r->found.bodies);
    tt_save_slots(c, &world->bodies);
    for (int i = 0; i < count; i++) {
        if (r->made[i]) world->body[i] = r->made[i];
        if (!r->model[i]) continue;
        read_body(c, world->body[i]);
        tt_body_derive(world->body[i], world, 1, world->def.substeps * world->def.iterations);
    }
    take_slots(&world->ties, &r->found.ties);
    for (int i = 0; i < r->found.ties.count; i++) world->tie[i] = r->tie[i];
    world->tiers.count = r->found.tiers.count;
    for (int i = 0; i < world->tiers.count; i++) world->tiers.tier[i] = r->found.tiers.tier[i];
}

bool taut_world_restore(taut_world *world, const void *bytes, size_t size, const taut_model *const *models, int nmodels,
                        taut_error *error)
{
    tt_cursor c = {.walk = TT_CHECK, .from = bytes, .size = size};
    tt_clear(error);
    if (!tt_save_check_frame(&c, error)) return false;
    tt_reading r = {.world = world, .found = {.def = taut_default_world_def()}};
    tt_scope scratch;
    tt_scope_open(&scratch, &world->scope.allocator);
    bool whole = tt_save_check_world(&c, &scratch, models, nmodels, &r, error) && make_bodies(world, &r, error);
    c = (tt_cursor){.walk = TT_READ, .from = bytes, .size = c.size};
    if (whole) read_world(&c, world, &r);
    if (!whole) drop_owned(&r);
    for (int i = 0; !whole && r.made && i < r.found.bodies.count; i++) tt_body_free(r.made[i]);
    tt_scope_close(&scratch);
    return whole;
}
