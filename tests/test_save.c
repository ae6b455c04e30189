/* Saving and restoring: a restored world goes on bit by bit as the saved one. Bytes that are not a complete save are
 * refused and do not change the world. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_save.h"
#include "helpers_world.h"

/* ---- A world with a bit of everything ---- */

enum { MODELS = 4 };

typedef struct show {
    taut_model *model[MODELS];
    taut_world *world;
    int cloth, beam, chain, floor, ball;
} show;

static taut_world *world_of(int threads, const taut_allocator *allocator)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    def.substeps = 3;
    def.allocator = allocator;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static void build_models(show *s)
{
    taut_material cloth = physical_cloth(), rope = rope_material();
    cloth.damping = all_dampings();
    s->model[0] = sheet_model(8, &cloth);
    s->model[1] = beam_model(3, 1, 1, NULL);
    s->model[2] = chain_model(9, 1, &rope);
    s->model[3] = sheet_model(5, NULL);
}

/* Sets hard, soft and moving pins, a moving collider, changed materials and masses, free slots, and other settings. */
static void set_the_stage(show *s)
{
    taut_world *w = s->world;
    const float above[3] = {0.1f, 0.2f, 0.3f}, aside[3] = {0.4f, -0.2f, 0};
    const float wind[3] = {1, 2, 3}, moon[3] = {0, -1.6f, 0};
    int gone = add_at(w, s->model[3], 9, 9, 9);
    s->cloth = add_at(w, s->model[0], 0, 0, 0);
    int gone_too = add_at(w, s->model[2], 9, 9, 9);
    s->beam = add_at(w, s->model[1], 0, 0.5f, 1);
    s->chain = add_at(w, s->model[2], 1, 0, 1);
    add_at(w, s->model[3], 2, 0, 0);
    int wall = add_floor(w, -100);
    s->floor = add_floor(w, -0.4f);
    s->ball = add_ball(w, 0, -0.5f, 0.1f, 0.2f);
    step_times(w, 4);
    taut_world_remove_body(w, gone);
    taut_world_remove_body(w, gone_too);
    taut_world_remove_collider(w, wall);
    taut_material m = *taut_body_material(w, s->cloth);
    m.strain.xx = 900;
    m.friction = 0.2f;
    assert_true(taut_body_set_material(w, s->cloth, &m, NULL));
    assert_true(taut_body_set_mass(w, s->cloth, 20, 0.3f, NULL));
    assert_true(taut_body_set_mass(w, s->cloth, 0, 0.4f, NULL)); /* the vertex is pinned: counts once it is let go */
    assert_true(taut_body_pin(w, s->cloth, 0, above, 1, NULL));
    assert_true(taut_body_pin(w, s->cloth, 60, aside, 0.3f, NULL));
    assert_true(taut_body_pin(w, s->chain, 4, NULL, 0.7f, NULL));
    assert_true(taut_body_pin(w, s->beam, 2, NULL, 1, NULL));
    assert_true(taut_body_unpin(w, s->cloth, 7, NULL));
    assert_true(taut_world_set_wind(w, wind, 1.1f, NULL) && taut_world_set_gravity(w, moon, NULL));
    assert_true(taut_world_set_solver(w, 4, 2, NULL));
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.25f;
    ball.a[1] = -0.45f;
    ball.spin[2] = 2;
    assert_true(taut_collider_move(w, s->ball, &ball, NULL)); /* saved before the step that moves it */
}

static int open_show(void **state)
{
    show *s = calloc(1, sizeof *s);
    build_models(s);
    s->world = world_of(1, NULL);
    set_the_stage(s);
    *state = s;
    return 0;
}

static int close_show(void **state)
{
    show *s = *state;
    taut_world_free(s->world);
    for (int i = 0; i < MODELS; i++) taut_model_free(s->model[i]);
    free(s);
    return 0;
}

static const taut_model *const *models_of(const show *s) { return (const taut_model *const *)s->model; }

static bool restore(taut_world *world, const show *s, const save *from, taut_error *error)
{
    return taut_world_restore(world, from->bytes, from->size, models_of(s), MODELS, error);
}

static void expect_same_future(taut_world *a, taut_world *b)
{
    assert_true(taut_world_hash(a) == taut_world_hash(b));
    for (int i = 0; i < 12; i++) {
        step_times(a, 1);
        step_times(b, 1);
        assert_true(taut_world_hash(a) == taut_world_hash(b));
    }
}

/* ---- Good saves ---- */

static void a_restored_world_goes_on_the_same(void **state)
{
    show *s = *state;
    static const int threads[] = {1, 2, 5};
    save before = take_save(s->world);
    for (int i = 0; i < LENGTH(threads); i++) {
        taut_error error = stale();
        taut_world *original = world_of(1, NULL), *fresh = world_of(threads[i], NULL);
        assert_true(restore(original, s, &before, NULL));
        assert_true(restore(fresh, s, &before, &error));
        assert_int_equal(error.code, TAUT_OK);
        if (i == 0) expect_same_future(s->world, fresh);
        else expect_same_future(original, fresh);
        taut_world_free(original);
        taut_world_free(fresh);
    }
    free(before.bytes);
}

static void going_back_in_time(void **state)
{
    show *s = *state;
    save before = take_save(s->world);
    uint64_t then = taut_world_hash(s->world), later[6];
    for (int i = 0; i < LENGTH(later); i++) {
        step_times(s->world, 1);
        later[i] = taut_world_hash(s->world);
    }
    add_at(s->world, s->model[0], 5, 5, 5); /* bodies and colliders added since are gone again */
    add_floor(s->world, 3);
    for (int round = 0; round < 3; round++) {
        assert_true(restore(s->world, s, &before, NULL));
        assert_true(taut_world_hash(s->world) == then);
        for (int i = 0; i < LENGTH(later); i++) {
            step_times(s->world, 1);
            assert_true(taut_world_hash(s->world) == later[i]);
        }
    }
    free(before.bytes);
}

static void everything_is_put_back(void **state)
{
    show *s = *state;
    save before = take_save(s->world);
    taut_world *fresh = world_of(2, NULL);
    assert_true(restore(fresh, s, &before, NULL));
    taut_stats a = taut_world_stats(s->world), b = taut_world_stats(fresh);
    assert_int_equal(a.bodies, b.bodies);
    assert_int_equal(a.colliders, b.colliders);
    assert_int_equal(a.particles, b.particles);
    assert_int_equal(a.steps, b.steps);
    assert_true(a.seconds == b.seconds && a.steps == 4);
    assert_true(taut_body_material(fresh, s->cloth)->strain.xx == 900);
    for (int body = 0; body < 6; body++)
        assert_true(taut_world_has_body(fresh, body) == taut_world_has_body(s->world, body));
    for (int body = 0; body < 6; body++) {
        int n;
        if (!taut_world_has_body(fresh, body)) continue;
        const float *x = taut_body_positions(fresh, body, &n), *v = taut_body_velocities(fresh, body, NULL);
        assert_memory_equal(x, taut_body_positions(s->world, body, NULL), 3 * (size_t)n * sizeof *x);
        assert_memory_equal(v, taut_body_velocities(s->world, body, NULL), 3 * (size_t)n * sizeof *v);
    }
    assert_int_equal(add_at(s->world, s->model[1], 0, 0, 0), add_at(fresh, s->model[1], 0, 0, 0)); /* free slots */
    assert_int_equal(add_floor(s->world, -3), add_floor(fresh, -3));
    expect_same_future(s->world, fresh);
    taut_world_free(fresh);
    free(before.bytes);
}

/* Before its next step, a restored world gives the same answers as the saved one. */
static void a_restored_world_looks_the_same(void **state)
{
    show *s = *state;
    step_times(s->world, 1);
    save before = take_save(s->world);
    taut_world *fresh = world_of(1, NULL);
    assert_true(restore(fresh, s, &before, NULL));
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        taut_residual a = taut_world_residual(s->world, kind), b = taut_world_residual(fresh, kind);
        assert_int_equal(a.constraints, b.constraints);
        if (a.rms != b.rms || a.max != b.max)
            fail_msg("residual of %s: rms %g became %g", taut_kind_name(kind), a.rms, b.rms);
    }
    assert_true(taut_body_worst_stretch(s->world, s->cloth) == taut_body_worst_stretch(fresh, s->cloth));
    taut_world_free(fresh);
    free(before.bytes);
}

/* Changes after a restore act on the restored world as on the saved one. */
static void pins_can_be_let_go_after(void **state)
{
    show *s = *state;
    save before = take_save(s->world);
    taut_world *fresh = world_of(1, NULL);
    assert_true(restore(fresh, s, &before, NULL));
    taut_world *both[2] = {s->world, fresh};
    for (int i = 0; i < 2; i++) {
        const float target[3] = {0, 1, 0};
        assert_true(taut_body_unpin(both[i], s->cloth, 0, NULL) && taut_body_unpin(both[i], s->cloth, 60, NULL));
        assert_true(taut_body_pin(both[i], s->chain, 4, target, 0.7f, NULL));
        assert_true(taut_body_unpin(both[i], s->beam, 2, NULL));
    }
    expect_same_future(s->world, fresh);
    taut_world_free(fresh);
    free(before.bytes);
}

static void an_empty_world_can_be_saved(void **state)
{
    show *s = *state;
    taut_world *empty = world_of(1, NULL);
    save nothing = take_save(empty);
    assert_true(taut_world_restore(s->world, nothing.bytes, nothing.size, NULL, 0, NULL));
    assert_int_equal(taut_world_stats(s->world).bodies, 0);
    assert_int_equal(taut_world_stats(s->world).colliders, 0);
    expect_same_future(s->world, empty);
    taut_world_free(empty);
    free(nothing.bytes);
}

static void models_in_any_order(void **state)
{
    show *s = *state;
    save before = take_save(s->world);
    const taut_model *others[MODELS + 1];
    taut_model *stranger = chain_model(3, 1, NULL);
    for (int i = 0; i < MODELS; i++) others[i] = s->model[MODELS - 1 - i];
    others[MODELS] = stranger;
    taut_world *fresh = world_of(1, NULL);
    assert_true(taut_world_restore(fresh, before.bytes, before.size, others, MODELS + 1, NULL));
    expect_same_future(s->world, fresh);
    taut_world_free(fresh);
    taut_model_free(stranger);
    free(before.bytes);
}

static void saving_twice_gives_the_same_bytes(void **state)
{
    show *s = *state;
    save first = take_save(s->world), second = take_save(s->world);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    free(first.bytes);
    free(second.bytes);
}

static void a_small_buffer_is_left_alone(void **state)
{
    show *s = *state;
    size_t size = taut_world_save(s->world, NULL, 0);
    unsigned char *bytes = malloc(size + 1), *untouched = malloc(size + 1);
    memset(bytes, 0x77, size + 1);
    memset(untouched, 0x77, size + 1);
    const size_t small[] = {0, 1, 8, size / 2, size - 1};
    for (int i = 0; i < LENGTH(small); i++) {
        assert_int_equal(taut_world_save(s->world, bytes, small[i]), size);
        assert_memory_equal(bytes, untouched, size + 1);
    }
    assert_int_equal(taut_world_save(s->world, NULL, size), size);
    assert_int_equal(taut_world_save(s->world, bytes, size + 1), size);
    assert_int_equal(bytes[size], 0x77); /* no byte past the size is written */
    assert_true(memcmp(bytes, untouched, size) != 0);
    free(bytes);
    free(untouched);
}

/* ---- Bad saves ---- */

/* A world with a heap that counts, into which bad bytes are restored. */
typedef struct victim {
    heap heap;
    taut_world *world;
    uint64_t hash;
} victim;

static void open_victim(victim *v, const show *s)
{
    heap_open(&v->heap);
    v->world = world_of(2, &v->heap.hook);
    add_at(v->world, s->model[1], 0, 0.5f, 0);
    add_floor(v->world, 0);
    step_times(v->world, 5);
    v->hash = taut_world_hash(v->world);
}

static void expect_survival(const victim *v, int64_t live)
{
    assert_int_equal(v->heap.live, live);
    assert_true(taut_world_hash(v->world) == v->hash);
    assert_int_equal(taut_world_stats(v->world).bodies, 1);
    assert_int_equal(taut_world_stats(v->world).colliders, 1);
}

/* The victim goes on like a world into which nothing was restored. */
static void close_victim(victim *v, const show *s)
{
    victim calm;
    open_victim(&calm, s);
    expect_same_future(calm.world, v->world);
    taut_world_free(calm.world);
    taut_world_free(v->world);
    assert_int_equal(v->heap.live, 0);
}

static void refuse(victim *v, const show *s, const unsigned char *bytes, size_t size)
{
    taut_error error = stale();
    int64_t live = v->heap.live;
    assert_false(taut_world_restore(v->world, bytes, size, models_of(s), MODELS, &error));
    assert_int_equal(error.code, TAUT_BAD_SAVE);
    assert_true(strlen(error.text) > 10 && !strchr(error.text, '\n'));
    assert_false(taut_world_restore(v->world, bytes, size, models_of(s), MODELS, NULL));
    expect_survival(v, live);
}

static void a_flipped_bit_is_noticed(void **state)
{
    show *s = *state;
    victim v;
    save good = take_save(s->world);
    uint64_t random = 88172645463325252u;
    open_victim(&v, s);
    for (int i = 0; i < 400; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17; /* xorshift64 */
        size_t at = i < 100 ? (size_t)i : i < 120 ? good.size - (size_t)(i - 99) : (size_t)(random % good.size);
        unsigned char bit = (unsigned char)(1u << (random >> 61));
        good.bytes[at] ^= bit;
        refuse(&v, s, good.bytes, good.size);
        good.bytes[at] ^= bit;
    }
    close_victim(&v, s);
    free(good.bytes);
}

static void a_cut_save_is_noticed(void **state)
{
    show *s = *state;
    victim v;
    taut_world *small = world_of(1, NULL);
    add_at(small, s->model[2], 0, 0, 0);
    add_floor(small, 0);
    save whole = take_save(small);
    open_victim(&v, s);
    for (size_t size = 0; size < whole.size; size++) {
        unsigned char *part = malloc(size ? size : 1); /* of exactly that size, so that reading past it shows */
        memcpy(part, whole.bytes, size);
        refuse(&v, s, part, size);
        free(part);
    }
    unsigned char *longer = calloc(whole.size + 8, 1);
    memcpy(longer, whole.bytes, whole.size);
    refuse(&v, s, longer, whole.size + 1);
    refuse(&v, s, longer, whole.size + 8);
    refuse(&v, s, NULL, 0);
    free(longer);
    close_victim(&v, s);
    taut_world_free(small);
    free(whole.bytes);
}

static void other_bytes_are_no_save(void **state)
{
    show *s = *state;
    victim v;
    taut_error error = stale();
    unsigned char zeros[4096] = {0};
    save good = take_save(s->world);
    open_victim(&v, s);
    refuse(&v, s, zeros, sizeof zeros);
    refuse(&v, s, (const unsigned char *)"TAUTsv0 and then something else altogether", 42);
    good.bytes[0] ^= 0xff;
    assert_false(restore(v.world, s, &good, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, -1, "these bytes are not a saved world"});
    good.bytes[0] ^= 0xff;
    good.bytes[good.size / 2] ^= 1;
    assert_false(restore(v.world, s, &good, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, -1, "the save is cut short or damaged: its checksum does not match"});
    assert_false(taut_world_restore(v.world, good.bytes, 14, models_of(s), MODELS, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, -1, "the save is cut short"});
    close_victim(&v, s);
    free(good.bytes);
}

/* The format number follows the eight letters. */
static void another_format_is_named(void **state)
{
    show *s = *state;
    victim v;
    taut_error error = stale();
    save good = take_save(s->world);
    open_victim(&v, s);
    int own = good.bytes[8];
    good.bytes[8] = 2;
    assert_false(restore(v.world, s, &good, &error));
    char text[100];
    snprintf(text, sizeof text, "the save has format 2, this version of taut reads format %d", own);
    expect_error(&error, (wanted){TAUT_BAD_SAVE, -1, text});
    close_victim(&v, s);
    free(good.bytes);
}

/* A restore uses a body of the same model again if it is there. It takes only lists of slots, and gives them back. */
static void a_restore_uses_bodies_again(void **state)
{
    show *s = *state;
    heap counted;
    heap_open(&counted);
    taut_world *world = world_of(2, &counted.hook);
    save before = take_save(s->world);
    assert_true(restore(world, s, &before, NULL));
    const float *kept = taut_body_positions(world, s->cloth, NULL);
    step_times(world, 3); /* the first step takes what its colliders need */
    int64_t made = counted.made, live = counted.live;
    assert_true(restore(world, s, &before, NULL));
    assert_ptr_equal(taut_body_positions(world, s->cloth, NULL), kept);
    assert_true(counted.made - made <= 7); /* scratch: slots and items of three lists, and models */
    assert_int_equal(counted.live, live);
    expect_same_future(s->world, world);
    taut_world_free(world);
    assert_int_equal(counted.live, 0);
    free(before.bytes);
}

static void a_missing_model_is_named(void **state)
{
    show *s = *state;
    victim v;
    taut_error error = stale();
    save good = take_save(s->world);
    open_victim(&v, s);
    int64_t live = v.heap.live;
    const taut_model *without_beam[] = {s->model[0], s->model[2], s->model[3]};
    assert_false(taut_world_restore(v.world, good.bytes, good.size, without_beam, 3, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, 3, "body 3: its model is not among those given"});
    expect_survival(&v, live);
    assert_false(taut_world_restore(v.world, good.bytes, good.size, NULL, 0, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, 1, "body 1: its model is not among those given"});
    expect_survival(&v, live);
    close_victim(&v, s);
    free(good.bytes);
}

/* A model of the same shape but other units is another model: a body of one cannot run on the other. Lines of one metre
 * have the same rest data in both. */
static void a_model_of_other_units_is_another(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_material ratio = rope_material(), physical;
    ratio.bend.model = TAUT_BEND_NONE;
    ratio.tether = 0;
    physical = ratio;
    physical.units = TAUT_PHYSICAL;
    taut_model *a = chain_model(4, 3, &ratio), *b = chain_model(4, 3, &physical);
    assert_true(taut_model_hash(a) != taut_model_hash(b));
    taut_world *world = world_of(1, NULL), *other = world_of(1, NULL);
    add_at(world, b, 0, 0, 0);
    save good = take_save(world);
    const taut_model *models[] = {a};
    assert_false(taut_world_restore(other, good.bytes, good.size, models, 1, &error));
    expect_error(&error, (wanted){TAUT_BAD_SAVE, 0, "body 0: its model is not among those given"});
    taut_world_free(world);
    taut_world_free(other);
    taut_model_free(a);
    taut_model_free(b);
    free(good.bytes);
}

static void every_allocation_of_a_restore_may_fail(void **state)
{
    show *s = *state;
    victim v;
    for (int i = 0; i < 20; i++) { /* more than the victim's lists have room for */
        add_at(s->world, s->model[i % MODELS], (float)i, 3, 0);
        add_floor(s->world, -10 - (float)i);
    }
    save good = take_save(s->world);
    open_victim(&v, s);
    int64_t n = 1;
    for (;; n++) {
        taut_error error = stale();
        heap_fail(&v.heap, n);
        bool restored = restore(v.world, s, &good, &error);
        heap_fail(&v.heap, 0);
        if (restored) break;
        expect_error(&error, (wanted){TAUT_NO_MEMORY, -1, "out of memory"});
        assert_true(taut_world_hash(v.world) == v.hash);
        assert_int_equal(taut_world_stats(v.world).bodies, 1);
        assert_int_equal(taut_world_stats(v.world).colliders, 1);
        if (n % 16 == 0) { /* it still runs */
            step_times(v.world, 1);
            v.hash = taut_world_hash(v.world);
        }
    }
    assert_true(n > 100);
    expect_same_future(s->world, v.world);
    taut_world_free(v.world);
    assert_int_equal(v.heap.live, 0);
    free(good.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_restored_world_goes_on_the_same, open_show, close_show),
        cmocka_unit_test_setup_teardown(going_back_in_time, open_show, close_show),
        cmocka_unit_test_setup_teardown(everything_is_put_back, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_restored_world_looks_the_same, open_show, close_show),
        cmocka_unit_test_setup_teardown(pins_can_be_let_go_after, open_show, close_show),
        cmocka_unit_test_setup_teardown(an_empty_world_can_be_saved, open_show, close_show),
        cmocka_unit_test_setup_teardown(models_in_any_order, open_show, close_show),
        cmocka_unit_test_setup_teardown(saving_twice_gives_the_same_bytes, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_small_buffer_is_left_alone, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_flipped_bit_is_noticed, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_cut_save_is_noticed, open_show, close_show),
        cmocka_unit_test_setup_teardown(other_bytes_are_no_save, open_show, close_show),
        cmocka_unit_test_setup_teardown(another_format_is_named, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_restore_uses_bodies_again, open_show, close_show),
        cmocka_unit_test_setup_teardown(a_missing_model_is_named, open_show, close_show),
        cmocka_unit_test(a_model_of_other_units_is_another),
        cmocka_unit_test_setup_teardown(every_allocation_of_a_restore_may_fail, open_show, close_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
