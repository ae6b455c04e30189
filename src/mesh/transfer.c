#include "mesh/transfer.h"

#include "mesh/elements.h"

#include <string.h>

typedef struct search {
    tt_elements elements;
    const int *part; /* of each vertex of `from`, or NULL */
    int wanted;      /* the part to search                */
} search;

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

static int root(int *parent, int v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]]; /* shorter for the next one */
        v = parent[v];
    }
    return v;
}

static void join(int *parent, const int *vertex, int count, int corners)
{
    for (int e = 0; e < count; e++, vertex += corners) {
        for (int i = 1; i < corners; i++) {
            int a = root(parent, vertex[0]), b = root(parent, vertex[i]);
            if (a < b) parent[b] = a;
            else parent[a] = b;
        }
    }
}

/* The number of the part that each vertex is in; NULL when memory ran out. */
static int *find_parts(tt_scope *scratch, const taut_mesh *mesh)
{
    int *part = TT_TAKE(scratch, int, mesh->nvertices);
    if (!part) return NULL;
    for (int v = 0; v < mesh->nvertices; v++) part[v] = v;
    join(part, mesh->tri, mesh->ntris, 3);
    join(part, mesh->tet, mesh->ntets, 4);
    join(part, mesh->line, mesh->nlines, 2);
    for (int v = 0; v < mesh->nvertices; v++) part[v] = root(part, v);
    return part;
}

static int *parts_by_origin(tt_scope *scratch, const int *part, const int *origin, int count)
{
    int *own = TT_TAKE(scratch, int, count);
    for (int v = 0; own && v < count; v++) own[v] = part[origin[v]];
    return own;
}

/* ---- Weights ----------------------------------------------------------------------------------------------------- */

static double distance(const void *items, int item, vec3 point)
{
    const search *s = items;
    if (s->part) {
        vec3 corner[4];
        if (s->part[tt_elements_corners(&s->elements, item, corner)[0]] != s->wanted) return INFINITY;
    }
    return tt_elements_distance(&s->elements, item, point);
}

/* The weights are rounded to floats. The largest takes the rest, so that they still add up to 1. */
static void store(tt_transfer *transfer, int v, const int *vertex, const double *weight, int corners)
{
    int largest = 0;
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        bool used = i < corners && fabs(weight[i]) > 1e-9;
        transfer->index[v][i] = vertex[i < corners ? i : 0];
        transfer->weight[v][i] = used ? (float)weight[i] : 0;
        if (i < corners && weight[i] > weight[largest]) largest = i;
    }
    for (int i = 0; i < 4; i++)
        if (i != largest) sum += transfer->weight[v][i];
    transfer->weight[v][largest] = 1 - sum;
}

static void bind(tt_transfer *transfer, int v, const search *s, int item, vec3 p, bool extrapolate)
{
    vec3 corner[4];
    double weight[4];
    const int *vertex = tt_elements_corners(&s->elements, item, corner);
    if (s->elements.corners == 3) tt_closest_on_triangle(p, corner[0], corner[1], corner[2], weight);
    else if (extrapolate) tt_weights_in_tet(corner, p, weight);
    else tt_closest_in_tet(corner, p, weight);
    store(transfer, v, vertex, weight, s->elements.corners);
}

/* Inside a tet the distance is 0, so a triangle serves only vertices that are nearer to it than to any tet. */
static void fill(tt_transfer *transfer, search *tets, search *tris, const taut_mesh *to, const int *part,
                 bool extrapolate)
{
    int tet = -1, tri = -1;
    for (int v = 0; v < to->nvertices; v++) {
        vec3 p = vec_of(to->x + 3 * (size_t)v);
        tets->wanted = tris->wanted = part ? part[v] : 0;
        tet = tt_bvh_nearest_from(&tets->elements.bvh, distance, tets, p, tet);
        tri = tt_bvh_nearest_from(&tris->elements.bvh, distance, tris, p, tri);
        double to_tet = tet < 0 ? INFINITY : distance(tets, tet, p);
        double to_tri = tri < 0 ? INFINITY : distance(tris, tri, p);
        if (to_tri < to_tet) bind(transfer, v, tris, tri, p, extrapolate);
        else if (to_tet < INFINITY) bind(transfer, v, tets, tet, p, extrapolate);
    }
}

static void copy_origins(tt_transfer *transfer, const int *origin, int count)
{
    for (int v = 0; v < count; v++) {
        const int index[4] = {v, v, v, v};
        const float weight[4] = {1, 0, 0, 0};
        memcpy(transfer->index[origin[v]], index, sizeof index);
        memcpy(transfer->weight[origin[v]], weight, sizeof weight);
    }
}

bool tt_transfer_build(tt_scope *scope, const taut_mesh *from, const taut_mesh *to, tt_transfer_options options,
                       tt_transfer *transfer)
{
    *transfer = (tt_transfer){.count = to->nvertices};
    transfer->index = tt_take(scope, (size_t)to->nvertices, sizeof *transfer->index);
    transfer->weight = tt_take(scope, (size_t)to->nvertices, sizeof *transfer->weight);
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    search tets = {0}, tris = {0};
    bool ok = transfer->index && transfer->weight && tt_elements_build(&scratch, from, 4, &tets.elements) &&
              tt_elements_build(&scratch, from, 3, &tris.elements);
    int *part = NULL;
    if (ok && options.origin) {
        part = find_parts(&scratch, to);
        if (part) tets.part = tris.part = parts_by_origin(&scratch, part, options.origin, from->nvertices);
        ok = part && tets.part;
    }
    if (ok) fill(transfer, &tets, &tris, to, part, options.extrapolate);
    if (ok && options.origin) copy_origins(transfer, options.origin, from->nvertices);
    tt_scope_close(&scratch);
    return ok;
}
