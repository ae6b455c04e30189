#include "drape_measures.h"

#include "base/error.h"
#include "base/quantile.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { SECTORS = 1440 }; /* of a shadow: a quarter of a degree each */

static const double TWO_PI = 6.283185307179586;

static vec3 at(const float *xyz, int vertex) { return vec_of(xyz + 3 * (size_t)vertex); }

/* ---- Opening ---- */

static bool take_room(drape_gauge *g)
{
    g->mass = TT_TAKE(&g->scope, double, g->nvertices);
    g->held = TT_TAKE(&g->scope, unsigned char, g->nvertices);
    g->number = TT_TAKE(&g->scope, double, g->topology.nedges);
    return g->mass && g->held && g->number;
}

static bool fill(drape_gauge *g, const taut_mesh *mesh, const taut_material *material, taut_error *error)
{
    g->measurer = taut_measurer_build(mesh, NULL, error);
    if (!g->measurer) return false;
    if (!tt_topology_build(&g->scope, mesh, &g->topology) || !take_room(g)) return tt_no_memory(error);
    if (mesh->pinned) memcpy(g->held, mesh->pinned, (size_t)g->nvertices);
    return taut_mesh_masses(mesh, material, g->mass, error);
}

bool drape_gauge_open(drape_gauge *g, const taut_mesh *mesh, const taut_material *material, taut_error *error)
{
    *g = (drape_gauge){.nvertices = mesh->nvertices};
    tt_scope_open(&g->scope, NULL);
    if (fill(g, mesh, material, error)) return true;
    drape_gauge_close(g);
    return false;
}

void drape_gauge_close(drape_gauge *g)
{
    taut_measurer_free(g->measurer);
    tt_scope_close(&g->scope);
    *g = (drape_gauge){0};
}

/* ---- Shape ---- */

/* The angle between the normals of both triangles. */
static double angle_over(const tt_hinge *h, const float *xyz)
{
    vec3 p3 = at(xyz, h->p3), edge = vec_sub(at(xyz, h->p4), p3);
    vec3 n1 = vec_cross(vec_sub(at(xyz, h->p1), p3), edge), n2 = vec_cross(edge, vec_sub(at(xyz, h->p2), p3));
    return atan2(vec_length(vec_cross(n1, n2)), vec_dot(n1, n2));
}

double drape_crease(const drape_gauge *g, const float *xyz)
{
    int hinges = g->topology.nhinges;
    if (hinges == 0) return 0;
    for (int i = 0; i < hinges; i++) g->number[i] = angle_over(&g->topology.hinge[i], xyz);
    return tt_quantile(g->number, hinges, 0.95);
}

double drape_plumb(const drape_gauge *g, const float *xyz)
{
    vec3 pins = {0, 0, 0}, centre = {0, 0, 0};
    double held = 0, mass = 0;
    for (int v = 0; v < g->nvertices; v++) {
        vec3 p = at(xyz, v);
        if (g->held[v]) pins = vec_add(pins, p), held++;
        centre = vec_add(centre, vec_scale(p, g->mass[v]));
        mass += g->mass[v];
    }
    if (held == 0 || !(mass > 0)) return 0;
    vec3 down = vec_sub(vec_scale(centre, 1 / mass), vec_scale(pins, 1 / held));
    return atan2(fabs(down.z), -down.y);
}

/* How far out a ray from the origin at this angle meets the line from a to b in the plane. */
static double ray_meets(const double a[2], const double b[2], double angle)
{
    double c = cos(angle), s = sin(angle);
    double left_a = c * a[1] - s * a[0], left_b = c * b[1] - s * b[0]; /* distances from the ray */
    double share = left_a == left_b ? 0 : left_a / (left_a - left_b);
    share = fmin(fmax(share, 0), 1);
    return c * (a[0] + share * (b[0] - a[0])) + s * (a[1] + share * (b[1] - a[1]));
}

/* The shadow covers each ray out to the farthest edge that crosses it. */
static void cast_shadow(const double a[2], const double b[2], double far[SECTORS])
{
    double from = atan2(a[1], a[0]), turn = atan2(b[1], b[0]) - from;
    if (turn > TWO_PI / 2) turn -= TWO_PI;
    if (turn < -TWO_PI / 2) turn += TWO_PI;
    double low = turn < 0 ? from + turn : from, high = turn < 0 ? from : from + turn, step = TWO_PI / SECTORS;
    for (int i = (int)ceil(low / step); i <= (int)floor(high / step); i++) {
        double *sector = &far[(i + 2 * SECTORS) % SECTORS];
        *sector = fmax(*sector, ray_meets(a, b, i * step));
    }
}

double drape_shadow(const drape_gauge *g, const float *xyz)
{
    double far[SECTORS] = {0}, area = 0;
    for (int e = 0; e < g->topology.nedges; e++) {
        vec3 p = at(xyz, g->topology.edge[e].a), q = at(xyz, g->topology.edge[e].b);
        cast_shadow((double[2]){p.x, p.z}, (double[2]){q.x, q.z}, far);
    }
    for (int i = 0; i < SECTORS; i++) area += far[i] * far[(i + 1) % SECTORS] / 2 * sin(TWO_PI / SECTORS);
    return area;
}

/* ---- Folds ---- */

static int highest(const double *height, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (height[i] > height[best]) best = i;
    return best;
}

/* Follows the profile and remembers the last extreme. The profile turns when a height is farther from that extreme than
 * the prominence. A closed profile starts and ends at its highest place, which is a turn of its own. */
int drape_folds(const double *height, int n, double prominence, bool closed)
{
    int start = closed ? highest(height, n) : 0, turns = 0, way = 0;
    double low = height[start], high = low;
    for (int i = 1; i < n + closed; i++) {
        double here = height[(start + i) % n];
        low = fmin(low, here);
        high = fmax(high, here);
        if (way >= 0 && here < high - prominence) {
            turns += way > 0;
            way = -1, low = here;
        } else if (way <= 0 && here > low + prominence) {
            turns += way < 0;
            way = 1, high = here;
        }
    }
    return closed ? (turns + (way != 0)) / 2 : turns;
}
