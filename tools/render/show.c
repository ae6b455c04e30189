/* First everything that may be missing is looked for. Then the frames are simulated. Then all frames are read twice:
 * once to find how far things reach and how much they are strained, and once to draw. */
#include "show.h"
#include "camera.h"
#include "hidden.h"
#include "legend.h"
#include "skin.h"
#include "solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage {
    show *show;
    skin *skin; /* one per object */
    batch batch;
    float *xyz, *value; /* of all vertices */
    unsigned char *colors;
    unsigned char *marked; /* of all triangles */
    taut_collider_def *collider;
    paint_view view;
    float center[3], radius; /* a sphere around everything that throws shadows */
    float line_radius;
    picture seen, picture; /* the view; the view with the legend beside it */
    painter *painter;
} stage;

static bool show_fail(taut_error *error, const char *text)
{
    error->code = TAUT_NO_MEMORY;
    error->index = -1;
    snprintf(error->text, sizeof error->text, "%.230s", text);
    return false;
}

static bool stage_open(stage *g, show *s, taut_error *error)
{
    const clip *c = s->clip;
    size_t n = (size_t)c->nvertices, triangles = 0, pixels = (size_t)s->out->width * (size_t)s->out->height;
    int legend = s->heated ? legend_width(&s->heat, s->out->width, s->out->height) : 0;
    paint_message why;
    memset(g, 0, sizeof *g);
    g->show = s;
    g->skin = calloc((size_t)c->nobjects + 1, sizeof *g->skin);
    g->xyz = malloc(3 * sizeof *g->xyz * (n + 1));
    g->value = malloc(sizeof *g->value * (n + 1));
    g->colors = malloc(3 * (n + 1));
    for (int i = 0; i < c->nobjects; i++) triangles += (size_t)c->object[i].ntris;
    g->marked = calloc(triangles + 1, 1);
    g->collider = malloc(sizeof *g->collider * ((size_t)c->ncolliders + 1));
    g->picture = (picture){s->out->width, s->out->height, malloc(3 * pixels)};
    g->seen = (picture){s->out->width - legend, s->out->height, malloc(3 * pixels)};
    bool fine = g->skin && g->xyz && g->value && g->colors && g->marked && g->collider && g->picture.rgb && g->seen.rgb;
    for (int i = 0; fine && i < c->nobjects; i++) fine = skin_build(&g->skin[i], &c->object[i]);
    if (!fine) return show_fail(error, "out of memory");
    g->painter = s->module->open(g->seen.width, g->seen.height, &why);
    return g->painter || show_fail(error, why.text);
}

static void stage_close(stage *g)
{
    if (g->painter) g->show->module->close(g->painter);
    for (int i = 0; g->skin && i < g->show->clip->nobjects; i++) skin_free(&g->skin[i]);
    free(g->skin);
    batch_free(&g->batch);
    free(g->xyz);
    free(g->value);
    free(g->colors);
    free(g->marked);
    free(g->collider);
    free(g->picture.rgb);
    free(g->seen.rgb);
}

static float aspect_of(const picture *p) { return (float)p->width / (float)p->height; }

/* ---- The first time through ------------------------------------------------------------------------------------- */

static bool measure_frame(stage *g, float *largest)
{
    const float *xyz = g->xyz;
    int n = 0;
    for (int i = 0; i < g->show->clip->nobjects; i++) {
        const clip_object *o = &g->show->clip->object[i];
        if (!heat_measure(&g->show->heat, o, xyz, g->value + n)) return false;
        n += o->nvertices;
        xyz += 3 * (size_t)o->nvertices;
    }
    *largest = fmaxf(*largest, heat_extent(g->value, n));
    return true;
}

static float half_diagonal(const camera_fit *fit)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += (fit->high[k] - fit->low[k]) * (fit->high[k] - fit->low[k]);
    return sqrtf(sum) / 2;
}

static void see_corners(const taut_collider_def *d, float size, camera_fit *fit)
{
    float corner[8][3], square = 0;
    collider_corners(d, corner);
    for (int k = 0; k < 3; k++) square += (corner[7][k] - corner[0][k]) * (corner[7][k] - corner[0][k]);
    for (int i = 0; i < 8 && sqrtf(square) <= 4 * size; i++) camera_see_ball(fit, corner[i], 0);
}

/* Colliders are part of the picture unless they dwarf the bodies. */
static void see_colliders(stage *g, camera_fit *fit)
{
    float size = half_diagonal(fit);
    for (int i = 0; i < g->show->clip->ncolliders; i++) {
        const taut_collider_def *d = &g->collider[i];
        bool box = d->shape == TAUT_BOX || d->mesh;
        if (box) see_corners(d, size, fit);
        if (box || d->shape == TAUT_PLANE || d->radius > 2 * size) continue;
        camera_see_ball(fit, d->a, d->radius);
        if (d->shape == TAUT_CAPSULE) camera_see_ball(fit, d->b, d->radius);
        if (d->shape == TAUT_TAPERED) camera_see_ball(fit, d->b, d->radius_b);
    }
}

/* With a legend, a camera of the user sees as far to the sides as it would without one. */
static float fov_beside_legend(const stage *g, float fov)
{
    const float half = 0.00872665f; /* a degree, halved, in radians */
    return atanf(tanf(fov * half) * aspect_of(&g->picture) / aspect_of(&g->seen)) / half;
}

static void settle_view(stage *g, const camera_fit *fit)
{
    const clip *c = g->show->clip;
    g->view = camera_end(fit);
    if (c->has_camera && !g->show->own_view) {
        memcpy(g->view.eye, c->camera.eye, sizeof g->view.eye);
        memcpy(g->view.target, c->camera.target, sizeof g->view.target);
        g->view.fov = fov_beside_legend(g, c->camera.fov);
    }
    g->radius = fmaxf(1.02f * half_diagonal(fit), 1e-6f);
    g->line_radius = g->radius / 130;
    for (int k = 0; k < 3; k++) g->center[k] = (fit->low[k] + fit->high[k]) / 2;
}

/* The part of the bodies that colliders hide from this side. */
static float hidden_from(stage *g, float azimuth)
{
    const show *s = g->show;
    const clip *c = s->clip;
    camera_fit fit;
    camera_begin(&fit, azimuth, s->elevation, aspect_of(&g->seen));
    camera_see(&fit, g->xyz, c->nvertices);
    see_colliders(g, &fit);
    return hidden_part(camera_end(&fit).eye, g->xyz, c->nvertices, g->collider, c->ncolliders);
}

/* Looks from another side if far more can be seen from there. (Cloth over a ball looks the same from everywhere.) The
 * last frame decides, because a single picture shows that one. */
static bool choose_side(stage *g, taut_error *error)
{
    static const float FAR_MORE = 0.15f;
    show *s = g->show;
    if (s->own_view || s->clip->has_camera || s->clip->ncolliders == 0) return true;
    if (!clip_read(s->clip, s->frame[s->nframes - 1], g->xyz, g->collider, error)) return false;
    const float usual = s->azimuth, other[] = {-usual, 180 - usual, usual - 180};
    float least = hidden_from(g, usual) - FAR_MORE;
    for (int i = 0; i < 3; i++) {
        float part = hidden_from(g, other[i]);
        if (part >= least) continue;
        least = part;
        s->azimuth = other[i];
    }
    return true;
}

static bool survey(stage *g, taut_error *error)
{
    show *s = g->show;
    camera_fit fit;
    float largest = 0;
    if (!choose_side(g, error)) return false;
    camera_begin(&fit, s->azimuth, s->elevation, aspect_of(&g->seen));
    for (int k = 0; k < s->nframes; k++) {
        if (!clip_read(s->clip, s->frame[k], g->xyz, g->collider, error)) return false;
        camera_see(&fit, g->xyz, s->clip->nvertices);
        see_colliders(g, &fit);
        if (s->heated && !s->ranged && !measure_frame(g, &largest)) return show_fail(error, "out of memory");
    }
    settle_view(g, &fit);
    if (s->heated && !s->ranged) heat_set_range(&s->heat, largest);
    return true;
}

/* ---- The second time -------------------------------------------------------------------------------------------- */

static bool add_object(stage *g, int i, const float *xyz, const unsigned char *marked)
{
    static const unsigned char striking[3] = {255, 0, 200};
    const show *s = g->show;
    const clip_object *o = &s->clip->object[i];
    const skin *drawn = &g->skin[i];
    bool heated = s->heated && o->measurer;
    if (heated) {
        if (!heat_measure(&s->heat, o, xyz, g->value)) return false;
        heat_color(&s->heat, g->value, o->nvertices, g->colors);
    }
    return skin_add(drawn, xyz, heated ? g->colors : NULL, s->wire, &g->batch) &&
           skin_mark(drawn, marked, striking, &g->batch) &&
           add_lines(&g->batch, o, xyz, g->line_radius, drawn->front);
}

/* The level plane that is drawn as the ground is not drawn again. */
static bool is_ground(const clip *c, const taut_collider_def *d)
{
    return c->ground && d->shape == TAUT_PLANE && d->normal[0] == 0 && d->normal[2] == 0 && d->normal[1] > 0;
}

static bool add_all(stage *g)
{
    const clip *c = g->show->clip;
    const float *xyz = g->xyz;
    const unsigned char *marked = g->marked;
    bool fine = true;
    batch_clear(&g->batch);
    for (int i = 0; fine && i < c->nobjects; i++) {
        fine = add_object(g, i, xyz, marked);
        marked += c->object[i].ntris;
        xyz += 3 * (size_t)c->object[i].nvertices;
    }
    for (int i = 0; fine && i < c->ncolliders; i++)
        if (!is_ground(c, &g->collider[i]))
            fine = add_collider(&g->batch, &g->collider[i], g->center, 1.5f * g->radius);
    return fine;
}

static bool draw_frame(stage *g, int k, taut_error *error)
{
    show *s = g->show;
    paint_message why;
    if (!clip_read(s->clip, s->frame[k], g->xyz, g->collider, error)) return false;
    if (s->mark && !s->mark(s->marker, g->xyz, g->marked, error)) return false;
    if (!add_all(g)) return show_fail(error, "out of memory");
    paint_scene scene = {.view = g->view,
                         .vertex = g->batch.vertex,
                         .triangle = g->batch.triangle,
                         .edge = g->batch.edge,
                         .nvertices = g->batch.nvertices,
                         .ntriangles = g->batch.ntriangles,
                         .nedges = g->batch.nedges,
                         .center = {g->center[0], g->center[1], g->center[2]},
                         .radius = g->radius,
                         .ground = s->clip->ground,
                         .ground_height = s->clip->ground_height};
    if (!s->module->draw(g->painter, &scene, g->seen.rgb, &why)) return show_fail(error, why.text);
    for (size_t y = 0; y < (size_t)g->seen.height; y++)
        memcpy(g->picture.rgb + 3 * y * (size_t)g->picture.width, g->seen.rgb + 3 * y * (size_t)g->seen.width,
               3 * (size_t)g->seen.width);
    if (s->heated) legend_draw(&g->picture, &s->heat);
    return output_put(s->out, &g->picture, s->frame[k], error);
}

bool show_run(show *s, taut_error *error)
{
    stage g;
    bool fine = stage_open(&g, s, error) && clip_gather(s->clip, s->frame, s->nframes, s->simulated, error) &&
                survey(&g, error);
    for (int k = 0; fine && k < s->nframes; k++) {
        fine = draw_frame(&g, k, error);
        if (!s->drawn(k + 1, s->nframes)) fine = show_fail(error, "stopped");
    }
    stage_close(&g);
    return fine;
}
