/* The results of training: the same for any number of threads and interruptions, saved and loaded, refused for other
 * models. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_world.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    taut_mesh mesh;
    taut_material material;
    taut_model_options options;
    taut_train_def def;
} subject;

enum {
    SMALL = 9,                        /* vertices per side for one coarser level */
    LARGER = SLOW_BUILD ? SMALL : 16  /* for two                               */
};

static subject cloth(int n)
{
    subject s = {hanging_sheet(n), taut_default_material(), taut_default_model_options(), taut_default_train_def()};
    s.material.limit.stretch[0] = 0.95f, s.material.limit.stretch[1] = 1.02f;
    s.material.limit.bend[0] = -3, s.material.limit.bend[1] = 4;
    s.options.levels = 2;
    s.def.threads = 1;
    return s;
}

static taut_training *train(const subject *s)
{
    taut_error error = stale();
    taut_training *training = taut_train(&s->mesh, &s->material, &s->options, &s->def, &error);
    if (!training) fail_msg("%s", error.text);
    assert_int_equal(error.code, TAUT_OK);
    return training;
}

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes save(const taut_training *training)
{
    bytes b = {.size = taut_training_save(training, NULL, 0)};
    b.data = malloc(b.size);
    assert_non_null(b.data);
    assert_int_equal(taut_training_save(training, b.data, b.size - 1), b.size); /* too small: nothing is written */
    assert_int_equal(taut_training_save(training, b.data, b.size), b.size);
    return b;
}

static taut_training *load(bytes b)
{
    taut_error error = stale();
    taut_training *training = taut_training_load(b.data, b.size, NULL, &error);
    if (!training) fail_msg("%s", error.text);
    assert_int_equal(error.code, TAUT_OK);
    return training;
}

static bytes trained(const subject *s)
{
    taut_training *training = train(s);
    bytes b = save(training);
    taut_training_free(training);
    return b;
}

static void expect_same(bytes a, bytes b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = {2, 3, 8};
    subject s = cloth(SMALL);
    for (int way = TAUT_TRAIN_DIRECT; way <= TAUT_TRAIN_INDIRECT; way++) {
        s.def.way = (taut_train_way)way;
        s.def.threads = 1;
        bytes one = trained(&s);
        for (int i = 0; i < LENGTH(threads); i++) {
            s.def.threads = threads[i];
            bytes more = trained(&s);
            expect_same(one, more);
            free(more.data);
        }
        free(one.data);
    }
    taut_mesh_free(&s.mesh);
}

/* Stops after some calls. */
static bool count_down(const taut_training *so_far, void *user)
{
    int *left = user;
    taut_training_state at = taut_training_state_of(so_far);
    assert_true(at.done > 0 && at.done <= at.total);
    return --*left > 0;
}

/* After each interruption the training is saved, freed and loaded again. */
static void interruptions_change_nothing(void **state)
{
    (void)state;
    subject s = cloth(LARGER);
    s.def.way = TAUT_TRAIN_INDIRECT;
    bytes whole = trained(&s);
    s.def.progress = count_down;
    taut_training_state at = {.total = 1};
    taut_training *so_far = NULL;
    int parts = 0;
    for (; at.done < at.total; parts++) {
        int left = 1;
        s.def.user = &left;
        s.def.resume = so_far;
        s.def.threads = 1 + parts % 2;
        taut_training *next = train(&s);
        bytes b = save(next);
        taut_training_free(so_far);
        taut_training_free(next);
        so_far = load(b);
        free(b.data);
        at = taut_training_state_of(so_far);
    }
    assert_true(parts >= 3);
    bytes end = save(so_far);
    expect_same(whole, end);
    taut_training_free(so_far);
    free(whole.data);
    free(end.data);
    taut_mesh_free(&s.mesh);
}

/* ---- Use ---- */

static int count_of(const taut_model *model, const char *kind)
{
    return taut_model_constraints(model, taut_kind_find(kind));
}

/* Every level gets limits for each triangle: the particles stay the same, but the limits are its own. */
static void models_have_the_trained_limits(void **state)
{
    (void)state;
    subject s = cloth(LARGER);
    s.def.threads = 2;
    s.def.way = TAUT_TRAIN_INDIRECT;
    taut_training *training = train(&s);
    taut_model *plain = taut_model_build(&s.mesh, &s.material, &s.options, NULL);
    s.options.training = training;
    taut_model *model = taut_model_build(&s.mesh, &s.material, &s.options, NULL);
    assert_true(plain && model && taut_model_hash(plain) != taut_model_hash(model));
    int levels = 0;
    taut_training_level summary;
    for (const taut_model *level = model->coarser; level; level = level->coarser) {
        assert_true(taut_training_level_of(training, ++levels, &summary));
        assert_int_equal(count_of(level, "limit_tri"), summary.triangles);
        assert_in_range(count_of(level, "limit_bend"), summary.triangles / 3, summary.triangles);
        assert_true(level->material.limit.stretch[0] == 0.95f && level->material.limit.bend[1] == 4);
        assert_true(summary.low[2] < 0.95f && summary.high[0] > 1.02f); /* coarse triangles may do more */
    }
    assert_int_equal(levels, taut_training_state_of(training).levels);
    assert_int_equal(levels, LARGER == SMALL ? 1 : 2);
    assert_false(taut_training_level_of(training, 0, &summary) || taut_training_level_of(training, 3, &summary));
    taut_world *world = plain_world(2, 2);
    taut_error error;
    int body = taut_world_add_body(world, model, NULL, &error);
    s.material.limit.bend[1] = 3;
    assert_true(taut_body_set_material(world, body, &s.material, &error));
    for (int i = 0; i < 30; i++) taut_world_step(world, 1.0f / 60);
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
    taut_model_free(plain);
    taut_training_free(training);
    taut_mesh_free(&s.mesh);
}

/* ---- Refusals ---- */

static void expect_refused(const subject *s, taut_code code, const char *text)
{
    taut_error error = stale();
    assert_null(taut_train(&s->mesh, &s->material, &s->options, &s->def, &error));
    expect_error(&error, (wanted){code, -1, text});
}

static void what_cannot_be_trained_is_refused(void **state)
{
    (void)state;
    subject good = cloth(SMALL), s = good;
    s.def.cookie = 0;
    expect_refused(&s, TAUT_BAD_ARGUMENT, "the definition does not come from taut_default_train_def()");
    s = good, s.def.threads = -1;
    expect_refused(&s, TAUT_BAD_ARGUMENT, "threads must be in [0,256], got -1");
    s = good, s.def.way = (taut_train_way)2;
    expect_refused(&s, TAUT_BAD_ARGUMENT, "way is 2, which is none");
    s = good, s.options.levels = 0;
    expect_refused(&s, TAUT_BAD_ARGUMENT,
                   "there is nothing to train: no levels are asked for, or the mesh is too small to have any");
    s = good, s.material.limit.stretch[0] = 0;
    expect_refused(&s, TAUT_BAD_MATERIAL,
                   "there is nothing to train: the material needs a least and a largest stretch in its limits");
    s = good, s.material.limit.bend[0] = -INFINITY, s.material.limit.bend[1] = INFINITY;
    expect_refused(&s, TAUT_BAD_MATERIAL, "there is nothing to train: the material does not limit bending");
    s = good, s.material.limit.bend[0] = 0;
    expect_refused(&s, TAUT_BAD_MATERIAL, "limits of bending that are 0 cannot be trained: use small ones");
    taut_mesh_free(&good.mesh);
}

static void expect_no_model(const subject *s, const char *text)
{
    taut_error error = stale();
    assert_null(taut_model_build(&s->mesh, &s->material, &s->options, &error));
    expect_error(&error, (wanted){TAUT_BAD_TRAINING, -1, text});
}

static void a_training_of_something_else_is_refused(void **state)
{
    (void)state;
    subject good = cloth(SMALL), s;
    taut_training *training = train(&good);
    good.options.training = training;
    taut_model *model = taut_model_build(&good.mesh, &good.material, &good.options, NULL);
    assert_non_null(model);
    taut_model_free(model);
    s = good, s.material.limit.bend[1] = 3.5f;
    expect_no_model(&s, "the limits were trained for other limits: train again");
    s = good, s.options.levels = 1;
    expect_no_model(&s, "the limits were trained for another number of levels: train again");
    s = good, s.mesh = hanging_sheet(SMALL), s.mesh.x[5] += 1e-3f;
    expect_no_model(&s, "the limits were trained for another mesh, or the same with other pins: train again");
    s.def.resume = training;
    expect_refused(&s, TAUT_BAD_TRAINING,
                   "the training to resume is for another mesh, material or number of levels, or in another way");
    taut_mesh_free(&s.mesh);
    int left = 1;
    s = good, s.def.progress = count_down, s.def.user = &left;
    taut_training *part = train(&s);
    s.options.training = part;
    expect_no_model(&s, "the training is not finished: 8 of 36 triangles and hinges are done");
    taut_training_free(part);
    taut_training_free(training);
    taut_mesh_free(&good.mesh);
}

static void expect_no_training(const unsigned char *data, size_t size, const char *text)
{
    taut_error error = stale();
    assert_null(taut_training_load(data, size, NULL, &error));
    assert_int_equal(error.code, TAUT_BAD_TRAINING);
    if (text) expect_error(&error, (wanted){TAUT_BAD_TRAINING, -1, text});
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    int left = 1;
    subject s = cloth(SMALL);
    s.def.progress = count_down, s.def.user = &left;
    bytes b = trained(&s);
    for (size_t size = 0; size < b.size; size++) {
        unsigned char *copy = malloc(size + 1); /* so that reading past the end is seen */
        memcpy(copy, b.data, size);
        expect_no_training(copy, size, size < 8 ? "these are not trained limits" : NULL);
        free(copy);
    }
    for (size_t i = 0; i < b.size; i++) {
        b.data[i] ^= 0x41;
        expect_no_training(b.data, b.size, i < 8 ? "these are not trained limits" : NULL);
        b.data[i] ^= 0x41;
    }
    b.data[8] = 9;
    expect_no_training(b.data, b.size, "the trained limits have version 9, this library reads 1");
    free(b.data);
    taut_mesh_free(&s.mesh);
}

/* ---- Memory ---- */

static void any_allocation_may_fail(void **state)
{
    (void)state;
    subject s = cloth(SMALL);
    bytes plain = trained(&s);
    for (int64_t n = 1;; n++) {
        heap h;
        taut_error error = stale();
        heap_open(&h);
        heap_fail(&h, n);
        s.options.allocator = &h.hook;
        s.def.threads = 2;
        taut_training *training = taut_train(&s.mesh, &s.material, &s.options, &s.def, &error);
        bool last = training != NULL;
        if (training) {
            bytes b = save(training);
            expect_same(plain, b);
            free(b.data);
            taut_training_free(training);
        } else expect_error(&error, (wanted){TAUT_NO_MEMORY, -1, "out of memory"});
        assert_int_equal(h.live, 0);
        if (last) break;
    }
    heap h;
    taut_error error = stale();
    for (int64_t n = 1; n <= 2; n++) {
        heap_open(&h);
        heap_fail(&h, n);
        assert_null(taut_training_load(plain.data, plain.size, &h.hook, &error));
        expect_error(&error, (wanted){TAUT_NO_MEMORY, -1, "out of memory"});
        assert_int_equal(h.live, 0);
    }
    free(plain.data);
    taut_mesh_free(&s.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(interruptions_change_nothing),
        cmocka_unit_test(models_have_the_trained_limits),
        cmocka_unit_test(what_cannot_be_trained_is_refused),
        cmocka_unit_test(a_training_of_something_else_is_refused),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
