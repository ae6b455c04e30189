/* The hierarchy of ropes, nets and plants: meshes of lines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_world.h"
#include "slow_build.h"
#include "world/world.h"

#include <math.h>

enum { VERTICES = 129 };

static taut_material limited_rope(void)
{
    taut_material m = taut_default_material();
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = 0;
    m.edge = 0;
    m.limit.edge[1] = 1;
    m.damping.global = 1;
    return m;
}

static taut_model *rope(int n, bool pinned, const taut_material *material, int levels)
{
    taut_mesh mesh;
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    assert_true(taut_mesh_chain(&mesh, n, 1, NULL));
    if (pinned) assert_true(taut_mesh_pin(&mesh, 0, NULL));
    taut_model *model = taut_model_build(&mesh, material, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

static int count_levels(const taut_model *model) { return model->coarser ? 1 + count_levels(model->coarser) : 0; }

/* The masses of vertices that go are shared by their neighbours, but not by ends. */
static void masses_of_the_mesh_are_on_every_level(void **state)
{
    (void)state;
    taut_mesh chain;
    taut_material m = limited_rope();
    taut_model_options options = taut_default_model_options();
    float mass[9] = {1, 2, 3, 4, 5, 6, 7, 8, 90};
    const double sum[5] = {1, 7, 10, 18, 90};
    options.levels = 1;
    assert_true(taut_mesh_chain(&chain, 9, 1, NULL));
    chain.mass = mass;
    taut_model *model = taut_model_build(&chain, &m, &options, NULL);
    assert_true(model && model->coarser);
    for (int v = 0; v < 5; v++)
        expect_near(1 / (double)model->coarser->rest[4 * (size_t)model->coarser->place[v] + 3], sum[v], 1e-4);
    chain.mass = NULL;
    taut_mesh_free(&chain);
    taut_model_free(model);
}

static void every_level_has_half_the_lines(void **state)
{
    (void)state;
    taut_material m = limited_rope(), loose = m;
    loose.limit.edge[1] = INFINITY;
    loose.edge = 0.5f;
    taut_model *all = rope(VERTICES, true, &m, TAUT_LEVELS_AUTO), *two = rope(VERTICES, true, &m, 2);
    taut_model *tiny = rope(20, true, &m, TAUT_LEVELS_AUTO), *soft = rope(VERTICES, true, &loose, TAUT_LEVELS_AUTO);
    assert_int_equal(count_levels(all), 5); /* 128 lines, 64, 32, 16, 8, 4 */
    assert_int_equal(count_levels(two), 2);
    assert_int_equal(count_levels(tiny), 0);
    assert_int_equal(count_levels(soft), 0); /* it may stretch, so levels must not stiffen it */
    for (const taut_model *level = all; level->coarser; level = level->coarser)
        assert_int_equal(level->coarser->nvertices - 1, (level->nvertices - 1) / 2);
    taut_model_free(all);
    taut_model_free(two);
    taut_model_free(tiny);
    taut_model_free(soft);
}

static double stretch_of(const taut_material *m, int levels, double *speed)
{
    taut_model *model = rope(VERTICES, true, m, levels);
    taut_world *world = plain_world(2, 1);
    int body = add_at(world, model, 0, 0, 0), n;
    step_times(world, 600);
    const float *v = taut_body_velocities(world, body, &n);
    double squares = 0, stretch = taut_body_worst_stretch(world, body);
    for (int i = 0; i < 3 * n; i++) squares += (double)v[i] * (double)v[i];
    *speed = sqrt(squares / n);
    taut_world_free(world);
    taut_model_free(model);
    return stretch;
}

/* A rope swings down from the horizontal and comes to rest. */
static void levels_hold_a_fine_rope(void **state)
{
    (void)state;
    taut_material m = limited_rope();
    m.damping.global = 3;
    double speed, loose_speed;
    double held = stretch_of(&m, TAUT_LEVELS_AUTO, &speed), loose = stretch_of(&m, 0, &loose_speed);
    if (!(held < 0.01 && loose > 0.1)) fail_msg("stretched by %g with levels, %g without", held, loose);
    if (!(speed < 0.05)) fail_msg("it still moves at %g m/s", speed);
}

/* Stiff lines without any limit also get levels that carry the load. */
static void levels_hold_a_stiff_rope(void **state)
{
    (void)state;
    taut_material m = limited_rope();
    m.edge = 1;
    m.limit.edge[1] = INFINITY;
    m.damping.global = 3;
    double speed, held = stretch_of(&m, TAUT_LEVELS_AUTO, &speed), loose = stretch_of(&m, 0, &speed);
    if (!(held < 0.05 && loose > 4 * held)) fail_msg("stretched by %g with levels, %g without", held, loose);
}

/* However it lies, a rope whose lines have their lengths is within the limits of every level. */
static void a_crumpled_rope_stays_as_it_is(void **state)
{
    (void)state;
    taut_material m = limited_rope();
    taut_model *model = rope(VERTICES, false, &m, TAUT_LEVELS_AUTO);
    taut_world *world = space(1);
    int body = add_at(world, model, 0, 0, 0);
    float x[3 * VERTICES] = {0};
    uint32_t random = 7;
    for (int v = 1; v < VERTICES; v++) {
        double d[3], length = 0;
        for (int c = 0; c < 3; c++) {
            random = random * 1664525u + 1013904223u;
            d[c] = (double)(random >> 8) * 0x1p-23 - 0.8;
            length += d[c] * d[c];
        }
        for (int c = 0; c < 3; c++) /* a hair too short, so that rounding makes none too long */
            x[3 * v + c] = x[3 * v - 3 + c] + (float)(0.99999 * d[c] / sqrt(length) / (VERTICES - 1));
    }
    assert_true(taut_body_set_positions(world, body, x, NULL));
    taut_world_step(world, 1.0f / 60);
    assert_memory_equal(taut_body_positions(world, body, NULL), x, sizeof x);
    taut_world_free(world);
    taut_model_free(model);
}

/* Pins are added while the rope runs, and the rope is long enough to hang between them. */
static void pins_hold_on_every_level(void **state)
{
    (void)state;
    taut_material m = limited_rope();
    taut_model *model = rope(VERTICES, false, &m, TAUT_LEVELS_AUTO);
    taut_world *world = plain_world(2, 1);
    int body = add_at(world, model, 0, 0, 0);
    const float end[3] = {0.6f, 0, 0};
    assert_true(taut_body_pin(world, body, 0, NULL, 1, NULL));
    assert_true(taut_body_pin(world, body, VERTICES - 1, end, 1, NULL));
    step_times(world, 300);
    const float *x = taut_body_positions(world, body, NULL);
    assert_true(x[0] == 0 && x[1] == 0);
    assert_true(x[3 * (VERTICES - 1)] == end[0] && x[3 * (VERTICES - 1) + 1] == 0);
    double stretch = taut_body_worst_stretch(world, body), sag = -(double)x[3 * (VERTICES / 2) + 1];
    if (!(stretch < 0.01)) fail_msg("stretched by %g", stretch);
    if (!(sag > 0.30 && sag < 0.40)) fail_msg("a catenary of 1 m between pins 0.6 m apart hangs 0.36 m, not %g", sag);
    taut_world_free(world);
    taut_model_free(model);
}

static double rms_speed_at_rest(const taut_material *m, int substeps, int levels)
{
    taut_model *model = rope(70, true, m, levels);
    taut_world *world = plain_world(substeps, 1);
    int body = add_at(world, model, 0, 0, 0), n;
    step_times(world, 2400);
    const float *v = taut_body_velocities(world, body, &n);
    double squares = 0;
    for (int i = 0; i < 3 * n; i++) squares += (double)v[i] * (double)v[i];
    taut_world_free(world);
    taut_model_free(model);
    return sqrt(squares / n);
}

/* The steps of a coarse level are forces that have an energy, so they feed no tremble. Only rounding does: a coordinate
 * of a rope of 1 m has an error of up to half of 2^-23 m, and divided by the substep this is a speed. */
static void a_hanging_rope_comes_to_rest(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    taut_material limited = limited_rope(), stiff = limited;
    stiff.edge = 1;
    stiff.limit.edge[1] = INFINITY;
    const int substeps[] = {4, 16}, levels[] = {1, 2, TAUT_LEVELS_AUTO};
    for (int i = 0; i < 6; i++) {
        double soft = rms_speed_at_rest(&limited, substeps[i / 3], levels[i % 3]);
        double hard = rms_speed_at_rest(&stiff, substeps[i / 3], levels[i % 3]);
        double rounding = 0x1p-24 * 60 * substeps[i / 3];
        if (!(soft < 4 * rounding && hard < 4 * rounding))
            fail_msg("%d substeps, levels %d: %g m/s with a limit, %g without", substeps[i / 3], levels[i % 3], soft,
                     hard);
    }
}

static void any_allocation_of_a_build_may_fail(void **state)
{
    (void)state;
    taut_material m = limited_rope();
    taut_model *plain = rope(33, true, &m, 2), *model = NULL;
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, 33, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    for (int64_t n = 1; !model; n++) {
        heap h;
        taut_error error = stale();
        taut_model_options options = taut_default_model_options();
        heap_open(&h);
        heap_fail(&h, n);
        options.allocator = &h.hook;
        options.levels = 2;
        model = taut_model_build(&mesh, &m, &options, &error);
        assert_int_equal(error.code, model ? TAUT_OK : TAUT_NO_MEMORY);
        if (model) {
            assert_int_equal(count_levels(model), 2);
            assert_true(taut_model_hash(model) == taut_model_hash(plain));
            taut_model_free(model);
        }
        assert_int_equal(h.live, 0);
    }
    taut_model_free(plain);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_of_the_mesh_are_on_every_level),
        cmocka_unit_test(every_level_has_half_the_lines),
        cmocka_unit_test(levels_hold_a_fine_rope),
        cmocka_unit_test(levels_hold_a_stiff_rope),
        cmocka_unit_test(a_crumpled_rope_stays_as_it_is),
        cmocka_unit_test(a_hanging_rope_comes_to_rest),
        cmocka_unit_test(pins_hold_on_every_level),
        cmocka_unit_test(any_allocation_of_a_build_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
