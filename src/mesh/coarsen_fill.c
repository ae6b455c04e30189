#include "mesh/coarsen_fill.h"

#include "mesh/bvh.h"
#include "mesh/frame.h"

#include <string.h>

static bool fill_vertices(tt_scope *scope, const taut_mesh *fine, const tt_editable *left, int *number,
                          taut_mesh *coarse, int **origin)
{
    for (int v = 0; v < fine->nvertices; v++) number[v] = left->ncorners[v] > 0 ? coarse->nvertices++ : -1;
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

/* What the fine triangles near a coarse one have, by area. */
typedef struct mean {
    vec3 warp;
    double area, scale;
} mean;

static void corners_of(const taut_mesh *mesh, int t, vec3 corner[3])
{
    for (int i = 0; i < 3; i++) corner[i] = vec_of(mesh->x + 3 * (size_t)mesh->tri[3 * (size_t)t + (size_t)i]);
}

static vec3 centre_of(const taut_mesh *mesh, int t)
{
    vec3 corner[3];
    corners_of(mesh, t, corner);
    return vec_scale(vec_add(corner[0], vec_add(corner[1], corner[2])), 1.0 / 3);
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

static bool find_means(tt_scope *scratch, const taut_mesh *fine, const float axis[3], const taut_mesh *coarse, mean *m)
{
    tt_triangles coarse_triangles, fine_triangles = {0};
    if (!tt_triangles_build(scratch, coarse, &coarse_triangles)) return false;
    for (int t = 0, at = -1; t < fine->ntris; t++) {
        at = tt_triangles_nearest(&coarse_triangles, centre_of(fine, t), at);
        add(&m[at], fine, axis, t);
    }
    for (int t = 0; t < coarse->ntris; t++) { /* a small one may be nearest to none, or to some that cancel out */
        if (vec_length(m[t].warp) > 1e-3 * m[t].area) continue;
        if (!fine_triangles.mesh && !tt_triangles_build(scratch, fine, &fine_triangles)) return false;
        m[t] = (mean){0};
        add(&m[t], fine, axis, tt_triangles_nearest(&fine_triangles, centre_of(coarse, t), -1));
    }
    return true;
}

static bool fill_means(tt_scope *scope, tt_scope *scratch, const taut_mesh *fine, const float axis[3],
                       taut_mesh *coarse)
{
    bool directions = fine->uv || fine->direction;
    if (coarse->ntris == 0 || !(directions || fine->tri_scale)) return true;
    mean *m = TT_TAKE(scratch, mean, coarse->ntris);
    if (directions) coarse->direction = TT_TAKE(scope, float, 3 * (size_t)coarse->ntris);
    if (fine->tri_scale) coarse->tri_scale = TT_TAKE(scope, float, coarse->ntris);
    if (!m || (directions && !coarse->direction) || (fine->tri_scale && !coarse->tri_scale)) return false;
    if (!find_means(scratch, fine, axis, coarse, m)) return false;
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
                     const tt_editable *left, taut_mesh *coarse, int **origin)
{
    *coarse = (taut_mesh){0};
    int *number = TT_TAKE(scratch, int, fine->nvertices);
    return number && fill_vertices(scope, fine, left, number, coarse, origin) &&
           fill_triangles(scope, left, number, coarse) && fill_means(scope, scratch, fine, axis, coarse);
}
