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

/* ---- Means by mass ----------------------------------------------------------------------------------------------- */

/* The fine vertices that ride on each coarse one, with their weights, in scratch memory. */
typedef struct riders {
    const taut_mesh *fine, *coarse;
    int *first, *index; /* of vertex c: first[c] .. first[c + 1] - 1 */
    int *slot;          /* which of the four weights of the fine vertex it is */
    float *weight;
} riders;

static bool list_riders(tt_scope *scratch, const tt_transfer *up, riders *r)
{
    int count = r->coarse->nvertices;
    int *fill = TT_TAKE(scratch, int, count);
    r->first = TT_TAKE(scratch, int, (size_t)count + 1);
    r->index = TT_TAKE(scratch, int, 4 * (size_t)up->count);
    r->slot = TT_TAKE(scratch, int, 4 * (size_t)up->count);
    r->weight = TT_TAKE(scratch, float, 4 * (size_t)up->count);
    if (!fill || !r->first || !r->index || !r->slot || !r->weight) return false;
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++)
            if (up->weight[v][i] > 0) r->first[up->index[v][i] + 1]++;
    for (int c = 0; c < count; c++) r->first[c + 1] += r->first[c], fill[c] = r->first[c];
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++) {
            if (!(up->weight[v][i] > 0)) continue;
            int at = fill[up->index[v][i]]++;
            r->index[at] = v;
            r->slot[at] = i;
            r->weight[at] = up->weight[v][i];
        }
    return true;
}

/* Swaps entry `at + i` to the front. */
static void lead_with(tt_restriction *to, int at, int i)
{
    int index = to->index[at];
    float weight = to->weight[at];
    to->index[at] = to->index[at + i], to->weight[at] = to->weight[at + i];
    to->index[at + i] = index, to->weight[at + i] = weight;
}

/* Writes the row of vertex c: its riders, weighted by their masses, or `origin` alone. Returns how many entries. */
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

/* ---- Solids ------------------------------------------------------------------------------------------------------ */

/* How far a coarse vertex may be from the mean of its riders, in standard deviations. Farther away, extrapolation would
 * magnify the noise of the riders. */
static const double FARTHEST = 2;

/* Corrections of a coarse level are multiplied by this. make_adjoint chooses M_c on the safe side, which makes them too
 * small by about this factor. Up to twice their right size they add no energy. */
static const double OVER = 1.6;

/* The linear field that fits the values of the riders of a vertex best. Rider i counts with W_i, its mass times its
 * weight on the vertex. The value of the field at x is the sum of W_i (1/W + (x_i - mean).A^-1 (x - mean)) times the
 * value of rider i, where A is the covariance of the riders times W. */
typedef struct field {
    vec3 mean, inverse[3]; /* inverse: rows of A^-1; 0 if the riders are too few, or nearly in a plane */
    double total;          /* W */
} field;

static vec3 place(const riders *r, int i) { return vec_of(&r->fine->x[3 * (size_t)r->index[i]]); }

static double share(const riders *r, const double *mass, int i) { return (double)r->weight[i] * mass[r->index[i]]; }

static void invert(const vec3 a[3], vec3 inverse[3])
{
    double trace = a[0].x + a[1].y + a[2].z, det = vec_dot(a[0], vec_cross(a[1], a[2]));
    if (!(det > 1e-4 * trace * trace * trace)) return;
    inverse[0] = vec_scale(vec_cross(a[1], a[2]), 1 / det);
    inverse[1] = vec_scale(vec_cross(a[2], a[0]), 1 / det);
    inverse[2] = vec_scale(vec_cross(a[0], a[1]), 1 / det);
}

static field fit(const riders *r, const double *mass, int c)
{
    field f = {.mean = {0, 0, 0}};
    vec3 a[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = r->first[c]; i < r->first[c + 1]; i++) {
        f.mean = vec_add(f.mean, vec_scale(place(r, i), share(r, mass, i)));
        f.total += share(r, mass, i);
    }
    if (!(f.total > 0)) return f;
    f.mean = vec_scale(f.mean, 1 / f.total);
    for (int i = r->first[c]; i < r->first[c + 1]; i++) {
        vec3 d = vec_sub(place(r, i), f.mean), e = vec_scale(d, share(r, mass, i));
        a[0] = vec_add(a[0], vec_scale(e, d.x));
        a[1] = vec_add(a[1], vec_scale(e, d.y));
        a[2] = vec_add(a[2], vec_scale(e, d.z));
    }
    invert(a, f.inverse);
    return f;
}

/* Turns the weights of the riders of c into those of the field at c, or as near to it as FARTHEST allows. */
static void weigh_riders(const riders *r, const double *mass, int c)
{
    field f = fit(r, mass, c);
    vec3 away = vec_sub(vec_of(&r->coarse->x[3 * (size_t)c]), f.mean);
    vec3 slope = {vec_dot(f.inverse[0], away), vec_dot(f.inverse[1], away), vec_dot(f.inverse[2], away)};
    double square = f.total * vec_dot(slope, away);
    if (square > FARTHEST * FARTHEST) slope = vec_scale(slope, FARTHEST / sqrt(square));
    for (int i = r->first[c]; i < r->first[c + 1]; i++) {
        double along = vec_dot(vec_sub(place(r, i), f.mean), slope);
        r->weight[i] = f.total > 0 ? (float)(share(r, mass, i) * (1 / f.total + along)) : 0;
    }
}

static int put_riders(const riders *r, int c, tt_restriction *to, int at)
{
    int first = r->first[c], count = r->first[c + 1] - first, nearest = 0;
    vec3 here = vec_of(&r->coarse->x[3 * (size_t)c]);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double distance = vec_length(vec_sub(place(r, first + i), here));
        to->index[at + i] = r->index[first + i];
        to->weight[at + i] = r->weight[first + i];
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

/* Writes the row of a pinned vertex: the corners of the nearest tet, because it must not follow riders that are
 * free. */
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

/* The sum of the row of vertex c in |R M^-1 R^T|. down[4 v + i] is the entry of R for fine vertex v and coarse vertex
 * up->index[v][i]. `sum` is all 0 before and after. */
static double row_sum(const riders *r, const double *mass, const float *down, const tt_transfer *up, int c, double *sum)
{
    double all = 0;
    for (int i = r->first[c]; i < r->first[c + 1]; i++)
        for (int k = 0, v = r->index[i]; k < 4 && mass[v] > 0; k++)
            sum[up->index[v][k]] += (double)r->weight[i] * (double)down[4 * (size_t)v + (size_t)k] / mass[v];
    for (int i = r->first[c]; i < r->first[c + 1]; i++)
        for (int k = 0; k < 4; k++) {
            double *other = &sum[up->index[r->index[i]][k]];
            all += fabs(*other);
            *other = 0;
        }
    return all;
}

/* Makes `up` M^-1 R^T M_c, with M_c such that no row of R M^-1 R^T M_c has a sum above 1, so that a correction never
 * goes too far. Vertices without riders get a mass of 0. */
static bool make_adjoint(tt_scope *scratch, const riders *r, const double *mass, const unsigned char *pinned,
                         tt_transfer *up, double *coarse_mass)
{
    int count = r->coarse->nvertices;
    float *down = TT_TAKE(scratch, float, 4 * (size_t)up->count);
    double *sum = TT_TAKE(scratch, double, count);
    if (!down || !sum) return false;
    for (int c = 0; c < count; c++)
        for (int i = r->first[c]; i < r->first[c + 1] && !pinned[c]; i++)
            down[4 * (size_t)r->index[i] + (size_t)r->slot[i]] = r->weight[i];
    for (int c = 0; c < count; c++) {
        double row = pinned[c] ? 0 : row_sum(r, mass, down, up, c, sum);
        for (int i = r->first[c]; i < r->first[c + 1] && pinned[c]; i++) coarse_mass[c] += share(r, mass, i);
        if (row > 0) coarse_mass[c] = 1 / row;
        for (int i = r->first[c]; i < r->first[c + 1] && !pinned[c]; i++) {
            double m = mass[r->index[i]] * row;
            up->weight[r->index[i]][r->slot[i]] = m > 0 ? (float)(OVER * (double)r->weight[i] / m) : 0;
        }
    }
    return true;
}

static bool fit_all(tt_scope *scope, tt_scope *scratch, const riders *r, const double *mass, tt_transfer *up,
                    double *coarse_mass, tt_restriction *to)
{
    int count = r->coarse->nvertices, entries = 0;
    unsigned char *pinned = TT_TAKE(scratch, unsigned char, count);
    tt_transfer nearest;
    tt_transfer_options beyond = {.extrapolate = true};
    if (!pinned || !tt_transfer_build(scratch, r->fine, r->coarse, beyond, &nearest))
        return false;
    for (int c = 0; c < count; c++) {
        pinned[c] = r->fine->pinned && r->fine->pinned[nearest.index[c][lead_of(&nearest, c)]];
        entries += pinned[c] ? 4 : r->first[c + 1] - r->first[c];
    }
    if (!take(scope, count, entries, to)) return false;
    for (int c = 0; c < count; c++) {
        int at = to->first[c];
        if (!pinned[c]) weigh_riders(r, mass, c);
        to->first[c + 1] = at + (pinned[c] ? put_tet(&nearest, c, to, at) : put_riders(r, c, to, at));
    }
    return make_adjoint(scratch, r, mass, pinned, up, coarse_mass);
}

bool tt_restriction_fit(tt_scope *scope, const taut_mesh *fine, const taut_mesh *coarse, const double *mass,
                        tt_transfer *up, double *coarse_mass, tt_restriction *restriction)
{
    tt_scope scratch;
    riders r = {.fine = fine, .coarse = coarse};
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = list_riders(&scratch, up, &r) && fit_all(scope, &scratch, &r, mass, up, coarse_mass, restriction);
    tt_scope_close(&scratch);
    return ok;
}
