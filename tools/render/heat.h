/* Heat maps: measures as colours. */
#ifndef TOOLS_RENDER_HEAT_H
#define TOOLS_RENDER_HEAT_H

#include "clip.h"

typedef struct heat_map {
    taut_measure measure;
    float low, high;
    unsigned char color[256][3]; /* sRGB, from low to high */
} heat_map;

/* Colours: blue, white and red around 0; pale to dark for measures without a sign. */
void heat_open(heat_map *h, taut_measure measure);
/* Sets a range with round ends for values up to `largest` in size; see heat_extent. */
void heat_set_range(heat_map *h, float largest);

/* Values at the vertices of an object; false when memory ran out. */
bool heat_measure(const heat_map *h, const clip_object *object, const float *xyz, float *per_vertex);
/* The size below which 99 % of the values stay. Replaces the values by their sizes and sorts them. */
float heat_extent(float *value, int count);
void heat_color(const heat_map *h, const float *value, int count, unsigned char *rgb);

#endif
