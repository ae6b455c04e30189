#include "gl_context.h"

#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool paint_fail(paint_message *why, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(why->text, sizeof why->text, format, values);
    va_end(values);
    return false;
}

/* ---- The context ------------------------------------------------------------------------------------------------ */

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Mesa's surfaceless platform needs no display and no device; other drivers may have the default display. */
static EGLDisplay find_display(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_word(extensions, "EGL_MESA_platform_surfaceless")) {
        EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL)) return display;
    }
    EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

bool gl_context_open(gl_context *c, paint_message *why)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    c->context = EGL_NO_CONTEXT;
    c->display = find_display();
    if (c->display == EGL_NO_DISPLAY)
        return paint_fail(why, "EGL finds no driver that draws without a display; "
                               "install the packages libegl-mesa0 and libgl1-mesa-dri");
    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(c->display, wanted, &config, 1, &count) || count < 1)
        return paint_fail(why, "the EGL driver has no OpenGL ES 3; install the package libgl1-mesa-dri");
    c->context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, version);
    if (c->context == EGL_NO_CONTEXT || !eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context))
        return paint_fail(why, "no OpenGL ES 3 context could be made (EGL error 0x%x)", (unsigned)eglGetError());
    return true;
}

void gl_context_close(gl_context *c)
{
    if (c->display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (c->context != EGL_NO_CONTEXT) eglDestroyContext(c->display, c->context);
    eglTerminate(c->display);
}

/* ---- Programs --------------------------------------------------------------------------------------------------- */

static GLuint compile(GLenum kind, const char *source, paint_message *why)
{
    const char *parts[] = {shader_head, source};
    GLuint shader = glCreateShader(kind);
    GLint fine = 0;
    glShaderSource(shader, 2, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    if (fine) return shader;
    glGetShaderInfoLog(shader, (GLsizei)sizeof why->text, NULL, why->text);
    glDeleteShader(shader);
    return 0;
}

GLuint gl_program(const shader_source *source, paint_message *why)
{
    GLuint vertex = compile(GL_VERTEX_SHADER, source->vertex, why);
    GLuint fragment = vertex ? compile(GL_FRAGMENT_SHADER, source->fragment, why) : 0, program = 0;
    GLint fine = 0;
    if (fragment) {
        program = glCreateProgram();
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &fine);
        if (!fine) glGetProgramInfoLog(program, (GLsizei)sizeof why->text, NULL, why->text);
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (fine) return program;
    glDeleteProgram(program);
    return 0;
}

/* ---- Pictures --------------------------------------------------------------------------------------------------- */

static bool is_complete(int width, int height, paint_message *why)
{
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR) return true;
    return paint_fail(why, "the graphics driver cannot draw %d x %d pixels", width, height);
}

bool gl_shadow_map_open(gl_shadow_map *map, int width, int height, paint_message *why)
{
    map->width = width;
    map->height = height;
    glGenTextures(1, &map->texture);
    glBindTexture(GL_TEXTURE_2D, map->texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT32F, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &map->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, map->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map->texture, 0);
    return is_complete(width, height, why);
}

static GLuint renderbuffer(GLenum format, int samples, int width, int height, GLenum attachment)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

bool gl_canvas_open(gl_canvas *canvas, int width, int height, paint_message *why)
{
    GLint samples = 0;
    size_t bytes = 4 * (size_t)width * (size_t)height;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    if (samples > 4) samples = 4;
    canvas->width = width;
    canvas->height = height;
    canvas->back = malloc(bytes);
    canvas->front = malloc(bytes);
    if (!canvas->back || !canvas->front) return paint_fail(why, "out of memory");
    glGenFramebuffers(1, &canvas->behind);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->behind);
    canvas->behind_color = renderbuffer(GL_RGBA8, 0, width, height, GL_COLOR_ATTACHMENT0);
    if (!is_complete(width, height, why)) return false;
    glGenFramebuffers(1, &canvas->mean);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->mean);
    canvas->mean_color = renderbuffer(GL_RGBA8, 0, width, height, GL_COLOR_ATTACHMENT0);
    if (!is_complete(width, height, why)) return false;
    glGenFramebuffers(1, &canvas->many);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->many);
    canvas->many_color = renderbuffer(GL_RGBA8, samples, width, height, GL_COLOR_ATTACHMENT0);
    canvas->many_depth = renderbuffer(GL_DEPTH_COMPONENT24, samples, width, height, GL_DEPTH_ATTACHMENT);
    return is_complete(width, height, why);
}

void gl_canvas_close(gl_canvas *canvas)
{
    free(canvas->back);
    free(canvas->front);
}

void gl_canvas_behind(const gl_canvas *canvas)
{
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->behind);
    glViewport(0, 0, canvas->width, canvas->height);
}

void gl_canvas_front(gl_canvas *canvas, gl_window window)
{
    canvas->window = window;
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->many);
    glViewport(0, 0, canvas->width, canvas->height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(window.x, window.y, window.width, window.height);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* Samples on which nothing was drawn are black. So the mean of the samples is the colour times the part of the pixel
 * that it covers. */
static void put_over(const unsigned char *front, unsigned char *back, size_t count)
{
    for (size_t i = 0; i < 4 * count; i += 4) {
        unsigned open = 255u - front[i + 3];
        for (size_t c = 0; c < 3; c++) {
            unsigned sum = front[i + c] + (back[i + c] * open + 127u) / 255u;
            back[i + c] = (unsigned char)(sum < 255u ? sum : 255u);
        }
    }
}

static void read_layers(const gl_canvas *canvas)
{
    const gl_window *w = &canvas->window;
    int right = w->x + w->width, top = w->y + w->height;
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->mean);
    glBlitFramebuffer(w->x, w->y, right, top, w->x, w->y, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->mean);
    glReadPixels(w->x, w->y, w->width, w->height, GL_RGBA, GL_UNSIGNED_BYTE, canvas->front);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->behind);
    glReadPixels(0, 0, canvas->width, canvas->height, GL_RGBA, GL_UNSIGNED_BYTE, canvas->back);
}

void gl_canvas_finish(const gl_canvas *canvas, unsigned char *rgb)
{
    const gl_window *w = &canvas->window;
    size_t width = (size_t)canvas->width, height = (size_t)canvas->height;
    read_layers(canvas);
    for (size_t row = 0; row < (size_t)w->height; row++)
        put_over(canvas->front + 4 * row * (size_t)w->width,
                 canvas->back + 4 * (((size_t)w->y + row) * width + (size_t)w->x), (size_t)w->width);
    for (size_t y = 0; y < height; y++) {
        const unsigned char *from = canvas->back + 4 * width * (height - 1 - y);
        unsigned char *to = rgb + 3 * width * y;
        for (size_t x = 0; x < width; x++, to += 3, from += 4) to[0] = from[0], to[1] = from[1], to[2] = from[2];
    }
}
