/* OpenGL ES 3 without a display: a context, programs, and pictures to draw in. */
#ifndef TOOLS_RENDER_GL_CONTEXT_H
#define TOOLS_RENDER_GL_CONTEXT_H

#include "gl_shaders.h"
#include "painter.h"

#include <EGL/egl.h>
#include <GLES3/gl3.h>

typedef struct gl_context {
    EGLDisplay display;
    EGLContext context;
} gl_context;

bool gl_context_open(gl_context *c, paint_message *why);
void gl_context_close(gl_context *c);

/* Compiles a program; 0 on failure. */
GLuint gl_program(const shader_source *source, paint_message *why);

/* A depth texture for comparisons, and the framebuffer to fill it. */
typedef struct gl_shadow_map {
    GLuint texture, framebuffer;
    int width, height;
} gl_shadow_map;

bool gl_shadow_map_open(gl_shadow_map *map, int width, int height, paint_message *why);

/* Pixels of a picture, from the lower left corner. */
typedef struct gl_window {
    int x, y, width, height;
} gl_window;

/* A picture of two layers. The layer in front has four samples a pixel. */
typedef struct gl_canvas {
    GLuint many, many_color, many_depth; /* the samples in front */
    GLuint mean, mean_color;             /* their mean */
    GLuint behind, behind_color;
    int width, height;
    gl_window window;            /* the part that has something in front */
    unsigned char *back, *front; /* RGBA: all of the layer behind, the window of that in front */
} gl_canvas;

bool gl_canvas_open(gl_canvas *canvas, int width, int height, paint_message *why);
void gl_canvas_close(gl_canvas *canvas);
/* Choose the layer to draw on. The layer in front is cleared, and only its window is used. */
void gl_canvas_behind(const gl_canvas *canvas);
void gl_canvas_front(gl_canvas *canvas, gl_window window);
/* Puts the front layer on the back layer; `rgb` gets 3 bytes a pixel, the upper row first. */
void gl_canvas_finish(const gl_canvas *canvas, unsigned char *rgb);

bool paint_fail(paint_message *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
