/* How much softer cloth acts than its moduli say: the estimate compared with a hanging sheet. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <math.h>

static const double DENSITY = 0.15;

static taut_material fabric(float modulus)
{
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.density = (float)DENSITY;
    m.strain = (taut_strain){.xx = modulus, .yy = modulus, .xy = modulus / 4, .rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.tether = m.drag = m.lift = m.damping.dry = 0;
    m.damping.global = 3;
    return m;
}

/* A sheet of 1 m by 1 m that hangs by its top edge, without levels. */
static taut_model *hung(int n, const taut_material *m)
{
    taut_mesh mesh;
    taut_model_options options = taut_default_model_options();
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    for (int i = 0; i < n; i++) assert_true(taut_mesh_pin(&mesh, i, NULL));
    options.levels = 0;
    taut_model *model = taut_model_build(&mesh, m, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

/* The sag over its closed form, density g / (2 modulus). */
static double measured(const taut_model *model, int n, double modulus, int substeps, int iterations)
{
    taut_world *world = plain_world(substeps, iterations);
    int body = taut_world_add_body(world, model, NULL, NULL);
    step_times(world, 400);
    const float *x = taut_body_positions(world, body, NULL);
    double sag = -1;
    for (int i = 0; i < n; i++) sag -= (double)x[3 * (n * (n - 1) + i) + 1] / n;
    taut_world_free(world);
    return sag / (DENSITY * 9.81 / (2 * modulus));
}

/* If the estimate is above 1.7, where the tool warns, the sheet must really be softer. If the sheet is much softer, the
 * tool must warn. */
static void the_estimate_is_what_a_hanging_sheet_does(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const struct {
        int n, substeps, iterations;
        float modulus;
    } runs[] = {{17, 4, 1, 20},    {17, 4, 1, 200},   {17, 4, 4, 200},  {17, 32, 1, 2000},
                {17, 32, 4, 2000}, {33, 4, 1, 20},    {33, 4, 4, 20},   {33, 4, 1, 2000},
                {33, 32, 1, 200},  {33, 32, 1, 2000}, {33, 32, 4, 2000}};
    for (int i = 0; i < LENGTH(runs); i++) {
        taut_material m = fabric(runs[i].modulus);
        taut_model *model = hung(runs[i].n, &m);
        double softer = taut_model_resolution(model, 1.0 / 60 / runs[i].substeps, runs[i].iterations).weft;
        double real = measured(model, runs[i].n, (double)runs[i].modulus, runs[i].substeps, runs[i].iterations);
        if (softer > 1.7 ? real < 1.2 : real > 1.5)
            fail_msg("run %d: %g times as estimated, %g in fact", i, softer, real);
        if (softer > 1.7 && !(real > 0.66 * softer && real < 1.1 * softer))
            fail_msg("run %d: %g times as estimated, %g in fact", i, softer, real);
        taut_model_free(model);
    }
}

static void what_has_no_modulus_is_resolved(void **state)
{
    (void)state;
    taut_material ratio = taut_default_material(), rigid = fabric(INFINITY);
    ratio.units = TAUT_RATIO;
    ratio.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 0.5f, .rest = {1, 1, 1}};
    ratio.bend = (taut_bend){.model = TAUT_BEND_NONE};
    for (int i = 0; i < 2; i++) {
        taut_material m = i ? rigid : ratio;
        m.tether = 0;
        taut_model *model = hung(9, &m);
        taut_resolution r = taut_model_resolution(model, 1.0 / 60, 1);
        expect_near(r.warp, 1, 0);
        expect_near(r.weft, 1, 0);
        expect_near(r.shear, 1, 0);
        expect_near(r.bend, 1, 0);
        taut_model_free(model);
    }
}

/* Bending compares 4 B/d^2 with m/h^2, so a mesh twice as fine is 16 times softer. */
static void bending_fades_with_the_fourth_power_of_the_mesh(void **state)
{
    (void)state;
    double softer[2];
    for (int i = 0; i < 2; i++) {
        taut_material m = fabric(100);
        m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 1e-3f};
        taut_model *model = hung(i ? 65 : 33, &m);
        softer[i] = taut_model_resolution(model, 1.0 / 240, 1).bend;
        taut_model_free(model);
    }
    expect_near((softer[1] - 1) / (softer[0] - 1), 16, 1.6); /* vertices are not quite cells */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_estimate_is_what_a_hanging_sheet_does),
        cmocka_unit_test(what_has_no_modulus_is_resolved),
        cmocka_unit_test(bending_fades_with_the_fourth_power_of_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
