/* A report on a mesh: what is in it and what is odd about it. */
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "mesh/topology.h"

#include <string.h>

/* An element is degenerate when its area (volume) is below this part of its longest edge squared (cubed). The rounding
 * of float coordinates can turn a zero into that much. */
static const double DEGENERATE = 1e-6;

static vec3 position(const taut_mesh *mesh, int v) { return vec_of(mesh->x + 3 * (size_t)v); }

static double longest_edge(const vec3 *p, int n)
{
    double longest = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) longest = fmax(longest, vec_length(vec_sub(p[i], p[j])));
    return longest;
}

static void inspect_triangles(const taut_mesh *mesh, taut_mesh_report *report)
{
    double total = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        vec3 p[3];
        for (int i = 0; i < 3; i++) p[i] = position(mesh, mesh->tri[3 * (size_t)t + (size_t)i]);
        double area = vec_length(vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0]))) / 2;
        double longest = longest_edge(p, 3);
        report->degenerate_tris += area <= DEGENERATE * longest * longest;
        total += area;
    }
    report->area = (float)total;
}

static void inspect_tets(const taut_mesh *mesh, taut_mesh_report *report)
{
    double total = 0;
    for (int t = 0; t < mesh->ntets; t++) {
        vec3 p[4];
        for (int i = 0; i < 4; i++) p[i] = position(mesh, mesh->tet[4 * (size_t)t + (size_t)i]);
        vec3 normal = vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0]));
        double volume = vec_dot(normal, vec_sub(p[3], p[0])) / 6;
        double longest = longest_edge(p, 4);
        if (fabs(volume) <= DEGENERATE * longest * longest * longest) report->degenerate_tets++;
        else report->inverted_tets += volume < 0;
        total += fabs(volume);
    }
    report->volume = (float)total;
}

static void inspect_bounds(const taut_mesh *mesh, taut_mesh_report *report)
{
    for (int k = 0; k < 3; k++) report->min[k] = report->max[k] = mesh->x[k];
    for (int v = 0; v < mesh->nvertices; v++) {
        for (int k = 0; k < 3; k++) {
            float x = mesh->x[3 * (size_t)v + (size_t)k];
            if (x < report->min[k]) report->min[k] = x;
            if (x > report->max[k]) report->max[k] = x;
        }
    }
}

static size_t hash_place(const float *x)
{
    uint64_t hash = TT_HASH_SEED;
    for (int k = 0; k < 3; k++) {
        float coordinate = x[k] + 0.0f; /* -0 becomes +0 */
        uint32_t bits;
        memcpy(&bits, &coordinate, sizeof bits);
        hash = (hash ^ bits) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

/* Counts vertices at exactly the place of an earlier vertex, with a hash table of the first vertex at each place. */
static bool inspect_duplicates(tt_scope *scope, const taut_mesh *mesh, taut_mesh_report *report)
{
    size_t size = 16;
    while (size < 2 * (size_t)mesh->nvertices) size *= 2;
    int *first = TT_TAKE(scope, int, size); /* vertex + 1, 0: free */
    if (!first) return false;
    for (int v = 0; v < mesh->nvertices; v++) {
        const float *x = mesh->x + 3 * (size_t)v;
        size_t at = hash_place(x) & (size - 1);
        for (; first[at]; at = (at + 1) & (size - 1)) {
            const float *y = mesh->x + 3 * (size_t)(first[at] - 1);
            if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2]) break;
        }
        if (first[at]) report->duplicate_vertices++;
        else first[at] = v + 1;
    }
    return true;
}

static bool inspect_topology(tt_scope *scope, const taut_mesh *mesh, taut_mesh_report *report)
{
    tt_topology topology;
    if (!tt_topology_build(scope, mesh, &topology)) return false;
    report->edges = topology.nedges;
    report->hinges = topology.nhinges;
    report->boundary_edges = topology.boundary_edges;
    report->nonmanifold_edges = topology.nonmanifold_edges;
    report->inconsistent_edges = topology.inconsistent_edges;
    int first = 0;
    while (first < topology.nedges && topology.edge[first].ntris <= 2) first++;
    if (first < topology.nedges) {
        report->first_nonmanifold[0] = topology.edge[first].a;
        report->first_nonmanifold[1] = topology.edge[first].b;
    }
    for (int v = 0; v < mesh->nvertices; v++)
        report->unreferenced_vertices += topology.ring_start[v] == topology.ring_start[v + 1];
    return true;
}

bool taut_mesh_inspect(const taut_mesh *mesh, taut_mesh_report *report, taut_error *error)
{
    *report = (taut_mesh_report){.first_nonmanifold = {-1, -1}};
    tt_clear(error);
    if (!taut_mesh_check(mesh, error)) return false;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    bool ok = inspect_topology(&scope, mesh, report) && inspect_duplicates(&scope, mesh, report);
    tt_scope_close(&scope);
    if (!ok) return tt_no_memory(error);
    inspect_bounds(mesh, report);
    inspect_triangles(mesh, report);
    inspect_tets(mesh, report);
    return true;
}
