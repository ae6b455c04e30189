/* Light of the sky, with its shadows. It makes folds dark and makes bodies appear to stand on the ground.
 *
 * The sky is a number of faint lights. Each has a small square of heights, seen along its light: the points of the
 * surface nearest to it. A point below the height is in the shadow of that light. Small squares are enough, because the
 * sum over all lights is smooth and is taken at vertices only. */
#ifndef TOOLS_RENDER_GL_SKY_H
#define TOOLS_RENDER_GL_SKY_H

#include "gl_matrix.h"
#include "painter.h"

enum { SKY_LIGHTS = 24, SKY_TILE = 128 };

typedef struct sky {
    axes light[SKY_LIGHTS];
    point center;
    float radius;
    float open; /* the light that arrives on open ground */
    float height[SKY_LIGHTS][SKY_TILE * SKY_TILE];
    point *sample; /* points spread over all triangles */
    int nsamples, room;
} sky;

/* Light on both sides of a surface. It is 1 on a level surface that sees all of the sky. */
typedef struct sky_sides {
    float front, back;
} sky_sides;

void sky_open(sky *s);
void sky_close(sky *s);
/* False when memory ran out. */
bool sky_cast_shadows(sky *s, const paint_scene *scene);
/* Positions and normals are `stride` bytes apart. */
void sky_shine(const sky *s, const float *position, const float *normal, size_t stride, int count, sky_sides *sides);

#endif
