/* The interface between the tool and the module that draws (taut-render.so).
 *
 * Only the module knows EGL, OpenGL ES and PNG. The tool loads it when there is something to draw. The module draws one
 * picture of plain triangles at a time and keeps nothing of it for the next one. */
#ifndef TOOLS_RENDER_PAINTER_H
#define TOOLS_RENDER_PAINTER_H

#include <stdbool.h>
#include <stddef.h>

/* Colours are sRGB, 0..255. `front` is seen where the triangle runs counter-clockwise. The fourth number of `front`
 * is the gloss of the surface, 0 cloth .. 255 smooth. That of `back` says what the colours are for: 0 to be lit, 255
 * to be read off, so that they keep their hue and are shaded only a little. */
typedef struct paint_vertex {
    float position[3], normal[3];
    unsigned char front[4], back[4];
} paint_vertex;

typedef struct paint_view {
    float eye[3], target[3];
    float fov; /* degrees, of the picture's height */
} paint_view;

typedef struct paint_scene {
    paint_view view;
    const paint_vertex *vertex;
    const unsigned *triangle, *edge; /* 3 and 2 vertices each; edges are drawn as a wireframe */
    int nvertices, ntriangles, nedges;
    float center[3], radius; /* a sphere around everything that throws a shadow */
    bool ground;
    float ground_height;
} paint_scene;

typedef struct painter painter;

typedef struct paint_message {
    char text[400];
} paint_message;

/* The module's functions. Those that can fail fill `why` and return NULL, false or 0. */
typedef struct paint_module {
    painter *(*open)(int width, int height, paint_message *why);
    /* rgb: 3 bytes a pixel, the upper row first */
    bool (*draw)(painter *p, const paint_scene *scene, unsigned char *rgb, paint_message *why);
    void (*close)(painter *p);
    /* PNG bytes of a picture, to be freed with free(); NULL on failure. `quick` trades size for speed. */
    unsigned char *(*encode)(const unsigned char *rgb, int width, int height, bool quick, size_t *size,
                             paint_message *why);
} paint_module;

#define PAINT_MODULE_SYMBOL "taut_paint_module"

#endif
