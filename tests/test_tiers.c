/* Pairs of bodies that touch otherwise than their materials say. A sheet falls on a pinned one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

typedef struct pair {
    taut_world *world;
    taut_model *model[2];
    int below, above;
} pair;

static taut_model *level_model(bool pinned, taut_contact contact)
{
    taut_mesh mesh;
    taut_material m;
    assert_true(taut_preset_material("cotton", &m));
    m.contact = contact;
    assert_true(taut_mesh_sheet_irregular(&mesh, 11, 11, 0.4f, 0.4f, 0.3f, 3, NULL));
    for (int i = 0; i < mesh.nvertices; i++) {
        float *x = &mesh.x[3 * i], y = x[1];
        x[1] = 0, x[2] = -0.2f - y;
        if (pinned) assert_true(taut_mesh_pin(&mesh, i, NULL));
    }
    return model_of(&mesh, &m);
}

static pair open_pair(taut_contact below, taut_contact above)
{
    taut_world_def def = taut_default_world_def();
    def.threads = 2;
    pair p = {.world = taut_world_create(&def, NULL), .model = {level_model(true, below), level_model(false, above)}};
    assert_non_null(p.world);
    p.below = add_at(p.world, p.model[0], 0, 0, 0);
    p.above = add_at(p.world, p.model[1], 0.01f, 0.02f, 0.01f);
    return p;
}

static void close_pair(pair *p)
{
    taut_world_free(p->world);
    for (int i = 0; i < 2; i++) taut_model_free(p->model[i]);
}

/* Whether the upper sheet still lies on the lower one after half a second. */
static bool lies(const pair *p)
{
    step_times(p->world, 30);
    const float *x = taut_body_positions(p->world, p->above, NULL);
    return x[3 * 60 + 1] > 0;
}

static void expect(taut_contact below, taut_contact above, taut_contact set, bool lying)
{
    pair p = open_pair(below, above);
    assert_true(taut_world_set_contact(p.world, p.above, p.below, set, NULL));
    if (lies(&p) != lying) fail_msg("materials %d and %d, pair %d", (int)below, (int)above, (int)set);
    close_pair(&p);
}

static void a_pair_may_touch_less_than_its_materials(void **state)
{
    (void)state;
    expect(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT, TAUT_CONTACT_OFF, false);
    expect(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT, TAUT_CONTACT_FAST, true);
}

static void a_pair_may_touch_more_than_its_materials(void **state)
{
    (void)state;
    expect(TAUT_CONTACT_OFF, TAUT_CONTACT_OFF, TAUT_CONTACT_STRICT, true);
    expect(TAUT_CONTACT_OFF, TAUT_CONTACT_STRICT, TAUT_CONTACT_FAST, true);
    expect(TAUT_CONTACT_OFF, TAUT_CONTACT_STRICT, TAUT_CONTACT_AUTO, false);
}

/* A folded sheet whose material is off passes through itself, although it touches another body. */
static void a_pair_says_nothing_of_either_body_alone(void **state)
{
    (void)state;
    int pairs[2];
    for (int own = 0; own < 2; own++) {
        pair p = open_pair(TAUT_CONTACT_OFF, own ? TAUT_CONTACT_STRICT : TAUT_CONTACT_OFF);
        assert_true(taut_world_set_contact(p.world, p.above, p.below, TAUT_CONTACT_STRICT, NULL));
        float x[3 * 121];
        memcpy(x, taut_body_positions(p.world, p.above, NULL), sizeof x);
        for (int i = 0; i < 121; i++) x[3 * i + 1] += 1 + (x[3 * i] > 0 ? 0.003f : 0), x[3 * i] = -fabsf(x[3 * i]);
        assert_true(taut_body_set_positions(p.world, p.above, x, NULL));
        taut_world_step(p.world, 1.0f / 60);
        pairs[own] = taut_world_stats(p.world).contact_pairs;
        close_pair(&p);
    }
    assert_int_equal(pairs[0], 0);
    assert_true(pairs[1] > 0);
}

static void auto_goes_back_to_the_materials(void **state)
{
    (void)state;
    pair p = open_pair(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT);
    assert_true(taut_world_set_contact(p.world, p.below, p.above, TAUT_CONTACT_OFF, NULL));
    assert_true(taut_world_set_contact(p.world, p.above, p.below, TAUT_CONTACT_AUTO, NULL));
    assert_true(lies(&p));
    close_pair(&p);
}

static void filters_come_first(void **state)
{
    (void)state;
    pair p = open_pair(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT);
    assert_true(taut_world_set_contact(p.world, p.below, p.above, TAUT_CONTACT_STRICT, NULL));
    assert_true(taut_body_set_filter(p.world, p.above, 2, 2, NULL));
    assert_false(lies(&p));
    close_pair(&p);
}

/* The body that takes the slot of one that was removed does not inherit its pairs. */
static void a_removed_body_takes_its_pairs_along(void **state)
{
    (void)state;
    pair p = open_pair(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT);
    assert_true(taut_world_set_contact(p.world, p.below, p.above, TAUT_CONTACT_OFF, NULL));
    taut_world_remove_body(p.world, p.above);
    p.above = add_at(p.world, p.model[1], 0.01f, 0.02f, 0.01f);
    assert_true(lies(&p));
    close_pair(&p);
}

static void a_save_keeps_pairs(void **state)
{
    (void)state;
    pair p = open_pair(TAUT_CONTACT_OFF, TAUT_CONTACT_STRICT), other = open_pair(TAUT_CONTACT_OFF, TAUT_CONTACT_STRICT);
    const taut_model *models[] = {p.model[0], p.model[1]};
    int third = add_at(p.world, p.model[1], 0, 1, 0);
    assert_true(taut_world_set_contact(p.world, p.below, p.above, TAUT_CONTACT_STRICT, NULL));
    assert_true(taut_world_set_contact(p.world, third, p.below, TAUT_CONTACT_FAST, NULL));
    assert_true(taut_world_set_contact(other.world, other.below, other.above, TAUT_CONTACT_OFF, NULL));
    step_times(p.world, 10);
    size_t size = taut_world_save(p.world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    taut_world_save(p.world, bytes, size);
    taut_error error;
    assert_true(taut_world_restore(other.world, bytes, size, models, 2, &error));
    step_times(p.world, 20);
    step_times(other.world, 20);
    assert_true(taut_world_hash(p.world) == taut_world_hash(other.world));
    assert_true(taut_body_positions(other.world, p.above, NULL)[3 * 60 + 1] > 0);
    free(bytes);
    close_pair(&other);
    close_pair(&p);
}

static void what_is_no_pair_is_refused(void **state)
{
    (void)state;
    pair p = open_pair(TAUT_CONTACT_STRICT, TAUT_CONTACT_STRICT);
    taut_error error = stale();
    assert_false(taut_world_set_contact(p.world, p.below, 77, TAUT_CONTACT_OFF, &error));
    assert_string_equal(error.text, "there is no body 77; it may have been removed");
    assert_false(taut_world_set_contact(p.world, p.below, p.below, TAUT_CONTACT_OFF, &error));
    assert_string_equal(error.text, "body 0 touches itself as its material says");
    assert_false(taut_world_set_contact(p.world, p.below, p.above, (taut_contact)4, &error));
    assert_string_equal(error.text, "there is no contact 4");
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_may_touch_less_than_its_materials),
        cmocka_unit_test(a_pair_may_touch_more_than_its_materials),
        cmocka_unit_test(a_pair_says_nothing_of_either_body_alone),
        cmocka_unit_test(auto_goes_back_to_the_materials),
        cmocka_unit_test(filters_come_first),
        cmocka_unit_test(a_removed_body_takes_its_pairs_along),
        cmocka_unit_test(a_save_keeps_pairs),
        cmocka_unit_test(what_is_no_pair_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
