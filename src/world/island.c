/* Islands: finds which bodies may touch in a step, and which islands are small enough to run in one task. */
#include "world/world.h"

#include <float.h>
#include <math.h>

/* An island of up to this number of particles is faster on one thread than if threads waited for each other at every
 * stage. */
enum { SMALL_ISLAND = 3072, NEAR_AT_A_TIME = 32 };

bool tt_joint_reserve(tt_joint *joint, tt_scope *scope, int count)
{
    int *root = TT_TAKE(scope, int, count), *next = TT_TAKE(scope, int, count), *head = TT_TAKE(scope, int, count);
    if (!root || !next || !head) return false;
    joint->root = root, joint->next = next, joint->head = head;
    return true;
}

static bool take(tt_joint *joint, int count)
{
    joint->slot = TT_TAKE(&joint->scope, int, count);
    joint->box = TT_TAKE(&joint->scope, tt_box, count);
    joint->member = TT_TAKE(&joint->scope, tt_apart_member, count);
    return joint->slot && joint->box && joint->member && tt_bvh_reserve(&joint->scope, count, &joint->bvh);
}

/* Makes room for all bodies that touch. Bodies that do not touch need none. */
static bool make_room(taut_world *world)
{
    tt_joint *joint = &world->joint;
    int count = 0;
    for (int i = 0; i < world->bodies.count; i++)
        if (world->body[i] && tt_body_touches(world->body[i])) count++;
    if (count <= joint->room) return true;
    const taut_allocator allocator = joint->scope.allocator;
    tt_scope_close(&joint->scope);
    tt_scope_open(&joint->scope, &allocator);
    joint->room = take(joint, 2 * count) ? 2 * count : 0;
    return joint->room > 0;
}

/* ---- Bodies that may touch ---- */

static void widen(tt_box *box, int axis, double low, double high)
{
    if (low < box->low[axis]) box->low[axis] = low;
    if (high > box->high[axis]) box->high[axis] = high;
}

/* The box that the body may reach in the step. It has room for twice the present motion, and for the fall by
 * gravity. */
static tt_box room_of(const taut_world *world, const tt_body *body, float dt)
{
    const tt_level *mesh = &body->level[0];
    tt_box box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    const float *g = world->def.gravity;
    float room = tt_apart_thickness(body) + dt * dt * (fabsf(g[0]) + fabsf(g[1]) + fabsf(g[2]));
    for (int i = 0; i < mesh->model->nvertices; i++)
        for (int c = 0; c < 3; c++) {
            const float *p = &mesh->p[4 * (size_t)i], *v = &mesh->v[4 * (size_t)i];
            float way = 2 * dt * fabsf(v[c]) + room;
            widen(&box, c, (double)(p[c] - way), (double)(p[c] + way));
        }
    for (int i = 0; i < body->npins; i++) /* pins go to their targets, however far these are */
        for (int c = 0; c < 3; c++) {
            double target = body->pin[i].target[c] - body->origin[c];
            widen(&box, c, target - (double)room, target + (double)room);
        }
    for (int c = 0; c < 3; c++) box.low[c] += body->origin[c], box.high[c] += body->origin[c];
    return box;
}

static int root_of(tt_joint *joint, int slot)
{
    while (joint->root[slot] != slot) slot = joint->root[slot] = joint->root[joint->root[slot]];
    return slot;
}

/* The lowest slot of an island is its root. */
static void join(tt_joint *joint, int a, int b)
{
    a = root_of(joint, a), b = root_of(joint, b);
    if (a < b) joint->root[b] = a;
    else joint->root[a] = b;
}

static void join_near(const taut_world *world, tt_joint *joint, int a, int b)
{
    const tt_body *s = world->body[a], *t = world->body[b];
    taut_contact contact = tt_tiers_between(&world->tiers, a, tt_body_contact(s), b, tt_body_contact(t));
    if (contact != TAUT_CONTACT_OFF && (s->group & t->mask) && (t->group & s->mask)) join(joint, a, b);
}

/* Joins bodies that are attached to each other. */
static void join_tied(taut_world *world)
{
    for (int i = 0; i < world->ties.count; i++) {
        const tt_tie *tie = &world->tie[i];
        if (!world->ties.slot[i].used || tie->other < 0) continue;
        join(&world->joint, tt_slots_find(&world->bodies, tie->body), tt_slots_find(&world->bodies, tie->other));
    }
}

static void join_bodies(taut_world *world, float dt)
{
    tt_joint *joint = &world->joint;
    int n = 0, near[NEAR_AT_A_TIME];
    for (int i = 0; i < world->bodies.count; i++) {
        joint->root[i] = i;
        if (!world->body[i] || !tt_body_touches(world->body[i])) continue;
        joint->slot[n] = i;
        joint->box[n++] = room_of(world, world->body[i], dt);
    }
    if (n < 2) return;
    tt_bvh_fill(&joint->bvh, joint->box, n);
    for (int i = 0; i < n; i++)
        for (int after = i, found = NEAR_AT_A_TIME; found == NEAR_AT_A_TIME; after = near[NEAR_AT_A_TIME - 1]) {
            found = tt_bvh_overlapping(&joint->bvh, joint->box, &joint->box[i], after, near, NEAR_AT_A_TIME);
            for (int k = 0; k < found; k++) join_near(world, joint, joint->slot[i], joint->slot[near[k]]);
        }
}

/* Lists the bodies of each island, by slot. */
static void list_members(taut_world *world)
{
    tt_joint *joint = &world->joint;
    for (int i = 0; i < world->bodies.count; i++) joint->head[i] = -1;
    for (int i = world->bodies.count - 1; i >= 0; i--) {
        int root = root_of(joint, i);
        joint->next[i] = joint->head[root];
        joint->head[root] = i;
    }
}

/* ---- Islands ---- */

static bool is_small(const taut_world *world, int root)
{
    int particles = 0;
    for (int i = world->joint.head[root]; i >= 0 && particles <= SMALL_ISLAND; i = world->joint.next[i])
        particles += tt_body_model(world->body[i])->nparticles;
    return particles <= SMALL_ISLAND;
}

static tt_island island_of(const taut_world *world, int root, tt_body **member)
{
    tt_island island = {.body = member};
    int balanced = 0;
    for (int touching = 1; touching >= 0; touching--) /* bodies that touch come first */
        for (int i = world->joint.head[root]; i >= 0; i = world->joint.next[i]) {
            tt_body *body = world->body[i];
            if (tt_body_touches(body) != (touching == 1)) continue;
            if (world->def.stretch > 0 && tt_body_is_balanced(body)) balanced++;
            island.ntouching += touching;
            member[island.nbodies++] = body;
        }
    for (int i = 0; i < island.nbodies; i++) {
        member[i]->alone = island.nbodies == 1;
        if (member[i]->apart) member[i]->apart->count = (tt_apart_count){0};
    }
    island.pace = balanced == 0 ? TT_COUNTED : balanced == island.nbodies ? TT_BY_QUALITY : TT_BOTH;
    return island;
}

/* Adds the islands that are small, or all others. False when there is no memory for the pairs of one. */
static bool add_islands(taut_world *world, bool small, int *members)
{
    for (int i = 0; i < world->bodies.count; i++) {
        if (!world->body[i] || root_of(&world->joint, i) != i || is_small(world, i) != small) continue;
        tt_island island = island_of(world, i, &world->member[*members]);
        if (island.ntouching > 0 && !tt_apart_prepare(world, &island)) return false;
        for (int b = 0; b < island.nbodies; b++) {
            island.body[b]->island = &world->island[world->nislands];
            island.body[b]->member = b;
        }
        world->island[world->nislands++] = island;
        *members += island.nbodies;
    }
    return true;
}

/* Notes which bodies touch others because of their pairs. */
static void note_pairs(const taut_world *world)
{
    for (int i = 0; i < world->bodies.count; i++)
        if (world->body[i]) world->body[i]->slot = i, world->body[i]->paired = false;
    for (int i = 0; i < world->tiers.count; i++) {
        const tt_tier *tier = &world->tiers.tier[i];
        if (tier->contact == TAUT_CONTACT_OFF) continue;
        world->body[tier->a]->paired = world->body[tier->b]->paired = true;
    }
}

bool tt_world_find_islands(taut_world *world, float dt)
{
    int members = 0;
    world->nislands = 0;
    note_pairs(world);
    if (!make_room(world)) return false;
    join_bodies(world, dt);
    join_tied(world);
    list_members(world);
    if (!add_islands(world, true, &members)) return false;
    world->nsmall = world->nislands;
    return add_islands(world, false, &members);
}
