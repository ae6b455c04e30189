/* Plots and pictures of a result, while an experiment runs. They are kept until its end. */
#include "graphics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const float paper_color[PAPER_COLORS][3] = {{0.784f, 0.333f, 0.239f},
                                            {0.247f, 0.486f, 0.675f},
                                            {0.914f, 0.706f, 0.298f},
                                            {0.345f, 0.545f, 0.545f},
                                            {0.557f, 0.424f, 0.533f}};

/* The file's name as it stands in reports, which lie in the folder of the results. */
static void add_file(paper_result *r, paper_kind kind, const char *name, const char *ending, const char *caption)
{
    char line[PAPER_CELL];
    bool left_out = kind == PAPER_PICTURE && !r->options->draw;
    if (left_out) snprintf(line, sizeof line, "\t%s", caption);
    else snprintf(line, sizeof line, "%s-%s.%s\t%s", r->id, name, ending, caption);
    paper_add_item(r, kind, false, line);
}

/* ---- Plots ---- */

paper_plot *paper_add_plot(paper_result *r, const char *name, const char *x, const char *y, const char *caption)
{
    static paper_plot nowhere; /* takes what is put into a plot that there is no memory for */
    paper_graphic *g = paper_take(r, sizeof *g);
    nowhere = (paper_plot){.name = name, .caption = caption, .x = x, .y = y, .result = r};
    if (!g) return &nowhere;
    *g = (paper_graphic){.plotted = true, .plot = nowhere, .before = r->graphic};
    r->graphic = g;
    add_file(r, PAPER_PLOT, name, "svg", caption);
    return &g->plot;
}

void paper_add_series(paper_plot *plot, const char *label, const double *x, const double *y, int count)
{
    size_t size = sizeof *x * (size_t)count;
    paper_series *s = paper_take(plot->result, sizeof *s);
    double *xs = paper_take(plot->result, size), *ys = paper_take(plot->result, size);
    label = paper_keep(plot->result, label);
    if (!s || !xs || !ys || !label) return;
    memcpy(xs, x, size);
    memcpy(ys, y, size);
    *s = (paper_series){label, xs, ys, count, plot->series};
    plot->series = s;
}

/* ---- Pictures ---- */

enum { PICTURE_WIDTH = 1200 };

paper_picture *paper_add_picture(paper_result *r, const char *name, int height, float azimuth, float elevation,
                                 const char *caption)
{
    static paper_picture nowhere;
    paper_graphic *g = paper_take(r, sizeof *g);
    nowhere = (paper_picture){.name = name,
                              .caption = caption,
                              .width = PICTURE_WIDTH,
                              .height = height,
                              .azimuth = azimuth,
                              .elevation = elevation,
                              .result = r};
    if (!g) return &nowhere;
    *g = (paper_graphic){.picture = nowhere, .before = r->graphic};
    r->graphic = g;
    add_file(r, PAPER_PICTURE, name, "png", caption);
    return &g->picture;
}

unsigned char *paper_add_raster(paper_result *r, const char *name, int width, int height, const char *caption)
{
    paper_picture *picture = paper_add_picture(r, name, height, 0, 0, caption);
    size_t size = 3 * (size_t)width * (size_t)height;
    picture->width = width;
    picture->rgb = paper_take(r, size);
    if (picture->rgb) memset(picture->rgb, 255, size);
    return picture->rgb;
}

static void *copy(paper_result *r, const void *from, size_t size)
{
    void *to = paper_take(r, size);
    if (to && size) memcpy(to, from, size);
    return to;
}

/* The triangles of a mesh, or the surface of its tets. */
static bool take_triangles(paper_result *r, const taut_mesh *mesh, paper_shape *s)
{
    int count = mesh->ntris, *surface = NULL;
    if (!count && mesh->ntets) {
        surface = taut_mesh_surface(mesh, &count, &r->error);
        if (!surface) return false;
    }
    s->mesh.ntris = count;
    s->mesh.tri = copy(r, surface ? surface : mesh->tri, 3 * sizeof(int) * (size_t)count);
    free(surface);
    return s->mesh.tri != NULL;
}

static paper_shape *add_shape(paper_picture *picture)
{
    paper_shape *s = paper_take(picture->result, sizeof *s);
    if (!s) return NULL;
    s->before = picture->shape;
    picture->shape = s;
    return s;
}

static paper_shape *add_mesh(paper_picture *picture, const taut_mesh *mesh, const float *xyz, const float at[3])
{
    paper_result *r = picture->result;
    size_t n = (size_t)mesh->nvertices;
    paper_shape *s = add_shape(picture);
    if (!s || !take_triangles(r, mesh, s)) return NULL;
    s->mesh.nlines = mesh->nlines;
    s->mesh.line = copy(r, mesh->line, 2 * sizeof(int) * (size_t)mesh->nlines);
    s->mesh.x = copy(r, mesh->x, 3 * n * sizeof(float));
    s->xyz = copy(r, xyz, 3 * n * sizeof(float));
    if (!s->mesh.line || !s->mesh.x || !s->xyz) return NULL;
    for (size_t i = 0; i < 3 * n; i++) s->xyz[i] += at[i % 3];
    s->mesh.nvertices = mesh->nvertices;
    return s;
}

void paper_show(paper_picture *picture, const taut_mesh *mesh, const float *xyz, const float at[3],
                const float color[3])
{
    paper_shape *s = add_mesh(picture, mesh, xyz, at);
    if (s) memcpy(s->color, color, sizeof s->color);
}

void paper_show_heat(paper_picture *picture, const taut_mesh *mesh, const float *xyz, const float at[3],
                     const float *heat)
{
    paper_shape *s = add_mesh(picture, mesh, xyz, at);
    if (s) s->heat = copy(picture->result, heat, sizeof *heat * (size_t)mesh->nvertices);
}

void paper_show_collider(paper_picture *picture, const taut_collider_def *collider, const float at[3])
{
    paper_shape *s = add_shape(picture);
    if (!s) return;
    s->collider = *collider;
    s->collider.mesh = NULL;
    for (int k = 0; k < 3; k++) s->collider.a[k] += at[k], s->collider.b[k] += at[k];
}

/* ---- Writing them ---- */

bool paper_write_graphics(const paper_result *r, taut_error *error)
{
    const paper_options *o = r->options;
    char path[PAPER_PATH];
    for (const paper_graphic *g = r->graphic; g; g = g->before) {
        if (!g->plotted && !o->draw) continue;
        if (!paper_path(path, o->folder, r->id, g->plotted ? g->plot.name : g->picture.name,
                        g->plotted ? "svg" : "png"))
            return paper_fail(error, "%.200s: the name is too long", o->folder);
        if (g->plotted ? !paper_write_plot(&g->plot, path, error) : !o->draw(&g->picture, path, error, o->user))
            return false;
    }
    return true;
}
