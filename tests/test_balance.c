/* The balance of cloth of finite moduli (docs/balance.md): closed forms on any mesh, and changes while it runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

typedef struct sheet {
    int n;
    bool irregular;
    float modulus;
    int fps, threads;
} sheet;

/* A sheet of 1 m x 1 m and 0.2 kg, held by its upper edge. */
static taut_model *hung_model(const sheet *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.density = 0.2f;
    m.strain = (taut_strain){.xx = s->modulus, .yy = s->modulus, .xy = s->modulus / 20, .rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 1e-5f};
    m.tether = 0;
    if (s->irregular) assert_true(taut_mesh_sheet_irregular(&mesh, s->n, s->n, 1, 1, 0.3f, 5, NULL));
    else assert_true(taut_mesh_sheet(&mesh, s->n, s->n, 1, 1, NULL));
    for (int i = 0; i < s->n; i++) assert_true(taut_mesh_pin(&mesh, i, NULL));
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

static taut_world *hung_world(const sheet *s, const taut_model *model, int *body)
{
    taut_world_def def = taut_default_world_def();
    def.stretch = 0.02f;
    def.threads = s->threads ? s->threads : 1;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    *body = taut_world_add_body(world, model, NULL, NULL);
    assert_true(*body >= 0);
    return world;
}

static void step(taut_world *world, const sheet *s, double seconds)
{
    for (int i = 0; i < (int)(seconds * s->fps); i++) taut_world_step(world, 1.0f / (float)s->fps);
}

/* How far the middle of the lower edge hangs below its rest position. */
static double sag_of(const taut_world *world, int body, int n)
{
    const float *x = taut_body_positions(world, body, NULL);
    return -1 - (double)x[3 * ((n - 1) * n + n / 2) + 1];
}

static void it_sags_as_its_modulus_says_on_any_mesh(void **state)
{
    (void)state;
    const sheet sheets[] = {{9, false, 2000, 60, 1},  {17, false, 20, 60, 1}, {17, true, 2000, 24, 1},
                            {33, false, 2000, 24, 1}, {33, true, 20, 120, 1}, {49, false, 2000, 60, 1}};
    for (int i = 0; i < (SLOW_BUILD ? 2 : LENGTH(sheets)); i++) {
        const sheet *s = &sheets[i];
        taut_model *model = hung_model(s);
        int body;
        taut_world *world = hung_world(s, model, &body);
        step(world, s, 4);
        double ratio = sag_of(world, body, s->n) / (0.2 * 9.81 / 2 / (double)s->modulus);
        if (!(ratio > 0.95 && ratio < 1.08))
            fail_msg("%d x %d, %g N/m: %g times", s->n, s->n, (double)s->modulus, ratio);
        taut_world_free(world);
        taut_model_free(model);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    sheet s = {65, true, 2000, 60, 1};
    taut_model *model = hung_model(&s);
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        s.threads = i == 0 ? 1 : 3;
        int body;
        taut_world *world = hung_world(&s, model, &body);
        step(world, &s, 0.2);
        hash[i] = taut_world_hash(world);
        taut_world_free(world);
    }
    assert_true(hash[0] == hash[1]);
    taut_model_free(model);
}

/* A world and its restored save go on alike, although a pin is let go and the material changes in between. */
static void a_save_goes_on_the_same(void **state)
{
    (void)state;
    const sheet s = {17, true, 2000, 60, 1};
    static char bytes[1 << 20];
    taut_model *model = hung_model(&s);
    int body;
    taut_world *world = hung_world(&s, model, &body);
    const taut_model *models[] = {model};
    step(world, &s, 0.1);
    assert_true(taut_body_unpin(world, body, 3, NULL));
    taut_material softer = *taut_body_material(world, body);
    softer.strain.xx = 500;
    assert_true(taut_body_set_material(world, body, &softer, NULL));
    step(world, &s, 0.1);
    size_t size = taut_world_save(world, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    step(world, &s, 0.2);
    uint64_t hash = taut_world_hash(world);
    assert_true(taut_world_restore(world, bytes, size, models, 1, NULL));
    step(world, &s, 0.2);
    assert_true(taut_world_hash(world) == hash);
    taut_world_free(world);
    taut_model_free(model);
}

/* Cloth with limits must not be balanced, because passes over limits would upset the balance. */
static void cloth_with_limits_is_solved_by_counts(void **state)
{
    (void)state;
    taut_material m;
    taut_mesh mesh;
    assert_true(taut_init_preset(&m, sizeof m, "cotton"));
    assert_true(taut_mesh_sheet(&mesh, 17, 17, 1, 1, NULL));
    for (int limited = 0; limited <= 1; limited++) {
        if (limited) m.limit.stretch[1] = 1.01f;
        taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
        assert_non_null(model);
        assert_int_equal(taut_model_has_balance(model), !limited);
        taut_model_free(model);
    }
    taut_mesh_free(&mesh);
}

static void impossible_qualities_are_refused(void **state)
{
    (void)state;
    taut_world_def def = taut_default_world_def();
    taut_error error;
    def.stretch = 2;
    assert_null(taut_world_create(&def, &error));
    assert_string_equal(error.text, "stretch must be in [0,1], got 2");
    def.stretch = 0.1f, def.budget = 0;
    assert_null(taut_world_create(&def, &error));
    assert_string_equal(error.text, "budget must be in [1,1000], got 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sags_as_its_modulus_says_on_any_mesh),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_save_goes_on_the_same),
        cmocka_unit_test(cloth_with_limits_is_solved_by_counts),
        cmocka_unit_test(impossible_qualities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
