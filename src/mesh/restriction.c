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

/* The fine vertices that ride on each coarse one, with their weights, in scratch memory. */
typedef struct riders {
    const taut_mesh *fine, *coarse;
    int *first, *index; /* of vertex c: first[c] .. first[c + 1] - 1 */
    float *weight;
} riders;

/* The best linear field through the riders of a vertex: its value at x is the sum of w (1/W + (x_i - mean).A^-1 (x -
 * mean)) times theirs, with A their covariance. */
typedef struct field {
    vec3 mean, inverse[3]; /* inverse: rows of A^-1 */
    double total;          /* W; 0: the riders are too few, or all but in a plane */
} field;

static bool list_riders(tt_scope *scratch, const tt_transfer *up, riders *r)
{
    int count = r->coarse->nvertices;
    int *fill = TT_TAKE(scratch, int, count);
    r->first = TT_TAKE(scratch, int, (size_t)count + 1);
    r->index = TT_TAKE(scratch, int, 4 * (size_t)up->count);
    r->weight = TT_TAKE(scratch, float, 4 * (size_t)up->count);
    if (!fill || !r->first || !r->index || !r->weight) return false;
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++)
            if (up->weight[v][i] > 0) r->first[up->index[v][i] + 1]++;
    for (int c = 0; c < count; c++) r->first[c + 1] += r->first[c], fill[c] = r->first[c];
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++) {
            if (!(up->weight[v][i] > 0)) continue;
            int at = fill[up->index[v][i]]++;
            r->index[at] = v;
            r->weight[at] = up->weight[v][i];
        }
    return true;
}

/* Puts entry `at + i` first. */
static void lead_with(tt_restriction *to, int at, int i)
{
    int index = to->index[at];
    float weight = to->weight[at];
    to->index[at] = to->index[at + i], to->weight[at] = to->weight[at + i];
    to->index[at + i] = index, to->weight[at + i] = weight;
}

/* The riders of vertex c by their masses, or `origin` alone; returns how many. */
static int put_mean(const riders *r, const double *mass, int c, int origin, bool alone, tt_restriction *to, int at)
{
    int first = r->first[c], count = r->first[c + 1] - first, lead = 0;
    double total = 0;
    for (int i = 0; i < count; i++) total += (double)r->weight[first + i] * mass[r->index[first + i]];
    if (alone || !(total > 0)) {
        to->index[at] = origin, to->weight[at] = 1;
        return 1;
    }
    for (int i = 0; i < count; i++) {
        int v = r->index[first + i];
        to->index[at + i] = v;
        to->weight[at + i] = (float)((double)r->weight[first + i] * mass[v] / total);
        if (v == origin) lead = i;
    }
    lead_with(to, at, lead);
    return count;
}

bool tt_restriction_mean(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const tt_transfer *up,
                         const double *mass, const int *origin, tt_restriction *restriction)
{
    tt_scope scratch;
    riders r = {.fine = fine, .coarse = coarse};
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = list_riders(&scratch, up, &r) && take(scope, coarse->nvertices, r.first[coarse->nvertices], restriction);
    for (int c = 0; ok && c < coarse->nvertices; c++) {
        int at = restriction->first[c];
        bool pinned = coarse->pinned && coarse->pinned[c];
        restriction->first[c + 1] = at + put_mean(&r, mass, c, origin[c], pinned, restriction, at);
    }
    tt_scope_close(&scratch);
    return ok;
}

static vec3 place(const riders *r, int i) { return vec_of(&r->fine->x[3 * (size_t)r->index[i]]); }

static bool invert(const vec3 a[3], vec3 inverse[3])
{
    double trace = a[0].x + a[1].y + a[2].z, det = vec_dot(a[0], vec_cross(a[1], a[2]));
    if (!(det > 1e-4 * trace * trace * trace)) return false;
    inverse[0] = vec_scale(vec_cross(a[1], a[2]), 1 / det);
    inverse[1] = vec_scale(vec_cross(a[2], a[0]), 1 / det);
    inverse[2] = vec_scale(vec_cross(a[0], a[1]), 1 / det);
    return true;
}

static field fit(const riders *r, int c)
{
    field f = {.mean = {0, 0, 0}};
    vec3 a[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = r->first[c]; i < r->first[c + 1]; i++) {
        f.mean = vec_add(f.mean, vec_scale(place(r, i), (double)r->weight[i]));
        f.total += (double)r->weight[i];
    }
    if (!(f.total > 0)) return f;
    f.mean = vec_scale(f.mean, 1 / f.total);
    for (int i = r->first[c]; i < r->first[c + 1]; i++) {
        vec3 d = vec_sub(place(r, i), f.mean), e = vec_scale(d, (double)r->weight[i]);
        a[0] = vec_add(a[0], vec_scale(e, d.x));
        a[1] = vec_add(a[1], vec_scale(e, d.y));
        a[2] = vec_add(a[2], vec_scale(e, d.z));
    }
    if (!invert(a, f.inverse)) f.total = 0;
    return f;
}

/* Whose riders tell where each coarse vertex is: its own, or those of the vertex next to it that has the most; -1 where
 * there are none. */
static void find_hosts(const riders *r, const field *f, int *host)
{
    for (int c = 0; c < r->coarse->nvertices; c++) host[c] = f[c].total > 0 ? c : -1;
    for (int i = 0; i < 16 * r->coarse->ntets; i++) {
        const int *tet = &r->coarse->tet[4 * (size_t)(i / 16)];
        int c = tet[i / 4 % 4], other = tet[i % 4];
        if (f[c].total > 0 || !(f[other].total > 0)) continue;
        if (host[c] < 0 || f[other].total > f[host[c]].total) host[c] = other;
    }
}

/* The entries of coarse vertex c, from `at` on; returns how many. */
static int put_entries(const riders *r, const field *f, int host, int c, tt_restriction *to, int at)
{
    int first = r->first[host], count = r->first[host + 1] - first, nearest = 0;
    vec3 here = vec_of(&r->coarse->x[3 * (size_t)c]), away = vec_sub(here, f->mean);
    vec3 slope = {vec_dot(f->inverse[0], away), vec_dot(f->inverse[1], away), vec_dot(f->inverse[2], away)};
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        vec3 x = place(r, first + i);
        double along = vec_dot(vec_sub(x, f->mean), slope), distance = vec_length(vec_sub(x, here));
        to->index[at + i] = r->index[first + i];
        to->weight[at + i] = (float)((double)r->weight[first + i] * (1 / f->total + along));
        if (distance < least) least = distance, nearest = i;
    }
    lead_with(to, at, nearest);
    return count;
}

static int lead_of(const tt_transfer *nearest, int c)
{
    int most = 0;
    for (int i = 1; i < 4; i++)
        if (nearest->weight[c][i] > nearest->weight[c][most]) most = i;
    return most;
}

static int put_tet(const tt_transfer *nearest, int c, tt_restriction *to, int at)
{
    int most = lead_of(nearest, c);
    for (int i = 0; i < 4; i++) {
        int from = i == 0 ? most : i == most ? 0 : i;
        to->index[at + i] = nearest->index[c][from];
        to->weight[at + i] = nearest->weight[c][from];
    }
    return 4;
}

static bool fit_all(tt_scope *scope, tt_scope *scratch, const riders *r, tt_restriction *to)
{
    int count = r->coarse->nvertices, entries = 0;
    field *f = TT_TAKE(scratch, field, count);
    int *host = TT_TAKE(scratch, int, count);
    tt_transfer nearest;
    if (!f || !host) return false;
    for (int c = 0; c < count; c++) f[c] = fit(r, c);
    if (!tt_transfer_build(scratch, r->fine, r->coarse, (tt_transfer_options){.extrapolate = true}, &nearest))
        return false;
    find_hosts(r, f, host);
    for (int c = 0; c < count && r->fine->pinned; c++) /* what is pinned must not follow what is free */
        if (r->fine->pinned[nearest.index[c][lead_of(&nearest, c)]]) host[c] = -1;
    for (int c = 0; c < count; c++) entries += host[c] < 0 ? 4 : r->first[host[c] + 1] - r->first[host[c]];
    if (!take(scope, count, entries, to)) return false;
    for (int c = 0; c < count; c++) {
        int at = to->first[c];
        to->first[c + 1] =
            at + (host[c] < 0 ? put_tet(&nearest, c, to, at) : put_entries(r, &f[host[c]], host[c], c, to, at));
    }
    return true;
}

bool tt_restriction_fit(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const tt_transfer *up,
                        tt_restriction *restriction)
{
    tt_scope scratch;
    riders r = {.fine = fine, .coarse = coarse};
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = list_riders(&scratch, up, &r) && fit_all(scope, &scratch, &r, restriction);
    tt_scope_close(&scratch);
    return ok;
}
