/* Draws one frame after the other into the output, with the right view and colours. */
#ifndef TOOLS_RENDER_SHOW_H
#define TOOLS_RENDER_SHOW_H

#include "clip.h"
#include "heat.h"
#include "output.h"

typedef struct show {
    clip *clip;
    const paint_module *module;
    output *out;
    const int *frame; /* numbers of the frames to draw, ascending */
    int nframes;
    float azimuth, elevation; /* of the camera, in degrees */
    bool own_view;            /* use these angles even if the scene has a camera */
    bool wire, heated, ranged; /* ranged: the range of `heat` is given */
    heat_map heat;
    /* Marks triangles that get a striking colour, with a byte for each triangle of all objects. NULL: none do. */
    bool (*mark)(void *marker, const float *xyz, unsigned char *marked, taut_error *error);
    void *marker;
    bool (*simulated)(int done, int all), (*drawn)(int done, int all); /* progress; false: stop */
} show;

bool show_run(show *s, taut_error *error);

#endif
