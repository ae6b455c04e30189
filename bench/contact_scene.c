#define _POSIX_C_SOURCE 200809L

#include "contact_scene.h"

#include "base/clock.h"
#include "base/error.h"
#include "own_clock.h"

#include <math.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586;
static const float JITTER = 0.3f;                                   /* of the meshes */
static const float BALL = 0.2f, ABOVE = 0.1f;                       /* radius; how far sheets fall on the ball, m */
static const float GAP = 0.01f;                                     /* between layers, m */
static const float CAPE[2] = {0.5f, 0.8f}, BODY = 0.15f, PLACE = 2; /* capes; radius and distance of capsules, m */
enum { PLACES = 10 };                                               /* capes in a row */

/* ---- Worlds ---- */

static void turn_level(taut_body_def *def) { def->rotation[0] = def->rotation[3] = 0.70710678f; }

/* Sheets lie above a ball, one over the other. */
static void place_sheet(int i, taut_body_def *def)
{
    turn_level(def);
    def->position[1] = BALL + ABOVE + GAP * (float)i;
    def->position[2] = 0.5f;
}

static void place_cape(int i, float at[3])
{
    int row = i / PLACES;
    at[0] = PLACE * (float)(i % PLACES);
    at[1] = 0;
    at[2] = PLACE * (float)row;
}

/* How far the capsules that bear the capes have moved. They go to and fro until the period of rest. */
static float bearer_at(const contact_scene *s, int frame)
{
    double time = fmin((double)frame / CONTACT_RATE, s->plan->moves[1]);
    return (float)(0.3 * (1 - cos(TWO_PI * time)));
}

static taut_collider_def bearer_of(const contact_scene *s, int i)
{
    taut_collider_def c = taut_default_collider_def();
    c.shape = TAUT_CAPSULE;
    c.radius = BODY;
    place_cape(i, c.a);
    c.a[2] += bearer_at(s, s->frame);
    memcpy(c.b, c.a, sizeof c.b);
    c.b[1] -= CAPE[1];
    return c;
}

/* A hill as high as the ball, of 200 000 triangles. */
static bool add_hill(contact_scene *s, taut_error *error)
{
    enum { SIDE = 317 };
    taut_mesh hill;
    taut_collider_def c = taut_default_collider_def();
    if (!taut_mesh_sheet(&hill, SIDE, SIDE, 1, 1, error)) return false;
    for (int v = 0; v < hill.nvertices; v++) {
        float *x = &hill.x[3 * (size_t)v], z = x[1] + 0.5f, square = (x[0] * x[0] + z * z) / (BALL * BALL);
        x[1] = BALL / (1 + square * square);
        x[2] = z;
    }
    c.shape = TAUT_MESH;
    c.mesh = &hill;
    bool added = taut_world_add_collider(s->world, &c, error) >= 0;
    taut_mesh_free(&hill);
    return added;
}

static bool add_colliders(contact_scene *s, taut_error *error)
{
    if (s->plan->shape == CONTACT_CAPES) {
        for (int i = 0; i < s->plan->bodies; i++) {
            const taut_collider_def c = bearer_of(s, i);
            if (taut_world_add_collider(s->world, &c, error) != i) return false;
        }
        return true;
    }
    if (s->plan->shape == CONTACT_HILL) return add_hill(s, error);
    taut_collider_def ball = taut_default_collider_def(), floor = ball;
    ball.shape = TAUT_SPHERE;
    ball.radius = BALL;
    floor.shape = TAUT_PLANE;
    floor.a[1] = -BALL;
    floor.normal[1] = 1;
    return taut_world_add_collider(s->world, &ball, error) >= 0 &&
           taut_world_add_collider(s->world, &floor, error) >= 0;
}

static bool add_bodies(contact_scene *s, taut_error *error)
{
    for (int i = 0; i < s->plan->bodies; i++) {
        taut_body_def def = taut_default_body_def();
        if (s->plan->shape != CONTACT_CAPES) place_sheet(i, &def);
        else {
            place_cape(i, def.position);
            def.position[2] += BODY + 0.01f;
        }
        if (taut_world_add_body(s->world, s->model, &def, error) != i) return false;
    }
    return true;
}

static bool make_model(contact_scene *s, taut_contact tier, taut_error *error)
{
    const contact_plan *plan = s->plan;
    bool cape = plan->shape == CONTACT_CAPES;
    taut_material material;
    if (!taut_preset_material(TAUT_DEFAULT_CLOTH, &material)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "no preset");
    material.contact = tier;
    if (!taut_mesh_sheet_irregular(&s->mesh, plan->nx, plan->ny, cape ? CAPE[0] : 1, cape ? CAPE[1] : 1, JITTER, 1,
                                   error))
        return false;
    for (int v = 0; v < plan->nx && cape; v++)
        if (!taut_mesh_pin(&s->mesh, v, error)) return false;
    s->model = taut_model_build(&s->mesh, &material, NULL, error);
    return s->model != NULL;
}

bool contact_scene_open(contact_scene *s, const contact_plan *plan, taut_contact tier, int threads, taut_error *error)
{
    taut_world_def def = taut_default_world_def();
    *s = (contact_scene){.plan = plan};
    def.threads = threads;
    if (make_model(s, tier, error) && (s->world = taut_world_create(&def, error)) != NULL && add_colliders(s, error) &&
        add_bodies(s, error))
        return true;
    contact_scene_close(s);
    return false;
}

void contact_scene_close(contact_scene *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
    taut_mesh_free(&s->mesh);
    *s = (contact_scene){0};
}

/* ---- Steps ---- */

static bool move_bearers(contact_scene *s, taut_error *error)
{
    float by = bearer_at(s, s->frame);
    for (int i = 0; i < s->plan->bodies; i++) {
        const taut_collider_def c = bearer_of(s, i);
        if (!taut_collider_move(s->world, i, &c, error)) return false;
        for (int v = 0; v < s->plan->nx; v++) {
            float at[3];
            place_cape(i, at);
            at[2] += BODY + 0.01f + by;
            for (int k = 0; k < 3; k++) at[k] += s->mesh.x[3 * v + k];
            if (!taut_body_pin(s->world, i, v, at, 1, error)) return false;
        }
    }
    return true;
}

bool contact_scene_step(contact_scene *s, double *ms, taut_error *error)
{
    bool alone = taut_world_stats(s->world).threads == 1;
    s->frame++;
    if (s->plan->shape == CONTACT_CAPES && !move_bearers(s, error)) return false;
    double began = alone ? own_clock() : tt_clock();
    bool stepped = taut_world_step(s->world, 1.0f / CONTACT_RATE);
    *ms = (alone ? own_clock() : tt_clock()) - began;
    return stepped || tt_no_memory(error);
}

/* ---- Measures ---- */

int64_t contact_scene_crossings(const contact_scene *s, taut_error *error)
{
    const taut_mesh *one = &s->mesh;
    taut_mesh all = {0};
    int bodies = s->plan->bodies;
    if (!taut_mesh_allocate(&all, (int64_t)bodies * one->nvertices, (int64_t)bodies * one->ntris, 0, 0, false, false,
                            error))
        return -1;
    for (int b = 0; b < bodies; b++) {
        const float *xyz = taut_body_positions(s->world, b, NULL);
        memcpy(&all.x[3 * (size_t)b * (size_t)one->nvertices], xyz, 3 * (size_t)one->nvertices * sizeof *xyz);
        for (size_t i = 0, n = 3 * (size_t)one->ntris; i < n; i++)
            all.tri[(size_t)b * n + i] = one->tri[i] + b * one->nvertices;
    }
    int64_t count = taut_mesh_crossings(&all, NULL, NULL, 0, NULL, error);
    taut_mesh_free(&all);
    return count;
}

double contact_scene_speed(const contact_scene *s)
{
    double sum = 0;
    for (int b = 0; b < s->plan->bodies; b++) {
        const float *v = taut_body_velocities(s->world, b, NULL);
        for (int i = 0; i < 3 * s->mesh.nvertices; i++) sum += (double)v[i] * (double)v[i];
    }
    return sqrt(sum / ((double)s->plan->bodies * s->mesh.nvertices));
}
