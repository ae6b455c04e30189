/* Geometry of two triangles over an edge, shared by the hinge constraints: at rest, and in lanes. */
#ifndef TAUT_CONSTRAINTS_HINGE_H
#define TAUT_CONSTRAINTS_HINGE_H

#include "base/vec.h"
#include "constraints/kernel.h"

typedef struct hinge_points {
    vec3 p[4];   /* p1, p2 far; p3, p4 the edge         */
    vec3 n1, n2; /* normals, twice the areas long       */
    bool sound;  /* both triangles have an area, so that there is an angle */
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

/* The normals of a hinge now, positions relative to its first particle. */
typedef struct hinge_normals {
    lane3 e, N1, N2;
    lane square1, square2; /* of the normals */
} hinge_normals;

TT_INLINE hinge_normals hinge_normals_of(const lane3 *r)
{
    hinge_normals n = {.e = sub3(r[3], r[2]),
                       .N1 = cross3(sub3(r[2], r[0]), sub3(r[3], r[0])),
                       .N2 = cross3(sub3(r[3], r[1]), sub3(r[2], r[1]))};
    n.square1 = dot3(n.N1, n.N1);
    n.square2 = dot3(n.N2, n.N2);
    return n;
}

/* U = |e| times the gradient of the angle (SBD eq. 40-46). A triangle without area adds nothing. */
TT_INLINE void hinge_gradient(const lane3 *r, const hinge_normals *n, lane3 *U)
{
    lane3 n1 = scale3(lane_divide(lane_all(-1), n->square1), n->N1);
    lane3 n2 = scale3(lane_divide(lane_all(-1), n->square2), n->N2);
    lane ee = dot3(n->e, n->e);
    U[0] = scale3(ee, n1);
    U[1] = scale3(ee, n2);
    U[2] = add3(scale3(dot3(sub3(r[0], r[3]), n->e), n1), scale3(dot3(sub3(r[1], r[3]), n->e), n2));
    U[3] = add3(scale3(dot3(sub3(r[2], r[0]), n->e), n1), scale3(dot3(sub3(r[2], r[1]), n->e), n2));
}

#endif
