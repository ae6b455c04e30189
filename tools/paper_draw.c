#include "paper_draw.h"
#include "experiment.h"
#include "render/camera.h"
#include "render/heat.h"
#include "render/module.h"
#include "render/skin.h"
#include "render/solids.h"
#include "taut_io.h"

#include <math.h>
#include <stdlib.h>

bool paper_draw_ready(taut_error *error)
{
    paint_message why;
    return module_load(&why) || paper_fail(error, "%.230s", why.text);
}

static bool no_memory(taut_error *error) { return paper_fail(error, "there is not enough memory for a picture"); }

/* ---- From shapes to triangles ---- */

static bool is_collider(const paper_shape *s) { return s->mesh.nvertices == 0; }

static void see(camera_fit *fit, const paper_shape *s)
{
    const taut_collider_def *d = &s->collider;
    if (!is_collider(s)) camera_see(fit, s->xyz, s->mesh.nvertices);
    else if (d->shape == TAUT_SPHERE || d->shape == TAUT_CAPSULE || d->shape == TAUT_TAPERED) {
        camera_see_ball(fit, d->a, d->radius);
        if (d->shape != TAUT_SPHERE) camera_see_ball(fit, d->b, d->shape == TAUT_TAPERED ? d->radius_b : d->radius);
    } else if (d->shape == TAUT_BOX) {
        float corner[8][3];
        collider_corners(d, corner);
        camera_see(fit, corner[0], 8);
    }
}

static bool add_mesh(batch *b, const paper_picture *p, const paper_shape *s, float line_radius)
{
    clip_object o = {.nvertices = s->mesh.nvertices,
                     .rest = s->mesh.x,
                     .ntris = s->mesh.ntris,
                     .tri = s->mesh.tri,
                     .nlines = s->mesh.nlines,
                     .line = s->mesh.line,
                     .color = {s->color[0], s->color[1], s->color[2]}};
    heat_map map;
    skin drawn;
    unsigned char *colors = s->heat ? malloc(3 * (size_t)o.nvertices) : NULL;
    if (s->heat && !colors) return false;
    if (s->heat) {
        heat_open(&map, p->low < 0 ? TAUT_STRETCH_X : TAUT_BEND); /* with two sides, or from 0 */
        map.low = p->low, map.high = p->high;
        heat_color(&map, s->heat, o.nvertices, colors);
    }
    bool fine = skin_build(&drawn, &o);
    if (fine) {
        fine = skin_add(&drawn, s->xyz, colors, p->wire, b) && add_lines(b, &o, s->xyz, line_radius, drawn.front);
        skin_free(&drawn);
    }
    free(colors);
    return fine;
}

/* The list has the last shape first, and order does not show in a picture. */
static bool add_shapes(batch *b, const paper_picture *p, paint_scene *scene, float aspect)
{
    camera_fit fit;
    float square = 0;
    camera_begin(&fit, p->azimuth, p->elevation, aspect);
    for (const paper_shape *s = p->shape; s; s = s->before) see(&fit, s);
    scene->view = camera_end(&fit);
    for (int k = 0; k < 3; k++) {
        scene->center[k] = (fit.low[k] + fit.high[k]) / 2;
        square += (fit.high[k] - fit.low[k]) * (fit.high[k] - fit.low[k]);
    }
    scene->radius = fmaxf(0.51f * sqrtf(square), 1e-6f);
    for (const paper_shape *s = p->shape; s; s = s->before) {
        bool fine = is_collider(s) ? add_collider(b, &s->collider, scene->center, 1.5f * scene->radius)
                                   : add_mesh(b, p, s, scene->radius / 130);
        if (!fine) return false;
    }
    scene->vertex = b->vertex, scene->triangle = b->triangle, scene->edge = b->edge;
    scene->nvertices = b->nvertices, scene->ntriangles = b->ntriangles, scene->nedges = b->nedges;
    return true;
}

/* ---- From triangles to a file ---- */

static bool draw_shapes(const paint_module *module, const paper_picture *p, unsigned char *rgb, taut_error *error)
{
    paint_message why;
    paint_scene scene = {0};
    batch b = {0};
    bool fine = add_shapes(&b, p, &scene, (float)p->width / (float)p->height) || no_memory(error);
    painter *brush = fine ? module->open(p->width, p->height, &why) : NULL;
    if (fine) fine = (brush && module->draw(brush, &scene, rgb, &why)) || paper_fail(error, "%.230s", why.text);
    if (brush) module->close(brush);
    batch_free(&b);
    return fine;
}

static bool write_png(const paint_module *module, const paper_picture *p, const unsigned char *rgb, const char *path,
                      taut_error *error)
{
    paint_message why;
    size_t size;
    unsigned char *bytes = module->encode(rgb, p->width, p->height, false, &size, &why);
    if (!bytes) return paper_fail(error, "%.230s", why.text);
    bool fine = taut_file_write(path, bytes, size, error);
    free(bytes);
    return fine;
}

bool paper_draw_picture(const paper_picture *p, const char *path, taut_error *error)
{
    paint_message why;
    const paint_module *module = module_load(&why);
    if (!module) return paper_fail(error, "%.230s", why.text);
    if (p->rgb) return write_png(module, p, p->rgb, path, error);
    unsigned char *rgb = malloc(3 * (size_t)p->width * (size_t)p->height);
    if (!rgb) return no_memory(error);
    bool fine = draw_shapes(module, p, rgb, error) && write_png(module, p, rgb, path, error);
    free(rgb);
    return fine;
}
