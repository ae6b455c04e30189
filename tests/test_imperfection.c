/* The tiny pattern that lets exactly flat cloth buckle. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static taut_material cloth(void)
{
    taut_material m = taut_default_material();
    m.drag = m.lift = 0;
    return m;
}

/* The largest distance of a vertex of a new body from its place in the mesh. */
static double farthest_off(taut_mesh *mesh, float imperfection)
{
    taut_material m = cloth();
    taut_model *model = taut_model_build(mesh, &m, NULL, NULL);
    taut_world *world = plain_world(1, 1);
    taut_body_def def = taut_default_body_def();
    if (imperfection >= 0) def.imperfection = imperfection;
    int n, body = taut_world_add_body(world, model, &def, NULL);
    const float *x = taut_body_positions(world, body, &n);
    double farthest = 0;
    for (int i = 0; i < 3 * n; i++) farthest = fmax(farthest, fabs((double)x[i] - (double)mesh->x[i]));
    for (int i = 0; i < 3 * n; i++)
        if (mesh->pinned && mesh->pinned[i / 3]) assert_true(x[i] == mesh->x[i]);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(mesh);
    return farthest;
}

/* A sheet of 1 m by 1 m in any plane. */
static taut_mesh turned_sheet(int n, double angle)
{
    taut_mesh mesh = hanging_sheet(n);
    for (int i = 0; i < n * n; i++) {
        double y = (double)mesh.x[3 * i + 1];
        mesh.x[3 * i + 1] = (float)(y * cos(angle));
        mesh.x[3 * i + 2] = (float)(y * sin(angle));
    }
    return mesh;
}

static void flat_cloth_begins_a_little_out_of_its_plane(void **state)
{
    (void)state;
    for (int run = 0; run < 3; run++) {
        taut_mesh mesh = turned_sheet(20, run);
        double off = farthest_off(&mesh, -1), edge = 1.2 / 19; /* about the mean of sides and diagonals */
        assert_true(off > 2e-4 * edge && off < 1e-3 * edge);
        mesh = turned_sheet(20, run);
        expect_near(farthest_off(&mesh, 0), 0, 0);
        mesh = turned_sheet(20, run);
        assert_true(farthest_off(&mesh, 0.1f) > 2e-2 * edge);
    }
}

static void what_is_not_flat_begins_as_it_is(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sphere(&mesh, 2, 1, NULL));
    expect_near(farthest_off(&mesh, -1), 0, 0);
    assert_true(taut_mesh_chain(&mesh, 20, 1, NULL));
    expect_near(farthest_off(&mesh, -1), 0, 0);
    assert_true(taut_mesh_beam(&mesh, 4, 2, 2, 1, 0.5f, 0.5f, NULL));
    expect_near(farthest_off(&mesh, -1), 0, 0);
    mesh = hanging_sheet(20);
    mesh.x[3 * 210 + 2] = 1e-4f;
    expect_near(farthest_off(&mesh, -1), 0, 0);
}

static void imperfections_out_of_range_are_refused(void **state)
{
    (void)state;
    const float bad[] = {-0.1f, 1.1f, NAN, INFINITY};
    taut_material m = cloth();
    taut_model *model = free_sheet_model(5, &m);
    taut_world *world = plain_world(1, 1);
    for (int i = 0; i < LENGTH(bad); i++) {
        taut_body_def def = taut_default_body_def();
        taut_error error = stale();
        def.imperfection = bad[i];
        assert_int_equal(taut_world_add_body(world, model, &def, &error), -1);
        assert_int_equal(error.code, TAUT_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "imperfection"));
    }
    taut_world_free(world);
    taut_model_free(model);
}

/* The top edge of a curtain is gathered to two thirds in a second. Returns how far the curtain comes out of its
 * plane. */
static double depth_of_folds(float imperfection)
{
    enum { SIDE = 25 };
    taut_material m = cloth();
    taut_mesh mesh = hanging_sheet(SIDE);
    for (int i = 0; i < SIDE; i += 4) assert_true(taut_mesh_pin(&mesh, i, NULL));
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = plain_world(8, 1);
    taut_body_def def = taut_default_body_def();
    def.imperfection = imperfection;
    int n, body = taut_world_add_body(world, model, &def, NULL);
    for (int step = 1; step <= 120; step++) {
        float width = 1 - fminf((float)step / 60, 1) / 3;
        for (int i = 0; i < SIDE; i += 4) {
            const float target[3] = {width * mesh.x[3 * i], mesh.x[3 * i + 1], mesh.x[3 * i + 2]};
            assert_true(taut_body_pin(world, body, i, target, 1, NULL));
        }
        taut_world_step(world, 1.0f / 60);
    }
    const float *x = taut_body_positions(world, body, &n);
    double deepest = 0;
    for (int i = 0; i < n; i++) deepest = fmax(deepest, fabs((double)x[3 * i + 2]));
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
    return deepest;
}

static void a_gathered_curtain_buckles(void **state)
{
    (void)state;
    expect_near(depth_of_folds(0), 0, 0);
    assert_true(depth_of_folds(taut_default_body_def().imperfection) > 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_cloth_begins_a_little_out_of_its_plane),
        cmocka_unit_test(what_is_not_flat_begins_as_it_is),
        cmocka_unit_test(imperfections_out_of_range_are_refused),
        cmocka_unit_test(a_gathered_curtain_buckles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
