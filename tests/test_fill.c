/* Filled solids: volumes against closed forms, conformity, orientation, topology; surfaces with holes, overlaps, walls
 * and mixed-up orientation; the same tets at any scale; refused arguments; simulation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mesh/fill.h"
#include "taut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- Surfaces ---- */

static vec3 at(const taut_mesh *mesh, int v) { return vec_of(mesh->x + 3 * (size_t)v); }

static taut_mesh sphere(int levels, float radius)
{
    taut_mesh mesh;
    taut_error error;
    if (!taut_mesh_sphere(&mesh, levels, radius, &error)) fail_msg("%s", error.text);
    return mesh;
}

static void transform(taut_mesh *mesh, float scale, float dx, float dy, float dz)
{
    const float shift[3] = {dx, dy, dz};
    for (int i = 0; i < 3 * mesh->nvertices; i++) mesh->x[i] = scale * mesh->x[i] + shift[i % 3];
}

static void turn_inside_out(taut_mesh *mesh, int every)
{
    for (int t = 0; t < mesh->ntris; t += every) {
        int *v = mesh->tri + 3 * (size_t)t, kept = v[0];
        v[0] = v[1];
        v[1] = kept;
    }
}

/* Moves the arrays of b to the end of those of a. */
static void append(taut_mesh *a, taut_mesh *b)
{
    int nv = a->nvertices + b->nvertices, nt = a->ntris + b->ntris;
    a->x = realloc(a->x, 3 * sizeof(float) * (size_t)nv);
    a->tri = realloc(a->tri, 3 * sizeof(int) * (size_t)nt);
    assert_true(a->x && a->tri);
    memcpy(a->x + 3 * a->nvertices, b->x, 3 * sizeof(float) * (size_t)b->nvertices);
    for (int i = 0; i < 3 * b->ntris; i++) a->tri[3 * a->ntris + i] = b->tri[i] + a->nvertices;
    a->nvertices = nv;
    a->ntris = nt;
    taut_mesh_free(b);
}

static int sort_key(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(int)); }

typedef struct face {
    int sorted[3], vertex[3]; /* vertex: seen from outside, counter-clockwise */
} face;

static void sort3(int v[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            if (v[i] < v[j]) {
                int kept = v[i];
                v[i] = v[j];
                v[j] = kept;
            }
}

/* The faces of tets that no other tet has, as triangles that face out. Fails if any face has more than two tets. */
static void take_boundary(const taut_mesh *solid, taut_mesh *surface)
{
    static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    face *faces = malloc(4 * sizeof(face) * (size_t)solid->ntets);
    int count = 4 * solid->ntets, kept = 0;
    assert_non_null(faces);
    for (int f = 0; f < count; f++) {
        for (int i = 0; i < 3; i++) faces[f].vertex[i] = faces[f].sorted[i] = solid->tet[4 * (f / 4) + side[f % 4][i]];
        sort3(faces[f].sorted);
    }
    qsort(faces, (size_t)count, sizeof *faces, sort_key);
    for (int f = 0, same; f < count; f += same) {
        for (same = 1; f + same < count && !sort_key(&faces[f], &faces[f + same]);) same++;
        if (same > 2) fail_msg("a face has %d tets", same);
        if (same == 1) faces[kept++] = faces[f];
    }
    *surface = (taut_mesh){.nvertices = solid->nvertices, .ntris = kept};
    surface->x = malloc(3 * sizeof(float) * (size_t)solid->nvertices);
    surface->tri = malloc(3 * sizeof(int) * (size_t)kept);
    assert_true(surface->x && surface->tri);
    memcpy(surface->x, solid->x, 3 * sizeof(float) * (size_t)solid->nvertices);
    for (int f = 0; f < kept; f++) memcpy(surface->tri + 3 * f, faces[f].vertex, 3 * sizeof(int));
    free(faces);
}

static double enclosed_volume(const taut_mesh *surface)
{
    double sum = 0;
    for (int t = 0; t < surface->ntris; t++) {
        const int *v = surface->tri + 3 * (size_t)t;
        sum += vec_dot(vec_cross(at(surface, v[0]), at(surface, v[1])), at(surface, v[2])) / 6;
    }
    return sum;
}

/* ---- Properties of every filled solid ---- */

static double tet_volume(const taut_mesh *mesh, int t)
{
    const int *v = mesh->tet + 4 * (size_t)t;
    vec3 p = at(mesh, v[0]);
    vec3 normal = vec_cross(vec_sub(at(mesh, v[1]), p), vec_sub(at(mesh, v[2]), p));
    return vec_dot(normal, vec_sub(at(mesh, v[3]), p)) / 6;
}

/* Volume over that of the regular tet with the same mean square edge. */
static double tet_quality(const taut_mesh *mesh, int t)
{
    const int *v = mesh->tet + 4 * (size_t)t;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            vec3 edge = vec_sub(at(mesh, v[i]), at(mesh, v[j]));
            sum += vec_dot(edge, edge);
        }
    return tet_volume(mesh, t) * 6 * sqrt(2) / pow(sum / 6, 1.5);
}

typedef struct finding {
    double volume;
    int euler; /* of the boundary: 2 a ball, 0 a torus, 4 a hollow ball */
} finding;

static finding examine(const taut_mesh *solid)
{
    taut_mesh_report report;
    taut_error error;
    if (!taut_mesh_inspect(solid, &report, &error)) fail_msg("%s", error.text);
    assert_int_equal(report.unreferenced_vertices, 0);
    assert_int_equal(report.duplicate_vertices, 0);
    assert_int_equal(report.inverted_tets + report.degenerate_tets, 0);
    finding found = {0};
    for (int t = 0; t < solid->ntets; t++) {
        if (tet_quality(solid, t) < 0.299) fail_msg("tet %d has quality %g", t, tet_quality(solid, t));
        found.volume += tet_volume(solid, t);
    }
    taut_mesh boundary;
    take_boundary(solid, &boundary);
    assert_true(taut_mesh_inspect(&boundary, &report, &error));
    assert_int_equal(report.boundary_edges, 0);
    found.euler = boundary.nvertices - report.unreferenced_vertices - report.edges + boundary.ntris;
    taut_mesh_free(&boundary);
    return found;
}

static taut_mesh filled(const taut_mesh *surface, float cell)
{
    taut_mesh solid;
    taut_error error;
    if (!taut_mesh_fill(surface, cell, &solid, &error)) fail_msg("%s", error.text);
    assert_int_equal(error.code, TAUT_OK);
    return solid;
}

/* Fills and frees the surface; the volume must be within `part` of `volume`. */
static void assert_fills(taut_mesh *surface, float cell, double volume, double part, int euler)
{
    taut_mesh solid = filled(surface, cell);
    finding found = examine(&solid);
    if (!(fabs(found.volume / volume - 1) <= part))
        fail_msg("volume %g instead of %g: off by %.2f %%", found.volume, volume, 100 * (found.volume / volume - 1));
    assert_int_equal(found.euler, euler);
    taut_mesh_free(&solid);
    taut_mesh_free(surface);
}

static bool is_covered(const taut_mesh *solid, vec3 p)
{
    for (int t = 0; t < solid->ntets; t++) {
        const int *v = solid->tet + 4 * (size_t)t;
        bool inside = true;
        for (int i = 0; i < 4 && inside; i++) { /* on the same side of each face as the vertex across */
            vec3 a = at(solid, v[(i + 1) % 4]), q = at(solid, v[i]);
            vec3 normal = vec_cross(vec_sub(at(solid, v[(i + 2) % 4]), a), vec_sub(at(solid, v[(i + 3) % 4]), a));
            inside = vec_dot(normal, vec_sub(p, a)) * vec_dot(normal, vec_sub(q, a)) >= 0;
        }
        if (inside) return true;
    }
    return false;
}

static uint64_t random_state = 1;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* ---- Good surfaces ---- */

static void test_sphere(void **state)
{
    (void)state;
    taut_mesh surface = sphere(4, 1), solid = filled(&surface, 0.125f);
    finding found = examine(&solid);
    assert_true(fabs(found.volume / (4 * PI / 3) - 1) < 0.01);
    assert_int_equal(found.euler, 2);
    for (int v = 0; v < solid.nvertices; v++) assert_true(vec_length(at(&solid, v)) < 1 + 0.5 * 0.125);
    for (int i = 0; i < 1000; i++) {
        vec3 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        if (vec_length(p) < 1 - 0.5 * 0.125) assert_true(is_covered(&solid, p));
    }
    taut_mesh_free(&solid);
    taut_mesh_free(&surface);
}

/* Nearly all vertices of the boundary are on the surface, and the rest are near. */
static void test_boundary_follows_the_surface(void **state)
{
    (void)state;
    taut_mesh surface = sphere(5, 1), solid = filled(&surface, 0.125f), boundary;
    take_boundary(&solid, &boundary);
    bool *outer = calloc((size_t)solid.nvertices, sizeof *outer);
    assert_non_null(outer);
    for (int i = 0; i < 3 * boundary.ntris; i++) outer[boundary.tri[i]] = true;
    int count = 0, on = 0;
    for (int v = 0; v < solid.nvertices; v++) {
        if (!outer[v]) continue;
        double off = fabs(vec_length(at(&solid, v)) - 1);
        count++;
        on += off < 0.02 * 0.125; /* the sphere's own triangles are that far from round */
        assert_true(off < 0.5 * 0.125);
    }
    assert_true(on > 0.85 * count);
    free(outer);
    taut_mesh_free(&boundary);
    taut_mesh_free(&solid);
    taut_mesh_free(&surface);
}

static void test_torus(void **state)
{
    (void)state;
    taut_mesh torus, surface;
    taut_error error;
    assert_true(taut_mesh_torus(&torus, 48, 4, 1, 0.3f, &error));
    take_boundary(&torus, &surface);
    taut_mesh_free(&torus);
    double volume = enclosed_volume(&surface);
    assert_fills(&surface, 0.06f, volume, 0.03, 0);
}

/* Faces in the planes of the lattice come out flat and the volume exact. */
static void test_cube(void **state)
{
    (void)state;
    taut_mesh beam, surface;
    taut_error error;
    assert_true(taut_mesh_beam(&beam, 1, 1, 1, 1, 1, 1, &error));
    take_boundary(&beam, &surface);
    taut_mesh_free(&beam);
    assert_fills(&surface, 0.1f, 1, 1e-5, 2);
}

static void test_cell_by_default(void **state)
{
    (void)state;
    taut_mesh surface = sphere(3, 2), by_default = filled(&surface, 0), by_hand = filled(&surface, 4.0f / 20);
    assert_int_equal(by_default.ntets, by_hand.ntets);
    taut_mesh_free(&by_default);
    taut_mesh_free(&by_hand);
    taut_mesh_free(&surface);
}

static void test_same_tets_at_any_scale(void **state)
{
    (void)state;
    taut_mesh surface = sphere(3, 1);
    transform(&surface, 1, 0.013f, -0.021f, 0.034f);
    taut_mesh wanted = filled(&surface, 0.17f);
    static const float scale[] = {0.01f, 100};
    for (int i = 0; i < 2; i++) {
        taut_mesh scaled = sphere(3, 1);
        transform(&scaled, 1, 0.013f, -0.021f, 0.034f);
        transform(&scaled, scale[i], 0, 0, 0);
        taut_mesh solid = filled(&scaled, 0.17f * scale[i]);
        assert_int_equal(solid.ntets, wanted.ntets);
        assert_int_equal(solid.nvertices, wanted.nvertices);
        assert_memory_equal(solid.tet, wanted.tet, 4 * sizeof(int) * (size_t)wanted.ntets);
        for (int j = 0; j < 3 * solid.nvertices; j++) assert_true(fabsf(solid.x[j] / scale[i] - wanted.x[j]) < 1e-5f);
        taut_mesh_free(&solid);
        taut_mesh_free(&scaled);
    }
    taut_mesh_free(&wanted);
    taut_mesh_free(&surface);
}

/* ---- Surfaces from files ---- */

static bool read_obj(const char *name, taut_mesh *mesh)
{
    const char *source = getenv("SOURCE");
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/../shared/data/meshes/%s.obj", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    *mesh = (taut_mesh){.x = malloc(3 * 100000 * sizeof(float)), .tri = malloc(3 * 100000 * sizeof(int))};
    assert_true(mesh->x && mesh->tri);
    while (fgets(line, sizeof line, file) && mesh->nvertices < 100000 && mesh->ntris < 100000) {
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

static void test_files(void **state)
{
    (void)state;
    static const char *const name[] = {"torus", "spot", "penguin", "fish_low_resolution", "human_neutral"};
    int read = 0;
    for (int i = 0; i < 5; i++) {
        taut_mesh surface;
        if (!read_obj(name[i], &surface)) continue;
        read++;
        double volume = enclosed_volume(&surface);
        taut_mesh_report report;
        assert_true(taut_mesh_inspect(&surface, &report, NULL));
        float extent = 0;
        for (int axis = 0; axis < 3; axis++) extent = fmaxf(extent, report.max[axis] - report.min[axis]);
        taut_mesh solid = filled(&surface, extent / 60);
        finding found = examine(&solid);
        if (fabs(found.volume / volume - 1) > 0.05)
            fail_msg("%s: volume %g instead of %g", name[i], found.volume, volume);
        if (i == 0) assert_int_equal(found.euler, 0);
        taut_mesh_free(&solid);
        taut_mesh_free(&surface);
    }
    if (!read) skip();
}

/* ---- Bad surfaces ---- */

static taut_mesh sphere_with_hole(double above)
{
    taut_mesh surface = sphere(4, 1);
    int kept = 0;
    for (int t = 0; t < surface.ntris; t++) {
        const int *v = surface.tri + 3 * (size_t)t;
        if (surface.x[3 * v[0] + 2] > above) continue;
        memmove(surface.tri + 3 * (size_t)kept++, v, 3 * sizeof(int));
    }
    assert_true(kept < surface.ntris);
    surface.ntris = kept;
    return surface;
}

static void test_hole(void **state)
{
    (void)state;
    taut_mesh surface = sphere_with_hole(0.9);
    double cap = PI * 0.1 * 0.1 * (3 - 0.1) / 3; /* beyond the hole only lines across could find the inside */
    assert_fills(&surface, 0.125f, 4 * PI / 3 - cap, 0.03, 2);
    surface = sphere_with_hole(0); /* a bowl is filled to the brim */
    assert_fills(&surface, 0.125f, 2 * PI / 3, 0.06, 2);
}

static void test_orientation(void **state)
{
    (void)state;
    for (int every = 1; every <= 3; every++) { /* all inside out, every second one, every third one */
        taut_mesh surface = sphere(3, 1);
        turn_inside_out(&surface, every);
        assert_fills(&surface, 0.2f, 4 * PI / 3, 0.06, 2);
    }
}

static void test_overlap_is_one_body(void **state)
{
    (void)state;
    taut_mesh surface = sphere(4, 1), other = sphere(4, 1);
    transform(&other, 1, 1, 0, 0);
    append(&surface, &other);
    double lens = PI * (4 + 1) * (2 - 1) * (2 - 1) / 12; /* of unit spheres 1 apart: pi (4 + d)(2 - d)^2 / 12 */
    assert_fills(&surface, 0.125f, 2 * 4 * PI / 3 - lens, 0.03, 2);
}

static void test_cavity(void **state)
{
    (void)state;
    taut_mesh surface = sphere(4, 1), hole = sphere(4, 0.5f);
    turn_inside_out(&hole, 1);
    append(&surface, &hole);
    assert_fills(&surface, 0.1f, 4 * PI / 3 * (1 - 0.125), 0.03, 4);
}

/* A wall inside, and triangles that are lines and points. */
static void test_wall_and_degenerate_triangles(void **state)
{
    (void)state;
    taut_mesh surface = sphere(4, 1), wall;
    taut_error error;
    assert_true(taut_mesh_sheet(&wall, 2, 2, 0.7f, 0.7f, &error));
    append(&surface, &wall);
    for (int t = 0; t < 3; t++) {
        int *v = surface.tri + 3 * (surface.ntris - 6 + t), first = v[0];
        if (t < 2) v[1] = first; /* a line */
        if (t < 1) v[2] = first; /* a point */
    }
    taut_mesh solid = filled(&surface, 0.125f);
    assert_true(fabs(examine(&solid).volume / (4 * PI / 3) - 1) < 0.04);
    taut_mesh_free(&solid);
    taut_mesh_free(&surface);
}

static void test_small_bits_are_dropped(void **state)
{
    (void)state;
    int tet[4 * 11] = {0};
    float x[3 * 24];
    taut_mesh beam;
    assert_true(taut_mesh_beam(&beam, 2, 1, 1, 2, 1, 1, NULL)); /* 10 tets, 12 vertices */
    memcpy(x, (float[12]){9, 0, 0, 10, 0, 0, 9, 1, 0, 9, 0, 1}, 12 * sizeof(float));
    memcpy(x + 12, beam.x, 36 * sizeof(float));
    for (int i = 0; i < 4; i++) tet[i] = i; /* a tet of its own comes first */
    for (int i = 0; i < 40; i++) tet[4 + i] = beam.tet[i] + 4;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_solid solid = {.ntets = 11, .nvertices = 16, .tet = tet, .x = x};
    assert_true(tt_solid_link(&scope, &solid));
    assert_true(tt_solid_drop_bits(&scope, &solid));
    assert_int_equal(solid.ntets, 10);
    assert_int_equal(solid.nvertices, 12);
    assert_memory_equal(solid.tet, beam.tet, 40 * sizeof(int));
    assert_memory_equal(solid.x, beam.x, 36 * sizeof(float));
    solid.ntets = 1; /* a small part that is alone is the largest, so it stays */
    assert_true(tt_solid_link(&scope, &solid));
    assert_true(tt_solid_drop_bits(&scope, &solid));
    assert_int_equal(solid.ntets, 1);
    tt_scope_close(&scope);
    taut_mesh_free(&beam);
}

/* A point of the surface is between two cubes. Only the nearer corner moves there. */
static void test_corners_do_not_meet(void **state)
{
    (void)state;
    taut_mesh cube;
    assert_true(taut_mesh_beam(&cube, 1, 1, 1, 1, 1, 1, NULL)); /* 5 tets, 8 vertices */
    int tet[4 * 10], tri[3] = {0, 0, 0};
    float x[3 * 16], point[3] = {1.06f, 0.5f, 0.5f};
    for (int i = 0; i < 20; i++) tet[i + 20] = (tet[i] = cube.tet[i]) + 8;
    for (int i = 0; i < 24; i++) x[i + 24] = (x[i] = cube.x[i]) + (i % 3 ? 0 : 1.1f);
    taut_mesh surface = {.nvertices = 1, .ntris = 1, .x = point, .tri = tri};
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_solid solid = {.ntets = 10, .nvertices = 16, .tet = tet, .x = x};
    tt_triangles triangles;
    assert_true(tt_triangles_build(&scope, &surface, &triangles));
    assert_true(tt_solid_link(&scope, &solid));
    assert_true(tt_solid_snap(&scope, &solid, &triangles, 0.1));
    assert_int_equal(solid.nvertices, 16);
    for (int v = 0; v < 16; v++) {
        bool is_nearer =
            v >= 8 && cube.x[3 * (v - 8)] == 0 && cube.x[3 * (v - 8) + 1] > 0 && cube.x[3 * (v - 8) + 2] > 0;
        assert_int_equal(memcmp(solid.x + 3 * v, point, sizeof point) == 0, is_nearer);
    }
    tt_scope_close(&scope);
    taut_mesh_free(&cube);
}

/* ---- Refused ---- */

static void assert_refused(const taut_mesh *surface, float cell, taut_code code, const char *text)
{
    taut_mesh solid;
    taut_error error;
    assert_false(taut_mesh_fill(surface, cell, &solid, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, text)) fail_msg("\"%s\" is not in \"%s\"", text, error.text);
    assert_null(solid.x);
    assert_null(solid.tet);
    assert_false(taut_mesh_fill(surface, cell, &solid, NULL));
}

static void test_refused(void **state)
{
    (void)state;
    taut_mesh surface = sphere(2, 1), empty = {0}, sheet;
    assert_refused(NULL, 0, TAUT_BAD_MESH, "the surface is empty");
    assert_refused(&empty, 0, TAUT_BAD_MESH, "the surface is empty");
    assert_refused(&surface, -1, TAUT_BAD_ARGUMENT, "cell must be");
    assert_refused(&surface, NAN, TAUT_BAD_ARGUMENT, "cell must be");
    assert_refused(&surface, 0.001f, TAUT_BAD_ARGUMENT, "too small: the surface would take");
    assert_refused(&surface, 1e-38f, TAUT_BAD_ARGUMENT, "too small: the surface would take");
    assert_true(taut_mesh_sheet(&sheet, 5, 5, 1, 1, NULL));
    assert_refused(&sheet, 0, TAUT_BAD_MESH, "the surface encloses no volume: is it closed?");
    for (int i = 0; i < 3 * sheet.nvertices; i++) sheet.x[i] = 1;
    assert_refused(&sheet, 0, TAUT_BAD_MESH, "in one place");
    taut_mesh_free(&sheet);
    transform(&surface, 1, 1e6f, 0, 0);
    assert_refused(&surface, 0.2f, TAUT_BAD_ARGUMENT, "too small for floats");
    surface.x[7] = INFINITY;
    assert_refused(&surface, 0, TAUT_BAD_MESH, "vertex 2: position is not finite");
    surface.tri[4] = surface.nvertices;
    assert_refused(&surface, 0, TAUT_BAD_MESH, "triangle 1: vertex index");
    taut_mesh_free(&surface);
}

/* ---- Simulated ---- */

static void test_simulates(void **state)
{
    (void)state;
    taut_mesh surface = sphere(3, 0.5f), solid = filled(&surface, 0.15f);
    taut_error error;
    taut_material material = taut_default_material();
    material.density = 1000;
    material.strain.zz = material.strain.yz = material.strain.xz = 0.5f;
    material.strain.volume = 1;
    material.bend.model = TAUT_BEND_NONE;
    taut_model *model = taut_model_build(&solid, &material, NULL, &error);
    if (!model) fail_msg("%s", error.text);
    taut_world *world = taut_world_create(NULL, &error);
    taut_body_def def = taut_default_body_def();
    def.position[1] = 0.7f;
    int body = taut_world_add_body(world, model, &def, &error);
    taut_collider_def floor_def = taut_default_collider_def();
    floor_def.normal[0] = floor_def.normal[2] = 0;
    floor_def.normal[1] = 1;
    assert_true(taut_world_add_collider(world, &floor_def, &error) >= 0);
    for (int step = 0; step < 60; step++) {
        taut_world_step(world, 1.0f / 60);
        assert_int_equal(taut_world_stats(world).bad_particles, 0);
    }
    int count;
    const float *xyz = taut_body_positions(world, body, &count);
    assert_int_equal(count, solid.nvertices);
    double before = examine(&solid).volume, after = 0;
    memcpy(solid.x, xyz, 3 * sizeof(float) * (size_t)count);
    for (int t = 0; t < solid.ntets; t++) after += tet_volume(&solid, t);
    assert_true(fabs(after / before - 1) < 0.05);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&solid);
    taut_mesh_free(&surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_boundary_follows_the_surface),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_cell_by_default),
        cmocka_unit_test(test_same_tets_at_any_scale),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_overlap_is_one_body),
        cmocka_unit_test(test_cavity),
        cmocka_unit_test(test_wall_and_degenerate_triangles),
        cmocka_unit_test(test_small_bits_are_dropped),
        cmocka_unit_test(test_corners_do_not_meet),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_simulates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
