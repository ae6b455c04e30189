#ifndef TOOLS_RENDER_LEGEND_H
#define TOOLS_RENDER_LEGEND_H

#include "font.h"
#include "heat.h"

/* The width of the legend's own strip, at the right of a picture of this size. */
int legend_width(const heat_map *h, int width, int height);
/* Draws the strip, with the colours of a heat map and their numbers. */
void legend_draw(const picture *p, const heat_map *h);

#endif
