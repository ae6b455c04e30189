/* Levels of solids: lattices that follow the mesh, and what they do for one that hangs by its end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "embedding.h"
#include "helpers_levels.h"
#include "world/world.h"

#include <math.h>

static taut_material soft_solid(void)
{
    taut_material m = taut_default_material();
    taut_strain *s = &m.strain;
    s->xx = s->yy = s->zz = s->xy = s->yz = s->xz = s->volume = 0.02f;
    m.density = 500;
    m.limit.stretch[0] = 0.9f;
    m.limit.stretch[1] = 1.1f;
    m.limit.iterations = 4;
    return m;
}

/* A beam that sticks out of a wall at x = 0. */
static taut_model *beam(const taut_material *material, int levels)
{
    taut_mesh mesh;
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    assert_true(taut_mesh_beam(&mesh, 20, 6, 6, 2, 0.6f, 0.6f, NULL));
    double wall = 1e9;
    for (int v = 0; v < mesh.nvertices; v++) wall = fmin(wall, (double)mesh.x[3 * v]);
    for (int v = 0; v < mesh.nvertices; v++)
        if ((double)mesh.x[3 * v] < wall + 1e-4) assert_true(taut_mesh_pin(&mesh, v, NULL));
    taut_model *model = taut_model_build(&mesh, material, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

static void lattices_follow_linear_motion(void **state)
{
    (void)state;
    taut_material m = soft_solid();
    taut_model *fine = beam(&m, 3);
    assert_true(taut_model_levels(fine) >= 1);
    expect_linear_transfers(fine);
    taut_model_free(fine);
}

/* What is still violated after the few passes that there are, worst of the last 20 steps. */
static double excess_with(int levels)
{
    taut_material m = soft_solid();
    taut_model *model = beam(&m, levels);
    taut_world *world = plain_world(4, 1);
    add_at(world, model, 0, 0, 0);
    double worst = 0;
    for (int step = 0; step < 60; step++) {
        taut_world_step(world, 1.0f / 60);
        if (step >= 40) worst = fmax(worst, taut_world_stats(world).limit_excess);
    }
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
    return worst;
}

static void levels_hold_a_soft_beam(void **state)
{
    (void)state;
    double alone = excess_with(0), held = excess_with(2);
    if (!(held < 0.05 && alone > 4 * held)) fail_msg("%g with levels, %g without", held, alone);
}

/* A lattice that is mostly outside of the beam would have to guess where it is. */
static void levels_end_before_they_are_mostly_air(void **state)
{
    (void)state;
    taut_material m = soft_solid();
    taut_model *model = beam(&m, 12);
    assert_true(taut_model_levels(model) >= 1 && taut_model_levels(model) <= 2);
    taut_model_free(model);
    double held = excess_with(12);
    if (!(held < 0.05)) fail_msg("violated by %g", held);
}

static void solids_without_limits_have_none(void **state)
{
    (void)state;
    taut_material m = soft_solid();
    m.limit.stretch[0] = 0;
    m.limit.stretch[1] = INFINITY;
    taut_model *model = beam(&m, 3);
    assert_int_equal(taut_model_levels(model), 0);
    taut_model_free(model);
}

static void solids_are_not_trained(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_error error = {0};
    taut_material m = soft_solid();
    m.limit.bend[0] = -3, m.limit.bend[1] = 3;
    taut_model_options options = taut_default_model_options();
    options.levels = 2;
    assert_true(taut_mesh_beam(&mesh, 20, 6, 6, 2, 0.6f, 0.6f, NULL));
    assert_null(taut_train(&mesh, &m, &options, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "only meshes of triangles alone can be trained"});
    taut_mesh_free(&mesh);
}

/* A ring that hangs by its top. Many passes go over the levels in rounds: those of one round would leave much of the
 * limits of a ring violated, as its coarse lattices do not fit it well. */
static void rounds_over_the_levels_need_fewer_passes(void **state)
{
    (void)state;
    taut_material m = soft_solid();
    const taut_strain none = {.rest = {1, 1, 1}};
    m.strain = none;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.iterations = 256;
    m.limit.threshold = 0.001f;
    taut_mesh mesh;
    taut_model_options options = taut_default_model_options();
    options.levels = 2;
    assert_true(taut_mesh_torus(&mesh, 60, 3, 0.4f, 0.15f, NULL));
    for (int v = 0; v < mesh.nvertices; v++)
        if (mesh.x[3 * v] > 0.5f) assert_true(taut_mesh_pin(&mesh, v, NULL));
    taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
    assert_true(model && taut_model_levels(model) == 2);
    taut_mesh_free(&mesh);
    taut_world *world = plain_world(1, 1);
    assert_true(taut_world_set_gravity(world, (const float[3]){-9.81f, 0, 0}, NULL));
    add_at(world, model, 0, 0, 0);
    int passes = 0;
    for (int i = 0; i < 8; i++) {
        taut_world_step(world, 1.0f / 30);
        passes += taut_world_stats(world).limit_passes;
    }
    assert_true(passes < 8 * m.limit.iterations && taut_world_stats(world).limit_excess < 0.01);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_follow_linear_motion),
        cmocka_unit_test(levels_hold_a_soft_beam),
        cmocka_unit_test(levels_end_before_they_are_mostly_air),
        cmocka_unit_test(rounds_over_the_levels_need_fewer_passes),
        cmocka_unit_test(solids_without_limits_have_none),
        cmocka_unit_test(solids_are_not_trained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
