/* A hinge whose only free particle has no lever. At a right angle the gradient of p4 is zero, or in floats some
 * rounding noise. A division by that noise would throw the particle far away. */
#include "taut.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* p1, p2 and p3 are pinned. Both triangles have their right angle at p3, so no motion of p4 changes the angle to first
 * order. */
static const float hinge[4][3] = {{0.05f, 0, 0}, {-0.0433f, 0.025f, 0}, {0, 0, 0}, {0, 0, 0.0316f}};

/* How far p4 goes in one step that would flatten the hinge, in lengths of its edge. */
static double thrown(taut_bend_model model, const float rotation[4])
{
    taut_error error;
    float x[12];
    int tri[6] = {0, 2, 3, 1, 3, 2};
    unsigned char pinned[4] = {1, 1, 1, 0};
    for (int v = 0; v < 4; v++)
        for (int c = 0; c < 3; c++) x[3 * v + c] = hinge[v][c];
    const taut_mesh mesh = {.nvertices = 4, .ntris = 2, .x = x, .tri = tri, .pinned = pinned};
    taut_material material = taut_default_material();
    material.strain = (taut_strain){.rest = {1, 1, 1}};
    material.bend = (taut_bend){.model = model, .stiffness = 1, .flat = true};
    material.tether = material.drag = material.lift = 0;
    taut_world_def def = taut_default_world_def();
    def.threads = def.substeps = 1;
    def.gravity[1] = 0;
    taut_body_def body_def = taut_default_body_def();
    for (int c = 0; c < 4; c++) body_def.rotation[c] = rotation[c];
    taut_model *built = taut_model_build(&mesh, &material, NULL, &error);
    taut_world *world = taut_world_create(&def, &error);
    int body = taut_world_add_body(world, built, &body_def, &error);
    assert_true(body >= 0);
    const float *p = taut_body_positions(world, body, NULL);
    double before[3] = {p[9], p[10], p[11]}, squares = 0;
    taut_world_step(world, 1.0f / 60);
    for (int c = 0; c < 3; c++) squares += pow(p[9 + c] - before[c], 2);
    taut_world_free(world);
    taut_model_free(built);
    return sqrt(squares) / 0.0316;
}

static void check(taut_bend_model model)
{
    const float turns[][4] = {
        {0, 0, 0, 1}, {0.6f, 0, 0, 0.8f}, {0.2f, 0.4f, 0.4f, 0.8f}, {0.5f, -0.5f, 0.1f, 0.7f}};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        double moved = thrown(model, turns[i]);
        if (!(moved < 1)) print_error("orientation %zu: thrown by %g edge lengths\n", i, moved);
        assert_true(moved < 1);
    }
}

static void dihedral(void **state)
{
    (void)state;
    check(TAUT_BEND_DIHEDRAL);
}

static void isometric(void **state)
{
    (void)state;
    check(TAUT_BEND_ISOMETRIC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dihedral), cmocka_unit_test(isometric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
