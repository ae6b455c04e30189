/* Embedded meshes: affine fields in tets, rigid motion on triangles, a bending sheet, degenerate triangles, speed. Also
 * the bounding volume hierarchy, compared with a search of all items. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mesh/bvh.h"
#include "taut.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t random_state = 1;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static vec3 random_point(double size)
{
    double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return (vec3){x, y, z};
}

static vec3 at(const float *xyz, int v) { return vec_of(xyz + 3 * (size_t)v); }

static void put(float *xyz, int v, vec3 p)
{
    xyz[3 * v] = (float)p.x;
    xyz[3 * v + 1] = (float)p.y;
    xyz[3 * v + 2] = (float)p.z;
}

static float *positions(int count)
{
    float *xyz = malloc(3 * sizeof(float) * (size_t)(count ? count : 1));
    assert_non_null(xyz);
    return xyz;
}

/* The map p -> m p + shift, where x, y and z are the columns of m. */
typedef struct map {
    vec3 x, y, z, shift;
} map;

static vec3 mapped(const map *m, vec3 p)
{
    return vec_add(vec_add(vec_scale(m->x, p.x), vec_scale(m->y, p.y)), vec_add(vec_scale(m->z, p.z), m->shift));
}

static map rotation(void)
{
    vec3 x = random_point(1), z = vec_cross(x, random_point(1));
    x = vec_scale(x, 1 / vec_length(x));
    z = vec_scale(z, 1 / vec_length(z));
    return (map){x, vec_cross(z, x), z, random_point(3)};
}

static taut_embedding *build(const taut_mesh *mesh, const float *xyz, int count)
{
    taut_error error;
    taut_embedding *embedding = taut_embedding_build(mesh, xyz, count, &error);
    if (!embedding) fail_msg("%s", error.text);
    assert_int_equal(error.code, TAUT_OK);
    return embedding;
}

/* Binds `count` points to the mesh and moves it by `m`; every point must follow within `tolerance`, m. */
static void assert_follows(const taut_mesh *mesh, const float *fine, int count, const map *m, double tolerance)
{
    taut_embedding *embedding = build(mesh, fine, count);
    float *moved = positions(mesh->nvertices), *result = positions(count);
    taut_embedding_apply(embedding, mesh->x, result); /* at rest first */
    for (int v = 0; v < count; v++) assert_true(vec_length(vec_sub(at(result, v), at(fine, v))) < tolerance);
    for (int v = 0; v < mesh->nvertices; v++) put(moved, v, mapped(m, at(mesh->x, v)));
    taut_embedding_apply(embedding, moved, result);
    for (int v = 0; v < count; v++) {
        double off = vec_length(vec_sub(at(result, v), mapped(m, at(fine, v))));
        if (!(off < tolerance)) fail_msg("vertex %d is off by %g, allowed is %g", v, off, tolerance);
    }
    free(moved);
    free(result);
    taut_embedding_free(embedding);
}

/* ---- Tets ---- */

static void test_affine_in_tets(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    taut_mesh beam;
    assert_true(taut_mesh_beam(&beam, 8, 4, 4, 2, 1, 1, NULL));
    float *fine = positions(COUNT);
    for (int v = 0; v < COUNT; v++) /* a few of them outside */
        put(fine, v, (vec3){uniform(-0.05, 2.05), uniform(-0.55, 0.55), uniform(-0.55, 0.55)});
    map m = {{1.2, 0.3, -0.1}, {0.2, 0.7, 0.4}, {-0.3, 0.1, 1.4}, {0.5, -2, 1}};
    assert_follows(&beam, fine, COUNT, &m, 1e-5);
    free(fine);
    taut_mesh_free(&beam);
}

/* A vertex inside a tet is a mean of the tet's vertices. So if one vertex of the mesh moves, only vertices in its tets
 * move. */
static void test_vertex_is_held_by_its_own_tet(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    taut_mesh beam;
    assert_true(taut_mesh_beam(&beam, 4, 2, 2, 4, 2, 2, NULL));
    float *fine = positions(COUNT), *result = positions(COUNT), *moved = positions(beam.nvertices);
    for (int v = 0; v < COUNT; v++) put(fine, v, (vec3){uniform(0, 4), uniform(-1, 1), uniform(-1, 1)});
    taut_embedding *embedding = build(&beam, fine, COUNT);
    for (int s = 0; s < beam.nvertices; s++) {
        memcpy(moved, beam.x, 3 * sizeof(float) * (size_t)beam.nvertices);
        moved[3 * s + 1] += 1;
        taut_embedding_apply(embedding, moved, result);
        for (int v = 0; v < COUNT; v++) {
            vec3 by = vec_sub(at(result, v), at(fine, v)), apart = vec_sub(at(fine, v), at(beam.x, s));
            assert_true(fabs(by.x) < 1e-6 && fabs(by.z) < 1e-6 && by.y > -1e-6 && by.y < 1 + 1e-6);
            double farthest = fmax(fabs(apart.x), fmax(fabs(apart.y), fabs(apart.z))); /* cells are unit cubes */
            if (farthest > 1) assert_true(by.y < 1e-6);
        }
    }
    taut_embedding_free(embedding);
    free(fine);
    free(result);
    free(moved);
    taut_mesh_free(&beam);
}

/* With tets and triangles in one mesh, a point in a tet rides on that tet, and a point nearer to a triangle rides on
 * the triangle. */
static void test_tets_and_triangles_together(void **state)
{
    (void)state;
    float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 1, 0};
    int tet[] = {0, 1, 2, 3}, tri[] = {0, 2, 1, 4, 5, 6};
    taut_mesh mesh = {.nvertices = 7, .ntets = 1, .ntris = 2, .x = x, .tet = tet, .tri = tri};
    float fine[] = {0.2f, 0.2f, 0, 5.2f, 0.3f, 0.1f}, result[6];
    taut_embedding *embedding = build(&mesh, fine, 2);
    x[11] = 3; /* the tip of the tet has no weight at a vertex on its floor */
    x[14] = 1; /* the second triangle tilts */
    x[17] = 1;
    x[20] = 1;
    taut_embedding_apply(embedding, x, result);
    const float wanted[] = {0.2f, 0.2f, 0, 5.2f, 0.3f, 1.1f};
    for (int i = 0; i < 6; i++) assert_true(fabsf(result[i] - wanted[i]) < 1e-6f);
    taut_embedding_free(embedding);
}

/* ---- Triangles ---- */

static void test_rigid_motion_on_triangles(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static const float size[] = {0.01f, 1, 100};
    float *fine = positions(COUNT);
    for (int s = 0; s < 3; s++) {
        taut_mesh sphere, sheet;
        assert_true(taut_mesh_sphere(&sphere, 3, size[s], NULL));
        assert_true(taut_mesh_sheet(&sheet, 9, 7, size[s], size[s], NULL));
        for (int v = 0; v < COUNT; v++) put(fine, v, random_point(1.1 * size[s]));
        for (int turn = 0; turn < 5; turn++) {
            map m = rotation();
            m.shift = vec_scale(m.shift, size[s]);
            /* Points lie up to ten triangles off, which magnifies the rounding of the moved vertices, 6e-8 of their
             * distance of up to 6 sizes from the origin. */
            assert_follows(&sphere, fine, COUNT, &m, 2e-5 * size[s]);
            assert_follows(&sheet, fine, COUNT, &m, 2e-5 * size[s]);
        }
        taut_mesh_free(&sphere);
        taut_mesh_free(&sheet);
    }
    free(fine);
}

/* A sheet is rolled up along x to a cylinder. Vertices that ride on it stay at their height. */
static void test_bending_sheet(void **state)
{
    (void)state;
    taut_mesh coarse, fine;
    assert_true(taut_mesh_sheet(&coarse, 41, 5, 2, 0.5f, NULL));
    assert_true(taut_mesh_sheet(&fine, 97, 11, 2, 0.5f, NULL));
    static const float height[] = {0, 0.02f, -0.02f};
    const double radius = 0.5, cell = 2.0 / 40, sag = cell * cell / (8 * radius);
    float *rolled = positions(coarse.nvertices), *result = positions(fine.nvertices);
    for (int v = 0; v < coarse.nvertices; v++) {
        vec3 p = at(coarse.x, v);
        put(rolled, v, (vec3){radius * sin(p.x / radius), p.y, radius * cos(p.x / radius)});
    }
    for (int h = 0; h < 3; h++) {
        for (int v = 0; v < fine.nvertices; v++) fine.x[3 * v + 2] = height[h];
        taut_embedding *embedding = build(&coarse, fine.x, fine.nvertices);
        taut_embedding_apply(embedding, rolled, result);
        for (int v = 0; v < fine.nvertices; v++) {
            vec3 p = at(result, v), rest = at(fine.x, v);
            double r = radius + height[h], off = sqrt(p.x * p.x + p.z * p.z) - r;
            assert_true(off < 1e-6 + sag && off > -1e-6 - sag);
            vec3 wanted = {r * sin(rest.x / radius), rest.y, r * cos(rest.x / radius)};
            /* Along the roll, the normal of a flat triangle is off by up to half a cell's angle. */
            assert_true(vec_length(vec_sub(p, wanted)) < 2 * sag + fabs(height[h]) * cell / radius + 1e-6);
        }
        taut_embedding_free(embedding);
    }
    free(rolled);
    free(result);
    taut_mesh_free(&coarse);
    taut_mesh_free(&fine);
}

static void test_degenerate_triangles(void **state)
{
    (void)state;
    /* A good triangle, a line, a point and a sliver in one place. */
    float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 1e-8f, 0};
    int tri[] = {0, 1, 3, 0, 4, 5, 0, 1, 6, 0, 1, 2};
    taut_mesh mesh = {.nvertices = 7, .ntris = 4, .x = x, .tri = tri};
    float fine[] = {0.3f, 0, 0.1f, -0.2f, -0.1f, 0.1f, 0.5f, 1e-8f, 0, 0, 0, 0}, result[12];
    taut_embedding *embedding = build(&mesh, fine, 4);
    taut_embedding_apply(embedding, x, result); /* the good triangle carries them, so they are exact */
    for (int i = 0; i < 12; i++) assert_true(fabsf(result[i] - fine[i]) < 1e-6f);
    memset(x, 0, sizeof x); /* now all are degenerate */
    taut_embedding_apply(embedding, x, result);
    for (int i = 0; i < 12; i++) assert_true(fabsf(result[i]) < 1e-6f);
    taut_embedding_free(embedding);
}

/* A sliver has a normal, but the rounding of its vertices turns that normal about. So the nearest good triangle carries
 * the point. */
static void test_slivers_do_not_carry(void **state)
{
    (void)state;
    float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -0.01f, 0, 1, -0.01f, 0, 0.5f, -0.01000001f, 0};
    int tri[] = {0, 1, 2, 3, 4, 5};
    taut_mesh mesh = {.nvertices = 6, .ntris = 2, .x = x, .tri = tri};
    const float fine[] = {0.5f, -0.02f, 0.1f, 0.2f, -0.1f, -0.1f};
    for (int turn = 0; turn < 5; turn++) {
        map m = rotation();
        assert_follows(&mesh, fine, 2, &m, 2e-6);
    }
}

static void test_refused(void **state)
{
    (void)state;
    taut_mesh sheet, chain, empty = {0};
    taut_error error;
    float fine[] = {0, 0, 0, 0, NAN, 0};
    assert_true(taut_mesh_sheet(&sheet, 3, 3, 1, 1, NULL));
    assert_true(taut_mesh_chain(&chain, 3, 1, NULL));
    assert_null(taut_embedding_build(&empty, fine, 1, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    assert_null(taut_embedding_build(&chain, fine, 1, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    assert_non_null(strstr(error.text, "no triangle or tet"));
    assert_null(taut_embedding_build(&sheet, fine, 2, &error));
    assert_int_equal(error.code, TAUT_BAD_ARGUMENT);
    assert_int_equal(error.index, 1);
    assert_null(taut_embedding_build(&sheet, NULL, 1, &error));
    assert_null(taut_embedding_build(&sheet, fine, -1, NULL));
    taut_embedding *none = build(&sheet, NULL, 0);
    taut_embedding_apply(none, sheet.x, fine);
    taut_embedding_free(none);
    taut_embedding_free(NULL);
    taut_mesh_free(&sheet);
    taut_mesh_free(&chain);
}

/* 100 000 vertices on 50 000 elements take less than 2 s of processor time, or five times that in unoptimised
 * builds. */
static void test_speed(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
#ifdef __OPTIMIZE__
    const double limit = 2;
#else
    const double limit = 10;
#endif
    taut_mesh sheet, beam;
    assert_true(taut_mesh_sheet(&sheet, 159, 160, 1, 1, NULL));
    assert_true(taut_mesh_beam(&beam, 22, 22, 22, 1, 1, 1, NULL));
    assert_true(sheet.ntris > 50000 && beam.ntets > 50000);
    float *fine = positions(COUNT);
    for (int v = 0; v < COUNT; v++) put(fine, v, (vec3){uniform(-0.1, 1.1), uniform(-0.6, 0.6), uniform(-0.6, 0.6)});
    const taut_mesh *mesh[2] = {&sheet, &beam};
    for (int i = 0; i < 2; i++) {
        clock_t start = clock();
        taut_embedding_free(build(mesh[i], fine, COUNT));
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > limit) fail_msg("%d vertices took %g s", COUNT, seconds);
    }
    free(fine);
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
}

/* ---- The hierarchy ---- */

/* No point of a fine raster of the triangle is nearer than the closest point. */
static void test_closest_on_triangle(void **state)
{
    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        vec3 p = random_point(2), corner[3] = {random_point(1), random_point(1), random_point(1)};
        if (trial % 5 == 1) corner[2] = vec_add(corner[0], vec_scale(vec_sub(corner[1], corner[0]), uniform(-1, 2)));
        if (trial % 5 == 2) corner[2] = corner[trial % 2];
        if (trial % 50 == 3) corner[1] = corner[2] = corner[0];
        double weight[3], sum = 0;
        vec3 closest = tt_closest_on_triangle(p, corner[0], corner[1], corner[2], weight);
        vec3 same = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            assert_true(weight[i] >= 0 && weight[i] <= 1);
            sum += weight[i];
            same = vec_add(same, vec_scale(corner[i], weight[i]));
        }
        assert_true(fabs(sum - 1) < 1e-12 && vec_length(vec_sub(same, closest)) < 1e-12);
        double distance = vec_length(vec_sub(closest, p));
        for (int i = 0; i <= 20; i++)
            for (int j = 0; i + j <= 20; j++) {
                vec3 ab = vec_add(vec_scale(corner[0], i / 20.0), vec_scale(corner[1], j / 20.0));
                vec3 q = vec_add(ab, vec_scale(corner[2], (20 - i - j) / 20.0));
                assert_true(vec_length(vec_sub(q, p)) > distance - 1e-9);
            }
    }
}

static void test_nearest_is_that_of_all(void **state)
{
    (void)state;
    static const int count[] = {1, 2, 4, 5, 9, 100, 1000};
    for (int c = 0; c < 7; c++) {
        taut_mesh mesh = {.nvertices = 3 * count[c], .ntris = count[c], .x = positions(3 * count[c])};
        mesh.tri = malloc(3 * sizeof(int) * (size_t)count[c]);
        assert_non_null(mesh.tri);
        for (int v = 0; v < mesh.nvertices; v++) {
            mesh.tri[v] = v;
            vec3 near = v % 3 ? at(mesh.x, v - v % 3) : random_point(1);
            put(mesh.x, v, v % 3 && v % 7 ? vec_add(near, random_point(0.1)) : near); /* some without an area */
        }
        tt_scope scope;
        tt_scope_open(&scope, NULL);
        tt_triangles triangles;
        assert_true(tt_triangles_build(&scope, &mesh, &triangles));
        for (int i = 0; i < 200; i++) {
            vec3 p = random_point(1.5);
            double least = INFINITY, weight[3];
            for (int t = 0; t < mesh.ntris; t++) {
                const float *x = mesh.x + 9 * (size_t)t;
                vec3 q = tt_closest_on_triangle(p, vec_of(x), vec_of(x + 3), vec_of(x + 6), weight);
                least = fmin(least, vec_length(vec_sub(q, p)));
            }
            assert_true(vec_length(vec_sub(tt_triangles_closest(&triangles, p), p)) == least);
        }
        tt_scope_close(&scope);
        taut_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affine_in_tets),
        cmocka_unit_test(test_vertex_is_held_by_its_own_tet),
        cmocka_unit_test(test_tets_and_triangles_together),
        cmocka_unit_test(test_rigid_motion_on_triangles),
        cmocka_unit_test(test_bending_sheet),
        cmocka_unit_test(test_degenerate_triangles),
        cmocka_unit_test(test_slivers_do_not_carry),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_closest_on_triangle),
        cmocka_unit_test(test_nearest_is_that_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
