/* Checks of meshes, topology, reports and vertex order, and all of these when memory runs out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mesh/geodesic.h"
#include "mesh/order.h"
#include "mesh/topology.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ---- */

/* Two triangles, two tets and two lines on five vertices, with every optional array. */
typedef struct sample {
    taut_mesh mesh;
    float x[15], uv[12], direction[6], frame[18], tri_scale[2], tet_scale[2], mass[5];
    int tri[6], tet[8], line[4];
} sample;

static void fill_sample(sample *s)
{
    static const float x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    static const int tri[6] = {0, 1, 2, 2, 1, 4}, tet[8] = {0, 1, 2, 3, 1, 2, 3, 4};
    static const int line[4] = {0, 4, 3, 4};
    memset(s, 0, sizeof *s);
    memcpy(s->x, x, sizeof x);
    memcpy(s->tri, tri, sizeof tri);
    memcpy(s->tet, tet, sizeof tet);
    memcpy(s->line, line, sizeof line);
    for (int i = 0; i < 5; i++) s->mass[i] = 0.5f;
    s->mesh = (taut_mesh){.nvertices = 5, .ntris = 2, .ntets = 2, .nlines = 2};
    s->mesh.x = s->x;
    s->mesh.tri = s->tri;
    s->mesh.tet = s->tet;
    s->mesh.line = s->line;
    s->mesh.uv = s->uv;
    s->mesh.direction = s->direction;
    s->mesh.frame = s->frame;
    s->mesh.tri_scale = s->tri_scale;
    s->mesh.tet_scale = s->tet_scale;
    s->mesh.mass = s->mass;
}

/* Checks a sample in which one number is wrong, and wants this error. */
static void wants(sample *s, int index, const char *text)
{
    taut_error error;
    assert_false(taut_mesh_check(&s->mesh, &error));
    assert_string_equal(error.text, text);
    assert_int_equal(error.index, index);
    assert_int_equal(error.code, TAUT_BAD_MESH);
    assert_false(taut_mesh_check(&s->mesh, NULL));
    fill_sample(s);
    assert_true(taut_mesh_check(&s->mesh, &error));
}

static void bad_counts(void **state)
{
    (void)state;
    sample s;
    fill_sample(&s);
    taut_error error;
    assert_false(taut_mesh_check(NULL, &error));
    assert_string_equal(error.text, "there is no mesh (NULL)");
    s.mesh.nvertices = 0;
    wants(&s, -1, "the mesh has no vertices");
    s.mesh.nvertices = -3;
    wants(&s, -1, "the number of vertices is negative: -3");
    s.mesh.ntris = -1;
    wants(&s, -1, "the number of triangles is negative: -1");
    s.mesh.ntets = -1;
    wants(&s, -1, "the number of tets is negative: -1");
    s.mesh.nlines = INT_MIN;
    wants(&s, -1, "the number of lines is negative: -2147483648");
    s.mesh.x = NULL;
    wants(&s, -1, "the mesh has 5 vertices but their array is NULL");
    s.mesh.tri = NULL;
    wants(&s, -1, "the mesh has 2 triangles but their array is NULL");
    s.mesh.tet = NULL;
    wants(&s, -1, "the mesh has 2 tets but their array is NULL");
    s.mesh.line = NULL;
    wants(&s, -1, "the mesh has 2 lines but their array is NULL");
    s.mesh.nvertices = 100000001;
    wants(&s, -1, "the mesh has 100000001 vertices, the most is 100000000");
    s.mesh.ntets = INT_MAX / 4;
    wants(&s, -1, "the mesh has too many elements: 2 triangles, 536870911 tets, 2 lines");
}

static void bad_elements(void **state)
{
    (void)state;
    sample s;
    fill_sample(&s);
    s.tri[4] = 5;
    wants(&s, 1, "triangle 1: vertex index 5 is outside 0..4");
    s.tri[0] = -1;
    wants(&s, 0, "triangle 0: vertex index -1 is outside 0..4");
    s.tet[7] = INT_MAX;
    wants(&s, 1, "tet 1: vertex index 2147483647 is outside 0..4");
    s.line[0] = INT_MIN;
    wants(&s, 0, "line 0: vertex index -2147483648 is outside 0..4");
    s.tri[5] = 2;
    wants(&s, 1, "triangle 1 uses vertex 2 twice");
    s.tet[3] = 0;
    wants(&s, 0, "tet 0 uses vertex 0 twice");
    s.line[3] = 3;
    wants(&s, 1, "line 1 uses vertex 3 twice");
}

static void bad_numbers(void **state)
{
    (void)state;
    sample s;
    fill_sample(&s);
    s.x[3 * 4 + 1] = NAN;
    wants(&s, 4, "vertex 4: position is not finite");
    s.x[0] = -INFINITY;
    wants(&s, 0, "vertex 0: position is not finite");
    s.mass[3] = -1;
    wants(&s, 3, "vertex 3: mass must be above 0, got -1");
    s.mass[0] = 0;
    wants(&s, 0, "vertex 0: mass must be above 0, got 0");
    s.mass[2] = INFINITY;
    wants(&s, 2, "vertex 2: mass is not finite");
    s.mass[1] = NAN;
    wants(&s, 1, "vertex 1: mass is not finite");
    s.uv[11] = NAN;
    wants(&s, 1, "triangle 1: uv is not finite");
    s.direction[2] = INFINITY;
    wants(&s, 0, "triangle 0: direction is not finite");
    s.frame[9] = NAN;
    wants(&s, 1, "tet 1: frame is not finite");
    s.tri_scale[1] = -0.5f;
    wants(&s, 1, "triangle 1: stiffness scale must be 0 or above, got -0.5");
    s.tri_scale[0] = NAN;
    wants(&s, 0, "triangle 0: stiffness scale is not finite");
    s.tet_scale[1] = -2;
    wants(&s, 1, "tet 1: stiffness scale must be 0 or above, got -2");
}

static void odd_meshes_pass(void **state)
{
    (void)state;
    float x[12] = {0}; /* all vertices in one place */
    int tri[9] = {0, 1, 2, 0, 1, 2, 1, 0, 2};
    taut_mesh mesh = {.nvertices = 4, .ntris = 3, .x = x, .tri = tri};
    taut_error error;
    assert_true(taut_mesh_check(&mesh, &error));
    taut_mesh points = {.nvertices = 4, .x = x};
    assert_true(taut_mesh_check(&points, &error));
}

/* ---- Topology ---- */

typedef struct built {
    tt_scope scope;
    tt_topology topology;
} built;

static tt_topology *build(built *b, const taut_mesh *mesh)
{
    tt_scope_open(&b->scope, NULL);
    assert_true(taut_mesh_check(mesh, NULL));
    assert_true(tt_topology_build(&b->scope, mesh, &b->topology));
    return &b->topology;
}

/* Checks that edges are sorted, that rings ascend and have the same edges, and that hinges fit their definition. */
static void assert_sound(const taut_mesh *mesh, const tt_topology *t)
{
    for (int e = 0; e < t->nedges; e++) {
        assert_true(t->edge[e].a < t->edge[e].b);
        if (e == 0) continue;
        assert_true(t->edge[e - 1].a < t->edge[e].a ||
                    (t->edge[e - 1].a == t->edge[e].a && t->edge[e - 1].b < t->edge[e].b));
    }
    assert_int_equal(t->ring_start[0], 0);
    assert_int_equal(t->ring_start[mesh->nvertices], 2 * t->nedges);
    int *seen = calloc((size_t)mesh->nvertices, sizeof(int));
    assert_non_null(seen);
    for (int e = 0; e < t->nedges; e++) {
        const int ends[2] = {t->edge[e].a, t->edge[e].b};
        for (int k = 0; k < 2; k++) {
            int at = t->ring_start[ends[k]];
            while (at < t->ring_start[ends[k] + 1] && t->ring[at] != ends[1 - k]) at++;
            assert_true(at < t->ring_start[ends[k] + 1]);
            seen[ends[k]]++;
        }
    }
    for (int v = 0; v < mesh->nvertices; v++) {
        assert_int_equal(seen[v], t->ring_start[v + 1] - t->ring_start[v]);
        for (int k = t->ring_start[v] + 1; k < t->ring_start[v + 1]; k++)
            assert_true(t->ring[k - 1] < t->ring[k]);
    }
    free(seen);
    for (int h = 0; h < t->nhinges; h++) {
        const tt_hinge *hinge = &t->hinge[h];
        const int *v = mesh->tri + 3 * hinge->tri1;
        int c = 0;
        while (c < 3 && v[c] != hinge->p1) c++;
        assert_true(c < 3);
        assert_int_equal(v[(c + 1) % 3], hinge->p3); /* triangle 1 is (p1, p3, p4) */
        assert_int_equal(v[(c + 2) % 3], hinge->p4);
        const int *u = mesh->tri + 3 * hinge->tri2;
        const int wanted[3] = {hinge->p2, hinge->p3, hinge->p4};
        for (int i = 0; i < 3; i++)
            assert_true(u[0] == wanted[i] || u[1] == wanted[i] || u[2] == wanted[i]);
        const tt_edge *edge = &t->edge[hinge->edge];
        assert_int_equal(edge->a + edge->b, hinge->p3 + hinge->p4);
        assert_true(edge->a == hinge->p3 || edge->a == hinge->p4);
        if (h > 0) assert_true(t->hinge[h - 1].edge <= hinge->edge);
    }
}

static void hinges_of_two_triangles(void **state)
{
    (void)state;
    float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    int tri[6] = {0, 1, 2, 3, 2, 1};
    taut_mesh mesh = {.nvertices = 4, .ntris = 2, .x = x, .tri = tri};
    built b;
    tt_topology *t = build(&b, &mesh);
    assert_sound(&mesh, t);
    assert_int_equal(t->nedges, 5);
    assert_int_equal(t->boundary_edges, 4);
    assert_int_equal(t->nhinges, 1);
    const tt_hinge h = t->hinge[0];
    assert_true(h.p1 == 0 && h.p3 == 1 && h.p4 == 2 && h.p2 == 3);
    assert_true(h.tri1 == 0 && h.tri2 == 1);
    assert_int_equal(t->edge[h.edge].ntris, 2);
    assert_int_equal(t->inconsistent_edges, 0);
    tt_scope_close(&b.scope);
}

static void inconsistent_winding(void **state)
{
    (void)state;
    float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    int tri[6] = {0, 1, 2, 3, 1, 2}; /* both run 1 -> 2 */
    taut_mesh mesh = {.nvertices = 4, .ntris = 2, .x = x, .tri = tri};
    built b;
    tt_topology *t = build(&b, &mesh);
    assert_sound(&mesh, t);
    assert_int_equal(t->inconsistent_edges, 1);
    assert_int_equal(t->nhinges, 1);
    assert_int_equal(t->nonmanifold_edges, 0);
    tt_scope_close(&b.scope);
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(&mesh, &report, NULL));
    assert_int_equal(report.inconsistent_edges, 1);
}

static void three_triangles_on_an_edge(void **state)
{
    (void)state;
    float x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
    int tri[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    taut_mesh mesh = {.nvertices = 5, .ntris = 3, .x = x, .tri = tri};
    built b;
    tt_topology *t = build(&b, &mesh);
    assert_sound(&mesh, t);
    assert_int_equal(t->nonmanifold_edges, 1);
    assert_int_equal(t->boundary_edges, 6);
    assert_int_equal(t->inconsistent_edges, 0);
    assert_int_equal(t->nhinges, 2);
    assert_true(t->hinge[0].tri1 == 0 && t->hinge[0].tri2 == 1);
    assert_true(t->hinge[1].tri1 == 1 && t->hinge[1].tri2 == 2);
    tt_scope_close(&b.scope);
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(&mesh, &report, NULL));
    assert_int_equal(report.nonmanifold_edges, 1);
    assert_true(report.first_nonmanifold[0] == 0 && report.first_nonmanifold[1] == 1);
}

/* A triangle that occurs twice has no angle with itself, so there is no hinge with one vertex on both wings. */
static void a_triangle_twice(void **state)
{
    (void)state;
    float x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int tri[6] = {0, 1, 2, 2, 1, 0};
    taut_mesh mesh = {.nvertices = 3, .ntris = 2, .x = x, .tri = tri};
    built b;
    tt_topology *t = build(&b, &mesh);
    assert_int_equal(t->nedges, 3);
    assert_int_equal(t->nhinges, 0);
    tt_scope_close(&b.scope);
}

static void tets_and_lines_have_edges_but_no_hinges(void **state)
{
    (void)state;
    sample s;
    fill_sample(&s);
    s.mesh.ntris = 0;
    built b;
    tt_topology *t = build(&b, &s.mesh);
    assert_sound(&s.mesh, t);
    assert_int_equal(t->nhinges, 0);
    assert_int_equal(t->boundary_edges, 0);
    assert_int_equal(t->nedges, 10); /* all pairs: 6 + 3 of the tets, 0-4 of a line */
    for (int e = 0; e < t->nedges; e++) {
        tt_edge edge = t->edge[e];
        bool shared = edge.a >= 1 && edge.b <= 3, only_line = edge.a == 0 && edge.b == 4;
        assert_int_equal(edge.ntets, shared ? 2 : only_line ? 0 : 1);
        assert_int_equal(edge.nlines, only_line || (edge.a == 3 && edge.b == 4));
    }
    tt_scope_close(&b.scope);
}

static void no_elements(void **state)
{
    (void)state;
    float x[6] = {0};
    taut_mesh mesh = {.nvertices = 2, .x = x};
    built b;
    tt_topology *t = build(&b, &mesh);
    assert_int_equal(t->nedges, 0);
    assert_int_equal(t->ring_start[2], 0);
    int place[2];
    assert_int_equal(tt_order(&b.scope, t, 2, place), 0);
    assert_true(place[0] == 0 && place[1] == 1);
    tt_scope_close(&b.scope);
}

static void surfaces_are_sound(void **state)
{
    (void)state;
    taut_mesh mesh;
    built b;
    assert_true(taut_mesh_tube(&mesh, 9, 12, 1, 1, NULL));
    tt_topology *t = build(&b, &mesh);
    assert_sound(&mesh, t);
    for (int h = 0; h < t->nhinges; h++) { /* consistent: triangle 2 is (p2, p4, p3) */
        const int *u = mesh.tri + 3 * t->hinge[h].tri2;
        int c = 0;
        while (u[c] != t->hinge[h].p2) c++;
        assert_int_equal(u[(c + 1) % 3], t->hinge[h].p4);
    }
    tt_scope_close(&b.scope);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_torus(&mesh, 7, 2, 2, 1, NULL));
    assert_sound(&mesh, build(&b, &mesh));
    tt_scope_close(&b.scope);
    taut_mesh_free(&mesh);
}

/* ---- Reports ---- */

static void report_of_odd_things(void **state)
{
    (void)state;
    float x[24] = {0, 0, 0, 2,    0, 0, 0,     3, 0, 0, 0, 4,  /* a corner of a box            */
                   2, 0, 0, -0.f, 0, 0, 1e-9f, 0, 0, 9, 9, 9}; /* 4 = 1, 5 = 0, 6 near 0, 7 alone */
    int tri[9] = {0, 1, 2, 0, 1, 4, 0, 1, 6};
    int tet[16] = {0, 1, 2, 3, 0, 2, 1, 3, 0, 1, 2, 4, 5, 1, 2, 3};
    taut_mesh mesh = {.nvertices = 8, .ntris = 3, .ntets = 4, .x = x, .tri = tri, .tet = tet};
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(&mesh, &report, NULL));
    assert_int_equal(report.degenerate_tris, 2);
    assert_int_equal(report.degenerate_tets, 1);
    assert_int_equal(report.inverted_tets, 1);
    assert_int_equal(report.duplicate_vertices, 2);
    assert_int_equal(report.unreferenced_vertices, 1);
    assert_true(fabsf(report.area - 3) < 1e-6f);
    assert_true(fabsf(report.volume - 3 * 4) < 1e-5f);
    assert_true(report.min[0] == 0 && report.max[0] == 9 && report.max[2] == 9);
    assert_int_equal(report.nonmanifold_edges, 1);
}

/* Whether an element counts as degenerate does not depend on the size of the mesh. */
static void report_at_any_scale(void **state)
{
    (void)state;
    for (float scale = 1e-6f; scale < 1e7f; scale *= 10) {
        float x[15] = {0, 0, 0, 1, 0, 0, 0, 1e-3f, 0, 0, 0, 1, 2, 0, 0};
        for (int i = 0; i < 15; i++) x[i] *= scale;
        int tri[6] = {0, 1, 2, 0, 1, 4}, tet[8] = {0, 1, 2, 3, 0, 1, 4, 3};
        taut_mesh mesh = {.nvertices = 5, .ntris = 2, .ntets = 2, .x = x, .tri = tri, .tet = tet};
        taut_mesh_report report;
        assert_true(taut_mesh_inspect(&mesh, &report, NULL));
        assert_int_equal(report.degenerate_tris, 1);
        assert_int_equal(report.degenerate_tets, 1);
        assert_int_equal(report.inverted_tets, 0);
    }
}

static void report_of_a_bad_mesh(void **state)
{
    (void)state;
    taut_mesh mesh = {0};
    taut_mesh_report report;
    taut_error error;
    assert_false(taut_mesh_inspect(&mesh, &report, &error));
    assert_string_equal(error.text, "the mesh has no vertices");
}

static void many_duplicates(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    float *x = calloc(3 * COUNT, sizeof(float));
    assert_non_null(x);
    for (int v = 0; v < COUNT; v++) x[3 * v] = (float)(v % 7);
    taut_mesh mesh = {.nvertices = COUNT, .x = x};
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(&mesh, &report, NULL));
    assert_int_equal(report.duplicate_vertices, COUNT - 7);
    assert_int_equal(report.unreferenced_vertices, COUNT);
    free(x);
}

/* ---- Order ---- */

/* Renumbers the vertices of a mesh of triangles at random (positions are left behind). */
static void shuffle(taut_mesh *mesh, uint64_t seed)
{
    int *name = malloc(sizeof(int) * (size_t)mesh->nvertices);
    assert_non_null(name);
    for (int v = 0; v < mesh->nvertices; v++) name[v] = v;
    for (int v = mesh->nvertices - 1; v > 0; v--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int u = (int)((seed >> 33) % (uint64_t)(v + 1)), kept = name[v];
        name[v] = name[u];
        name[u] = kept;
    }
    for (int i = 0; i < 3 * mesh->ntris; i++) mesh->tri[i] = name[mesh->tri[i]];
    free(name);
}

static int ordered_bandwidth(const taut_mesh *mesh)
{
    built b;
    tt_topology *t = build(&b, mesh);
    int *place = malloc(sizeof(int) * (size_t)mesh->nvertices);
    unsigned char *taken = calloc((size_t)mesh->nvertices, 1);
    assert_true(place && taken);
    int bandwidth = tt_order(&b.scope, t, mesh->nvertices, place);
    for (int v = 0; v < mesh->nvertices; v++) {
        assert_in_range(place[v], 0, mesh->nvertices - 1);
        assert_false(taken[place[v]]++);
    }
    int widest = 0;
    for (int e = 0; e < t->nedges; e++) {
        int span = abs(place[t->edge[e].a] - place[t->edge[e].b]);
        if (span > widest) widest = span;
    }
    assert_int_equal(bandwidth, widest);
    free(place);
    free(taken);
    tt_scope_close(&b.scope);
    return bandwidth;
}

/* A 100 x 30 grid row by row has bandwidth 101; the best is about the short side, 31. */
static void order_of_a_shuffled_grid(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 100, 30, 1, 1, NULL));
    int ordered = ordered_bandwidth(&mesh);
    assert_true(ordered <= 62);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        shuffle(&mesh, seed);
        assert_true(ordered_bandwidth(&mesh) <= ordered + ordered / 5);
    }
    taut_mesh_free(&mesh);
}

/* The end of a loose thread in the middle of a long ribbon is the least connected vertex, but a bad start: the search
 * would run both ways at once and double the bandwidth. */
static void order_starts_at_an_end(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 201, 10, 20, 1, NULL));
    int plain = ordered_bandwidth(&mesh);
    int line[2] = {5 * 201 + 100, mesh.nvertices};
    taut_mesh with_thread = mesh;
    with_thread.x = calloc((size_t)mesh.nvertices + 1, 3 * sizeof(float));
    assert_non_null(with_thread.x);
    with_thread.nvertices++;
    with_thread.nlines = 1;
    with_thread.line = line;
    assert_true(ordered_bandwidth(&with_thread) <= plain + plain / 5);
    free(with_thread.x);
    taut_mesh_free(&mesh);
}

/* A chain is numbered from end to end, whatever its order was before. */
static void order_of_a_chain(void **state)
{
    (void)state;
    enum { COUNT = 101 };
    float x[3 * COUNT] = {0};
    int line[2 * (COUNT - 1)];
    for (int i = 0; i < COUNT - 1; i++) {
        line[2 * i] = i * 37 % COUNT;
        line[2 * i + 1] = (i + 1) * 37 % COUNT;
    }
    taut_mesh mesh = {.nvertices = COUNT, .nlines = COUNT - 1, .x = x, .line = line};
    assert_int_equal(ordered_bandwidth(&mesh), 1);
}

/* A slice of 400 across a 100 x 100 grid is some four vertices thick; neighbours in it must be about as near. */
static void slices_run_along_their_length(void **state)
{
    (void)state;
    enum { SIZE = 400 };
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 100, 100, 1, 1, NULL));
    shuffle(&mesh, 7);
    built b;
    tt_topology *t = build(&b, &mesh);
    int n = mesh.nvertices, *whole = malloc(sizeof(int) * (size_t)n), *place = malloc(sizeof(int) * (size_t)n);
    assert_true(whole && place && tt_order(&b.scope, t, n, whole) >= 0);
    memcpy(place, whole, sizeof(int) * (size_t)n);
    assert_true(tt_order_within(&b.scope, t, n, SIZE, place));
    for (int v = 0; v < n; v++) assert_int_equal(place[v] / SIZE, whole[v] / SIZE);
    int widest = 0;
    for (int e = 0; e < t->nedges; e++) {
        int a = place[t->edge[e].a], c = place[t->edge[e].b];
        if (a / SIZE == c / SIZE && abs(a - c) > widest) widest = abs(a - c);
    }
    assert_in_range(widest, 1, 40);
    free(whole);
    free(place);
    tt_scope_close(&b.scope);
    taut_mesh_free(&mesh);
}

static void components_and_loose_vertices(void **state)
{
    (void)state;
    float x[27] = {0};
    int line[8] = {8, 2, 2, 5, 1, 7, 3, 7}; /* 8-2-5 and 1-7-3; 0, 4 and 6 are loose */
    taut_mesh mesh = {.nvertices = 9, .nlines = 4, .x = x, .line = line};
    built b;
    tt_topology *t = build(&b, &mesh);
    int place[9];
    assert_int_equal(tt_order(&b.scope, t, 9, place), 1);
    for (int i = 0; i < 3; i++) {
        const int second[3] = {8, 2, 5}, first[3] = {1, 7, 3}, loose[3] = {0, 4, 6};
        assert_in_range(place[first[i]], 0, 2);
        assert_in_range(place[second[i]], 3, 5);
        assert_int_equal(place[loose[i]], 6 + i);
    }
    tt_scope_close(&b.scope);
}

/* One vertex with a hundred thousand neighbours must not cost a hundred thousand squared. */
static void order_of_a_hub(void **state)
{
    (void)state;
    enum { COUNT = 100001 };
    float *x = calloc(3 * COUNT, sizeof(float));
    int *line = malloc(sizeof(int) * 2 * (COUNT - 1));
    assert_true(x && line);
    for (int i = 0; i < COUNT - 1; i++) {
        line[2 * i] = COUNT - 1;
        line[2 * i + 1] = i;
    }
    taut_mesh mesh = {.nvertices = COUNT, .nlines = COUNT - 1, .x = x, .line = line};
    assert_int_equal(ordered_bandwidth(&mesh), COUNT - 2);
    free(x);
    free(line);
}

/* ---- Memory that runs out ---- */

typedef struct budget {
    int left, live;
} budget;

static void *allocate(size_t size, size_t alignment, void *user)
{
    budget *b = user;
    if (b->left == 0) return NULL;
    b->left--;
    void *memory = aligned_alloc(alignment, size);
    b->live += memory != NULL;
    return memory;
}

static void release(void *memory, void *user)
{
    budget *b = user;
    if (memory) b->live--;
    free(memory);
}

typedef struct job {
    taut_mesh mesh;
    tt_topology topology;
    int *place, *nearest;
    unsigned char *source;
    double *distance;
} job;

static bool run_topology(tt_scope *scope, job *j)
{
    tt_topology topology;
    return tt_topology_build(scope, &j->mesh, &topology);
}

static bool run_order(tt_scope *scope, job *j)
{
    return tt_order(scope, &j->topology, j->mesh.nvertices, j->place) >= 0;
}

static bool run_geodesic(tt_scope *scope, job *j)
{
    return tt_geodesic(scope, &j->mesh, &j->topology, j->source, j->distance, j->nearest);
}

/* Lets the n-th allocation fail for n = 0, 1, ... until the job needs no more. */
static void survives(bool (*run)(tt_scope *, job *), job *j, int least_failures, int kept)
{
    for (int n = 0;; n++) {
        budget b = {n, 0};
        taut_allocator allocator = {allocate, release, &b};
        tt_scope scope;
        tt_scope_open(&scope, &allocator);
        bool ok = run(&scope, j);
        if (ok) assert_int_equal(b.live, kept); /* scratch memory is gone on return */
        tt_scope_close(&scope);
        assert_int_equal(b.live, 0);
        if (!ok) continue;
        assert_true(n >= least_failures);
        return;
    }
}

static void allocations_fail(void **state)
{
    (void)state;
    job j;
    assert_true(taut_mesh_sheet(&j.mesh, 40, 40, 1, 1, NULL)); /* enough to grow the queue */
    size_t n = (size_t)j.mesh.nvertices;
    j.place = malloc(sizeof(int) * n);
    j.nearest = malloc(sizeof(int) * n);
    j.distance = malloc(sizeof(double) * n);
    j.source = calloc(n, 1);
    assert_true(j.place && j.nearest && j.distance && j.source);
    memset(j.source, 1, 20);
    built b;
    j.topology = *build(&b, &j.mesh);
    survives(run_topology, &j, 9, 6);
    survives(run_order, &j, 5, 0);
    survives(run_geodesic, &j, 8, 0);
    tt_scope_close(&b.scope);
    free(j.place);
    free(j.nearest);
    free(j.distance);
    free(j.source);
    taut_mesh_free(&j.mesh);
}

/* ---- Functions for programs that make and inspect meshes ---- */

static void allocated_meshes_are_zeroed(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_error error;
    assert_true(taut_mesh_allocate(&mesh, 5, 2, 1, 3, true, true, &error));
    assert_int_equal(mesh.nvertices, 5);
    for (int i = 0; i < 15; i++) assert_true(mesh.x[i] == 0);
    for (int i = 0; i < 12; i++) assert_true(mesh.uv[i] == 0);
    for (int i = 0; i < 9; i++) assert_true(mesh.frame[i] == 0);
    assert_true(mesh.tri[5] == 0 && mesh.tet[3] == 0 && mesh.line[5] == 0);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_allocate(&mesh, 3, 1, 0, 0, false, false, &error));
    assert_true(!mesh.uv && !mesh.frame && !mesh.tet && !mesh.line);
    taut_mesh_free(&mesh);
    assert_false(taut_mesh_allocate(&mesh, -1, 0, 0, 0, false, false, &error));
    assert_string_equal(error.text, "the mesh would have a negative count");
    assert_false(taut_mesh_allocate(&mesh, TAUT_MOST_VERTICES + 1, 0, 0, 0, false, false, &error));
    assert_false(taut_mesh_allocate(&mesh, 3, TAUT_MOST_SIDES / 3 + 1, 0, 0, false, false, &error));
    assert_null(mesh.x);
}

static void boundary_of_sheets_and_spheres(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_error error;
    unsigned char boundary[42];
    memset(boundary, 7, sizeof boundary);
    assert_true(taut_mesh_sheet(&mesh, 5, 4, 1, 1, &error));
    assert_true(taut_mesh_boundary(&mesh, boundary, &error));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 5; i++) assert_int_equal(boundary[j * 5 + i], j == 0 || j == 3 || i == 0 || i == 4);
    mesh.tri[0] = 20;
    assert_false(taut_mesh_boundary(&mesh, boundary, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_sphere(&mesh, 1, 1, &error));
    assert_int_equal(mesh.nvertices, 42);
    assert_true(taut_mesh_boundary(&mesh, boundary, &error));
    for (int v = 0; v < 42; v++) assert_int_equal(boundary[v], 0);
    taut_mesh_free(&mesh);
}

static void masses_are_area_times_density(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_error error;
    taut_material material = taut_default_material();
    double mass[20], sum = 0;
    material.density = 0.5f;
    assert_true(taut_mesh_sheet(&mesh, 5, 4, 2, 3, &error));
    assert_true(taut_mesh_masses(&mesh, &material, mass, &error));
    for (int v = 0; v < 20; v++) sum += mass[v];
    assert_true(fabs(sum - 3) < 1e-6);
    material.density = 0;
    assert_false(taut_mesh_masses(&mesh, &material, mass, &error));
    assert_int_equal(error.code, TAUT_BAD_MATERIAL);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocated_meshes_are_zeroed),
        cmocka_unit_test(boundary_of_sheets_and_spheres),
        cmocka_unit_test(masses_are_area_times_density),
        cmocka_unit_test(bad_counts),
        cmocka_unit_test(bad_elements),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(odd_meshes_pass),
        cmocka_unit_test(hinges_of_two_triangles),
        cmocka_unit_test(inconsistent_winding),
        cmocka_unit_test(three_triangles_on_an_edge),
        cmocka_unit_test(a_triangle_twice),
        cmocka_unit_test(tets_and_lines_have_edges_but_no_hinges),
        cmocka_unit_test(no_elements),
        cmocka_unit_test(surfaces_are_sound),
        cmocka_unit_test(report_of_odd_things),
        cmocka_unit_test(report_at_any_scale),
        cmocka_unit_test(report_of_a_bad_mesh),
        cmocka_unit_test(many_duplicates),
        cmocka_unit_test(order_of_a_shuffled_grid),
        cmocka_unit_test(order_starts_at_an_end),
        cmocka_unit_test(order_of_a_chain),
        cmocka_unit_test(slices_run_along_their_length),
        cmocka_unit_test(components_and_loose_vertices),
        cmocka_unit_test(order_of_a_hub),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
