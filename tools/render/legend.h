#ifndef TOOLS_RENDER_LEGEND_H
#define TOOLS_RENDER_LEGEND_H

#include "font.h"
#include "heat.h"

/* How wide the strip is, at the right of a picture of this size, that the legend has for itself. */
int legend_width(const heat_map *h, int width, int height);
/* The strip, with the colours of a heat map and their numbers. */
void legend_draw(const picture *p, const heat_map *h);

#endif
