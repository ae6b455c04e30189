/* Bodies hang plumb and still, with any friction and levels. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = 3.14159265358979 / 180;

static double rms_speed(const taut_world *world, int body)
{
    int n;
    const float *v = taut_body_velocities(world, body, &n);
    double squares = 0;
    for (int i = 0; i < 3 * n; i++) squares += (double)v[i] * (double)v[i];
    return sqrt(squares / n);
}

/* The angle in degrees between the plumb line below the axis y = z = 0 and the centre of mass, seen from that axis. */
static double off_plumb(const taut_world *world, int body, const double *mass)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    double y = 0, z = 0;
    for (int i = 0; i < n; i++) {
        y += mass[i] * (double)x[3 * i + 1];
        z += mass[i] * (double)x[3 * i + 2];
    }
    return atan2(z, -y) / DEGREE;
}

static int add_turned_about_x(taut_world *world, const taut_model *model, double angle)
{
    taut_body_def def = taut_default_body_def();
    def.rotation[0] = (float)sin(angle / 2);
    def.rotation[3] = (float)cos(angle / 2);
    int body = taut_world_add_body(world, model, &def, NULL);
    assert_true(body >= 0);
    return body;
}

/* Lets go a curtain of 60 by 60 vertices that is 20 degrees off plumb, and measures how it hangs in the end. */
static void swing(taut_material m, bool whole_edge, int substeps, int iterations, double *off, double *speed)
{
    taut_mesh mesh = hanging_sheet(60);
    for (int i = 1; i < 59 && whole_edge; i++) assert_true(taut_mesh_pin(&mesh, i, NULL));
    double *mass = calloc(60 * 60, sizeof *mass);
    assert_true(taut_mesh_masses(&mesh, &m, mass, NULL));
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = plain_world(substeps, iterations);
    int body = add_turned_about_x(world, model, 20 * DEGREE);
    *off = *speed = 0;
    for (int step = 0; step < 1200; step++) {
        taut_world_step(world, 1.0f / 60);
        if (step < 1140) continue;
        *off = fmax(*off, fabs(off_plumb(world, body, mass)));
        *speed = fmax(*speed, rms_speed(world, body));
    }
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
    free(mass);
}

static void a_curtain_hangs_plumb_and_still(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int run = 0; run < 4; run++) {
        taut_material m = taut_default_material();
        if (run > 0) m.contact = TAUT_CONTACT_OFF; /* contact takes most of the time, and one run with it is enough */
        if (run % 2) m.limit.stretch[1] = 1.02f;
        double off, speed;
        swing(m, run > 1, 4, 2, &off, &speed);
        if (!(off < 0.05)) fail_msg("run %d: %g degrees off plumb", run, off);
        if (!(speed < 1e-3)) fail_msg("run %d: rms speed %g m/s", run, speed);
    }
}

static taut_model *sheet_without_forces(int levels, float dry)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    taut_model_options options = taut_default_model_options();
    assert_true(taut_mesh_sheet(&mesh, 20, 20, 1, 1, NULL));
    m.damping.global = m.drag = m.lift = m.tether = 0;
    m.damping.dry = dry;
    if (levels == 0) memset(&m.strain.xx, 0, 6 * sizeof(float)), m.bend.model = TAUT_BEND_NONE;
    options.levels = levels;
    taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

/* Friction inside a body does not slow down its fall. */
static void dry_friction_brakes_no_fall(void **state)
{
    (void)state;
    const struct {
        int levels;
        float dry;
    } runs[] = {{2, -1}, {0, 0.25f}, {2, 2}};
    for (int i = 0; i < LENGTH(runs); i++) {
        taut_model *model = sheet_without_forces(runs[i].levels, runs[i].dry);
        taut_world *world = plain_world(2, 1);
        int body = add_turned_about_x(world, model, 0.3);
        step_times(world, 30);
        expect_near(rms_speed(world, body), 9.81 / 2, 1e-4);
        taut_world_free(world);
        taut_model_free(model);
    }
}

/* The speed of a vertex that shakes with `v`, after a substep of a 120th of a second in which only friction acts. */
static double rubbed(double v, double dry, double size)
{
    double slow = 0.15 * sqrt(size * 9.81);
    return fmax(0, v - dry * 9.81 / 120 / (1 + v * v / (slow * slow)));
}

/* Vertices shake against each other. Friction brakes slow ones by a share of gravity, and fast ones hardly. */
static void dry_friction_brakes_what_is_slow_inside(void **state)
{
    (void)state;
    const struct {
        float dry, start;
    } runs[] = {{-1, 0.1f}, {0, 0.1f}, {0.08f, 0.1f}, {2, 0.1f}, {2, 1}};
    for (int i = 0; i < LENGTH(runs); i++) {
        taut_model *model = sheet_without_forces(0, runs[i].dry);
        taut_world *world = plain_world(2, 1);
        int n, body = taut_world_add_body(world, model, NULL, NULL);
        taut_body_velocities(world, body, &n);
        float *v = calloc(3 * (size_t)n, sizeof *v);
        double size = sqrt((1.0 + 1.0) / 12), want = (double)runs[i].start;
        for (int k = 0; k < n; k++) /* squares of 2 x 2 vertices shake; the whole moves by less than 0.03 of that */
            v[3 * k] = (k % 20 / 2 + k / 40) % 2 ? runs[i].start : -runs[i].start;
        assert_true(taut_body_set_velocities(world, body, v, NULL));
        taut_world_step(world, 1.0f / 60);
        for (int substep = 0; substep < 2; substep++) want = rubbed(want, fmax((double)runs[i].dry, 0), size);
        for (int k = 205; k < 215; k++)
            expect_near(fabs((double)taut_body_velocities(world, body, NULL)[3 * k]), want,
                        0.03 * (double)runs[i].start);
        free(v);
        taut_world_free(world);
        taut_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curtain_hangs_plumb_and_still),
        cmocka_unit_test(dry_friction_brakes_no_fall),
        cmocka_unit_test(dry_friction_brakes_what_is_slow_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
