/* Material axes of triangles and tets. */
#ifndef TAUT_MESH_FRAME_H
#define TAUT_MESH_FRAME_H

#include "base/vec.h"
#include "taut.h"

#include <stdbool.h>

/* The warp direction of triangle t in its plane, of any length: from its UVs (SBD eq. 37), else from its direction or
 * the axis, else along its first edge. e1 and e2 are its edges from corner 0. `flip` becomes true if the UVs run round
 * the other way than the triangle. */
static inline vec3 tt_warp(const taut_mesh *mesh, const float axis[3], int t, vec3 e1, vec3 e2, bool *flip)
{
    *flip = false;
    if (mesh->uv) {
        const float *uv = &mesh->uv[6 * (size_t)t];
        double u1 = (double)uv[2] - (double)uv[0], v1 = (double)uv[3] - (double)uv[1];
        double u2 = (double)uv[4] - (double)uv[0], v2 = (double)uv[5] - (double)uv[1];
        double det = u1 * v2 - u2 * v1;
        vec3 warp = vec_sub(vec_scale(e1, v2), vec_scale(e2, v1)); /* t_u * det */
        double size = fabs(u1 * v2) + fabs(u2 * v1);
        if (fabs(det) > 1e-9 * size && vec_length(warp) > 0) {
            *flip = det < 0;
            return vec_scale(warp, det < 0 ? -1 : 1);
        }
    }
    vec3 d = vec_of(mesh->direction ? &mesh->direction[3 * (size_t)t] : axis), normal = vec_cross(e1, e2);
    vec3 flat = vec_sub(d, vec_scale(normal, vec_dot(d, normal) / vec_dot(normal, normal)));
    return vec_length(flat) > 1e-6 * vec_length(d) ? flat : e1;
}

/* Q^-1 of triangle t by rows, Q = [n1 n2]^T [e1 e2] (SBD eq. 38), and its area. A sliver has no frame: false. */
static inline bool tt_triangle_frame(const taut_mesh *mesh, const float axis[3], int t, double inverse[4], double *area)
{
    const int *v = &mesh->tri[3 * (size_t)t];
    vec3 p0 = vec_of(&mesh->x[3 * (size_t)v[0]]);
    vec3 e1 = vec_sub(vec_of(&mesh->x[3 * (size_t)v[1]]), p0), e2 = vec_sub(vec_of(&mesh->x[3 * (size_t)v[2]]), p0);
    vec3 normal = vec_cross(e1, e2);
    double twice = vec_length(normal);
    if (!(twice > 1e-9 * (vec_dot(e1, e1) + vec_dot(e2, e2)))) return false;
    bool flip;
    vec3 n1 = tt_warp(mesh, axis, t, e1, e2, &flip);
    n1 = vec_scale(n1, 1 / vec_length(n1));
    vec3 n2 = vec_scale(vec_cross(normal, n1), (flip ? -1 : 1) / twice);
    double q11 = vec_dot(n1, e1), q12 = vec_dot(n1, e2), q21 = vec_dot(n2, e1), q22 = vec_dot(n2, e2);
    double det = q11 * q22 - q12 * q21;
    inverse[0] = q22 / det, inverse[1] = -q12 / det;
    inverse[2] = -q21 / det, inverse[3] = q11 / det;
    *area = twice / 2;
    return true;
}

/* Orthonormal axes of tet t from the mesh's frame (Gram-Schmidt on x, then y; right-handed), or else x, y and z. */
static inline void tt_tet_axes(const taut_mesh *mesh, int t, vec3 axis[3])
{
    axis[0] = (vec3){1, 0, 0}, axis[1] = (vec3){0, 1, 0}, axis[2] = (vec3){0, 0, 1};
    if (!mesh->frame) return;
    vec3 x = vec_of(&mesh->frame[9 * (size_t)t]), y = vec_of(&mesh->frame[9 * (size_t)t + 3]);
    double xx = vec_dot(x, x);
    if (!(xx > 0)) return;
    vec3 flat = vec_sub(y, vec_scale(x, vec_dot(x, y) / xx));
    if (!(vec_length(flat) > 1e-6 * vec_length(y))) return;
    axis[0] = vec_scale(x, 1 / sqrt(xx));
    axis[1] = vec_scale(flat, 1 / vec_length(flat));
    axis[2] = vec_cross(axis[0], axis[1]);
}

/* Q^-1 of tet t by rows, and its volume. A flat tet has no frame: false. */
static inline bool tt_tet_frame(const taut_mesh *mesh, int t, double inverse[9], double *volume)
{
    const int *v = &mesh->tet[4 * (size_t)t];
    vec3 axis[3], e[3], p0 = vec_of(&mesh->x[3 * (size_t)v[0]]);
    tt_tet_axes(mesh, t, axis);
    double size = 0;
    for (int k = 0; k < 3; k++) {
        vec3 edge = vec_sub(vec_of(&mesh->x[3 * (size_t)v[k + 1]]), p0);
        e[k] = (vec3){vec_dot(axis[0], edge), vec_dot(axis[1], edge), vec_dot(axis[2], edge)};
        size = fmax(size, vec_length(edge));
    }
    double det = vec_dot(e[0], vec_cross(e[1], e[2]));
    if (!(fabs(det) > 1e-9 * size * size * size)) return false;
    /* Row k is the cross product of the other two edges over det. */
    vec3 row[3] = {vec_cross(e[1], e[2]), vec_cross(e[2], e[0]), vec_cross(e[0], e[1])};
    for (int k = 0; k < 3; k++) {
        inverse[3 * k] = row[k].x / det;
        inverse[3 * k + 1] = row[k].y / det;
        inverse[3 * k + 2] = row[k].z / det;
    }
    *volume = fabs(det) / 6;
    return true;
}

#endif
