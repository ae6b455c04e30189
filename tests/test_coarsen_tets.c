/* Coarse tet meshes: they cover the fine mesh, and values go to and fro; overlapping tets; frames and scales. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"
#include "helpers_heap.h"
#include "helpers_world.h"
#include "helpers_coarsen.h"
#include "mesh/elements.h"
#include "mesh/tet_overlap.h"

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

static void corners_of(const taut_mesh *mesh, int t, vec3 corner[4])
{
    for (int i = 0; i < 4; i++) corner[i] = at(mesh, mesh->tet[4 * t + i]);
}

static double volume_of(const vec3 p[4])
{
    return vec_dot(vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0])), vec_sub(p[3], p[0])) / 6;
}

static taut_mesh beam(int nx, int ny, int nz, float x, float y, float z)
{
    taut_mesh mesh;
    assert_true(taut_mesh_beam(&mesh, nx, ny, nz, x, y, z, NULL));
    return mesh;
}

static taut_mesh torus(int around, int rings)
{
    taut_mesh mesh;
    assert_true(taut_mesh_torus(&mesh, around, rings, 1, 0.3f, NULL));
    return mesh;
}

/* ---- Overlap ---- */

/* A random tet that is not too flat, moved so that its point of random weights is at p. */
static void random_tet_around(vec3 p, vec3 corner[4])
{
    do {
        for (int i = 0; i < 4; i++) corner[i] = random_point(1);
    } while (fabs(volume_of(corner)) < 0.01);
    double weight[4], sum = 0;
    for (int i = 0; i < 4; i++) sum += weight[i] = uniform(0.05, 1);
    for (int i = 0; i < 4; i++) p = vec_sub(p, vec_scale(corner[i], weight[i] / sum));
    for (int i = 0; i < 4; i++) corner[i] = vec_add(corner[i], p);
}

/* Moves a tet so that its lowest corner along the normal is at `height`. */
static void lift(vec3 corner[4], vec3 normal, double height)
{
    double low = INFINITY;
    for (int i = 0; i < 4; i++) low = fmin(low, vec_dot(corner[i], normal));
    for (int i = 0; i < 4; i++) corner[i] = vec_add(corner[i], vec_scale(normal, height - low));
}

static void overlaps(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++) {
        vec3 a[4], b[4], common = random_point(3), normal = random_point(1), down;
        random_tet_around(common, a);
        random_tet_around(common, b);
        assert_true(tt_tets_overlap(a, b) && tt_tets_overlap(b, a));
        normal = vec_scale(normal, 1 / vec_length(normal));
        down = vec_scale(normal, -1);
        lift(a, normal, 0); /* a above a plane, b below it */
        lift(b, down, 1e-6);
        assert_false(tt_tets_overlap(a, b) || tt_tets_overlap(b, a));
    }
}

/* Two tets have a face in common, and are a hair apart or overlap by a hair. */
static void tets_on_either_side_of_a_face(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        vec3 a[4], b[4];
        random_tet_around(random_point(3), a);
        vec3 normal = vec_cross(vec_sub(a[1], a[0]), vec_sub(a[2], a[0])); /* away from a[3] */
        if (vec_dot(normal, vec_sub(a[3], a[0])) > 0) normal = vec_scale(normal, -1);
        normal = vec_scale(normal, 1 / vec_length(normal));
        for (int side = -1; side <= 1; side += 2) {
            for (int j = 0; j < 3; j++) b[j] = vec_add(a[j], vec_scale(normal, 1e-9 * side));
            b[3] = vec_add(a[i % 3], vec_scale(normal, side));
            assert_int_equal(tt_tets_overlap(a, b), side < 0);
            assert_int_equal(tt_tets_overlap(b, a), side < 0);
        }
    }
}

/* ---- Coarse meshes ---- */

static void assert_level(const taut_mesh *fine, level *l)
{
    const taut_mesh *mesh = &l->mesh;
    assert_true(taut_mesh_check(mesh, NULL));
    assert_true(mesh->ntris == 0 && mesh->nlines == 0 && !mesh->pinned && !mesh->mass);
    double size = INFINITY, covered = 0, right_volume = 0;
    for (int t = 0; t < mesh->ntets; t++) {
        vec3 p[4];
        corners_of(mesh, t, p);
        assert_true(volume_of(p) > 0);
        size = fmin(size, volume_of(p));
        covered += volume_of(p);
    }
    for (int t = 0; t < fine->ntets; t++) {
        vec3 p[4];
        corners_of(fine, t, p);
        right_volume += fabs(volume_of(p));
    }
    assert_true(covered >= right_volume * (1 - 1e-5));
    assert_true(covered < mesh->ntets * size * (1 + 1e-3)); /* all tets have the same size */
    /* Reaching out or not makes no difference: every vertex is inside. */
    double extent = 0;
    for (int i = 0; i < 3 * fine->nvertices; i++) extent = fmax(extent, fabs((double)fine->x[i]));
    tt_transfer up = transfer_between(&l->scope, mesh, fine, (tt_transfer_options){.origin = NULL});
    assert_weights(&up, mesh);
    for (int v = 0; v < fine->nvertices; v++) {
        assert_true(vec_length(vec_sub(carried_place(&up, mesh, v), at(fine, v))) < 2e-6 * extent);
        assert_true(fabs(carried(&up, mesh, v) - linear(at(fine, v))) < 5e-6 * extent);
    }
    /* The way back: vertices of the lattice that are outside get values too. */
    tt_transfer down = transfer_between(&l->scope, fine, mesh, (tt_transfer_options){.extrapolate = true});
    for (int v = 0; v < mesh->nvertices; v++)
        assert_true(fabs(carried(&down, fine, v) - linear(at(mesh, v))) < 3e-5 * extent);
    down = transfer_between(&l->scope, fine, mesh, (tt_transfer_options){.extrapolate = false});
    assert_weights(&down, fine);
}

static void check_solid(taut_mesh fine, int divisor, double tolerance)
{
    level l = coarsen_tets(&fine, fine.ntets / divisor);
    assert_level(&fine, &l);
    double ratio = (double)l.mesh.ntets * divisor / fine.ntets;
    if (!(fabs(ratio - 1) < tolerance)) fail_msg("%d tets, 1/%d: %d", fine.ntets, divisor, l.mesh.ntets);
    level_close(&l);
    taut_mesh_free(&fine);
}

static void solids_are_covered(void **state)
{
    (void)state;
    check_solid(beam(16, 8, 8, 2, 1, 1), 8, 0.25); /* layers are whole: numbers jump */
    check_solid(beam(16, 8, 8, 2, 1, 1), 64, 0.5);
    check_solid(beam(30, 30, 1, 1, 1, 0.03f), 8, 0.25);
    check_solid(torus(40, 3), 8, 0.15);
    check_solid(torus(40, 3), 64, 0.3);
}

/* Solids that are too small to be made coarser, or empty. */
static void tiny_solids(void **state)
{
    (void)state;
    check_solid(beam(1, 1, 1, 1, 1, 1), 1, 20);
    taut_mesh mesh = beam(2, 2, 2, 1, 1, 1);
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v] = 0; /* flat */
    level l = coarsen_tets(&mesh, 5);
    assert_int_equal(l.mesh.ntets, 0);
    level_close(&l);
    mesh.ntets = 0;
    l = coarsen_tets(&mesh, 5);
    assert_int_equal(l.mesh.ntets, 0);
    level_close(&l);
    taut_mesh_free(&mesh);
}

/* The material's x axis of a torus runs along its circle, and so does the mean of a few tets. */
static void frames_and_scales(void **state)
{
    (void)state;
    taut_mesh mesh = torus(40, 3);
    mesh.tet_scale = malloc(sizeof(float) * (size_t)mesh.ntets);
    assert_non_null(mesh.tet_scale);
    for (int t = 0; t < mesh.ntets; t++) mesh.tet_scale[t] = centre_of(&mesh, mesh.tet + 4 * t, 4).x < 0 ? 0.5f : 2;
    level l = coarsen_tets(&mesh, mesh.ntets / 8);
    for (int t = 0; t < l.mesh.ntets; t++) {
        vec3 c = centre_of(&l.mesh, l.mesh.tet + 4 * t, 4), x = vec_of(l.mesh.frame + 9 * t);
        vec3 y = vec_of(l.mesh.frame + 9 * t + 3);
        double out = sqrt(c.x * c.x + c.z * c.z);
        vec3 radial = {c.x / out, 0, c.z / out}, tangent = {c.z / out, 0, -c.x / out};
        assert_true(fabs(vec_dot(x, tangent)) > 0.95 * vec_length(x));
        assert_true(fabs(vec_dot(y, radial)) > 0.95 * vec_length(y));
        float scale = l.mesh.tet_scale[t];
        if (c.x < -0.15) assert_true(scale == 0.5f);
        else if (c.x > 0.15) assert_true(scale == 2);
        else assert_true(scale >= 0.5f && scale <= 2);
    }
    level_close(&l);
    taut_mesh_free(&mesh);
    mesh = beam(6, 6, 6, 1, 1, 1);
    l = coarsen_tets(&mesh, 100); /* a mesh without frames and scales gets none */
    assert_true(!l.mesh.frame && !l.mesh.tet_scale);
    level_close(&l);
    taut_mesh_free(&mesh);
}

static void units_do_not_matter(void **state)
{
    (void)state;
    taut_mesh mesh = torus(30, 3), scaled = torus(30, 3);
    level known = coarsen_tets(&mesh, 400);
    static const float size[] = {0x1p-30f, 0x1p30f};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3 * mesh.nvertices; j++) scaled.x[j] = mesh.x[j] * size[i];
        level l = coarsen_tets(&scaled, 400);
        assert_int_equal(l.mesh.ntets, known.mesh.ntets);
        assert_memory_equal(l.mesh.tet, known.mesh.tet, 4 * sizeof(int) * (size_t)known.mesh.ntets);
        level_close(&l);
    }
    level_close(&known);
    taut_mesh_free(&mesh);
    taut_mesh_free(&scaled);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    taut_mesh mesh = torus(40, 3);
    level l = coarsen_tets(&mesh, mesh.ntets / 8);
    uint64_t hash = tt_hash(TT_HASH_SEED, l.mesh.tet, 4 * sizeof(int) * (size_t)l.mesh.ntets);
    hash = tt_hash(hash, l.mesh.x, 3 * sizeof(float) * (size_t)l.mesh.nvertices);
    hash = tt_hash(hash, l.mesh.frame, 9 * sizeof(float) * (size_t)l.mesh.ntets);
    tt_transfer up = transfer_between(&l.scope, &l.mesh, &mesh, (tt_transfer_options){.extrapolate = true});
    hash = tt_hash(hash, up.index, (size_t)up.count * sizeof *up.index);
    hash = tt_hash(hash, up.weight, (size_t)up.count * sizeof *up.weight);
    assert_int_equal(hash, 0x351214725ef72a3d);
    level_close(&l);
    taut_mesh_free(&mesh);
}

static void allocations_fail(void **state)
{
    (void)state;
    taut_mesh mesh = torus(20, 2);
    heap h;
    heap_open(&h);
    for (int64_t n = 1;; n++) {
        tt_scope scope;
        taut_mesh coarse;
        tt_transfer up;
        tt_scope_open(&scope, &h.hook);
        heap_fail(&h, n);
        bool ok = tt_coarsen_tets(&scope, &mesh, 100, &coarse) &&
                  tt_transfer_build(&scope, &coarse, &mesh, (tt_transfer_options){.origin = NULL}, &up);
        assert_true(ok == (h.made < n));
        tt_scope_close(&scope);
        assert_int_equal(h.live, 0);
        if (ok) {
            assert_true(n > 15);
            break;
        }
    }
    taut_mesh_free(&mesh);
}

/* ---- Work is bounded by the size of the mesh ---- */

/* A solid with little volume in a long box asks for a lattice of tiny cells. */
static void lattices_of_thin_solids_are_small(void **state)
{
    (void)state;
    taut_mesh mesh = beam(8, 2, 2, 1, 1, 1), coarse;
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v] *= 1e10f;
    heap h;
    heap_open(&h);
    tt_scope scope;
    tt_scope_open(&scope, &h.hook);
    assert_true(tt_coarsen_tets(&scope, &mesh, mesh.ntets / 8, &coarse));
    assert_true(h.largest < 2000 * (size_t)mesh.ntets);
    tt_scope_close(&scope);
    taut_mesh_free(&mesh);
}

/* Each sliver is near every cell of the lattice. To look at all cells for all slivers would take many minutes. */
static void slivers_through_the_whole_solid_end_soon(void **state)
{
    (void)state;
    enum { VERTICES = 200, TETS = 20000 };
    static float x[3 * VERTICES];
    static int tet[4 * TETS];
    for (int v = 0; v < VERTICES; v++)
        for (int c = 0; c < 3; c++) x[3 * v + c] = (float)((v < VERTICES / 2 ? 0 : 1) + uniform(0, 1e-4));
    for (int t = 0; t < TETS; t++) {
        int near = t % (VERTICES / 2 - 1), far = VERTICES / 2 + t / 100 % (VERTICES / 2 - 1);
        const int corner[4] = {near, near + 1, far, far + 1};
        memcpy(&tet[4 * t], corner, sizeof corner);
    }
    taut_mesh mesh = {.nvertices = VERTICES, .ntets = TETS, .x = x, .tet = tet}, coarse;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    assert_true(tt_coarsen_tets(&scope, &mesh, TETS / 8, &coarse));
    tt_scope_close(&scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps),
        cmocka_unit_test(tets_on_either_side_of_a_face),
        cmocka_unit_test(solids_are_covered),
        cmocka_unit_test(tiny_solids),
        cmocka_unit_test(frames_and_scales),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(lattices_of_thin_solids_are_small),
        cmocka_unit_test(slivers_through_the_whole_solid_end_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
