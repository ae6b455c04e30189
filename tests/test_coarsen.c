/* Coarse triangle meshes: topology, facing, spacing, kept vertices, odd meshes, directions and scales; the same bits
 * everywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "helpers_heap.h"
#include "helpers_world.h"
#include "helpers_coarsen.h"
#include "mesh/flip.h"

#include <stdio.h>

/* ---- Meshes ---- */

static uint64_t random_state = 1;

static int random_below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

/* A closed band of `around` x `across` cells: a torus, or a Moebius band if `twisted`, which is open across. */
static taut_mesh band(int around, int across, bool twisted)
{
    int rows = twisted ? across + 1 : across;
    taut_mesh mesh = empty_mesh(around * rows, 2 * around * across);
    int *v = mesh.tri;
    double turn = 2 * acos(-1);
    for (int i = 0; i < around; i++) {
        for (int j = 0; j < rows; j++) {
            double a = turn * i / around, b = twisted ? a / 2 : turn * j / across;
            double out = twisted ? (j - 0.5 * across) / across : 0.4;
            put(&mesh, i * rows + j, cos(a) * (1 + out * cos(b)), out * sin(b), sin(a) * (1 + out * cos(b)));
            if (j == across) continue;
            int here = i * rows + j, up = i * rows + (j + 1) % rows, next = (i + 1) % around;
            bool turned = twisted && next == 0;
            int there = next * rows + (turned ? across - j : j);
            int there_up = next * rows + (turned ? across - j - 1 : (j + 1) % rows);
            const int two[6] = {here, up, there_up, here, there_up, there};
            memcpy(v, two, sizeof two);
            v += 6;
        }
    }
    return mesh;
}

/* ---- Properties of every coarse mesh ---- */

static void assert_level(const taut_mesh *fine, const level *l)
{
    const taut_mesh *mesh = &l->mesh;
    assert_true(taut_mesh_check(mesh, NULL));
    for (int v = 0; v < mesh->nvertices; v++) {
        assert_in_range(l->origin[v], v == 0 ? 0 : l->origin[v - 1] + 1, fine->nvertices - 1);
        assert_memory_equal(mesh->x + 3 * v, fine->x + 3 * l->origin[v], 3 * sizeof(float));
    }
    shape before = shape_of(fine), after = shape_of(mesh);
    assert_int_equal(after.euler, before.euler);
    assert_int_equal(after.parts, before.parts);
    assert_int_equal(after.loops, before.loops);
    assert_int_equal(after.nonmanifold, before.nonmanifold);
    assert_int_equal(after.inconsistent, before.inconsistent);
}

static void assert_size(const level *l, int target)
{
    assert_in_range(l->mesh.nvertices, target, target + target / 10);
}

static double area_of(const taut_mesh *mesh)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntris; t++) sum += vec_length(normal_of(mesh, t)) / 2;
    return sum;
}

/* ---- Flat sheets ---- */

static int find_place(const taut_mesh *mesh, double x, double y)
{
    for (int v = 0; v < mesh->nvertices; v++)
        if (vec_length(vec_sub(at(mesh, v), (vec3){x, y, 0})) < 1e-6) return v;
    return -1;
}

/* The whole square is covered once, face up. */
static void assert_flat(const taut_mesh *mesh)
{
    for (int t = 0; t < mesh->ntris; t++) {
        vec3 normal = normal_of(mesh, t);
        assert_true(normal.z > 0);
        assert_true(normal.x == 0 && normal.y == 0);
    }
    assert_true(fabs(area_of(mesh) - 1) < 1e-6);
    for (int corner = 0; corner < 4; corner++)
        assert_true(find_place(mesh, corner % 2 ? 0.5 : -0.5, corner < 2 ? 0 : -1) >= 0);
}

static void check_sheet(taut_mesh fine, int divisor, bool is_regular)
{
    int target = fine.nvertices / divisor;
    level l = coarsen(&fine, target, NULL);
    assert_level(&fine, &l);
    assert_int_equal(l.mesh.nvertices, target);
    assert_flat(&l.mesh);
    quality q = quality_of(&l.mesh);
    /* Triangles of a regular sheet are halves of squares and of rectangles of one to two. */
    double least = is_regular ? 25 : 18, good = is_regular ? 0.99 : 0.96;
    if (!(q.even > 0.95 && q.shortest > 0.45 * q.mean && q.longest < 1.8 * q.mean && q.least_angle > least &&
          q.good > good))
        fail_msg("1/%d of a sheet: edges %g, %g to %g, even %g; least angle %g, good %g", divisor, q.mean, q.shortest,
                 q.longest, q.even, q.least_angle, q.good);
    level_close(&l);
    taut_mesh_free(&fine);
}

static void sheets_are_even(void **state)
{
    (void)state;
    check_sheet(sheet(100), 4, true);
    check_sheet(sheet(100), 16, true);
    check_sheet(sheet(61), 3, true);
    check_sheet(irregular(100), 4, false);
    check_sheet(irregular(100), 16, false);
    check_sheet(irregular(61), 7, false);
}

/* A coarse mesh is even whatever the order of vertices and triangles is. */
static void shuffled_sheets_are_even(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(80);
    int *place = malloc((size_t)mesh.nvertices * sizeof *place);
    float *x = malloc(3 * sizeof(float) * (size_t)mesh.nvertices);
    assert_true(place && x);
    for (int v = 0; v < mesh.nvertices; v++) { /* Fisher-Yates */
        int other = random_below(v + 1);
        place[v] = place[other];
        place[other] = v;
    }
    for (int v = 0; v < mesh.nvertices; v++) memcpy(x + 3 * place[v], mesh.x + 3 * v, 3 * sizeof(float));
    memcpy(mesh.x, x, 3 * sizeof(float) * (size_t)mesh.nvertices);
    for (int i = 0; i < 3 * mesh.ntris; i++) mesh.tri[i] = place[mesh.tri[i]];
    for (int t = mesh.ntris - 1; t > 0; t--) { /* the corners of each triangle rotate too */
        int *a = mesh.tri + 3 * t, *b = mesh.tri + 3 * random_below(t + 1);
        const int kept[3] = {a[0], a[1], a[2]};
        memcpy(a, b, sizeof kept);
        for (int i = 0; i < 3; i++) b[i] = kept[(i + 1) % 3];
    }
    free(mesh.uv); /* no longer in the triangles' order */
    mesh.uv = NULL;
    free(place);
    free(x);
    check_sheet(mesh, 4, false);
}

/* ---- Other surfaces ---- */

/* ---- Flips ---- */

/* Whether the edge from (-1,0) to (1,0) between two triangles flips. The second one is turned up about it by an angle.
 * `tip` and `other_tip` are the distances of the apexes from the edge, `along` is where the second is along it. */
static bool flips(double tip, double other_tip, double along, double angle)
{
    static const int tri[2][3] = {{0, 1, 2}, {1, 0, 3}};
    const float x[4][3] = {{-1, 0, 0},
                           {1, 0, 0},
                           {0, (float)tip, 0},
                           {(float)along, (float)(-other_tip * cos(angle)), (float)(other_tip * sin(angle))}};
    taut_mesh mesh = mesh_of(x, 4, tri, 2);
    tt_scope scope;
    tt_editable e;
    int apex[2];
    tt_scope_open(&scope, NULL);
    assert_true(tt_editable_build(&scope, &mesh, &e));
    bool done = tt_flip(&e, 0, 1, apex);
    if (done) {
        assert_true(apex[0] == 2 && apex[1] == 3);
        int side[2];
        assert_int_equal(tt_editable_sides(&e, 0, 1, side), 0);
        assert_true(tt_editable_is_inside(&e, 2, 3, side));
    }
    tt_scope_close(&scope);
    taut_mesh_free(&mesh);
    return done;
}

static void flips_where_flat_and_thin(void **state)
{
    (void)state;
    assert_true(flips(0.5, 0.5, 0, 0));
    assert_true(flips(0.5, 0.5, 0, 0.3));   /* a little bent */
    assert_false(flips(0.5, 0.5, 0, 1.2));  /* a crease      */
    assert_false(flips(0.5, 0.5, 0, -1.2));
    assert_false(flips(1.5, 1.5, 0, 0));    /* good already  */
    assert_false(flips(1, 1, 0, 0));        /* no better     */
    assert_false(flips(0.1, 0.05, 1.9, 0)); /* would turn a triangle over */
}

static double opposite_angle(const taut_mesh *mesh, int a, int b, int apex)
{
    vec3 p = vec_sub(at(mesh, a), at(mesh, apex)), q = vec_sub(at(mesh, b), at(mesh, apex));
    return atan2(vec_length(vec_cross(p, q)), vec_dot(p, q));
}

/* On a flat sheet flips end in a Delaunay mesh, also if there is nothing to collapse. */
static void flat_meshes_are_delaunay(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(40);
    for (int divisor = 1; divisor <= 9; divisor += 4) {
        level l = coarsen(&mesh, mesh.nvertices / divisor, NULL);
        tt_topology topology;
        assert_int_equal(l.mesh.nvertices, mesh.nvertices / divisor);
        assert_true(tt_topology_build(&l.scope, &l.mesh, &topology));
        for (int i = 0; i < topology.nhinges; i++) {
            const tt_hinge *h = &topology.hinge[i];
            double sum = opposite_angle(&l.mesh, h->p3, h->p4, h->p1) + opposite_angle(&l.mesh, h->p3, h->p4, h->p2);
            assert_true(sum < acos(-1) + 1e-5);
        }
        level_close(&l);
    }
    taut_mesh_free(&mesh);
}

/* Long thin triangles become short ones before other vertices go. */
static void thin_triangles_go_first(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 201, 6, 1, 1, NULL));
    assert_true(quality_of(&mesh).least_angle < 2);
    level l = coarsen(&mesh, 36, NULL);
    assert_level(&mesh, &l);
    assert_size(&l, 36);
    assert_flat(&l.mesh);
    assert_true(quality_of(&l.mesh).least_angle > 20);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* The direction outward: from the middle of the sphere, from the axis of the tube, or from the circle in the torus. */
static vec3 outward(int kind, vec3 p)
{
    if (kind == 0) return p;
    if (kind == 1) return (vec3){p.x, 0, p.z};
    double out = sqrt(p.x * p.x + p.z * p.z);
    return (vec3){p.x - p.x / out, p.y, p.z - p.z / out};
}

static void check_round(taut_mesh fine, int kind, int target, double tolerance)
{
    level l = coarsen(&fine, target, NULL);
    assert_level(&fine, &l);
    assert_size(&l, target);
    int sign = vec_dot(normal_of(&fine, 0), outward(kind, centre_of(&fine, fine.tri, 3))) > 0 ? 1 : -1;
    for (int t = 0; t < l.mesh.ntris; t++) {
        vec3 normal = normal_of(&l.mesh, t), out = outward(kind, centre_of(&l.mesh, l.mesh.tri + 3 * t, 3));
        assert_true(sign * vec_dot(normal, out) > 0.5 * vec_length(normal) * vec_length(out));
    }
    double area = area_of(&l.mesh) / area_of(&fine);
    quality q = quality_of(&l.mesh);
    if (!(fabs(area - 1) < tolerance && q.least_angle > 8 && q.good > 0.9 && q.even > 0.93))
        fail_msg("kind %d, %d vertices: area %g, least angle %g, good %g, even %g", kind, target, area, q.least_angle,
                 q.good, q.even);
    level_close(&l);
    taut_mesh_free(&fine);
}

static void round_surfaces_stay_round(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sphere(&mesh, 4, 1, NULL));
    check_round(mesh, 0, 640, 0.02);
    assert_true(taut_mesh_sphere(&mesh, 4, 1, NULL));
    check_round(mesh, 0, 64, 0.15);
    assert_true(taut_mesh_tube(&mesh, 60, 60, 0.3f, 1, NULL));
    check_round(mesh, 1, 900, 0.02);
    assert_true(taut_mesh_tube(&mesh, 60, 60, 0.3f, 1, NULL));
    check_round(mesh, 1, 120, 0.06);
    check_round(band(72, 30, false), 2, 540, 0.04);
    check_round(band(72, 30, false), 2, 150, 0.12);
}

/* When no vertices are asked for, each part becomes the smallest mesh with its topology. */
static void nothing_is_lost_at_the_end(void **state)
{
    (void)state;
    taut_mesh mesh = sheet(20);
    level l = coarsen(&mesh, 0, NULL);
    assert_level(&mesh, &l);
    assert_flat(&l.mesh);
    assert_int_equal(l.mesh.nvertices, 4); /* its corners stay */
    level_close(&l);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_sphere(&mesh, 3, 1, NULL));
    l = coarsen(&mesh, 0, NULL);
    assert_level(&mesh, &l);
    assert_true(l.mesh.nvertices < 16);
    level_close(&l);
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_tube(&mesh, 12, 12, 0.3f, 1, NULL));
    l = coarsen(&mesh, 0, NULL);
    assert_level(&mesh, &l);
    assert_true(l.mesh.nvertices < 20);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* A roof keeps its ridge: no triangle may cut across the ridge or the boundary. */
static void creases_stay(void **state)
{
    (void)state;
    taut_mesh mesh = sheet(41);
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v + 2] = 0.5f - fabsf(mesh.x[3 * v]);
    double area = area_of(&mesh);
    level l = coarsen(&mesh, mesh.nvertices / 8, NULL);
    assert_level(&mesh, &l);
    assert_size(&l, mesh.nvertices / 8);
    assert_true(fabs(area_of(&l.mesh) / area - 1) < 1e-5);
    for (int t = 0; t < l.mesh.ntris; t++) { /* every triangle is on one side of the roof */
        vec3 normal = normal_of(&l.mesh, t);
        assert_true(fabs(fabs(normal.x) - normal.z) < 1e-5 * vec_length(normal));
    }
    level_close(&l);
    taut_mesh_free(&mesh);
}

static bool read_obj(const char *name, taut_mesh *mesh)
{
    const char *source = getenv("SOURCE");
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/../shared/data/meshes/%s.obj", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    enum { MOST = 100000 };
    *mesh = empty_mesh(MOST, MOST);
    mesh->nvertices = mesh->ntris = 0;
    while (fgets(line, sizeof line, file) && mesh->nvertices < MOST && mesh->ntris < MOST) {
        float *x = mesh->x + 3 * mesh->nvertices;
        int *v = mesh->tri + 3 * mesh->ntris;
        if (sscanf(line, "v %f %f %f", &x[0], &x[1], &x[2]) == 3) mesh->nvertices++;
        if (sscanf(line, "f %d%*s %d%*s %d", &v[0], &v[1], &v[2]) == 3 ||
            sscanf(line, "f %d %d %d", &v[0], &v[1], &v[2]) == 3) {
            for (int i = 0; i < 3; i++) v[i]--;
            mesh->ntris++;
        }
    }
    fclose(file);
    return true;
}

static void files(void **state)
{
    (void)state;
    static const char *const name[] = {"torus", "spot", "penguin", "fish_low_resolution", "human_neutral"};
    int read = 0;
    for (int i = 0; i < LENGTH(name); i++) {
        taut_mesh mesh;
        if (!read_obj(name[i], &mesh)) continue;
        read++;
        for (int divisor = 4; divisor <= 16; divisor *= 4) {
            int used = 0;
            char *is_used = calloc((size_t)mesh.nvertices, 1);
            assert_non_null(is_used);
            for (int c = 0; c < 3 * mesh.ntris; c++) {
                used += !is_used[mesh.tri[c]];
                is_used[mesh.tri[c]] = 1;
            }
            free(is_used);
            level l = coarsen(&mesh, used / divisor, NULL);
            assert_level(&mesh, &l);
            assert_size(&l, used / divisor);
            quality q = quality_of(&l.mesh);
            double area = area_of(&l.mesh) / area_of(&mesh);
            if (!(q.even > 0.85 && q.good > 0.8 && q.least_angle > 1 && fabs(area - 1) < 0.15))
                fail_msg("%s/%d: even %g, good %g, least angle %g, area %g", name[i], divisor, q.even, q.good,
                         q.least_angle, area);
            level_close(&l);
        }
        taut_mesh_free(&mesh);
    }
    if (!read) {
        print_message("SKIPPED: ../shared/data/meshes is not there\n");
        skip();
    }
}

/* ---- Kept vertices ---- */

static int count_kept(const level *l, const unsigned char *keep)
{
    int count = 0;
    for (int v = 0; v < l->mesh.nvertices; v++) count += keep[l->origin[v]] != 0;
    return count;
}

static void pins_stay(void **state)
{
    (void)state;
    enum { SIDE = 60 };
    taut_mesh mesh = irregular(SIDE);
    unsigned char keep[SIDE * SIDE] = {0};
    for (int j = 5; j < SIDE; j += 10)
        for (int i = 7; i < SIDE; i += 10) keep[j * SIDE + i] = 1; /* 36 single vertices */
    level l = coarsen(&mesh, SIDE * SIDE / 12, keep);
    assert_level(&mesh, &l);
    assert_size(&l, SIDE * SIDE / 12);
    assert_int_equal(count_kept(&l, keep), 36);
    assert_null(l.mesh.pinned);
    level_close(&l);
    memset(keep, 0, sizeof keep);
    memset(keep, 1, SIDE); /* a row thins out like the rest */
    l = coarsen(&mesh, SIDE * SIDE / 16, keep);
    assert_level(&mesh, &l);
    assert_in_range(count_kept(&l, keep), SIDE / 6, SIDE / 3);
    assert_true(quality_of(&l.mesh).even > 0.95);
    level_close(&l);
    mesh.pinned = malloc(sizeof keep);
    assert_non_null(mesh.pinned);
    memcpy(mesh.pinned, keep, sizeof keep);
    mesh.pinned[SIDE * SIDE / 2] = 3;
    l = coarsen(&mesh, SIDE * SIDE / 2, mesh.pinned);
    for (int v = 0; v < l.mesh.nvertices; v++) assert_int_equal(l.mesh.pinned[v], mesh.pinned[l.origin[v]]);
    assert_true(count_kept(&l, keep) > 10);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* ---- Odd meshes ---- */

/* One mesh with every kind of place that is not a surface; its good part can be coarsened all the same. */
static void odd_places_are_left_alone(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    taut_mesh flat = sheet(SIDE), mesh = empty_mesh(SIDE * SIDE + 12, flat.ntris + 9);
    memcpy(mesh.x, flat.x, 3 * sizeof(float) * (size_t)flat.nvertices);
    memcpy(mesh.tri, flat.tri, 3 * sizeof(int) * (size_t)flat.ntris);
    int v = SIDE * SIDE, in = SIDE * 8 + 8, other = SIDE * 16 + 16, *t = mesh.tri + 3 * flat.ntris;
    for (int i = 0; i < 9; i++) put(&mesh, v + i, 0.1 * i, 1 + 0.05 * (i % 3), 0.2 + 0.03 * (i % 2));
    put(&mesh, v + 9, 3, 3, 3); /* in no triangle */
    put(&mesh, v + 10, -3, 3, 3);
    put(&mesh, v + 11, -3, 3, 3);
    const int odd[9][3] = {
        {in, in + 1, v},                              /* a third triangle on an edge */
        {other, v + 1, v + 2},                        /* hangs on by a vertex        */
        {v + 3, v + 4, v + 5}, {v + 3, v + 5, v + 4}, /* two back to back            */
        {v + 6, v + 7, v + 8}, {v + 6, v + 7, v + 8}, /* the same one twice          */
        {0, SIDE - 1, SIDE * SIDE - 1},                        /* corners of the sheet        */
        {SIDE + 1, SIDE + 2, 2 * SIDE + 1},                    /* lies on another             */
        {v + 10, v + 11, v + 9},                      /* without an area             */
    };
    memcpy(t, odd, sizeof odd);
    assert_true(taut_mesh_check(&mesh, NULL));
    shape before = shape_of(&mesh);
    assert_true(before.nonmanifold > 0 && before.inconsistent > 0);
    level l = coarsen(&mesh, 160, NULL);
    assert_level(&mesh, &l);
    assert_size(&l, 160);
    level_close(&l);
    level all = coarsen(&mesh, 0, NULL);
    assert_level(&mesh, &all);
    assert_true(all.mesh.nvertices < 60);
    level_close(&all);
    taut_mesh_free(&mesh);
    taut_mesh_free(&flat);
}

/* Two spheres that have one vertex in common: its triangles are two fans. */
static void fans_that_touch(void **state)
{
    (void)state;
    taut_mesh one, two;
    assert_true(taut_mesh_sphere(&one, 3, 1, NULL));
    int n = one.nvertices;
    two = empty_mesh(2 * n - 1, 2 * one.ntris);
    for (int v = 0; v < n; v++) { /* the second is the first, turned about its vertex 0, and five times as large */
        vec3 p = at(&one, v), q = vec_sub(vec_scale(at(&one, 0), 6), vec_scale(p, 5));
        put(&two, v, p.x, p.y, p.z);
        if (v > 0) put(&two, n - 1 + v, q.x, q.y, q.z);
    }
    for (int i = 0; i < 3 * one.ntris; i++) {
        two.tri[i] = one.tri[i];
        two.tri[3 * one.ntris + i] = one.tri[i] > 0 ? n - 1 + one.tri[i] : 0;
    }
    static const int target[] = {400, 60, 0};
    for (int i = 0; i < LENGTH(target); i++) {
        level l = coarsen(&two, target[i], NULL);
        assert_level(&two, &l);
        assert_int_equal(l.origin[0], 0);
        level_close(&l);
    }
    taut_mesh_free(&one);
    taut_mesh_free(&two);
}

static void one_sided_bands(void **state)
{
    (void)state;
    taut_mesh mesh = band(60, 12, true);
    assert_true(shape_of(&mesh).inconsistent > 0);
    assert_int_equal(shape_of(&mesh).loops, 1);
    level l = coarsen(&mesh, 160, NULL);
    assert_level(&mesh, &l);
    assert_size(&l, 160);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* Edges without a length collapse first; triangles without an area get one or vanish. */
static void degenerate_triangles(void **state)
{
    (void)state;
    enum { SIDE = 30 };
    taut_mesh mesh = sheet(SIDE);
    for (int j = 3; j < SIDE - 3; j += 5) /* some neighbours in one place, some in a line with two others */
        for (int i = 3; i < SIDE - 3; i += 5) {
            int v = j * SIDE + i;
            memcpy(mesh.x + 3 * (v + 1), mesh.x + 3 * v, 3 * sizeof(float));
            mesh.x[3 * (v + SIDE)] = 0.5f * (mesh.x[3 * (v + SIDE - 1)] + mesh.x[3 * (v - 1)]);
            mesh.x[3 * (v + SIDE) + 1] = 0.5f * (mesh.x[3 * (v + SIDE - 1) + 1] + mesh.x[3 * (v - 1) + 1]);
        }
    level l = coarsen(&mesh, SIDE * SIDE / 5, NULL);
    assert_level(&mesh, &l);
    assert_size(&l, SIDE * SIDE / 5);
    double thinnest = 180;
    for (int t = 0; t < l.mesh.ntris; t++) thinnest = fmin(thinnest, least_angle(&l.mesh, t));
    assert_true(thinnest > 5);
    level_close(&l);
    taut_mesh_free(&mesh);
    mesh = sheet(SIDE);
    for (int j = 0; j < SIDE; j++) /* columns lie on their neighbours; no triangle may turn over */
        for (int i = 2; i < SIDE - 2; i += 3) mesh.x[3 * (j * SIDE + i)] = mesh.x[3 * (j * SIDE + i - 1)];
    for (int target = SIDE * SIDE / 2; target > 20; target /= 2) {
        l = coarsen(&mesh, target, NULL);
        assert_level(&mesh, &l);
        assert_size(&l, target);
        assert_flat(&l.mesh);
        level_close(&l);
    }
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v] = 0; /* the whole mesh in a line */
    l = coarsen(&mesh, 50, NULL);
    assert_level(&mesh, &l);
    level_close(&l);
    memset(mesh.x, 0, 3 * sizeof(float) * (size_t)mesh.nvertices); /* the whole mesh in a point */
    l = coarsen(&mesh, 50, NULL);
    assert_level(&mesh, &l);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* The area of a flat triangle with vertex v at p. */
static double area_with(const taut_mesh *mesh, int t, int v, vec3 p)
{
    vec3 corner[3];
    for (int i = 0; i < 3; i++) corner[i] = mesh->tri[3 * t + i] == v ? p : at(mesh, mesh->tri[3 * t + i]);
    return vec_cross(vec_sub(corner[1], corner[0]), vec_sub(corner[2], corner[0])).z / 2;
}

/* Moves vertex v to the middle of the side across from it in triangle t, unless that turns another triangle over. */
static void squash(taut_mesh *mesh, int t, int v)
{
    vec3 p = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        if (mesh->tri[3 * t + i] != v) p = vec_add(p, vec_scale(at(mesh, mesh->tri[3 * t + i]), 0.5));
    for (int other = 0; other < mesh->ntris; other++) {
        const int *c = mesh->tri + 3 * other;
        if (other != t && (c[0] == v || c[1] == v || c[2] == v) && area_with(mesh, other, v, p) < 1e-5) return;
    }
    put(mesh, v, p.x, p.y, p.z);
}

/* Triangles are squashed nearly or fully to lines. No triangle that faces up may end facing down. */
static void squashed_triangles(void **state)
{
    (void)state;
    enum { SIDE = 20 };
    int squashed = 0;
    for (int seed = 0; seed < 20; seed++) {
        taut_mesh mesh;
        assert_true(taut_mesh_sheet_irregular(&mesh, SIDE, SIDE, 1, 1, 0.3f, (uint32_t)seed, NULL));
        for (int i = 0; i < 200; i++) {
            int t = random_below(mesh.ntris), v = mesh.tri[3 * t + random_below(3)];
            if (v / SIDE > 0 && v / SIDE < SIDE - 1 && v % SIDE > 0 && v % SIDE < SIDE - 1) squash(&mesh, t, v);
        }
        for (int t = 0; t < mesh.ntris; t++) {
            double area = area_with(&mesh, t, -1, (vec3){0, 0, 0});
            squashed += fabs(area) < 1e-8;
            assert_true(area > -1e-8);
        }
        for (int target = 300; target > 20; target = 2 * target / 3) {
            level l = coarsen(&mesh, target, NULL);
            assert_level(&mesh, &l);
            assert_size(&l, target);
            assert_true(fabs(area_of(&l.mesh) - 1) < 1e-5);
            for (int t = 0; t < l.mesh.ntris; t++)
                assert_true(area_with(&l.mesh, t, -1, (vec3){0, 0, 0}) > -1e-8);
            level_close(&l);
        }
        taut_mesh_free(&mesh);
    }
    assert_true(squashed > 400);
}

static void tiny_meshes(void **state)
{
    (void)state;
    static const float x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3f, 0.3f, 0}};
    static const int tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const int fan[3][3] = {{0, 1, 4}, {1, 2, 4}, {2, 0, 4}};
    taut_mesh mesh = mesh_of(x, 3, tetrahedron, 1);
    level l = coarsen(&mesh, 0, NULL); /* a triangle stays */
    assert_level(&mesh, &l);
    assert_int_equal(l.mesh.ntris, 1);
    level_close(&l);
    taut_mesh_free(&mesh);
    mesh = mesh_of(x, 4, tetrahedron, 4);
    l = coarsen(&mesh, 0, NULL); /* so does a tetrahedron */
    assert_level(&mesh, &l);
    assert_int_equal(l.mesh.ntris, 4);
    level_close(&l);
    taut_mesh_free(&mesh);
    mesh = mesh_of(x, 5, fan, 3);
    l = coarsen(&mesh, 0, NULL);
    assert_level(&mesh, &l);
    assert_int_equal(l.mesh.ntris, 1); /* vertex 3 has no triangle, and 4 goes */
    assert_int_equal(l.mesh.nvertices, 3);
    level_close(&l);
    taut_mesh_free(&mesh);
    mesh = mesh_of(x, 5, fan, 0);
    l = coarsen(&mesh, 3, NULL);
    assert_int_equal(l.mesh.nvertices, 0);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* The same mesh in millimetres or light years is the same mesh. */
static void units_do_not_matter(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(30), scaled = irregular(30);
    level known = coarsen(&mesh, 200, NULL);
    static const float size[] = {0x1p-100f, 0x1p100f};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3 * mesh.nvertices; j++) scaled.x[j] = mesh.x[j] * size[i];
        level l = coarsen(&scaled, 200, NULL);
        assert_int_equal(l.mesh.ntris, known.mesh.ntris);
        assert_memory_equal(l.mesh.tri, known.mesh.tri, 3 * sizeof(int) * (size_t)known.mesh.ntris);
        level_close(&l);
    }
    level_close(&known);
    taut_mesh_free(&mesh);
    taut_mesh_free(&scaled);
}

/* ---- Directions and scales ---- */

static void directions_and_scales(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(50);
    mesh.tri_scale = malloc(sizeof(float) * (size_t)mesh.ntris);
    assert_non_null(mesh.tri_scale);
    for (int t = 0; t < mesh.ntris; t++)
        mesh.tri_scale[t] = centre_of(&mesh, mesh.tri + 3 * t, 3).x < 0 ? 0.25f : 1;
    level l = coarsen(&mesh, 300, NULL);
    assert_null(l.mesh.uv);
    double mean_edge = quality_of(&l.mesh).mean;
    for (int t = 0; t < l.mesh.ntris; t++) { /* UVs run along x and y */
        const float *d = l.mesh.direction + 3 * t, scale = l.mesh.tri_scale[t];
        assert_true(fabsf(d[0] - 1) < 1e-5f && fabsf(d[1]) < 1e-3f && fabsf(d[2]) < 1e-5f);
        vec3 centre = centre_of(&l.mesh, l.mesh.tri + 3 * t, 3);
        if (centre.x < -mean_edge) assert_true(scale == 0.25f);
        else if (centre.x > mean_edge) assert_true(scale == 1);
        else assert_true(scale >= 0.25f && scale <= 1);
    }
    level_close(&l);
    /* Without UVs: directions that turn across the sheet. */
    free(mesh.uv);
    mesh.uv = NULL;
    mesh.direction = calloc(3 * (size_t)mesh.ntris, sizeof(float));
    assert_non_null(mesh.direction);
    for (int t = 0; t < mesh.ntris; t++) {
        double angle = centre_of(&mesh, mesh.tri + 3 * t, 3).x;
        mesh.direction[3 * t] = (float)(7 * cos(angle));
        mesh.direction[3 * t + 1] = (float)(7 * sin(angle));
        mesh.direction[3 * t + 2] = 3; /* out of the plane, so it does not count */
    }
    l = coarsen(&mesh, 300, NULL);
    for (int t = 0; t < l.mesh.ntris; t++) {
        const float *d = l.mesh.direction + 3 * t;
        double angle = centre_of(&l.mesh, l.mesh.tri + 3 * t, 3).x;
        assert_true(cos(angle) * (double)d[0] + sin(angle) * (double)d[1] > cos(mean_edge));
        assert_true(fabsf(d[2]) < 1e-5f);
    }
    level_close(&l);
    free(mesh.direction);
    free(mesh.tri_scale);
    mesh.direction = mesh.tri_scale = NULL;
    l = coarsen(&mesh, 300, NULL); /* a mesh without directions and scales gets none */
    assert_null(l.mesh.direction);
    assert_null(l.mesh.tri_scale);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* ---- The same bits, and too little memory ---- */

static uint64_t hash_level(const level *l, const taut_mesh *fine)
{
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_transfer up = transfer_between(&scope, &l->mesh, fine, (tt_transfer_options){.origin = l->origin});
    uint64_t hash = tt_hash(TT_HASH_SEED, l->mesh.tri, 3 * sizeof(int) * (size_t)l->mesh.ntris);
    hash = tt_hash(hash, l->origin, sizeof(int) * (size_t)l->mesh.nvertices);
    if (l->mesh.direction) hash = tt_hash(hash, l->mesh.direction, 3 * sizeof(float) * (size_t)l->mesh.ntris);
    hash = tt_hash(hash, up.index, (size_t)up.count * sizeof *up.index);
    hash = tt_hash(hash, up.weight, (size_t)up.count * sizeof *up.weight);
    tt_scope_close(&scope);
    return hash;
}

/* Known hashes, which every compiler, processor and C library must give. */
static void same_bits_everywhere(void **state)
{
    (void)state;
    taut_mesh mesh[3] = {irregular(70), band(50, 20, false)};
    assert_true(taut_mesh_tube(&mesh[2], 40, 40, 0.3f, 1, NULL));
    static const uint64_t known[2] = {0x2631319aaf7fcd83, 0x2f82f5cc1b1fbe3c};
    for (int i = 0; i < 3; i++) {
        level first = coarsen(&mesh[i], mesh[i].nvertices / 4, NULL);
        level again = coarsen(&mesh[i], mesh[i].nvertices / 4, NULL);
        uint64_t hash = hash_level(&first, &mesh[i]);
        assert_int_equal(hash, hash_level(&again, &mesh[i]));
        if (i != 1) assert_int_equal(hash, known[i / 2]); /* the band is made with the C library's sine */
        level_close(&first);
        level_close(&again);
        taut_mesh_free(&mesh[i]);
    }
}

static void allocations_fail(void **state)
{
    (void)state;
    taut_mesh mesh = irregular(40);
    heap h;
    heap_open(&h);
    for (int64_t n = 1;; n++) {
        tt_scope scope;
        taut_mesh coarse;
        int *origin;
        tt_transfer up;
        tt_scope_open(&scope, &h.hook);
        heap_fail(&h, n);
        bool ok = tt_coarsen(&scope, &mesh, no_axis, 400, NULL, &coarse, &origin) &&
                  tt_transfer_build(&scope, &coarse, &mesh, (tt_transfer_options){.origin = origin}, &up);
        assert_true(ok == (h.made < n));
        tt_scope_close(&scope);
        assert_int_equal(h.live, 0);
        if (ok) {
            assert_true(n > 20);
            break;
        }
    }
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_are_even),
        cmocka_unit_test(shuffled_sheets_are_even),
        cmocka_unit_test(flips_where_flat_and_thin),
        cmocka_unit_test(flat_meshes_are_delaunay),
        cmocka_unit_test(thin_triangles_go_first),
        cmocka_unit_test(round_surfaces_stay_round),
        cmocka_unit_test(nothing_is_lost_at_the_end),
        cmocka_unit_test(creases_stay),
        cmocka_unit_test(files),
        cmocka_unit_test(pins_stay),
        cmocka_unit_test(odd_places_are_left_alone),
        cmocka_unit_test(fans_that_touch),
        cmocka_unit_test(one_sided_bands),
        cmocka_unit_test(degenerate_triangles),
        cmocka_unit_test(squashed_triangles),
        cmocka_unit_test(tiny_meshes),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(directions_and_scales),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
