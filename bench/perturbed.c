#define _POSIX_C_SOURCE 200809L

#include "perturbed.h"

#include "base/error.h"
#include "base/vec.h"
#include "baselines.h"
#include "limited_body.h"
#include "mesh/topology.h"
#include "own_clock.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GOALS = PERTURBED_GOALS };

const double perturbed_goal[GOALS] = {20, 10, 5, 2, 1};

static const float BEND = 5.236f; /* rad/m: 3 degrees a centimetre */

/* ---- The sheet ---- */

typedef struct problem {
    tt_scope scope;
    taut_mesh mesh;
    float *start; /* 3 per vertex */
} problem;

/* Adds long waves in every direction, which a single level cannot see, and noise of a third of a cell. */
void perturbed_start(const taut_mesh *sheet, int n, int of, float *start)
{
    uint32_t seed = (uint32_t)of;
    const double two_pi = 6.283185307179586;
    int count = sheet->nvertices;
    memcpy(start, sheet->x, 3 * (size_t)count * sizeof *start);
    for (int waves = 1; waves <= 3; waves++) {
        for (int c = 0; c < 3; c++) {
            double across = waves * uniform(&seed, 0.5, 1), down = waves * uniform(&seed, 0.5, 1);
            double phase = uniform(&seed, 0, 1);
            for (int v = 0; v < count; v++) {
                const float *at = sheet->x + 3 * (size_t)v;
                double angle = two_pi * (across * (double)at[0] + down * (double)at[1] + phase);
                start[3 * v + c] += (float)(0.1 / waves * sin(angle));
            }
        }
    }
    for (int i = 0; i < 3 * count; i++) start[i] += (float)(uniform(&seed, -1, 1) * 0.3 / (n - 1));
}

static bool open_problem(problem *s, const perturbed_options *options, taut_error *error)
{
    *s = (problem){.start = NULL};
    tt_scope_open(&s->scope, NULL);
    if (!taut_mesh_sheet(&s->mesh, options->n, options->n, 1, 1, error)) return false;
    s->start = TT_TAKE(&s->scope, float, 3 * (size_t)s->mesh.nvertices);
    if (!s->start) return tt_no_memory(error);
    perturbed_start(&s->mesh, options->n, options->seed, s->start);
    return true;
}

static void close_problem(problem *s)
{
    tt_scope_close(&s->scope);
    taut_mesh_free(&s->mesh);
}

/* The mean of |s - 1| over both principal stretches of a triangle. With rest edges (length, 0) and (along, height), the
 * columns of F are the images of the unit vectors. */
static double triangle_residual(const taut_mesh *mesh, const float *x, const int *i)
{
    vec3 e1 = vec_sub(vec_of(&mesh->x[3 * i[1]]), vec_of(&mesh->x[3 * i[0]]));
    vec3 e2 = vec_sub(vec_of(&mesh->x[3 * i[2]]), vec_of(&mesh->x[3 * i[0]]));
    double length = vec_length(e1), along = vec_dot(e1, e2) / length, height = vec_length(vec_cross(e1, e2)) / length;
    vec3 d1 = vec_sub(vec_of(&x[3 * i[1]]), vec_of(&x[3 * i[0]]));
    vec3 d2 = vec_sub(vec_of(&x[3 * i[2]]), vec_of(&x[3 * i[0]]));
    vec3 f1 = vec_scale(d1, 1 / length), f2 = vec_scale(vec_sub(d2, vec_scale(f1, along)), 1 / height);
    double a = vec_dot(f1, f1), b = vec_dot(f1, f2), c = vec_dot(f2, f2);
    double middle = (a + c) / 2, radius = sqrt((a - c) * (a - c) / 4 + b * b);
    return (fabs(sqrt(middle + radius) - 1) + fabs(sqrt(fmax(0, middle - radius)) - 1)) / 2;
}

double perturbed_residual(const taut_mesh *mesh, const float *x, float *residual)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        double now = triangle_residual(mesh, x, &mesh->tri[3 * (size_t)t]);
        if (residual) residual[t] = (float)now;
        sum += now;
    }
    return 100 * sum / mesh->ntris;
}

/* ---- Methods ---- */

/* Notes the goals reached. Returns whether there is more to do. */
static bool note(perturbed_record *r, const taut_mesh *mesh, const float *x, int passes, double ms)
{
    double now = perturbed_residual(mesh, x, NULL);
    r->closest = fmin(r->closest, now);
    for (; r->done < GOALS && now <= perturbed_goal[r->done]; r->done++) {
        r->passes[r->done] = passes;
        r->ms[r->done] = ms;
    }
    return r->done < GOALS;
}

/* The settings in which runs of the library differ. */
typedef struct way {
    bool levels, both_ways; /* as in limited_body_open             */
    bool bend, trained;     /* bending is limited; levels are trained */
} way;

static bool train(const problem *s, const taut_limit *limit, const taut_model_options *model, taut_training **training,
                  taut_error *error)
{
    taut_train_def def = taut_default_train_def();
    taut_material material = limited_body_material(limit);
    def.way = TAUT_TRAIN_INDIRECT;
    *training = taut_train(&s->mesh, &material, model, &def, error);
    return *training != NULL;
}

static bool run_library(const problem *s, const perturbed_options *options, way w, perturbed_record *r,
                        taut_error *error)
{
    taut_limit limit = taut_default_material().limit;
    taut_model_options model = taut_default_model_options();
    taut_training *training = NULL;
    limit.stretch[0] = limit.stretch[1] = 1;
    if (w.bend) limit.bend[0] = -BEND, limit.bend[1] = BEND;
    limit.iterations = options->iterations;
    limit.threshold = 0;
    model.levels = w.levels ? options->levels : 0;
    if (w.trained && !train(s, &limit, &model, &training, error)) return false;
    model.training = training;
    limited_body b;
    bool ok =
        limited_body_open(&b, &s->mesh, &limit, &model, w.both_ways, error) && limited_body_place(&b, s->start, error);
    taut_training_free(training);
    double ms = 0;
    int passes = 0;
    while (ok && note(r, &s->mesh, limited_body_positions(&b), passes, ms) && passes < options->passes) {
        ms += limited_body_enforce(&b);
        passes += options->iterations;
    }
    r->levels = b.levels;
    limited_body_close(&b);
    return ok;
}

/* Positions and inverse masses of the plain methods. */
typedef struct plain {
    tt_scope scope;
    ref_float_vec3 *p;
    float *w;
    base_cauchy *cauchy;
    base_spring *spring;
    int ncauchy, nsprings;
} plain;

static bool open_plain(plain *m, const problem *s)
{
    const taut_mesh *mesh = &s->mesh;
    tt_topology topology;
    *m = (plain){.ncauchy = mesh->ntris};
    tt_scope_open(&m->scope, NULL);
    m->p = TT_TAKE(&m->scope, ref_float_vec3, mesh->nvertices);
    m->w = TT_TAKE(&m->scope, float, mesh->nvertices);
    m->cauchy = TT_TAKE(&m->scope, base_cauchy, mesh->ntris);
    if (!m->p || !m->w || !m->cauchy || !tt_topology_build(&m->scope, mesh, &topology)) return false;
    m->spring = TT_TAKE(&m->scope, base_spring, topology.nedges);
    if (!m->spring) return false;
    memcpy(m->p, mesh->x, (size_t)mesh->nvertices * sizeof *m->p);
    for (int v = 0; v < mesh->nvertices; v++) m->w[v] = 1;
    for (int t = 0; t < mesh->ntris; t++) base_cauchy_rest(&m->cauchy[t], &mesh->tri[3 * (size_t)t], m->p);
    m->nsprings = topology.nedges;
    for (int e = 0; e < topology.nedges; e++) {
        int a = topology.edge[e].a, b = topology.edge[e].b;
        vec3 d = vec_sub(vec_of(&mesh->x[3 * (size_t)a]), vec_of(&mesh->x[3 * (size_t)b]));
        m->spring[e] = (base_spring){{a, b}, (float)vec_length(d)};
    }
    memcpy(m->p, s->start, (size_t)mesh->nvertices * sizeof *m->p);
    return true;
}

static void pass_cauchy(plain *m)
{
    static const float none[BASE_STRAINS][2] = {{0, 0}, {0, 0}, {0, 0}};
    base_cauchy_project(m->cauchy, m->ncauchy, none, m->p, m->w);
}

static void pass_springs(plain *m) { base_spring_project(m->spring, m->nsprings, 1, 1, m->p, m->w); }

static bool run_plain(const problem *s, const perturbed_options *options, void (*pass)(plain *), perturbed_record *r,
                      taut_error *error)
{
    plain m;
    bool ok = open_plain(&m, s);
    double ms = 0;
    int passes = 0;
    while (ok && note(r, &s->mesh, (const float *)m.p, passes, ms) && passes < options->passes) {
        double begun = own_clock();
        for (int i = 0; i < options->iterations; i++) pass(&m);
        ms += own_clock() - begun;
        passes += options->iterations;
    }
    tt_scope_close(&m.scope);
    return ok || tt_no_memory(error);
}

/* ---- Printing ---- */

static void print_row(const perturbed_options *options, const problem *s, const perturbed_record *r,
                      const perturbed_record *one, int goal, bool first)
{
    double ratio = one->done > goal && r->ms[goal] > 0 ? one->ms[goal] / r->ms[goal] : 0;
    if (options->json)
        printf("%s\n{\"method\":\"%s\",\"triangles\":%d,\"levels\":%d,\"residual\":%g,\"passes\":%d,\"ms\":%.4f,"
               "\"ratio\":%.3f}",
               first ? "" : ",", r->method, s->mesh.ntris, r->levels, perturbed_goal[goal], r->passes[goal],
               r->ms[goal], ratio);
    else
        printf("%-20s %6d %8g %%  %7d %11.3f %8.2f\n", r->method, r->levels, perturbed_goal[goal], r->passes[goal],
               r->ms[goal], ratio);
}

static void print_records(const perturbed_options *options, const problem *s, const perturbed_record *r, int count)
{
    bool first = true;
    if (options->json) printf("[");
    else
        printf("%d triangles, mean residual %.1f %%\n\n%-20s %6s %10s  %7s %11s %8s\n", s->mesh.ntris,
               perturbed_residual(&s->mesh, s->start, NULL), "method", "levels", "residual", "passes", "ms", "ratio");
    if (!options->json && options->levels != 0 && r[1].levels == 0)
        puts("the sheet is too small to have levels: rows with and without them are the same");
    for (int i = 0; i < count; i++) {
        if (isinf(r[i].closest)) continue; /* there was nothing to train */
        for (int goal = 0; goal < r[i].done; goal++, first = false)
            print_row(options, s, &r[i], &r[r[i].slower], goal, first);
        if (!options->json && r[i].done < GOALS)
            printf("%-20s %6d   stays above %g %%, comes to %.2f %%\n", r[i].method, r[i].levels,
                   perturbed_goal[r[i].done], r[i].closest);
    }
    if (options->json) printf("\n]\n");
}

static bool measure(const problem *s, const perturbed_options *options, perturbed_record r[PERTURBED_METHODS],
                    taut_error *error)
{
    static const way ways[] = {{.levels = false},
                               {.levels = true},
                               {.levels = true, .both_ways = true},
                               {.bend = true},
                               {.levels = true, .bend = true},
                               {.levels = true, .bend = true, .trained = true}};
    static const perturbed_record none[PERTURBED_METHODS] = {{.method = "one level"},
                                                             {.method = "levels"},
                                                             {.method = "levels both ways"},
                                                             {.method = "bend, one level", .slower = 3},
                                                             {.method = "bend, levels", .slower = 3},
                                                             {.method = "bend, trained", .slower = 3},
                                                             {.method = "cauchy"},
                                                             {.method = "springs"}};
    enum { WAYS = sizeof ways / sizeof ways[0] };
    memcpy(r, none, sizeof none);
    for (int i = 0; i < PERTURBED_METHODS; i++) r[i].closest = INFINITY;
    for (int i = 0; i < WAYS; i++)
        if (!ways[i].trained || r[i - 1].levels > 0)
            if (!run_library(s, options, ways[i], &r[i], error)) return false;
    return run_plain(s, options, pass_cauchy, &r[WAYS], error) &&
           run_plain(s, options, pass_springs, &r[WAYS + 1], error);
}

bool perturbed_measure(const perturbed_options *options, perturbed_record r[PERTURBED_METHODS], taut_error *error)
{
    problem s;
    bool ok = open_problem(&s, options, error) && measure(&s, options, r, error);
    close_problem(&s);
    return ok;
}

bool perturbed_run(const perturbed_options *options, taut_error *error)
{
    perturbed_record r[PERTURBED_METHODS];
    problem s;
    bool ok = open_problem(&s, options, error) && measure(&s, options, r, error);
    if (ok) print_records(options, &s, r, PERTURBED_METHODS);
    close_problem(&s);
    return ok;
}
