/* Small letters drawn with a pen, for legends. */
#ifndef TOOLS_RENDER_FONT_H
#define TOOLS_RENDER_FONT_H

typedef struct picture {
    int width, height;
    unsigned char *rgb; /* the upper row first */
} picture;

/* Draws text with its left end at x and its base line at y; `size` is the height of a capital in pixels. It knows
 * small letters, digits and + - . % ( ) / _; other characters leave a gap. */
void font_draw(const picture *p, float x, float y, float size, const char *text, const unsigned char color[3]);
float font_width(float size, const char *text);

/* A rectangle with smooth edges. */
void picture_fill(const picture *p, float x0, float y0, float x1, float y1, const unsigned char color[3], float alpha);

#endif
