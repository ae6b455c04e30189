/* One picture, pass by pass:
 *
 *     triangles -> the sky's light at each vertex, shadow map of the key light
 *     backdrop, ground, its shadow          -> the picture behind
 *     surfaces, wireframe, with 4 samples   -> the picture in front, and how much of a pixel it covers
 *
 * The ground hides nothing, because everything stands on it and is seen from above. */
#include "gl_ground.h"

#include <stdlib.h>

enum { KEY_SIZE = 1024 };

struct painter {
    gl_context context;
    gl_canvas canvas;
    gl_shadow_map key;
    GLuint depth, surface, wire, ground, shadow, backdrop; /* programs */
    GLuint array, vertices, skies, triangles, edges;
    gl_ground disc;
    sky sky;
    sky_sides *sides; /* of each vertex */
    int room;         /* in `sides` */
};

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void attribute(GLuint location, GLint count, GLenum type, size_t offset)
{
    const void *place = (const void *)offset; /* NOLINT(performance-no-int-to-ptr): the interface is like that */
    glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, sizeof(paint_vertex), place);
    glEnableVertexAttribArray(location);
}

static void open_buffers(painter *p)
{
    glGenVertexArrays(1, &p->array);
    glBindVertexArray(p->array);
    glGenBuffers(1, &p->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, p->vertices);
    attribute(0, 3, GL_FLOAT, offsetof(paint_vertex, position));
    attribute(1, 3, GL_FLOAT, offsetof(paint_vertex, normal));
    attribute(2, 4, GL_UNSIGNED_BYTE, offsetof(paint_vertex, front));
    attribute(3, 4, GL_UNSIGNED_BYTE, offsetof(paint_vertex, back));
    glGenBuffers(1, &p->skies);
    glBindBuffer(GL_ARRAY_BUFFER, p->skies);
    glVertexAttribPointer(4, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(4);
    glGenBuffers(1, &p->triangles);
    glGenBuffers(1, &p->edges);
}

static void painter_close(painter *p)
{
    if (!p) return;
    gl_context_close(&p->context); /* frees everything that was made in it */
    gl_canvas_close(&p->canvas);
    sky_close(&p->sky);
    free(p->sides);
    free(p);
}

static bool open_all(painter *p, int width, int height, paint_message *why)
{
    if (!gl_context_open(&p->context, why)) return false;
    if (!gl_canvas_open(&p->canvas, width, height, why) || !gl_shadow_map_open(&p->key, KEY_SIZE, KEY_SIZE, why))
        return false;
    if (!(p->depth = gl_program(&shader_depth, why)) || !(p->surface = gl_program(&shader_surface, why)) ||
        !(p->wire = gl_program(&shader_wire, why)) || !(p->ground = gl_program(&shader_ground, why)) ||
        !(p->shadow = gl_program(&shader_shadow, why)) || !(p->backdrop = gl_program(&shader_backdrop, why)))
        return false;
    open_buffers(p);
    sky_open(&p->sky);
    return gl_ground_open(&p->disc) || paint_fail(why, "out of memory");
}

static painter *painter_open(int width, int height, paint_message *why)
{
    painter *p = calloc(1, sizeof *p);
    if (p && open_all(p, width, height, why)) return p;
    if (!p) paint_fail(why, "out of memory");
    painter_close(p);
    return NULL;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

/* Shared by the passes of one picture. */
typedef struct shot {
    const paint_scene *scene;
    point eye, center, below, key_light; /* below the centre is the ground */
    matrix matrix, key_matrix;
    float radius, reach; /* of the shadow maps; of the ground */
} shot;

static GLint uniform(GLuint program, const char *name) { return glGetUniformLocation(program, name); }
static void set_point(GLuint program, const char *name, point v) { glUniform3f(uniform(program, name), v.x, v.y, v.z); }
static void set_float(GLuint program, const char *name, float v) { glUniform1f(uniform(program, name), v); }
static void set_matrix(GLuint program, const char *name, const matrix *m)
{
    glUniformMatrix4fv(uniform(program, name), 1, GL_FALSE, m->m);
}

/* The key light comes over the viewer's left shoulder, wherever the viewer stands. */
static point key_light_for(const axes *camera)
{
    point back = unit_or((point){camera->back.x, 0, camera->back.z}, (point){0, 0, 1});
    point side = {back.z, 0, -back.x};
    point along = plus(scaled(back, 0.55f), scaled(side, -0.62f));
    return unit_or((point){along.x, 1.15f, along.z}, (point){0, 1, 0});
}

static shot plan(const painter *p, const paint_scene *scene)
{
    shot s = {.scene = scene, .eye = point_of(scene->view.eye), .center = point_of(scene->center)};
    axes camera = axes_looking_from(minus(s.eye, point_of(scene->view.target)));
    s.below = (point){s.center.x, scene->ground_height, s.center.z};
    s.radius = scene->radius;
    s.reach = 6 * scene->radius;
    point away = minus(s.eye, s.center);
    float distance = sqrtf(dot(away, away)), far = distance + 2 * s.reach;
    /* Near enough to show the ground at the picture's lower edge, far enough for the precision of the depth buffer. */
    float near = fmaxf(fminf(0.05f * distance, distance - 1.2f * s.radius), 1e-3f * far);
    matrix view = view_matrix(s.eye, &camera);
    float aspect = (float)p->canvas.width / (float)p->canvas.height;
    matrix lens = perspective_matrix(tanf(scene->view.fov * 0.00872665f), aspect, near, far);
    s.matrix = times_matrix(&lens, &view);
    s.key_light = key_light_for(&camera);
    axes key = axes_looking_from(s.key_light);
    s.key_matrix = light_matrix(s.center, s.radius, &key);
    return s;
}

/* Computes the sky's light at all vertices and on the ground. */
static bool light_from_sky(painter *p, const shot *s)
{
    const paint_scene *scene = s->scene;
    if (p->room < scene->nvertices) {
        sky_sides *sides = realloc(p->sides, sizeof *sides * (size_t)scene->nvertices);
        if (!sides) return false;
        p->sides = sides;
        p->room = scene->nvertices;
    }
    if (!sky_cast_shadows(&p->sky, scene)) return false;
    if (scene->nvertices)
        sky_shine(&p->sky, scene->vertex->position, scene->vertex->normal, sizeof *scene->vertex, scene->nvertices,
                  p->sides);
    if (scene->ground) gl_ground_light(&p->disc, &p->sky, s->below, s->reach);
    return true;
}

static void refill(GLenum target, GLuint buffer, const void *data, size_t size)
{
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STREAM_DRAW);
}

static void upload(const painter *p, const paint_scene *scene)
{
    size_t nvertices = (size_t)scene->nvertices;
    glBindVertexArray(p->array);
    refill(GL_ARRAY_BUFFER, p->skies, p->sides, sizeof *p->sides * nvertices);
    refill(GL_ARRAY_BUFFER, p->vertices, scene->vertex, sizeof *scene->vertex * nvertices);
    refill(GL_ELEMENT_ARRAY_BUFFER, p->edges, scene->edge, 2 * sizeof *scene->edge * (size_t)scene->nedges);
    refill(GL_ELEMENT_ARRAY_BUFFER, p->triangles, scene->triangle,
           3 * sizeof *scene->triangle * (size_t)scene->ntriangles);
}

static void draw_triangles(const paint_scene *scene)
{
    glDrawElements(GL_TRIANGLES, 3 * scene->ntriangles, GL_UNSIGNED_INT, NULL);
}

static void draw_shadow_map(const painter *p, const shot *s)
{
    glUseProgram(p->depth);
    glBindFramebuffer(GL_FRAMEBUFFER, p->key.framebuffer);
    glViewport(0, 0, p->key.width, p->key.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    set_matrix(p->depth, "matrix", &s->key_matrix);
    draw_triangles(s->scene);
}

static void set_lights(const shot *s, GLuint program)
{
    set_matrix(program, "matrix", &s->matrix);
    set_matrix(program, "key_matrix", &s->key_matrix);
    set_point(program, "key_light", s->key_light);
    set_float(program, "key_offset", 3.0f * s->radius / KEY_SIZE);
    set_float(program, "key_spread", 1.5f / KEY_SIZE);
    glUniform1i(uniform(program, "key_shadow"), 0);
}

static void draw_surfaces(const painter *p, const shot *s)
{
    glUseProgram(p->surface);
    set_lights(s, p->surface);
    set_point(p->surface, "eye", s->eye);
    set_point(p->surface, "key_color", (point){0.90f, 0.86f, 0.80f});
    set_point(p->surface, "sky_color", (point){0.42f, 0.45f, 0.52f});
    set_point(p->surface, "ground_color", (point){0.24f, 0.225f, 0.205f});
    draw_triangles(s->scene);
}

static void draw_disc(const painter *p, const shot *s, GLuint program, point center, float reach)
{
    glUseProgram(program);
    set_lights(s, program);
    set_point(program, "center", center);
    set_float(program, "reach", reach);
    set_point(program, "pool", s->below);
    set_float(program, "pool_reach", s->reach);
    gl_ground_draw(&p->disc);
}

/* The key light's shadow on the ground is a layer of its own. It covers only the shadow of the sphere, because shadow
 * lookups are costly. */
static void draw_behind(const painter *p, const shot *s)
{
    glDisable(GL_DEPTH_TEST);
    glUseProgram(p->backdrop);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (!s->scene->ground) return;
    float drop = (s->center.y - s->below.y) / s->key_light.y;
    point shadow = minus(s->below, scaled((point){s->key_light.x, 0, s->key_light.z}, drop));
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_SRC_ALPHA);
    draw_disc(p, s, p->ground, s->below, s->reach);
    draw_disc(p, s, p->shadow, shadow, s->radius / s->key_light.y);
    glDisable(GL_BLEND);
}

static void draw_wire(const painter *p, const shot *s)
{
    glUseProgram(p->wire);
    set_matrix(p->wire, "matrix", &s->matrix);
    set_point(p->wire, "eye", s->eye);
    set_float(p->wire, "strength", 0.45f);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->edges);
    glDrawElements(GL_LINES, 2 * s->scene->nedges, GL_UNSIGNED_INT, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, p->triangles);
    glDisable(GL_BLEND);
}

/* The pixels that surfaces can reach: all of them when some vertex is beside or behind the eye. */
static gl_window find_window(const painter *p, const shot *s)
{
    const float *m = s->matrix.m;
    float w = (float)p->canvas.width, h = (float)p->canvas.height, low[2] = {w, h}, high[2] = {0, 0};
    for (int v = 0; v < s->scene->nvertices; v++) {
        const float *x = s->scene->vertex[v].position;
        float depth = m[3] * x[0] + m[7] * x[1] + m[11] * x[2] + m[15];
        if (!(depth > 1e-3f * s->radius)) return (gl_window){0, 0, p->canvas.width, p->canvas.height};
        float across = (m[0] * x[0] + m[4] * x[1] + m[8] * x[2] + m[12]) / depth;
        float up = (m[1] * x[0] + m[5] * x[1] + m[9] * x[2] + m[13]) / depth;
        const float pixel[2] = {(0.5f + 0.5f * across) * w, (0.5f + 0.5f * up) * h};
        for (int k = 0; k < 2; k++) {
            low[k] = fminf(low[k], pixel[k]);
            high[k] = fmaxf(high[k], pixel[k]);
        }
    }
    int left = (int)fmaxf(low[0] - 2, 0), right = (int)fminf(high[0] + 3, w);
    int bottom = (int)fmaxf(low[1] - 2, 0), top = (int)fminf(high[1] + 3, h);
    return (gl_window){left, bottom, right > left ? right - left : 0, top > bottom ? top - bottom : 0};
}

static bool painter_draw(painter *p, const paint_scene *scene, unsigned char *rgb, paint_message *why)
{
    const shot s = plan(p, scene);
    if (!light_from_sky(p, &s)) return paint_fail(why, "out of memory");
    upload(p, scene);
    glEnable(GL_DEPTH_TEST);
    draw_shadow_map(p, &s);
    glBindTexture(GL_TEXTURE_2D, p->key.texture);
    gl_canvas_behind(&p->canvas);
    draw_behind(p, &s);
    gl_canvas_front(&p->canvas, find_window(p, &s));
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(p->array);
    draw_surfaces(p, &s);
    if (scene->nedges) draw_wire(p, &s);
    glBindTexture(GL_TEXTURE_2D, 0); /* so that the next picture may draw into it */
    gl_canvas_finish(&p->canvas, rgb);
    GLenum trouble = glGetError();
    return trouble == GL_NO_ERROR || paint_fail(why, "drawing failed (OpenGL error 0x%x)", trouble);
}

/* In gl_png.c. */
unsigned char *paint_encode(const unsigned char *rgb, int width, int height, bool quick, size_t *size,
                            paint_message *why);

extern const paint_module taut_paint_module __attribute__((visibility("default")));
const paint_module taut_paint_module = {painter_open, painter_draw, painter_close, paint_encode};
