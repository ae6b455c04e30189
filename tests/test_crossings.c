/* Crossings of meshes: known pairs, the search against brute force, arguments, memory. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_oracle.h"
#include "mesh/pierce.h"
#include "slow_build.h"
#include "taut.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Memory that runs out ----
 *
 * The linker takes these in place of the C library's own, for the whole process. Sanitizers do the same, so there is
 * nothing to test under them. */
#if defined(__GLIBC__) && !UNDER_SANITIZER
#define FAILS_CALLS 1

static bool watching;
static long made, live, failing; /* since watching began: allocations; those not freed yet; the one that fails */

void *__libc_malloc(size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

#define INSTEAD __attribute__((visibility("default")))

static void *count(void *memory)
{
    if (watching && memory) live++;
    return memory;
}

INSTEAD void *malloc(size_t size) { return count(__libc_malloc(size)); }

INSTEAD void *aligned_alloc(size_t alignment, size_t size)
{
    if (watching && ++made == failing) return errno = ENOMEM, NULL;
    return count(__libc_memalign(alignment, size));
}

INSTEAD void free(void *memory)
{
    if (watching && memory) live--;
    __libc_free(memory);
}
#else
#define FAILS_CALLS 0
#endif
/* ---- Known pairs ------------------------------------------------------------------------------------------------ */

typedef struct known {
    const char *name;
    float x[6][3];
    int crossings, pairs;
} known;

#define BASE {0, 0, 0}, {4, 0, 0}, {0, 4, 0}

static const known known_pairs[] = {
    {"a side goes through", {BASE, {1, 1, -1}, {1, 1, 1}, {9, 9, 1}}, 2, 1},
    {"a corner goes through", {BASE, {1, 1, -1}, {1, 2, 1}, {2, 1, 1}}, 2, 1},
    {"far apart", {BASE, {1, 1, 5}, {1, 2, 5}, {2, 1, 5}}, 0, 0},
    {"boxes meet, triangles do not", {BASE, {4, 4, -1}, {4, 4, 1}, {3, 2, 0}}, 0, 0},
    {"a corner touches the inside", {BASE, {1, 1, 0}, {1, 2, 1}, {2, 1, 1}}, 2, 1},
    {"a corner touches a side", {BASE, {2, 0, 0}, {2, -1, 1}, {2, -1, 2}}, 3, 1},
    {"corners touch", {BASE, {0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}, 4, 1},
    {"a side lies in the inside", {BASE, {1, 1, 0}, {2, 1, 0}, {1, 1, 1}}, 3, 1},
    {"sides lie on each other, with an angle", {BASE, {0, 0, 0}, {4, 0, 0}, {0, 0, 4}}, 6, 1},
    {"a smallest float apart", {BASE, {1, 1, 0x1p-149f}, {1, 2, 1}, {2, 1, 1}}, 0, 0},
    {"in a plane, overlapping", {BASE, {1, 1, 0}, {5, 1, 0}, {1, 5, 0}}, 3, 1},
    {"in a plane, one in the other", {BASE, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, 3, 1},
    {"in a plane, one on the other", {BASE, BASE}, 6, 1},
    {"in a plane, apart", {BASE, {5, 5, 0}, {6, 5, 0}, {5, 6, 0}}, 0, 0},
    {"in a plane, boxes meet", {BASE, {4, 4, 0}, {4, 1, 0}, {1, 4, 0}}, 0, 0},
    {"in a plane, with a side in common", {BASE, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}, 0, 0},
    {"in a plane, with a part of a side in common", {BASE, {1, 0, 0}, {2, 0, 0}, {1, -3, 0}}, 0, 0},
    {"in a plane, with a corner in common", {BASE, {4, 0, 0}, {8, 0, 0}, {8, 1, 0}}, 0, 0},
    {"parallel planes", {BASE, {0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, 0, 0},
    {"a needle goes through", {BASE, {1, 1, -1}, {1, 1, 0.5f}, {1, 1, 1}}, 2, 1},
    {"a needle lies in the plane", {BASE, {1, 1, 0}, {1.5f, 1, 0}, {2, 1, 0}}, 3, 1},
    {"a needle passes by", {BASE, {5, 1, -1}, {5, 1, 0}, {5, 1, 1}}, 0, 0},
    {"a point in it", {BASE, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, 3, 1},
    {"a point beside it", {BASE, {3, 3, 0}, {3, 3, 0}, {3, 3, 0}}, 0, 0},
    {"two points at one place", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, 6, 1},
};

static int64_t crossings_of(const taut_mesh *mesh, int64_t *npairs)
{
    taut_error error;
    int64_t count = taut_mesh_crossings(mesh, NULL, NULL, 0, npairs, &error);
    if (count < 0) fail_msg("%s", error.text);
    return count;
}

static void known_pairs_are_found(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(known_pairs); i++) {
        known k = known_pairs[i];
        int tri[6] = {0, 1, 2, 3, 4, 5};
        for (int order = 0; order < 2; order++) {
            const taut_mesh mesh = {.nvertices = 6, .ntris = 2, .x = k.x[0], .tri = tri};
            int64_t npairs = -1, count = crossings_of(&mesh, &npairs);
            if (count != k.crossings || npairs != k.pairs)
                fail_msg("%s: %d crossings of %d pairs", k.name, (int)count, (int)npairs);
            for (int c = 0; c < 3; c++) tri[c] = 5 - c, tri[3 + c] = c;
        }
    }
}

/* Neighbours touch at their shared vertices, which do not count. Their other parts may cross. */
static void shared_vertices_do_not_count(void **state)
{
    (void)state;
    float x[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0, 2, 1, 0, 1, 2, 3};
    const struct {
        int tri[6], crossings, pairs;
    } cases[] = {
        {{0, 1, 2, 2, 1, 5}, 0, 0}, /* an edge in common */
        {{0, 1, 2, 1, 0, 3}, 0, 0}, /* an edge in common, folded flat: every edge ends at a shared vertex */
        {{0, 1, 2, 0, 5, 3}, 1, 1}, /* a vertex in common, another touches */
        {{0, 1, 2, 0, 3, 4}, 1, 1}, /* a vertex in common, in a plane, overlapping */
        {{0, 1, 3, 0, 3, 2}, 0, 0}, /* a sheet */
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        int64_t npairs = -1;
        const taut_mesh mesh = {.nvertices = 6, .ntris = 2, .x = x, .tri = (int *)cases[i].tri};
        assert_int_equal(crossings_of(&mesh, &npairs), cases[i].crossings);
        assert_int_equal(npairs, cases[i].pairs);
    }
}

static void lines_cross_without_a_pair(void **state)
{
    (void)state;
    float x[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1};
    int tri[] = {0, 1, 2}, line[] = {4, 3, 0, 4};
    const taut_mesh mesh = {.nvertices = 5, .ntris = 1, .nlines = 2, .x = x, .tri = tri, .line = line};
    taut_crossing list[2];
    int64_t npairs = -1;
    assert_int_equal(taut_mesh_crossings(&mesh, NULL, list, 2, &npairs, NULL), 1);
    assert_int_equal(npairs, 0);
    assert_int_equal(list[0].edge[0], 3);
    assert_int_equal(list[0].edge[1], 4);
    assert_int_equal(list[0].triangle, 0);
}

/* Two beams of tets, which overlap or do not. */
static void solids_count_by_their_surface(void **state)
{
    (void)state;
    taut_mesh beam, both;
    taut_error error;
    assert_true(taut_mesh_beam(&beam, 2, 2, 2, 1, 1, 1, &error));
    assert_int_equal(crossings_of(&beam, NULL), 0);
    int n = beam.nvertices, m = beam.ntets;
    assert_true(taut_mesh_allocate(&both, 2 * n, 0, 2 * m, 0, false, false, &error));
    for (int i = 0; i < 8 * m; i++) both.tet[i] = beam.tet[i % (4 * m)] + (i < 4 * m ? 0 : n);
    for (int i = 0; i < 6 * n; i++) both.x[i] = beam.x[i % (3 * n)] + (i < 3 * n || i % 3 ? 0 : 0.75f);
    int64_t npairs = 0;
    assert_true(crossings_of(&both, &npairs) > 0);
    assert_true(npairs > 0);
    for (int i = 3 * n; i < 6 * n; i += 3) both.x[i] += 0.5f;
    assert_int_equal(crossings_of(&both, &npairs), 0);
    assert_int_equal(npairs, 0);
    taut_mesh_free(&beam);
    taut_mesh_free(&both);
}

/* A flat sheet has no crossings, and neither has a sheet that is cut into strips which lie beside each other. A sheet
 * that is folded onto itself has crossings. */
static void sheets_lie_beside_each_other(void **state)
{
    (void)state;
    taut_mesh sheet;
    taut_error error;
    assert_true(taut_mesh_sheet(&sheet, 9, 9, 2, 2, &error));
    assert_int_equal(crossings_of(&sheet, NULL), 0);
    taut_mesh cut = {.nvertices = 3 * sheet.ntris, .ntris = sheet.ntris};
    cut.x = malloc(9 * (size_t)cut.ntris * sizeof *cut.x);
    cut.tri = malloc(3 * (size_t)cut.ntris * sizeof *cut.tri);
    for (int c = 0; c < 3 * cut.ntris; c++) {
        cut.tri[c] = c;
        memcpy(cut.x + 3 * c, sheet.x + 3 * sheet.tri[c], 3 * sizeof *cut.x);
    }
    int64_t npairs = -1;
    assert_int_equal(crossings_of(&cut, &npairs), 0);
    assert_int_equal(npairs, 0);
    for (int v = 0; v < sheet.nvertices; v++) sheet.x[3 * v] = fabsf(sheet.x[3 * v]);
    assert_true(crossings_of(&sheet, &npairs) > 0);
    assert_true(npairs > 0);
    taut_mesh_free(&cut);
    taut_mesh_free(&sheet);
}

/* ---- The search against brute force ----------------------------------------------------------------------------- */

static const float *point_of(const taut_mesh *mesh, int vertex) { return mesh->x + 3 * (size_t)vertex; }

static hulls hulls_of(const taut_mesh *mesh, int a, int b)
{
    hulls h = {.n = 6, .split = 3};
    for (int c = 0; c < 6; c++) h.point[c] = point_of(mesh, mesh->tri[3 * (c < 3 ? a : b) + c % 3]);
    return h;
}

/* Triangles of a soup share no vertices, so the oracle alone says which of them intersect. */
static void pairs_of_soups_are_those_of_the_oracle(void **state)
{
    (void)state;
    enum { TRIANGLES = 24 };
    for (int i = 0; i < 20; i++) {
        float x[3 * TRIANGLES][3];
        int tri[3 * TRIANGLES];
        const taut_mesh mesh = {.nvertices = 3 * TRIANGLES, .ntris = TRIANGLES, .x = x[0], .tri = tri};
        random_places(x, 3 * TRIANGLES, 2 + i % 5, i % 3 == 0);
        for (int c = 0; c < 3 * TRIANGLES; c++) tri[c] = c;
        int64_t wanted = 0, npairs = -1;
        for (int a = 0; a < TRIANGLES; a++)
            for (int b = 0; b < a; b++) {
                const hulls h = hulls_of(&mesh, a, b);
                wanted += oracle_meets(&h) && !oracle_side_by_side(&h);
            }
        assert_true(crossings_of(&mesh, &npairs) >= wanted);
        assert_int_equal(npairs, wanted);
    }
}

static bool side_crosses(const taut_mesh *mesh, int slot, int triangle)
{
    int a = mesh->tri[slot], b = mesh->tri[slot % 3 == 2 ? slot - 2 : slot + 1];
    const int *v = mesh->tri + 3 * triangle;
    for (int c = 0; c < 3; c++)
        if (v[c] == a || v[c] == b) return false;
    const hulls h = hulls_of(mesh, slot / 3, triangle);
    return tt_pierces(point_of(mesh, a), point_of(mesh, b), h.point + 3) && !tt_side_by_side(h.point, h.point + 3);
}

/* Whether some triangle on the edge crosses the other, by all sides of all triangles. */
static bool edge_crosses(const taut_mesh *mesh, int a, int b, int triangle)
{
    for (int slot = 0; slot < 3 * mesh->ntris; slot++) {
        int from = mesh->tri[slot], to = mesh->tri[slot % 3 == 2 ? slot - 2 : slot + 1];
        if (((from == a && to == b) || (from == b && to == a)) && side_crosses(mesh, slot, triangle)) return true;
    }
    return false;
}

/* All crossings in their order: by triangle, then by edge. */
static int64_t brute_crossings(const taut_mesh *mesh, taut_crossing *list)
{
    int64_t count = 0;
    for (int t = 0; t < mesh->ntris; t++)
        for (int a = 0; a < mesh->nvertices; a++)
            for (int b = a + 1; b < mesh->nvertices; b++)
                if (edge_crosses(mesh, a, b, t)) list[count++] = (taut_crossing){{a, b}, t};
    return count;
}

static int64_t brute_pairs(const taut_mesh *mesh)
{
    int64_t count = 0;
    for (int a = 0; a < mesh->ntris; a++)
        for (int b = 0; b < a; b++) {
            bool found = false;
            for (int c = 0; c < 3; c++)
                found = found || side_crosses(mesh, 3 * a + c, b) || side_crosses(mesh, 3 * b + c, a);
            count += found;
        }
    return count;
}

/* Triangles of few vertices, with edges of many triangles. */
static void random_mesh(taut_mesh *mesh, int most, bool flat)
{
    random_places((float(*)[3])mesh->x, mesh->nvertices, most, flat);
    for (int t = 0; t < mesh->ntris; t++) {
        int *v = mesh->tri + 3 * t;
        do
            for (int c = 0; c < 3; c++) v[c] = (int)(random_bits(31) % (uint64_t)mesh->nvertices);
        while (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]);
    }
}

static void lists_of_meshes_are_those_of_brute_force(void **state)
{
    (void)state;
    enum { VERTICES = 14, TRIANGLES = 20, MOST = TRIANGLES * VERTICES * (VERTICES - 1) / 2 };
    static taut_crossing wanted[MOST], list[MOST];
    for (int i = 0; i < 60; i++) {
        float x[3 * VERTICES];
        int tri[3 * TRIANGLES];
        taut_mesh mesh = {.nvertices = VERTICES, .ntris = TRIANGLES, .x = x, .tri = tri};
        random_mesh(&mesh, 2 + i % 5, i % 3 == 0);
        int64_t npairs = -1, count = brute_crossings(&mesh, wanted);
        assert_int_equal(taut_mesh_crossings(&mesh, NULL, list, MOST, &npairs, NULL), count);
        assert_memory_equal(list, wanted, (size_t)count * sizeof *list);
        assert_int_equal(npairs, brute_pairs(&mesh));
    }
}

/* A triangle has more candidates than the search takes at a time. */
static void one_triangle_with_many_edges(void **state)
{
    (void)state;
    enum { FANS = 500, VERTICES = 3 + 2 * FANS };
    static float x[3 * VERTICES];
    static int tri[3], line[2 * FANS];
    const float corner[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    memcpy(x, corner, sizeof corner);
    for (int c = 0; c < 3; c++) tri[c] = c;
    for (int i = 0; i < 2 * FANS; i++) {
        x[9 + 3 * i] = x[9 + 3 * i + 1] = 1;
        x[9 + 3 * i + 2] = i % 2 ? 1 : -1;
        line[i] = 3 + i;
    }
    const taut_mesh mesh = {.nvertices = VERTICES, .ntris = 1, .nlines = FANS, .x = x, .tri = tri, .line = line};
    static taut_crossing list[FANS];
    assert_int_equal(taut_mesh_crossings(&mesh, NULL, list, FANS, NULL, NULL), FANS);
    for (int i = 0; i < FANS; i++) assert_int_equal(list[i].edge[0], 3 + 2 * i);
}

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

/* Two triangles that cross twice; the positions of the mesh itself are apart. */
static float apart[] = {0, 0, 5, 4, 0, 5, 0, 4, 5, 1, 1, -1, 1, 2, 1, 2, 1, 1};
static const float crossed[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 2, 1, 2, 1, 1};
static int two[] = {0, 1, 2, 3, 4, 5};
static const taut_mesh two_triangles = {.nvertices = 6, .ntris = 2, .x = apart, .tri = two};

static void positions_and_room_are_the_callers(void **state)
{
    (void)state;
    taut_crossing list[3] = {{{-7, -7}, -7}, {{-7, -7}, -7}, {{-7, -7}, -7}};
    assert_int_equal(taut_mesh_crossings(&two_triangles, NULL, NULL, 0, NULL, NULL), 0);
    assert_int_equal(taut_mesh_crossings(&two_triangles, crossed, NULL, 0, NULL, NULL), 2);
    assert_int_equal(taut_mesh_crossings(&two_triangles, crossed, list, 1, NULL, NULL), 2);
    assert_int_equal(list[0].edge[1], 4);
    assert_int_equal(list[1].triangle, -7);
    assert_int_equal(taut_mesh_crossings(&two_triangles, crossed, list, 3, NULL, NULL), 2);
    assert_int_equal(list[1].edge[1], 5);
    assert_int_equal(list[2].triangle, -7);
}

static void refuses(const taut_mesh *mesh, const float *xyz, taut_crossing *list, int most, taut_code code, int index,
                    const char *text)
{
    taut_error error = {0};
    int64_t npairs = 77;
    assert_int_equal(taut_mesh_crossings(mesh, xyz, list, most, &npairs, &error), -1);
    assert_int_equal(npairs, 77);
    assert_int_equal(error.code, code);
    assert_int_equal(error.index, index);
    assert_non_null(strstr(error.text, text));
    assert_int_equal(taut_mesh_crossings(mesh, xyz, list, most, NULL, NULL), -1);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    taut_crossing list[1];
    float bad[18];
    int twice[] = {0, 1, 1};
    const taut_mesh wrong = {.nvertices = 6, .ntris = 1, .x = apart, .tri = twice};
    memcpy(bad, crossed, sizeof bad);
    bad[13] = NAN;
    refuses(NULL, NULL, NULL, 0, TAUT_BAD_MESH, -1, "no mesh");
    refuses(&wrong, NULL, NULL, 0, TAUT_BAD_MESH, 0, "twice");
    refuses(&two_triangles, bad, NULL, 0, TAUT_BAD_ARGUMENT, 4, "vertex 4: position is not finite");
    bad[13] = INFINITY;
    refuses(&two_triangles, bad, NULL, 0, TAUT_BAD_ARGUMENT, 4, "vertex 4");
    refuses(&two_triangles, NULL, list, -1, TAUT_BAD_ARGUMENT, -1, "negative: -1");
    refuses(&two_triangles, NULL, NULL, 1, TAUT_BAD_ARGUMENT, -1, "NULL");
}

static void meshes_without_triangles_have_none(void **state)
{
    (void)state;
    taut_mesh chain;
    int64_t npairs = -1;
    assert_true(taut_mesh_chain(&chain, 5, 1, NULL));
    assert_int_equal(crossings_of(&chain, &npairs), 0);
    assert_int_equal(npairs, 0);
    taut_mesh_free(&chain);
    const taut_mesh points = {.nvertices = 6, .x = apart};
    assert_int_equal(crossings_of(&points, &npairs), 0);
}

static void memory_may_run_out(void **state)
{
    (void)state;
#if FAILS_CALLS
    taut_mesh beam;
    taut_error error = {0};
    int64_t count = -1;
    assert_true(taut_mesh_beam(&beam, 2, 2, 2, 1, 1, 1, &error));
    for (failing = 1; count < 0; failing++) {
        error.code = TAUT_OK;
        made = live = 0;
        watching = true;
        count = taut_mesh_crossings(&beam, NULL, NULL, 0, NULL, &error);
        watching = false;
        assert_int_equal(live, 0);
        assert_int_equal(error.code, count < 0 ? TAUT_NO_MEMORY : TAUT_OK);
    }
    assert_int_equal(count, 0);
    assert_true(failing > 5);
    taut_mesh_free(&beam);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_pairs_are_found),
        cmocka_unit_test(shared_vertices_do_not_count),
        cmocka_unit_test(lines_cross_without_a_pair),
        cmocka_unit_test(solids_count_by_their_surface),
        cmocka_unit_test(sheets_lie_beside_each_other),
        cmocka_unit_test(pairs_of_soups_are_those_of_the_oracle),
        cmocka_unit_test(lists_of_meshes_are_those_of_brute_force),
        cmocka_unit_test(one_triangle_with_many_edges),
        cmocka_unit_test(positions_and_room_are_the_callers),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(meshes_without_triangles_have_none),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
