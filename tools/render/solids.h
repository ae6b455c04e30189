/* Solid shapes: colliders, and the lines of ropes and branches. */
#ifndef TOOLS_RENDER_SOLIDS_H
#define TOOLS_RENDER_SOLIDS_H

#include "skin.h"

/* Adds a capsule from a to b; a sphere if a and b are the same. */
bool add_capsule(batch *b, const float a[3], const float end[3], float radius, int around,
                 const unsigned char color[4]);
/* Colliders as they are; planes other than the ground as a disc of that size. */
bool add_collider(batch *b, const taut_collider_def *collider, const float center[3], float reach);
/* The 8 corners of the box around the collider, along the axes of the collider. */
void collider_corners(const taut_collider_def *collider, float corner[8][3]);
bool add_lines(batch *b, const clip_object *object, const float *xyz, float radius, const unsigned char color[4]);

#endif
