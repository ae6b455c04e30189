/* Edges, hinges and rings from the sorted sides of all elements. */
#include "mesh/topology.h"

#include "mesh/sides.h"

/* Two triangle sides on one edge make a hinge, unless the triangles have the same third vertex: then the fold is shut
 * and has no angle. Both sides belong to triangles. */
static bool makes_hinge(const taut_mesh *mesh, const tt_side *first, const tt_side *second)
{
    return mesh->tri[tt_slot_apex(first->slot)] != mesh->tri[tt_slot_apex(second->slot)];
}

static tt_hinge hinge_of(const taut_mesh *mesh, const tt_side *first, const tt_side *second,
                         int edge)
{
    return (tt_hinge){.p1 = mesh->tri[tt_slot_apex(first->slot)],
                      .p2 = mesh->tri[tt_slot_apex(second->slot)],
                      .p3 = mesh->tri[first->slot],
                      .p4 = mesh->tri[tt_slot_next(first->slot)],
                      .tri1 = first->slot / 3,
                      .tri2 = second->slot / 3,
                      .edge = edge};
}

/* The sides `begin`..`end` - 1 lie on one edge; those of triangles come first, as slots ascend. */
static tt_edge edge_of(const taut_mesh *mesh, const tt_side *side, int begin, int end)
{
    tt_edge edge = {.a = side[begin].a, .b = side[begin].b};
    for (int i = begin; i < end; i++) {
        if (side[i].slot < 3 * mesh->ntris) edge.ntris++;
        else if (side[i].slot < 3 * mesh->ntris + 6 * mesh->ntets) edge.ntets++;
        else edge.nlines++;
    }
    return edge;
}

static void count(const taut_mesh *mesh, const tt_side *side, int nsides, tt_topology *topology)
{
    for (int begin = 0, end; begin < nsides; begin = end) {
        end = tt_sides_end(side, nsides, begin);
        tt_edge edge = edge_of(mesh, side, begin, end);
        topology->nedges++;
        for (int i = begin + 1; i < begin + edge.ntris; i++)
            topology->nhinges += makes_hinge(mesh, &side[i - 1], &side[i]);
        topology->boundary_edges += edge.ntris == 1;
        topology->nonmanifold_edges += edge.ntris > 2;
        topology->inconsistent_edges +=
            edge.ntris == 2 && mesh->tri[side[begin].slot] == mesh->tri[side[begin + 1].slot];
    }
}

static void fill(const taut_mesh *mesh, const tt_side *side, int nsides, tt_topology *topology)
{
    int nedges = 0, nhinges = 0;
    for (int begin = 0, end; begin < nsides; begin = end, nedges++) {
        end = tt_sides_end(side, nsides, begin);
        tt_edge edge = edge_of(mesh, side, begin, end);
        topology->edge[nedges] = edge;
        for (int i = 0; i < edge.ntris; i++) {
            topology->side_edge[side[begin + i].slot] = nedges;
            topology->across[side[begin + i].slot] = side[begin + (i + 1) % edge.ntris].slot;
        }
        for (int i = begin + 1; i < begin + edge.ntris; i++)
            if (makes_hinge(mesh, &side[i - 1], &side[i]))
                topology->hinge[nhinges++] = hinge_of(mesh, &side[i - 1], &side[i], nedges);
    }
}

/* Edges are sorted by (a, b), so each vertex meets its smaller neighbours first, then its larger
 * ones, ascending. */
static void fill_rings(int nvertices, tt_topology *topology)
{
    int *start = topology->ring_start;
    for (int e = 0; e < topology->nedges; e++) {
        start[topology->edge[e].a]++;
        start[topology->edge[e].b]++;
    }
    for (int v = 0; v < nvertices; v++) start[v + 1] += start[v];
    for (int e = topology->nedges - 1; e >= 0;
         e--) { /* backwards: start[v] ends as the first of its ring */
        tt_edge edge = topology->edge[e];
        topology->ring[--start[edge.a]] = edge.b;
        topology->ring[--start[edge.b]] = edge.a;
    }
}

bool tt_topology_build(tt_scope *scope, const taut_mesh *mesh, tt_topology *topology)
{
    *topology = (tt_topology){0};
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    int nsides;
    tt_side *side = tt_sides(&scratch, mesh, &nsides);
    if (side) {
        count(mesh, side, nsides, topology);
        topology->edge = TT_TAKE(scope, tt_edge, topology->nedges);
        topology->hinge = TT_TAKE(scope, tt_hinge, topology->nhinges);
        topology->ring_start = TT_TAKE(scope, int, mesh->nvertices + 1);
        topology->ring = TT_TAKE(scope, int, 2 * topology->nedges);
        topology->side_edge = TT_TAKE(scope, int, 3 * (size_t)mesh->ntris);
        topology->across = TT_TAKE(scope, int, 3 * (size_t)mesh->ntris);
    }
    bool ok = side && topology->edge && topology->hinge && topology->ring_start && topology->ring &&
              topology->side_edge && topology->across;
    if (ok) {
        fill(mesh, side, nsides, topology);
        fill_rings(mesh->nvertices, topology);
    }
    tt_scope_close(&scratch);
    return ok;
}

int tt_find_edge(const tt_topology *topology, int u, int v)
{
    int a = u < v ? u : v, b = u < v ? v : u;
    int low = 0, high = topology->nedges - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        const tt_edge *edge = &topology->edge[middle];
        if (edge->a < a || (edge->a == a && edge->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
