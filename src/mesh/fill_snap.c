/* Moves the outer vertices of a filled solid onto the surface. */
#include "mesh/fill.h"

#include <stdlib.h>

enum { PASSES = 6 }; /* a vertex held back may follow when its neighbours have moved */

/* A tet of the lattice has a quality of 0.93. */
static const double WORST_QUALITY = 0.3;

/* The places to which the vertices have to move. */
typedef struct plan {
    unsigned char *outer; /* 1: on the boundary; 2: on the boundary, and has a goal */
    float *x;             /* 3 a vertex: its goal, or where it is if it has none */
} plan;

/* ---- Quality ---------------------------------------------------------------------------- */

/* Volume over the cube of the root mean square edge, 1 for a regular tet; below 0 when turned inside out. */
static double quality(const float *x, const int tet[4])
{
    vec3 p[4];
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        p[i] = vec_of(x + 3 * (size_t)tet[i]);
        for (int j = 0; j < i; j++) sum += vec_dot(vec_sub(p[i], p[j]), vec_sub(p[i], p[j]));
    }
    double mean = sum / 6;
    if (mean <= 0) return 0;
    vec3 normal = vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0]));
    return sqrt(2) * vec_dot(normal, vec_sub(p[3], p[0])) / (mean * sqrt(mean));
}

static double worst_around(const tt_solid *solid, int v)
{
    double worst = 1;
    for (int i = solid->user_start[v]; i < solid->user_start[v + 1]; i++) {
        int t = solid->user[i];
        if (!tt_solid_is_removed(solid, t)) worst = fmin(worst, quality(solid->x, solid->tet + 4 * (size_t)t));
    }
    return worst;
}

/* ---- Goals ---------------------------------------------------------------------------- */

static void find_outer(const tt_solid *solid, unsigned char *outer)
{
    for (int t = 0; t < solid->ntets; t++) {
        const int *v = solid->tet + 4 * (size_t)t;
        for (int corner = 0; corner < 4; corner++)
            if (tt_solid_neighbour(solid, t, corner) < 0)
                for (int i = 1; i < 4; i++) outer[v[(corner + i) % 4]] = 1;
    }
}

typedef struct goal {
    float x[3];
    int vertex;
    double distance;
} goal;

static int by_place(const void *left, const void *right)
{
    const goal *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->x[i] != b->x[i]) return a->x[i] < b->x[i] ? -1 : 1;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->vertex - b->vertex;
}

/* The goal of an outer vertex is the closest point of the surface, if that is no farther than a cell. A corner of the
 * surface may be the closest point for several vertices: only the nearest of them gets there. */
static bool set_goals(tt_scope *scratch, const tt_solid *solid, const tt_triangles *surface, double cell, plan *goals)
{
    goals->outer = TT_TAKE(scratch, unsigned char, solid->nvertices);
    goals->x = TT_TAKE(scratch, float, 3 * (size_t)solid->nvertices);
    goal *list = TT_TAKE(scratch, goal, solid->nvertices);
    if (!goals->outer || !goals->x || !list) return false;
    find_outer(solid, goals->outer);
    size_t count = 0;
    for (int v = 0; v < solid->nvertices; v++) {
        const float *x = solid->x + 3 * (size_t)v;
        for (int i = 0; i < 3; i++) goals->x[3 * (size_t)v + (size_t)i] = x[i];
        if (!goals->outer[v]) continue;
        vec3 to = tt_triangles_closest(surface, vec_of(x));
        double distance = vec_length(vec_sub(to, vec_of(x)));
        if (distance > cell) continue;
        list[count++] = (goal){{(float)to.x, (float)to.y, (float)to.z}, v, distance};
    }
    qsort(list, count, sizeof *list, by_place);
    for (size_t g = 0; g < count; g++) {
        const float *to = list[g].x, *last = g > 0 ? list[g - 1].x : NULL;
        if (last && last[0] == to[0] && last[1] == to[1] && last[2] == to[2]) continue;
        goals->outer[list[g].vertex] = 2;
        for (int i = 0; i < 3; i++) goals->x[3 * (size_t)list[g].vertex + (size_t)i] = to[i];
    }
    return true;
}

/* ---- Removing tets that would be flat ----------------------------------------------------------------------- */

static bool is_outer_edge(const tt_solid *solid, int a, int b)
{
    for (int i = solid->user_start[a]; i < solid->user_start[a + 1]; i++) {
        const int *v = solid->tet + 4 * (size_t)solid->user[i];
        if (v[0] != b && v[1] != b && v[2] != b && v[3] != b) continue;
        for (int corner = 0; corner < 4; corner++)
            if (v[corner] != a && v[corner] != b && tt_solid_neighbour(solid, solid->user[i], corner) < 0) return true;
    }
    return false;
}

/* A tet with two outer faces can be removed without opening or closing a hole, unless the edge between its other two
 * faces is an outer edge already. A tet with three outer faces is a cap, and its tip goes with it. */
static bool can_go(const tt_solid *solid, int t)
{
    const int *v = solid->tet + 4 * (size_t)t;
    int outside[4], count = 0;
    for (int corner = 0; corner < 4; corner++)
        if (tt_solid_neighbour(solid, t, corner) < 0) outside[count++] = corner;
    return count == 3 || (count == 2 && !is_outer_edge(solid, v[outside[0]], v[outside[1]]));
}

/* A tet with all four vertices on the boundary may become flat, and would then hold them back. */
static void remove_flat(tt_solid *solid, const plan *goals)
{
    for (int t = 0; t < solid->ntets; t++) {
        const int *v = solid->tet + 4 * (size_t)t;
        if (!goals->outer[v[0]] || !goals->outer[v[1]] || !goals->outer[v[2]] || !goals->outer[v[3]]) continue;
        if (quality(goals->x, v) < WORST_QUALITY && can_go(solid, t)) tt_solid_remove(solid, t);
    }
}

/* ---- Moving ---------------------------------------------------------------------------- */

/* Moves the vertex all the way to its goal, or half or a quarter of the way. Returns whether it got there. */
static bool move(tt_solid *solid, int v, const float *goal_x)
{
    float *x = solid->x + 3 * (size_t)v;
    const float from[3] = {x[0], x[1], x[2]};
    for (int halvings = 0; halvings <= 2; halvings++) {
        const float part = 1.0f / (float)(1 << halvings);
        for (int i = 0; i < 3; i++) x[i] = halvings == 0 ? goal_x[i] : from[i] + part * (goal_x[i] - from[i]);
        if (worst_around(solid, v) >= WORST_QUALITY) return halvings == 0;
    }
    for (int i = 0; i < 3; i++) x[i] = from[i];
    return false;
}

bool tt_solid_snap(tt_scope *scope, tt_solid *solid, const tt_triangles *surface, double cell)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    plan goals;
    bool ok = set_goals(&scratch, solid, surface, cell, &goals);
    if (ok) remove_flat(solid, &goals);
    for (int pass = 0; ok && pass < PASSES; pass++)
        for (int v = 0; v < solid->nvertices; v++)
            if (goals.outer[v] == 2 && move(solid, v, goals.x + 3 * (size_t)v)) goals.outer[v] = 1;
    tt_scope_close(&scratch);
    return ok && tt_solid_compact(scope, solid);
}
