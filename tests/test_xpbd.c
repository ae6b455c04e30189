/* test_xpbd.c: physical stiffness compared with closed forms, and its independence of step, substeps and iterations. */
#include "base/exact.h"
#include "scenery.h"
#include "slow_build.h"

static const float G = 9.81f;

/* The settings with which a scene is solved. */
typedef struct effort {
    float dt;
    int substeps, iterations;
} effort;

static void settle(scene *s, effort e, double seconds)
{
    taut_error error;
    check_done(taut_world_set_solver(s->world, e.substeps, e.iterations, &error), &error);
    step(s, (int)(seconds / (double)e.dt + 0.5), e.dt);
    check_sound("settled", s);
    check_within("speed when settled", largest_speed(s), 0, 0.01);
}

/* ---- Stretch ---- */

/* A chain of 10 segments, 1 m, 0.5 kg/m, hanging from vertex 0. */
static scene chain_scene(float EA)
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_chain(&s.mesh, 11, 1, &error), &error);
    pin_rest(&s, 0);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = 0.5f;
    s.material.edge = EA;
    s.material.damping.global = 3;
    s.material.damping.edge = 20;
    s.def.gravity[0] = G;
    build_scene(&s);
    return s;
}

static void test_hanging_chain_matches_the_closed_form(void **state)
{
    (void)state;
    const float EA = 100;
    scene s = chain_scene(EA);
    settle(&s, (effort){STEP, 20, 4}, 4);
    for (int i = 0; i < 10; i++) {
        double length = d3_length(d3_sub(vertex(&s, i + 1), vertex(&s, i)));
        double below = 0.5 * (double)G * (1 - 0.1 * i - 0.05); /* weight of the vertices below, half of the last */
        check_ratio("elongation of a segment", length - 0.1, below * 0.1 / (double)EA, 0.05);
    }
    free_scene(&s);
}

static const effort efforts[] = {{1.0f / 60, 10, 2}, {1.0f / 30, 10, 2}, {1.0f / 60, 20, 2}, {1.0f / 60, 10, 4}};

static double chain_length(effort e)
{
    scene s = chain_scene(100);
    settle(&s, e, 4);
    double length = d3_length(d3_sub(vertex(&s, 10), vertex(&s, 0)));
    free_scene(&s);
    return length - 1;
}

/* A sheet hanging from its top row: modulus Y in N/m along both axes, 0.3 kg/m^2. */
static double sheet_elongation(effort e, float Y, float height)
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet_irregular(&s.mesh, 7, 9, 0.75f, height, 0.25f, 4, &error), &error);
    for (int v = 0; v < 7; v++) pin_rest(&s, v);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = 0.3f;
    s.material.strain = (taut_strain){.xx = Y, .yy = Y, .xy = Y / 2, .rest = {1, 1, 1}};
    s.material.damping.global = 2;
    s.material.damping.stretch = 10;
    s.def.gravity[1] = -G;
    build_scene(&s);
    settle(&s, e, 5);
    double mean = 0;
    for (int v = 56; v < 63; v++) mean -= vertex(&s, v).y / 7;
    free_scene(&s);
    return mean - (double)height;
}

static void test_steady_stretch_does_not_drift(void **state)
{
    (void)state;
    double chain = chain_length(efforts[0]), sheet = sheet_elongation(efforts[0], 40, 1);
    for (int i = 1; i < LENGTH(efforts); i++) {
        check_ratio("chain with doubled effort", chain_length(efforts[i]), chain, 0.05);
        check_ratio("sheet with doubled effort", sheet_elongation(efforts[i], 40, 1), sheet, 0.05);
    }
}

static void test_hanging_sheet_matches_the_closed_form(void **state)
{
    (void)state;
    const double Y = 40, L = 1;
    double expected = 0.3 * (double)G * L * L / (2 * Y);
    check_ratio("elongation", sheet_elongation((effort){STEP, 20, 4}, (float)Y, (float)L), expected, 0.05);
}

/* A bar of tets of 1 m hangs from its end face. The modes are independent, so its Poisson ratio is zero. */
static void test_hanging_bar_matches_the_closed_form(void **state)
{
    (void)state;
    const float E = 1e5f, density = 500;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_beam(&s.mesh, 8, 2, 2, 1, 0.25f, 0.25f, &error), &error);
    for (int v = 0; v < s.mesh.nvertices; v++)
        if (s.mesh.x[3 * v] == 0) pin_rest(&s, v);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = density;
    s.material.strain =
        (taut_strain){.xx = E, .yy = E, .zz = E, .xy = E / 2, .yz = E / 2, .xz = E / 2, .rest = {1, 1, 1}};
    s.material.damping.global = 3;
    s.material.damping.stretch = 20;
    s.def.gravity[0] = G;
    build_scene(&s);
    settle(&s, (effort){STEP, 20, 4}, 4);
    double mean = 0;
    int tips = 0;
    for (int v = 0; v < s.mesh.nvertices; v++)
        if (s.mesh.x[3 * v] == 1) mean += vertex(&s, v).x, tips++;
    check_ratio("elongation", mean / tips - 1, (double)(density * G / (2 * E)), 0.05);
    free_scene(&s);
}

/* ---- Bending ---- */

/* A cantilever of lines, clamped by its first two vertices. The first hinge, at vertex 1, stands for half a segment on
 * either side, so the clamp of beam theory is half a segment before it. The load is a distributed weight w and a force
 * F at the tip. */
static void test_line_cantilever_matches_beam_theory(void **state)
{
    (void)state;
    enum { COUNT = 21 };
    const double EI = 0.01, line_density = 0.01, tip = 0.004, gravity = 0.5;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_chain(&s.mesh, COUNT, 1, &error), &error);
    pin_rest(&s, 0);
    pin_rest(&s, 1);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = (float)line_density;
    s.material.edge = 100;
    s.material.bend = (taut_bend){.model = TAUT_BEND_TRIANGLE, .stiffness = (float)EI};
    s.material.damping.global = 4;
    s.def.gravity[1] = (float)-gravity;
    build_scene(&s);
    double l = 1.0 / (COUNT - 1);
    check_done(taut_body_set_mass(s.world, s.body, COUNT - 1, (float)(tip + line_density * l / 2), &error), &error);
    settle(&s, (effort){STEP, 20, 30}, 6);
    double F = tip * gravity, w = line_density * gravity, L = 1 - l / 2;
    double expected = F * L * L * L / (3 * EI) + w * L * L * L * L / (8 * EI);
    check_ratio("tip deflection", -vertex(&s, COUNT - 1).y, expected, 0.05);
    free_scene(&s);
}

/* A strip of cloth clamped by its first two rows. As above, the clamp of plate theory is half a row before the
 * second. */
static double strip_deflection(taut_bend bend, bool irregular, double *expected)
{
    enum { NX = 5, NY = 17 };
    const double density = 0.2, gravity = 0.5, B = 0.1, height = 0.8;
    scene s = bare_scene();
    taut_error error;
    check_done(irregular ? taut_mesh_sheet_irregular(&s.mesh, NX, NY, 0.2f, (float)height, 0.2f, 7, &error)
                         : taut_mesh_sheet(&s.mesh, NX, NY, 0.2f, (float)height, &error),
               &error);
    for (int v = 0; v < 2 * NX; v++) pin_rest(&s, v);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = (float)density;
    s.material.strain = (taut_strain){.xx = 100, .yy = 100, .xy = 50, .rest = {1, 1, 1}};
    s.material.bend = bend;
    s.material.bend.stiffness = (float)B;
    s.material.damping.global = 6;
    s.def.gravity[2] = (float)-gravity;
    build_scene(&s);
    settle(&s, (effort){STEP, 20, 30}, 5);
    double mean = 0, L = height * (NY - 1.5) / (NY - 1);
    for (int i = 0; i < NX; i++) mean -= vertex(&s, (NY - 1) * NX + i).z / NX;
    free_scene(&s);
    *expected = density * gravity * L * L * L * L / (8 * B);
    return mean;
}

/* Hinges see only the curvature across their own edge, so the result depends on how the mesh is cut; the tolerance of
 * 10 % allows for that. */
static void test_cloth_cantilever_matches_plate_theory(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const taut_bend_model models[] = {TAUT_BEND_ISOMETRIC, TAUT_BEND_DIHEDRAL};
    for (int m = 0; m < LENGTH(models); m++)
        for (int irregular = 0; irregular <= 1; irregular++) {
            double expected, measured = strip_deflection((taut_bend){.model = models[m]}, irregular, &expected);
            char what[64];
            snprintf(what, sizeof what, "deflection, model %d, irregular %d", (int)models[m], irregular);
            check_ratio(what, measured, expected, 0.1);
        }
}

/* The strip of ASTM D1388: rigidity B and weight rho g have the bending length c = (B / (rho g))^(1/3). The line from
 * the clamp to the tip of an overhang of 2c falls by 41.49 degrees (the elastica under its own weight, integrated
 * numerically; the standard says 41.5). The clamp is half a row before the second row of pins. An overhang measured
 * from that row would be half an edge too long; with 6 edges it bends to 47 degrees. Returns the angle in degrees. */
static double bending_angle(taut_bend_model model, uint32_t seed)
{
    enum { NX = 11, FREE = 12, NY = FREE + 2 };
    const double B = 1e-4, density = 0.4, width = 0.05;
    const double overhang = 2 * cbrt(B / (density * (double)G)), row = overhang / (FREE + 0.5);
    const float height = (float)(row * (NY - 1));
    scene s = bare_scene();
    taut_error error;
    check_done(seed ? taut_mesh_sheet_irregular(&s.mesh, NX, NY, (float)width, height, 0.25f, seed, &error)
                    : taut_mesh_sheet(&s.mesh, NX, NY, (float)width, height, &error),
               &error);
    for (int v = 0; v < 2 * NX; v++) pin_rest(&s, v);
    s.material.units = TAUT_PHYSICAL;
    s.material.density = (float)density;
    s.material.strain = (taut_strain){.xx = 3000, .yy = 3000, .xy = 60, .rest = {1, 1, 1}};
    s.material.bend = (taut_bend){.model = model, .stiffness = (float)B};
    s.material.damping.global = 10;
    s.def.gravity[2] = -G;
    build_scene(&s);
    settle(&s, (effort){STEP, 50, 40}, 1.2);
    double forward = 0, down = 0;
    for (int i = 0; i < NX; i++) {
        d3 tip = vertex(&s, (NY - 1) * NX + i);
        forward -= (tip.y + row / 2) / NX, down -= tip.z / NX;
    }
    free_scene(&s);
    return atan2(down, forward) * 180 / TT_PI;
}

/* The cut of a mesh makes a strip stiffer or softer: irregular meshes are up to a quarter too stiff. The angle grows by
 * 2.8 degrees when the rigidity falls by an eighth. */
static void test_a_strip_bends_to_the_angle_of_its_rigidity(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const taut_bend_model models[] = {TAUT_BEND_ISOMETRIC, TAUT_BEND_DIHEDRAL};
    for (int m = 0; m < LENGTH(models); m++) {
        check_near("angle of a regular strip", bending_angle(models[m], 0), 41.5, 1.5);
        double mean = 0;
        for (uint32_t seed = 1; seed <= 4; seed++) mean += bending_angle(models[m], seed) / 4;
        check_near("mean angle of irregular strips", mean, 41.5, 5);
    }
}

/* ---- Ratio stiffness ---- */

/* k' = 1 - (1-k)^(1/n): the error that is left of a single constraint does not depend on n (TB eq. 6). */
static void test_ratio_does_not_depend_on_iterations(void **state)
{
    (void)state;
    const int counts[][2] = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {4, 1}, {4, 2}};
    for (int i = 0; i < LENGTH(counts); i++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_chain(&s.mesh, 2, 1, &error), &error);
        s.material.edge = 0.5f;
        s.material.damping.global = 1e9f; /* no motion carries over from one substep to the next */
        s.def.substeps = counts[i][0], s.def.iterations = counts[i][1];
        build_scene(&s);
        deform(&s, (const double[3][3]){{1.4, 0, 0}, {0, 1, 0}, {0, 0, 1}});
        step(&s, 1, STEP);
        check_near("strain left", vertex(&s, 1).x - vertex(&s, 0).x - 1, 0.2, 1e-6);
        free_scene(&s);
    }
}

/* INFINITY is rigid and zero is off, never the other way round. */
static void test_infinite_is_rigid_and_zero_is_off(void **state)
{
    (void)state;
    for (int rigid = 0; rigid <= 1; rigid++) {
        scene s = chain_scene(rigid ? INFINITY : 0);
        taut_error error;
        check_done(taut_world_set_solver(s.world, 50, 10, &error), &error);
        step(&s, 30, STEP);
        check_sound("chain", &s);
        double length = d3_length(d3_sub(vertex(&s, 10), vertex(&s, 0)));
        if (rigid) check_within("rigid chain", length, 0.999, 1.01);
        else check_within("chain of nothing", length, 1.5, 3);
        free_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hanging_chain_matches_the_closed_form),
        cmocka_unit_test(test_steady_stretch_does_not_drift),
        cmocka_unit_test(test_hanging_sheet_matches_the_closed_form),
        cmocka_unit_test(test_hanging_bar_matches_the_closed_form),
        cmocka_unit_test(test_line_cantilever_matches_beam_theory),
        cmocka_unit_test(test_cloth_cantilever_matches_plate_theory),
        cmocka_unit_test(test_a_strip_bends_to_the_angle_of_its_rigidity),
        cmocka_unit_test(test_ratio_does_not_depend_on_iterations),
        cmocka_unit_test(test_infinite_is_rigid_and_zero_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
