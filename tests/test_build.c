/* Building a model on several threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "taut.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A sheet that is large enough for several threads. */
static taut_mesh hilly_sheet(void)
{
    enum { SIDE = 84 };
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, SIDE, SIDE, 1, 1, 0.4f, 5, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, SIDE - 1, NULL));
    for (int v = 0; v < mesh.nvertices; v++)
        mesh.x[3 * v + 2] = 0.05f * (float)(sin(20 * (double)mesh.x[3 * v]) * cos(15 * (double)mesh.x[3 * v + 1]));
    return mesh;
}

static uint64_t hash_with(const taut_mesh *mesh, const taut_material *material, int threads)
{
    taut_model_options options = taut_default_model_options();
    options.threads = threads;
    taut_model *model = taut_model_build(mesh, material, &options, NULL);
    assert_non_null(model);
    uint64_t hash = taut_model_hash(model);
    taut_model_free(model);
    return hash;
}

static void assert_same_model(taut_mesh *mesh, const taut_material *material)
{
    uint64_t alone = hash_with(mesh, material, 1);
    for (int threads = 2; threads <= 5; threads += 3) assert_true(hash_with(mesh, material, threads) == alone);
    taut_mesh_free(mesh);
}

static void any_number_of_threads_builds_the_same_model(void **state)
{
    (void)state;
    taut_material material = taut_default_material();
    taut_mesh mesh = hilly_sheet(); /* on hills links need searches too */
    assert_same_model(&mesh, &material);
    assert_true(taut_mesh_chain(&mesh, 9000, 9, NULL));
    material.edge = 1;
    assert_same_model(&mesh, &material);
    assert_true(taut_mesh_beam(&mesh, 60, 12, 12, 5, 1, 1, NULL));
    material.limit.stretch[0] = 0.9f, material.limit.stretch[1] = 1.1f;
    assert_same_model(&mesh, &material);
}

static void threads_out_of_range_are_refused(void **state)
{
    (void)state;
    taut_mesh mesh = hilly_sheet();
    taut_model_options options = taut_default_model_options();
    taut_error error;
    for (int i = 0; i < 2; i++) {
        options.threads = i == 0 ? -1 : TAUT_MOST_THREADS + 1;
        assert_null(taut_model_build(&mesh, NULL, &options, &error));
        assert_int_equal(error.code, TAUT_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "options.threads"));
    }
    taut_mesh_free(&mesh);
}

typedef struct report {
    int calls;
    float last;
} report;

static void note(float done, void *user)
{
    report *r = user;
    assert_true(done >= r->last && done <= 1);
    r->last = done;
    r->calls++;
}

static void progress_goes_up_to_1(void **state)
{
    (void)state;
    taut_mesh mesh = hilly_sheet();
    report r = {0, 0};
    taut_model_options options = taut_default_model_options();
    options.progress = note;
    options.progress_user = &r;
    taut_model *model = taut_model_build(&mesh, NULL, &options, NULL);
    assert_non_null(model);
    assert_true(r.calls >= 4);
    assert_true(r.last == 1);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

/* An allocator that counts, fails after a while, and notices two callers at the same time. */
typedef struct ledger {
    atomic_int inside, clashes;
    int left, live;
} ledger;

static void enter(ledger *l)
{
    if (atomic_fetch_add(&l->inside, 1) > 0) atomic_fetch_add(&l->clashes, 1);
}

static void *allocate(size_t size, size_t alignment, void *user)
{
    ledger *l = user;
    enter(l);
    void *memory = l->left-- > 0 ? aligned_alloc(alignment, size) : NULL;
    if (memory) l->live++;
    atomic_fetch_sub(&l->inside, 1);
    return memory;
}

static void release(void *memory, void *user)
{
    ledger *l = user;
    enter(l);
    if (memory) l->live--;
    free(memory);
    atomic_fetch_sub(&l->inside, 1);
}

/* Returns how many allocations were left, -1 when they were not enough. */
static int build_with(const taut_mesh *mesh, int allocations)
{
    ledger l = {.left = allocations};
    taut_allocator allocator = {allocate, release, &l};
    taut_model_options options = taut_default_model_options();
    options.threads = 3;
    options.allocator = &allocator;
    taut_error error;
    taut_model *model = taut_model_build(mesh, NULL, &options, &error);
    if (!model) assert_int_equal(error.code, TAUT_NO_MEMORY);
    assert_true(model || l.live == 0);
    taut_model_free(model);
    assert_int_equal(l.live, 0);
    assert_int_equal(atomic_load(&l.clashes), 0);
    return model ? l.left : -1;
}

static void allocations_take_turns_and_may_fail(void **state)
{
    (void)state;
    enum { PLENTY = 1000000 };
    taut_mesh mesh = hilly_sheet();
    int needed = PLENTY - build_with(&mesh, PLENTY);
    assert_true(needed > 100 && needed < PLENTY);
    for (int n = 3; n < needed - 10; n += needed / 12) assert_int_equal(build_with(&mesh, n), -1);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_builds_the_same_model),
        cmocka_unit_test(threads_out_of_range_are_refused),
        cmocka_unit_test(progress_goes_up_to_1),
        cmocka_unit_test(allocations_take_turns_and_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
