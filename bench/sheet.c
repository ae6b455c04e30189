#include "sheet.h"

#include "base/quantile.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTLE = 600, TIMED = 100, FINE = 200 };

typedef struct result {
    int threads;
    double ms, sag, p99_stretch, max_stretch, p99_compression, rms_speed;
    char settings[200];
} result;

static const char *bend_name(taut_bend_model model)
{
    static const char *const names[] = {"no bending", "dihedral", "isometric", "triangle", "stick"};
    return names[model];
}

static const char *plural(int n) { return n == 1 ? "" : "s"; }

static void describe(const taut_material *m, const taut_world_def *def, int levels, result *r)
{
    char stretch[80];
    if (m->edge > 0) snprintf(stretch, sizeof stretch, "edges %g", (double)m->edge);
    else
        snprintf(stretch, sizeof stretch, "strain %g/%g/%g", (double)m->strain.xx, (double)m->strain.yy,
                 (double)m->strain.xy);
    snprintf(r->settings, sizeof r->settings, "%s, %s %g, %s, %d level%s, %d substep%s x %d iteration%s", stretch,
             bend_name(m->bend.model), (double)m->bend.stiffness, m->tether > 0 ? "tethers" : "no tethers", levels,
             plural(levels), def->substeps, plural(def->substeps), def->iterations, plural(def->iterations));
}

static double square(double a) { return a * a; }

static bool measure_stretch(const taut_model *model, const float *p, result *r, taut_error *error)
{
    double *stretch = malloc((size_t)model->nedges * sizeof *stretch);
    double *compression = malloc((size_t)model->nedges * sizeof *compression);
    if (!stretch || !compression) {
        free(stretch);
        free(compression);
        *error = (taut_error){TAUT_NO_MEMORY, -1, "out of memory"};
        return false;
    }
    for (int e = 0; e < model->nedges; e++) {
        const tt_rest_edge *edge = &model->edge[e];
        const float *a = &p[4 * (size_t)edge->a], *b = &p[4 * (size_t)edge->b];
        double length = 0;
        for (int c = 0; c < 3; c++) length += square((double)a[c] - (double)b[c]);
        stretch[e] = 100 * (sqrt(length) / (double)edge->length - 1);
        compression[e] = -stretch[e];
    }
    r->p99_stretch = tt_quantile(stretch, model->nedges, 0.99);
    r->max_stretch = tt_quantile(stretch, model->nedges, 1);
    r->p99_compression = tt_quantile(compression, model->nedges, 0.99);
    free(stretch);
    free(compression);
    return true;
}

/* The pins are at y = 0. */
static void measure_motion(const taut_world *world, int body, result *r)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    const float *v = taut_body_velocities(world, body, NULL);
    double lowest = 0, squares = 0;
    for (int i = 0; i < n; i++)
        if ((double)x[3 * i + 1] < lowest) lowest = (double)x[3 * i + 1];
    for (int i = 0; i < 3 * n; i++) squares += square((double)v[i]);
    r->sag = 100 * (-lowest - 1);
    r->rms_speed = sqrt(squares / n);
}

static void time_steps(taut_world *world, result *r)
{
    double ms[TIMED];
    for (int step = 0; step < SETTLE; step++) taut_world_step(world, 1.0f / 60);
    for (int step = 0; step < TIMED; step++) {
        taut_world_step(world, 1.0f / 60);
        ms[step] = taut_world_stats(world).ms_step;
    }
    r->ms = tt_quantile(ms, TIMED, 0.5);
    r->threads = taut_world_stats(world).threads;
}

static taut_model *build_model(const sheet_options *options, const taut_material *material, taut_error *error)
{
    taut_mesh mesh;
    taut_model *model = NULL;
    taut_model_options levels = taut_default_model_options();
    levels.levels = options->levels;
    if (taut_mesh_sheet(&mesh, options->n, options->n, 1, 1, error) && taut_mesh_pin(&mesh, 0, error) &&
        taut_mesh_pin(&mesh, options->n - 1, error))
        model = taut_model_build(&mesh, material, &levels, error);
    taut_mesh_free(&mesh);
    return model;
}

static void print_result(const sheet_options *options, const result *r)
{
    const char *format = options->json
                             ? "{\"n\":%d,\"threads\":%d,\"ms\":%.4f,\"sag\":%.4f,\"p99_stretch\":%.4f,"
                               "\"max_stretch\":%.4f,\"p99_compression\":%.4f,\"rms_speed\":%.3g,\"settings\":\"%s\"}\n"
                             : "n            %d\nthreads      %d\nms           %.3f\nsag          %.3f %%\n"
                               "p99_stretch  %.3f %%\nmax_stretch  %.3f %%\ncompression  %.3f %% (p99)\nrms_speed    "
                               "%.3g m/s\nsettings     "
                               "%s\n";
    printf(format, options->n, r->threads, r->ms, r->sag, r->p99_stretch, r->max_stretch, r->p99_compression,
           r->rms_speed, r->settings);
}

/* Recommended settings for cloth that must not stretch: stiff edges and few substeps. The levels carry the load, the
 * more the finer the mesh is. */
static void choose(const sheet_options *options, taut_material *material, taut_world_def *def)
{
    *material = taut_default_material();
    *def = taut_default_world_def();
    if (!options->strain) {
        material->edge = 1;
        material->strain.xx = material->strain.yy = material->strain.xy = 0;
        def->substeps = options->n < FINE ? 3 : 2;
        def->iterations = 2;
    }
    material->density = 0.2f; /* kg/m^2 of 1 m^2 */
    material->damping.global = 1;
    material->drag = material->lift = 0;
    if (options->no_tethers) material->tether = 0;
    if (options->substeps) def->substeps = options->substeps;
    if (options->iterations) def->iterations = options->iterations;
    def->threads = options->threads;
}

static bool hang(const sheet_options *options, result *r, taut_error *error)
{
    taut_material material;
    taut_world_def def;
    choose(options, &material, &def);
    taut_body_def start = taut_default_body_def();
    if (options->flat) start.imperfection = 0;
    taut_model *model = build_model(options, &material, error);
    taut_world *world = model ? taut_world_create(&def, error) : NULL;
    int body = world ? taut_world_add_body(world, model, &start, error) : -1, levels = 0;
    bool done = body >= 0;
    if (done) {
        for (const taut_model *level = model->coarser; level; level = level->coarser) levels++;
        describe(&material, &def, levels, r);
        time_steps(world, r);
        measure_motion(world, body, r);
        done = measure_stretch(model, tt_world_body(world, body)->level[0].p, r, error);
    }
    taut_world_free(world);
    taut_model_free(model);
    return done;
}

static bool as_good(const result *a, const result *b)
{
    return a->sag <= b->sag && a->p99_stretch <= b->p99_stretch && a->max_stretch <= b->max_stretch;
}

/* Reaches the same quality by substeps alone: doubles them until it is reached. */
static bool compare(const sheet_options *options, const result *goal, taut_error *error)
{
    sheet_options plain = *options;
    plain.levels = 0;
    plain.no_tethers = true;
    plain.iterations = 1;
    result r = {0};
    for (plain.substeps = 16; plain.substeps <= 1000; plain.substeps *= 2) {
        if (!hang(&plain, &r, error)) return false;
        print_result(&plain, &r);
        if (as_good(&r, goal)) break;
    }
    if (!options->json)
        printf("without levels and tethers%s: %.0f times the cost\n",
               plain.substeps <= 1000 ? "" : ", and still not as good", r.ms / goal->ms);
    return true;
}

bool sheet_run(const sheet_options *options, taut_error *error)
{
    result r = {0};
    if (!hang(options, &r, error)) return false;
    print_result(options, &r);
    return !options->compare || compare(options, &r, error);
}
