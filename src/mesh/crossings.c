/* Which edges pass through which triangles: boxes find the candidates, exact signs decide. */
#include "base/error.h"
#include "mesh/bvh.h"
#include "mesh/pierce.h"
#include "mesh/sides.h"
#include "mesh/surface.h"

#include <math.h>

/* The input: the triangles of a mesh (or the surface of its tets), and the edges of triangles and lines. */
typedef struct search {
    taut_mesh mesh; /* a view, without tets */
    const float *xyz;
    int nsides, nedges;
    const tt_side *side;
    int *first;  /* nedges + 1: the first side on each edge */
    tt_box *box; /* of each edge */
    tt_bvh bvh;
} search;

/* The crossings and pairs found. */
typedef struct finds {
    taut_crossing *list;
    int most;
    int64_t crossings, pairs;
} finds;

typedef struct corners {
    const float *at[3];
} corners;

/* ---- What is searched ------------------------------------------------------------------------------------------- */

static const float *point_of(const search *s, int vertex) { return s->xyz + 3 * (size_t)vertex; }

static const int *triangle_of(const search *s, int triangle) { return s->mesh.tri + 3 * (size_t)triangle; }

static corners corners_of(const search *s, int triangle)
{
    const int *vertex = triangle_of(s, triangle);
    return (corners){{point_of(s, vertex[0]), point_of(s, vertex[1]), point_of(s, vertex[2])}};
}

static tt_box box_around(const search *s, const int *vertex, int count)
{
    vec3 point[3];
    for (int i = 0; i < count; i++) point[i] = vec_of(point_of(s, vertex[i]));
    return tt_box_around(point, count);
}

static bool take_triangles(search *s, tt_scope *scope, const taut_mesh *mesh)
{
    s->mesh = (taut_mesh){.nvertices = mesh->nvertices,
                          .ntris = mesh->ntris,
                          .nlines = mesh->nlines,
                          .x = mesh->x,
                          .tri = mesh->tri,
                          .line = mesh->line};
    if (mesh->ntris > 0 || mesh->ntets == 0) return true;
    s->mesh.tri = tt_surface(scope, mesh->x, mesh->tet, mesh->ntets, &s->mesh.ntris);
    return s->mesh.tri != NULL;
}

static bool take_edges(search *s, tt_scope *scope)
{
    s->side = tt_sides(scope, &s->mesh, &s->nsides);
    s->first = TT_TAKE_RAW(scope, int, s->nsides + 1);
    if (!s->side || !s->first) return false;
    for (int begin = 0; begin < s->nsides; begin = tt_sides_end(s->side, s->nsides, begin))
        s->first[s->nedges++] = begin;
    s->first[s->nedges] = s->nsides;
    s->box = TT_TAKE_RAW(scope, tt_box, s->nedges);
    if (!s->box) return false;
    for (int e = 0; e < s->nedges; e++) {
        const tt_side *side = &s->side[s->first[e]];
        s->box[e] = box_around(s, (const int[]){side->a, side->b}, 2);
    }
    return tt_bvh_build(scope, s->box, s->nedges, &s->bvh);
}

/* ---- Deciding --------------------------------------------------------------------------------------------------- */

/* An edge that ends at a corner of the triangle always touches it, so it does not count. */
static bool crosses(const search *s, int a, int b, int triangle)
{
    const int *corner = triangle_of(s, triangle);
    for (int i = 0; i < 3; i++)
        if (corner[i] == a || corner[i] == b) return false;
    return tt_pierces(point_of(s, a), point_of(s, b), corners_of(s, triangle).at);
}

/* Whether the crossing of the side `slot` with the triangle is the first of its pair of triangles. A pair usually has
 * two crossings and must be counted once. The sides of the triangle with the smaller number come first. */
static bool is_first_of_pair(const search *s, int slot, int triangle)
{
    int other = slot / 3;
    const int pair[2] = {other < triangle ? other : triangle, other < triangle ? triangle : other};
    for (int i = 0; i < 6; i++) {
        int at = 3 * pair[i / 3] + i % 3;
        if (at == slot) return true;
        if (crosses(s, s->mesh.tri[at], s->mesh.tri[tt_slot_next(at)], pair[1 - i / 3])) return false;
    }
    return true;
}

static bool are_side_by_side(const search *s, int a, int b)
{
    return tt_side_by_side(corners_of(s, a).at, corners_of(s, b).at);
}

/* Adds an edge and a triangle that have a point in common. They do not count if all triangles on the edge lie beside
 * this triangle in its plane. */
static void add_crossing(const search *s, int edge, int triangle, finds *found)
{
    bool counts = false;
    for (int i = s->first[edge]; i < s->first[edge + 1]; i++) {
        int slot = s->side[i].slot, other = slot / 3;
        bool is_line = other >= s->mesh.ntris;
        if (!is_line && are_side_by_side(s, other, triangle)) continue;
        counts = true;
        if (!is_line && is_first_of_pair(s, slot, triangle)) found->pairs++;
    }
    if (!counts) return;
    const tt_side *side = &s->side[s->first[edge]];
    if (found->crossings < found->most)
        found->list[found->crossings] = (taut_crossing){{side->a, side->b}, triangle};
    found->crossings++;
}

/* ---- The search ------------------------------------------------------------------------------------------------- */

/* Finds the edges that cross one triangle, in the order of edges. */
static void search_triangle(const search *s, int triangle, finds *found)
{
    enum { AT_A_TIME = 128 };
    int near[AT_A_TIME], count, after = -1;
    const tt_box box = box_around(s, triangle_of(s, triangle), 3);
    do {
        count = tt_bvh_overlapping(&s->bvh, s->box, &box, after, near, AT_A_TIME);
        for (int i = 0; i < count; i++) {
            const tt_side *edge = &s->side[s->first[near[i]]];
            if (crosses(s, edge->a, edge->b, triangle)) add_crossing(s, near[i], triangle, found);
        }
        if (count > 0) after = near[count - 1];
    } while (count == AT_A_TIME);
}

static bool check_arguments(const taut_mesh *mesh, const float *xyz, const taut_crossing *list, int most,
                            taut_error *error)
{
    if (most < 0) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "the room for crossings is negative: %d", most);
    if (most > 0 && !list)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there is room for %d crossings but their array is NULL", most);
    for (int v = 0; xyz && v < mesh->nvertices; v++)
        for (size_t i = 0; i < 3; i++)
            if (!isfinite(xyz[3 * (size_t)v + i]))
                return tt_fail(error, TAUT_BAD_ARGUMENT, v, "vertex %d: position is not finite", v);
    return true;
}

int64_t taut_mesh_crossings(const taut_mesh *mesh, const float *xyz, taut_crossing *list, int most, int64_t *npairs,
                            taut_error *error)
{
    if (!taut_mesh_check(mesh, error) || !check_arguments(mesh, xyz, list, most, error)) return -1;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    search s = {.xyz = xyz ? xyz : mesh->x};
    finds found = {.list = list, .most = most};
    bool ready = take_triangles(&s, &scope, mesh) && take_edges(&s, &scope);
    for (int t = 0; ready && t < s.mesh.ntris; t++) search_triangle(&s, t, &found);
    tt_scope_close(&scope);
    if (!ready) return tt_no_memory(error), -1;
    if (npairs) *npairs = found.pairs;
    return found.crossings;
}
