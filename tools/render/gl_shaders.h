/* The programs that run on the graphics processor, in GLSL ES 3.00. */
#ifndef TOOLS_RENDER_GL_SHADERS_H
#define TOOLS_RENDER_GL_SHADERS_H

typedef struct shader_source {
    const char *vertex, *fragment;
} shader_source;

extern const shader_source shader_depth, shader_surface, shader_wire, shader_ground, shader_shadow, shader_backdrop;

/* The text with which all programs begin. */
extern const char shader_head[];

#endif
