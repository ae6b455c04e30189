/* Saving a world as bytes. */
#include "world/save.h"

#include "base/hash.h"
#include "world/save_owned.h"

#include <string.h>

static void write_body(tt_cursor *c, tt_body *body)
{
    uint64_t model = tt_body_model(body)->hash;
    tt_walk_u64(c, &model);
    tt_save_material(c, &body->material);
    tt_save_filter(c, &body->group, &body->mask);
    tt_walk_point(c, body->origin);
    tt_save_particles(c, tt_body_model(body), &body->level[0]);
    tt_walk_int(c, &body->pair_chunks);
    tt_walk_bool(c, &body->may_cross);
    tt_save_held(c, tt_body_model(body), &body->level[0]);
    tt_walk_int(c, &body->npins);
    for (int i = 0; i < body->npins; i++) tt_save_pin(c, &body->pin[i]);
}

static void write_collider(tt_cursor *c, tt_collider *collider)
{
    tt_save_collider(c, collider);
    if (collider->owned) tt_owned_write(c, collider->owned);
}

/* The walk writes to the world only when it reads. */
static void write_world(tt_cursor *c, taut_world *world)
{
    char head[8];
    int format = TT_SAVE_FORMAT;
    memcpy(head, tt_save_magic, sizeof head);
    tt_save_head(c, head, &format);
    tt_save_settings(c, world);
    tt_walk_int(c, &world->colliders.count);
    tt_save_slots(c, &world->colliders);
    for (int i = 0; i < world->colliders.count; i++)
        if (world->colliders.slot[i].used) write_collider(c, &world->collider[i]);
    tt_walk_int(c, &world->bodies.count);
    tt_save_slots(c, &world->bodies);
    for (int i = 0; i < world->bodies.count; i++)
        if (world->body[i]) write_body(c, world->body[i]);
    tt_walk_int(c, &world->ties.count);
    tt_save_slots(c, &world->ties);
    for (int i = 0; i < world->ties.count; i++)
        if (world->ties.slot[i].used) tt_save_tie(c, &world->tie[i]);
    tt_walk_int(c, &world->tiers.count);
    for (int i = 0; i < world->tiers.count; i++) tt_save_tier(c, &world->tiers.tier[i]);
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
