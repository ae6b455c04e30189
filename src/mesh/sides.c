#include "mesh/sides.h"

#include "mesh/limits.h"

static tt_side side_of(int a, int b, int slot)
{
    return a < b ? (tt_side){a, b, slot} : (tt_side){b, a, slot};
}

static void gather(const taut_mesh *mesh, tt_side *side)
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    int n = 0;
    for (; n < 3 * mesh->ntris; n++) side[n] = side_of(mesh->tri[n], mesh->tri[tt_slot_next(n)], n);
    for (int t = 0; t < mesh->ntets; t++) {
        const int *v = mesh->tet + 4 * (size_t)t;
        for (int e = 0; e < 6; e++, n++) side[n] = side_of(v[ends[e][0]], v[ends[e][1]], n);
    }
    for (int l = 0; l < mesh->nlines; l++, n++) {
        const int *v = mesh->line + 2 * (size_t)l;
        side[n] = side_of(v[0], v[1], n);
    }
}

/* One stable counting sort; `at` has an entry for every vertex and one more. */
static void sort_by(bool by_a, const tt_side *from, tt_side *to, int count, int *at, int nvertices)
{
    for (int v = 0; v <= nvertices; v++) at[v] = 0;
    for (int i = 0; i < count; i++) at[(by_a ? from[i].a : from[i].b) + 1]++;
    for (int v = 0; v < nvertices; v++) at[v + 1] += at[v];
    for (int i = 0; i < count; i++) to[at[by_a ? from[i].a : from[i].b]++] = from[i];
}

tt_side *tt_sides(tt_scope *scope, const taut_mesh *mesh, int *count)
{
    *count = (int)tt_side_total(mesh->ntris, mesh->ntets, mesh->nlines);
    tt_side *side = TT_TAKE(scope, tt_side, *count);
    tt_side *sorted_by_b = TT_TAKE(scope, tt_side, *count);
    int *at = TT_TAKE(scope, int, mesh->nvertices + 1);
    if (!side || !sorted_by_b || !at) return NULL;
    gather(mesh, side);
    sort_by(false, side, sorted_by_b, *count, at, mesh->nvertices);
    sort_by(true, sorted_by_b, side, *count, at, mesh->nvertices);
    return side;
}
