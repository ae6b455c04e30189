/* Plots and pictures that a result will have. */
#ifndef PAPERS_GRAPHICS_H
#define PAPERS_GRAPHICS_H

#include "result.h"

typedef struct paper_graphic {
    bool plotted; /* else it is a picture */
    paper_plot plot;
    paper_picture picture;
    struct paper_graphic *before;
} paper_graphic;

/* Writes all files. */
bool paper_write_graphics(const paper_result *r, taut_error *error);
bool paper_write_plot(const paper_plot *plot, const char *path, taut_error *error);

#endif
