/* Shells whose coarse links push, because they can neither be squeezed nor curl up (src/model/reach.c). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "world/world.h"

/* A material with nothing but limits: 5 % of stretch, 3 degrees a centimetre of bending. */
static taut_material tin(void)
{
    taut_material m = taut_default_material();
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = 0;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.bend[0] = -5.2f, m.limit.bend[1] = 5.2f;
    m.limit.iterations = 64;
    return m;
}

static taut_model *ball_of(const taut_material *material, int levels)
{
    taut_mesh mesh;
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    assert_true(taut_mesh_sphere(&mesh, 3, 0.2f, NULL));
    taut_model *model = taut_model_build(&mesh, material, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

static double height(const taut_world *world, int body)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    float low = INFINITY, high = -INFINITY;
    for (int v = 0; v < n; v++) low = fminf(low, x[3 * v + 1]), high = fmaxf(high, x[3 * v + 1]);
    return (double)(high - low);
}

/* The height of a hollow ball, 0.4 m high at rest, a third of a second after a fall of 0.1 m on a floor; one substep a
 * frame. */
static double height_after_landing(int levels, int threads, uint64_t *hash)
{
    taut_material m = tin();
    taut_model *model = ball_of(&m, levels);
    taut_world_def def = taut_default_world_def();
    taut_collider_def floor = taut_default_collider_def();
    taut_body_def at = taut_default_body_def();
    def.substeps = def.iterations = 1;
    def.threads = threads;
    at.position[1] = 0.3f;
    taut_world *world = taut_world_create(&def, NULL);
    assert_true(taut_world_add_collider(world, &floor, NULL) >= 0);
    int body = taut_world_add_body(world, model, &at, NULL);
    for (int i = 0; i < 15; i++) taut_world_step(world, 1.0f / 30);
    double high = height(world, body);
    *hash = taut_world_hash(world);
    taut_world_free(world);
    taut_model_free(model);
    return high;
}

static void a_hollow_ball_lands_without_crumpling(void **state)
{
    (void)state;
    uint64_t hash;
    double alone = height_after_landing(0, 1, &hash), held = height_after_landing(2, 1, &hash);
    if (!(held > 0.28)) fail_msg("%g m high", held);
    if (!(alone < 0.2)) fail_msg("%g m high without levels: this ball is too easy", alone);
}

/* Linear and angular momentum per mass, the latter about the middle. */
static void momentum_of(const taut_world *world, int body, double linear[3], double angular[3])
{
    int n;
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    double middle[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) linear[c] = angular[c] = 0;
    for (int i = 0; i < 3 * n; i++) middle[i % 3] += (double)x[i] / n, linear[i % 3] += (double)v[i] / n;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            int a = (c + 1) % 3, b = (c + 2) % 3;
            angular[c] += (((double)x[3 * i + a] - middle[a]) * (double)v[3 * i + b] -
                           ((double)x[3 * i + b] - middle[b]) * (double)v[3 * i + a]) / n;
        }
}

/* A ball that has stiffness too, with many substeps, in the air and on a floor. Corrections that come up to the mesh
 * must not turn it. */
static void a_ball_does_not_begin_to_spin(void **state)
{
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        taut_material m = tin();
        m.strain = taut_default_material().strain;
        m.drag = taut_default_material().drag;
        m.limit.iterations = 10;
        taut_model *model = ball_of(&m, 2);
        taut_world *world = plain_world(16, 1);
        double linear[3], angular[3];
        if (floor) add_floor(world, 0);
        int body = add_at(world, model, 0, 0.3f, 0);
        step_times(world, 120); /* not fewer, because it rolls a little while it lands */
        momentum_of(world, body, linear, angular);
        for (int c = 0; c < 3; c++) {
            if (!(fabs(angular[c]) < 0.02)) fail_msg("angular momentum %g m^2/s", angular[c]);
            if (c != 1 && !(fabs(linear[c]) < 0.02)) fail_msg("it moves aside at %g m/s", linear[c]);
        }
        if (floor && !(height(world, body) > 0.35)) fail_msg("%g m high", height(world, body));
        taut_world_free(world);
        taut_model_free(model);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t one, three;
    height_after_landing(2, 1, &one);
    height_after_landing(2, 3, &three);
    assert_true(one == three);
}

/* The share of links that push, on the level that is `skip` levels coarser than the first. */
static double pushing_share(const taut_material *material, int skip)
{
    taut_model *model = ball_of(material, 2);
    const taut_model *level = model->coarser;
    for (; skip > 0; skip--) level = level->coarser;
    int kind = taut_kind_find("limit_edge"), fields = tt_kind_table()[kind]->fields, pushing = 0;
    const tt_group *group = &level->group[kind];
    for (int b = 0; b < group->nblocks; b++)
        for (int lane = 0; lane < group->live[b]; lane++)
            pushing += group->data[(size_t)((b * fields + 1) * TT_BLOCK + lane)] > 0;
    double share = (double)pushing / group->count;
    assert_true(group->count > 0);
    taut_model_free(model);
    return share;
}

static void only_what_cannot_curl_up_pushes(void **state)
{
    (void)state;
    taut_material stiff = tin(), soft = tin(), limp = tin(), thin = tin();
    soft.limit.bend[0] = -30, soft.limit.bend[1] = 30; /* may be a circle of 0.07 m */
    limp.limit.bend[0] = -INFINITY, limp.limit.bend[1] = INFINITY;
    thin.limit.stretch[0] = 0;
    assert_true(pushing_share(&stiff, 0) == 1);
    assert_true(pushing_share(&soft, 0) > 0 && pushing_share(&soft, 0) < 1);
    assert_true(pushing_share(&soft, 1) == 0);
    assert_true(pushing_share(&limp, 0) == 0);
    assert_true(pushing_share(&thin, 0) == 0);
}

/* A body that is softer than its model was built for may curl up where links would push. */
static void a_softer_material_does_not_push(void **state)
{
    (void)state;
    taut_material m = tin();
    taut_model *model = ball_of(&m, 2);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    const tt_level *level = tt_world_body(world, body)->level;
    const float bend[3] = {5.2f, 5.3f, 5.1f};
    for (int i = 0; i < 3; i++) {
        m.limit.bend[1] = bend[i];
        assert_true(taut_body_set_material(world, body, &m, NULL));
        taut_world_step(world, 0.01f);
        assert_int_equal(level[1].pushes, bend[i] <= 5.2f);
        assert_int_equal(level[2].pushes, bend[i] <= 5.2f);
    }
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hollow_ball_lands_without_crumpling),
        cmocka_unit_test(a_ball_does_not_begin_to_spin),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(only_what_cannot_curl_up_pushes),
        cmocka_unit_test(a_softer_material_does_not_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
