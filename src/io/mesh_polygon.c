/* Cutting polygons into triangles.
 *
 * A polygon is seen along its mean normal (Newell's, which is right for concave and warped polygons too). That leaves
 * two coordinates per corner, counter-clockwise. A quad is cut along the shorter of its diagonals that lie inside.
 * Larger polygons lose one ear after the other, always the ear with the shortest cut. A fan would make slivers, and
 * triangles outside a concave polygon. */
#include "io/mesh_build.h"

#include "base/vec.h"

#include <stdlib.h>

typedef struct corner2 {
    double x, y;
    int before, after; /* the neighbours among the corners that are left */
    bool ear;
} corner2;

static void project(const float *x, const int *corner, int n, corner2 *c)
{
    vec3 origin = vec_of(x + 3 * (size_t)corner[0]), normal = {0, 0, 0};
    vec3 last = vec_sub(vec_of(x + 3 * (size_t)corner[n - 1]), origin);
    for (int i = 0; i < n; i++) {
        vec3 here = vec_sub(vec_of(x + 3 * (size_t)corner[i]), origin);
        normal = vec_add(normal, vec_cross(last, here));
        last = here;
    }
    double nx = fabs(normal.x), ny = fabs(normal.y), nz = fabs(normal.z);
    int axis = nx > ny ? (nx > nz ? 0 : 2) : (ny > nz ? 1 : 2);
    bool away = (axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) < 0;
    int first = (axis + (away ? 2 : 1)) % 3, second = (axis + (away ? 1 : 2)) % 3;
    for (int i = 0; i < n; i++) {
        const float *p = x + 3 * (size_t)corner[i], *o = x + 3 * (size_t)corner[0];
        c[i] = (corner2){.x = (double)p[first] - (double)o[first],
                         .y = (double)p[second] - (double)o[second],
                         .before = (i + n - 1) % n,
                         .after = (i + 1) % n};
    }
}

/* Twice the area of a b c, above 0 when counter-clockwise. */
static double area(const corner2 *a, const corner2 *b, const corner2 *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool same(const corner2 *a, const corner2 *b) { return a->x == b->x && a->y == b->y; }

static double squared_distance(const float *x, int a, int b)
{
    vec3 d = vec_sub(vec_of(x + 3 * (size_t)a), vec_of(x + 3 * (size_t)b));
    return vec_dot(d, d);
}

static void cut_quad(const float *x, const int *corner, int *triangle)
{
    static const int along02[6] = {0, 1, 2, 0, 2, 3}, along13[6] = {0, 1, 3, 1, 2, 3};
    corner2 c[4];
    project(x, corner, 4, c);
    bool inside02 = area(&c[0], &c[1], &c[2]) > 0 && area(&c[0], &c[2], &c[3]) > 0;
    bool inside13 = area(&c[0], &c[1], &c[3]) > 0 && area(&c[1], &c[2], &c[3]) > 0;
    bool shorter13 =
        squared_distance(x, corner[1], corner[3]) < squared_distance(x, corner[0], corner[2]);
    bool use13 = inside02 == inside13 ? shorter13 : inside13;
    for (int i = 0; i < 6; i++) triangle[i] = use13 ? along13[i] : along02[i];
}

static bool is_ear(const corner2 *c, int tip)
{
    const corner2 *a = &c[c[tip].before], *b = &c[tip], *d = &c[b->after];
    if (!(area(a, b, d) > 0)) return false;
    for (int i = d->after; i != b->before; i = c[i].after) {
        const corner2 *p = &c[i];
        if (area(a, b, p) < 0 || area(b, d, p) < 0 || area(d, a, p) < 0) continue;
        if (!same(p, a) && !same(p, b) && !same(p, d)) return false;
    }
    return true;
}

static void find_ears(corner2 *c, int start)
{
    int i = start;
    do {
        c[i].ear = is_ear(c, i);
        i = c[i].after;
    } while (i != start);
}

/* The ear with the shortest cut, or -1. */
static int best_ear(const corner2 *c, int start)
{
    int best = -1, i = start;
    double shortest = 0;
    do {
        double dx = c[c[i].before].x - c[c[i].after].x, dy = c[c[i].before].y - c[c[i].after].y;
        double cut = dx * dx + dy * dy;
        if (c[i].ear && (best < 0 || cut < shortest)) {
            best = i;
            shortest = cut;
        }
        i = c[i].after;
    } while (i != start);
    return best;
}

static void clip_ears(corner2 *c, int n, int *triangle)
{
    /* Clipping changes the neighbouring ears, and seldom others. So all ears are looked for again only when none is
     * left, and only a few times. Thus even a polygon that crosses itself takes no longer than its corners squared. The
     * rest of such a polygon becomes a fan. */
    int start = 0, searches = 8;
    find_ears(c, start);
    for (int t = 0; t < n - 2; t++) {
        int tip = best_ear(c, start);
        if (tip < 0 && searches-- > 0) {
            find_ears(c, start);
            tip = best_ear(c, start);
        }
        if (tip < 0) tip = c[start].after;
        int a = c[tip].before, b = c[tip].after;
        triangle[3 * t] = a, triangle[3 * t + 1] = tip, triangle[3 * t + 2] = b;
        c[a].after = b;
        c[b].before = a;
        start = a;
        c[a].ear = is_ear(c, a);
        c[b].ear = is_ear(c, b);
    }
}

bool tio_triangulate(const float *x, const int *corner, int ncorners, int *triangle)
{
    if (ncorners == 3) {
        for (int i = 0; i < 3; i++) triangle[i] = i;
        return true;
    }
    if (ncorners == 4) {
        cut_quad(x, corner, triangle);
        return true;
    }
    corner2 *c = calloc((size_t)ncorners, sizeof *c);
    if (!c) return false;
    project(x, corner, ncorners, c);
    clip_ears(c, ncorners, triangle);
    free(c);
    return true;
}
