/* Coarse meshes under test: levels, counts of a surface, fields carried from one mesh to another. Include after
 * cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_COARSEN_H
#define TAUT_TESTS_HELPERS_COARSEN_H

#include "base/vec.h"
#include "mesh/coarsen.h"
#include "mesh/coarsen_tets.h"
#include "mesh/topology.h"
#include "mesh/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Levels ---- */

typedef struct level {
    tt_scope scope;
    taut_mesh mesh;
    int *origin;
} level;

static const float no_axis[3] = {0, 0, 0};

static inline level coarsen(const taut_mesh *fine, int target, const unsigned char *keep)
{
    level l;
    tt_scope_open(&l.scope, NULL);
    assert_true(taut_mesh_check(fine, NULL));
    assert_true(tt_coarsen(&l.scope, fine, no_axis, target, keep, &l.mesh, &l.origin));
    return l;
}

static inline level coarsen_tets(const taut_mesh *fine, int target)
{
    level l = {.origin = NULL};
    tt_scope_open(&l.scope, NULL);
    assert_true(taut_mesh_check(fine, NULL));
    assert_true(tt_coarsen_tets(&l.scope, fine, target, &l.mesh));
    return l;
}

static inline void level_close(level *l) { tt_scope_close(&l->scope); }

static inline vec3 at(const taut_mesh *mesh, int v) { return vec_of(mesh->x + 3 * (size_t)v); }

static inline vec3 normal_of(const taut_mesh *mesh, int t)
{
    const int *v = mesh->tri + 3 * (size_t)t;
    return vec_cross(vec_sub(at(mesh, v[1]), at(mesh, v[0])), vec_sub(at(mesh, v[2]), at(mesh, v[0])));
}

static inline vec3 centre_of(const taut_mesh *mesh, const int *vertex, int corners)
{
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < corners; i++) sum = vec_add(sum, at(mesh, vertex[i]));
    return vec_scale(sum, 1.0 / corners);
}

/* ---- Meshes ---- */

/* A mesh with room for vertices and triangles that are then put by hand. */
static inline taut_mesh empty_mesh(int nvertices, int ntris)
{
    taut_mesh mesh = {.nvertices = nvertices, .ntris = ntris};
    mesh.x = calloc(3 * (size_t)nvertices + 1, sizeof *mesh.x);
    mesh.tri = calloc(3 * (size_t)ntris + 1, sizeof *mesh.tri);
    assert_true(mesh.x && mesh.tri);
    return mesh;
}

static inline void put(taut_mesh *mesh, int v, double x, double y, double z)
{
    mesh->x[3 * v] = (float)x;
    mesh->x[3 * v + 1] = (float)y;
    mesh->x[3 * v + 2] = (float)z;
}

static inline taut_mesh mesh_of(const float (*x)[3], int nvertices, const int (*tri)[3], int ntris)
{
    taut_mesh mesh = empty_mesh(nvertices, ntris);
    memcpy(mesh.x, x, (size_t)nvertices * sizeof *x);
    memcpy(mesh.tri, tri, (size_t)ntris * sizeof *tri);
    return mesh;
}

static inline taut_mesh sheet(int n)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    return mesh;
}

static inline taut_mesh irregular(int n)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, n, n, 1, 1, 0.4f, 7, NULL));
    return mesh;
}

/* ---- Counts of a surface ---- */

typedef struct shape {
    int euler, parts, loops; /* vertices - edges + triangles; parts of the surface; loops of its boundary */
    int nonmanifold, inconsistent;
    int boundary; /* edges */
} shape;

static inline int root_of(int *parent, int v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Counts the sets of vertices that are joined by edges; vertices without an edge do not count. */
static inline int count_sets(const tt_topology *topology, int nvertices, bool boundary_only)
{
    int *parent = malloc((size_t)nvertices * sizeof *parent + 1), sets = 0;
    char *used = calloc((size_t)nvertices + 1, 1);
    assert_true(parent && used);
    for (int v = 0; v < nvertices; v++) parent[v] = v;
    for (int i = 0; i < topology->nedges; i++) {
        const tt_edge *edge = &topology->edge[i];
        if (boundary_only && edge->ntris != 1) continue;
        used[edge->a] = used[edge->b] = 1;
        parent[root_of(parent, edge->a)] = root_of(parent, edge->b);
    }
    for (int v = 0; v < nvertices; v++) sets += used[v] && parent[v] == v;
    free(parent);
    free(used);
    return sets;
}

static inline shape shape_of(const taut_mesh *mesh)
{
    tt_scope scope;
    tt_topology topology;
    tt_scope_open(&scope, NULL);
    assert_true(tt_topology_build(&scope, mesh, &topology));
    int used = 0;
    for (int v = 0; v < mesh->nvertices; v++) used += topology.ring_start[v + 1] > topology.ring_start[v];
    shape s = {.euler = used - topology.nedges + mesh->ntris,
               .parts = count_sets(&topology, mesh->nvertices, false),
               .loops = count_sets(&topology, mesh->nvertices, true),
               .nonmanifold = topology.nonmanifold_edges,
               .inconsistent = topology.inconsistent_edges,
               .boundary = topology.boundary_edges};
    tt_scope_close(&scope);
    return s;
}

/* ---- Quality ---- */

typedef struct quality {
    double mean, shortest, longest; /* edges               */
    double even;                    /* part of the edges within half to one and a half of the mean */
    double least_angle;             /* degrees                    */
    double good;                    /* part of the triangles without an angle below 25 degrees */
} quality;

static inline double least_angle(const taut_mesh *mesh, int t)
{
    double least = 180;
    for (int i = 0; i < 3; i++) {
        const int *v = mesh->tri + 3 * (size_t)t;
        vec3 p = at(mesh, v[i]), a = vec_sub(at(mesh, v[(i + 1) % 3]), p), b = vec_sub(at(mesh, v[(i + 2) % 3]), p);
        least = fmin(least, atan2(vec_length(vec_cross(a, b)), vec_dot(a, b)) * 180 / acos(-1));
    }
    return least;
}

static inline quality quality_of(const taut_mesh *mesh)
{
    tt_scope scope;
    tt_topology topology;
    tt_scope_open(&scope, NULL);
    assert_true(tt_topology_build(&scope, mesh, &topology));
    quality q = {.shortest = INFINITY, .least_angle = 180};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < topology.nedges; i++) {
            double length = vec_length(vec_sub(at(mesh, topology.edge[i].a), at(mesh, topology.edge[i].b)));
            if (pass == 0) q.mean += length / topology.nedges;
            else q.even += (length > 0.5 * q.mean && length < 1.5 * q.mean) / (double)topology.nedges;
            q.shortest = fmin(q.shortest, length);
            q.longest = fmax(q.longest, length);
        }
    }
    for (int t = 0; t < mesh->ntris; t++) {
        double angle = least_angle(mesh, t);
        q.least_angle = fmin(q.least_angle, angle);
        q.good += (angle >= 25) / (double)mesh->ntris;
    }
    tt_scope_close(&scope);
    return q;
}

/* ---- Fields ---- */

static inline tt_transfer transfer_between(tt_scope *scope, const taut_mesh *from, const taut_mesh *to,
                                           tt_transfer_options options)
{
    tt_transfer transfer;
    assert_true(tt_transfer_build(scope, from, to, options, &transfer));
    assert_int_equal(transfer.count, to->nvertices);
    return transfer;
}

static inline double linear(vec3 p) { return 0.3 + 1.1 * p.x - 0.7 * p.y + 0.4 * p.z; }

/* The value of the linear field that arrives at a vertex. */
static inline double carried(const tt_transfer *transfer, const taut_mesh *from, int v)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += (double)transfer->weight[v][i] * linear(at(from, transfer->index[v][i]));
    return sum;
}

static inline vec3 carried_place(const tt_transfer *transfer, const taut_mesh *from, int v)
{
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        sum = vec_add(sum, vec_scale(at(from, transfer->index[v][i]), (double)transfer->weight[v][i]));
    return sum;
}

/* Checks that indices are in range, and that weights are in 0..1 and add up to 1 as exactly as floats can. */
static inline void assert_weights(const tt_transfer *transfer, const taut_mesh *from)
{
    for (int v = 0; v < transfer->count; v++) {
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            assert_in_range(transfer->index[v][i], 0, from->nvertices - 1);
            assert_true(transfer->weight[v][i] >= 0 && transfer->weight[v][i] <= 1);
            sum += (double)transfer->weight[v][i];
        }
        assert_true(fabs(sum - 1) < 2e-7);
    }
}

#endif
