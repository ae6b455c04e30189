/* A world's life, its settings, and its lists of bodies and colliders. */
#include "world/world.h"

#include "base/definition.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a4 };

void taut_init_world_def(taut_world_def *def, size_t size)
{
    static const taut_world_def usual = {
        .cookie = COOKIE,
        .gravity = {0, -9.81f, 0},
        .air_density = 1.2f,
        .stretch = 0.02f,
        .budget = 40,
        .substeps = 16,
        .iterations = 1,
    };
    tt_definition_fill(def, size, &usual, sizeof usual);
}

static bool check_vector(const char *name, const float v[3], taut_error *error)
{
    for (int i = 0; i < 3; i++)
        if (!isfinite(v[i])) return tt_fail(error, TAUT_BAD_ARGUMENT, i, "%s[%d] is not finite", name, i);
    return true;
}

static bool check_count(const char *name, int value, int least, int most, taut_error *error)
{
    if (value >= least && value <= most) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s must be in [%d,%d], got %d", name, least, most, value);
}

static bool check_air(float density, taut_error *error)
{
    if (density >= 0 && isfinite(density)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "air_density must be at least 0, got %g", (double)density);
}

static bool check_quality(float stretch, int budget, taut_error *error)
{
    if (!(stretch >= 0 && stretch <= 1))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "stretch must be in [0,1], got %g", (double)stretch);
    return check_count("budget", budget, 1, 1000, error);
}

static bool check_time(float ms, taut_error *error)
{
    if (ms >= 0 && isfinite(ms)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "budget_ms must be at least 0, got %g", (double)ms);
}

bool tt_world_def_check(const taut_world_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the definition does not come from taut_default_world_def()", error))
        return false;
    return check_vector("gravity", def->gravity, error) && check_vector("wind", def->wind, error) &&
           check_air(def->air_density, error) && check_quality(def->stretch, def->budget, error) &&
           check_time(def->budget_ms, error) &&
           check_count("substeps", def->substeps, 1, TT_MOST_SUBSTEPS, error) &&
           check_count("iterations", def->iterations, 1, 1000, error) &&
           check_count("threads", def->threads, 0, TAUT_MOST_THREADS, error);
}

static bool start_team(taut_world *world)
{
    if (world->def.parallel_for) {
        world->run = world->def.parallel_for;
        world->run_user = world->def.parallel_user;
        return true;
    }
    int threads = world->def.threads ? world->def.threads : tt_pool_cores();
    world->pool = tt_pool_start(&world->scope, threads < TAUT_MOST_THREADS ? threads : TAUT_MOST_THREADS);
    world->run = tt_pool_run;
    world->run_user = world->pool;
    return world->pool != NULL;
}

taut_world *taut_world_create(const taut_world_def *def, taut_error *error)
{
    taut_world_def default_def = taut_default_world_def();
    if (!def) def = &default_def;
    tt_clear(error);
    if (!tt_world_def_check(def, error)) return NULL;
    tt_scope scope;
    tt_scope_open(&scope, def->allocator);
    taut_world *world = TT_TAKE(&scope, taut_world, 1);
    if (!world) {
        tt_no_memory(error);
        return NULL;
    }
    world->scope = scope;
    tt_scope_open(&world->joint.scope, &scope.allocator);
    world->def = *def;
    world->def.allocator = NULL;
    const tt_simd simd = tt_simd_choose();
    world->kinds = simd.kinds;
    world->simd = simd.name;
    world->broad.shapes = tt_shapes(world->simd);
    tt_slots_open(&world->bodies);
    tt_slots_open(&world->colliders);
    tt_slots_open(&world->ties);
    if (start_team(world)) return world;
    taut_world_free(world);
    tt_no_memory(error);
    return NULL;
}

void taut_world_free(taut_world *world)
{
    if (!world) return;
    for (int i = 0; i < world->bodies.count; i++) tt_body_free(world->body[i]);
    tt_pool_stop(world->pool);
    for (int i = 0; i < world->colliders.count; i++) tt_owned_free(world->collider[i].owned);
    tt_scope_close(&world->joint.scope);
    tt_scope scope = world->scope; /* the world's own memory is in it */
    tt_scope_close(&scope);
}

bool taut_world_set_gravity(taut_world *world, const float gravity[3], taut_error *error)
{
    tt_clear(error);
    if (!check_vector("gravity", gravity, error)) return false;
    memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
    return true;
}

bool taut_world_set_wind(taut_world *world, const float wind[3], float air_density, taut_error *error)
{
    tt_clear(error);
    if (!check_vector("wind", wind, error) || !check_air(air_density, error)) return false;
    memcpy(world->def.wind, wind, sizeof world->def.wind);
    world->def.air_density = air_density;
    return true;
}

bool taut_world_set_solver(taut_world *world, int substeps, int iterations, taut_error *error)
{
    tt_clear(error);
    if (!check_count("substeps", substeps, 1, TT_MOST_SUBSTEPS, error)) return false;
    if (!check_count("iterations", iterations, 1, 1000, error)) return false;
    world->def.substeps = substeps;
    world->def.iterations = iterations;
    return true;
}

bool taut_world_set_quality(taut_world *world, float stretch, int budget, taut_error *error)
{
    tt_clear(error);
    if (!check_quality(stretch, budget, error)) return false;
    if ((stretch > 0) != (world->def.stretch > 0))
        for (int i = 0; i < world->bodies.count; i++)
            if (world->body[i]) tt_body_changed(world->body[i]);
    world->def.stretch = stretch;
    world->def.budget = budget;
    return true;
}

/* ---- Bodies ----------------------------------------------------------------------------------------------------- */

bool taut_world_has_body(const taut_world *world, int body) { return tt_slots_find(&world->bodies, body) >= 0; }

tt_body *tt_world_body(const taut_world *world, int body)
{
    int slot = tt_slots_find(&world->bodies, body);
    return slot < 0 ? NULL : world->body[slot];
}

static bool reserve_bodies(taut_world *world, int count)
{
    int before = world->bodies.capacity;
    if (!tt_slots_reserve(&world->bodies, &world->scope, count)) return false;
    int capacity = world->bodies.capacity;
    if (capacity == before) return true;
    world->bodies.capacity = before; /* until there is room for everything that belongs to a slot */
    tt_body **body =
        tt_enlarge(&world->scope, world->body, (size_t)world->bodies.count, (size_t)capacity, sizeof(void *));
    tt_body **member = TT_TAKE(&world->scope, tt_body *, capacity);
    tt_island *island = TT_TAKE(&world->scope, tt_island, capacity);
    if (!body || !member || !island || !tt_joint_reserve(&world->joint, &world->scope, capacity)) return false;
    world->body = body;
    world->member = member;
    world->island = island;
    world->bodies.capacity = capacity;
    return true;
}

static bool reserve_colliders(taut_world *world, int count)
{
    int before = world->colliders.capacity;
    if (!tt_slots_reserve(&world->colliders, &world->scope, count)) return false;
    int capacity = world->colliders.capacity;
    if (capacity == before) return true;
    world->colliders.capacity = before;
    tt_collider *collider =
        tt_enlarge(&world->scope, world->collider, (size_t)world->colliders.count, (size_t)capacity, sizeof *collider);
    if (!collider || !tt_broad_reserve(&world->broad, &world->scope, capacity)) return false;
    world->collider = collider;
    world->colliders.capacity = capacity;
    return true;
}

bool tt_world_reserve(taut_world *world, int nbodies, int ncolliders)
{
    return reserve_bodies(world, nbodies) && reserve_colliders(world, ncolliders);
}

/* Returns the slot that is used next, with room for everything that belongs to it; or -1 with an error when there is
 * none. */
static int next_slot(taut_world *world, const tt_slots *slots, taut_error *error)
{
    int slot = tt_slots_next(slots);
    if (slot == TT_MOST_SLOTS) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "a world has room for %d of them", TT_MOST_SLOTS);
        return -1;
    }
    bool room = slots == &world->bodies ? reserve_bodies(world, slot + 1) : reserve_colliders(world, slot + 1);
    if (!room) tt_no_memory(error);
    return room ? slot : -1;
}

int taut_world_add_body(taut_world *world, const taut_model *model, const taut_body_def *def, taut_error *error)
{
    tt_clear(error);
    if (!model) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there is no model (NULL)");
        return -1;
    }
    int slot = next_slot(world, &world->bodies, error);
    tt_body *body = slot < 0 ? NULL : tt_body_create(&world->scope, model, def, error);
    if (!body) return -1;
    world->body[slot] = body;
    int n = world->def.substeps * world->def.iterations;
    tt_body_derive(body, world, 1, n); /* so that residuals are available before the first step */
    return tt_slots_add(&world->bodies);
}

void taut_world_remove_body(taut_world *world, int body)
{
    int slot = tt_slots_find(&world->bodies, body);
    if (slot < 0) return;
    tt_world_drop_ties(world, body, -1);
    tt_tiers_drop(&world->tiers, slot);
    tt_body_free(world->body[slot]);
    world->body[slot] = NULL;
    tt_slots_remove(&world->bodies, slot);
}

/* ---- Colliders -------------------------------------------------------------------------------------------------- */

static tt_owned *create_owned(taut_world *world, const taut_collider_def *def, taut_error *error)
{
    const tt_helpers helpers = {world->run, world->run_user};
    if (def->shape == TAUT_FIELD) return tt_owned_create_field(&world->scope, def->mesh, def->cell, helpers, error);
    return tt_owned_create(&world->scope, def->shape, def->mesh, error);
}

int taut_world_add_collider(taut_world *world, const taut_collider_def *def, taut_error *error)
{
    taut_collider_def default_def = taut_default_collider_def();
    if (!def) def = &default_def;
    tt_clear(error);
    if (!tt_collider_check(def, error)) return -1;
    int slot = next_slot(world, &world->colliders, error);
    if (slot < 0) return -1;
    tt_owned *owned = NULL;
    if (tt_shape_owns(def->shape) && !(owned = create_owned(world, def, error))) return -1;
    tt_collider *collider = &world->collider[slot];
    *collider = (tt_collider){.used = true, .now = *def, .owned = owned};
    collider->now.mesh = NULL;
    collider->target = collider->now;
    return tt_slots_add(&world->colliders);
}

void taut_world_remove_collider(taut_world *world, int collider)
{
    int slot = tt_slots_find(&world->colliders, collider);
    if (slot < 0) return;
    tt_world_drop_ties(world, -1, collider);
    tt_owned_free(world->collider[slot].owned);
    world->collider[slot] = (tt_collider){0};
    tt_slots_remove(&world->colliders, slot);
}

/* The surface of a collider; NULL if it has none. */
static tt_surface *surface_of(const tt_collider *collider)
{
    return collider->owned ? collider->owned->surface : NULL;
}

static bool check_vertices(const tt_surface *surface, const taut_mesh *mesh, taut_error *error)
{
    if (mesh->nvertices != surface->nvertices)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the mesh has %d vertices, that of the collider has %d",
                       mesh->nvertices, surface->nvertices);
    for (int i = 0; i < 3 * mesh->nvertices; i++)
        if (!isfinite(mesh->x[i]))
            return tt_fail(error, TAUT_BAD_MESH, i / 3, "vertex %d: position is not finite", i / 3);
    return true;
}

bool taut_collider_move(taut_world *world, int collider, const taut_collider_def *def, taut_error *error)
{
    tt_clear(error);
    int slot = tt_slots_find(&world->colliders, collider);
    taut_collider_def default_def = taut_default_collider_def();
    if (!def) def = &default_def;
    if (slot < 0)
        return tt_fail(error, TAUT_BAD_ARGUMENT, collider, "there is no collider %d; it may have been removed",
                       collider);
    if (!tt_collider_check(def, error)) return false;
    if (def->shape != world->collider[slot].now.shape)
        return tt_fail(error, TAUT_BAD_ARGUMENT, collider, "collider %d cannot change its shape", collider);
    tt_surface *surface = surface_of(&world->collider[slot]);
    if (surface && def->mesh && !check_vertices(surface, def->mesh, error)) return false;
    if (surface && def->mesh) tt_surface_aim(surface, def->mesh->x);
    world->collider[slot].target = *def;
    world->collider[slot].target.mesh = NULL;
    return true;
}

/* ---- Of a step --------------------------------------------------------------------------------------------------- */

void tt_world_prepare(taut_world *world)
{
    taut_stats *s = &world->stats;
    s->ms_forces = s->ms_constraints = s->ms_limits = s->ms_contacts = s->ms_velocities = s->ms_publish = 0;
    for (int i = 0; i < world->nislands; i++)
        for (int b = 0; b < world->island[i].nbodies; b++) {
            tt_body *body = world->island[i].body[b];
            const taut_model *model = tt_body_model(body);
            for (int part = 0; part < model->nparts; part++) body->level[0].contacts[part] = body->bad[part] = 0;
            body->level[0].balance.searches = body->level[0].balance.cut = 0;
            body->level[0].balance.most_left = 0;
        }
    for (int i = 0; i < world->colliders.count; i++)
        if (surface_of(&world->collider[i])) tt_surface_refit(surface_of(&world->collider[i]), &world->looks);
    tt_broad_begin(&world->broad, world->collider, world->colliders.count);
}

void tt_world_advance_colliders(taut_world *world, int substep, int count, float h)
{
    float n = (float)count, from = (float)substep / n, to = (float)(substep + 1) / n;
    tt_broad_advance(&world->broad, world->collider, from, to, h);
}

void tt_world_arrive(taut_world *world, float dt)
{
    for (int i = 0; i < world->colliders.count; i++) {
        world->collider[i].now = world->collider[i].target;
        if (surface_of(&world->collider[i])) tt_surface_arrive(surface_of(&world->collider[i]));
    }
    world->steps++;
    world->seconds += (double)dt;
}
