#include "mesh/coarsen_fill.h"

#include "mesh/bvh.h"
#include "mesh/frame.h"

#include <string.h>

bool tt_coarsen_vertices(tt_scope *scope, const taut_mesh *fine, int *number, taut_mesh *coarse, int **origin)
{
    for (int v = 0; v < fine->nvertices; v++) number[v] = number[v] ? coarse->nvertices++ : -1;
    coarse->x = TT_TAKE(scope, float, 3 * (size_t)coarse->nvertices);
    *origin = TT_TAKE(scope, int, coarse->nvertices);
    if (fine->pinned) coarse->pinned = TT_TAKE(scope, unsigned char, coarse->nvertices);
    if (!coarse->x || !*origin || (fine->pinned && !coarse->pinned)) return false;
    for (int v = 0; v < fine->nvertices; v++) {
        int to = number[v];
        if (to < 0) continue;
        memcpy(coarse->x + 3 * (size_t)to, fine->x + 3 * (size_t)v, 3 * sizeof(float));
        (*origin)[to] = v;
        if (fine->pinned) coarse->pinned[to] = fine->pinned[v];
    }
    return true;
}

static bool fill_triangles(tt_scope *scope, const tt_editable *left, const int *number, taut_mesh *coarse)
{
    for (int t = 0; t < left->ntris; t++) coarse->ntris += left->corner[3 * t].vertex >= 0;
    coarse->tri = TT_TAKE(scope, int, 3 * (size_t)coarse->ntris);
    if (!coarse->tri) return false;
    int *to = coarse->tri;
    for (int corner = 0; corner < 3 * left->ntris; corner++)
        if (left->corner[corner].vertex >= 0) *to++ = number[left->corner[corner].vertex];
    return true;
}

/* ---- Directions and scales -------------------------------------------------------------------------------------- */

/* Means over the fine triangles near a coarse one, weighted by area. */
typedef struct mean {
    vec3 warp;
    double area, scale;
} mean;

static void corners_of(const taut_mesh *mesh, int t, vec3 corner[3])
{
    for (int i = 0; i < 3; i++) corner[i] = vec_of(mesh->x + 3 * (size_t)mesh->tri[3 * (size_t)t + (size_t)i]);
}

/* Adds fine triangle t. */
static void add(mean *m, const taut_mesh *fine, const float axis[3], int t)
{
    vec3 corner[3];
    bool flip;
    corners_of(fine, t, corner);
    vec3 e1 = vec_sub(corner[1], corner[0]), e2 = vec_sub(corner[2], corner[0]);
    double area = vec_length(vec_cross(e1, e2));
    if (!(area > 0)) return;
    vec3 warp = tt_warp(fine, axis, t, e1, e2, &flip);
    m->warp = vec_add(m->warp, vec_scale(warp, area / vec_length(warp)));
    m->area += area;
    m->scale += area * (fine->tri_scale ? (double)fine->tri_scale[t] : 1);
}

static int end_of(int *went, int v)
{
    while (went[v] != v) {
        went[v] = went[went[v]]; /* shorter for the next one */
        v = went[v];
    }
    return v;
}

/* The coarse triangle that stands for fine triangle t: the one nearest to the centre of t, among the triangles at the
 * vertex to which the first corner of t collapsed. -1 when there is none. */
static int stands_for(const taut_mesh *fine, const tt_editable *left, int *went, int t)
{
    const int *v = fine->tri + 3 * (size_t)t;
    vec3 centre = vec_scale(vec_add(left->at[v[0]], vec_add(left->at[v[1]], left->at[v[2]])), 1.0 / 3);
    int end = end_of(went, v[0]), found = -1;
    double nearest = INFINITY, weight[3];
    for (int corner = left->first[end]; corner >= 0; corner = left->corner[corner].next) {
        vec3 after = left->at[tt_after(left, corner)], before = left->at[tt_before(left, corner)];
        vec3 away = vec_sub(centre, tt_closest_on_triangle(centre, left->at[end], after, before, weight));
        double distance = vec_dot(away, away);
        if (distance >= nearest) continue;
        nearest = distance;
        found = corner / 3;
        if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0) break; /* the centre is over this triangle */
    }
    return found;
}

/* The mean over the triangles around triangle t. */
static mean mean_around(const tt_editable *left, const int *number, const mean *m, int t)
{
    mean sum = {0};
    for (int i = 0; i < 3; i++) {
        int v = left->corner[3 * t + i].vertex;
        for (int corner = left->first[v]; corner >= 0; corner = left->corner[corner].next) {
            const mean *other = &m[number[corner / 3]];
            sum.warp = vec_add(sum.warp, other->warp);
            sum.area += other->area;
            sum.scale += other->scale;
        }
    }
    return sum;
}

static bool find_means(tt_scope *scratch, const taut_mesh *fine, const float axis[3], const tt_editable *left,
                       int *went, mean *m)
{
    int *number = TT_TAKE(scratch, int, left->ntris);
    if (!number) return false;
    for (int t = 0, n = 0; t < left->ntris; t++) number[t] = left->corner[3 * t].vertex >= 0 ? n++ : -1;
    for (int t = 0; t < fine->ntris; t++) {
        int at = stands_for(fine, left, went, t);
        if (at >= 0) add(&m[number[at]], fine, axis, t);
    }
    for (int t = 0; t < left->ntris; t++) /* a small triangle may stand for none, or for some that cancel out */
        if (number[t] >= 0 && !(vec_length(m[number[t]].warp) > 1e-3 * m[number[t]].area))
            m[number[t]] = mean_around(left, number, m, t);
    return true;
}

static bool fill_means(tt_scope *scope, tt_scope *scratch, const taut_mesh *fine, const float axis[3],
                       const tt_editable *left, int *went, taut_mesh *coarse)
{
    bool directions = fine->uv || fine->direction;
    if (coarse->ntris == 0 || !(directions || fine->tri_scale)) return true;
    mean *m = TT_TAKE(scratch, mean, coarse->ntris);
    if (directions) coarse->direction = TT_TAKE(scope, float, 3 * (size_t)coarse->ntris);
    if (fine->tri_scale) coarse->tri_scale = TT_TAKE(scope, float, coarse->ntris);
    if (!m || (directions && !coarse->direction) || (fine->tri_scale && !coarse->tri_scale)) return false;
    if (!find_means(scratch, fine, axis, left, went, m)) return false;
    for (int t = 0; t < coarse->ntris; t++) {
        double length = vec_length(m[t].warp);
        if (directions && length > 0) {
            float *d = coarse->direction + 3 * (size_t)t;
            d[0] = (float)(m[t].warp.x / length);
            d[1] = (float)(m[t].warp.y / length);
            d[2] = (float)(m[t].warp.z / length);
        }
        if (fine->tri_scale) coarse->tri_scale[t] = m[t].area > 0 ? (float)(m[t].scale / m[t].area) : 1;
    }
    return true;
}

bool tt_coarsen_fill(tt_scope *scope, tt_scope *scratch, const taut_mesh *fine, const float axis[3],
                     const tt_editable *left, int *went, taut_mesh *coarse, int **origin)
{
    *coarse = (taut_mesh){0};
    int *number = TT_TAKE(scratch, int, fine->nvertices);
    for (int v = 0; number && v < fine->nvertices; v++) number[v] = left->ncorners[v];
    return number && tt_coarsen_vertices(scope, fine, number, coarse, origin) &&
           fill_triangles(scope, left, number, coarse) && fill_means(scope, scratch, fine, axis, left, went, coarse);
}
