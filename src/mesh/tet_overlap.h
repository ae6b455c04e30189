/* Do two tets overlap? */
#ifndef TAUT_MESH_TET_OVERLAP_H
#define TAUT_MESH_TET_OVERLAP_H

#include "base/vec.h"

#include <stdbool.h>

static inline void tt_shadow(const vec3 corner[4], vec3 axis, double *low, double *high)
{
    *low = *high = vec_dot(corner[0], axis);
    for (int i = 1; i < 4; i++) {
        double at = vec_dot(corner[i], axis);
        if (at < *low) *low = at;
        if (at > *high) *high = at;
    }
}

/* Whether the projections of a and b on the axis are apart. An axis of no length separates nothing. */
static inline bool tt_axis_separates(const vec3 a[4], const vec3 b[4], vec3 axis)
{
    double low[2], high[2];
    tt_shadow(a, axis, &low[0], &high[0]);
    tt_shadow(b, axis, &low[1], &high[1]);
    double overlap = (high[0] < high[1] ? high[0] : high[1]) - (low[0] > low[1] ? low[0] : low[1]);
    return overlap <= 0 && vec_dot(axis, axis) > 0;
}

static inline bool tt_face_separates(const vec3 a[4], const vec3 b[4])
{
    for (int i = 0; i < 4; i++) {
        vec3 p = a[(i + 1) % 4], normal = vec_cross(vec_sub(a[(i + 2) % 4], p), vec_sub(a[(i + 3) % 4], p));
        if (tt_axis_separates(a, b, normal)) return true;
    }
    return false;
}

/* Two tets overlap unless an axis separates them. It is enough to try the normals of the faces, and the cross
 * product of an edge of one with an edge of the other. */
static inline bool tt_tets_overlap(const vec3 a[4], const vec3 b[4])
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    if (tt_face_separates(a, b) || tt_face_separates(b, a)) return false;
    for (int i = 0; i < 6; i++) {
        vec3 along_a = vec_sub(a[ends[i][1]], a[ends[i][0]]);
        for (int j = 0; j < 6; j++) {
            vec3 across = vec_cross(along_a, vec_sub(b[ends[j][1]], b[ends[j][0]]));
            if (tt_axis_separates(a, b, across)) return false;
        }
    }
    return true;
}

#endif
