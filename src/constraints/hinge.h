/* Rest geometry of two triangles over an edge, shared by the hinge constraints. */
#ifndef TAUT_CONSTRAINTS_HINGE_H
#define TAUT_CONSTRAINTS_HINGE_H

#include "base/vec.h"
#include "constraints/kernel.h"

typedef struct hinge_points {
    vec3 p[4];   /* p1, p2 far; p3, p4 the edge         */
    vec3 n1, n2; /* normals, twice the areas long       */
    bool sound;  /* both triangles have area: bending means something here */
} hinge_points;

static inline hinge_points hinge_points_of(const taut_mesh *mesh, const tt_hinge *hinge)
{
    const float *x = mesh->x;
    hinge_points h = {.p = {vec_of(&x[3 * hinge->p1]), vec_of(&x[3 * hinge->p2]), vec_of(&x[3 * hinge->p3]),
                            vec_of(&x[3 * hinge->p4])}};
    h.n1 = vec_cross(vec_sub(h.p[2], h.p[0]), vec_sub(h.p[3], h.p[0]));
    h.n2 = vec_cross(vec_sub(h.p[3], h.p[1]), vec_sub(h.p[2], h.p[1]));
    vec3 e = vec_sub(h.p[3], h.p[2]);
    double thin = 1e-12 * vec_dot(e, e); /* relative to the edge: twice the area of a sliver */
    h.sound = vec_length(h.n1) > thin && vec_length(h.n2) > thin;
    return h;
}

#endif
