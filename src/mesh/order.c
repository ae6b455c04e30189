/* Reverse Cuthill-McKee: a breadth-first search from a vertex at the rim, with neighbours in the order of their degree;
 * the result is reversed. The start is pseudo-peripheral (George and Liu 1979: go to the far end until it gets no
 * farther), so the quality does not depend on the order of the input. */
#include "mesh/order.h"

enum { MOST_ROUNDS = 16 }; /* of the search for a start; usually it takes two to four */

typedef struct graph {
    const int *start;
    int *ring;  /* as the topology's, but each ring by (degree, index) */
    int *level; /* of the current search, -1: not reached              */
    int *queue; /* vertices in the order they were reached             */
} graph;

static int degree(const graph *g, int v) { return g->start[v + 1] - g->start[v]; }

/* The vertices are taken in the order (degree, index), and each is appended to the rings that it is in. So every ring
 * is in that order. */
static bool sort_rings(tt_scope *scope, const tt_topology *topology, int nvertices, graph *g)
{
    int *at = TT_TAKE(scope, int, nvertices + 1);
    int *by_degree = TT_TAKE(scope, int, nvertices);
    if (!at || !by_degree) return false;
    for (int v = 0; v < nvertices; v++) at[degree(g, v) + 1]++; /* a degree is below nvertices */
    for (int d = 0; d < nvertices; d++) at[d + 1] += at[d];
    for (int v = 0; v < nvertices; v++) by_degree[at[degree(g, v)]++] = v;
    for (int v = 0; v < nvertices; v++) at[v] = g->start[v];
    for (int i = 0; i < nvertices; i++) {
        int v = by_degree[i];
        for (int k = g->start[v]; k < g->start[v + 1]; k++) g->ring[at[topology->ring[k]]++] = v;
    }
    return true;
}

/* Breadth-first over the component of `root`: fills `queue` from its beginning, and `level`.
 * Returns the size. */
static int search(graph *g, int root)
{
    int size = 0;
    g->queue[size++] = root;
    g->level[root] = 0;
    for (int done = 0; done < size; done++) {
        int v = g->queue[done];
        for (int k = g->start[v]; k < g->start[v + 1]; k++) {
            int u = g->ring[k];
            if (g->level[u] >= 0) continue;
            g->level[u] = g->level[v] + 1;
            g->queue[size++] = u;
        }
    }
    return size;
}

static void forget(graph *g, int size)
{
    for (int i = 0; i < size; i++) g->level[g->queue[i]] = -1;
}

/* The vertex of queue[begin..end) with the smallest (degree, index). */
static int slightest(const graph *g, int begin, int end)
{
    int best = g->queue[begin];
    for (int i = begin + 1; i < end; i++) {
        int v = g->queue[i];
        if (degree(g, v) < degree(g, best) || (degree(g, v) == degree(g, best) && v < best))
            best = v;
    }
    return best;
}

/* Orders the component of `any` breadth-first from a pseudo-peripheral vertex; queue and level hold
 * the result. */
static int search_from_rim(graph *g, int any)
{
    int size = search(g, any);
    int root = slightest(g, 0, size), depth = -1;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        forget(g, size);
        search(g, root);
        int reached = g->level[g->queue[size - 1]];
        if (reached <= depth) break;
        depth = reached;
        int last = size - 1; /* the first vertex of the last level */
        while (last > 0 && g->level[g->queue[last - 1]] == depth) last--;
        root = slightest(g, last, size);
    }
    return size;
}

static int bandwidth(const tt_topology *topology, const int *place)
{
    int widest = 0;
    for (int e = 0; e < topology->nedges; e++) {
        int span = place[topology->edge[e].a] - place[topology->edge[e].b];
        if (span < 0) span = -span;
        if (span > widest) widest = span;
    }
    return widest;
}

static bool open_graph(tt_scope *scratch, const tt_topology *topology, int nvertices, graph *g)
{
    *g = (graph){.start = topology->ring_start,
                 .ring = TT_TAKE(scratch, int, 2 * topology->nedges),
                 .level = TT_TAKE(scratch, int, nvertices),
                 .queue = TT_TAKE(scratch, int, nvertices)};
    return g->ring && g->level && g->queue && sort_rings(scratch, topology, nvertices, g);
}

/* Gives the component of `v`, reversed, the places from `first` on, unless it has places. Returns the next free
 * place. */
static int place_component(graph *g, int v, int first, int *place)
{
    if (g->level[v] >= 0) return first;
    int size = search_from_rim(g, v);
    for (int i = 0; i < size; i++) place[g->queue[i]] = first + size - 1 - i;
    return first + size;
}

int tt_order(tt_scope *scope, const tt_topology *topology, int nvertices, int *place)
{
    graph g;
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = open_graph(&scratch, topology, nvertices, &g);
    if (ok) {
        int placed = 0;
        for (int v = 0; v < nvertices; v++) g.level[v] = -1;
        for (int v = 0; v < nvertices; v++)
            if (degree(&g, v) > 0) placed = place_component(&g, v, placed, place);
        for (int v = 0; v < nvertices; v++)
            if (degree(&g, v) == 0) place[v] = placed++;
    }
    tt_scope_close(&scratch);
    return ok ? bandwidth(topology, place) : -1;
}

bool tt_order_within(tt_scope *scope, const tt_topology *topology, int nvertices, int size, int *place)
{
    graph g;
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    int *vertex = TT_TAKE(&scratch, int, nvertices);
    bool ok = vertex && open_graph(&scratch, topology, nvertices, &g);
    for (int v = 0; ok && v < nvertices; v++) vertex[place[v]] = v; /* level 0: out of reach of any search */
    for (int first = 0; ok && first < nvertices; first += size) {
        int last = first + size < nvertices ? first + size : nvertices, placed = first;
        for (int i = first; i < last; i++) g.level[vertex[i]] = -1;
        for (int i = first; i < last; i++) placed = place_component(&g, vertex[i], placed, place);
    }
    tt_scope_close(&scratch);
    return ok;
}
