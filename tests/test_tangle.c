/* Crossings of triangles at the start are removed over time, and no body is thrown away. Then none comes back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

enum { N = 13, MOST = 2 };

typedef struct scene {
    taut_world *world;
    int nbodies, body[MOST];
    taut_model *model;
    taut_mesh one, all; /* the sheet; all sheets */
} scene;

static scene open_scene(int bodies, bool gravity)
{
    const float none[3] = {0, 0, 0};
    scene s = {.nbodies = bodies};
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    s.world = taut_world_create(&def, NULL);
    assert_non_null(s.world);
    if (!gravity) assert_true(taut_world_set_gravity(s.world, none, NULL));
    taut_material m;
    assert_true(taut_init_preset(&m, sizeof m, "cotton"));
    m.contact = TAUT_CONTACT_STRICT;
    assert_true(taut_mesh_sheet_irregular(&s.one, N, N, 0.4f, 0.4f, 0.3f, 5, NULL));
    s.model = taut_model_build(&s.one, &m, NULL, NULL);
    assert_non_null(s.model);
    int nv = s.one.nvertices, nt = s.one.ntris;
    s.all = (taut_mesh){.nvertices = bodies * nv, .ntris = bodies * nt};
    s.all.x = calloc(3 * (size_t)(bodies * nv), sizeof(float));
    s.all.tri = malloc(3 * (size_t)(bodies * nt) * sizeof(int));
    assert_true(s.all.x && s.all.tri);
    for (int b = 0; b < bodies; b++) {
        s.body[b] = add_at(s.world, s.model, 0, 0, 0);
        for (int i = 0; i < 3 * nt; i++) s.all.tri[3 * nt * b + i] = s.one.tri[i] + b * nv;
    }
    return s;
}

static void close_scene(scene *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
    taut_mesh_free(&s->one);
    free(s->all.x);
    free(s->all.tri);
}

static int crossings(scene *s)
{
    for (int b = 0; b < s->nbodies; b++)
        memcpy(&s->all.x[3 * b * s->one.nvertices], taut_body_positions(s->world, s->body[b], NULL),
               3 * (size_t)s->one.nvertices * sizeof(float));
    return (int)taut_mesh_crossings(&s->all, NULL, NULL, 0, NULL, NULL);
}

static double fastest(scene *s)
{
    double most = 0;
    for (int b = 0; b < s->nbodies; b++) {
        int n;
        const float *v = taut_body_velocities(s->world, s->body[b], &n);
        for (int i = 0; i < n; i++) {
            double x = (double)v[3 * i], y = (double)v[3 * i + 1], z = (double)v[3 * i + 2];
            most = fmax(most, sqrt(x * x + y * y + z * z));
        }
    }
    return most;
}

/* The scene has crossings at the start. After `frames` frames it has none, and none comes back. */
static void work_out(scene *s, int frames)
{
    double most = 0;
    assert_true(crossings(s) > 30);
    for (int i = 0; i < frames + 60; i++) {
        taut_world_step(s->world, 1 / 60.0f);
        most = fmax(most, fastest(s));
        int left = i < frames ? 0 : crossings(s);
        if (left) fail_msg("%d crossings in frame %d", left, i + 1);
    }
    if (!(most < 4)) fail_msg("%g m/s", most);
    assert_int_equal(taut_world_stats(s->world).bad_particles, 0);
    close_scene(s);
}

static void place(scene *s, int b, const float *x)
{
    assert_true(taut_body_set_positions(s->world, s->body[b], x, NULL));
}

/* The second sheet stands on edge and reaches a quarter of its height through the first one, which is level. */
static void sheets_that_start_crossed(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int falls = 0; falls < 2; falls++) {
        scene s = open_scene(2, falls);
        float x[3 * N * N];
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < N * N; i++) {
                float along = s.one.x[3 * i + 1] + 0.2f;
                x[3 * i] = s.one.x[3 * i];
                x[3 * i + 1] = 0.4f + (b ? along + 0.11f : 0);
                x[3 * i + 2] = b ? 0.013f : along;
            }
            place(&s, b, x);
        }
        if (falls) add_floor(s.world, 0);
        work_out(&s, 150);
    }
}

/* The sheet is rolled up, and its end comes out through its beginning. */
static void a_sheet_that_starts_folded_through_itself(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int falls = 0; falls < 2; falls++) {
        scene s = open_scene(1, falls);
        float x[3 * N * N];
        for (int i = 0; i < N * N; i++) {
            float along = s.one.x[3 * i + 1] / 0.4f + 1, angle = 7.2f * along;
            float radius = 0.06f - 0.012f * along + (along > 0.85f ? 0.2f * (along - 0.85f) : 0);
            x[3 * i] = s.one.x[3 * i];
            x[3 * i + 1] = 0.2f + radius * cosf(angle);
            x[3 * i + 2] = radius * sinf(angle);
        }
        place(&s, 0, x);
        if (falls) add_floor(s.world, 0);
        work_out(&s, 60);
    }
}

/* Bodies that cross because of where they were added. The second one stands on edge in the first. */
static void bodies_that_are_added_crossed(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    scene s = open_scene(2, false);
    for (int b = 0; b < 2; b++) taut_world_remove_body(s.world, s.body[b]);
    for (int b = 0; b < 2; b++) {
        taut_body_def def = taut_default_body_def();
        def.position[0] = 0.003f, def.position[1] = b ? 0.32f : 0.2f, def.position[2] = b ? -0.2f : 0;
        if (b == 0) def.rotation[0] = def.rotation[3] = 0.70710678f; /* a quarter turn about x */
        s.body[b] = taut_world_add_body(s.world, s.model, &def, NULL);
        assert_true(s.body[b] >= 0);
    }
    work_out(&s, 300);
}

/* Two sheets lean against each other and meet along an edge, where they are closer than floats can tell. */
static void what_cannot_be_told_apart_stops_nothing_else(void **state)
{
    (void)state;
    scene s = open_scene(2, true);
    float x[3 * N * N];
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < N * N; i++) {
            float down = -s.one.x[3 * i + 1];
            x[3 * i] = s.one.x[3 * i], x[3 * i + 1] = 0.3f - down;
            x[3 * i + 2] = b ? 1e-9f + 0.8f * down : -0.8f * down;
        }
        place(&s, b, x);
    }
    taut_world_step(s.world, 1 / 60.0f);
    assert_true(taut_world_stats(s.world).contact_stuck > 0);
    for (int i = 1; i < 30; i++) taut_world_step(s.world, 1 / 60.0f);
    const float *p = taut_body_positions(s.world, s.body[0], NULL);
    print_message("the lower edge fell by %.2f m\n", (double)(-0.1f - p[3 * (N * N - 1) + 1]));
    assert_true(p[3 * (N * N - 1) + 1] < -0.3f);
    assert_int_equal(crossings(&s), 0);
    close_scene(&s);
}

/* A save does not tell whether there are crossings, so the world searches for them after a restore. */
static void a_save_amid_crossings_goes_on_to_the_bit(void **state)
{
    (void)state;
    scene s = open_scene(2, false);
    const taut_model *models[] = {s.model, s.model};
    float x[3 * N * N];
    for (int i = 0; i < N * N; i++) {
        x[3 * i] = 0.1f * s.one.x[3 * i], x[3 * i + 1] = s.one.x[3 * i + 1] + 0.2f, x[3 * i + 2] = s.one.x[3 * i];
    }
    place(&s, 0, x);
    for (int i = 0; i < 5; i++) taut_world_step(s.world, 1 / 60.0f);
    assert_true(crossings(&s) > 0);
    size_t size = taut_world_save(s.world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    taut_world_save(s.world, bytes, size);
    for (int i = 0; i < 5; i++) taut_world_step(s.world, 1 / 60.0f);
    uint64_t hash = taut_world_hash(s.world);
    assert_true(taut_world_restore(s.world, bytes, size, models, 2, NULL));
    for (int i = 0; i < 5; i++) taut_world_step(s.world, 1 / 60.0f);
    assert_true(taut_world_hash(s.world) == hash);
    free(bytes);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_that_start_crossed),
        cmocka_unit_test(a_sheet_that_starts_folded_through_itself),
        cmocka_unit_test(bodies_that_are_added_crossed),
        cmocka_unit_test(what_cannot_be_told_apart_stops_nothing_else),
        cmocka_unit_test(a_save_amid_crossings_goes_on_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
