#ifndef TOOLS_RENDER_LEGEND_H
#define TOOLS_RENDER_LEGEND_H

#include "font.h"
#include "heat.h"

/* The colours of a heat map with their numbers, at the right of the picture. */
void legend_draw(const picture *p, const heat_map *h);

#endif
