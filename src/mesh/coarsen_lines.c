/* Chains are followed from vertex to vertex: first the chains that start at a vertex that stays, then the closed ones.
 *
 *     fine     E---o---o---o---o---o---B      E end, B branch or pin
 *     coarse   E-------o-------o-------B
 */
#include "mesh/coarsen_lines.h"

#include "base/vec.h"
#include "mesh/coarsen_fill.h"

#include <string.h>

typedef struct work {
    const taut_mesh *fine;
    const tt_topology *topology;
    unsigned char *stays;
    unsigned char *seen; /* vertices inside of chains that have been followed         */
    int (*between)[2];   /* for a vertex that goes: the two that it lies between      */
    int *line;           /* the coarse lines, in vertices of the fine mesh            */
    int nlines;
} work;

static int neighbours(const work *w, int v) { return w->topology->ring_start[v + 1] - w->topology->ring_start[v]; }

static int neighbour(const work *w, int v, int i) { return w->topology->ring[w->topology->ring_start[v] + i]; }

static bool is_inside(const work *w, int v)
{
    return neighbours(w, v) == 2 && !(w->fine->pinned && w->fine->pinned[v]);
}

static void add_line(work *w, int a, int b)
{
    int *line = &w->line[2 * (size_t)w->nlines++];
    line[0] = a;
    line[1] = b;
}

/* Follows a chain from `start` over its neighbour `v`, until a vertex that is not inside of a chain, or the start. */
static void follow(work *w, int start, int v)
{
    int last = start, before = start; /* the last vertex that stays; the vertex before v */
    while (is_inside(w, v) && v != start) {
        int next = neighbour(w, v, neighbour(w, v, 0) == before);
        w->seen[v] = 1;
        if (before == last) {
            w->between[v][0] = last;
            w->between[v][1] = next;
        } else {
            add_line(w, last, v);
            w->stays[v] = 1;
            last = v;
        }
        before = v;
        v = next;
    }
    add_line(w, last, v);
}

static void follow_all(work *w)
{
    int n = w->fine->nvertices;
    for (int v = 0; v < n; v++) {
        if (neighbours(w, v) == 0 || is_inside(w, v)) continue;
        w->stays[v] = 1;
        for (int i = 0; i < neighbours(w, v); i++) {
            int next = neighbour(w, v, i);
            if (is_inside(w, next) ? !w->seen[next] : v < next) follow(w, v, next);
        }
    }
    for (int v = 0; v < n; v++) {
        if (!is_inside(w, v) || w->seen[v]) continue;
        w->seen[v] = w->stays[v] = 1;
        follow(w, v, neighbour(w, v, 0));
    }
}

static bool fill_lines(tt_scope *scope, const work *w, const int *number, taut_mesh *coarse)
{
    coarse->nlines = w->nlines;
    coarse->line = TT_TAKE(scope, int, 2 * (size_t)w->nlines);
    if (!coarse->line) return false;
    for (int i = 0; i < 2 * w->nlines; i++) coarse->line[i] = number[w->line[i]];
    return true;
}

static double distance(const taut_mesh *mesh, int a, int b)
{
    return vec_length(vec_sub(vec_of(&mesh->x[3 * (size_t)a]), vec_of(&mesh->x[3 * (size_t)b])));
}

/* Whether v is an end or a fork and not pinned. Only vertices between two such vertices ride on one. So these stay
 * where they are when coarse vertices become means, whatever pins or masses they get later. */
static bool is_alone(const work *w, int v) { return neighbours(w, v) != 2 && !(w->fine->pinned && w->fine->pinned[v]); }

/* The weights follow from the distances to the two neighbours. */
static bool fill_transfer(tt_scope *scope, const work *w, const int *number, tt_transfer *up)
{
    const taut_mesh *fine = w->fine;
    *up = (tt_transfer){.count = fine->nvertices};
    up->index = (int(*)[4])TT_TAKE(scope, int, 4 * (size_t)fine->nvertices);
    up->weight = (float(*)[4])TT_TAKE(scope, float, 4 * (size_t)fine->nvertices);
    if (!up->index || !up->weight) return false;
    for (int v = 0; v < fine->nvertices; v++) {
        if (neighbours(w, v) == 0) continue;
        bool stays = w->stays[v];
        int a = stays ? v : w->between[v][0], b = stays ? v : w->between[v][1];
        double way = distance(fine, a, v), whole = way + distance(fine, v, b);
        float share = whole > 0 ? (float)(way / whole) : 0; /* of b */
        if (!stays && is_alone(w, a) != is_alone(w, b)) share = is_alone(w, a) ? 1 : 0;
        const int index[4] = {number[a], number[b], number[a], number[a]};
        memcpy(up->index[v], index, sizeof index);
        up->weight[v][0] = 1 - share;
        up->weight[v][1] = share;
    }
    return true;
}

bool tt_coarsen_lines(tt_scope *scope, const taut_mesh *fine, const tt_topology *topology, taut_mesh *coarse,
                      int **origin, tt_transfer *up)
{
    size_t n = (size_t)fine->nvertices;
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    work w = {
        .fine = fine,
        .topology = topology,
        .stays = TT_TAKE(&scratch, unsigned char, n),
        .seen = TT_TAKE(&scratch, unsigned char, n),
        .between = (int(*)[2])TT_TAKE(&scratch, int, 2 * n),
        .line = TT_TAKE(&scratch, int, 2 * (size_t)topology->nedges),
    };
    int *number = TT_TAKE(&scratch, int, n);
    *coarse = (taut_mesh){0};
    bool ok = w.stays && w.seen && w.between && w.line && number;
    if (ok) follow_all(&w);
    for (size_t v = 0; ok && v < n; v++) number[v] = w.stays[v];
    ok = ok && tt_coarsen_vertices(scope, fine, number, coarse, origin) && fill_lines(scope, &w, number, coarse) &&
         fill_transfer(scope, &w, number, up);
    tt_scope_close(&scratch);
    return ok;
}
