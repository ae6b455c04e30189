/* Draws the pictures of experiments with the code of `taut render`. */
#ifndef TOOLS_PAPER_DRAW_H
#define TOOLS_PAPER_DRAW_H

#include "result.h"

/* Whether there is a module that draws; else fills the cause. */
bool paper_draw_ready(taut_error *error);
bool paper_draw_picture(const paper_picture *picture, const char *path, taut_error *error);

#endif
