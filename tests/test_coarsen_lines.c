/* Coarse meshes of lines: the vertices that stay, the weights that carry values up, and branches, pins and rings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_world.h"
#include "mesh/coarsen_lines.h"

#include <math.h>
#include <string.h>

typedef struct level {
    tt_scope scope;
    taut_mesh mesh;
    int *origin;
    tt_transfer up;
} level;

static level coarsen(const taut_mesh *fine)
{
    level l;
    tt_topology topology;
    tt_scope_open(&l.scope, NULL);
    assert_true(taut_mesh_check(fine, NULL));
    assert_true(tt_topology_build(&l.scope, fine, &topology));
    assert_true(tt_coarsen_lines(&l.scope, fine, &topology, &l.mesh, &l.origin, &l.up));
    assert_true(taut_mesh_check(&l.mesh, NULL));
    assert_int_equal(l.up.count, fine->nvertices);
    return l;
}

static void assert_vertices(const level *l, const int *origin, int count)
{
    assert_int_equal(l->mesh.nvertices, count);
    assert_memory_equal(l->origin, origin, (size_t)count * sizeof *origin);
}

/* Whether there is a line between two vertices of the fine mesh. */
static bool has_line(const level *l, int a, int b)
{
    for (int i = 0; i < l->mesh.nlines; i++) {
        int u = l->origin[l->mesh.line[2 * i]], v = l->origin[l->mesh.line[2 * i + 1]];
        if ((u == a && v == b) || (u == b && v == a)) return true;
    }
    return false;
}

static bool rides_on(const level *l, int v, int other)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        if (l->origin[l->up.index[v][i]] == other) sum += (double)l->up.weight[v][i];
    return sum == 1;
}

/* The vertex next to an end or a fork goes with its other neighbour. */
static bool rides_on_another(const level *l, int v)
{
    return !rides_on(l, v, v) && (l->up.weight[v][0] == 1 || l->up.weight[v][1] == 1);
}

/* Positions along a straight chain are linear, so they come up unchanged, also on uneven chains. */
static void assert_positions_come_up(const level *l, const taut_mesh *fine)
{
    for (int v = 0; v < fine->nvertices; v++)
        for (int c = 0; c < 3 && !rides_on_another(l, v); c++) {
            double sum = 0;
            for (int i = 0; i < 4; i++)
                sum += (double)l->up.weight[v][i] * (double)l->mesh.x[3 * l->up.index[v][i] + c];
            assert_true(fabs(sum - (double)fine->x[3 * v + c]) < 1e-6);
        }
}

static void a_chain_halves(void **unused)
{
    (void)unused;
    for (int n = 2; n < 40; n++) {
        taut_mesh chain;
        assert_true(taut_mesh_chain(&chain, n, 1, NULL));
        level l = coarsen(&chain);
        assert_int_equal(l.mesh.nlines, n / 2); /* of n - 1, rounded up */
        assert_int_equal(l.mesh.nvertices, n / 2 + 1);
        for (int v = 0; v <= n / 2; v++) assert_int_equal(l.origin[v], v < n / 2 ? 2 * v : n - 1);
        for (int i = 0; i < l.mesh.nlines; i++) assert_true(has_line(&l, l.origin[i], l.origin[i + 1]));
        assert_positions_come_up(&l, &chain);
        tt_scope_close(&l.scope);
        taut_mesh_free(&chain);
    }
}

static void weights_go_by_the_way(void **unused)
{
    (void)unused;
    float x[15] = {0, 0, 0, 0.1f, 0.2f, 0, 1, 2, 0, 1.5f, 3, 0, 1.6f, 3.2f, 0};
    int line[8] = {0, 1, 1, 2, 2, 3, 3, 4};
    unsigned char pinned[5] = {1, 0, 0, 0, 1};
    taut_mesh mesh = {.nvertices = 5, .x = x, .nlines = 4, .line = line, .pinned = pinned};
    level l = coarsen(&mesh);
    assert_vertices(&l, (const int[]){0, 2, 4}, 3);
    for (int v = 0; v < 5; v++) assert_false(rides_on_another(&l, v));
    assert_true(fabsf(l.up.weight[1][0] - 0.9f) < 1e-6f && fabsf(l.up.weight[1][1] - 0.1f) < 1e-6f);
    for (int v = 0; v < 5; v++) {
        float sum = 0;
        for (int i = 0; i < 4; i++) sum += l.up.weight[v][i];
        assert_true(sum == 1);
    }
    assert_positions_come_up(&l, &mesh);
    tt_scope_close(&l.scope);
}

/* Vertices ride on no end and on no fork, unless they lie between two of these. */
static void ends_and_forks_stand_alone(void **unused)
{
    (void)unused;
    taut_mesh chain, plant;
    assert_true(taut_mesh_chain(&chain, 9, 1, NULL));
    assert_true(taut_mesh_branch(&plant, 4, 1, 1, NULL));
    level l = coarsen(&chain), of_plant = coarsen(&plant);
    assert_true(rides_on(&l, 1, 2) && rides_on(&l, 7, 6));
    for (int v = 2; v < 7; v++) assert_false(rides_on_another(&l, v));
    for (int v = 0; v < plant.nvertices; v++) assert_true(rides_on(&of_plant, v, v) || rides_on_another(&of_plant, v));
    tt_scope_close(&l.scope);
    tt_scope_close(&of_plant.scope);
    taut_mesh_free(&chain);
    taut_mesh_free(&plant);
}

static void pins_stay(void **unused)
{
    (void)unused;
    taut_mesh chain;
    assert_true(taut_mesh_chain(&chain, 9, 1, NULL));
    assert_true(taut_mesh_pin(&chain, 3, NULL));
    level l = coarsen(&chain);
    assert_vertices(&l, (const int[]){0, 2, 3, 5, 7, 8}, 6);
    for (int v = 0; v < 6; v++) assert_int_equal(l.mesh.pinned[v], v == 2);
    tt_scope_close(&l.scope);
    taut_mesh_free(&chain);
}

/* Every fork and every tip of a plant stays, and every branch of four lines becomes one of two. */
static void branches_stay(void **unused)
{
    (void)unused;
    taut_mesh plant;
    assert_true(taut_mesh_branch(&plant, 4, 2, 1, NULL)); /* seven branches */
    level l = coarsen(&plant);
    assert_int_equal(l.mesh.nlines, 14);
    assert_int_equal(l.mesh.nvertices, 15);
    level again = coarsen(&l.mesh);
    assert_int_equal(again.mesh.nlines, 7);
    level last = coarsen(&again.mesh);
    assert_int_equal(last.mesh.nlines, 7); /* it gets no coarser */
    assert_positions_come_up(&l, &plant);
    tt_scope_close(&last.scope);
    tt_scope_close(&again.scope);
    tt_scope_close(&l.scope);
    taut_mesh_free(&plant);
}

enum { MOST = 8 };

static void ring_of(int n, taut_mesh *mesh, float *x, int *line)
{
    for (int v = 0; v < n; v++) {
        x[3 * v] = (float)cos(6.283185307 * v / n);
        x[3 * v + 1] = (float)sin(6.283185307 * v / n);
        x[3 * v + 2] = 0;
        line[2 * v] = v;
        line[2 * v + 1] = (v + 1) % n;
    }
    *mesh = (taut_mesh){.nvertices = n, .x = x, .nlines = n, .line = line};
}

static void rings_stay_closed(void **unused)
{
    (void)unused;
    for (int n = 3; n <= MOST; n++) {
        float x[3 * MOST];
        int line[2 * MOST];
        taut_mesh ring;
        ring_of(n, &ring, x, line);
        level l = coarsen(&ring);
        assert_int_equal(l.mesh.nvertices, (n + 1) / 2);
        assert_int_equal(l.mesh.nlines, (n + 1) / 2);
        for (int v = 0; v < l.mesh.nvertices; v++) {
            assert_int_equal(l.origin[v], 2 * v);
            assert_true(has_line(&l, 2 * v, 2 * ((v + 1) % l.mesh.nvertices)));
        }
        tt_scope_close(&l.scope);
    }
}

/* A ring on a string is followed once, not from both sides. */
static void a_ring_on_a_string_is_followed_once(void **unused)
{
    (void)unused;
    float x[18];
    int line[12];
    taut_mesh mesh;
    ring_of(5, &mesh, x, line);
    memcpy(&x[15], (const float[]){2, 0, 0}, 3 * sizeof *x);
    line[10] = 0;
    line[11] = 5;
    mesh.nvertices = mesh.nlines = 6;
    level l = coarsen(&mesh);
    assert_vertices(&l, (const int[]){0, 2, 4, 5}, 4);
    assert_int_equal(l.mesh.nlines, 4);
    assert_true(has_line(&l, 0, 2) && has_line(&l, 2, 4) && has_line(&l, 4, 0) && has_line(&l, 0, 5));
    tt_scope_close(&l.scope);
}

static void vertices_without_a_line_are_left_out(void **unused)
{
    (void)unused;
    float x[12] = {0, 0, 0, 9, 9, 9, 1, 0, 0, 2, 0, 0};
    int line[4] = {0, 2, 2, 3};
    taut_mesh mesh = {.nvertices = 4, .x = x, .nlines = 2, .line = line};
    level l = coarsen(&mesh);
    assert_vertices(&l, (const int[]){0, 3}, 2);
    assert_int_equal(l.mesh.nlines, 1);
    for (int i = 0; i < 4; i++) assert_true(l.up.weight[1][i] == 0);
    tt_scope_close(&l.scope);
}

static void any_allocation_may_fail(void **unused)
{
    (void)unused;
    taut_mesh plant;
    tt_scope own;
    tt_topology topology;
    assert_true(taut_mesh_branch(&plant, 3, 2, 1, NULL));
    assert_true(taut_mesh_pin(&plant, 5, NULL));
    tt_scope_open(&own, NULL);
    assert_true(tt_topology_build(&own, &plant, &topology));
    bool made = false;
    int64_t n = 1;
    for (; !made; n++) {
        heap h;
        level l;
        heap_open(&h);
        heap_fail(&h, n);
        tt_scope_open(&l.scope, &h.hook);
        made = tt_coarsen_lines(&l.scope, &plant, &topology, &l.mesh, &l.origin, &l.up);
        assert_true(made ? h.made < n : h.made >= n);
        tt_scope_close(&l.scope);
        assert_int_equal(h.live, 0);
    }
    assert_true(n > 8);
    tt_scope_close(&own);
    taut_mesh_free(&plant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_halves),
        cmocka_unit_test(weights_go_by_the_way),
        cmocka_unit_test(ends_and_forks_stand_alone),
        cmocka_unit_test(pins_stay),
        cmocka_unit_test(branches_stay),
        cmocka_unit_test(rings_stay_closed),
        cmocka_unit_test(a_ring_on_a_string_is_followed_once),
        cmocka_unit_test(vertices_without_a_line_are_left_out),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
