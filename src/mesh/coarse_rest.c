#include "mesh/coarse_rest.h"

#include "base/vec.h"

#include <string.h>

/* A tet keeps at least this share of its volume. */
static const double LEAST_SHARE = 0.05;

static vec3 edge(const float *x, int from, int to)
{
    return vec_sub(vec_of(&x[3 * (size_t)to]), vec_of(&x[3 * (size_t)from]));
}

static double volume(const float *x, const int *v)
{
    return vec_dot(edge(x, v[0], v[1]), vec_cross(edge(x, v[0], v[2]), edge(x, v[0], v[3]))) / 6;
}

static void restrict_place(const taut_mesh *fine, const tt_restriction *down, int v, float *place)
{
    double sum[3] = {0, 0, 0};
    for (int i = down->first[v]; i < down->first[v + 1]; i++)
        for (size_t c = 0; c < 3; c++)
            sum[c] += (double)down->weight[i] * (double)fine->x[3 * (size_t)down->index[i] + c];
    for (int c = 0; c < 3; c++) place[c] = (float)sum[c];
}

static bool is_sound(const tt_restriction *down, const float *before, const float *x, const int *v)
{
    bool rides = true;
    for (int k = 0; k < 4; k++) rides = rides && down->first[v[k]] < down->first[v[k] + 1];
    return rides && volume(x, v) / volume(before, v) > LEAST_SHARE;
}

static void keep_tet(taut_mesh *coarse, const int *corner, int from)
{
    size_t to = (size_t)coarse->ntets++;
    memcpy(&coarse->tet[4 * to], corner, 4 * sizeof *corner);
    if (coarse->frame) memmove(&coarse->frame[9 * to], &coarse->frame[9 * (size_t)from], 9 * sizeof *coarse->frame);
    if (coarse->tet_scale) coarse->tet_scale[to] = coarse->tet_scale[from];
}

bool tt_coarse_rest(tt_scope *scope, const taut_mesh *fine, const tt_restriction *down, taut_mesh *coarse)
{
    const float *before = coarse->x;
    const int *all = coarse->tet, ntets = coarse->ntets;
    coarse->x = TT_TAKE(scope, float, 3 * (size_t)coarse->nvertices);
    coarse->tet = TT_TAKE(scope, int, 4 * (size_t)ntets);
    if (!coarse->x || !coarse->tet) return false;
    for (int v = 0; v < coarse->nvertices; v++) restrict_place(fine, down, v, &coarse->x[3 * (size_t)v]);
    coarse->ntets = 0;
    for (int t = 0; t < ntets; t++)
        if (is_sound(down, before, coarse->x, &all[4 * (size_t)t])) keep_tet(coarse, &all[4 * (size_t)t], t);
    return true;
}
