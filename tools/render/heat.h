/* Heat maps: measures as colours. */
#ifndef TOOLS_RENDER_HEAT_H
#define TOOLS_RENDER_HEAT_H

#include "clip.h"

typedef struct heat_map {
    taut_measure measure;
    float low, high;
    unsigned char color[256][3]; /* sRGB, from low to high */
} heat_map;

/* Blue, white, red about 0; pale to dark for what has no sign. */
void heat_open(heat_map *h, taut_measure measure);
/* A round range that holds all but the outermost hundredth of values up to `largest` in size. */
void heat_set_range(heat_map *h, float largest);

/* Values at the vertices of an object; false when memory ran out. */
bool heat_measure(const heat_map *h, const clip_object *object, const float *xyz, float *per_vertex);
/* The size that all but a hundredth of the values stay below; changes their order. */
float heat_extent(float *value, int count);
void heat_color(const heat_map *h, const float *value, int count, unsigned char *rgb);

#endif
