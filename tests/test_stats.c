/* Looking inside a world: statistics, residuals and hashes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <math.h>

/* ---- Statistics ---- */

static void statistics_add_up(void **state)
{
    (void)state;
    taut_model *large = free_sheet_model(50, NULL), *small = free_sheet_model(4, NULL);
    taut_world_def def = taut_default_world_def();
    def.threads = 2;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    taut_stats s = taut_world_stats(world);
    assert_int_equal(s.bodies + s.colliders + s.particles + s.contacts + s.bad_particles, 0);
    assert_true(s.steps == 0 && s.seconds == 0 && s.ms_step == 0);
    taut_body_def flat = taut_default_body_def();
    const float lying[4] = {-0.70710678f, 0, 0, 0.70710678f};
    memcpy(flat.rotation, lying, sizeof lying);
    flat.position[1] = 0.006f;
    assert_int_equal(taut_world_add_body(world, large, &flat, NULL), 0);
    add_floor(world, 0);
    for (int i = 0; i < 20; i++) taut_world_step(world, 0.01f);
    s = taut_world_stats(world);
    assert_int_equal(s.bodies, 1);
    assert_int_equal(s.colliders, 1);
    assert_int_equal(s.particles, 2500);
    assert_int_equal(s.threads, 2);
    assert_int_equal(s.steps, 20);
    expect_near(s.seconds, 0.2, 1e-6);
    assert_int_equal(s.bad_particles, 0);
    assert_true(s.contacts > 1250 && s.contacts <= 2500); /* the sheet lies on the ground */
    assert_true(s.ms_step > 0 && s.ms_forces > 0 && s.ms_constraints > 0 && s.ms_contacts > 0);
    assert_true(s.ms_velocities > 0 && s.ms_publish > 0);
    double sum = s.ms_forces + s.ms_constraints + s.ms_limits + s.ms_contacts + s.ms_velocities + s.ms_publish;
    assert_true(sum <= 1.05 * s.ms_step && sum > 0.5 * s.ms_step);
    add_at(world, small, 0, 50, 0);
    assert_int_equal(taut_world_stats(world).particles, 2516);
    assert_int_equal(taut_world_stats(world).bodies, 2);
    taut_world_remove_body(world, 0);
    taut_world_step(world, 0.01f);
    s = taut_world_stats(world);
    assert_int_equal(s.particles, 16);
    assert_int_equal(s.contacts, 0);
    taut_world_free(world);
    taut_model_free(large);
    taut_model_free(small);
}

/* A world says how exact its balance is: better than `stretch`, unless the budget is too small. */
static void the_quality_that_was_reached_is_told(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material cotton;
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&mesh, 33, 33, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    taut_model *model = taut_model_build(&mesh, &cotton, NULL, NULL);
    assert_non_null(model);
    for (int budget = 1; budget <= 100; budget *= 100) {
        taut_world_def def = taut_default_world_def();
        def.budget = budget;
        taut_world *world = taut_world_create(&def, NULL);
        add_at(world, model, 0, 0, 0);
        assert_true(taut_world_stats(world).stretch_reached == 0);
        int cut = 0;
        for (int i = 0; i < 10; i++) {
            taut_world_step(world, 1.0f / 60);
            taut_stats s = taut_world_stats(world);
            assert_true((s.stretch_reached > (double)def.stretch) == (s.searches_cut > 0));
            assert_true(s.stretch_reached > 0 && s.searches >= 4 && s.searches_cut <= 4);
            cut += s.searches_cut;
        }
        assert_true((cut > 0) == (budget == 1));
        assert_true(taut_world_set_quality(world, 0, budget, NULL));
        taut_world_step(world, 1.0f / 60);
        taut_stats s = taut_world_stats(world);
        assert_true(s.stretch_reached == 0 && s.searches == 0 && s.searches_cut == 0);
        taut_world_free(world);
    }
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

static uint64_t hash_after(const taut_model *model, int budget, float budget_ms)
{
    taut_world_def def = taut_default_world_def();
    def.budget = budget;
    def.budget_ms = budget_ms;
    taut_world *world = taut_world_create(&def, NULL);
    add_at(world, model, 0, 0, 0);
    step_times(world, 10);
    uint64_t hash = taut_world_hash(world);
    taut_world_free(world);
    return hash;
}

/* When the time is used up at once, each search has one round, as with a budget of 1. Time that is never used up
 * changes nothing. */
static void time_bounds_the_searches(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material cotton;
    taut_error error;
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&mesh, 33, 33, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    taut_model *model = taut_model_build(&mesh, &cotton, NULL, NULL);
    assert_true(hash_after(model, 40, 1e-9f) == hash_after(model, 1, 0));
    assert_true(hash_after(model, 40, 1e9f) == hash_after(model, 40, 0));
    taut_world_def def = taut_default_world_def();
    def.budget_ms = -1;
    assert_null(taut_world_create(&def, &error));
    assert_string_equal(error.text, "budget_ms must be at least 0, got -1");
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

static void particles_that_would_turn_bad_are_counted(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(4, NULL);
    taut_world *world = space(1);
    int body = add_at(world, model, 0, 0, 0);
    float v[48] = {0};
    v[0] = 3e38f;
    v[5] = -3e38f;
    assert_true(taut_body_set_velocities(world, body, v, NULL));
    taut_world_step(world, 10);
    assert_true(taut_world_stats(world).bad_particles > 0);
    const float *x = taut_body_positions(world, body, NULL);
    for (int i = 0; i < 48; i++) assert_true(isfinite(x[i]) && isfinite(taut_body_velocities(world, body, NULL)[i]));
    step_times(world, 100);
    for (int i = 0; i < 48; i++) assert_true(isfinite(x[i]));
    assert_int_equal(taut_world_stats(world).bad_particles, 0); /* of the last step */
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Residuals ---- */

static void kinds_have_names(void **state)
{
    (void)state;
    assert_true(taut_kind_count() >= 10);
    for (int kind = 0; kind < taut_kind_count(); kind++) assert_int_equal(taut_kind_find(taut_kind_name(kind)), kind);
    assert_int_equal(taut_kind_find("no such kind"), -1);
    assert_null(taut_kind_name(-1));
    assert_null(taut_kind_name(taut_kind_count()));
    taut_model *model = chain_model(3, 1, NULL);
    taut_world *world = plain_world(1, 1);
    assert_int_equal(taut_model_constraints(model, -1), 0);
    assert_int_equal(taut_model_constraints(model, taut_kind_count()), 0);
    assert_int_equal(taut_world_residual(world, -1).constraints, 0);
    assert_int_equal(taut_world_residual(world, taut_kind_count()).constraints, 0);
    taut_world_free(world);
    taut_model_free(model);
}

static void nothing_is_violated_at_rest(void **state)
{
    (void)state;
    static const taut_bend_model bends[] = {TAUT_BEND_DIHEDRAL, TAUT_BEND_ISOMETRIC, TAUT_BEND_TRIANGLE,
                                            TAUT_BEND_STICK};
    for (int i = 0; i < LENGTH(bends); i++) {
        taut_material m = taut_default_material();
        m.edge = m.strain.area = 1;
        m.bend.model = bends[i];
        taut_model *sheet = sheet_model(6, &m), *beam = beam_model(2, 2, 2, &m);
        taut_world *world = space(2);
        int body = add_perfect(world, sheet);
        add_at(world, beam, 0, 0, 0);
        for (int stepped = 0; stepped < 2; stepped++) {
            for (int kind = 0; kind < taut_kind_count(); kind++) {
                taut_residual r = taut_world_residual(world, kind);
                if (r.max > 2e-6) fail_msg("%s: %g at rest, %d steps", taut_kind_name(kind), r.max, stepped);
                assert_true(r.rms <= r.max);
                bool counted = taut_model_constraints(sheet, kind) + taut_model_constraints(beam, kind) > 0;
                assert_true((r.constraints > 0) == (counted && strcmp(taut_kind_name(kind), "aero") != 0));
            }
            assert_true(taut_body_worst_stretch(world, body) < 1e-6);
            step_times(world, 1);
        }
        taut_world_free(world);
        taut_model_free(sheet);
        taut_model_free(beam);
    }
}

/* Half of a sheet is pulled by 10 % along x, and only 4 % is allowed. The mean is that of the violated limits. */
static void the_mean_is_of_what_is_violated(void **state)
{
    (void)state;
    enum { SIDE = 5 };
    taut_material m = taut_default_material();
    m.limit.stretch[0] = 0.5f, m.limit.stretch[1] = 1.04f;
    taut_mesh mesh = hanging_sheet(SIDE);
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = space(1);
    int body = add_at(world, model, 0, 0, 0), limit = taut_kind_find("limit_tri");
    expect_near(taut_world_residual(world, limit).mean, 0, 0);
    float x[3 * SIDE * SIDE], middle = 0.5f * (mesh.x[0] + mesh.x[3 * (SIDE - 1)]);
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        x[i] = mesh.x[i] + (i % 3 == 0 && mesh.x[i] > middle ? 0.1f * (mesh.x[i] - middle) : 0);
    assert_true(taut_body_set_positions(world, body, x, NULL));
    taut_residual r = taut_world_residual(world, limit);
    assert_int_equal(r.constraints, 2 * mesh.ntris); /* too long and too short */
    assert_int_equal(r.violated, mesh.ntris / 2);
    expect_near(r.mean, 0.06, 1e-6);
    expect_near(r.rms, 0.06 / 2, 1e-6);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

/* A sheet is pulled by 10 % along x, so every residual is known. */
static void residuals_of_a_stretched_sheet(void **state)
{
    (void)state;
    enum { SIDE = 5 };
    taut_material m = taut_default_material();
    m.edge = 1;
    taut_mesh mesh = hanging_sheet(SIDE);
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = space(1);
    int body = add_at(world, model, 0, 0, 0);
    float x[3 * SIDE * SIDE];
    for (int i = 0; i < 3 * SIDE * SIDE; i++) x[i] = mesh.x[i] * (i % 3 == 0 ? 1.1f : 1);
    assert_true(taut_body_set_positions(world, body, x, NULL));

    taut_residual strain = taut_world_residual(world, taut_kind_find("strain_tri"));
    assert_int_equal(strain.constraints, 3 * mesh.ntris); /* xx, yy and xy */
    expect_near(strain.max, 0.1, 1e-6);
    expect_near(strain.rms, 0.1 / sqrt(3), 1e-6);

    const double cell = 0.25, diagonal = cell * (sqrt(1.21 + 1) - sqrt(2));
    const int along = SIDE * (SIDE - 1), down = SIDE * (SIDE - 1), across = (SIDE - 1) * (SIDE - 1);
    taut_residual distance = taut_world_residual(world, taut_kind_find("distance"));
    assert_int_equal(distance.constraints, along + down + across);
    expect_near(distance.max, 0.1 * cell, 1e-6);
    expect_near(distance.rms, sqrt((along * 0.01 * cell * cell + across * diagonal * diagonal) / distance.constraints),
                1e-6);
    expect_near(taut_body_worst_stretch(world, body), 0.1, 1e-6);
    expect_near(taut_body_stretch(world, body).stretch, 0.1, 1e-6);
    expect_near(taut_body_stretch(world, body).compression, 0, 1e-6);
    expect_near(taut_world_residual(world, taut_kind_find("isometric")).max, 0, 1e-5); /* still flat */

    /* The vertex that is farthest along x from its tether's corner is in the middle, 0.5 away at rest. */
    expect_near(taut_world_residual(world, taut_kind_find("tether")).max, 0.05, 1e-6);

    /* The sheet is also pushed together across, by more than it is pulled. */
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        if (i % 3 != 0) x[i] *= 0.7f;
    assert_true(taut_body_set_positions(world, body, x, NULL));
    expect_near(taut_body_stretch(world, body).stretch, 0.1, 1e-6);
    expect_near(taut_body_stretch(world, body).compression, 0.3, 1e-6);
    expect_near(taut_body_worst_stretch(world, body), 0.3, 1e-6);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

/* A tether whose pin was let go holds nothing, so it has no residual. */
static void loose_tethers_have_no_residual(void **state)
{
    (void)state;
    taut_model *model = sheet_model(5, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 0, 0), tether = taut_kind_find("tether");
    float x[75];
    memcpy(x, taut_body_positions(world, body, NULL), sizeof x);
    assert_true(taut_body_unpin(world, body, 0, NULL) && taut_body_unpin(world, body, 4, NULL));
    for (int i = 3; i < 75; i++) x[i] *= 2;
    assert_true(taut_body_set_positions(world, body, x, NULL));
    expect_near(taut_world_residual(world, tether).max, 0, 0);
    taut_world_step(world, 1e-4f);
    assert_true(taut_body_worst_stretch(world, body) > 0.1);
    expect_near(taut_world_residual(world, tether).max, 0, 0);
    taut_world_free(world);
    taut_model_free(model);
}

/* A new material shows in the residual at once. */
static void residuals_follow_the_material(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    taut_model *model = sheet_model(4, &m);
    taut_world *world = space(1);
    int body = add_perfect(world, model), kind = taut_kind_find("strain_tri");
    step_times(world, 1);
    expect_near(taut_world_residual(world, kind).max, 0, 1e-6);
    m.strain.rest[0] = 0.75f;
    assert_true(taut_body_set_material(world, body, &m, NULL));
    expect_near(taut_world_residual(world, kind).max, 0.25, 1e-6);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Hashes ---- */

static void equal_worlds_have_equal_hashes(void **state)
{
    (void)state;
    taut_model *model = sheet_model(4, NULL);
    taut_world *a = plain_world(2, 1), *b = plain_world(2, 1);
    assert_true(taut_world_hash(a) == taut_world_hash(b));
    int first = add_at(a, model, 0, 0, 0), second = add_at(b, model, 0, 0, 0);
    assert_true(taut_world_hash(a) == taut_world_hash(b));
    step_times(a, 5);
    assert_true(taut_world_hash(a) != taut_world_hash(b));
    step_times(b, 5);
    assert_true(taut_world_hash(a) == taut_world_hash(b));
    const uint64_t hash = taut_world_hash(a);
    float x[48], v[48];
    memcpy(x, taut_body_positions(b, second, NULL), sizeof x);
    memcpy(v, taut_body_velocities(b, second, NULL), sizeof v);
    for (int i = 0; i < 48; i++) { /* any number, changed in its last bit */
        float kept = x[i];
        x[i] = nextafterf(kept, 9);
        assert_true(taut_body_set_positions(b, second, x, NULL));
        assert_true(taut_world_hash(b) != hash);
        x[i] = kept;
        assert_true(taut_body_set_positions(b, second, x, NULL));
        kept = v[i];
        v[i] = nextafterf(kept, 9);
        assert_true(taut_body_set_velocities(b, second, v, NULL));
        assert_true(taut_world_hash(b) != hash);
        v[i] = kept;
        assert_true(taut_body_set_velocities(b, second, v, NULL));
        assert_true(taut_world_hash(b) == hash);
    }
    taut_world_remove_body(a, first);
    assert_true(taut_world_hash(a) != hash);
    taut_world_free(a);
    taut_world_free(b);
    taut_model_free(model);
}

static void the_clock_is_in_the_hash(void **state)
{
    (void)state;
    taut_world *a = plain_world(1, 1), *b = plain_world(1, 1);
    taut_world_step(a, 0.02f);
    taut_world_step(b, 0.01f);
    assert_true(taut_world_hash(a) != taut_world_hash(b)); /* the same number of steps, but other times */
    taut_world_free(a);
    taut_world_free(b);
}

/* Builds a model of this mesh and returns its hash. */
static uint64_t hash_of(const taut_mesh *mesh, const taut_material *material)
{
    taut_model *model = taut_model_build(mesh, material, NULL, NULL);
    assert_non_null(model);
    uint64_t hash = taut_model_hash(model);
    taut_model_free(model);
    return hash;
}

static void a_models_hash_knows_its_input(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(6), same = hanging_sheet(6);
    const uint64_t hash = hash_of(&mesh, NULL);
    assert_true(hash_of(&same, NULL) == hash && hash_of(&same, NULL) == hash);
    for (int i = 0; i < 36; i++) {
        float *z = &mesh.x[3 * i + 2];
        *z = 1e-3f;
        assert_true(hash_of(&mesh, NULL) != hash);
        *z = 0;
    }
    mesh.tri_scale = malloc((size_t)mesh.ntris * sizeof(float));
    for (int t = 0; t < mesh.ntris; t++) mesh.tri_scale[t] = 1;
    assert_true(hash_of(&mesh, NULL) == hash);
    mesh.tri_scale[17] = 0.5f;
    assert_true(hash_of(&mesh, NULL) != hash);
    mesh.tri_scale[17] = 1;
    mesh.mass = malloc(36 * sizeof(float));
    for (int i = 0; i < 36; i++) mesh.mass[i] = 0.01f;
    assert_true(hash_of(&mesh, NULL) != hash);
    taut_material untethered = taut_default_material();
    untethered.tether = 0;
    const uint64_t two_pins = hash_of(&same, &untethered);
    assert_true(taut_mesh_pin(&same, 20, NULL));
    assert_true(hash_of(&same, NULL) != hash);
    assert_true(hash_of(&same, &untethered) != two_pins);
    taut_mesh_free(&mesh);
    taut_mesh_free(&same);
}

/* Limits have passes of their own after all iterations. In these passes no particle is below the ground any more, but
 * contacts must still be counted. */
static void contacts_count_under_limits_too(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    m.limit.stretch[1] = 1.05f;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 10, 10, 1, 1, NULL));
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    assert_non_null(model);
    taut_world *world = plain_world(4, 1);
    taut_body_def flat = taut_default_body_def();
    const float lying[4] = {-0.70710678f, 0, 0, 0.70710678f};
    memcpy(flat.rotation, lying, sizeof lying);
    flat.position[1] = 0.006f;
    assert_int_equal(taut_world_add_body(world, model, &flat, NULL), 0);
    add_floor(world, 0);
    step_times(world, 60);
    assert_true(taut_world_stats(world).contacts > 50);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_add_up),
        cmocka_unit_test(the_quality_that_was_reached_is_told),
        cmocka_unit_test(time_bounds_the_searches),
        cmocka_unit_test(particles_that_would_turn_bad_are_counted),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(nothing_is_violated_at_rest),
        cmocka_unit_test(residuals_of_a_stretched_sheet),
        cmocka_unit_test(the_mean_is_of_what_is_violated),
        cmocka_unit_test(loose_tethers_have_no_residual),
        cmocka_unit_test(residuals_follow_the_material),
        cmocka_unit_test(equal_worlds_have_equal_hashes),
        cmocka_unit_test(the_clock_is_in_the_hash),
        cmocka_unit_test(a_models_hash_knows_its_input),
        cmocka_unit_test(contacts_count_under_limits_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
