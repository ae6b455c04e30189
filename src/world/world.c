/* A world's life, its settings, and its lists of bodies and colliders. */
#include "world/world.h"

#include "base/definition.h"
#include "base/error.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a4 };

void taut_init_world_def(taut_world_def *def, size_t size)
{
    static const taut_world_def usual = {
        .cookie = COOKIE,
        .gravity = {0, -9.81f, 0},
        .air_density = 1.2f,
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

static bool check_def(const taut_world_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the definition does not come from taut_default_world_def()", error))
        return false;
    return check_vector("gravity", def->gravity, error) && check_vector("wind", def->wind, error) &&
           check_air(def->air_density, error) && check_count("substeps", def->substeps, 1, 1000, error) &&
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
    if (!check_def(def, error)) return NULL;
    tt_scope scope;
    tt_scope_open(&scope, def->allocator);
    taut_world *world = TT_TAKE(&scope, taut_world, 1);
    if (!world) {
        tt_no_memory(error);
        return NULL;
    }
    world->scope = scope;
    world->def = *def;
    world->def.allocator = NULL;
    const tt_simd simd = tt_simd_choose();
    world->kinds = simd.kinds;
    world->simd = simd.name;
    world->broad.shapes = tt_shapes(world->simd);
    if (start_team(world)) return world;
    taut_world_free(world);
    tt_no_memory(error);
    return NULL;
}

void taut_world_free(taut_world *world)
{
    if (!world) return;
    for (int i = 0; i < world->nbodies; i++) tt_body_free(world->body[i]);
    tt_pool_stop(world->pool);
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
    if (!check_count("substeps", substeps, 1, 1000, error)) return false;
    if (!check_count("iterations", iterations, 1, 1000, error)) return false;
    world->def.substeps = substeps;
    world->def.iterations = iterations;
    return true;
}

/* ---- Bodies ----------------------------------------------------------------------------------------------------- */

bool taut_world_has_body(const taut_world *world, int body)
{
    return body >= 0 && body < world->nbodies && world->body[body];
}

tt_body *tt_world_body(const taut_world *world, int body)
{
    assert(taut_world_has_body(world, body));
    return world->body[body];
}

static int grown(int capacity, int wanted)
{
    if (capacity == 0) capacity = 16;
    while (capacity < wanted) capacity *= 2;
    return capacity;
}

bool tt_world_reserve(taut_world *world, int nbodies, int ncolliders)
{
    if (nbodies > world->body_capacity) {
        int capacity = grown(world->body_capacity, nbodies);
        tt_body **body = tt_enlarge(&world->scope, world->body, (size_t)world->nbodies, (size_t)capacity,
                                    sizeof(void *));
        tt_body **small = TT_TAKE(&world->scope, tt_body *, capacity);
        if (!body || !small) return false;
        world->body = body;
        world->small = small;
        world->body_capacity = capacity;
    }
    if (ncolliders > world->collider_capacity) {
        int capacity = grown(world->collider_capacity, ncolliders);
        tt_collider *list = tt_enlarge(&world->scope, world->collider, (size_t)world->ncolliders,
                                       (size_t)capacity, sizeof *list);
        if (!list || !tt_broad_reserve(&world->broad, &world->scope, capacity)) return false;
        world->collider = list;
        world->collider_capacity = capacity;
    }
    return true;
}

/* An unused slot's number, or -1 when memory ran out. */
static int body_slot(taut_world *world)
{
    for (int i = 0; i < world->nbodies; i++)
        if (!world->body[i]) return i;
    return tt_world_reserve(world, world->nbodies + 1, 0) ? world->nbodies++ : -1;
}

int taut_world_add_body(taut_world *world, const taut_model *model, const taut_body_def *def, taut_error *error)
{
    tt_clear(error);
    if (!model) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there is no model (NULL)");
        return -1;
    }
    tt_body *body = tt_body_create(&world->scope, model, def, error);
    if (!body) return -1;
    int slot = body_slot(world);
    if (slot < 0) {
        tt_body_free(body);
        tt_no_memory(error);
        return -1;
    }
    world->body[slot] = body;
    tt_body_tune(body, world, 1); /* so that residuals can be asked for before the first step */
    return slot;
}

void taut_world_remove_body(taut_world *world, int body)
{
    tt_body_free(tt_world_body(world, body));
    world->body[body] = NULL;
    while (world->nbodies && !world->body[world->nbodies - 1]) world->nbodies--;
}

/* ---- Colliders -------------------------------------------------------------------------------------------------- */

static int collider_slot(taut_world *world)
{
    for (int i = 0; i < world->ncolliders; i++)
        if (!world->collider[i].used) return i;
    return tt_world_reserve(world, 0, world->ncolliders + 1) ? world->ncolliders++ : -1;
}

int taut_world_add_collider(taut_world *world, const taut_collider_def *def, taut_error *error)
{
    taut_collider_def default_def = taut_default_collider_def();
    if (!def) def = &default_def;
    tt_clear(error);
    if (!tt_collider_check(def, error)) return -1;
    int slot = collider_slot(world);
    if (slot < 0) {
        tt_no_memory(error);
        return -1;
    }
    world->collider[slot] = (tt_collider){.used = true, .now = *def, .target = *def};
    return slot;
}

static tt_collider *collider_of(taut_world *world, int collider)
{
    assert(collider >= 0 && collider < world->ncolliders && world->collider[collider].used);
    return &world->collider[collider];
}

void taut_world_remove_collider(taut_world *world, int collider)
{
    collider_of(world, collider)->used = false;
    while (world->ncolliders && !world->collider[world->ncolliders - 1].used) world->ncolliders--;
}

bool taut_collider_move(taut_world *world, int collider, const taut_collider_def *def, taut_error *error)
{
    tt_clear(error);
    tt_collider *c = collider_of(world, collider);
    taut_collider_def default_def = taut_default_collider_def();
    if (!def) def = &default_def;
    if (!tt_collider_check(def, error)) return false;
    if (def->shape != c->now.shape)
        return tt_fail(error, TAUT_BAD_ARGUMENT, collider, "collider %d cannot change its shape", collider);
    c->target = *def;
    return true;
}
