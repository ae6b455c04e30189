/* Bodies of limits alone that fall on a floor. They rebound less high than they fell, do not roll away and come to
 * rest. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "helpers_world.h"
#include "slow_build.h"

#include <math.h>
#include <stdlib.h>

static const double HEIGHT = 1;

static taut_material limits_alone(bool solid)
{
    taut_material m = taut_default_material();
    const taut_strain none = {.rest = {1, 1, 1}};
    m.strain = none;
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = 0;
    m.density = solid ? 500 : 0.2f;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    if (!solid) m.limit.bend[0] = -5.2f, m.limit.bend[1] = 5.2f;
    return m;
}

typedef struct fall {
    double rebound; /* the highest that its lowest vertex got after it first touched the floor */
    double speed;   /* root mean square at the end */
    double rolled;  /* how far its centre went along the floor */
    double highest;
} fall;

static double low_of(const taut_world *world, int body)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    double low = INFINITY;
    for (int i = 0; i < n; i++) low = fmin(low, (double)x[3 * i + 1]);
    return low;
}

static void look(const taut_world *world, int body, fall *f)
{
    int n;
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    double squares = 0, centre[2] = {0, 0};
    f->highest = -INFINITY;
    for (int i = 0; i < n; i++) {
        squares += vec_dot(vec_of(&v[3 * i]), vec_of(&v[3 * i]));
        centre[0] += (double)x[3 * i] / n, centre[1] += (double)x[3 * i + 2] / n;
        f->highest = fmax(f->highest, (double)x[3 * i + 1]);
    }
    f->speed = sqrt(squares / n);
    f->rolled = sqrt(centre[0] * centre[0] + centre[1] * centre[1]);
}

/* Drops the mesh from HEIGHT above the floor. */
static fall drop(taut_mesh *mesh, const taut_material *m, int levels, int substeps, int steps)
{
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    taut_model *model = taut_model_build(mesh, m, &options, NULL);
    assert_true(model && taut_model_levels(model) == levels);
    taut_world *world = plain_world(substeps, 1);
    add_floor(world, 0);
    int body = add_at(world, model, 0, 0, 0);
    float lift = (float)(HEIGHT - low_of(world, body));
    taut_world_remove_body(world, body);
    body = add_at(world, model, 0, lift, 0);
    fall f = {0};
    bool touched = false;
    for (int step = 0; step < steps; step++) {
        taut_world_step(world, 1.0f / 60);
        double low = low_of(world, body);
        touched = touched || low < 0.02;
        if (touched) f.rebound = fmax(f.rebound, low);
    }
    look(world, body, &f);
    if (getenv("TAUT_TEST_NUMBERS"))
        print_message("%d levels, %d substeps: rebounds %.3f m, rolls %.3f m, %.2g m/s, %.4f m high\n", levels,
                      substeps, f.rebound, f.rolled, f.speed, f.highest);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(mesh);
    return f;
}

static void a_solid_ring_comes_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(true);
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_torus(&mesh, 30, 2, 0.4f, 0.12f, NULL));
        fall f = drop(&mesh, &m, 1, substeps, 600);
        if (!(f.rebound < 0.3 * HEIGHT && f.rolled < 0.1 && f.speed < 0.005))
            fail_msg("%d substeps: rebounds %g m, rolls %g m, %g m/s", substeps, f.rebound, f.rolled, f.speed);
        if (!(f.highest > 0.2)) fail_msg("%d substeps: crushed to %g m", substeps, f.highest);
    }
}

static void a_hollow_sphere_comes_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(false);
    for (int substeps = 1; substeps <= 4; substeps *= 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_sphere(&mesh, 3, 0.3f, NULL));
        fall f = drop(&mesh, &m, 2, substeps, 1200);
        if (!(f.rebound < HEIGHT && f.rolled < 1 && f.speed < 0.01))
            fail_msg("%d substeps: rebounds %g m, rolls %g m, %g m/s", substeps, f.rebound, f.rolled, f.speed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_ring_comes_to_rest),
        cmocka_unit_test(a_hollow_sphere_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
