/* How much of the bodies is hidden by colliders. */
#ifndef TOOLS_RENDER_HIDDEN_H
#define TOOLS_RENDER_HIDDEN_H

#include "taut.h"

/* The part of the points, 0 to 1, that cannot be seen from the eye. */
float hidden_part(const float eye[3], const float *xyz, int count, const taut_collider_def *collider, int ncolliders);

#endif
