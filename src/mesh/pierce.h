/* What segments and triangles have in common, without rounding. Segments without length and triangles without area are
 * fine. */
#ifndef TAUT_MESH_PIERCE_H
#define TAUT_MESH_PIERCE_H

#include <stdbool.h>

/* Whether they have a point in common. Ends, sides and corners belong to both, so touching counts. */
bool tt_pierces(const float p[3], const float q[3], const float *const corner[3]);

/* Whether two triangles with an area lie in one plane, and a side of one keeps them apart there: they have no more than
 * points of their sides in common. */
bool tt_side_by_side(const float *const a[3], const float *const b[3]);

#endif
