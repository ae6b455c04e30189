/* Whether segments and triangles have points in common, without rounding. Segments may have no length and triangles no
 * area. */
#ifndef TAUT_MESH_PIERCE_H
#define TAUT_MESH_PIERCE_H

#include <stdbool.h>

/* Whether they have a point in common. Ends, sides and corners belong to both, so touching counts. */
bool tt_pierces(const float p[3], const float q[3], const float *const corner[3]);

/* Whether two triangles with an area lie in one plane, and a side of one separates them there, so that they have at
 * most points of their sides in common. */
bool tt_side_by_side(const float *const a[3], const float *const b[3]);

#endif
