/* Triangle bending over an edge (TB 4.1): shared by its plain and its sided kind.
 *
 * The base is the far vertices of two triangles, the tip the midpoint of their shared edge. Particles (p1, p2, p3, p4)
 * as in the dihedral angle; a span with a = (-1, -1, 1, 1)/3 and d = h0 + kappa; fields h0, weight. Physical stiffness:
 * bending rigidity, N m. */
#ifndef TAUT_CONSTRAINTS_MIDPOINT_H
#define TAUT_CONSTRAINTS_MIDPOINT_H

#include "constraints/hinge.h"
#include "constraints/span.h"

enum { MIDPOINT_PARTICLES = 4, MIDPOINT_FIELDS = 2 };

/* If sides are wanted, the hinges whose rest height stands out of the surface are of the sided kind. All others are of
 * the plain kind. In a flat patch the height of uneven triangles lies in the surface, so it has no side. */
static inline bool midpoint_create(tt_maker *maker, bool sided)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_TRIANGLE || bend->creation != TAUT_BEND_MIDPOINT) return true;
    if (!(bend->stiffness > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[MIDPOINT_PARTICLES] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        hinge_points h = hinge_points_of(mesh, hinge);
        if (!h.sound) continue;
        vec3 e = vec_sub(h.p[3], h.p[2]), normal = vec_cross(e, vec_sub(h.p[1], h.p[0]));
        vec3 b = vec_add(vec_sub(h.p[2], h.p[0]), vec_sub(h.p[3], h.p[1]));
        double out = vec_dot(b, normal) / vec_length(normal);
        bool stands = bend->sided && !bend->flat && fabs(out) > 0.7 * vec_length(b);
        if (stands != sided) continue;
        double flat = sqrt(fmax(vec_dot(b, b) - out * out, 0)) / 3;
        double h0 = bend->flat ? flat : (sided && out < 0 ? -1 : 1) * vec_length(b) / 3;
        /* |b| = height phi / 3 for triangles of mean height over the edge */
        double height = (vec_length(h.n1) + vec_length(h.n2)) / 2 / vec_length(e);
        double measure = tt_hinge_measure(mesh, hinge) * 9 / (height * height);
        if (!tt_emit(maker, particle, &h0, tt_hinge_scale(mesh, hinge), measure)) return false;
    }
    return true;
}

#endif
