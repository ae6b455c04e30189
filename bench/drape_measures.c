#include "drape_measures.h"

#include "base/error.h"
#include "base/quantile.h"
#include "base/vec.h"
#include "outline.h"

#include <math.h>
#include <string.h>

static vec3 at(const float *xyz, int vertex) { return vec_of(xyz + 3 * (size_t)vertex); }

/* ---- Opening ---- */

static bool take_room(drape_gauge *g)
{
    g->mass = TT_TAKE(&g->scope, double, g->nvertices);
    g->pinned = TT_TAKE(&g->scope, unsigned char, g->nvertices);
    g->number = TT_TAKE(&g->scope, double, g->topology.nedges);
    return g->mass && g->pinned && g->number;
}

static bool fill(drape_gauge *g, const taut_mesh *mesh, const taut_material *material, taut_error *error)
{
    g->measurer = taut_measurer_build(mesh, NULL, error);
    if (!g->measurer) return false;
    if (!tt_topology_build(&g->scope, mesh, &g->topology) || !take_room(g)) return tt_no_memory(error);
    if (mesh->pinned) memcpy(g->pinned, mesh->pinned, (size_t)g->nvertices);
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
    double pinned = 0, mass = 0;
    for (int v = 0; v < g->nvertices; v++) {
        vec3 p = at(xyz, v);
        if (g->pinned[v]) pins = vec_add(pins, p), pinned++;
        centre = vec_add(centre, vec_scale(p, g->mass[v]));
        mass += g->mass[v];
    }
    if (pinned == 0 || !(mass > 0)) return 0;
    vec3 down = vec_sub(vec_scale(centre, 1 / mass), vec_scale(pins, 1 / pinned));
    return atan2(fabs(down.z), -down.y);
}

double drape_shadow(const drape_gauge *g, const float *xyz)
{
    outline_shadow shadow = {0};
    for (int e = 0; e < g->topology.nedges; e++) {
        vec3 p = at(xyz, g->topology.edge[e].a), q = at(xyz, g->topology.edge[e].b);
        outline_cast(&shadow, (double[2]){p.x, p.z}, (double[2]){q.x, q.z});
    }
    return outline_area(&shadow);
}
