/* Distances along surfaces against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "mesh/geodesic.h"
#include "mesh/straight.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct field {
    unsigned char *source;
    double *distance;
    int *nearest;
} field;

static field measure(const taut_mesh *mesh, const int *sources, int nsources)
{
    size_t n = (size_t)mesh->nvertices;
    field f = {calloc(n, 1), malloc(sizeof(double) * n), malloc(sizeof(int) * n)};
    assert_true(f.source && f.distance && f.nearest);
    for (int i = 0; i < nsources; i++) f.source[sources[i]] = 1;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    assert_true(tt_topology_build(&scope, mesh, &topology));
    assert_true(tt_geodesic(&scope, mesh, &topology, f.source, f.distance, f.nearest));
    tt_scope_close(&scope);
    return f;
}

static void drop(field *f)
{
    free(f->source);
    free(f->distance);
    free(f->nearest);
}

static double straight(const taut_mesh *mesh, int a, int b)
{
    return vec_length(vec_sub(vec_of(mesh->x + 3 * (size_t)a), vec_of(mesh->x + 3 * (size_t)b)));
}

/* Checks that every distance is the straight one to the nearest source, and that this source is named. */
static void assert_straight(const taut_mesh *mesh, const int *sources, int nsources, double part)
{
    field f = measure(mesh, sources, nsources);
    for (int v = 0; v < mesh->nvertices; v++) {
        double wanted = INFINITY;
        for (int i = 0; i < nsources; i++) wanted = fmin(wanted, straight(mesh, v, sources[i]));
        if (!(fabs(f.distance[v] - wanted) <= part * wanted))
            fail_msg("vertex %d: got %.9g, wanted %.9g", v, f.distance[v], wanted);
        assert_true(f.source[f.nearest[v]]);
        assert_true(fabs(straight(mesh, v, f.nearest[v]) - wanted) <= part * wanted);
    }
    drop(&f);
}

static void flat_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 21, 33, 2, 3, NULL));
    const int corners[4] = {0, 20, 32 * 21, 33 * 21 - 1}, middle = 15 * 21 + 8;
    for (int i = 0; i < 4; i++) assert_straight(&mesh, &corners[i], 1, 1e-6);
    assert_straight(&mesh, &middle, 1, 1e-6);
    assert_straight(&mesh, corners, 2, 1e-6);
    assert_straight(&mesh, corners, 4, 1e-6);
    taut_mesh_free(&mesh);
}

static void flat_irregular_sheet(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 8; seed++) {
        taut_mesh mesh;
        assert_true(taut_mesh_sheet_irregular(&mesh, 40, 30, 2, 1, 0.45f, seed, NULL));
        const int sources[5] = {0, 39, 333, 777, 778};
        assert_straight(&mesh, sources, 1, 1e-6);
        assert_straight(&mesh, sources, 2, 1e-6);
        assert_straight(&mesh, sources, 5, 1e-6);
        int row[40];
        for (int i = 0; i < 40; i++) row[i] = i;
        assert_straight(&mesh, row, 40, 1e-3);
        taut_mesh_free(&mesh);
    }
}

/* A sheet is turned in space, moved away and scaled, in float coordinates. Its distances are still straight. */
static void sheet_in_space(void **state)
{
    (void)state;
    for (float scale = 1e-3f; scale < 1e4f; scale *= 1000) {
        taut_mesh mesh;
        assert_true(taut_mesh_sheet_irregular(&mesh, 40, 30, 2, 1, 0.3f, 5, NULL));
        for (int v = 0; v < mesh.nvertices; v++) {
            float *x = mesh.x + 3 * v, a = x[0] * scale, b = x[1] * scale;
            x[0] = 0.36f * a - 0.8f * b + 3 * scale;
            x[1] = 0.48f * a + 0.6f * b;
            x[2] = -0.8f * a;
        }
        const int sources[3] = {0, 39, 611};
        assert_straight(&mesh, sources, 3, 1e-6);
        taut_mesh_free(&mesh);
    }
}

/* The winding of the triangles does not matter. */
static void sheet_of_mixed_winding(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 15, 15, 1, 1, NULL));
    for (int t = 0; t < mesh.ntris; t += 3) {
        int kept = mesh.tri[3 * t];
        mesh.tri[3 * t] = mesh.tri[3 * t + 1];
        mesh.tri[3 * t + 1] = kept;
    }
    const int source = 3;
    assert_straight(&mesh, &source, 1, 1e-6);
    taut_mesh_free(&mesh);
}

/* The tube unrolls to a sheet of flat facets. So distances are exact except for the difference of chord and arc. */
static void tube(void **state)
{
    (void)state;
    enum { AROUND = 48, ALONG = 40 };
    taut_mesh mesh;
    assert_true(taut_mesh_tube(&mesh, AROUND, ALONG, 0.5f, 3, NULL));
    const int source = 10 * AROUND + 7;
    field f = measure(&mesh, &source, 1);
    double facet = 2 * 0.5 * sin(PI / AROUND);
    for (int v = 0; v < mesh.nvertices; v++) {
        int across = abs(v % AROUND - 7), along = v / AROUND - 10;
        if (across > AROUND / 2) across = AROUND - across;
        double y = along * 3.0 / (ALONG - 1);
        double arc = sqrt(pow(across * 2 * PI / AROUND * 0.5, 2) + y * y);
        double unrolled = sqrt(pow(across * facet, 2) + y * y);
        assert_true(fabs(f.distance[v] - arc) <= 0.02 * arc);
        assert_true(fabs(f.distance[v] - unrolled) <= 1e-5 * unrolled);
    }
    drop(&f);
    taut_mesh_free(&mesh);
}

/* A distance is never shorter than a way across the facets, and not much longer than the arc. */
static void sphere(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sphere(&mesh, 4, 1, NULL));
    const int sources[2] = {0, 100};
    for (int n = 1; n <= 2; n++) {
        field f = measure(&mesh, sources, n);
        for (int v = 0; v < mesh.nvertices; v++) {
            double arc = INFINITY;
            for (int i = 0; i < n; i++) arc = fmin(arc, 2 * asin(fmin(1, straight(&mesh, v, sources[i]) / 2)));
            assert_true(f.distance[v] <= 1.005 * arc);
            assert_true(f.distance[v] >= 0.998 * arc); /* a facet's chord is 0.9992 of its arc */
        }
        drop(&f);
    }
    taut_mesh_free(&mesh);
}

/* A square sheet with a square hole: ways bend round its corners, and never cross it. */
static void around_a_hole(void **state)
{
    (void)state;
    enum { SIDE = 31, FROM = 10, TO = 20 };
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, SIDE, SIDE, 30, 30, NULL));
    int kept = 0;
    for (int t = 0; t < mesh.ntris; t++) {
        int cell = t / 2, i = cell % (SIDE - 1), j = cell / (SIDE - 1);
        if (i >= FROM && i < TO && j >= FROM && j < TO) continue;
        memmove(mesh.tri + 3 * kept++, mesh.tri + 3 * t, 3 * sizeof(int));
    }
    mesh.ntris = kept;
    const int source = 15 * SIDE + 5; /* left of the hole, in its middle */
    field f = measure(&mesh, &source, 1);
    const double to_corner = sqrt(5 * 5 + 5 * 5);
    struct {
        int i, j;
        double wanted;
    } cases[] = {{25, 15, to_corner + 10 + to_corner},              /* opposite: both corners */
                 {20, 15, to_corner + 10 + 5},                      /* behind the hole        */
                 {15, 10, to_corner + 5},                           /* on its upper rim       */
                 {12, 2, sqrt(7.0 * 7 + 13 * 13)},                  /* in sight               */
                 {24, 9, to_corner + sqrt(14.0 * 14 + 1)},          /* round one corner       */
                 {28, 12, to_corner + 10 + sqrt(8.0 * 8 + 2 * 2)}}; /* round both             */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double got = f.distance[cases[k].j * SIDE + cases[k].i];
        if (!(fabs(got - cases[k].wanted) <= 1e-6 * cases[k].wanted))
            fail_msg("case %zu: got %.9g, wanted %.9g", k, got, cases[k].wanted);
    }
    drop(&f);
    taut_mesh_free(&mesh);
}

static void along_lines_and_tets(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, 6, 5, NULL));
    const int end = 5;
    field f = measure(&mesh, &end, 1);
    for (int v = 0; v < 6; v++) assert_true(fabs(f.distance[v] - (5 - v)) < 1e-6);
    drop(&f);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_beam(&mesh, 4, 1, 1, 4, 1, 1, NULL));
    const int origin = 0;
    f = measure(&mesh, &origin, 1);
    for (int i = 0; i <= 4; i++) assert_true(fabs(f.distance[i] - i) < 1e-6);
    drop(&f);
    taut_mesh_free(&mesh);
}

/* A rope is tied to a corner of a sheet. Distances go on across the sheet from there. */
static void rope_to_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 11, 11, 1, 1, NULL));
    float x[3 * 122];
    memcpy(x, mesh.x, sizeof(float) * 3 * 121);
    const float *corner = x;
    x[3 * 121] = corner[0];
    x[3 * 121 + 1] = corner[1] + 2;
    x[3 * 121 + 2] = corner[2];
    int line[2] = {0, 121};
    taut_mesh both = {.nvertices = 122, .ntris = mesh.ntris, .nlines = 1};
    both.x = x;
    both.tri = mesh.tri;
    both.line = line;
    const int source = 121;
    field f = measure(&both, &source, 1);
    for (int v = 0; v < 121; v++) {
        double wanted = 2 + straight(&both, 0, v);
        assert_true(fabs(f.distance[v] - wanted) <= 1e-6 * wanted);
        assert_int_equal(f.nearest[v], 121);
    }
    drop(&f);
    taut_mesh_free(&mesh);
}

static void out_of_reach(void **state)
{
    (void)state;
    float x[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 9, 9, 9};
    int tri[3] = {0, 1, 2}, line[2] = {3, 4};
    taut_mesh mesh = {.nvertices = 6, .ntris = 1, .nlines = 1, .x = x, .tri = tri, .line = line};
    const int source = 1;
    field f = measure(&mesh, &source, 1);
    assert_true(f.distance[0] == 1 && f.distance[1] == 0);
    for (int v = 3; v < 6; v++) {
        assert_true(isinf(f.distance[v]));
        assert_int_equal(f.nearest[v], -1);
    }
    drop(&f);
    f = measure(&mesh, NULL, 0);
    for (int v = 0; v < 6; v++) assert_true(isinf(f.distance[v]) && f.nearest[v] == -1);
    drop(&f);
}

/* Collapsed rows and columns of a sheet: triangles without area and edges without length. */
static void degenerate_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 12, 12, 1, 1, NULL));
    for (int k = 0; k < 12; k++) {
        mesh.x[3 * (k * 12 + 5)] = mesh.x[3 * (k * 12 + 4)];
        mesh.x[3 * (7 * 12 + k) + 1] = mesh.x[3 * (6 * 12 + k) + 1];
    }
    const int source = 2 * 12 + 1;
    field f = measure(&mesh, &source, 1);
    for (int v = 0; v < mesh.nvertices; v++) {
        assert_true(f.distance[v] >= straight(&mesh, v, source) * (1 - 1e-6));
        assert_true(f.distance[v] <= straight(&mesh, v, source) * 1.09);
    }
    drop(&f);
    memset(mesh.x, 0, sizeof(float) * 3 * (size_t)mesh.nvertices); /* all in one place */
    f = measure(&mesh, &source, 1);
    for (int v = 0; v < mesh.nvertices; v++) assert_true(f.distance[v] == 0);
    drop(&f);
    taut_mesh_free(&mesh);
}

/* Three wings on one edge: ways cross it into both other wings. */
static void three_wings(void **state)
{
    (void)state;
    float x[15] = {0, 0, 0, 0, 1, 0, 1, 0.5f, 0, -1, 0.5f, 0, 0, 0.5f, 1};
    int tri[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    taut_mesh mesh = {.nvertices = 5, .ntris = 3, .x = x, .tri = tri};
    const int source = 2;
    field f = measure(&mesh, &source, 1);
    assert_true(fabs(f.distance[3] - 2) < 1e-6);
    assert_true(fabs(f.distance[4] - 2) < 1e-6);
    drop(&f);
}

/* Compares pairs from a few first vertices with searches from each of these alone. Edges twice as long make ways twice
 * as long. */
static void assert_pairs(const taut_mesh *mesh, double part)
{
    enum { FROM = 7, EACH = 5, PAIRS = FROM * EACH };
    int pair[PAIRS][2], n = mesh->nvertices;
    double between[PAIRS], doubled[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        pair[i][0] = i / EACH * (n - 1) / FROM;
        pair[i][1] = (pair[i][0] + 1 + 37 * i) % n;
    }
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    assert_true(tt_topology_build(&scope, mesh, &topology));
    assert_true(tt_geodesic_pairs(&scope, NULL, mesh, &topology, NULL, PAIRS, (const int(*)[2])pair, between));
    double *length = TT_TAKE(&scope, double, topology.nedges);
    assert_non_null(length);
    for (int e = 0; e < topology.nedges; e++) length[e] = 2 * straight(mesh, topology.edge[e].a, topology.edge[e].b);
    assert_true(tt_geodesic_pairs(&scope, NULL, mesh, &topology, length, PAIRS, (const int(*)[2])pair, doubled));
    for (int i = 0; i < PAIRS; i++) {
        field f = measure(mesh, pair[i], 1);
        double wanted = f.distance[pair[i][1]];
        if (!(fabs(between[i] - wanted) <= part * wanted)) fail_msg("pair %d: %.9g, not %.9g", i, between[i], wanted);
        if (!(fabs(doubled[i] - 2 * wanted) <= 1e-6 * wanted)) fail_msg("pair %d doubled: %.9g", i, doubled[i]);
        drop(&f);
    }
    tt_scope_close(&scope);
}

static void pairs(void **state)
{
    (void)state;
    taut_mesh sheet, roll;
    assert_true(taut_mesh_sheet_irregular(&sheet, 30, 20, 2, 1, 0.4f, 9, NULL));
    assert_true(taut_mesh_tube(&roll, 24, 12, 0.5f, 1, NULL));
    assert_pairs(&sheet, 1e-9);
    assert_pairs(&roll, 1e-9);
    taut_mesh_free(&sheet);
    taut_mesh_free(&roll);
}

/* Compares straight ways to vertices near and far with searches. A search keeps only a few beams, so its way may be a
 * little longer. Returns how many ways were found. */
static int assert_straight_ways(const taut_mesh *mesh, double part)
{
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    tt_terrain terrain;
    assert_true(tt_topology_build(&scope, mesh, &topology));
    assert_true(tt_terrain_build(&scope, mesh, &topology, NULL, &terrain));
    int found = 0;
    for (int u = 0; u < mesh->nvertices; u += 101) {
        field f = measure(mesh, &u, 1);
        for (int v = (u + 1) % 7; v < mesh->nvertices; v += 7) {
            double length = tt_straight_way(&terrain, u, v);
            if (v == u || isinf(length)) continue;
            found++;
            assert_true(length >= straight(mesh, u, v) * (1 - 1e-12));
            if (!(fabs(length - f.distance[v]) <= part * length))
                fail_msg("%d to %d: %.9g, by a search %.9g", u, v, length, f.distance[v]);
        }
        drop(&f);
    }
    tt_scope_close(&scope);
    return found;
}

static void straight_ways(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 30, 20, 2, 1, NULL));
    assert_int_equal(assert_straight_ways(&mesh, 1e-6), 6 * 86 - 1); /* along rows and the rim, too */
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_sheet_irregular(&mesh, 30, 20, 2, 1, 0.4f, 9, NULL));
    assert_true(assert_straight_ways(&mesh, 1e-6) > 400);
    for (int v = 0; v < mesh.nvertices; v++) /* hills and valleys */
        mesh.x[3 * v + 2] = 0.05f * (float)(sin(7 * (double)mesh.x[3 * v]) * cos(5 * (double)mesh.x[3 * v + 1]));
    assert_true(assert_straight_ways(&mesh, 1e-2) > 100);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_tube(&mesh, 48, 40, 0.5f, 3, NULL));
    assert_true(assert_straight_ways(&mesh, 1e-9) > 100);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_sphere(&mesh, 4, 1, NULL));
    assert_true(assert_straight_ways(&mesh, 5e-3) > 100);
    taut_mesh_free(&mesh);
}

/* No straight way crosses a slit. */
static void straight_ways_end_at_a_slit(void **state)
{
    (void)state;
    enum { SIDE = 21 };
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, NULL));
    int kept = 0;
    for (int t = 0; t < mesh.ntris; t++) {
        int cell = t / 2, i = cell % (SIDE - 1), j = cell / (SIDE - 1);
        if (i == 9 && j < 15) continue;
        memmove(mesh.tri + 3 * kept++, mesh.tri + 3 * t, 3 * sizeof(int));
    }
    mesh.ntris = kept;
    assert_true(assert_straight_ways(&mesh, 1e-6) > 100);
    const int pair[1][2] = {{5 * SIDE + 9, 5 * SIDE + 10}};
    double between;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    assert_true(tt_topology_build(&scope, &mesh, &topology));
    assert_true(tt_geodesic_pairs(&scope, NULL, &mesh, &topology, NULL, 1, pair, &between));
    assert_true(fabs(between - 21.0 / 20) < 1e-6); /* down, over and up again */
    tt_scope_close(&scope);
    taut_mesh_free(&mesh);
}

static void pairs_that_do_not_meet(void **state)
{
    (void)state;
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0};
    const int tri[] = {0, 1, 2, 3, 4, 5}, pair[2][2] = {{0, 4}, {0, 1}};
    const taut_mesh mesh = {.nvertices = 6, .ntris = 2, .x = (float *)(uintptr_t)x, .tri = (int *)(uintptr_t)tri};
    double between[2];
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    assert_true(tt_topology_build(&scope, &mesh, &topology));
    assert_true(tt_geodesic_pairs(&scope, NULL, &mesh, &topology, NULL, 2, pair, between));
    assert_true(isinf(between[0]));
    assert_true(fabs(between[1] - 1) < 1e-12);
    tt_scope_close(&scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_sheet),
        cmocka_unit_test(flat_irregular_sheet),
        cmocka_unit_test(sheet_in_space),
        cmocka_unit_test(sheet_of_mixed_winding),
        cmocka_unit_test(tube),
        cmocka_unit_test(sphere),
        cmocka_unit_test(around_a_hole),
        cmocka_unit_test(along_lines_and_tets),
        cmocka_unit_test(rope_to_sheet),
        cmocka_unit_test(out_of_reach),
        cmocka_unit_test(degenerate_sheet),
        cmocka_unit_test(three_wings),
        cmocka_unit_test(pairs),
        cmocka_unit_test(straight_ways),
        cmocka_unit_test(straight_ways_end_at_a_slit),
        cmocka_unit_test(pairs_that_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
