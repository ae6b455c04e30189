/* A running world refuses every bad change with a sentence that says what is wrong and where, and goes on as before. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* ---- Settings ---- */

/* A world with a hanging sheet and a ball, on which every change that fails must leave no trace. */
typedef struct stage {
    taut_model *model;
    taut_world *world;
    int body, ball;
    uint64_t hash;
} stage;

static int open_stage(void **state)
{
    stage *s = calloc(1, sizeof *s);
    taut_material ratio = taut_default_material();
    s->model = sheet_model(4, &ratio);
    s->world = plain_world(2, 1);
    s->body = add_at(s->world, s->model, 0, 0, 0);
    s->ball = add_ball(s->world, 0, -0.5f, 0, 0.1f);
    step_times(s->world, 3);
    s->hash = taut_world_hash(s->world);
    *state = s;
    return 0;
}

static int close_stage(void **state)
{
    stage *s = *state;
    taut_world_free(s->world);
    taut_model_free(s->model);
    free(s);
    return 0;
}

/* After a refused call the error is as expected, and the next step is the same as in a world without that call. */
static void expect_refused(const stage *s, bool done, const taut_error *error, wanted want)
{
    assert_false(done);
    expect_error(error, want);
    assert_true(taut_world_hash(s->world) == s->hash);
}

static void expect_untouched(const stage *s)
{
    void *state;
    open_stage(&state);
    stage *fresh = state;
    step_times(fresh->world, 3);
    step_times(s->world, 3);
    assert_true(taut_world_hash(s->world) == taut_world_hash(fresh->world));
    close_stage(&state);
}

static void bad_settings(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    const float up[3] = {0, NAN, 0}, gale[3] = {0, 0, INFINITY}, calm[3] = {0, 0, 0};
    expect_refused(s, taut_world_set_gravity(s->world, up, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 1, "gravity[1] is not finite"});
    expect_refused(s, taut_world_set_wind(s->world, gale, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 2, "wind[2] is not finite"});
    expect_refused(s, taut_world_set_wind(s->world, calm, INFINITY, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, -1, "air_density must be at least 0, got inf"});
    expect_refused(s, taut_world_set_solver(s->world, 0, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, -1, "substeps must be in [1,1000], got 0"});
    expect_refused(s, taut_world_set_solver(s->world, 8, 1001, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, -1, "iterations must be in [1,1000], got 1001"});
    assert_false(taut_world_set_gravity(s->world, up, NULL));
    assert_false(taut_world_set_wind(s->world, gale, 1, NULL));
    assert_false(taut_world_set_solver(s->world, -1, 1, NULL));
    expect_untouched(s);
}

/* ---- Bodies ---- */

static void bad_body_definitions(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    for (int i = 0; i < 3; i++) {
        char text[60];
        taut_body_def def = taut_default_body_def();
        def.position[i] = NAN;
        snprintf(text, sizeof text, "body.position[%d] is not finite", i);
        expect_refused(s, taut_world_add_body(s->world, s->model, &def, &error) != -1, &error,
                       (wanted){TAUT_BAD_ARGUMENT, i, text});
        def = taut_default_body_def();
        def.velocity[i] = INFINITY;
        snprintf(text, sizeof text, "body.velocity[%d] is not finite", i);
        expect_refused(s, taut_world_add_body(s->world, s->model, &def, &error) != -1, &error,
                       (wanted){TAUT_BAD_ARGUMENT, i, text});
    }
    static const struct {
        float rotation[4];
        const char *length;
    } turns[] = {{{0, 0, 0, 0}, "0"}, {{1, 1, 0, 0}, "2"}, {{0, 0, 0, NAN}, "nan"}, {{0, INFINITY, 0, 0}, "inf"}};
    for (int i = 0; i < LENGTH(turns); i++) {
        char text[90];
        taut_body_def def = taut_default_body_def();
        memcpy(def.rotation, turns[i].rotation, sizeof def.rotation);
        snprintf(text, sizeof text, "body.rotation must be a unit quaternion, its length squared is %s",
                 turns[i].length);
        expect_refused(s, taut_world_add_body(s->world, s->model, &def, &error) != -1, &error,
                       (wanted){TAUT_BAD_ARGUMENT, -1, text});
        assert_int_equal(taut_world_add_body(s->world, s->model, &def, NULL), -1);
    }
    assert_int_equal(taut_world_stats(s->world).bodies, 1);
    expect_untouched(s);
}

static void bad_pins(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    const float lost[3] = {0, NAN, 0}, far_away[3] = {INFINITY, 0, 0}, here[3] = {0, 0, 0};
    static const struct {
        float stiffness;
        const char *text;
    } grips[] = {
        {0, "vertex 5: the pin's stiffness must be in (0,1], got 0"},
        {1.5f, "vertex 5: the pin's stiffness must be in (0,1], got 1.5"},
        {-1, "vertex 5: the pin's stiffness must be in (0,1], got -1"},
        {NAN, "vertex 5: the pin's stiffness must be in (0,1], got nan"},
    };
    for (int i = 0; i < LENGTH(grips); i++)
        expect_refused(s, taut_body_pin(s->world, s->body, 5, here, grips[i].stiffness, &error), &error,
                       (wanted){TAUT_BAD_ARGUMENT, 5, grips[i].text});
    expect_refused(s, taut_body_pin(s->world, s->body, 5, lost, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 5, "vertex 5: the pin's target is not finite"});
    expect_refused(s, taut_body_pin(s->world, s->body, 5, far_away, 0.5f, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 5, "vertex 5: the pin's target is not finite"});
    expect_refused(s, taut_body_pin(s->world, s->body, 16, NULL, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 16, "vertex 16 is outside 0..15"});
    expect_refused(s, taut_body_pin(s->world, s->body, -1, NULL, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, -1, "vertex -1 is outside 0..15"});
    expect_refused(s, taut_body_unpin(s->world, s->body, 16, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 16, "vertex 16 is outside 0..15"});
    assert_false(taut_body_pin(s->world, s->body, 5, lost, 1, NULL));
    assert_false(taut_body_pin(s->world, s->body, 99, NULL, 1, NULL));
    assert_false(taut_body_unpin(s->world, s->body, INT_MIN, NULL));
    expect_untouched(s);
}

static void bad_masses(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    static const struct {
        float mass;
        const char *text;
    } masses[] = {
        {0, "vertex 7: mass must be above 0, got 0"},
        {-2, "vertex 7: mass must be above 0, got -2"},
        {NAN, "vertex 7: mass must be above 0, got nan"},
        {INFINITY, "vertex 7: mass must be above 0, got inf"},
    };
    for (int i = 0; i < LENGTH(masses); i++) {
        expect_refused(s, taut_body_set_mass(s->world, s->body, 7, masses[i].mass, &error), &error,
                       (wanted){TAUT_BAD_ARGUMENT, 7, masses[i].text});
        assert_false(taut_body_set_mass(s->world, s->body, 7, masses[i].mass, NULL));
    }
    expect_refused(s, taut_body_set_mass(s->world, s->body, 16, 1, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 16, "vertex 16 is outside 0..15"});
    expect_untouched(s);
}

static void bad_positions_and_velocities(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    float xyz[48] = {0};
    xyz[3 * 9 + 1] = NAN;
    expect_refused(s, taut_body_set_positions(s->world, s->body, xyz, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 9, "vertex 9: position is not finite"});
    expect_refused(s, taut_body_set_velocities(s->world, s->body, xyz, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 9, "vertex 9: velocity is not finite"});
    xyz[47] = -INFINITY;
    xyz[3 * 9 + 1] = 0;
    expect_refused(s, taut_body_set_positions(s->world, s->body, xyz, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 15, "vertex 15: position is not finite"});
    assert_false(taut_body_set_positions(s->world, s->body, xyz, NULL));
    assert_false(taut_body_set_velocities(s->world, s->body, xyz, NULL));
    expect_untouched(s);
}

static int parameter(const char *name)
{
    int i = 0;
    while (strcmp(taut_parameter_at(i)->name, name) != 0) i++;
    return i;
}

static void bad_changes_of_material(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    taut_material m = physical_cloth();
    expect_refused(s, taut_body_set_material(s->world, s->body, &m, &error), &error,
                   (wanted){TAUT_BAD_MATERIAL, -1, "material.units cannot change while running"});
    m = taut_default_material();
    m.bend.model = TAUT_BEND_DIHEDRAL;
    expect_refused(s, taut_body_set_material(s->world, s->body, &m, &error), &error,
                   (wanted){TAUT_BAD_MATERIAL, -1, "material.bend.model cannot change while running"});
    m = taut_default_material();
    m.bend.creation = TAUT_BEND_MIDPOINT;
    expect_refused(s, taut_body_set_material(s->world, s->body, &m, &error), &error,
                   (wanted){TAUT_BAD_MATERIAL, -1, "material.bend.creation cannot change while running"});
    m = taut_default_material();
    m.edge = 0.5f;
    expect_refused(s, taut_body_set_material(s->world, s->body, &m, &error), &error,
                   (wanted){TAUT_BAD_MATERIAL, parameter("edge"),
                            "the model was built without material.edge; build it with a value above 0"});
    assert_false(taut_body_set_material(s->world, s->body, &m, NULL));
    expect_untouched(s);
}

/* The message names the parameter that was set, never a kind of constraint, because a cloth has no limits of tets. */
static void absent_constraints_are_called_by_what_was_set(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t offset;
        float value;
        const char *build; /* the message says to build it with this */
    } set[] = {
        {"tether", offsetof(taut_material, tether), 1, "a value above 0"},
        {"lift", offsetof(taut_material, lift), 0.1f, "a value above 0"},
        {"bend.stiffness", offsetof(taut_material, bend.stiffness), 0.5f, "a value above 0"},
        {"elastic.young", offsetof(taut_material, elastic.young), 10, "a value above 0"},
        {"limit.stretch", offsetof(taut_material, limit.stretch[1]), 1.1f, "such a limit"},
        {"limit.axis[1]", offsetof(taut_material, limit.axis[1][0]), 0.5f, "such a limit"},
        {"limit.edge", offsetof(taut_material, limit.edge[1]), 2, "such a limit"},
        {"limit.bend", offsetof(taut_material, limit.bend[0]), -3, "such a limit"},
    };
    taut_material none = taut_default_material();
    none.bend.stiffness = none.tether = none.drag = none.lift = 0;
    taut_model *model = sheet_model(3, &none);
    taut_world *world = plain_world(1, 1);
    int body = add_at(world, model, 0, 0, 0);
    for (int i = 0; i < LENGTH(set); i++) {
        char text[120];
        taut_error error = stale();
        taut_material m = none;
        m.strain.xy = 0.25f; /* an earlier parameter, which may change */
        memcpy((char *)&m + set[i].offset, &set[i].value, sizeof(float));
        snprintf(text, sizeof text, "the model was built without material.%s; build it with %s", set[i].name,
                 set[i].build);
        assert_false(taut_body_set_material(world, body, &m, &error));
        expect_error(&error, (wanted){TAUT_BAD_MATERIAL, parameter(set[i].name), text});
    }
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Colliders ---- */

static void refuse_collider(const stage *s, const taut_collider_def *def, const char *text)
{
    taut_error error = stale();
    wanted want = {TAUT_BAD_ARGUMENT, -1, text};
    expect_refused(s, taut_world_add_collider(s->world, def, &error) != -1, &error, want);
    assert_int_equal(taut_world_add_collider(s->world, def, NULL), -1);
    error = stale();
    expect_refused(s, taut_collider_move(s->world, s->ball, def, &error), &error, want);
    assert_false(taut_collider_move(s->world, s->ball, def, NULL));
}

static taut_collider_def collider_of(taut_shape shape)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape;
    return def;
}

static void bad_colliders(void **state)
{
    stage *s = *state;
    static const struct {
        const char *name;
        size_t offset;
    } vectors[] = {
        {"a", offsetof(taut_collider_def, a)},
        {"b", offsetof(taut_collider_def, b)},
        {"spin", offsetof(taut_collider_def, spin)},
        {"normal", offsetof(taut_collider_def, normal)},
    };
    for (int i = 0; i < LENGTH(vectors); i++)
        for (int k = 0; k < 3; k++) {
            char text[60];
            const float wrong = k == 1 ? NAN : INFINITY;
            taut_collider_def def = collider_of(TAUT_SPHERE);
            memcpy((char *)&def + vectors[i].offset + (size_t)k * sizeof(float), &wrong, sizeof wrong);
            snprintf(text, sizeof text, "collider.%s is not finite", vectors[i].name);
            refuse_collider(s, &def, text);
        }
    taut_collider_def def = collider_of((taut_shape)77);
    refuse_collider(s, &def, "collider.shape must be one of taut_shape, got 77");
    def = collider_of(TAUT_PLANE);
    memset(def.normal, 0, sizeof def.normal);
    refuse_collider(s, &def, "collider.normal must not be zero");
    def = collider_of(TAUT_SPHERE);
    def.radius = 0;
    refuse_collider(s, &def, "collider.radius must be above 0, got 0");
    def = collider_of(TAUT_CAPSULE);
    def.radius = NAN;
    refuse_collider(s, &def, "collider.radius must be above 0, got nan");
    def = collider_of(TAUT_SPHERE);
    def.friction = -1;
    refuse_collider(s, &def, "collider.friction must be at least 0, got -1");
    def.friction = INFINITY;
    refuse_collider(s, &def, "collider.friction must be at least 0, got inf");
    assert_int_equal(taut_world_stats(s->world).colliders, 1);
    expect_untouched(s);
}

static void a_collider_keeps_its_shape(void **state)
{
    stage *s = *state;
    taut_error error = stale();
    taut_collider_def def = collider_of(TAUT_CAPSULE);
    expect_refused(s, taut_collider_move(s->world, s->ball, &def, &error), &error,
                   (wanted){TAUT_BAD_ARGUMENT, 0, "collider 0 cannot change its shape"});
    expect_untouched(s);
}

/* ---- Success ---- */

/* Callers may look at the error instead of the result. */
static void success_clears_the_error(void **state)
{
    stage *s = *state;
    const float zero[3] = {0, 0, 0};
    float xyz[48] = {0};
    taut_error error = stale();
    taut_material m = taut_default_material();
    taut_collider_def ball = collider_of(TAUT_SPHERE);
    taut_mesh mesh;
    taut_mesh_report report;
#define CLEARS(call)                             \
    do {                                         \
        error = stale();                         \
        error.code = TAUT_BAD_SAVE;              \
        assert_true(call);                       \
        assert_int_equal(error.code, TAUT_OK);   \
        assert_int_equal(error.index, -1);       \
        assert_string_equal(error.text, "");     \
    } while (0)
    CLEARS(taut_world_set_gravity(s->world, zero, &error));
    CLEARS(taut_world_set_wind(s->world, zero, 0, &error));
    CLEARS(taut_world_set_solver(s->world, 1, 1, &error));
    CLEARS(taut_world_add_body(s->world, s->model, NULL, &error) == 1);
    CLEARS(taut_world_add_collider(s->world, NULL, &error) == 1);
    CLEARS(taut_collider_move(s->world, s->ball, &ball, &error));
    CLEARS(taut_body_set_positions(s->world, s->body, xyz, &error));
    CLEARS(taut_body_set_velocities(s->world, s->body, xyz, &error));
    CLEARS(taut_body_pin(s->world, s->body, 3, NULL, 1, &error));
    CLEARS(taut_body_unpin(s->world, s->body, 3, &error));
    CLEARS(taut_body_set_mass(s->world, s->body, 3, 1, &error));
    CLEARS(taut_body_set_material(s->world, s->body, &m, &error));
    CLEARS(taut_mesh_sheet(&mesh, 3, 3, 1, 1, &error));
    CLEARS(taut_mesh_pin(&mesh, 3, &error));
    CLEARS(taut_mesh_inspect(&mesh, &report, &error));
    taut_mesh_free(&mesh);
#undef CLEARS
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bad_settings, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(bad_body_definitions, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(bad_pins, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(bad_masses, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(bad_positions_and_velocities, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(bad_changes_of_material, open_stage, close_stage),
        cmocka_unit_test(absent_constraints_are_called_by_what_was_set),
        cmocka_unit_test_setup_teardown(bad_colliders, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(a_collider_keeps_its_shape, open_stage, close_stage),
        cmocka_unit_test_setup_teardown(success_clears_the_error, open_stage, close_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
