#include "reference_pass.h"

#include "reference_limits.h"

#include <string.h>

/* `rest` makes element `at` from the vertices of a constraint of the library; x are the rest
 * positions. */
struct reference_kind {
    const char *name;
    size_t size;
    bool (*rest)(const reference_pass *r, int at, const int *vertex, const ref_float_vec3 *x);
    void (*project)(const reference_pass *r);
};

static const float full[REF_TET_MODES] = {1, 1, 1, 1, 1, 1, 1};
static const float no_area[REF_TRI_MODES] = {1, 1, 1, 0};
static const ref_forms forms = {REF_STRETCH_SPAN, REF_SHEAR_ANGLE};

static ref_float_stiffness stiffness(const float *k) { return (ref_float_stiffness){.k = k}; }

static bool distance_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_float_distance_rest((ref_float_distance *)r->element + at, v, x);
}

static void distance_project(const reference_pass *r)
{
    ref_float_distance_project(r->element, r->count, r->p, r->w, stiffness(full));
}

/* Anchors stay where they are at the start; the limit is the distance at rest. */
static bool tether_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    ref_float_tether *tether = (ref_float_tether *)r->element + at;
    bool sound = ref_float_tether_rest(tether, v[0], x[v[1]], x);
    tether->anchor = r->start[v[1]];
    return sound;
}

static void tether_project(const reference_pass *r)
{
    ref_float_tether_project(r->element, r->count, r->p, r->w, stiffness(full));
}

static bool strain_tri_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    const ref_float_vec3 warp = {1, 0, 0};
    return ref_float_strain_tri_rest((ref_float_strain_tri *)r->element + at, v, x, warp);
}

static void strain_tri_project(const reference_pass *r)
{
    ref_float_strain_tri_project(r->element, r->count, forms, r->p, r->w, stiffness(no_area));
}

static bool strain_tet_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    const ref_float_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return ref_float_strain_tet_rest((ref_float_strain_tet *)r->element + at, v, x, axes);
}

static void strain_tet_project(const reference_pass *r)
{
    ref_float_strain_tet_project(r->element, r->count, forms, r->p, r->w, stiffness(full));
}

static bool dihedral_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_float_dihedral_rest((ref_float_dihedral *)r->element + at, v, x);
}

static void dihedral_project(const reference_pass *r)
{
    ref_float_dihedral_project(r->element, r->count, r->p, r->w, stiffness(full));
}

/* The reference counts the edge's vertices first. */
static bool hinge_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x,
                       bool flat)
{
    const int edge_first[4] = {v[2], v[3], v[0], v[1]};
    return ref_float_isometric_rest((ref_float_isometric *)r->element + at, edge_first, x, flat);
}

static bool isometric_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return hinge_rest(r, at, v, x, true);
}

static bool curved_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return hinge_rest(r, at, v, x, false);
}

static void isometric_project(const reference_pass *r)
{
    ref_float_isometric_project(r->element, r->count, r->p, r->w, stiffness(full));
}

static bool triangle_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_float_triangle_bend_rest((ref_float_triangle_bend *)r->element + at, v, x);
}

static void triangle_project(const reference_pass *r)
{
    ref_float_triangle_bend_project(r->element, r->count, 0, REF_BEND_EQUAL, r->p, r->w,
                                    stiffness(full));
}

static bool midpoint_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_float_midpoint_bend_rest((ref_float_midpoint_bend *)r->element + at, v, x);
}

static void midpoint_project(const reference_pass *r)
{
    ref_float_midpoint_bend_project(r->element, r->count, 0, REF_BEND_EQUAL, r->p, r->w,
                                    stiffness(full));
}

static bool limit_tri_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_limit_tri_rest((ref_limit_tri *)r->element + at, v, x);
}

static void limit_tri_project(const reference_pass *r)
{
    ref_limit_tri_project(r->element, r->count, r->limit->stretch[0], r->limit->stretch[1], r->p,
                          r->w);
}

static bool limit_tet_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    return ref_limit_tet_rest((ref_limit_tet *)r->element + at, v, x);
}

static void limit_tet_project(const reference_pass *r)
{
    ref_limit_tet_project(r->element, r->count, r->limit->stretch[0], r->limit->stretch[1], r->p,
                          r->w);
}

/* At a boundary the library repeats a corner. */
static bool limit_bend_rest(const reference_pass *r, int at, const int *v, const ref_float_vec3 *x)
{
    int i[6];
    memcpy(i, v, sizeof i);
    for (int k = 0; k < 3; k++)
        if (i[3 + k] == i[(k + 1) % 3]) i[3 + k] = -1;
    return ref_limit_bend_rest((ref_limit_bend *)r->element + at, i, x);
}

static void limit_bend_project(const reference_pass *r)
{
    ref_limit_bend_project(r->element, r->count, r->limit->bend[0], r->limit->bend[1], r->p, r->w);
}

/* The reference has no sided kinds, so these are compared with the plain ones. */
static const reference_kind kinds[] = {
    {"distance", sizeof(ref_float_distance), distance_rest, distance_project},
    {"stick", sizeof(ref_float_distance), distance_rest, distance_project},
    {"tether", sizeof(ref_float_tether), tether_rest, tether_project},
    {"strain_tri", sizeof(ref_float_strain_tri), strain_tri_rest, strain_tri_project},
    {"strain_tet", sizeof(ref_float_strain_tet), strain_tet_rest, strain_tet_project},
    {"dihedral", sizeof(ref_float_dihedral), dihedral_rest, dihedral_project},
    {"isometric", sizeof(ref_float_isometric), isometric_rest, isometric_project},
    {"isometric_curved", sizeof(ref_float_isometric), curved_rest, isometric_project},
    {"triangle_bend", sizeof(ref_float_triangle_bend), triangle_rest, triangle_project},
    {"triangle_bend_sided", sizeof(ref_float_triangle_bend), triangle_rest, triangle_project},
    {"midpoint_bend", sizeof(ref_float_midpoint_bend), midpoint_rest, midpoint_project},
    {"midpoint_bend_sided", sizeof(ref_float_midpoint_bend), midpoint_rest, midpoint_project},
    {"limit_tri", sizeof(ref_limit_tri), limit_tri_rest, limit_tri_project},
    {"limit_tet", sizeof(ref_limit_tet), limit_tet_rest, limit_tet_project},
    {"limit_bend", sizeof(ref_limit_bend), limit_bend_rest, limit_bend_project},
};

static const reference_kind *find_kind(const char *name)
{
    size_t i = 0;
    while (strcmp(kinds[i].name, name) != 0) i++; /* each workload has a row */
    return &kinds[i];
}

bool reference_pass_make(reference_pass *r, workload *w)
{
    const tt_kind *kind = tt_kind_table()[w->kind];
    const ref_float_vec3 *rest = (const ref_float_vec3 *)w->mesh.x;
    *r = (reference_pass){
        .kind = find_kind(kind->name),
        .vertices = w->mesh.nvertices,
        .start = (const ref_float_vec3 *)w->start,
        .p = TT_TAKE(&w->scope, ref_float_vec3, w->mesh.nvertices),
        .w = w->inverse_mass,
        .limit = &w->model->material.limit,
    };
    r->element = tt_take(&w->scope, (size_t)w->count, r->kind->size);
    if (!r->p || !r->element) return false;
    size_t slots = (size_t)(kind->particles + kind->anchors);
    for (int i = 0; i < w->count; i++)
        if (r->kind->rest(r, r->count, w->particle + (size_t)i * slots, rest)) r->count++;
    return true;
}

void reference_pass_reset(reference_pass *r)
{
    memcpy(r->p, r->start, (size_t)r->vertices * sizeof *r->p);
}

void reference_pass_run(reference_pass *r) { r->kind->project(r); }
