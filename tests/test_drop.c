/* Bodies that have only limits fall on a floor. They rebound less high than they fell, do not roll away, come to rest
 * and never have more energy than at first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "helpers_world.h"
#include "model/model.h"
#include "slow_build.h"

#include <math.h>
#include <stdlib.h>

static const double HEIGHT = 1;

static taut_material limits_alone(bool solid)
{
    taut_material m = taut_default_material();
    m.contact = TAUT_CONTACT_OFF; /* limits and colliders alone */
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
    double rebound; /* the greatest height of its lowest vertex after it first touched the floor */
    double speed;   /* root mean square at the end */
    double rolled;  /* how far its centre went along the floor */
    double highest;
    double energy; /* the largest, as a share of the energy at first; heights count from the floor */
} fall;

static double energy_of(const taut_world *world, int body, const double *mass)
{
    int n;
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += mass[i] * (vec_dot(vec_of(&v[3 * i]), vec_of(&v[3 * i])) / 2 + 9.81 * (double)x[3 * i + 1]);
    return sum;
}

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

static fall drop_from(double height, taut_mesh *mesh, const taut_material *m, int levels, int substeps, int steps)
{
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    taut_model *model = taut_model_build(mesh, m, &options, NULL);
    double *mass = calloc((size_t)mesh->nvertices, sizeof *mass);
    assert_true(model && mass && taut_model_levels(model) == levels);
    tt_masses(mesh, m, mass);
    taut_world *world = plain_world(substeps, 1);
    add_floor(world, 0);
    int body = add_at(world, model, 0, 0, 0);
    float lift = (float)(height - low_of(world, body));
    taut_world_remove_body(world, body);
    body = add_at(world, model, 0, lift, 0);
    fall f = {0};
    bool touched = false;
    double energy = energy_of(world, body, mass);
    for (int step = 0; step < steps; step++) {
        taut_world_step(world, 1.0f / 60);
        double low = low_of(world, body);
        f.energy = fmax(f.energy, energy_of(world, body, mass) / energy);
        touched = touched || low < 0.02;
        if (touched) f.rebound = fmax(f.rebound, low);
    }
    look(world, body, &f);
    if (getenv("TAUT_TEST_NUMBERS"))
        print_message("%d levels, %d substeps: rebounds %.3f m, rolls %.3f m, %.2g m/s, %.4f m high, energy %.3f\n",
                      levels, substeps, f.rebound, f.rolled, f.speed, f.highest, f.energy);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(mesh);
    free(mass);
    if (!(f.energy < 1.001)) fail_msg("%d levels, %d substeps: %g of its energy", levels, substeps, f.energy);
    return f;
}

static fall drop(taut_mesh *mesh, const taut_material *m, int levels, int substeps, int steps)
{
    return drop_from(HEIGHT, mesh, m, levels, substeps, steps);
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
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_sphere(&mesh, 3, 0.3f, NULL));
        fall f = drop(&mesh, &m, 2, substeps, 1200);
        if (!(f.rebound < HEIGHT && f.rolled < 1 && f.speed < 0.01))
            fail_msg("%d substeps: rebounds %g m, rolls %g m, %g m/s", substeps, f.rebound, f.rolled, f.speed);
    }
}

/* Springs rebound, but not as high as they fell. */
static void a_solid_ring_of_springs_rebounds_less_high_than_it_fell(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(true);
    m.limit = taut_default_material().limit;
    m.units = TAUT_PHYSICAL;
    m.strain.xx = m.strain.yy = m.strain.zz = m.strain.volume = 1e5f;
    m.strain.xy = m.strain.yz = m.strain.xz = 3e4f;
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_torus(&mesh, 12, 1, 0.4f, 0.15f, NULL));
        fall f = drop(&mesh, &m, 0, substeps, 600);
        if (!(f.rebound < 0.5 * HEIGHT && f.speed < 0.005))
            fail_msg("%d substeps: rebounds %g m, %g m/s", substeps, f.rebound, f.speed);
    }
}

/* Nothing holds the shell in shape, so it crumples. Only its limits brake it, and they must not feed the crumpling. */
static void a_shell_that_can_be_squeezed_flat_calms_down(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(false);
    m.limit.stretch[0] = 0;
    m.damping.dry = 0;
    for (int levels = 0; levels <= 2; levels += 2)
        for (int substeps = 1; substeps <= 16; substeps *= 4) {
            taut_mesh mesh;
            assert_true(taut_mesh_sphere(&mesh, 3, 0.3f, NULL));
            fall f = drop(&mesh, &m, levels, substeps, 600);
            if (!(f.rebound < 0.1 * HEIGHT && f.speed < 0.4))
                fail_msg("%d levels, %d substeps: rebounds %g m, %g m/s", levels, substeps, f.rebound, f.speed);
        }
}

/* A sheet swings by a corner, and shakes where its triangles turn over. */
static void a_sheet_that_hangs_by_a_corner_gains_no_energy(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(false);
    m.limit.stretch[0] = 0;
    m.damping.dry = 0;
    for (int levels = 0; levels <= 2; levels += 2)
        for (int substeps = 1; substeps <= 16; substeps *= 4) {
            taut_mesh mesh;
            taut_model_options options = taut_default_model_options();
            options.levels = levels;
            assert_true(taut_mesh_sheet(&mesh, 13, 13, 1, 1, NULL) && taut_mesh_pin(&mesh, 0, NULL));
            double *mass = calloc((size_t)mesh.nvertices, sizeof *mass);
            assert_non_null(mass);
            tt_masses(&mesh, &m, mass);
            taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
            taut_world *world = plain_world(substeps, 1);
            int body = add_at(world, model, 0, 2, 0); /* so high that no energy is below 0 */
            double before = energy_of(world, body, mass), most = before;
            for (int step = 0; step < 600; step++) {
                taut_world_step(world, 1.0f / 60);
                most = fmax(most, energy_of(world, body, mass));
            }
            if (getenv("TAUT_TEST_NUMBERS"))
                print_message("%d levels, %d substeps: energy %.3f\n", levels, substeps, most / before);
            if (!(most < 1.001 * before))
                fail_msg("%d levels, %d substeps: %g of its energy", levels, substeps, most / before);
            taut_world_free(world);
            taut_model_free(model);
            taut_mesh_free(&mesh);
            free(mass);
        }
}

/* A few hundred hinges hold it, and ten passes cannot bring these into agreement in a long substep. So it gives way
 * at first, less the shorter substeps are. But it does not go on sinking, and short ones hold it. */
static void a_shell_of_limits_alone_does_not_go_on_sinking(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    taut_material m = limits_alone(false);
    m.damping.dry = 0;
    double last = 0;
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_sphere(&mesh, 3, 0.3f, NULL));
        fall early = drop_from(0.003, &mesh, &m, 0, substeps, 120);
        assert_true(taut_mesh_sphere(&mesh, 3, 0.3f, NULL));
        fall late = drop_from(0.003, &mesh, &m, 0, substeps, 600);
        if (!(late.highest > 0.98 * early.highest && late.highest > last && late.speed < 0.01))
            fail_msg("%d substeps: from %g to %g m, %g m/s", substeps, early.highest, late.highest, late.speed);
        last = late.highest;
    }
    if (!(last > 0.40)) fail_msg("stands %g m high", last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_ring_comes_to_rest),
        cmocka_unit_test(a_hollow_sphere_comes_to_rest),
        cmocka_unit_test(a_solid_ring_of_springs_rebounds_less_high_than_it_fell),
        cmocka_unit_test(a_shell_that_can_be_squeezed_flat_calms_down),
        cmocka_unit_test(a_sheet_that_hangs_by_a_corner_gains_no_energy),
        cmocka_unit_test(a_shell_of_limits_alone_does_not_go_on_sinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
