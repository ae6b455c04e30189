/* How far apart two vertices of a coarse rope can get. Each of them is a mean of riders, vertices of the finer rope
 * (tt_restriction_mean), so their distance is at most the mean of all ways between the riders of one and of the other.
 *
 *     finer    ---o---a---m---b---o---      a and b stay, m goes
 *
 * A way between a rider of a and a rider of b leads over both a and b, unless one of the riders is m. So the mean is
 * the way from a to b, plus the mean ways from a and from b to their riders, less twice the part of m in these. */
#include "model/reach_means.h"

#include "base/vec.h"

typedef struct work {
    const tt_metric *fine;
    const tt_coarse_mesh *level;
    double *off;  /* per coarse vertex: the mean way from it to its riders                   */
    double *part; /* per coarse edge: the part of `off` of its ends that is due to riders on it */
    int *counted; /* per coarse edge: how many times a vertex on it is a rider               */
} work;

/* The length of the line from u to v. */
static double way(const tt_metric *fine, int u, int v)
{
    if (u == v) return 0;
    if (fine->length) return fine->length[tt_find_edge(&fine->topology, u, v)];
    return vec_length(vec_sub(vec_of(&fine->mesh->x[3 * (size_t)u]), vec_of(&fine->mesh->x[3 * (size_t)v])));
}

static void count_vertex(const work *w, int coarse, int v, double weight)
{
    int origin = w->level->origin[coarse];
    double share = weight * way(w->fine, origin, v);
    w->off[coarse] += share;
    if (v == origin) return;
    int e = tt_find_edge(&w->level->metric.topology, w->level->up.index[v][0], w->level->up.index[v][1]);
    w->part[e] += share;
    w->counted[e]++;
}

/* If two vertices go between the same a and b, a way between the two leads over a or b. Then nothing is subtracted. */
static void set_length(const work *w, const tt_reach *reach, tt_link *link)
{
    int e = tt_find_edge(&w->level->metric.topology, link->a, link->b);
    double part = w->counted[e] <= 2 ? w->part[e] : 0;
    double *length = &w->level->metric.length[e];
    *length += w->off[link->a] + w->off[link->b] - 2 * part;
    link->length = reach->all * *length;
}

bool tt_reach_means(tt_scope *scope, const tt_reach *reach, const tt_metric *fine, tt_coarse_mesh *level)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    const tt_restriction *down = &level->down;
    int nedges = level->metric.topology.nedges;
    work w = {
        .fine = fine,
        .level = level,
        .off = TT_TAKE(&scratch, double, level->mesh.nvertices),
        .part = TT_TAKE(&scratch, double, nedges),
        .counted = TT_TAKE(&scratch, int, nedges),
    };
    bool ok = w.off && w.part && w.counted;
    for (int c = 0; ok && c < level->mesh.nvertices; c++)
        for (int i = down->first[c]; i < down->first[c + 1]; i++)
            count_vertex(&w, c, down->index[i], (double)down->weight[i]);
    for (int i = 0; ok && i < level->nlinks; i++) set_length(&w, reach, &level->link[i]);
    tt_scope_close(&scratch);
    return ok;
}
