/* A tiny pattern out of the plane of a flat mesh. Without it an exactly flat sheet has no side to which it could
 * buckle, so it would stay flat and overlap itself where it is gathered. */
#ifndef TAUT_MESH_IMPERFECTION_H
#define TAUT_MESH_IMPERFECTION_H

#include "base/vec.h"

#include <stdbool.h>

/* The plane of a flat mesh. */
typedef struct tt_plane {
    vec3 centre, along, across, normal; /* the last three of length 1, at right angles */
    double size;                        /* how far the farthest vertex is from the centre */
} tt_plane;

/* The plane that contains all points up to the rounding of their coordinates; false when there is none. `xyz` has 4
 * numbers a point, the fourth is not read. */
bool tt_plane_of(const float *xyz, int count, tt_plane *plane);

/* How far a point of the plane is moved along the normal, from -1 to 1: a sum of waves, the longest as long as the
 * mesh, the shortest at least four times `edge`. */
double tt_imperfection_at(const tt_plane *plane, double edge, const float *point);

#endif
