/* Points are added one after the other. A point outside of the hull so far sees some triangles of the hull. These are
 * removed, and new triangles join their outline to the point. Signs are exact, so the triangles seen are always in one
 * piece. */
#include "mesh/hull.h"

#include "base/error.h"
#include "base/vec.h"
#include "mesh/predicates.h"

#include <string.h>

typedef struct side {
    int v[3], next[3]; /* next[i]: the triangle across the edge from v[i] to v[i + 1] */
    bool used, seen;
} side;

typedef struct hull {
    const float *xyz;
    int count;
    side *side;
    int nsides, *spare, nspare; /* sides, used or not; the numbers of those that are free */
    int *from;                  /* per point: the new side whose outline edge begins there */
} hull;

static const float *at(const hull *h, int i) { return h->xyz + 3 * (size_t)i; }
static vec3 point(const hull *h, int i) { return vec_of(at(h, i)); }

static bool sees(const hull *h, int i, const side *s)
{
    return tt_orient3d(at(h, s->v[0]), at(h, s->v[1]), at(h, s->v[2]), at(h, i)) < 0;
}

static int new_side(hull *h, int a, int b, int c)
{
    int i = h->nspare ? h->spare[--h->nspare] : h->nsides++;
    h->side[i] = (side){.v = {a, b, c}, .used = true};
    return i;
}

/* Joins the edge of a side to the edge of its neighbour that runs the other way. */
static void join(hull *h, int s, int edge, int other)
{
    int to = h->side[s].v[(edge + 1) % 3];
    for (int k = 0; k < 3; k++)
        if (h->side[other].v[k] == to) h->side[other].next[k] = s;
    h->side[s].next[edge] = other;
}

/* ---- The first four corners ---- */

static double area_of(const hull *h, int a, int b, int i)
{
    return vec_length(vec_cross(vec_sub(point(h, b), point(h, a)), vec_sub(point(h, i), point(h, a))));
}

/* Finds four points far apart, so that most points lie inside from the beginning. */
static bool find_corners(const hull *h, int corner[4])
{
    double most = 0;
    memset(corner, 0, 4 * sizeof *corner);
    for (int i = 0; i < h->count; i++) {
        double far = vec_length(vec_sub(point(h, i), point(h, 0)));
        if (far > most) most = far, corner[1] = i;
    }
    most = 0;
    for (int i = 0; i < h->count; i++) {
        double area = area_of(h, corner[0], corner[1], i);
        if (area > most) most = area, corner[2] = i;
    }
    vec3 a = point(h, corner[0]), normal = vec_cross(vec_sub(point(h, corner[1]), a), vec_sub(point(h, corner[2]), a));
    most = -1;
    for (int i = 0; i < h->count; i++) {
        double height = fabs(vec_dot(normal, vec_sub(point(h, i), a)));
        bool apart = tt_orient3d(at(h, corner[0]), at(h, corner[1]), at(h, corner[2]), at(h, i)) != 0;
        if (apart && height > most) most = height, corner[3] = i;
    }
    return most >= 0;
}

static void begin(hull *h, const int c[4])
{
    bool outward = tt_orient3d(at(h, c[0]), at(h, c[1]), at(h, c[2]), at(h, c[3])) > 0; /* c[3] is behind 0 1 2 */
    int a = c[0], b = outward ? c[1] : c[2], d = outward ? c[2] : c[1], e = c[3];
    const int v[4][3] = {{a, b, d}, {a, e, b}, {b, e, d}, {d, e, a}};
    for (int i = 0; i < 4; i++) new_side(h, v[i][0], v[i][1], v[i][2]);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++)
                for (int m = 0; m < 3; m++)
                    if (v[i][k] == v[j][(m + 1) % 3] && v[i][(k + 1) % 3] == v[j][m]) h->side[i].next[k] = j;
}

/* ---- One more point ---- */

/* New sides along the part of the outline that belongs to side s. */
static void add_sides(hull *h, int s, int i, int *first)
{
    for (int k = 0; k < 3; k++) {
        int other = h->side[s].next[k], a = h->side[s].v[k], b = h->side[s].v[(k + 1) % 3];
        if (h->side[other].seen) continue;
        *first = new_side(h, a, b, i);
        join(h, *first, 0, other);
        h->from[a] = *first;
    }
}

static void add_point(hull *h, int i)
{
    int first = -1, before = h->nsides;
    bool outside = false;
    for (int s = 0; s < before; s++) {
        h->side[s].seen = h->side[s].used && sees(h, i, &h->side[s]);
        outside = outside || h->side[s].seen;
    }
    if (!outside) return;
    int most = h->nsides;
    for (int s = 0; s < most; s++)
        if (h->side[s].used && h->side[s].seen) add_sides(h, s, i, &first);
    for (int s = first;;) {
        int after = h->from[h->side[s].v[1]];
        h->side[s].next[1] = after, h->side[after].next[2] = s;
        s = after;
        if (s == first) break;
    }
    for (int s = 0; s < most; s++)
        if (h->side[s].used && h->side[s].seen) h->side[s].used = false, h->spare[h->nspare++] = s;
}

/* ---- All ---- */

static int list_sides(tt_scope *scope, const hull *h, int **tri, taut_error *error)
{
    int n = 0;
    *tri = TT_TAKE(scope, int, 3 * h->nsides);
    if (!*tri) return tt_no_memory(error), 0;
    for (int s = 0; s < h->nsides; s++)
        if (h->side[s].used) memcpy(*tri + 3 * (size_t)n++, h->side[s].v, sizeof h->side[s].v);
    return n;
}

static bool take(tt_scope *scratch, hull *h)
{
    size_t most = 4 * (size_t)h->count + 8; /* the hull has 2 n - 4, and as many are added before old ones are freed */
    h->side = TT_TAKE(scratch, side, most);
    h->spare = TT_TAKE(scratch, int, most);
    h->from = TT_TAKE(scratch, int, h->count);
    return h->side && h->spare && h->from;
}

int tt_hull(tt_scope *scope, const float *xyz, int count, int **tri, taut_error *error)
{
    hull h = {.xyz = xyz, .count = count};
    int corner[4], n = 0;
    if (count < 4 || count > TT_MOST_HULL_POINTS)
        return tt_fail(error, TAUT_BAD_MESH, -1, "a hull needs 4 to %d points, got %d", TT_MOST_HULL_POINTS, count), 0;
    if (!find_corners(&h, corner))
        return tt_fail(error, TAUT_BAD_MESH, -1, "the points of a hull must not lie in a plane"), 0;
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    if (take(&scratch, &h)) {
        begin(&h, corner);
        for (int i = 0; i < count; i++) add_point(&h, i);
        n = list_sides(scope, &h, tri, error);
    } else tt_no_memory(error);
    tt_scope_close(&scratch);
    return n;
}

/* ---- As a mesh ---- */

static bool fill(taut_mesh *mesh, tt_scope *scratch, const float *xyz, int count, const int *tri, int n,
                 taut_error *error)
{
    int *number = TT_TAKE(scratch, int, count), used = 0;
    if (!number) return tt_no_memory(error);
    for (int k = 0; k < 3 * n; k++) number[tri[k]] = 1;
    for (int i = 0; i < count; i++) number[i] = number[i] ? used++ : -1;
    if (!taut_mesh_allocate(mesh, used, n, 0, 0, false, false, error)) return false;
    for (int i = 0; i < count; i++)
        if (number[i] >= 0) memcpy(mesh->x + 3 * (size_t)number[i], xyz + 3 * (size_t)i, 3 * sizeof *xyz);
    for (int k = 0; k < 3 * n; k++) mesh->tri[k] = number[tri[k]];
    return true;
}

bool taut_mesh_hull(taut_mesh *mesh, const float *xyz, int count, taut_error *error)
{
    tt_scope scratch;
    int *tri;
    *mesh = (taut_mesh){0};
    tt_clear(error);
    for (int i = 0; i < count && count <= TT_MOST_HULL_POINTS; i++)
        for (size_t c = 0; c < 3; c++)
            if (!isfinite(xyz[3 * (size_t)i + c]))
                return tt_fail(error, TAUT_BAD_MESH, i, "point %d of the hull is not finite", i);
    tt_scope_open(&scratch, NULL);
    int n = tt_hull(&scratch, xyz, count, &tri, error);
    bool ok = n > 0 && fill(mesh, &scratch, xyz, count, tri, n, error);
    tt_scope_close(&scratch);
    return ok;
}
