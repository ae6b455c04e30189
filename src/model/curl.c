/* How far a coarse hinge can fold, if the angle of every hinge of the fine mesh is at most kappa times the sum of its
 * heights.
 *
 * First, how sharply can the mesh curl? A straight line across the mesh is turned by each hinge that it crosses, about
 * the edge of that hinge. Parallel lines meet an edge e in proportion to the width of e across them. So their mean turn
 * per length is
 *
 *     1/A sum over edges of |e| |cos| kappa (d1 + d2) |cos|  =  2 kappa mean over triangles of (sum of cos^2)
 *
 * with the angles between edges and the axis of the turn. If triangles point in all directions alike, the sum is 3/2 in
 * the mean, so the curvature K is at most 3 kappa.
 *
 * Second, how far can a coarse hinge fold then? Two triangles have an edge of length L along x and their tips at (s1,
 * d1) and (s2, -d2). If their corners lie on the surface z = 1/2 k : x x^T, their angle is
 *
 *     theta = 1/2 (kyy (d1 + d2) + kxx (s1 (s1 - L)/d1 + s2 (s2 - L)/d2) + 2 kxy (s1 - s2))  =  1/2 k : S
 *
 * Over all k whose principal curvatures are within K, the angle is at most K/2 times the sum of the singular values of
 * S. The argument does not hold for very small folds, which a few hinges of the fine mesh could make by themselves, nor
 * for very large ones, which go nearly round. Hinges with such bounds are free. */
#include "model/curl.h"

#include "base/vec.h"

/* A margin on the bound, because on irregular meshes a search for extremes, as in training, gets beyond the bound. */
static const double MARGIN = 1.5;
static const double CURVATURE = 3;  /* K over kappa                                               */
static const double MOST_ANGLE = 2; /* rad: larger bounds leave a hinge free, as in training      */
static const double HINGES = 3;     /* bounds below the folds of so many fine hinges leave it free */

bool tt_curl_exists(const taut_material *material)
{
    const float *bend = material->limit.bend;
    return isfinite(bend[0]) && isfinite(bend[1]) && bend[0] < 0 && bend[1] > 0;
}

double tt_curl_most(const taut_material *material)
{
    const float *bend = material->limit.bend;
    return tt_curl_exists(material) ? CURVATURE * fmax(-(double)bend[0], (double)bend[1]) : INFINITY;
}

/* ---- One hinge ---- */

/* The hinge laid flat: the sum of its heights, and of the singular values of S. */
typedef struct span {
    double heights, singular;
} span;

static span span_of(const taut_mesh *mesh, const tt_hinge *hinge)
{
    vec3 start = vec_of(&mesh->x[3 * (size_t)hinge->p3]), end = vec_of(&mesh->x[3 * (size_t)hinge->p4]);
    vec3 edge = vec_sub(end, start);
    double length = vec_length(edge), heights = 0, along = 0, askew = 0;
    const int tip[2] = {hinge->p1, hinge->p2};
    for (int i = 0; i < 2; i++) {
        vec3 arm = vec_sub(vec_of(&mesh->x[3 * (size_t)tip[i]]), start);
        double d = vec_length(vec_cross(arm, edge)) / length, s = vec_dot(arm, edge) / length;
        heights += d;
        along += s * (s - length) / d;
        askew += i ? -s : s;
    }
    double det = heights * along - askew * askew, trace = heights + along, apart = heights - along;
    return (span){heights, det > 0 ? fabs(trace) : sqrt(apart * apart + 4 * askew * askew)};
}

/* rad: how far the hinge may fold; INFINITY: it is free. `hinge` is the largest sum of heights of fine hinges
 * nearby. */
static double farthest_fold(span s, double kappa, double hinge)
{
    double bound = MARGIN * CURVATURE * kappa * s.singular / 2;
    bool sound = bound <= MOST_ANGLE && bound > HINGES * kappa * hinge;
    return sound ? bound : INFINITY; /* a hinge without area is not sound, because its bound is NaN */
}

void tt_put_bend_factors(const taut_mesh *mesh, const tt_hinge *hinge, float low, float high, float *factor)
{
    const int side[2][2] = {{hinge->tri1, hinge->p1}, {hinge->tri2, hinge->p2}};
    for (int i = 0; i < 2; i++)
        for (size_t c = 0; c < 3; c++) {
            size_t corner = 3 * (size_t)side[i][0] + c;
            if (mesh->tri[corner] != side[i][1]) continue;
            factor[2 * corner] = low;
            factor[2 * corner + 1] = high;
        }
}

/* ---- All of them ---- */

/* Triangles of scale 0 have no limits. Only the limits of their neighbours hold their sides. */
static bool is_limited(const taut_mesh *mesh, const tt_hinge *hinge)
{
    return !mesh->tri_scale || mesh->tri_scale[hinge->tri1] > 0 || mesh->tri_scale[hinge->tri2] > 0;
}

/* For each vertex: the sum of the heights of its largest hinge. */
static double *largest_hinges(tt_scope *scope, const taut_mesh *mesh)
{
    tt_topology topology;
    double *largest = TT_TAKE(scope, double, mesh->nvertices);
    if (!largest || !tt_topology_build(scope, mesh, &topology)) return NULL;
    for (int h = 0; h < topology.nhinges; h++) {
        const tt_hinge *hinge = &topology.hinge[h];
        const int v[4] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        double heights = is_limited(mesh, hinge) ? span_of(mesh, hinge).heights : INFINITY;
        for (int k = 0; k < 4; k++) largest[v[k]] = fmax(largest[v[k]], heights);
    }
    return largest;
}

/* The same for a coarser level: the largest over all fine vertices that ride on the coarse one. */
static double *largest_below(tt_scope *scope, const tt_coarse_mesh *level, const double *fine)
{
    double *largest = TT_TAKE(scope, double, level->mesh.nvertices);
    for (int v = 0; largest && v < level->up.count; v++)
        for (int i = 0; i < 4; i++) {
            int to = level->up.index[v][i];
            if (level->up.weight[v][i] > 0) largest[to] = fmax(largest[to], fine[v]);
        }
    return largest;
}

static float *level_factors(tt_scope *scope, const tt_coarse_mesh *level, const taut_limit *limit,
                            const double *largest)
{
    const tt_topology *topology = &level->metric.topology;
    double low = -(double)limit->bend[0], high = (double)limit->bend[1], kappa = fmax(low, high);
    float *factor = TT_TAKE(scope, float, 6 * (size_t)level->mesh.ntris);
    for (size_t i = 0; factor && i < 6 * (size_t)level->mesh.ntris; i++) factor[i] = INFINITY;
    for (int h = 0; factor && h < topology->nhinges; h++) {
        const tt_hinge *hinge = &topology->hinge[h];
        double size = fmax(fmax(largest[hinge->p1], largest[hinge->p2]), fmax(largest[hinge->p3], largest[hinge->p4]));
        span s = span_of(&level->mesh, hinge);
        double fold = farthest_fold(s, kappa, size) / s.heights;
        tt_put_bend_factors(&level->mesh, hinge, (float)(fold / low), (float)(fold / high), factor);
    }
    return factor;
}

bool tt_curl_factors(tt_scope *scope, const taut_mesh *mesh, const taut_limit *limit, const tt_hierarchy *hierarchy,
                     float **factor)
{
    double *largest = largest_hinges(scope, mesh);
    for (int i = 0; largest && i < hierarchy->count; i++) {
        const tt_coarse_mesh *level = &hierarchy->level[i];
        largest = largest_below(scope, level, largest);
        if (!largest) return false;
        factor[i] = level_factors(scope, level, limit, largest);
        if (!factor[i]) return false;
    }
    return largest != NULL;
}
