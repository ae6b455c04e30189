/* Weights that carry values from one mesh to another: linear fields, curved surfaces, layers, tets and triangles. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_coarsen.h"

static void linear_fields_are_exact(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(60);
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v + 2] = 0.5f * mesh.x[3 * v] + 0.25f * mesh.x[3 * v + 1];
    for (int divisor = 4; divisor <= 256; divisor *= 4) {
        level l = coarsen(&mesh, mesh.nvertices / divisor, NULL);
        tt_transfer up = transfer_between(&l.scope, &l.mesh, &mesh, (tt_transfer_options){.origin = l.origin});
        assert_weights(&up, &l.mesh);
        for (int v = 0; v < mesh.nvertices; v++)
            assert_true(fabs(carried(&up, &l.mesh, v) - linear(at(&mesh, v))) < 1e-6);
        for (int c = 0; c < l.mesh.nvertices; c++) {
            int v = l.origin[c];
            assert_int_equal(up.index[v][0], c);
            assert_true(up.weight[v][0] == 1 && up.weight[v][1] == 0 && up.weight[v][2] == 0 && up.weight[v][3] == 0);
        }
        tt_transfer blind = transfer_between(&l.scope, &l.mesh, &mesh, (tt_transfer_options){.origin = NULL});
        assert_weights(&blind, &l.mesh);
        for (int v = 0; v < mesh.nvertices; v++)
            assert_true(fabs(carried(&blind, &l.mesh, v) - linear(at(&mesh, v))) < 1e-6);
        level_close(&l);
    }
    taut_mesh_free(&mesh);
}

/* On a curved surface a vertex gets the value of a place that is no farther from it than the coarse mesh is from the
 * surface. */
static void curved_surfaces_transfer(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sphere(&mesh, 4, 1, NULL));
    level l = coarsen(&mesh, 160, NULL);
    tt_transfer up = transfer_between(&l.scope, &l.mesh, &mesh, (tt_transfer_options){.origin = l.origin});
    assert_weights(&up, &l.mesh);
    double edge = quality_of(&l.mesh).longest;
    for (int v = 0; v < mesh.nvertices; v++) { /* the height of the cap over an edge, and some */
        vec3 off = vec_sub(carried_place(&up, &l.mesh, v), at(&mesh, v));
        assert_true(vec_length(off) < 0.25 * edge * edge);
    }
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* Two layers are nearer to each other than their coarse meshes are to them. Each layer takes values from its own coarse
 * mesh. */
static void layers_do_not_mix(void **state)
{
    (void)state;
    enum { SIDE = 30 };
    taut_mesh one = sheet(SIDE), two = empty_mesh(2 * one.nvertices, 2 * one.ntris);
    for (int side = 0; side < 2; side++) {
        for (int v = 0; v < SIDE * SIDE; v++) {
            const float *x = one.x + 3 * v;
            put(&two, side * SIDE * SIDE + v, (double)x[0], (double)x[1],
                0.1 * sin(9 * (double)x[0]) * cos(9 * (double)x[1]) + 1e-4 * side);
        }
        for (int i = 0; i < 3 * one.ntris; i++) two.tri[side * 3 * one.ntris + i] = one.tri[i] + side * SIDE * SIDE;
    }
    level l = coarsen(&two, SIDE * SIDE / 8, NULL);
    tt_transfer up = transfer_between(&l.scope, &l.mesh, &two, (tt_transfer_options){.origin = l.origin});
    assert_weights(&up, &l.mesh);
    for (int v = 0; v < two.nvertices; v++)
        for (int i = 0; i < 4; i++) assert_int_equal(l.origin[up.index[v][i]] / (SIDE * SIDE), v / (SIDE * SIDE));
    level_close(&l);
    taut_mesh_free(&one);
    taut_mesh_free(&two);
}

/* If vertices are tied by their origin, a vertex without an element gets no weights. From a mesh without elements no
 * vertex gets any. */
static void nothing_to_listen_to(void **state)
{
    (void)state;
    static const float x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 2, 2}};
    static const int tri[1][3] = {{0, 1, 2}};
    taut_mesh fine = mesh_of(x, 4, tri, 1), empty = mesh_of(x, 4, tri, 0);
    level l = coarsen(&fine, 3, NULL);
    tt_transfer up = transfer_between(&l.scope, &l.mesh, &fine, (tt_transfer_options){.origin = l.origin});
    for (int i = 0; i < 4; i++) assert_true(up.weight[3][i] == 0 && up.index[3][i] == 0);
    up = transfer_between(&l.scope, &l.mesh, &fine, (tt_transfer_options){.origin = NULL});
    assert_weights(&up, &l.mesh); /* the closest, however far */
    up = transfer_between(&l.scope, &empty, &fine, (tt_transfer_options){.origin = NULL});
    for (int v = 0; v < 4; v++)
        for (int i = 0; i < 4; i++) assert_true(up.weight[v][i] == 0);
    level_close(&l);
    taut_mesh_free(&fine);
    taut_mesh_free(&empty);
}

/* Cloth and solid in one mesh: vertices take values from the nearest element. */
static void triangles_beside_tets(void **state)
{
    (void)state;
    static const float x[7][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 0, 0}, {4, 0, 0}, {3, 1, 0}};
    static const float points[3][3] = {{0.2f, 0.2f, 0.2f}, {3.25f, 0.25f, 0.1f}, {0.25f, 0.25f, -1}};
    int tri[3] = {4, 5, 6}, tet[4] = {0, 1, 2, 3};
    taut_mesh from = {.nvertices = 7, .ntris = 1, .ntets = 1, .x = (float *)x, .tri = tri, .tet = tet};
    taut_mesh to = {.nvertices = 3, .x = (float *)points};
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_transfer transfer = transfer_between(&scope, &from, &to, (tt_transfer_options){.extrapolate = false});
    assert_weights(&transfer, &from);
    static const float right_weight[3][4] = {
        {0.4f, 0.2f, 0.2f, 0.2f}, {0.5f, 0.25f, 0.25f, 0}, {0.5f, 0.25f, 0.25f, 0}};
    static const int right_index[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 4}, {0, 1, 2, 3}};
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < 4; i++) {
            assert_int_equal(transfer.index[v][i], right_index[v][i]);
            assert_true(fabsf(transfer.weight[v][i] - right_weight[v][i]) < 1e-6f);
        }
    transfer = transfer_between(&scope, &from, &to, (tt_transfer_options){.extrapolate = true});
    assert_true(fabsf(transfer.weight[2][3] + 1) < 1e-6f && fabsf(transfer.weight[2][0] - 1.5f) < 1e-6f);
    tt_scope_close(&scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_fields_are_exact),
        cmocka_unit_test(curved_surfaces_transfer),
        cmocka_unit_test(layers_do_not_mix),
        cmocka_unit_test(nothing_to_listen_to),
        cmocka_unit_test(triangles_beside_tets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
