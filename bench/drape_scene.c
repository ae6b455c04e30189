#define _POSIX_C_SOURCE 200809L

#include "drape_scene.h"

#include "base/clock.h"
#include "base/error.h"
#include "disc.h"
#include "outline.h"
#include "own_clock.h"

#include <math.h>

const drape_times drape_test_times[DRAPE_TESTS] = {
    [DRAPE_HANG] = {0, 10, 1}, [DRAPE_SHAKE] = {10, 13, 3}, [DRAPE_BALL] = {0, 5, 1},
    [DRAPE_TABLE] = {0, 5, 1}, [DRAPE_TOP] = {0, 5, 1},
};

static const double TWO_PI = 6.283185307179586;
static const float JITTER = 0.3f;                    /* of irregular meshes */
static const double BALL = 0.3;                      /* its radius, m */
static const double DROP = 0.1, BALL_FRICTION = 0.5; /* the height of the sheet above the ball, m */

/* A round sheet of about n^2 vertices. */
static disc_shape disc_of(int n)
{
    int rings = (int)fmax(n / sqrt(3) + 0.5, 5), free = rings * 2 / 5;
    return disc_of_cusick(rings - free, free);
}

/* ---- Meshes ---- */

static bool make_mesh(const drape_scene *s, taut_mesh *mesh, taut_error *error)
{
    const disc_shape disc = disc_of(s->n);
    if (s->test == DRAPE_TABLE) return disc_make(mesh, &disc, s->irregular ? (double)JITTER : 0, error);
    return s->irregular ? taut_mesh_sheet_irregular(mesh, s->n, s->n, 1, 1, JITTER, 1, error)
                        : taut_mesh_sheet(mesh, s->n, s->n, 1, 1, error);
}

/* Pins every `apart`-th of the first `count` vertices. */
static bool pin_first(taut_mesh *mesh, int count, int apart, taut_error *error)
{
    for (int v = 0; v < count; v += apart)
        if (!taut_mesh_pin(mesh, v, error)) return false;
    return true;
}

static bool pin_mesh(const drape_scene *s, taut_mesh *mesh, taut_error *error)
{
    switch (s->test) {
    case DRAPE_TABLE:
        return pin_first(mesh, disc_ring(disc_of(s->n).inner + 1), 1, error);
    case DRAPE_TOP:
        return pin_first(mesh, s->n, 1, error);
    case DRAPE_BALL:
        return true;
    default:
        return pin_first(mesh, s->n, s->n - 1, error);
    }
}

/* Vertex i of the line whose folds are counted: the rim if the sheet lies on something, else the lower hem. */
static int outline_vertex(const drape_scene *s, int i)
{
    int n = s->n, cells = n - 1, last = n * n - 1, along = i;
    if (s->test == DRAPE_TABLE) return disc_ring(disc_of(n).rings) + i;
    if (!s->closed || i < cells) return s->closed ? i : n * cells + i;
    if ((along -= cells) < cells) return cells + along * n;
    if ((along -= cells) < cells) return last - along;
    return last - cells - (along - cells) * n;
}

static bool take_outline(drape_scene *s, taut_error *error)
{
    s->closed = s->support > 0;
    s->noutline = s->test == DRAPE_TABLE ? 6 * disc_of(s->n).rings : s->closed ? 4 * (s->n - 1) : s->n;
    s->outline = TT_TAKE(&s->gauge.scope, int, s->noutline);
    if (!s->outline) return tt_no_memory(error);
    for (int i = 0; i < s->noutline; i++) s->outline[i] = outline_vertex(s, i);
    return true;
}

/* ---- Worlds ---- */

static bool add_ball(const drape_scene *s, taut_world *world, taut_error *error)
{
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = (float)BALL;
    ball.friction = s->material.friction > 0 ? (float)(BALL_FRICTION / (double)s->material.friction) : 0;
    return taut_world_add_collider(world, &ball, error) >= 0;
}

static bool open_world(drape_scene *s, int i, taut_error *error)
{
    taut_world_def def = s->plan->world;
    taut_body_def body = taut_default_body_def();
    def.threads = s->plan->threads.value[i];
    if (s->plan->flat) body.imperfection = 0;
    s->world[i] = taut_world_create(&def, error);
    if (!s->world[i]) return false;
    if (s->test == DRAPE_BALL) { /* level, its middle above the ball */
        body.rotation[0] = body.rotation[3] = 0.70710678f;
        body.position[1] = (float)(BALL + DROP);
        body.position[2] = 0.5f;
        if (!add_ball(s, s->world[i], error)) return false;
    }
    return taut_world_add_body(s->world[i], s->model, &body, error) == 0;
}

static bool build(drape_scene *s, const taut_mesh *mesh, taut_error *error)
{
    if (!drape_gauge_open(&s->gauge, mesh, &s->material, error) || !take_outline(s, error)) return false;
    double began = tt_clock();
    s->model = taut_model_build(mesh, &s->material, &s->plan->model, error);
    s->build_ms = tt_clock() - began;
    if (!s->model) return false;
    for (int i = 0; i < s->plan->threads.count; i++)
        if (!open_world(s, i, error)) return false;
    return true;
}

bool drape_scene_open(drape_scene *s, const drape_plan *plan, drape_test test, int n, bool irregular, int rate,
                      taut_error *error)
{
    *s = (drape_scene){.test = test, .n = n, .irregular = irregular, .rate = rate, .plan = plan};
    bool round = test == DRAPE_TABLE;
    s->width = round ? 2 * DISC_RADIUS : 1;
    s->sheet = round ? TWO_PI / 2 * DISC_RADIUS * DISC_RADIUS : 1;
    s->support = round ? TWO_PI / 2 * DISC_TABLE * DISC_TABLE : test == DRAPE_BALL ? TWO_PI / 2 * BALL * BALL : 0;
    s->material = plan->material;
    if (test == DRAPE_HANG) s->material.density = (float)drape_hang_density(plan);
    taut_mesh mesh = {0};
    bool ok = make_mesh(s, &mesh, error) && pin_mesh(s, &mesh, error) && build(s, &mesh, error);
    taut_mesh_free(&mesh);
    if (!ok) drape_scene_close(s);
    return ok;
}

void drape_scene_close(drape_scene *s)
{
    for (int i = 0; i < DRAPE_MOST; i++) taut_world_free(s->world[i]);
    taut_model_free(s->model);
    if (s->gauge.measurer) drape_gauge_close(&s->gauge);
    *s = (drape_scene){0};
}

/* ---- Steps ---- */

/* Both upper corners come together in the first second; after ten seconds they go to and fro. */
static bool move_pins(const drape_scene *s, taut_world *world, taut_error *error)
{
    double time = (double)(s->frame + 1) / s->rate, shaken = fmax(time - drape_test_times[DRAPE_SHAKE].begins, 0);
    double half = 0.5 - 0.1 * fmin(time, 1), sideways = 0.3 * sin(TWO_PI * 2 * shaken);
    const float left[3] = {(float)(sideways - half), 0, 0}, right[3] = {(float)(sideways + half), 0, 0};
    return taut_body_pin(world, 0, 0, left, 1, error) && taut_body_pin(world, 0, s->n - 1, right, 1, error);
}

bool drape_scene_step(drape_scene *s, double ms[DRAPE_MOST], double longest[DRAPE_MOST], taut_error *error)
{
    for (int i = 0; i < s->plan->threads.count; i++) {
        if (s->test == DRAPE_HANG && !move_pins(s, s->world[i], error)) return false;
        bool alone = s->plan->threads.value[i] == 1;
        double began = alone ? own_clock() : tt_clock();
        taut_world_step(s->world[i], 1.0f / (float)s->rate);
        double took = (alone ? own_clock() : tt_clock()) - began;
        ms[i] += took;
        longest[i] = fmax(longest[i], took);
    }
    s->frame++;
    return true;
}

/* ---- Measures ---- */

const float *drape_positions(const drape_scene *s) { return taut_body_positions(s->world[0], 0, NULL); }

int drape_scene_folds(const drape_scene *s)
{
    const float *xyz = drape_positions(s);
    double *height = s->gauge.number; /* it has room for a number per edge, which is enough */
    for (int i = 0; i < s->noutline; i++) {
        const float *p = &xyz[3 * (size_t)s->outline[i]];
        height[i] = s->closed ? sqrt((double)p[0] * (double)p[0] + (double)p[2] * (double)p[2]) : (double)p[2];
    }
    return outline_folds(height, s->noutline, 0.01 * s->width, s->closed);
}

double drape_coefficient(const drape_scene *s)
{
    if (!(s->support > 0)) return -1;
    return (drape_shadow(&s->gauge, drape_positions(s)) - s->support) / (s->sheet - s->support);
}

double drape_sag(const drape_scene *s)
{
    const float *xyz = drape_positions(s);
    double sum = 0;
    for (int i = 0; i < s->noutline; i++) sum -= (double)xyz[3 * (size_t)s->outline[i] + 1];
    return sum / s->noutline - 1;
}

/* A metre of cloth that hangs by its top gets longer by rho g L^2 / (2 Y). The weft runs down. */
double drape_expected_sag(const drape_scene *s)
{
    double modulus = (double)s->material.strain.yy;
    if (s->material.units != TAUT_PHYSICAL || !(modulus > 0) || isinf(modulus)) return 0;
    return (double)s->material.density * -(double)s->plan->world.gravity[1] / (2 * modulus);
}
