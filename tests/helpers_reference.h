/* The reference solver on an element of the kernels' tests: the same rest data, but other code. */
#ifndef TAUT_TESTS_HELPERS_REFERENCE_H
#define TAUT_TESTS_HELPERS_REFERENCE_H

#include "helpers.h"
#include "reference.h"

static inline bool has_reference(const variant *a) { return !a->sided; }

static inline bool is_kind(const variant *a, const char *name) { return strcmp(a->kind, name) == 0; }

/* The slot of particle k of the reference, which numbers the edge of a hinge first. */
static inline int reference_slot(const variant *a, int k)
{
    bool hinge = is_kind(a, "isometric") || is_kind(a, "isometric_curved");
    return hinge ? (k + 2) % 4 : k;
}

static inline ref_forms reference_forms(const variant *a)
{
    return (ref_forms){(ref_stretch_form)a->stretch_form, (ref_shear_form)a->shear_form};
}

static inline ref_double_strain_tri reference_tri(const element *e, const tt_tuning *tuning)
{
    const double *d = e->data;
    return (ref_double_strain_tri){.i = {0, 1, 2},
                                   .c = {{d[0], d[1]}, {d[2], d[3]}},
                                   .det = d[0] * d[3] - d[1] * d[2],
                                   .s = {(double)tuning->rest[0], (double)tuning->rest[1]}};
}

static inline ref_double_strain_tet reference_tet(const element *e, const tt_tuning *tuning)
{
    ref_double_strain_tet c = {.i = {0, 1, 2, 3}};
    vec3 column[3];
    for (int j = 0; j < 3; j++) {
        memcpy(c.c[j], &e->data[3 * j], sizeof c.c[j]);
        column[j] = (vec3){c.c[j][0], c.c[j][1], c.c[j][2]};
        c.s[j] = (double)tuning->rest[j];
    }
    c.det = vec_dot(column[0], vec_cross(column[1], column[2]));
    return c;
}

static inline ref_double_isometric reference_isometric(const variant *a, const element *e)
{
    const double *d = e->data;
    bool curved = is_kind(a, "isometric_curved");
    return (ref_double_isometric){
        .i = {0, 1, 2, 3}, .K = {d[2], -(d[0] + d[1] + d[2]), d[0], d[1]}, .d = curved ? d[3] : 0};
}

/* C and its gradient, slots in the library's order. */
static inline double reference_value(const variant *a, const element *e, const tt_tuning *tuning, int mode,
                                     vec3 *gradient)
{
    ref_double_vec3 p[MAX_SLOTS], g[MAX_SLOTS];
    double C = NAN, kappa = (double)tuning->slack;
    for (int k = 0; k < e->slots; k++) memcpy(&p[k], &e->x[reference_slot(a, k)], sizeof p[k]);
    if (is_kind(a, "distance") || is_kind(a, "stick")) {
        ref_double_distance c = {{0, 1}, e->data[0]};
        C = ref_double_distance_gradient(&c, p, g);
    } else if (is_tether(a)) {
        ref_double_tether c = {0, p[1], e->data[0] * kappa};
        C = ref_double_tether_gradient(&c, p, g);
    } else if (is_kind(a, "strain_tri")) {
        ref_double_strain_tri c = reference_tri(e, tuning);
        C = ref_double_strain_tri_gradient(&c, reference_forms(a), mode, p, g);
    } else if (is_kind(a, "strain_tet")) {
        ref_double_strain_tet c = reference_tet(e, tuning);
        C = ref_double_strain_tet_gradient(&c, reference_forms(a), mode, p, g);
    } else if (is_kind(a, "dihedral")) {
        ref_double_dihedral c = {{0, 1, 2, 3}, e->data[0]};
        C = ref_double_dihedral_gradient(&c, p, g);
    } else if (is_kind(a, "triangle_bend")) {
        ref_double_triangle_bend c = {{0, 1, 2}, e->data[0]};
        C = ref_double_triangle_bend_gradient(&c, kappa, p, g);
    } else if (is_kind(a, "midpoint_bend")) {
        ref_double_midpoint_bend c = {{0, 1, 2, 3}, fabs(e->data[0])};
        C = ref_double_midpoint_bend_gradient(&c, kappa, p, g);
    } else {
        ref_double_isometric c = reference_isometric(a, e);
        C = ref_double_isometric_gradient(&c, p, g);
    }
    for (int k = 0; k < e->particles; k++) memcpy(&gradient[reference_slot(a, k)], &g[k], sizeof g[k]);
    return C;
}

/* Projects all modes once; moves e->x. */
static inline void reference_project(const variant *a, element *e, const tt_tuning *tuning, ref_double_stiffness s)
{
    ref_double_vec3 p[MAX_SLOTS];
    double w[MAX_SLOTS], kappa = (double)tuning->slack;
    ref_bend_mode mode = (ref_bend_mode)tuning->bend_mode;
    for (int k = 0; k < e->slots; k++) {
        memcpy(&p[k], &e->x[reference_slot(a, k)], sizeof p[k]);
        w[k] = e->w[reference_slot(a, k)];
    }
    if (is_kind(a, "distance") || is_kind(a, "stick")) {
        ref_double_distance c = {{0, 1}, e->data[0]};
        ref_double_distance_project(&c, 1, p, w, s);
    } else if (is_tether(a)) {
        ref_double_tether c = {0, p[1], e->data[0] * kappa};
        ref_double_tether_project(&c, 1, p, w, s);
    } else if (is_kind(a, "strain_tri")) {
        ref_double_strain_tri c = reference_tri(e, tuning);
        ref_double_strain_tri_project(&c, 1, reference_forms(a), p, w, s);
    } else if (is_kind(a, "strain_tet")) {
        ref_double_strain_tet c = reference_tet(e, tuning);
        ref_double_strain_tet_project(&c, 1, reference_forms(a), p, w, s);
    } else if (is_kind(a, "dihedral")) {
        ref_double_dihedral c = {{0, 1, 2, 3}, e->data[0]};
        ref_double_dihedral_project(&c, 1, p, w, s);
    } else if (is_kind(a, "triangle_bend")) {
        ref_double_triangle_bend c = {{0, 1, 2}, e->data[0]};
        ref_double_triangle_bend_project(&c, 1, kappa, mode, p, w, s);
    } else if (is_kind(a, "midpoint_bend")) {
        ref_double_midpoint_bend c = {{0, 1, 2, 3}, fabs(e->data[0])};
        ref_double_midpoint_bend_project(&c, 1, kappa, mode, p, w, s);
    } else {
        ref_double_isometric c = reference_isometric(a, e);
        ref_double_isometric_project(&c, 1, p, w, s);
    }
    for (int k = 0; k < e->particles; k++) memcpy(&e->x[reference_slot(a, k)], &p[k], sizeof p[k]);
}

#endif
