#include "human.h"

#include "vec.h"

#include <math.h>
#include <string.h>

/* Of a human 1 m tall, with the feet at 0: a hip, where its leg begins, and over which way it bends. */
static const double HIP[2] = {0.055, 0.51}, LEG = 0.535, BLEND = 0.075;

bool human_open(human *h, paper_result *r, double height, double low, taut_error *error)
{
    const taut_mesh *given = paper_public_mesh(r);
    float lowest = INFINITY, highest = -INFINITY;
    size_t size = 3 * (size_t)given->nvertices;
    h->mesh = (taut_mesh){.nvertices = given->nvertices, .ntris = given->ntris, .tri = given->tri};
    h->mesh.x = paper_take(r, size * sizeof *h->mesh.x);
    h->rest = paper_take(r, size * sizeof *h->rest);
    if (!h->mesh.x || !h->rest) return paper_fail(error, "there is not enough memory");
    for (int v = 0; v < given->nvertices; v++) {
        lowest = fminf(lowest, given->x[3 * v + 1]), highest = fmaxf(highest, given->x[3 * v + 1]);
    }
    float scale = (float)height / (highest - lowest);
    for (size_t i = 0; i < size; i++)
        h->rest[i] = scale * (given->x[i] - (i % 3 == 1 ? lowest : 0)) + (i % 3 == 1 ? (float)low : 0);
    h->tall = height, h->low = low;
    human_move(h, 0);
    return true;
}

static double ease(double s) { return s < 0 ? 0 : s > 1 ? 1 : s * s * (3 - 2 * s); }

/* Linear blend skinning: each point turns about the hip by its share. */
void human_move(human *h, double spread)
{
    const double tall = h->tall;
    for (int v = 0; v < h->mesh.nvertices; v++) {
        const float *from = h->rest + 3 * (size_t)v;
        float *to = h->mesh.x + 3 * (size_t)v;
        double side = from[0] < 0 ? -1 : 1, x = side * (double)from[0] / tall - HIP[0];
        double y = ((double)from[1] - h->low) / tall - HIP[1];
        double share = ease((LEG - HIP[1] - y) / BLEND) * ease((x + HIP[0]) / 0.02);
        double dx = cos(spread) * x - sin(spread) * y - x, dy = sin(spread) * x + cos(spread) * y - y;
        to[0] = (float)(side * tall * (x + share * dx + HIP[0]));
        to[1] = (float)(tall * (y + share * dy + HIP[1]) + h->low);
        to[2] = from[2];
    }
}

taut_collider_def human_collider(const human *h, float friction)
{
    taut_collider_def d = taut_default_collider_def();
    d.shape = TAUT_MESH;
    d.mesh = &h->mesh;
    d.friction = friction;
    return d;
}

/* ---- How deep points are in it ---- */

static vec nearest_on_edge(vec p, vec a, vec b)
{
    vec along = minus(b, a);
    double share = dot(minus(p, a), along) / fmax(dot(along, along), 1e-30);
    return plus(a, share < 0 ? 0 : share > 1 ? 1 : share, along);
}

static vec nearest_on_triangle(vec p, const vec corner[3], vec normal)
{
    vec flat = plus(p, -dot(minus(p, corner[0]), normal), normal), best = corner[0];
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        vec a = corner[k], b = corner[(k + 1) % 3], on = nearest_on_edge(p, a, b);
        inside = inside && dot(cross(minus(b, a), minus(flat, a)), normal) >= 0;
        if (length(minus(p, on)) < length(minus(p, best))) best = on;
    }
    return inside ? flat : best;
}

/* Inside is behind the nearest triangle; where some are equally near, behind the one that it is farthest behind or in
 * front of. */
static double depth_of(const taut_mesh *mesh, vec p)
{
    double nearest = INFINITY, ahead = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        vec corner[3];
        for (int k = 0; k < 3; k++) corner[k] = vec_at(mesh->x + 3 * (size_t)mesh->tri[3 * t + k]);
        double reach = fmax(length(minus(corner[1], corner[0])), length(minus(corner[2], corner[0])));
        if (length(minus(p, corner[0])) > nearest + reach) continue;
        vec normal = cross(minus(corner[1], corner[0]), minus(corner[2], corner[0]));
        if (!(length(normal) > 0)) continue;
        normal = unit(normal);
        vec off = minus(p, nearest_on_triangle(p, corner, normal));
        double distance = length(off), front = dot(off, normal);
        bool same = fabs(distance - nearest) < 1e-9;
        if (distance > nearest + 1e-9 || (same && fabs(front) <= fabs(ahead))) continue;
        nearest = fmin(nearest, distance), ahead = front;
    }
    return ahead < 0 ? nearest : -nearest;
}

double human_depth(const human *h, const float *xyz, int count)
{
    double deepest = -INFINITY;
    for (int v = 0; v < count; v++) deepest = fmax(deepest, depth_of(&h->mesh, vec_at(xyz + 3 * (size_t)v)));
    return deepest;
}
