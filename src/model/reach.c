/* How far apart two vertices of cloth can get, if every triangle between them obeys its material.
 *
 * If cloth cannot be stretched, two vertices are never farther apart than L, the length of the shortest way between
 * them along the mesh, however the cloth is folded. With limits, L is multiplied by the largest stretch that they
 * allow. A coarse triangle of such cloth may well be stretched in some direction. (Fold a triangle along its height:
 * two vertices meet, and the third is a leg away from them rather than a height.) So coarse levels that are not trained
 * have limits on their edges.
 *
 * How near can two vertices come? Cloth wrinkles, so its links may not push. A shell that can neither be squeezed nor
 * curl more sharply than K cannot bring two vertices together if the way between them is shorter than a circle of that
 * curvature, 2 pi / K. The nearest distance itself is of little use, because a step moves vertices much less than that.
 * Instead these links keep the length that they had when the substep began. So a push goes through the shell at once,
 * as through a rigid body, and the mesh itself decides where it bends.
 *
 * In cloth that is rigid along warp and weft but shears freely, a way of x along the warp and y along the weft may
 * become x + y long. With a shear stiffness of k the gain over sqrt(x^2 + y^2) is only (1-k) times as large. */
#include "model/reach.h"

#include "base/exact.h"
#include "mesh/frame.h"
#include "mesh/geodesic.h"
#include "model/curl.h"

#include <math.h>

static bool is_rigid(const taut_material *material, float stiffness)
{
    return material->units == TAUT_PHYSICAL ? isinf(stiffness) : stiffness == 1;
}

/* The largest stretch along an axis: the limit, or the rest stretch if the cloth is rigid. */
static double along_axis(const taut_material *material, int axis, float stiffness)
{
    double limit = (double)material->limit.axis[axis][1], rest = fmax(1, (double)material->strain.rest[axis]);
    return is_rigid(material, stiffness) ? fmin(limit, rest) : limit;
}

tt_reach tt_reach_of(const taut_material *material, bool lines)
{
    tt_reach reach = {
        .all = (double)material->limit.stretch[1],
        .x = along_axis(material, 0, material->strain.xx),
        .y = along_axis(material, 1, material->strain.yy),
        .curl = material->limit.stretch[0] > 0 ? tt_curl_most(material) : (double)INFINITY,
    };
    if (lines) /* no warp, no weft */
        reach = (tt_reach){(double)material->limit.edge[1], INFINITY, INFINITY, 0, INFINITY};
    if (is_rigid(material, material->edge)) reach.all = fmin(reach.all, 1);
    if (material->units == TAUT_RATIO) reach.shear = (double)material->strain.xy;
    else reach.shear = is_rigid(material, material->strain.xy) ? 1 : 0;
    return reach;
}

bool tt_reach_exists(const tt_reach *reach) { return isfinite(reach->all) || isfinite(reach->x) || isfinite(reach->y); }

double tt_reach_growth(const tt_reach *built, const tt_reach *now)
{
    const double was[3] = {built->all, built->x, built->y}, is[3] = {now->all, now->x, now->y};
    double growth = tt_reach_exists(built) ? 0 : (double)INFINITY;
    for (int i = 0; i < 3; i++)
        if (isfinite(was[i])) growth = fmax(growth, is[i] / was[i]);
    return now->shear < built->shear ? growth * sqrt(2) : growth; /* x + y is at most that much longer */
}

/* A link, and the lengths of its way along warp and weft. */
typedef struct way {
    tt_link link;
    int edge; /* or -1: over a hinge */
    double x, y;
} way;

static bool is_before(const way *a, const way *b)
{
    return a->link.b != b->link.b ? a->link.b < b->link.b : a->edge < b->edge;
}

/* Sorts the ways by their first vertex, and the few ways of one vertex by the second. `at` has an entry for each
 * vertex, `sorted` for each way. */
static void sort_ways(const way *ways, int n, int nvertices, int *at, way *sorted)
{
    for (int i = 0; i < n; i++) at[ways[i].link.a]++;
    for (int v = 0, sum = 0; v < nvertices; v++) {
        int count = at[v];
        at[v] = sum;
        sum += count;
    }
    for (int i = 0; i < n; i++) sorted[at[ways[i].link.a]++] = ways[i];
    for (int v = 0, first = 0; v < nvertices; first = at[v++])
        for (int i = first + 1; i < at[v]; i++) {
            way moved = sorted[i];
            int to = i;
            for (; to > first && is_before(&moved, &sorted[to - 1]); to--) sorted[to] = sorted[to - 1];
            sorted[to] = moved;
        }
}

static way way_between(int u, int v, int edge) { return (way){{u < v ? u : v, u < v ? v : u, 0, false}, edge, 0, 0}; }

/* The place of a vertex of triangle t in the frame of t. */
static void in_frame(const taut_mesh *mesh, int t, const double inverse[4], int vertex, double at[2])
{
    double det = inverse[0] * inverse[3] - inverse[1] * inverse[2];
    at[0] = at[1] = 0;
    if (vertex == mesh->tri[3 * (size_t)t + 1]) at[0] = inverse[3] / det, at[1] = -inverse[2] / det;
    if (vertex == mesh->tri[3 * (size_t)t + 2]) at[0] = -inverse[1] / det, at[1] = inverse[0] / det;
}

/* Continues a way along a side of a triangle. */
static void go_along(const taut_mesh *mesh, const float axis[3], int t, int from, int to, way *w)
{
    double inverse[4], area, start[2], end[2];
    if (!tt_triangle_frame(mesh, axis, t, inverse, &area)) return;
    in_frame(mesh, t, inverse, from, start);
    in_frame(mesh, t, inverse, to, end);
    w->x += end[0] - start[0];
    w->y += end[1] - start[1];
}

/* Lists all edges, and all pairs of vertices across an edge. With only one diagonal of each quadrangle the other one
 * could grow. */
static int find_ways(const taut_mesh *mesh, const tt_topology *topology, const float axis[3], way *ways)
{
    int n = topology->nedges;
    for (int e = 0; e < n; e++) ways[e] = way_between(topology->edge[e].a, topology->edge[e].b, e);
    for (int c = 0; c < 3 * mesh->ntris; c++) {
        int u = mesh->tri[c], v = mesh->tri[c % 3 == 2 ? c - 2 : c + 1];
        way *w = &ways[topology->side_edge[c]];
        if (w->x == 0 && w->y == 0) go_along(mesh, axis, c / 3, u, v, w);
    }
    for (int h = 0; h < topology->nhinges; h++) {
        const tt_hinge *hinge = &topology->hinge[h];
        ways[n] = way_between(hinge->p1, hinge->p2, -1);
        go_along(mesh, axis, hinge->tri1, hinge->p1, hinge->p3, &ways[n]);
        go_along(mesh, axis, hinge->tri2, hinge->p3, hinge->p2, &ways[n++]);
    }
    return n;
}

/* The largest length of a way that is L long at rest. */
static double longest(const tt_reach *reach, const way *w, double L)
{
    double x = fabs(w->x), y = fabs(w->y), chord = sqrt(x * x + y * y), sum;
    if (x <= 1e-6 * chord) {
        sum = reach->y * y;
    } else if (y <= 1e-6 * chord) {
        sum = reach->x * x;
    } else {
        x *= reach->x, y *= reach->y;
        sum = reach->shear * sqrt(x * x + y * y) + (1 - reach->shear) * (x + y);
    }
    if (!(chord > 0) || !isfinite(sum)) return reach->all * L;
    return fmin(reach->all * L, sum * fmax(1, L / chord));
}

bool tt_reach_links(tt_scope *scope, tt_pool *pool, const tt_reach *reach, const tt_metric *fine, const int *origin,
                    const float axis[3], tt_metric *coarse, int *nlinks, tt_link **links)
{
    size_t most = (size_t)coarse->topology.nedges + (size_t)coarse->topology.nhinges;
    way *found = TT_TAKE(scope, way, most), *ways = TT_TAKE(scope, way, most);
    int *at = TT_TAKE(scope, int, coarse->mesh->nvertices);
    int(*pair)[2] = (int(*)[2])TT_TAKE(scope, int, 2 * most);
    double *length = TT_TAKE(scope, double, most);
    *links = TT_TAKE(scope, tt_link, most);
    coarse->length = TT_TAKE(scope, double, coarse->topology.nedges);
    if (!found || !ways || !at || !pair || !length || !*links || !coarse->length) return false;
    int n = *nlinks = find_ways(coarse->mesh, &coarse->topology, axis, found);
    sort_ways(found, n, coarse->mesh->nvertices, at, ways);
    for (int i = 0; i < n; i++) pair[i][0] = origin[ways[i].link.a], pair[i][1] = origin[ways[i].link.b];
    if (!tt_geodesic_pairs(scope, pool, fine->mesh, &fine->topology, fine->length, n, (const int(*)[2])pair, length))
        return false;
    for (int i = 0; i < n; i++) {
        (*links)[i] = ways[i].link;
        (*links)[i].length = longest(reach, &ways[i], length[i]);
        (*links)[i].pushes = reach->curl * length[i] < 2 * TT_PI;
        if (ways[i].edge >= 0) coarse->length[ways[i].edge] = length[i];
    }
    return true;
}
