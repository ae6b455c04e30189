#include "mesh/pierce.h"

#include "mesh/predicates.h"

#include <stddef.h>

/* Two of the three coordinates: a view along the third. */
typedef struct view {
    int u, v;
} view;

static const view views[3] = {{1, 2}, {2, 0}, {0, 1}};

static bool same_side(int a, int b) { return a * b > 0; }

static bool ranges_meet(float a, float b, float c, float d)
{
    float low = a < b ? a : b, high = a < b ? b : a;
    return !(c < low && d < low) && !(c > high && d > high);
}

static bool boxes_meet(const float *a, const float *b, const float *c, const float *d)
{
    for (int k = 0; k < 3; k++)
        if (!ranges_meet(a[k], b[k], c[k], d[k])) return false;
    return true;
}

/* Whether two segments of one plane meet, in a view that keeps the points of that plane apart. If all four ends are on
 * a line, boxes decide. */
static bool segments_meet_in(view w, const float *a, const float *b, const float *p, const float *q)
{
    return boxes_meet(a, b, p, q) && !same_side(tt_orient2d(a, b, p, w.u, w.v), tt_orient2d(a, b, q, w.u, w.v)) &&
           !same_side(tt_orient2d(p, q, a, w.u, w.v), tt_orient2d(p, q, b, w.u, w.v));
}

/* A view in which three points are not on a line. Such a view keeps all points of their plane apart. NULL: they are on
 * a line in every view. */
static const view *view_of(const float *a, const float *b, const float *c)
{
    for (int i = 0; i < 3; i++)
        if (tt_orient2d(a, b, c, views[i].u, views[i].v) != 0) return &views[i];
    return NULL;
}

/* Whether any two segments meet. If every three of the four ends are on a line, all four are, and boxes decide. */
static bool segments_meet(const float *a, const float *b, const float *p, const float *q)
{
    if (!boxes_meet(a, b, p, q) || tt_orient3d(a, b, p, q) != 0) return false;
    const view *w = view_of(a, b, p);
    if (!w) w = view_of(a, b, q);
    if (!w) w = view_of(p, q, a);
    if (!w) w = view_of(p, q, b);
    return !w || segments_meet_in(*w, a, b, p, q);
}

/* A triangle without area consists of its sides. */
static bool meets_thin(const float *p, const float *q, const float *const corner[3])
{
    return segments_meet(corner[0], corner[1], p, q) || segments_meet(corner[1], corner[2], p, q) ||
           segments_meet(corner[2], corner[0], p, q);
}

/* A point of the triangle's plane is in the triangle if it is on the same hand of all sides. */
static bool has_inside(view w, const float *const corner[3], const float *p)
{
    int a = tt_orient2d(corner[0], corner[1], p, w.u, w.v), b = tt_orient2d(corner[1], corner[2], p, w.u, w.v);
    int c = tt_orient2d(corner[2], corner[0], p, w.u, w.v);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/* Whether they meet if the segment lies in the triangle's plane, or the triangle has no plane. */
static bool meets_flat(const float *p, const float *q, const float *const corner[3])
{
    const view *w = view_of(corner[0], corner[1], corner[2]);
    if (!w) return meets_thin(p, q, corner);
    for (int i = 0; i < 3; i++)
        if (segments_meet_in(*w, corner[i], corner[(i + 1) % 3], p, q)) return true;
    return has_inside(*w, corner, p);
}

/* If the ends are not on one side, and not both in the plane, the segment meets the plane in one point. This point is
 * in the triangle if the line passes all sides of the triangle on the same hand. */
bool tt_pierces(const float p[3], const float q[3], const float *const corner[3])
{
    const float *a = corner[0], *b = corner[1], *c = corner[2];
    int at_p = tt_orient3d(a, b, c, p), at_q = tt_orient3d(a, b, c, q);
    if (same_side(at_p, at_q)) return false;
    if (at_p == 0 && at_q == 0) return meets_flat(p, q, corner);
    int first = tt_orient3d(p, q, a, b), second = tt_orient3d(p, q, b, c);
    if (first * second < 0) return false;
    int third = tt_orient3d(p, q, c, a);
    return first * third >= 0 && second * third >= 0;
}

/* Whether a side of `a` has all of `b` on its outer hand or on its line. */
static bool keeps_out(view w, const float *const a[3], const float *const b[3])
{
    int inner = tt_orient2d(a[0], a[1], a[2], w.u, w.v);
    for (int i = 0; i < 3; i++) {
        int inside = 0;
        for (int k = 0; k < 3; k++) inside += same_side(inner, tt_orient2d(a[i], a[(i + 1) % 3], b[k], w.u, w.v));
        if (inside == 0) return true;
    }
    return false;
}

/* If the insides of two convex shapes in a plane are apart, a side of one of them separates them. */
bool tt_side_by_side(const float *const a[3], const float *const b[3])
{
    const view *w = view_of(a[0], a[1], a[2]);
    if (!w) return false;
    for (int k = 0; k < 3; k++)
        if (tt_orient3d(a[0], a[1], a[2], b[k]) != 0) return false;
    if (tt_orient2d(b[0], b[1], b[2], w->u, w->v) == 0) return false;
    return keeps_out(*w, a, b) || keeps_out(*w, b, a);
}
