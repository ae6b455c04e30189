/* The ground: a disc whose vertices carry the light of the sky. */
#ifndef TOOLS_RENDER_GL_GROUND_H
#define TOOLS_RENDER_GL_GROUND_H

#include "gl_context.h"
#include "gl_sky.h"

enum { GROUND_RINGS = 64, GROUND_SPOKES = 96, GROUND_VERTICES = GROUND_RINGS * GROUND_SPOKES };

typedef struct ground_vertex {
    float position[3], normal[3];
} ground_vertex;

typedef struct gl_ground {
    float place[GROUND_VERTICES][2]; /* on a disc of radius 1; rings grow wider outwards */
    ground_vertex vertex[GROUND_VERTICES];
    sky_sides sky[GROUND_VERTICES];
    GLuint array, places, skies, indices;
} gl_ground;

bool gl_ground_open(gl_ground *g);
/* Fills the sky's light for a disc of radius `reach` around `center`. */
void gl_ground_light(gl_ground *g, const sky *s, point center, float reach);
void gl_ground_draw(const gl_ground *g);

#endif
