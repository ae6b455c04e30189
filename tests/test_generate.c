/* Generated meshes: counts, Euler characteristics, orientation, areas and volumes against closed
 * forms, conformity, and arguments that are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "mesh/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static vec3 at(const taut_mesh *mesh, int v) { return vec_of(mesh->x + 3 * (size_t)v); }

static void assert_close(double got, double wanted, double part)
{
    if (!(fabs(got - wanted) <= part * fabs(wanted)))
        fail_msg("got %.9g, wanted %.9g", got, wanted);
}

/* Twice the area, as a vector along the face's normal. */
static vec3 face_normal(const taut_mesh *mesh, int t)
{
    const int *v = mesh->tri + 3 * (size_t)t;
    vec3 p = at(mesh, v[0]);
    return vec_cross(vec_sub(at(mesh, v[1]), p), vec_sub(at(mesh, v[2]), p));
}

static double tet_volume(const taut_mesh *mesh, int t)
{
    const int *v = mesh->tet + 4 * (size_t)t;
    vec3 p = at(mesh, v[0]);
    vec3 normal = vec_cross(vec_sub(at(mesh, v[1]), p), vec_sub(at(mesh, v[2]), p));
    return vec_dot(normal, vec_sub(at(mesh, v[3]), p)) / 6;
}

static taut_mesh_report inspect(const taut_mesh *mesh)
{
    taut_mesh_report report;
    taut_error error;
    if (!taut_mesh_inspect(mesh, &report, &error)) fail_msg("%s", error.text);
    assert_int_equal(report.inconsistent_edges, 0);
    assert_int_equal(report.nonmanifold_edges, 0);
    assert_int_equal(report.degenerate_tris + report.degenerate_tets + report.inverted_tets, 0);
    assert_int_equal(report.unreferenced_vertices, 0);
    assert_int_equal(report.duplicate_vertices, 0);
    return report;
}

/* Checks UVs in metres that match the triangle: same edge lengths, same sense of rotation. */
static void assert_uv_isometric(const taut_mesh *mesh)
{
    assert_non_null(mesh->uv);
    for (int t = 0; t < mesh->ntris; t++) {
        const float *uv = mesh->uv + 6 * (size_t)t;
        const int *v = mesh->tri + 3 * (size_t)t;
        double flat = ((double)uv[2] - uv[0]) * ((double)uv[5] - uv[1]) -
                      ((double)uv[3] - uv[1]) * ((double)uv[4] - uv[0]);
        assert_close(flat, vec_length(face_normal(mesh, t)), 1e-3);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3;
            double u = (double)uv[2 * i] - uv[2 * j], w = (double)uv[2 * i + 1] - uv[2 * j + 1];
            assert_close(sqrt(u * u + w * w), vec_length(vec_sub(at(mesh, v[i]), at(mesh, v[j]))),
                         1e-4);
        }
    }
}

static void assert_faces_z(const taut_mesh *mesh)
{
    for (int t = 0; t < mesh->ntris; t++) assert_true(face_normal(mesh, t).z > 0);
}

static void sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 7, 5, 3, 2, NULL));
    assert_int_equal(mesh.nvertices, 35);
    assert_int_equal(mesh.ntris, 48);
    taut_mesh_report report = inspect(&mesh);
    assert_int_equal(mesh.nvertices - report.edges + mesh.ntris, 1);
    assert_int_equal(report.boundary_edges, 2 * (6 + 4));
    assert_int_equal(report.hinges, report.edges - report.boundary_edges);
    assert_close(report.area, 6, 1e-6);
    assert_faces_z(&mesh);
    assert_uv_isometric(&mesh);
    assert_true(mesh.x[0] == -1.5f && mesh.x[1] == 0 && mesh.x[2] == 0); /* top left */
    assert_true(mesh.x[3 * 34] == 1.5f && mesh.x[3 * 34 + 1] == -2);     /* bottom right */
    for (int t = 0; t < mesh.ntris; t++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++)
                assert_true(mesh.uv[6 * t + 2 * i + k] == mesh.x[3 * mesh.tri[3 * t + i] + k]);
    taut_mesh_free(&mesh);
    assert_null(mesh.x);
    assert_int_equal(mesh.nvertices, 0);
}

/* With alternating diagonals an inner vertex has four neighbours or eight, in turn. */
static void sheet_diagonals_alternate(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 6, 6, 1, 1, NULL));
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_topology topology;
    assert_true(tt_topology_build(&scope, &mesh, &topology));
    for (int j = 1; j < 5; j++) {
        for (int i = 1; i < 5; i++) {
            int v = j * 6 + i;
            int degree = topology.ring_start[v + 1] - topology.ring_start[v];
            assert_int_equal(degree, (i + j) % 2 ? 4 : 8);
        }
    }
    tt_scope_close(&scope);
    taut_mesh_free(&mesh);
}

static void irregular_sheet(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 20; seed++) {
        taut_mesh mesh, again;
        assert_true(taut_mesh_sheet_irregular(&mesh, 21, 17, 4, 3, 0.45f, seed, NULL));
        assert_true(taut_mesh_sheet_irregular(&again, 21, 17, 4, 3, 0.45f, seed, NULL));
        assert_memory_equal(mesh.x, again.x, 3 * sizeof(float) * 21 * 17);
        assert_memory_equal(mesh.tri, again.tri, 3 * sizeof(int) * (size_t)mesh.ntris);
        taut_mesh_report report = inspect(&mesh);
        assert_close(report.area, 12, 1e-6);
        assert_true(report.min[0] == -2 && report.max[0] == 2);
        assert_true(report.min[1] == -3 && report.max[1] == 0);
        assert_int_equal(report.boundary_edges, 2 * (20 + 16));
        assert_faces_z(&mesh);
        assert_uv_isometric(&mesh);
        for (int v = 0; v < mesh.nvertices; v++) {
            double i = (mesh.x[3 * v] / 4.0 + 0.5) * 20, j = -mesh.x[3 * v + 1] / 3.0 * 16;
            assert_true(fabs(i - v % 21) < 0.451 && fabs(j - v / 21) < 0.451);
            if (v % 21 == 0) assert_true(mesh.x[3 * v] == -2);
            if (v / 21 == 0) assert_true(mesh.x[3 * v + 1] == 0);
        }
        taut_mesh_free(&mesh);
        taut_mesh_free(&again);
    }
}

static void irregular_sheets_differ_by_seed(void **state)
{
    (void)state;
    taut_mesh a, b;
    assert_true(taut_mesh_sheet_irregular(&a, 9, 9, 1, 1, 0.3f, 1, NULL));
    assert_true(taut_mesh_sheet_irregular(&b, 9, 9, 1, 1, 0.3f, 2, NULL));
    assert_memory_not_equal(a.x, b.x, 3 * sizeof(float) * 81);
    assert_memory_not_equal(a.tri, b.tri, 3 * sizeof(int) * (size_t)a.ntris);
    taut_mesh_free(&a);
    taut_mesh_free(&b);
}

static void strip(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_strip(&mesh, 11, 5, 0.5f, NULL));
    assert_int_equal(mesh.nvertices, 22);
    assert_int_equal(mesh.ntris, 20);
    taut_mesh_report report = inspect(&mesh);
    assert_close(report.area, 2.5, 1e-6);
    assert_int_equal(mesh.nvertices - report.edges + mesh.ntris, 1);
    assert_true(report.min[0] == 0 && report.max[0] == 5);
    assert_faces_z(&mesh);
    assert_uv_isometric(&mesh);
    taut_mesh_free(&mesh);
}

static void tube(void **state)
{
    (void)state;
    for (int around = 3; around < 20; around += 4) {
        taut_mesh mesh;
        assert_true(taut_mesh_tube(&mesh, around, 6, 0.5f, 2, NULL));
        assert_int_equal(mesh.nvertices, around * 6);
        assert_int_equal(mesh.ntris, around * 10);
        taut_mesh_report report = inspect(&mesh);
        assert_int_equal(mesh.nvertices - report.edges + mesh.ntris, 0);
        assert_int_equal(report.boundary_edges, 2 * around);
        assert_close(report.area, around * 2 * 0.5 * sin(PI / around) * 2, 1e-6);
        assert_uv_isometric(&mesh);
        for (int t = 0; t < mesh.ntris; t++) {
            vec3 outward = at(&mesh, mesh.tri[3 * t]);
            outward.y = 0;
            assert_true(vec_dot(face_normal(&mesh, t), outward) > 0);
        }
        for (int v = 0; v < mesh.nvertices; v++) {
            vec3 p = at(&mesh, v);
            assert_close(sqrt(p.x * p.x + p.z * p.z), 0.5, 1e-6);
        }
        taut_mesh_free(&mesh);
    }
}

static void sphere(void **state)
{
    (void)state;
    double error_before = INFINITY;
    for (int levels = 0; levels <= 5; levels++) {
        taut_mesh mesh;
        assert_true(taut_mesh_sphere(&mesh, levels, 2, NULL));
        assert_int_equal(mesh.ntris, 20 << (2 * levels));
        taut_mesh_report report = inspect(&mesh);
        assert_int_equal(mesh.nvertices - report.edges + mesh.ntris, 2);
        assert_int_equal(report.boundary_edges, 0);
        double volume = 0;
        for (int t = 0; t < mesh.ntris; t++) {
            double signed_part = vec_dot(face_normal(&mesh, t), at(&mesh, mesh.tri[3 * t])) / 6;
            assert_true(signed_part > 0); /* faces out */
            volume += signed_part;
        }
        for (int v = 0; v < mesh.nvertices; v++) assert_close(vec_length(at(&mesh, v)), 2, 1e-6);
        double error = 16 * PI - report.area; /* falls by four with each level */
        assert_true(error > 0 && error < 0.35 * error_before);
        assert_true(volume < 4.0 / 3 * PI * 8 && volume > report.area * 2 / 3 * 0.79);
        error_before = error;
        assert_null(mesh.uv);
        taut_mesh_free(&mesh);
    }
    assert_true(error_before < 16 * PI * 1e-3);
}

typedef struct face {
    int v[3];
} face;

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

static int compare_faces(const void *a, const void *b)
{
    const face *f = a, *g = b;
    for (int i = 0; i < 3; i++)
        if (f->v[i] != g->v[i]) return f->v[i] < g->v[i] ? -1 : 1;
    return 0;
}

/* Every face belongs to one tet or two. Those of one tet make the surface; returns its area. */
static double surface_area(const taut_mesh *mesh)
{
    int nfaces = 4 * mesh->ntets, n = 0;
    face *faces = malloc(sizeof(face) * (size_t)nfaces);
    assert_non_null(faces);
    for (int t = 0; t < mesh->ntets; t++) {
        for (int skip = 0; skip < 4; skip++, n++) {
            int k = 0;
            for (int i = 0; i < 4; i++)
                if (i != skip) faces[n].v[k++] = mesh->tet[4 * t + i];
            qsort(faces[n].v, 3, sizeof(int), compare_ints);
        }
    }
    qsort(faces, (size_t)nfaces, sizeof(face), compare_faces);
    double area = 0;
    for (int begin = 0, end; begin < nfaces; begin = end) {
        for (end = begin + 1; end < nfaces && !compare_faces(&faces[begin], &faces[end]);) end++;
        assert_in_range(end - begin, 1, 2);
        if (end - begin == 2) continue;
        vec3 p = at(mesh, faces[begin].v[0]);
        vec3 a = vec_sub(at(mesh, faces[begin].v[1]), p);
        vec3 b = vec_sub(at(mesh, faces[begin].v[2]), p);
        area += vec_length(vec_cross(a, b)) / 2;
    }
    free(faces);
    return area;
}

static void beam(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_beam(&mesh, 5, 3, 2, 2, 0.5f, 0.4f, NULL));
    assert_int_equal(mesh.nvertices, 6 * 4 * 3);
    assert_int_equal(mesh.ntets, 5 * 30);
    taut_mesh_report report = inspect(&mesh);
    assert_close(report.volume, 2 * 0.5 * 0.4, 1e-6);
    for (int t = 0; t < mesh.ntets; t++) assert_true(tet_volume(&mesh, t) > 0);
    /* Tets that did not share faces would show up as more surface. */
    assert_close(surface_area(&mesh), 2 * (2 * 0.5 + 2 * 0.4 + 0.5 * 0.4), 1e-6);
    assert_true(report.min[0] == 0 && report.max[0] == 2);
    assert_true(report.min[1] == -0.25f && report.max[1] == 0.25f);
    assert_true(report.min[2] == -report.max[2]);
    taut_mesh_free(&mesh);
}

static void torus(void **state)
{
    (void)state;
    const int sizes[][2] = {{3, 1}, {4, 3}, {24, 2}, {13, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int around = sizes[i][0], rings = sizes[i][1], rim = 6 * rings;
        double big = 1, small = 0.25, turn = 2 * PI / around;
        taut_mesh mesh;
        assert_true(taut_mesh_torus(&mesh, around, rings, 1, 0.25f, NULL));
        assert_int_equal(mesh.nvertices, around * (1 + 3 * rings * (rings + 1)));
        assert_int_equal(mesh.ntets, around * 18 * rings * rings);
        for (int t = 0; t < mesh.ntets; t++) assert_true(tet_volume(&mesh, t) > 0);
        /* A cross-section polygon swept in chords: its area times around * big * sin(turn). */
        double section = 0.5 * rim * small * small * sin(2 * PI / rim);
        assert_close(inspect(&mesh).volume, section * around * big * sin(turn), 1e-5);
        /* The surface: trapezoids on the polygon's sides. */
        double area = 0;
        for (int k = 0; k < rim; k++) {
            double p0 = 2 * PI * k / rim, p1 = 2 * PI * (k + 1) / rim;
            double r0 = big + small * cos(p0), r1 = big + small * cos(p1);
            double dy = small * (sin(p1) - sin(p0)), dr = (r1 - r0) * cos(turn / 2);
            area += around * (r0 + r1) * sin(turn / 2) * sqrt(dy * dy + dr * dr);
        }
        assert_close(surface_area(&mesh), area, 1e-5);
        taut_mesh_free(&mesh);
    }
}

static void torus_frames(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_torus(&mesh, 12, 2, 3, 1, NULL));
    assert_non_null(mesh.frame);
    for (int t = 0; t < mesh.ntets; t++) {
        vec3 x = vec_of(mesh.frame + 9 * t), y = vec_of(mesh.frame + 9 * t + 3);
        vec3 z = vec_of(mesh.frame + 9 * t + 6), centre = {0, 0, 0};
        for (int i = 0; i < 4; i++) centre = vec_add(centre, at(&mesh, mesh.tet[4 * t + i]));
        centre.y = 0;
        assert_close(vec_dot(y, centre), vec_length(centre), 1e-6);        /* radial  */
        assert_true(fabs(vec_dot(x, centre)) < 1e-6 * vec_length(centre)); /* tangent */
        assert_true(z.x == 0 && z.y == 1 && z.z == 0);
        assert_true(vec_length(vec_sub(vec_cross(x, y), z)) < 1e-6); /* right-handed */
    }
    taut_mesh_free(&mesh);
}

static void chain(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, 11, 5, NULL));
    assert_int_equal(mesh.nvertices, 11);
    assert_int_equal(mesh.nlines, 10);
    assert_int_equal(inspect(&mesh).edges, 10);
    for (int l = 0; l < 10; l++) {
        vec3 d = vec_sub(at(&mesh, mesh.line[2 * l + 1]), at(&mesh, mesh.line[2 * l]));
        assert_close(d.x, 0.5, 1e-6);
        assert_true(d.y == 0 && d.z == 0);
    }
    taut_mesh_free(&mesh);
}

static void branch(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_branch(&mesh, 4, 3, 2, NULL));
    assert_int_equal(mesh.nlines, 4 * 15);
    assert_int_equal(mesh.nvertices, 4 * 15 + 1); /* a tree */
    assert_int_equal(inspect(&mesh).edges, 4 * 15);
    assert_true(vec_length(at(&mesh, 0)) == 0);
    int ends[3] = {0, 0, 0}; /* vertices of one, two and three lines */
    for (int v = 0; v < mesh.nvertices; v++) {
        int lines = 0;
        for (int i = 0; i < 2 * mesh.nlines; i++) lines += mesh.line[i] == v;
        assert_in_range(lines, 1, 3);
        ends[lines - 1]++;
    }
    assert_int_equal(ends[0], 1 + 8);
    assert_int_equal(ends[2], 7);
    double total = 0;
    for (int l = 0; l < mesh.nlines; l++)
        total += vec_length(vec_sub(at(&mesh, mesh.line[2 * l]), at(&mesh, mesh.line[2 * l + 1])));
    double wanted = 0, length = 2;
    for (int k = 0; k < 4; k++, length *= 0.7) wanted += (1 << k) * length;
    assert_close(total, wanted, 1e-5);
    taut_mesh_report report = inspect(&mesh);
    assert_true(report.max[0] > 0.1f && report.max[2] > 0.1f && report.max[1] > 3); /* in space */
    taut_mesh_free(&mesh);
}

static void assert_refused(bool made, const taut_mesh *mesh, const taut_error *error,
                           const char *text)
{
    assert_false(made);
    assert_int_equal(error->code, TAUT_BAD_ARGUMENT);
    if (!strstr(error->text, text)) fail_msg("'%s' does not say '%s'", error->text, text);
    const taut_mesh empty = {0};
    assert_memory_equal(mesh, &empty, sizeof empty);
}

static void bad_arguments(void **state)
{
    (void)state;
    taut_mesh m;
    taut_error e;
    memset(&m, 0, sizeof m);
    assert_refused(taut_mesh_sheet(&m, 1, 5, 1, 1, &e), &m, &e, "nx must be at least 2, got 1");
    assert_refused(taut_mesh_sheet(&m, 5, -7, 1, 1, &e), &m, &e, "ny must be at least 2, got -7");
    assert_refused(taut_mesh_sheet(&m, 5, 5, NAN, 1, &e), &m, &e, "width must be");
    assert_refused(taut_mesh_sheet(&m, 5, 5, 1, 0, &e), &m, &e, "height must be");
    assert_refused(taut_mesh_sheet(&m, 5, 5, 1, INFINITY, &e), &m, &e, "height must be");
    assert_refused(taut_mesh_sheet_irregular(&m, 5, 5, 1, 1, 0.46f, 1, &e), &m, &e, "jitter");
    assert_refused(taut_mesh_sheet_irregular(&m, 5, 5, 1, 1, NAN, 1, &e), &m, &e, "jitter");
    assert_refused(taut_mesh_tube(&m, 2, 5, 1, 1, &e), &m, &e, "around must be at least 3");
    assert_refused(taut_mesh_tube(&m, 5, 1, 1, 1, &e), &m, &e, "along must be at least 2");
    assert_refused(taut_mesh_tube(&m, 5, 5, -1, 1, &e), &m, &e, "radius must be");
    assert_refused(taut_mesh_sphere(&m, 9, 1, &e), &m, &e, "levels must be at most 8, got 9");
    assert_refused(taut_mesh_sphere(&m, -1, 1, &e), &m, &e, "levels must be at least 0");
    assert_refused(taut_mesh_beam(&m, 0, 1, 1, 1, 1, 1, &e), &m, &e, "nx must be at least 1");
    assert_refused(taut_mesh_beam(&m, 1, 1, 1, 1, NAN, 1, &e), &m, &e, "sy must be");
    assert_refused(taut_mesh_torus(&m, 2, 1, 1, 0.5f, &e), &m, &e, "around must be at least 3");
    assert_refused(taut_mesh_torus(&m, 9, 0, 1, 0.5f, &e), &m, &e, "rings must be at least 1");
    assert_refused(taut_mesh_torus(&m, 9, 1, 1, 1, &e), &m, &e, "small_radius must be below");
    assert_refused(taut_mesh_strip(&m, 1, 1, 1, &e), &m, &e, "n must be at least 2");
    assert_refused(taut_mesh_chain(&m, 1, 1, &e), &m, &e, "n must be at least 2");
    assert_refused(taut_mesh_chain(&m, 5, -1, &e), &m, &e, "length must be");
    assert_refused(taut_mesh_branch(&m, 0, 1, 1, &e), &m, &e, "segments must be at least 1");
    assert_refused(taut_mesh_branch(&m, 1, 25, 1, &e), &m, &e, "levels must be at most 24");
}

/* Sizes whose products overflow an int, and a 64-bit number too. */
static void too_large(void **state)
{
    (void)state;
    taut_mesh m;
    taut_error e;
    memset(&m, 0, sizeof m);
    const int all = INT_MAX;
    assert_refused(taut_mesh_sheet(&m, 65536, 65536, 1, 1, &e), &m, &e, "4294967296 vertices");
    assert_refused(taut_mesh_sheet(&m, all, all, 1, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_tube(&m, all, all, 1, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_beam(&m, all - 1, all - 1, all - 1, 1, 1, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_beam(&m, 400, 400, 400, 1, 1, 1, &e), &m, &e, "too many elements");
    assert_refused(taut_mesh_torus(&m, all, 10000, 2, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_torus(&m, all, all, 2, 1, &e), &m, &e, "rings must be at most");
    assert_refused(taut_mesh_strip(&m, all, 1, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_chain(&m, all, 1, &e), &m, &e, "vertices");
    assert_refused(taut_mesh_branch(&m, all, 24, 1, &e), &m, &e, "vertices");
}

static void freeing_nothing(void **state)
{
    (void)state;
    taut_mesh mesh = {0};
    taut_mesh_free(&mesh);
    taut_mesh_free(NULL);
    assert_false(taut_mesh_sheet(&mesh, 0, 0, 1, 1, NULL)); /* without an error struct */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheet),           cmocka_unit_test(sheet_diagonals_alternate),
        cmocka_unit_test(irregular_sheet), cmocka_unit_test(irregular_sheets_differ_by_seed),
        cmocka_unit_test(strip),           cmocka_unit_test(tube),
        cmocka_unit_test(sphere),          cmocka_unit_test(beam),
        cmocka_unit_test(torus),           cmocka_unit_test(torus_frames),
        cmocka_unit_test(chain),           cmocka_unit_test(branch),
        cmocka_unit_test(bad_arguments),   cmocka_unit_test(too_large),
        cmocka_unit_test(freeing_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
