/* Dihedral bending (SBD eq. 39-46, signed): the angle between two triangles over an edge.
 *
 *     e = p4 - p3,  N1 = (p3-p1) x (p4-p1),  N2 = (p4-p2) x (p3-p2),  n_i = N_i/|N_i|^2
 *     phi = atan2((N1 x N2).e/|e|, N1.N2),   C = wrap(phi - phi0) into (-pi, pi]
 *     grad_1 = -|e| n1,   grad_3 = -[(p1-p4).e n1 + (p2-p4).e n2]/|e|,   ...,   their sum is 0
 *
 * N1 x N2 = e N1.(p3-p2), as both are normal to e, so the sine is |e| N1.(p3-p2). U = |e| grad has no division by |e|,
 * and rho = |e|. A triangle without area adds nothing to the gradient; an edge without length does nothing. Physical
 * stiffness: bending rigidity, N m. */
#include "constraints/hinge.h"

enum { PARTICLES = 4, FIELDS = 2 };

TT_INLINE tt_mode_value dihedral_mode(const lane3 *r, const lane *w, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    const lane zero = lane_all(0), pi = lane_all((real)TT_PI), turn = lane_all((real)(2 * TT_PI));
    hinge_normals n = hinge_normals_of(r);
    lane ee = dot3(n.e, n.e);
    tt_mode_value m;
    lane length = lane_sqrt(ee);
    lane phi = lane_atan2(length * dot3(n.N1, sub3(r[2], r[1])), dot3(n.N1, n.N2));
    lane C = phi - data[0];
    C = lane_select(lane_less(pi, C), C - turn, C);
    C = lane_select(lane_less(C, -pi), C + turn, C);
    lane3 U[PARTICLES];
    hinge_gradient(r, &n, U);
    lane D = lane_all(0), squares = D, sum_of_w = D;
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) {
        lane square = dot3(U[k], U[k]);
        m.U[k] = U[k];
        D = D + w[k] * square;
        squares = squares + square;
        sum_of_w = sum_of_w + w[k];
    }
    m.lever = (tt_lever){C, length, length, lane_select(lane_less(zero, ee), D, zero), lever_least(sum_of_w, squares)};
    return m;
}

TT_MODE_KERNELS(PARTICLES, FIELDS, dihedral_mode)

static double angle(const hinge_points *h)
{
    vec3 e = vec_sub(h->p[3], h->p[2]), n1 = h->n1, n2 = h->n2;
    return tt_atan2(vec_dot(vec_cross(n1, n2), e), vec_length(e) * vec_dot(n1, n2));
}

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_DIHEDRAL || !(bend->stiffness > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[PARTICLES] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        hinge_points points = hinge_points_of(mesh, hinge);
        if (!points.sound) continue;
        double phi0 = bend->flat ? 0 : angle(&points);
        double scale = tt_hinge_scale(mesh, hinge), measure = tt_hinge_measure(mesh, hinge);
        if (!tt_emit(maker, particle, &phi0, scale, measure)) return false;
    }
    return true;
}

const tt_kind TT_NAME(tt_dihedral) = {
    .name = "dihedral", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .damp = damp, .value = value,
};
