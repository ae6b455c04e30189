/* Small models and worlds of every kind for tests of taut.h, and checks of errors. Include after cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_WORLD_H
#define TAUT_TESTS_HELPERS_WORLD_H

#include "slow_build.h"
#include "taut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- Errors ---- */

/* The error that a test expects. */
typedef struct wanted {
    taut_code code;
    int index;
    const char *text;
} wanted;

static inline void expect_error(const taut_error *error, wanted want)
{
    assert_string_equal(error->text, want.text);
    assert_int_equal(error->code, want.code);
    assert_int_equal(error->index, want.index);
    assert_true(strlen(error->text) < sizeof error->text - 1); /* not cut off */
    assert_null(strpbrk(error->text, "\r\n"));
}

/* An error that is not empty before the call. */
static inline taut_error stale(void) { return (taut_error){.code = TAUT_OK, .index = 12345, .text = "stale"}; }

/* ---- Models ---- */

/* Builds a model and frees the mesh. `material` NULL: the default one. */
static inline taut_model *model_of(taut_mesh *mesh, const taut_material *material)
{
    taut_error error = {0};
    taut_model *model = taut_model_build(mesh, material, NULL, &error);
    if (!model) print_error("model: %s\n", error.text);
    assert_non_null(model);
    taut_mesh_free(mesh);
    return model;
}

/* A square metre of n x n vertices that hangs from its two upper corners. */
static inline taut_mesh hanging_sheet(int n)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, n - 1, NULL));
    return mesh;
}

static inline taut_model *sheet_model(int n, const taut_material *material)
{
    taut_mesh mesh = hanging_sheet(n);
    return model_of(&mesh, material);
}

/* A sheet without pins. */
static inline taut_model *free_sheet_model(int n, const taut_material *material)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    return model_of(&mesh, material);
}

static inline taut_model *beam_model(int nx, int ny, int nz, const taut_material *material)
{
    taut_mesh mesh;
    assert_true(taut_mesh_beam(&mesh, nx, ny, nz, 1, 0.2f, 0.2f, NULL));
    return model_of(&mesh, material);
}

static inline taut_model *chain_model(int n, float length, const taut_material *material)
{
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, n, length, NULL));
    return model_of(&mesh, material);
}

/* Every rate is above zero, so that the damping of every kind runs. */
static inline taut_damping all_dampings(void)
{
    return (taut_damping){.global = 0.3f, .edge = 5, .stretch = 4, .shear = 3, .area = 2, .volume = 1, .bend = 6};
}

static inline taut_material rope_material(void)
{
    taut_material m = taut_default_material();
    m.edge = 1;
    m.bend.model = TAUT_BEND_TRIANGLE;
    m.bend.stiffness = 0.3f;
    m.drag = m.lift = 0;
    return m;
}

/* Moduli of a woven cloth (triangles). */
static inline taut_material physical_cloth(void)
{
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.edge = 50;
    m.strain.xx = 2000;
    m.strain.yy = 1500;
    m.strain.xy = 300;
    m.strain.area = 100;
    m.bend.stiffness = 1e-4f;
    m.tether = 1e4f;
    return m;
}

/* Moduli of a soft rubber (tets). */
static inline taut_material physical_rubber(void)
{
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.density = 1000;
    m.strain.xx = m.strain.yy = m.strain.zz = 2e5f;
    m.strain.xy = m.strain.yz = m.strain.xz = 7e4f;
    m.strain.volume = 1e6f;
    m.bend.model = TAUT_BEND_NONE;
    m.tether = 0;
    return m;
}

/* ---- Worlds ---- */

/* A world that steps on the caller's thread alone. */
static inline taut_world *plain_world(int substeps, int iterations)
{
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    def.stretch = 0; /* by counts */
    def.substeps = substeps;
    def.iterations = iterations;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

/* A world without gravity that steps on the caller's thread. */
static inline taut_world *space(int substeps)
{
    const float none[3] = {0, 0, 0};
    taut_world *world = plain_world(substeps, 1);
    assert_true(taut_world_set_gravity(world, none, NULL));
    return world;
}

/* Adds a body exactly as the mesh is, without an imperfection. */
static inline int add_perfect(taut_world *world, const taut_model *model)
{
    taut_body_def def = taut_default_body_def();
    def.imperfection = 0;
    int body = taut_world_add_body(world, model, &def, NULL);
    assert_true(body >= 0);
    return body;
}

static inline int add_at(taut_world *world, const taut_model *model, float x, float y, float z)
{
    taut_body_def def = taut_default_body_def();
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    int body = taut_world_add_body(world, model, &def, NULL);
    assert_true(body >= 0);
    return body;
}

static inline int add_floor(taut_world *world, float height)
{
    taut_collider_def def = taut_default_collider_def();
    def.a[1] = height;
    int collider = taut_world_add_collider(world, &def, NULL);
    assert_true(collider >= 0);
    return collider;
}

static inline int add_ball(taut_world *world, float x, float y, float z, float radius)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_SPHERE;
    def.a[0] = x;
    def.a[1] = y;
    def.a[2] = z;
    def.radius = radius;
    int collider = taut_world_add_collider(world, &def, NULL);
    assert_true(collider >= 0);
    return collider;
}

static inline void expect_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.9g is not within %g of %.9g", a, tolerance, b);
}

static inline void step_times(taut_world *world, int steps)
{
    for (int i = 0; i < steps; i++) taut_world_step(world, 1.0f / 60);
}

#endif
