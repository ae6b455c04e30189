#include "mesh/restriction.h"

#include "base/vec.h"

static bool take(tt_scope *scope, int count, int entries, tt_restriction *r)
{
    *r = (tt_restriction){.count = count};
    r->first = TT_TAKE(scope, int, (size_t)count + 1);
    r->index = TT_TAKE(scope, int, entries);
    r->weight = TT_TAKE(scope, float, entries);
    return r->first && r->index && r->weight;
}

bool tt_restriction_copy(tt_scope *scope, const int *origin, int count, tt_restriction *restriction)
{
    if (!take(scope, count, count, restriction)) return false;
    for (int v = 0; v < count; v++) {
        restriction->first[v + 1] = v + 1;
        restriction->index[v] = origin[v];
        restriction->weight[v] = 1;
    }
    return true;
}

/* Those that ride on a coarse vertex, at rest and relative to it: index and weight of each. */
typedef struct riders {
    const taut_mesh *fine;
    vec3 at; /* the coarse vertex */
    int count;
    int *index;
    float *weight;
} riders;

static vec3 place(const riders *r, int i) { return vec_sub(vec_of(&r->fine->x[3 * (size_t)r->index[i]]), r->at); }

/* The rows of a symmetric matrix's inverse, or false where its range is all but a plane. */
static bool invert(const vec3 a[3], vec3 inverse[3])
{
    double trace = a[0].x + a[1].y + a[2].z, det = vec_dot(a[0], vec_cross(a[1], a[2]));
    if (!(det > 1e-4 * trace * trace * trace)) return false;
    inverse[0] = vec_scale(vec_cross(a[1], a[2]), 1 / det);
    inverse[1] = vec_scale(vec_cross(a[2], a[0]), 1 / det);
    inverse[2] = vec_scale(vec_cross(a[0], a[1]), 1 / det);
    return true;
}

/* Weights of the linear fit's value at the coarse vertex, from those by which it is weighted: with the mean m of the
 * riders and their covariance A about it, w (1/W - (x - m).A^-1 m). */
static bool fit(riders *r)
{
    vec3 mean = {0, 0, 0}, a[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, inverse[3];
    double total = 0;
    for (int i = 0; i < r->count; i++) {
        mean = vec_add(mean, vec_scale(place(r, i), (double)r->weight[i]));
        total += (double)r->weight[i];
    }
    if (!(total > 0)) return false;
    mean = vec_scale(mean, 1 / total);
    for (int i = 0; i < r->count; i++) {
        vec3 d = vec_sub(place(r, i), mean), e = vec_scale(d, (double)r->weight[i]);
        a[0] = vec_add(a[0], vec_scale(e, d.x));
        a[1] = vec_add(a[1], vec_scale(e, d.y));
        a[2] = vec_add(a[2], vec_scale(e, d.z));
    }
    if (!invert(a, inverse)) return false;
    vec3 slope = {vec_dot(inverse[0], mean), vec_dot(inverse[1], mean), vec_dot(inverse[2], mean)};
    for (int i = 0; i < r->count; i++) {
        double along = vec_dot(vec_sub(place(r, i), mean), slope);
        r->weight[i] = (float)((double)r->weight[i] * (1 / total - along));
    }
    return true;
}

static void take_tet(riders *r, const int *index, const float *weight)
{
    r->count = 4;
    for (int i = 0; i < 4; i++) r->index[i] = index[i], r->weight[i] = weight[i];
}

static void nearest_first(riders *r)
{
    int best = 0;
    for (int i = 1; i < r->count; i++)
        if (vec_length(place(r, i)) < vec_length(place(r, best))) best = i;
    int index = r->index[best];
    float weight = r->weight[best];
    r->index[best] = r->index[0], r->weight[best] = r->weight[0];
    r->index[0] = index, r->weight[0] = weight;
}

/* The riders of each coarse vertex, with their weights in `up`; room for four where there are fewer. */
static void list_riders(const tt_transfer *up, tt_restriction *r, int *fill)
{
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++)
            if (up->weight[v][i] > 0) fill[up->index[v][i]]++;
    for (int c = 0; c < r->count; c++) {
        r->first[c + 1] = r->first[c] + (fill[c] > 4 ? fill[c] : 4);
        fill[c] = r->first[c];
    }
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++) {
            if (!(up->weight[v][i] > 0)) continue;
            int at = fill[up->index[v][i]]++;
            r->index[at] = v;
            r->weight[at] = up->weight[v][i];
        }
}

bool tt_restriction_fit(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const tt_transfer *up,
                        tt_restriction *restriction)
{
    tt_scope scratch;
    tt_transfer tet;
    tt_scope_open(&scratch, &scope->allocator);
    int *fill = TT_TAKE(&scratch, int, coarse->nvertices);
    bool ok = fill && take(scope, coarse->nvertices, 4 * (up->count + coarse->nvertices), restriction) &&
              tt_transfer_build(&scratch, fine, coarse, (tt_transfer_options){.extrapolate = true}, &tet);
    if (ok) list_riders(up, restriction, fill);
    for (int c = 0; ok && c < coarse->nvertices; c++) {
        int first = restriction->first[c], room = restriction->first[c + 1] - first;
        riders r = {.fine = fine, .at = vec_of(&coarse->x[3 * (size_t)c]), .count = fill[c] - first,
                    .index = restriction->index + first, .weight = restriction->weight + first};
        if (!fit(&r)) take_tet(&r, tet.index[c], tet.weight[c]);
        nearest_first(&r);
        for (int i = r.count; i < room; i++) r.index[i] = r.index[0], r.weight[i] = 0;
    }
    tt_scope_close(&scratch);
    return ok;
}
