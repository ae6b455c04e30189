/* The same bits for any number of threads, any task system, any instruction set and any other bodies in the world. */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "model/model.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* Two frames go through every stage; more frames show a difference of one bit with more certainty. */
enum { FRAMES = SLOW_BUILD ? 2 : 6, MAX_MODELS = 8, CROWD = 48 };

/* ---- Scenes ---- */

typedef struct cast {
    taut_model *model[MAX_MODELS];
    int count;
} cast;

typedef struct scene {
    const char *name;
    void (*build)(cast *c);                       /* models, shared by all runs */
    void (*fill)(taut_world *world, const cast *c);
    bool large; /* its models have several parts, so that one body occupies many threads */
} scene;

static void build_cloth(cast *c)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.damping = all_dampings();
    m.edge = 0.2f;
    m.strain.area = 0.1f;
    assert_true(taut_mesh_sheet_irregular(&mesh, 60, 50, 1.2f, 1, 0.3f, 7, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 59, NULL));
    c->model[c->count++] = model_of(&mesh, &m);
    m.bend.model = TAUT_BEND_DIHEDRAL;
    c->model[c->count++] = sheet_model(45, &m);
}

static void fill_cloth(taut_world *world, const cast *c)
{
    const float wind[3] = {3, 1, -4};
    add_at(world, c->model[0], 0, 0, 0);
    add_at(world, c->model[1], 2, 0, 0.1f);
    add_ball(world, 0, -0.5f, 0.1f, 0.2f);
    add_floor(world, -0.95f);
    assert_true(taut_world_set_wind(world, wind, 1.2f, NULL));
}

static void build_solids(cast *c)
{
    taut_mesh mesh;
    taut_material m = physical_rubber();
    m.damping = all_dampings();
    c->model[c->count++] = beam_model(60, 5, 5, &m);
    assert_true(taut_mesh_torus(&mesh, 40, 3, 0.5f, 0.15f, NULL));
    m = taut_default_material();
    m.edge = 0.5f;
    c->model[c->count++] = model_of(&mesh, &m);
}

static void fill_solids(taut_world *world, const cast *c)
{
    add_at(world, c->model[0], 0, 0.15f, 0);
    add_at(world, c->model[1], 0, 0.5f, 0);
    add_floor(world, 0);
}

static void build_tubes(cast *c)
{
    taut_mesh mesh;
    taut_material m = physical_cloth();
    m.damping = all_dampings();
    assert_true(taut_mesh_tube(&mesh, 30, 80, 0.15f, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    c->model[c->count++] = model_of(&mesh, &m);
    m.bend.model = TAUT_BEND_TRIANGLE;
    m.bend.creation = TAUT_BEND_MIDPOINT;
    assert_true(taut_mesh_sphere(&mesh, 4, 0.3f, NULL));
    c->model[c->count++] = model_of(&mesh, &m);
}

static void fill_tubes(taut_world *world, const cast *c)
{
    const float wind[3] = {-2, 0, 5};
    taut_collider_def capsule = taut_default_collider_def();
    capsule.shape = TAUT_CAPSULE;
    capsule.radius = 0.1f;
    capsule.a[0] = -1;
    capsule.b[0] = 1;
    capsule.a[1] = capsule.b[1] = -0.6f;
    capsule.spin[0] = 3;
    add_at(world, c->model[0], 0, 0, 0);
    add_at(world, c->model[1], 0.6f, 0, 0);
    assert_true(taut_world_add_collider(world, &capsule, NULL) >= 0);
    assert_true(taut_world_set_wind(world, wind, 1.2f, NULL));
}

static void build_crowd(cast *c)
{
    taut_mesh mesh;
    taut_material m = taut_default_material(), rope = rope_material();
    const taut_bend_model bend[] = {TAUT_BEND_DIHEDRAL, TAUT_BEND_TRIANGLE, TAUT_BEND_STICK};
    m.damping = all_dampings();
    for (int i = 0; i < LENGTH(bend); i++) {
        m.bend.model = bend[i];
        m.bend.sided = true;
        c->model[c->count++] = sheet_model(7 + i, &m);
    }
    assert_true(taut_mesh_branch(&mesh, 4, 3, 0.5f, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    c->model[c->count++] = model_of(&mesh, &rope);
    c->model[c->count++] = chain_model(20, 0.7f, &rope);
    c->model[c->count++] = beam_model(4, 2, 2, NULL);
}

static void fill_crowd(taut_world *world, const cast *c)
{
    for (int i = 0; i < CROWD; i++)
        add_at(world, c->model[i % c->count], (float)(i % 8), (float)(i % 3), (float)(i / 8));
    add_floor(world, -0.3f);
}

/* Balanced cloth that lies on a ball. */
static void build_draped(cast *c)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, 50, 50, 1, 1, 0.3f, 5, NULL));
    c->model[c->count++] = model_of(&mesh, NULL);
}

static void fill_draped(taut_world *world, const cast *c)
{
    taut_body_def def = taut_default_body_def();
    def.position[2] = -0.5f;
    def.rotation[0] = -sqrtf(0.5f), def.rotation[3] = sqrtf(0.5f);
    assert_true(taut_world_add_body(world, c->model[0], &def, NULL) >= 0);
    add_ball(world, 0, -0.3f, 0, 0.3f);
    for (int i = 0; i < 3; i++) taut_world_step(world, 1.0f / 60);
    assert_true(taut_world_stats(world).contacts > 0);
}

static const scene scenes[] = {
    {"cloth", build_cloth, fill_cloth, true},
    {"solids", build_solids, fill_solids, true},
    {"tubes", build_tubes, fill_tubes, true},
    {"crowd", build_crowd, fill_crowd, false},
    {"draped", build_draped, fill_draped, true},
};

static cast casts[LENGTH(scenes)];

static int build_casts(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(scenes); i++) scenes[i].build(&casts[i]);
    return 0;
}

static int free_casts(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(scenes); i++)
        for (int k = 0; k < casts[i].count; k++) taut_model_free(casts[i].model[k]);
    return 0;
}

/* The hash after every frame of a run. */
typedef struct trace {
    uint64_t frame[FRAMES];
} trace;

static taut_world_def quick_def(int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    def.substeps = SLOW_BUILD ? 2 : 4;
    def.iterations = 2;
    return def;
}

static trace run(const scene *s, const taut_world_def *def)
{
    trace t;
    taut_world *world = taut_world_create(def, NULL);
    assert_non_null(world);
    s->fill(world, &casts[s - scenes]);
    for (int i = 0; i < FRAMES; i++) {
        taut_world_step(world, 1.0f / 60);
        t.frame[i] = taut_world_hash(world);
        assert_true(i == 0 || t.frame[i] != t.frame[i - 1]);
    }
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    return t;
}

static trace run_with(const scene *s, int threads)
{
    taut_world_def def = quick_def(threads);
    return run(s, &def);
}

static void expect_same(const char *who, const scene *s, const trace *a, const trace *b)
{
    for (int i = 0; i < FRAMES; i++)
        if (a->frame[i] != b->frame[i]) fail_msg("%s, scene %s: frame %d differs", who, s->name, i);
}

/* ---- Threads and task systems ---- */

static void large_scenes_have_many_parts(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(scenes); i++)
        for (int k = 0; k < casts[i].count; k++)
            assert_true(scenes[i].large ? casts[i].model[k]->nparts > 1 : casts[i].model[k]->nparts == 1);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    static const int threads[] = {2, 3, 8, 0};
    for (int i = 0; i < LENGTH(scenes); i++) {
        trace alone = run_with(&scenes[i], 1);
        for (int k = 0; k < LENGTH(threads); k++) {
            char who[32];
            snprintf(who, sizeof who, "%d threads", threads[k]);
            trace many = run_with(&scenes[i], threads[k]);
            expect_same(who, &scenes[i], &alone, &many);
        }
    }
}

static void backwards(int count, void (*task)(void *, int), void *argument, void *user)
{
    int *calls = user;
    for (int i = count - 1; i >= 0; i--) task(argument, i);
    (*calls)++;
}

/* Each call runs its tasks in another order, on threads that were just made. */
typedef struct deal {
    void (*task)(void *, int);
    void *argument;
    int count, stride, offset;
    atomic_int next;
} deal;

static void *take_tasks(void *argument)
{
    deal *d = argument;
    for (int i; (i = atomic_fetch_add(&d->next, 1)) < d->count;)
        d->task(d->argument, (int)(((int64_t)i * d->stride + d->offset) % d->count));
    return NULL;
}

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

static void fresh_threads(int count, void (*task)(void *, int), void *argument, void *user)
{
    int *calls = user;
    pthread_t thread[3];
    deal d = {.task = task, .argument = argument, .count = count, .stride = 7, .offset = *calls};
    (*calls)++;
    if (count < 1) return;
    while (common_divisor(d.stride, count) != 1) d.stride += 2; /* i * stride + offset visits every task once */
    for (int i = 0; i < LENGTH(thread); i++) assert_int_equal(pthread_create(&thread[i], NULL, take_tasks, &d), 0);
    for (int i = 0; i < LENGTH(thread); i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
}

static void an_engines_task_system(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        taut_parallel_for *run;
    } systems[] = {{"backwards", backwards}, {"fresh threads", fresh_threads}};
    for (int i = 0; i < LENGTH(scenes); i++) {
        trace alone = run_with(&scenes[i], 1);
        for (int k = 0; k < LENGTH(systems); k++) {
            int calls = 0;
            taut_world_def def = quick_def(1);
            def.parallel_for = systems[k].run;
            def.parallel_user = &calls;
            trace theirs = run(&scenes[i], &def);
            expect_same(systems[k].name, &scenes[i], &alone, &theirs);
            assert_true(calls >= FRAMES * def.substeps);
        }
    }
}

/* ---- Instruction sets ---- */

static const char *simd_when(const char *name)
{
    if (name) assert_int_equal(setenv("TAUT_SIMD", name, 1), 0);
    else unsetenv("TAUT_SIMD");
    taut_world *world = plain_world(1, 1);
    const char *simd = taut_world_stats(world).simd;
    taut_world_free(world);
    return simd;
}

static void any_instruction_set(void **state)
{
    (void)state;
    static const char *const sets[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    const char *best = simd_when(NULL);
    trace expected[LENGTH(scenes)];
    for (int i = 0; i < LENGTH(scenes); i++) expected[i] = run_with(&scenes[i], 2);
    for (int k = 0; k < LENGTH(sets); k++) {
        const char *simd = simd_when(sets[k]);
        if (strcmp(simd, sets[k]) != 0) {
            assert_string_equal(simd, best); /* not on this machine */
            continue;
        }
        for (int i = 0; i < LENGTH(scenes); i++) {
            trace t = run_with(&scenes[i], 2);
            expect_same(simd, &scenes[i], &expected[i], &t);
        }
    }
    assert_string_equal(simd_when("scalar"), "scalar");
    assert_string_equal(simd_when("abacus"), best);
    assert_string_equal(simd_when(""), best);
    unsetenv("TAUT_SIMD");
}

/* Models do not depend on the set either, because engines may build them on another machine. */
static void models_of_any_instruction_set(void **state)
{
    (void)state;
    static const char *const sets[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    taut_material m = physical_cloth();
    taut_model *best = sheet_model(20, &m);
    for (int k = 0; k < LENGTH(sets); k++) {
        assert_int_equal(setenv("TAUT_SIMD", sets[k], 1), 0);
        taut_model *model = sheet_model(20, &m);
        assert_true(taut_model_hash(model) == taut_model_hash(best));
        taut_model_free(model);
    }
    unsetenv("TAUT_SIMD");
    taut_model_free(best);
}

/* ---- Company ---- */

static void expect_same_body(const taut_world *world, int body, const taut_world *other, int twin)
{
    int n, m;
    const float *x = taut_body_positions(world, body, &n), *y = taut_body_positions(other, twin, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, 3 * (size_t)n * sizeof *x);
    assert_memory_equal(taut_body_velocities(world, body, NULL), taut_body_velocities(other, twin, NULL),
                        3 * (size_t)n * sizeof *x);
}

static void order_of_adding_does_not_matter(void **state)
{
    (void)state;
    const taut_model *model[4] = {casts[0].model[1], casts[1].model[1], casts[3].model[0], casts[3].model[4]};
    static const int order[4] = {2, 0, 3, 1};
    int first[4], second[4];
    taut_world_def def = quick_def(3);
    taut_world *a = taut_world_create(&def, NULL), *b = taut_world_create(&def, NULL);
    assert_true(a && b);
    for (int i = 0; i < 4; i++) first[i] = add_at(a, model[i], (float)i, 0, 0);
    for (int i = 0; i < 4; i++) second[order[i]] = add_at(b, model[order[i]], (float)order[i], 0, 0);
    add_floor(a, -0.4f);
    add_floor(b, -0.4f);
    for (int frame = 0; frame < FRAMES; frame++) {
        taut_world_step(a, 1.0f / 60);
        taut_world_step(b, 1.0f / 60);
        for (int i = 0; i < 4; i++) expect_same_body(a, first[i], b, second[i]);
    }
    taut_world_free(a);
    taut_world_free(b);
}

static void coming_and_going_disturbs_nobody(void **state)
{
    (void)state;
    const taut_model *large = casts[0].model[0], *small = casts[3].model[1];
    taut_world_def def = quick_def(2);
    taut_world *calm = taut_world_create(&def, NULL), *busy = taut_world_create(&def, NULL);
    assert_true(calm && busy);
    int calm_large = add_at(calm, large, 0, 0, 0), calm_small = add_at(calm, small, 3, 0, 0), guest = -1;
    int busy_small = add_at(busy, small, 3, 0, 0), busy_large = add_at(busy, large, 0, 0, 0);
    for (int frame = 0; frame < 2 * FRAMES + 2; frame++) {
        if (frame % 3 == 0) guest = add_at(busy, casts[frame % 2].model[0], 9, 0, 0);
        if (frame % 3 == 1) add_at(busy, small, 12, 0, 0);
        if (frame % 3 == 2) taut_world_remove_body(busy, guest);
        taut_world_step(calm, 1.0f / 60);
        taut_world_step(busy, 1.0f / 60);
        expect_same_body(calm, calm_large, busy, busy_large);
        expect_same_body(calm, calm_small, busy, busy_small);
    }
    taut_world_free(calm);
    taut_world_free(busy);
}

/* ---- Worlds side by side ---- */

typedef struct host {
    const scene *scene;
    int threads;
    trace trace;
} host;

static void *run_host(void *argument)
{
    host *h = argument;
    h->trace = run_with(h->scene, h->threads);
    return NULL;
}

static void worlds_in_two_threads_share_models(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(scenes); i++) {
        trace alone = run_with(&scenes[i], 1);
        host hosts[2] = {{.scene = &scenes[i], .threads = 1}, {.scene = &scenes[i], .threads = 2}};
        pthread_t thread[2];
        for (int k = 0; k < 2; k++) assert_int_equal(pthread_create(&thread[k], NULL, run_host, &hosts[k]), 0);
        for (int k = 0; k < 2; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
        for (int k = 0; k < 2; k++) expect_same("two worlds", &scenes[i], &alone, &hosts[k].trace);
    }
}

/* A world may go from thread to thread, as long as only one thread has it at a time. */
static void *step_once(void *argument)
{
    taut_world_step(argument, 1.0f / 60);
    return NULL;
}

static void a_world_may_change_hands(void **state)
{
    (void)state;
    trace alone = run_with(&scenes[0], 1);
    taut_world_def def = quick_def(2);
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    scenes[0].fill(world, &casts[0]);
    for (int i = 0; i < FRAMES; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, step_once, world), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(taut_world_hash(world) == alone.frame[i]);
    }
    taut_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_scenes_have_many_parts),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(an_engines_task_system),
        cmocka_unit_test(any_instruction_set),
        cmocka_unit_test(models_of_any_instruction_set),
        cmocka_unit_test(order_of_adding_does_not_matter),
        cmocka_unit_test(coming_and_going_disturbs_nobody),
        cmocka_unit_test(worlds_in_two_threads_share_models),
        cmocka_unit_test(a_world_may_change_hands),
    };
    return cmocka_run_group_tests(tests, build_casts, free_casts);
}
