/* How much softer bodies act than their moduli and limits say: the estimate compared with hanging sheets, ropes and
 * bars. */
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

/* ---- Ropes and solids ---- */

typedef struct hanging {
    taut_mesh mesh;
    double length, density; /* of a column, by its length, its width or its cross-section */
} hanging;

/* A rope of 1 m, down. */
static hanging rope_of(int lines)
{
    hanging h = {.length = 1, .density = 0.05};
    assert_true(taut_mesh_allocate(&h.mesh, lines + 1, 0, 0, lines, false, false, NULL));
    for (int v = 0; v <= lines; v++) {
        h.mesh.x[3 * v] = h.mesh.x[3 * v + 2] = 0;
        h.mesh.x[3 * v + 1] = -(float)v / (float)lines;
        if (v > 0) h.mesh.line[2 * v - 2] = v - 1, h.mesh.line[2 * v - 1] = v;
    }
    assert_true(taut_mesh_pin(&h.mesh, 0, NULL));
    return h;
}

/* A bar of 40 cm, turned so that its x axis points down. */
static hanging bar_of(int cells)
{
    hanging h = {.length = 0.4, .density = 1000};
    assert_true(taut_mesh_beam(&h.mesh, 4 * cells, cells, cells, 0.4f, 0.1f, 0.1f, NULL));
    for (int v = 0; v < h.mesh.nvertices; v++) {
        float x = h.mesh.x[3 * v];
        if (x < 1e-6f) assert_true(taut_mesh_pin(&h.mesh, v, NULL));
        h.mesh.x[3 * v] = h.mesh.x[3 * v + 1], h.mesh.x[3 * v + 1] = -x; /* a quarter turn */
    }
    return h;
}

static taut_material springy(const hanging *h, float modulus)
{
    taut_material m = fabric(modulus);
    bool solid = h->mesh.ntets > 0;
    m.density = (float)h->density;
    m.strain.zz = modulus;
    m.strain.xy = m.strain.yz = m.strain.xz = modulus / 3;
    if (!solid) m.strain = (taut_strain){.rest = {1, 1, 1}}, m.edge = modulus;
    return m;
}

/* How far the lowest vertex hangs below its place at rest. */
static double sag_of(const hanging *h, const taut_model *model, int substeps, int iterations)
{
    taut_world *world = plain_world(substeps, iterations);
    int body = taut_world_add_body(world, model, NULL, NULL);
    step_times(world, 300);
    const float *x = taut_body_positions(world, body, NULL);
    double low = 0;
    for (int v = 0; v < h->mesh.nvertices; v++) low = fmin(low, (double)x[3 * v + 1]);
    taut_world_free(world);
    return -low - h->length;
}

static void hang_column(hanging h, float modulus, int substeps, int iterations)
{
    taut_material m = springy(&h, modulus);
    taut_model_options options = taut_default_model_options();
    options.levels = 0;
    taut_model *model = taut_model_build(&h.mesh, &m, &options, NULL);
    assert_non_null(model);
    taut_resolution r = taut_model_resolution(model, 1.0 / 60 / substeps, iterations);
    double softer = h.mesh.ntets ? r.warp : r.edge, stiff = h.density * 9.81 * h.length * h.length / 2;
    double real = sag_of(&h, model, substeps, iterations) / (stiff / (double)modulus);
    expect_near(h.mesh.ntets ? r.edge : r.warp, 1, 0);
    if (h.mesh.ntets) expect_near(r.depth, r.weft, 0);
    if (softer > 1.7 ? !(real > 0.6 * softer && real < 1.1 * softer) : real > 1.5)
        fail_msg("%d vertices, %g: %g times as estimated, %g in fact", h.mesh.nvertices, (double)modulus, softer, real);
    taut_model_free(model);
    taut_mesh_free(&h.mesh);
}

static void the_estimate_is_what_a_hanging_rope_does(void **state)
{
    (void)state;
    const struct {
        int lines, substeps, iterations;
        float modulus;
    } runs[] = {{16, 4, 1, 1}, {16, 32, 4, 10}, {32, 4, 1, 10}, {32, 4, 1, 1000}, {64, 4, 4, 10}, {64, 32, 1, 1000}};
    for (int i = 0; i < LENGTH(runs); i++)
        hang_column(rope_of(runs[i].lines), runs[i].modulus, runs[i].substeps, runs[i].iterations);
}

static void the_estimate_is_what_a_hanging_bar_does(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const struct {
        int cells, substeps, iterations;
        float modulus;
    } runs[] = {{2, 4, 1, 1e4f}, {2, 4, 1, 1e6f}, {2, 32, 4, 1e6f}, {4, 4, 1, 1e5f},
                {4, 4, 1, 1e6f}, {8, 4, 1, 1e5f}, {8, 4, 4, 1e6f},  {8, 32, 1, 1e5f}};
    for (int i = 0; i < LENGTH(runs); i++)
        hang_column(bar_of(runs[i].cells), runs[i].modulus, runs[i].substeps, runs[i].iterations);
}

/* ---- Limits ---- */

/* How much longer than its limit allows a hanging sheet is in the mean, and the estimate of that. */
static void the_estimate_is_how_far_a_sheet_hangs_over_its_limit(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const int runs[][3] = {{17, 4, 1}, {17, 16, 6}, {33, 4, 1}, {33, 4, 6}, {33, 16, 1}, {65, 4, 6}};
    for (int i = 0; i < LENGTH(runs); i++) {
        int n = runs[i][0], substeps = runs[i][1];
        taut_material m = fabric(0);
        m.units = TAUT_RATIO;
        m.limit.stretch[1] = 1.02f;
        m.limit.iterations = runs[i][2];
        taut_model *model = hung(n, &m);
        double over = taut_model_resolution(model, 1.0 / 60 / substeps, 1).limit;
        double real = measured(model, n, 1, substeps, 1) * DENSITY * 9.81 / 2 - 0.02;
        if (!(real > 0.6 * over && real < 1.1 * over)) fail_msg("run %d: %g as estimated, %g in fact", i, over, real);
        taut_model_free(model);
    }
}

/* Springs that carry the weight, and limits that are too wide to be met, leave nothing to the limits. */
static void limits_that_are_not_met_are_not_exceeded(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        taut_material m = fabric(i ? 2000 : 0);
        m.limit.stretch[1] = i ? 1.5f : INFINITY;
        m.limit.stretch[0] = 0.5f;
        taut_model *model = hung(17, &m);
        expect_near(taut_model_resolution(model, 1.0 / 960, 1).limit, 0, 0);
        taut_model_free(model);
    }
}

/* ---- What there is nothing to say of ---- */

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
        expect_near(r.depth, 1, 0);
        expect_near(r.edge, 1, 0);
        expect_near(r.limit, 0, 0);
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
        cmocka_unit_test(the_estimate_is_what_a_hanging_rope_does),
        cmocka_unit_test(the_estimate_is_what_a_hanging_bar_does),
        cmocka_unit_test(the_estimate_is_how_far_a_sheet_hangs_over_its_limit),
        cmocka_unit_test(limits_that_are_not_met_are_not_exceeded),
        cmocka_unit_test(what_has_no_modulus_is_resolved),
        cmocka_unit_test(bending_fades_with_the_fourth_power_of_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
