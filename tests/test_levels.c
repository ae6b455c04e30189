/* The hierarchy of coarser meshes: how it is built, and its effect on a hanging sheet. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "slow_build.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `material` NULL: ratios, which are rigid along warp and weft. */
static taut_model *build_with(taut_mesh *mesh, const taut_material *material, int levels)
{
    const taut_material ratio = taut_default_material();
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    taut_model *model = taut_model_build(mesh, material ? material : &ratio, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(mesh);
    return model;
}

static taut_material stiff_edges(void)
{
    taut_material m = taut_default_material();
    m.strain.xx = m.strain.yy = m.strain.xy = 0;
    m.edge = 1;
    m.tether = 0;
    return m;
}

static void fine_stiff_cloth_gets_levels_that_suit_it(void **state)
{
    (void)state;
    taut_mesh small = hanging_sheet(10), large = hanging_sheet(60), soft = hanging_sheet(60), none = hanging_sheet(60);
    taut_material limp = taut_default_material();
    limp.strain.xx = limp.strain.yy = 0.5f;
    taut_model *m[4] = {build_with(&small, NULL, TAUT_LEVELS_AUTO), build_with(&large, NULL, TAUT_LEVELS_AUTO),
                        build_with(&soft, &limp, TAUT_LEVELS_AUTO), build_with(&none, NULL, 0)};
    assert_int_equal(taut_model_levels(m[0]), 0);
    assert_int_equal(taut_model_levels(m[1]), 3); /* 3600, 720, 144, 28 */
    assert_int_equal(taut_model_levels(m[2]), 0); /* it may stretch, so levels must not stiffen it */
    assert_int_equal(taut_model_levels(m[3]), 0);
    for (int i = 0; i < 4; i++) taut_model_free(m[i]);
}

static void a_level_has_a_fifth_of_the_vertices_and_the_pins(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(60);
    taut_model *model = build_with(&mesh, NULL, TAUT_LEVELS_AUTO);
    for (const taut_model *level = model; level->coarser; level = level->coarser) {
        double ratio = (double)level->nvertices / level->coarser->nvertices;
        assert_true(ratio > 4.1 && ratio < 5.9);
        int pins = 0;
        for (int i = 0; i < level->coarser->nvertices; i++) pins += level->coarser->pinned[i];
        assert_int_equal(pins, 2);
    }
    taut_model_free(model);
}

/* 3600 vertices have one level of 300, or two of 400 and 44, or the automatic ones of 720, 144 and 28. */
static void fewer_levels_take_wider_steps(void **state)
{
    (void)state;
    const double ratio[] = {12, 9, 5};
    for (int levels = 1; levels <= 3; levels++) {
        taut_mesh mesh = hanging_sheet(60);
        taut_model *model = build_with(&mesh, NULL, levels);
        assert_int_equal(taut_model_levels(model), levels);
        for (const taut_model *level = model; level->coarser; level = level->coarser) {
            double got = (double)level->nvertices / level->coarser->nvertices;
            if (!(fabs(got / ratio[levels - 1] - 1) < 0.2)) fail_msg("%d levels: a step of %g", levels, got);
        }
        taut_model_free(model);
    }
}

/* A sheet with a heavy hem weighs the same on every level. */
static void levels_weigh_what_the_mesh_weighs(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material m = stiff_edges();
    assert_true(taut_mesh_sheet(&mesh, 30, 30, 1, 1, NULL));
    mesh.mass = calloc((size_t)mesh.nvertices, sizeof *mesh.mass);
    assert_non_null(mesh.mass);
    for (int v = 0; v < mesh.nvertices; v++) mesh.mass[v] = v < 870 ? 0.001f : 0.1f;
    taut_model *model = build_with(&mesh, &m, 2);
    for (const taut_model *level = model; level; level = level->coarser) {
        double total = 0;
        for (int v = 0; v < level->nvertices; v++) total += 1 / (double)level->rest[4 * (size_t)level->place[v] + 3];
        expect_near(total, 3.87, 0.04);
    }
    taut_model_free(model);
}

static void linear_corrections_arrive_unchanged(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, 40, 30, 1, 1, 0.4f, 3, NULL));
    taut_model *fine = build_with(&mesh, NULL, 3);
    for (const taut_model *level = fine; level->coarser; level = level->coarser) {
        const taut_model *coarse = level->coarser;
        for (int v = 0; v < level->nvertices; v++) {
            double got = 0;
            const float *x = &level->rest[4 * v];
            for (int i = 0; i < 4; i++) {
                const float *c = &coarse->rest[4 * level->up.index[v][i]];
                got += (double)level->up.weight[v][i] * (0.3 + 2.0 * (double)c[0] - 0.7 * (double)c[1]);
            }
            assert_true(fabs(got - (0.3 + 2.0 * (double)x[0] - 0.7 * (double)x[1])) < 1e-5);
        }
    }
    taut_model_free(fine);
}

/* The sag of the lowest vertex below 1 m, percent, and the rms speed at the end. */
static double sag_of(const taut_model *model, int substeps, int iterations, int steps, double *speed)
{
    taut_world *world = plain_world(substeps, iterations);
    int body = add_at(world, model, 0, 0, 0), n;
    step_times(world, steps);
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    double lowest = 0, squares = 0;
    for (int i = 0; i < n; i++) lowest = fmin(lowest, (double)x[3 * i + 1]);
    for (int i = 0; i < 3 * n; i++) squares += (double)v[i] * (double)v[i];
    taut_world_free(world);
    if (speed) *speed = sqrt(squares / n);
    return 100 * (-lowest - 1);
}

static void levels_hold_a_fine_sheet(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    taut_material m = stiff_edges();
    m.damping.global = 1;
    taut_mesh a = hanging_sheet(50), b = hanging_sheet(50);
    taut_model *with = build_with(&a, &m, TAUT_LEVELS_AUTO), *without = build_with(&b, &m, 0);
    double speed, held = sag_of(with, 3, 2, 300, &speed), loose = sag_of(without, 3, 2, 300, NULL);
    if (!(held < 0.3 && loose > 10)) fail_msg("sag %g %% with levels, %g %% without", held, loose);
    if (!(speed < 1e-3)) fail_msg("it still moves at %g m/s", speed);
    taut_model_free(with);
    taut_model_free(without);
}

static double rms_speed(const taut_world *world, int body)
{
    int n;
    const float *v = taut_body_velocities(world, body, &n);
    double squares = 0;
    for (int i = 0; i < 3 * n; i++) squares += (double)v[i] * (double)v[i];
    return sqrt(squares / n);
}

/* The largest value over this number of steps. */
static double fastest_of(taut_world *world, int body, int steps)
{
    double worst = 0;
    for (int step = 0; step < steps; step++) {
        taut_world_step(world, 1.0f / 60);
        worst = fmax(worst, rms_speed(world, body));
    }
    return worst;
}

/* A settled sheet under limits stays still, in whatever order they are enforced. */
static void limits_do_not_jitter(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int enforcement = TAUT_WINDOWED; enforcement <= TAUT_JACOBI; enforcement++)
        for (int substeps = 1; substeps <= 4; substeps += 3) {
            taut_material m = taut_default_material();
            taut_mesh mesh = hanging_sheet(24);
            m.damping.global = 1;
            m.limit.stretch[1] = 1.01f;
            m.limit.enforcement = (taut_enforcement)enforcement;
            taut_model *model = build_with(&mesh, &m, 3);
            taut_world *world = plain_world(substeps, 1);
            int body = add_perfect(world, model); /* a sheet in folds would creep, and slip at times */
            step_times(world, 300);
            double worst = fastest_of(world, body, 2000);
            if (!(worst < 1e-3))
                fail_msg("enforcement %d, %d substeps: rms speed %g m/s", enforcement, substeps, worst);
            taut_world_free(world);
            taut_model_free(model);
        }
}

/* A sheet that swung down from aslant and hangs in slack folds stays still too. Without dry friction it would not. */
static void folds_come_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int run = 0; run < 8; run++) {
        taut_material m = taut_default_material();
        taut_mesh mesh = hanging_sheet(40);
        int substeps = run % 2 ? 4 : 1;
        if (run < 6) m.limit.stretch[1] = 1.02f, m.limit.enforcement = (taut_enforcement)(run / 2);
        taut_model *model = build_with(&mesh, &m, 3);
        taut_world *world = plain_world(substeps, 8 / substeps);
        taut_body_def def = taut_default_body_def();
        const float aslant[4] = {-0.2138f, 0, 0.0698f, 0.9744f};
        memcpy(def.rotation, aslant, sizeof aslant);
        int body = taut_world_add_body(world, model, &def, NULL);
        assert_true(body >= 0);
        step_times(world, 600);
        double worst = fastest_of(world, body, 400);
        if (!(worst < 1e-3)) fail_msg("run %d, %d substeps: rms speed %g m/s", run, substeps, worst);
        taut_world_free(world);
        taut_model_free(model);
    }
}

/* A sheet limited to 5 % is pulled at both ends to twice its length, so it cannot keep its limit. */
static void too_much_to_ask_shows_in_the_statistics(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material m = taut_default_material();
    assert_true(taut_mesh_sheet(&mesh, 25, 25, 1, 1, NULL));
    m.limit.stretch[1] = 1.05f;
    taut_model *model = build_with(&mesh, &m, 3);
    taut_world *world = plain_world(2, 1);
    int body = add_at(world, model, 0, 0, 0);
    step_times(world, 5);
    assert_int_equal(taut_world_stats(world).bodies_over_limits, 0);
    for (int j = 0; j < 25; j++)
        for (int side = 0; side < 2; side++) {
            const float target[3] = {side ? 1 : -1, -(float)j / 24, 0};
            assert_true(taut_body_pin(world, body, 25 * j + 24 * side, target, 1, NULL));
        }
    step_times(world, 30);
    taut_stats s = taut_world_stats(world);
    assert_int_equal(s.bodies_over_limits, 1);
    assert_int_equal(s.limit_passes, m.limit.iterations);
    assert_true(s.limit_excess > 0.5 && s.limit_excess < 4);
    assert_int_equal(s.bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
}

/* A sheet that hangs by two corners and is held only by its limit. */
static taut_model *sheet_of_limits(int iterations, float threshold)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    assert_true(taut_mesh_sheet(&mesh, 12, 12, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 11, NULL));
    m.strain.xx = m.strain.yy = m.strain.xy = m.tether = 0;
    m.limit.stretch[1] = 1.02f;
    m.limit.iterations = iterations;
    m.limit.threshold = threshold;
    return build_with(&mesh, &m, 0);
}

/* In each substep gravity pulls a hanging sheet out of its limits by a negligible amount, which must not be
 * reported. */
static void violations_that_nobody_sees_are_no_news(void **state)
{
    (void)state;
    taut_model *model = sheet_of_limits(30, 0);
    taut_world *world = plain_world(16, 1);
    add_at(world, model, 0, 0, 0);
    int small = 0;
    for (int step = 0; step < 200; step++) {
        taut_world_step(world, 1.0f / 60);
        taut_stats s = taut_world_stats(world);
        assert_int_equal(s.bodies_over_limits, s.limit_excess > 0.001);
        small += s.limit_excess > 0 && s.limit_excess <= 0.001;
    }
    assert_true(small > 20);
    taut_world_free(world);
    taut_model_free(model);
}

/* Elements that were within their limits sit out some passes. At the end of a substep no violation may be missed. */
static void limits_that_are_said_to_hold_do(void **state)
{
    (void)state;
    const int most = 400;
    taut_model *model = sheet_of_limits(most, 0.004f);
    taut_world *world = plain_world(1, 1);
    add_at(world, model, 0, 0, 0);
    int held = 0;
    for (int step = 0; step < 100; step++) {
        taut_world_step(world, 1.0f / 60);
        taut_stats s = taut_world_stats(world);
        if (s.limit_passes >= most) continue;
        assert_true(taut_world_residual(world, taut_kind_find("limit_tri")).max < 0.00401);
        held += s.limit_passes > 8;
    }
    assert_true(held > 20);
    taut_world_free(world);
    taut_model_free(model);
}

/* A rope that only its limit holds together. */
static void a_rope_of_limits_hangs(void **state)
{
    (void)state;
    float x[3 * 11] = {0};
    int line[20];
    for (int i = 0; i < 11; i++) x[3 * i] = 0.1f * (float)i;
    for (int i = 0; i < 20; i++) line[i] = (i + 1) / 2;
    unsigned char pinned[11] = {1};
    const taut_mesh mesh = {.nvertices = 11, .nlines = 10, .x = x, .line = line, .pinned = pinned};
    taut_material m = taut_default_material();
    m.edge = m.tether = 0;
    m.limit.edge[1] = 1.02f;
    m.limit.iterations = 100;
    m.damping.global = 2;
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    assert_non_null(model);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 0, 0);
    step_times(world, 600);
    const float *at = taut_body_positions(world, body, NULL);
    if (!(at[31] < -1.0f && at[31] > -1.025f)) fail_msg("its end is at %g", (double)at[31]);
    taut_world_free(world);
    taut_model_free(model);
}

/* Cloth that is folded without being stretched violates no level, however the fold runs. */
static void folded_cloth_violates_no_level(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, 40, 30, 1, 1, 0.4f, 3, NULL));
    taut_model *fine = build_with(&mesh, NULL, 3);
    assert_true(taut_model_levels(fine) >= 2);
    int kind = taut_kind_find("limit_edge");
    for (const taut_model *level = fine->coarser; level; level = level->coarser) {
        const tt_group *group = &level->group[kind];
        int links = 0;
        for (int b = 0; b < group->nblocks; b++)
            for (int lane = 0; lane < group->live[b]; lane++) {
                const uint32_t *offset = &group->offset[(size_t)b * 2 * TT_BLOCK];
                const float *x = &level->rest[offset[lane]], *y = &level->rest[offset[TT_BLOCK + lane]];
                double longest = (double)group->data[(size_t)(b * tt_kind_table()[kind]->fields * TT_BLOCK + lane)];
                for (int turn = 0; turn < 12; turn++) {
                    /* folded back over a line through the middle: mirrored where it is beyond */
                    double nx = cos(turn * 0.5236), ny = sin(turn * 0.5236), d[2] = {0, 0};
                    const float *ends[2] = {x, y};
                    for (int k = 0; k < 2; k++) {
                        double off = nx * ((double)ends[k][0] - 0.5) + ny * ((double)ends[k][1] + 0.5);
                        double flip = off > 0 ? 2 * off : 0, sign = k ? 1 : -1;
                        d[0] += sign * ((double)ends[k][0] - flip * nx);
                        d[1] += sign * ((double)ends[k][1] - flip * ny);
                    }
                    double length = sqrt(d[0] * d[0] + d[1] * d[1]);
                    if (!(length <= longest * (1 + 1e-5)))
                        fail_msg("level %d: %g of %g", level->level, length, longest);
                }
                links++;
            }
        assert_true(links > level->nvertices);
    }
    taut_model_free(fine);
}

/* The limits of a coarse level of a tube allow that the tube is flattened. */
static void curved_cloth_may_unroll(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_tube(&mesh, 40, 20, 0.1591549f, 1, NULL)); /* 1 m around */
    taut_material m = stiff_edges();
    taut_model *fine = build_with(&mesh, &m, 3);
    assert_non_null(fine->coarser);
    int kind = taut_kind_find("limit_edge"), longer = 0;
    for (const taut_model *level = fine->coarser; level; level = level->coarser) {
        const tt_group *group = &level->group[kind];
        for (int b = 0; b < group->nblocks; b++)
            for (int lane = 0; lane < group->live[b]; lane++) {
                const uint32_t *offset = &group->offset[(size_t)b * 2 * TT_BLOCK];
                const float *x = &level->rest[offset[lane]], *y = &level->rest[offset[TT_BLOCK + lane]];
                double longest = (double)group->data[(size_t)(b * tt_kind_table()[kind]->fields * TT_BLOCK + lane)];
                double turn = fabs(atan2((double)x[2], (double)x[0]) - atan2((double)y[2], (double)y[0]));
                double around = fmin(turn, 6.283185307 - turn) / 6.283185307;
                double flat = sqrt(around * around + pow((double)x[1] - (double)y[1], 2)), chord = 0;
                for (int c = 0; c < 3; c++) chord += pow((double)x[c] - (double)y[c], 2);
                if (!(longest > 0.99 * flat)) fail_msg("level %d: %g of %g", level->level, longest, flat);
                longer += longest > 1.05 * sqrt(chord);
            }
    }
    assert_true(longer > 5);
    taut_model_free(fine);
}

/* Loose cloth falls on a ball and slides off in folds. Its levels neither stretch it nor speed it up. */
static void loose_cloth_stays_calm(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 40, 40, 1, 1, NULL));
    for (int v = 0; v < mesh.nvertices; v++) {
        float *x = &mesh.x[3 * v], down = x[1];
        x[0] -= 0.5f, x[1] = 0.35f, x[2] = down + 0.5f; /* the cloth lies flat in the air */
    }
    taut_material m = stiff_edges();
    taut_model *model = build_with(&mesh, &m, TAUT_LEVELS_AUTO);
    taut_world *world = plain_world(4, 2);
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.25f;
    assert_true(taut_world_add_collider(world, &ball, NULL) >= 0);
    int body = add_at(world, model, 0, 0, 0), n;
    for (int step = 0; step < 150; step++) {
        taut_world_step(world, 1.0f / 60);
        const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
        double energy = 0;
        for (int i = 0; i < n; i++)
            energy += 9.81 * ((double)x[3 * i + 1] - 0.35) + 0.5 * ((double)v[3 * i] * (double)v[3 * i] +
                      (double)v[3 * i + 1] * (double)v[3 * i + 1] + (double)v[3 * i + 2] * (double)v[3 * i + 2]);
        if (!(energy / n < 0.05)) fail_msg("step %d: it gained %g J/kg", step, energy / n);
    }
    double longest = 0;
    const tt_level *b = &tt_world_body(world, body)->level[0];
    for (int e = 0; e < model->nedges; e++) {
        const float *p = &b->x[4 * (size_t)model->edge[e].a], *q = &b->x[4 * (size_t)model->edge[e].b];
        double square = 0;
        for (int c = 0; c < 3; c++) square += pow((double)p[c] - (double)q[c], 2);
        longest = fmax(longest, sqrt(square) / (double)model->edge[e].length);
    }
    if (!(longest < 1.2)) fail_msg("stretched to %g", longest);
    taut_world_free(world);
    taut_model_free(model);
}

static void a_new_material_reaches_the_levels(void **state)
{
    (void)state;
    taut_material m = stiff_edges(), limp = m;
    taut_mesh mesh = hanging_sheet(40);
    taut_model *model = build_with(&mesh, &m, TAUT_LEVELS_AUTO);
    taut_world *world = plain_world(3, 2);
    int body = add_at(world, model, 0, 0, 0);
    limp.edge = 0.2f;
    assert_true(taut_body_set_material(world, body, &limp, NULL));
    step_times(world, 120);
    const float *x = taut_body_positions(world, body, NULL);
    assert_true(x[3 * (40 * 39 + 20) + 1] < -1.2f); /* it may stretch now */
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fine_stiff_cloth_gets_levels_that_suit_it),
        cmocka_unit_test(a_level_has_a_fifth_of_the_vertices_and_the_pins),
        cmocka_unit_test(fewer_levels_take_wider_steps),
        cmocka_unit_test(levels_weigh_what_the_mesh_weighs),
        cmocka_unit_test(linear_corrections_arrive_unchanged),
        cmocka_unit_test(levels_hold_a_fine_sheet),
        cmocka_unit_test(limits_do_not_jitter),
        cmocka_unit_test(folds_come_to_rest),
        cmocka_unit_test(too_much_to_ask_shows_in_the_statistics),
        cmocka_unit_test(violations_that_nobody_sees_are_no_news),
        cmocka_unit_test(limits_that_are_said_to_hold_do),
        cmocka_unit_test(a_rope_of_limits_hangs),
        cmocka_unit_test(folded_cloth_violates_no_level),
        cmocka_unit_test(curved_cloth_may_unroll),
        cmocka_unit_test(loose_cloth_stays_calm),
        cmocka_unit_test(a_new_material_reaches_the_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
