/* Isometric bending (Bergou 2006; the notes): shared by its flat and its curved kind.
 *
 *     E = 1/2 * 3/(A0 + A1) * |sum K_i p_i|^2,   K from cotangents at the edge
 *
 * The notes (docs/constraints.md) project C = E, which only quarters E in a step. C = |sum K p| is a span, which one
 * step solves exactly. |sum K p| is |e| phi for small angles. The particles are (p1, p2, p3, p4) as in the dihedral
 * angle. The fields are K1, K2, K3 (K4 is minus their sum), d of the curved kind, and the weight. */
#ifndef TAUT_CONSTRAINTS_ISOMETRIC_H
#define TAUT_CONSTRAINTS_ISOMETRIC_H

#include "constraints/hinge.h"
#include "constraints/span.h"

enum { ISOMETRIC_PARTICLES = 4 };

TT_INLINE void isometric_coefficients(const lane *data, lane *a)
{
    a[0] = data[0], a[1] = data[1], a[2] = data[2];
    a[3] = -(data[0] + data[1] + data[2]);
}

static inline double cotangent(vec3 a, vec3 b) { return vec_dot(a, b) / vec_length(vec_cross(a, b)); }

/* Emits the hinges that are flat at rest, or (`curved`) all others. A hinge counts as flat below a millionth of a
 * radian, where a signed rest value would be rounding noise. */
static inline bool isometric_create(tt_maker *maker, bool curved)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_ISOMETRIC || !(bend->stiffness > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[ISOMETRIC_PARTICLES] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        hinge_points h = hinge_points_of(mesh, hinge);
        if (!h.sound) continue;
        vec3 e = vec_sub(h.p[3], h.p[2]), back = vec_scale(e, -1);
        double c1 = cotangent(e, vec_sub(h.p[0], h.p[2])), c2 = cotangent(e, vec_sub(h.p[1], h.p[2]));
        double c3 = cotangent(back, vec_sub(h.p[0], h.p[3])), c4 = cotangent(back, vec_sub(h.p[1], h.p[3]));
        double data[4] = {-c1 - c3, -c2 - c4, c3 + c4, 0};
        vec3 b = vec_scale(vec_sub(h.p[0], h.p[3]), data[0]);
        b = vec_add(b, vec_scale(vec_sub(h.p[1], h.p[3]), data[1]));
        b = vec_add(b, vec_scale(vec_sub(h.p[2], h.p[3]), data[2]));
        bool is_curved = !bend->flat && vec_length(b) > 1e-6 * vec_length(e);
        if (is_curved != curved) continue;
        if (curved) data[3] = vec_dot(b, vec_add(h.n1, h.n2)) < 0 ? -vec_length(b) : vec_length(b);
        double measure = tt_hinge_measure(mesh, hinge) / vec_dot(e, e);
        if (!tt_emit(maker, particle, data, tt_hinge_scale(mesh, hinge), measure)) return false;
    }
    return true;
}

#endif
