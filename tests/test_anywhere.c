/* Anywhere in the world: far from 0 0 0 everything happens exactly as it does near it, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "helpers_world.h"
#include "world/origin.h"

#include <stdio.h>

enum { SHEET, ROPE, BEAM, MODELS };

typedef struct stage_set {
    taut_model *model[MODELS];
} stage_set;

static int open_set(void **state)
{
    static stage_set set;
    taut_mesh mesh;
    taut_material ratio = taut_default_material(), limited = ratio;
    limited.limit.stretch[0] = 0.9f, limited.limit.stretch[1] = 1.1f;
    assert_true(taut_mesh_sheet(&mesh, 45, 45, 1, 1, NULL)); /* with levels */
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 44, NULL));
    set.model[SHEET] = model_of(&mesh, &ratio);
    assert_true(taut_mesh_chain(&mesh, 30, 2, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    set.model[ROPE] = model_of(&mesh, NULL);
    assert_true(taut_mesh_beam(&mesh, 6, 2, 2, 1, 0.3f, 0.3f, NULL));
    set.model[BEAM] = model_of(&mesh, &limited);
    *state = &set;
    return 0;
}

static int close_set(void **state)
{
    stage_set *set = *state;
    for (int i = 0; i < MODELS; i++) taut_model_free(set->model[i]);
    return 0;
}

/* A world with the bodies of the set over a ball and a floor, all at `place`. */
static taut_world *world_at(const stage_set *set, const double place[3], int threads)
{
    taut_world_def def = taut_default_world_def();
    def.substeps = 4;
    def.threads = threads;
    taut_world *world = taut_world_create(&def, NULL);
    taut_collider_def floor = taut_default_collider_def(), ball = floor;
    ball.shape = TAUT_SPHERE, ball.radius = 0.3f, ball.a[1] = -0.6f, ball.a[2] = 0.1f;
    floor.a[1] = -1.7f;
    for (int c = 0; c < 3; c++) floor.origin[c] = ball.origin[c] = place[c];
    assert_true(taut_world_add_collider(world, &floor, NULL) >= 0 && taut_world_add_collider(world, &ball, NULL) >= 0);
    for (int i = 0; i < MODELS; i++) {
        taut_body_def body = taut_default_body_def();
        body.position[0] = 1.3f * (float)i, body.position[1] = 0.1f;
        for (int c = 0; c < 3; c++) body.origin[c] = place[c];
        assert_int_equal(taut_world_add_body(world, set->model[i], &body, NULL), i);
    }
    return world;
}

/* Runs the world and meanwhile moves a pin, a ball and the beam. */
static void run(taut_world *world, const double place[3], int from, int to)
{
    for (int frame = from; frame < to; frame++) {
        float t = (float)frame / 60;
        const float target[3] = {-0.5f + 0.3f * t, 0.1f, 0.2f * t};
        assert_true(taut_body_pin_from(world, SHEET, 0, place, target, 1, NULL));
        taut_world_step(world, 1.0f / 60);
    }
}

static void expect_same(const stage_set *set, taut_world *near, const double here[3], taut_world *far,
                        const double there[3])
{
    for (int i = 0; i < MODELS; i++) {
        int n = taut_model_vertices(set->model[i]);
        float *a = calloc(3 * (size_t)n, sizeof *a), *b = calloc(3 * (size_t)n, sizeof *b);
        assert_true(taut_body_positions_from(near, i, here, a) && taut_body_positions_from(far, i, there, b));
        for (int k = 0; k < 3 * n; k++)
            if (a[k] != b[k])
                fail_msg("body %d: number %d is %.9g here and %.9g there", i, k, (double)a[k], (double)b[k]);
        assert_memory_equal(taut_body_velocities(near, i, NULL), taut_body_velocities(far, i, NULL),
                            3 * (size_t)n * sizeof *a);
        free(a);
        free(b);
    }
}

static void a_scene_that_is_moved_gives_the_same_bits(void **state)
{
    const stage_set *set = *state;
    const double here[3] = {0, 0, 0};
    const double places[][3] = {{2, 0, 0}, {100, -64, 30}, {-1024, 4096, 10000}, {1e6, -1e6, 1e6}};
    taut_world *near = world_at(set, here, 1);
    run(near, here, 0, 40);
    for (int i = 0; i < LENGTH(places); i++) {
        taut_world *far = world_at(set, places[i], 1 + i % 2);
        run(far, places[i], 0, 40);
        expect_same(set, near, here, far, places[i]);
        taut_world_free(far);
    }
    taut_world_free(near);
}

/* The lattice of a sheet is 1 m. A body that begins up to one spacing from its origin measures from there, here as far
 * away. */
static void a_body_beside_its_origin_gives_the_same_bits(void **state)
{
    const stage_set *set = *state;
    const double place[3] = {4096, -64, 1e6};
    for (int i = 0; i < 12; i++) {
        taut_world *near = taut_world_create(NULL, NULL), *far = taut_world_create(NULL, NULL);
        taut_body_def def = taut_default_body_def();
        def.position[i % 3] = 0.3f * (float)(i - 6);
        assert_int_equal(taut_world_add_body(near, set->model[SHEET], &def, NULL), 0);
        memcpy(def.origin, place, sizeof place);
        assert_int_equal(taut_world_add_body(far, set->model[SHEET], &def, NULL), 0);
        for (int k = 0; k < 3; k++) taut_world_step(near, 1.0f / 60), taut_world_step(far, 1.0f / 60);
        int n = taut_model_vertices(set->model[SHEET]);
        assert_memory_equal(taut_body_velocities(near, 0, NULL), taut_body_velocities(far, 0, NULL),
                            3 * (size_t)n * sizeof(float));
        taut_world_free(near);
        taut_world_free(far);
    }
}

static void a_save_goes_on_far_away(void **state)
{
    const stage_set *set = *state;
    const double place[3] = {1e6, 512, -1e6};
    taut_world *world = world_at(set, place, 1), *other = world_at(set, place, 2);
    run(world, place, 0, 10);
    size_t size = taut_world_save(world, NULL, 0);
    void *bytes = malloc(size);
    taut_world_save(world, bytes, size);
    run(world, place, 10, 30);
    assert_true(taut_world_restore(other, bytes, size, (const taut_model *const *)set->model, MODELS, NULL));
    run(other, place, 10, 30);
    assert_true(taut_world_hash(world) == taut_world_hash(other));
    free(bytes);
    taut_world_free(world);
    taut_world_free(other);
}

/* A body flies 3 km in 10^4 steps. With coordinates measured from 0 0 0 most of its momentum would be lost. */
static void free_flight_keeps_its_momentum(void **state)
{
    (void)state;
    const int steps = SLOW_BUILD ? 1000 : 10000;
    taut_material undamped = taut_default_material();
    undamped.damping.global = 0;
    taut_model *model = free_sheet_model(6, &undamped);
    taut_world_def def = taut_default_world_def();
    memset(def.gravity, 0, sizeof def.gravity);
    def.air_density = 0;
    def.substeps = 4, def.threads = 1;
    taut_world *world = taut_world_create(&def, NULL);
    taut_body_def fast = taut_default_body_def();
    fast.velocity[0] = 20, fast.velocity[1] = 3, fast.velocity[2] = -7;
    int body = taut_world_add_body(world, model, &fast, NULL), n;
    for (int i = 0; i < steps; i++) taut_world_step(world, 1.0f / 60);
    const float *v = taut_body_velocities(world, body, &n);
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < 3 * n; i++) mean[i % 3] += (double)v[i] / n;
    for (int c = 0; c < 3; c++)
        if (!(fabs(mean[c] - (double)fast.velocity[c]) < 1e-4 * 21.4))
            fail_msg("velocity %d is %g after %d steps, was %g", c, mean[c], steps, (double)fast.velocity[c]);
    double *x = malloc(3 * (size_t)n * sizeof *x);
    assert_true(taut_body_positions_double(world, body, x));
    expect_near((x[0] + 0.5) / (20.0 * steps / 60), 1, 1e-3); /* the sheet began half a metre to the left */
    free(x);
    taut_world_free(world);
    taut_model_free(model);
}

/* The origin follows by whole spacings, and no coordinate is rounded by it. */
static void an_origin_that_follows_rounds_nothing(void **state)
{
    (void)state;
    uint32_t seed = 1;
    int followed = 0;
    for (int trial = 0; trial < 20000; trial++) {
        double draw[4];
        for (int k = 0; k < 4; k++) draw[k] = (double)(seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        double lattice = trial % 2 ? 0.5 : 2, size = lattice * (1 + 3 * draw[0]), far = (draw[1] - 0.5) * 100 * lattice;
        float low = (float)(far - size * draw[2]), high = (float)(far + size * draw[3]);
        double shift = tt_lattice_follow(lattice, (double)low, (double)high);
        followed += shift != 0;
        assert_true(shift / lattice == floor(shift / lattice));
        for (int k = 0; k <= 16; k++) {
            float p = (float)((double)low + ((double)high - (double)low) * k / 16);
            if (p < low || p > high) continue;
            double exact = (double)p - shift;
            assert_true((double)(float)exact == exact);
        }
    }
    assert_true(followed > 10000);
}

static void places_can_be_given_in_double(void **state)
{
    const stage_set *set = *state;
    const double place[3] = {123456.75, 0, 987654.5}, bad[3] = {0, NAN, 0};
    taut_error error;
    taut_world *world = world_at(set, place, 1);
    int n = taut_model_vertices(set->model[ROPE]);
    float *xyz = calloc(3 * (size_t)n, sizeof *xyz), *back = calloc(3 * (size_t)n, sizeof *back);
    for (int v = 0; v < n; v++) xyz[3 * v] = 0.0625f * (float)v;
    assert_true(taut_body_set_positions_from(world, ROPE, place, xyz, NULL));
    assert_true(taut_body_positions_from(world, ROPE, place, back));
    assert_memory_equal(xyz, back, 3 * (size_t)n * sizeof *xyz);
    assert_false(taut_body_set_positions_from(world, ROPE, bad, xyz, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, 1, "origin[1] must be within 1e30 m, got nan"});
    assert_false(taut_body_pin_from(world, ROPE, 0, bad, xyz, 1, &error));
    assert_false(taut_body_positions_from(world, 99, place, back));
    taut_body_def body = taut_default_body_def();
    body.origin[2] = INFINITY;
    assert_int_equal(taut_world_add_body(world, set->model[ROPE], &body, &error), -1);
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, 2, "body.origin[2] must be within 1e30 m, got inf"});
    taut_collider_def ball = taut_default_collider_def();
    ball.origin[0] = NAN;
    assert_int_equal(taut_world_add_collider(world, &ball, &error), -1);
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, 0, "collider.origin[0] is not finite"});
    free(xyz);
    free(back);
    taut_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_that_is_moved_gives_the_same_bits),
        cmocka_unit_test(a_body_beside_its_origin_gives_the_same_bits),
        cmocka_unit_test(a_save_goes_on_far_away),
        cmocka_unit_test(free_flight_keeps_its_momentum),
        cmocka_unit_test(an_origin_that_follows_rounds_nothing),
        cmocka_unit_test(places_can_be_given_in_double),
    };
    return cmocka_run_group_tests(tests, open_set, close_set);
}
