/* Levels of solids: lattices that follow the mesh, and their effect on a beam that hangs by its end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "helpers_world.h"
#include "helpers_levels.h"
#include "slow_build.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

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

/* Differences from one fine vertex to the next are averaged. If each vertex followed one tet, a noise of 1 would become
 * 2.3. */
static void lattices_average_noise(void **state)
{
    (void)state;
    taut_material m = soft_solid();
    taut_model *fine = beam(&m, 1);
    const tt_restriction *down = &fine->down;
    double sum = 0;
    for (int i = 0; i < down->first[down->count]; i++) sum += (double)down->weight[i] * (double)down->weight[i];
    double noise = sqrt(sum / fine->coarser->nvertices);
    if (!(noise < 1.8)) fail_msg("noise of %g", noise);
    taut_model_free(fine);
}

/* The violation that is left after few passes, the worst of the last 20 steps. */
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
    if (!(held < 0.05 && alone > 1.5 * held)) fail_msg("%g with levels, %g without", held, alone);
}

/* The vertices of a lattice that is mostly outside of the beam would have too few riders to know their places. */
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

/* A ring hangs by its top. Many passes go over the levels in rounds. A single round would leave the limits of a ring
 * far from kept, because its coarse lattices do not fit it well. */
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

/* A ring of tets with limits; `stiff`: it has stiffness too. */
static taut_model *ring(int levels, bool stiff)
{
    taut_mesh mesh;
    taut_material m = stiff ? taut_default_material() : soft_solid();
    const taut_strain none = {.rest = {1, 1, 1}};
    if (!stiff) m.strain = none;
    m.density = 500;
    m.friction = 0.5f;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.iterations = 16;
    m.damping.global = 0;
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    assert_true(taut_mesh_torus(&mesh, 60, 3, 0.4f, 0.15f, NULL));
    taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
    assert_true(model && taut_model_levels(model) == levels);
    taut_mesh_free(&mesh);
    return model;
}

/* The ring must not lie on the vertices of its lattices, which are below it and all around it. */
static void a_solid_lies_on_the_floor_with_its_own_surface(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int levels = 0; levels < 3; levels++) {
        taut_model *model = ring(levels, false);
        taut_world *world = plain_world(1, 1);
        add_floor(world, 0);
        int body = add_at(world, model, 0, 0.4f, 0), count;
        step_times(world, 80);
        const float *x = taut_body_positions(world, body, &count);
        double low = 1e9, high = -1e9, thickness = (double)model->material.thickness;
        for (int v = 0; v < count; v++) low = fmin(low, (double)x[3 * v + 1]), high = fmax(high, (double)x[3 * v + 1]);
        if (!(fabs(low - thickness) < 1e-3 && high > 0.25 && high < 0.35))
            fail_msg("%d levels: from %g to %g", levels, low, high);
        taut_world_free(world);
        taut_model_free(model);
    }
}

/* A ring starts on the floor, at rest or sliding. This is its place after a second, and its speed. */
typedef struct arrival {
    double x, fastest;
} arrival;

static arrival after_a_second(int levels, float speed)
{
    taut_model *model = ring(levels, true);
    taut_world *world = plain_world(4, 1);
    taut_body_def def = taut_default_body_def();
    add_floor(world, 0);
    def.position[1] = 0.155f;
    def.velocity[0] = speed;
    int body = taut_world_add_body(world, model, &def, NULL), count;
    step_times(world, 60);
    const float *x = taut_body_positions(world, body, &count), *v = taut_body_velocities(world, body, &count);
    arrival a = {0};
    for (int i = 0; i < count; i++) {
        a.x += (double)x[3 * i] / count;
        a.fastest = fmax(a.fastest, vec_length(vec_of(&v[3 * i])));
    }
    taut_world_free(world);
    taut_model_free(model);
    return a;
}

/* Coarse levels touch nothing, so they must not carry the weight: the ring would slide as on ice. */
static void a_solid_slides_as_far_with_levels_as_without(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    double without = after_a_second(0, 2).x;
    for (int levels = 1; levels < 3; levels++) {
        double with = after_a_second(levels, 2).x;
        if (!(fabs(with - without) < 0.1 * without)) fail_msg("%d levels: %g m, not %g", levels, with, without);
    }
}

/* The solid rests without levels, and with the automatic ones. */
static void a_solid_on_the_floor_is_at_rest(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    for (int levels = 0; levels < 3; levels += 2) {
        double fastest = after_a_second(levels, 0).fastest;
        if (!(fastest < 0.02)) fail_msg("%d levels: %g m/s", levels, fastest);
    }
}

typedef struct momenta {
    vec3 linear, angular;
    double energy;
} momenta;

static momenta momenta_of(const taut_world *world, int body, const taut_model *model)
{
    momenta sum = {0};
    int count;
    const float *x = taut_body_positions(world, body, &count), *v = taut_body_velocities(world, body, &count);
    for (int i = 0; i < count; i++) {
        double mass = 1 / (double)model->rest[4 * (size_t)model->place[i] + 3];
        vec3 p = vec_scale(vec_of(&v[3 * i]), mass);
        sum.linear = vec_add(sum.linear, p);
        sum.angular = vec_add(sum.angular, vec_cross(vec_of(&x[3 * i]), p));
        sum.energy += vec_dot(p, vec_of(&v[3 * i])) / 2;
    }
    return sum;
}

/* A solid spins and is squeezed, and touches nothing. */
static void a_solid_in_flight_keeps_its_momenta(void **state)
{
    (void)state;
    for (int levels = 0; levels < 3; levels++) {
        taut_model *model = ring(levels, false);
        taut_world *world = plain_world(1, 1);
        assert_true(taut_world_set_gravity(world, (const float[3]){0, 0, 0}, NULL));
        int body = add_at(world, model, 0, 0, 0), count;
        const float *x = taut_body_positions(world, body, &count);
        float *v = calloc(3 * (size_t)count, sizeof *v);
        assert_non_null(v);
        for (int i = 0; i < count; i++) {
            const float *at = &x[3 * i];
            v[3 * i] = 3 * at[2] + 0.5f * at[0], v[3 * i + 1] = 10 * at[0] * at[2];
            v[3 * i + 2] = -3 * at[0] + sinf(7 * at[0]);
        }
        assert_true(taut_body_set_velocities(world, body, v, NULL));
        free(v);
        momenta before = momenta_of(world, body, model);
        step_times(world, 40);
        momenta after = momenta_of(world, body, model);
        double speed = sqrt(2 * before.energy / (500 * 0.15)); /* of some 0.15 m^3 */
        double drift = vec_length(vec_sub(after.linear, before.linear)) / (500 * 0.15 * speed);
        double turn = vec_length(vec_sub(after.angular, before.angular)) / vec_length(before.angular);
        if (!(drift < 0.01 && turn < 0.1 && after.energy < before.energy))
            fail_msg("%d levels: drift %g, turn %g, energy %g to %g", levels, drift, turn, before.energy, after.energy);
        taut_world_free(world);
        taut_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_follow_linear_motion),
        cmocka_unit_test(lattices_average_noise),
        cmocka_unit_test(levels_hold_a_soft_beam),
        cmocka_unit_test(levels_end_before_they_are_mostly_air),
        cmocka_unit_test(rounds_over_the_levels_need_fewer_passes),
        cmocka_unit_test(a_solid_lies_on_the_floor_with_its_own_surface),
        cmocka_unit_test(a_solid_slides_as_far_with_levels_as_without),
        cmocka_unit_test(a_solid_on_the_floor_is_at_rest),
        cmocka_unit_test(a_solid_in_flight_keeps_its_momenta),
        cmocka_unit_test(solids_without_limits_have_none),
        cmocka_unit_test(solids_are_not_trained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
