/* Coarsening is a loop: the cheapest vertex collapses to a neighbour, then flips improve the triangles around it.
 *
 * What it costs to move all triangles of v to its neighbour u:
 *
 *     |uv|^2 * max |ux|^2 over the neighbours x of v      short edges go first, and long ones are not made
 *   + SHAPE * Q_v(u)                                      area times squared distance from the planes that v stands for
 *
 * Both terms are fourth powers of lengths. The second one (Garland and Heckbert 1997) is zero on flat parts. */
#include "mesh/coarsen.h"

#include "mesh/coarsen_fill.h"
#include "mesh/flip.h"
#include "mesh/quadric.h"
#include "mesh/queue.h"

#include <string.h>

enum {
    MOST_RING = 64,  /* a vertex with that many triangles stays */
    MOST_FLIPS = 256 /* edges waiting to be looked at */
};

static const double SHAPE = 64;
/* A triangle may turn by no more than 78 degrees in one collapse. It may get no thinner than THINNEST (height over
 * longest side). If a triangle there was thin before, it may get half as thick as that one. */
static const double LEAST_COSINE = 0.2, THINNEST = 0.1;
/* A boundary that turns by more than 40 degrees has a corner. */
static const double CORNER_COSINE = 0.75;

enum { INNER, BOUNDARY, FIXED };

typedef struct coarsener {
    tt_scope *scratch;
    tt_editable e;
    const unsigned char *keep;
    unsigned char *role;   /* INNER, BOUNDARY or FIXED */
    unsigned char *queued; /* is in the queue          */
    tt_quadric *shape;
    int *went;        /* the vertex that it collapsed to, or itself */
    int *mark, stamp; /* of vertices looked at last */
    tt_queue queue;
} coarsener;

/* The neighbours of a vertex in order around it. Around an open one, the first and the last are on the boundary. */
typedef struct ring {
    int count, ntris;
    int vertex[MOST_RING];
} ring;

static bool is_open(const ring *r) { return r->count > r->ntris; }

/* ---- Planes ------------------------------------------------------------------------------------------------------ */

/* Each vertex stands for a third of its triangles. A vertex on the boundary also stands for upright planes along it. */
static void set_planes(coarsener *c)
{
    tt_editable *e = &c->e;
    for (int corner = 0; corner < 3 * e->ntris; corner += 3) {
        const int v[3] = {e->corner[corner].vertex, e->corner[corner + 1].vertex, e->corner[corner + 2].vertex};
        vec3 p = e->at[v[0]], normal = vec_cross(vec_sub(e->at[v[1]], p), vec_sub(e->at[v[2]], p));
        double area2 = vec_length(normal);
        if (!(area2 > 0)) continue;
        normal = vec_scale(normal, 1 / area2);
        for (int i = 0; i < 3; i++) {
            int a = v[i], b = v[(i + 1) % 3], side[2];
            tt_quadric_add_plane(&c->shape[a], normal, p, area2 / 6);
            if (c->role[a] == INNER || c->role[b] == INNER || tt_editable_sides(e, a, b, side) != 1) continue;
            vec3 edge = vec_sub(e->at[b], e->at[a]), rising = vec_cross(edge, normal);
            double length = vec_length(rising);
            if (!(length > 0)) continue;
            rising = vec_scale(rising, 1 / length);
            tt_quadric_add_plane(&c->shape[a], rising, e->at[a], length * length / 2);
            tt_quadric_add_plane(&c->shape[b], rising, e->at[a], length * length / 2);
        }
    }
}

/* ---- Which vertices may go --------------------------------------------------------------------------------------- */

static int find(const int *number, int count, int wanted)
{
    int i = 0;
    while (i < count && number[i] != wanted) i++;
    return i;
}

/* Walks around v from one triangle to the next. False when its triangles are too many, or do not make one fan in which
 * all run the same way round. */
static bool walk_ring(const tt_editable *e, int v, ring *r)
{
    int after[MOST_RING], before[MOST_RING], count = 0, start = 0;
    for (int corner = e->first[v]; corner >= 0; corner = e->corner[corner].next, count++) {
        if (count == MOST_RING - 1) return false; /* an open fan has one more neighbour than triangles */
        after[count] = tt_after(e, corner);
        before[count] = tt_before(e, corner);
        if (find(after, count, after[count]) < count || find(before, count, before[count]) < count) return false;
    }
    if (count == 0) return false;
    for (int i = 0; i < count; i++)
        if (find(before, count, after[i]) == count) start = i;
    r->count = 0;
    r->ntris = count;
    for (int i = start;;) {
        r->vertex[r->count++] = after[i];
        int next = find(after, count, before[i]);
        if (next == count) r->vertex[r->count++] = before[i];
        if (next == count || next == start) break;
        i = next;
    }
    return r->count >= count; /* else there is a second fan */
}

static bool is_corner(const tt_editable *e, int v, const ring *r)
{
    vec3 in = vec_sub(e->at[v], e->at[r->vertex[0]]), out = vec_sub(e->at[r->vertex[r->count - 1]], e->at[v]);
    return vec_dot(in, out) < CORNER_COSINE * sqrt(vec_dot(in, in) * vec_dot(out, out));
}

static void set_roles(coarsener *c)
{
    for (int v = 0; v < c->e.nvertices; v++) {
        ring r;
        if (!walk_ring(&c->e, v, &r)) c->role[v] = FIXED;
        else if (!is_open(&r)) c->role[v] = INNER;
        else c->role[v] = is_corner(&c->e, v, &r) ? FIXED : BOUNDARY;
    }
}

/* ---- May v go to u? ---------------------------------------------------------------------------------------------- */

/* The topology does not change if u and v have no common neighbours except the apexes of their triangles, and if there
 * are more triangles than these (Dey et al. 1999). */
static bool keeps_topology(coarsener *c, const ring *r, int v, int u)
{
    const tt_editable *e = &c->e;
    int place = find(r->vertex, r->count, u), apex[2] = {-1, -1}, napexes = 0, common = 0;
    int fresh = ++c->stamp, seen = ++c->stamp;
    if (place > 0 || !is_open(r)) apex[napexes++] = r->vertex[(place + r->count - 1) % r->count];
    if (place + 1 < r->count || !is_open(r)) apex[napexes++] = r->vertex[(place + 1) % r->count];
    for (int i = 0; i < r->count; i++) c->mark[r->vertex[i]] = fresh;
    for (int corner = e->first[u]; corner >= 0; corner = e->corner[corner].next) {
        const int x[2] = {tt_after(e, corner), tt_before(e, corner)};
        for (int i = 0; i < 2; i++) {
            if (c->mark[x[i]] != fresh) continue;
            c->mark[x[i]] = seen;
            common++;
        }
        bool over = (x[0] == apex[0] && x[1] == apex[napexes - 1]) || (x[1] == apex[0] && x[0] == apex[napexes - 1]);
        if (over && x[0] != v && x[1] != v && napexes == 2 && r->count == 3) return false; /* a tetrahedron */
    }
    int side[2];
    if (r->ntris == 1 && tt_editable_sides(e, u, apex[0], side) == 1) return false; /* a triangle of its own */
    return common == napexes && (napexes < 2 || apex[0] != apex[1]);
}

static vec3 normal_of(vec3 a, vec3 b, vec3 c) { return vec_cross(vec_sub(b, a), vec_sub(c, a)); }

/* The square of the longest side. */
static double longest_side(vec3 a, vec3 b, vec3 c)
{
    vec3 ab = vec_sub(b, a), ac = vec_sub(c, a), bc = vec_sub(c, b);
    double c2 = vec_dot(ab, ab), b2 = vec_dot(ac, ac), a2 = vec_dot(bc, bc), most = c2 > b2 ? c2 : b2;
    return a2 > most ? a2 : most;
}

/* The sum of the normals around v. */
static vec3 normal_at(const tt_editable *e, int v)
{
    vec3 sum = {0, 0, 0};
    for (int corner = e->first[v]; corner >= 0; corner = e->corner[corner].next)
        sum = vec_add(sum, normal_of(e->at[v], e->at[tt_after(e, corner)], e->at[tt_before(e, corner)]));
    return sum;
}

/* The square of: the height over the longest side, divided by that side. 0 for a line or a point. */
static double fullness(vec3 normal, double longest2)
{
    return longest2 > 0 ? vec_dot(normal, normal) / (longest2 * longest2) : 0;
}

/* The fullness of the thinnest triangle at v. */
static double least_fullness(const tt_editable *e, int v)
{
    double least = INFINITY;
    for (int corner = e->first[v]; corner >= 0; corner = e->corner[corner].next) {
        vec3 p = e->at[v], a = e->at[tt_after(e, corner)], b = e->at[tt_before(e, corner)];
        double full = fullness(normal_of(p, a, b), longest_side(p, a, b));
        if (full < least) least = full;
    }
    return least;
}

/* Whether no triangle turns over or gets too thin. A triangle without area has no normal: it gets that of the others
 * around v. */
static bool keeps_facing(const tt_editable *e, int v, int u)
{
    vec3 from = e->at[v], to = e->at[u];
    for (int corner = e->first[v]; corner >= 0; corner = e->corner[corner].next) {
        if (tt_after(e, corner) == u || tt_before(e, corner) == u) continue;
        vec3 a = e->at[tt_after(e, corner)], b = e->at[tt_before(e, corner)];
        vec3 before = normal_of(from, a, b), after = normal_of(to, a, b);
        double full = fullness(after, longest_side(to, a, b));
        if (!(full > THINNEST * THINNEST || full > 0.25 * least_fullness(e, v))) return false;
        if (!(fullness(before, longest_side(from, a, b)) > 1e-10)) before = normal_at(e, v);
        double along = vec_dot(before, after), bb = vec_dot(before, before), aa = vec_dot(after, after);
        if (bb > 0 && !(along > 0 && along * along > LEAST_COSINE * LEAST_COSINE * bb * aa)) return false;
    }
    return true;
}

/* ---- Costs ------------------------------------------------------------------------------------------------------- */

/* The cost of moving v to the i-th of its neighbours. */
static double cost_of(const coarsener *c, const ring *r, const vec3 *at, int v, int i)
{
    int u = r->vertex[i];
    if (is_open(r) && i > 0 && i + 1 < r->count) return INFINITY; /* the boundary stays a boundary */
    if (c->keep && c->keep[v] && !c->keep[u]) return INFINITY;
    double longest = 0;
    for (int j = 0; j < r->count; j++) {
        vec3 edge = vec_sub(at[j], at[i]);
        double square = vec_dot(edge, edge);
        if (square > longest) longest = square;
    }
    vec3 edge = vec_sub(c->e.at[v], at[i]);
    return vec_dot(edge, edge) * longest + SHAPE * tt_quadric_at(&c->shape[v], at[i]);
}

/* The neighbour to which v collapses at the least cost; -1 when it cannot collapse. */
static int best_neighbour(coarsener *c, int v, double *least)
{
    ring r;
    if (c->role[v] == FIXED || !walk_ring(&c->e, v, &r)) return -1;
    vec3 at[MOST_RING];
    double cost[MOST_RING];
    for (int i = 0; i < r.count; i++) at[i] = c->e.at[r.vertex[i]];
    for (int i = 0; i < r.count; i++) cost[i] = cost_of(c, &r, at, v, i);
    for (;;) {
        int best = -1;
        for (int i = 0; i < r.count; i++) {
            if (cost[i] == INFINITY) continue;
            if (best < 0 || cost[i] < cost[best] || (cost[i] == cost[best] && r.vertex[i] < r.vertex[best])) best = i;
        }
        if (best < 0) return -1;
        int u = r.vertex[best];
        if (keeps_topology(c, &r, v, u) && keeps_facing(&c->e, v, u)) {
            *least = cost[best];
            return u;
        }
        cost[best] = INFINITY;
    }
}

/* ---- The loop ---------------------------------------------------------------------------------------------------- */

/* Costs that differ by less than a fifth count as equal. Among vertices of equal cost the lowest number goes first,
 * because its data is likely to be near that of the vertex before. */
static double rounded(double cost)
{
    uint64_t bits;
    memcpy(&bits, &cost, sizeof bits);
    bits &= ~(UINT64_MAX >> 14); /* sign, exponent and two bits */
    memcpy(&cost, &bits, sizeof bits);
    return cost;
}

/* A change next to v may allow v to collapse, so v is put in the queue again. Vertices in the queue are looked at in
 * their turn anyway. */
static bool touch(coarsener *c, int v, double cost)
{
    if (c->queued[v] || c->role[v] == FIXED) return true;
    c->queued[v] = 1;
    return tt_queue_push(c->scratch, &c->queue, rounded(cost), v);
}

static bool flip_from(coarsener *c, int (*edge)[2], int count)
{
    while (count > 0) {
        int a = edge[--count][0], b = edge[count][1], apex[2];
        if (!tt_flip(&c->e, a, b, apex)) continue;
        if (!touch(c, a, 0) || !touch(c, b, 0) || !touch(c, apex[0], 0) || !touch(c, apex[1], 0)) return false;
        for (int i = 0; i < 4 && count < MOST_FLIPS; i++, count++) {
            edge[count][0] = i < 2 ? a : b;
            edge[count][1] = apex[i % 2];
        }
    }
    return true;
}

/* Flips edges around the first `count` triangles of u where that helps. */
static bool flip_around(coarsener *c, int u, int count)
{
    int edge[MOST_FLIPS][2], n = 0;
    for (int corner = c->e.first[u]; count > 0 && n + 3 <= MOST_FLIPS; corner = c->e.corner[corner].next, count--) {
        int a = tt_after(&c->e, corner), b = tt_before(&c->e, corner);
        if (!touch(c, a, 0) || !touch(c, b, 0)) return false;
        const int around[3][2] = {{u, a}, {a, b}, {u, b}};
        memcpy(edge + n, around, sizeof around);
        n += 3;
    }
    return touch(c, u, 0) && flip_from(c, edge, n);
}

static bool flip_all(coarsener *c)
{
    for (int corner = 0; corner < 3 * c->e.ntris; corner++) {
        int edge[MOST_FLIPS][2];
        if (c->e.corner[corner].vertex < 0) continue;
        edge[0][0] = c->e.corner[corner].vertex;
        edge[0][1] = tt_after(&c->e, corner);
        if (!flip_from(c, edge, 1)) return false;
    }
    return true;
}

static bool collapse(coarsener *c, int target)
{
    int alive = 0;
    for (int v = 0; v < c->e.nvertices; v++) {
        double cost;
        alive += c->e.ncorners[v] > 0;
        if (best_neighbour(c, v, &cost) >= 0 && !touch(c, v, cost)) return false;
    }
    while (alive > target && c->queue.count > 0) {
        tt_queued top = tt_queue_pop(&c->queue);
        int v = top.item;
        double cost;
        c->queued[v] = 0;
        int u = c->e.ncorners[v] > 0 ? best_neighbour(c, v, &cost) : -1;
        if (u < 0) continue;
        if (rounded(cost) > top.key) {
            if (!touch(c, v, cost)) return false;
            continue;
        }
        tt_quadric_add(&c->shape[u], &c->shape[v]);
        c->went[v] = u;
        int moved = tt_editable_collapse(&c->e, v, u);
        alive--;
        if (!flip_around(c, u, moved)) return false;
    }
    return flip_all(c);
}

bool tt_coarsen(tt_scope *scope, const taut_mesh *fine, const float axis[3], int target, const unsigned char *keep,
                taut_mesh *coarse, int **origin)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    coarsener c = {.scratch = &scratch, .keep = keep};
    c.role = TT_TAKE(&scratch, unsigned char, fine->nvertices);
    c.queued = TT_TAKE(&scratch, unsigned char, fine->nvertices);
    c.shape = TT_TAKE(&scratch, tt_quadric, fine->nvertices);
    c.went = TT_TAKE(&scratch, int, fine->nvertices);
    c.mark = TT_TAKE(&scratch, int, fine->nvertices);
    bool ok = c.role && c.queued && c.shape && c.went && c.mark && tt_editable_build(&scratch, fine, &c.e);
    if (ok) {
        for (int v = 0; v < fine->nvertices; v++) c.went[v] = v;
        set_roles(&c);
        set_planes(&c);
        ok = collapse(&c, target) && tt_coarsen_fill(scope, &scratch, fine, axis, &c.e, c.went, coarse, origin);
    }
    tt_scope_close(&scratch);
    return ok;
}
