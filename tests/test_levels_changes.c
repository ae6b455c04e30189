/* Changes of a body reach its coarser levels: masses and pins that are set act like those of the mesh. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

enum { SIDE = 24, VERTICES = SIDE * SIDE, LEVELS = 2 };

/* Cloth without anything that slows it down. */
static taut_material free_cloth(void)
{
    taut_material m = taut_default_material();
    m.tether = m.drag = m.lift = 0;
    m.damping = (taut_damping){0};
    m.contact = TAUT_CONTACT_OFF; /* bodies that are compared begin at the same place */
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.02f;
    return m;
}

/* The left third of the sheet is 20 times as heavy as the rest. */
static float mass_of(int vertex) { return vertex % SIDE < SIDE / 3 ? 0.02f : 0.001f; }

static taut_model *build(const float *mass)
{
    taut_mesh mesh;
    taut_material m = free_cloth();
    taut_model_options options = taut_default_model_options();
    options.levels = LEVELS;
    assert_true(taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, NULL));
    mesh.mass = (float *)mass;
    taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
    mesh.mass = NULL;
    taut_mesh_free(&mesh);
    assert_non_null(model);
    assert_int_equal(taut_model_levels(model), LEVELS);
    return model;
}

/* Throws the body along x. Its heavy part falls behind, so that it swings about. */
static void throw_body(taut_world *world, int body)
{
    float v[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        v[3 * i] = 1.9f;
        v[3 * i + 1] = 0;
        v[3 * i + 2] = mass_of(i) > 0.01f ? -0.5f : 1;
    }
    assert_true(taut_body_set_velocities(world, body, v, NULL));
}

/* The velocity of the centre of mass along x. */
static double speed(const taut_world *world, int body)
{
    const float *v = taut_body_velocities(world, body, NULL);
    double momentum = 0, mass = 0;
    for (int i = 0; i < VERTICES; i++) {
        momentum += (double)mass_of(i) * (double)v[3 * i];
        mass += (double)mass_of(i);
    }
    return momentum / mass;
}

static void set_masses(taut_world *world, int body)
{
    for (int i = 0; i < VERTICES; i++) assert_true(taut_body_set_mass(world, body, i, mass_of(i), NULL));
}

static void masses_that_are_set_keep_momentum(void **state)
{
    (void)state;
    taut_model *model = build(NULL);
    taut_world *world = space(2);
    int body = add_at(world, model, 0, 0, 0);
    set_masses(world, body);
    throw_body(world, body);
    double start = speed(world, body);
    for (int i = 0; i < 10; i++) {
        step_times(world, 30);
        expect_near(speed(world, body), start, 2e-3);
    }
    taut_world_free(world);
    taut_model_free(model);
}

static void masses_that_are_set_act_as_masses_of_the_mesh(void **state)
{
    (void)state;
    float mass[VERTICES];
    for (int i = 0; i < VERTICES; i++) mass[i] = mass_of(i);
    taut_model *model = build(NULL), *brought = build(mass);
    taut_world *world = space(2);
    int body = add_at(world, model, 0, 0, 0), like = add_at(world, brought, 0, 0, 0);
    set_masses(world, body);
    throw_body(world, body);
    throw_body(world, like);
    step_times(world, 30);
    const float *a = taut_body_positions(world, body, NULL), *b = taut_body_positions(world, like, NULL);
    for (int i = 0; i < 3 * VERTICES; i++) expect_near((double)a[i], (double)b[i], 0.01);
    taut_world_free(world);
    taut_model_free(model);
    taut_model_free(brought);
}

static double mean_fall(const taut_world *world, int body)
{
    const float *v = taut_body_velocities(world, body, NULL);
    double sum = 0;
    for (int i = 0; i < VERTICES; i++) sum -= (double)v[3 * i + 1];
    return sum / VERTICES;
}

/* A sheet that is pinned in the middle of its upper edge hangs there with its levels. When it is let go, all of them
 * fall freely. */
static void pins_that_are_set_and_let_go_reach_the_levels(void **state)
{
    (void)state;
    taut_model *model = build(NULL);
    taut_world *world = plain_world(2, 1);
    int body = add_perfect(world, model), left = SIDE / 2 - 1, right = SIDE / 2;
    assert_true(taut_body_pin(world, body, left, NULL, 1, NULL) && taut_body_pin(world, body, right, NULL, 1, NULL));
    step_times(world, 60);
    assert_true(taut_body_stretch(world, body).stretch < 0.1);
    assert_true(taut_body_unpin(world, body, left, NULL) && taut_body_unpin(world, body, right, NULL));
    step_times(world, 6);
    double start = mean_fall(world, body);
    step_times(world, 54);
    expect_near(mean_fall(world, body) - start, 9.81 * 54 / 60, 0.05);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_that_are_set_keep_momentum),
        cmocka_unit_test(masses_that_are_set_act_as_masses_of_the_mesh),
        cmocka_unit_test(pins_that_are_set_and_let_go_reach_the_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
