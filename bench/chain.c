#define _POSIX_C_SOURCE 200809L

#include "chain.h"

#include "base/error.h"
#include "base/memory.h"
#include "baselines.h"
#include "limited_body.h"
#include "own_clock.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEVEL_PASSES = 64,   /* with several levels: the most passes over each level in turn */
    MOST_PASSES = 10000, /* with one level: the most passes until it is done             */
    MOST_CYCLES = 10000,
    REPEATS = 5
};

/* ---- The chain ---- */

typedef struct problem {
    tt_scope scope;
    taut_mesh mesh;
    float *start; /* 3 per vertex */
    ref_double_vec3 *p;
    double *w;
    base_chain chain;
    double threshold;
} problem;

/* Every line is between a tenth and three tenths too long. The chain is straight, or a quarter of a circle. */
static void stretch(problem *s, bool arc)
{
    uint32_t seed = 1;
    const double turn = arc ? 1.5707963267948966 / (s->chain.n - 1) : 0;
    for (int k = 0; k < s->chain.n - 1; k++) {
        double length = s->chain.length[k] * uniform(&seed, 1.1, 1.3);
        s->start[3 * k + 3] = s->start[3 * k] + (float)(length * cos(turn * k));
        s->start[3 * k + 4] = s->start[3 * k + 1] - (float)(length * sin(turn * k));
    }
}

static bool open_problem(problem *s, int n, const chain_options *options, taut_error *error)
{
    *s = (problem){.threshold = options->threshold / 1000.0};
    tt_scope_open(&s->scope, NULL);
    if (!taut_mesh_chain(&s->mesh, n, 1, error) || !taut_mesh_pin(&s->mesh, 0, error)) return false;
    s->start = TT_TAKE(&s->scope, float, 3 * (size_t)n);
    s->p = TT_TAKE(&s->scope, ref_double_vec3, n);
    s->w = TT_TAKE(&s->scope, double, n);
    double *length = TT_TAKE(&s->scope, double, n - 1), *scratch = TT_TAKE(&s->scope, double, 3 * ((size_t)n - 1));
    if (!s->start || !s->p || !s->w || !length || !scratch) return tt_no_memory(error);
    for (int k = 0; k < n - 1; k++) length[k] = (double)s->mesh.x[3 * k + 3] - (double)s->mesh.x[3 * k];
    for (int v = 1; v < n; v++) s->w[v] = v < n - 1 ? 1 : 2; /* an end weighs half */
    s->chain = (base_chain){n, length, scratch};
    stretch(s, options->arc);
    return true;
}

static void close_problem(problem *s)
{
    tt_scope_close(&s->scope);
    taut_mesh_free(&s->mesh);
}

static void take_positions(const problem *s, const float *x)
{
    for (int v = 0; v < s->chain.n; v++)
        s->p[v] = (ref_double_vec3){(double)x[3 * v], (double)x[3 * v + 1], (double)x[3 * v + 2]};
}

/* ---- Methods ---- */

static void take_fastest(chain_cost *best, const chain_cost *now)
{
    if (best->rounds == 0 || now->ms < best->ms) *best = *now;
}

/* Measures the library. `top` is the number of lines of the coarsest level; 0: there is only one level. */
static bool run_library(const problem *s, int top, chain_cost *best, taut_error *error)
{
    taut_limit limit = taut_default_material().limit;
    limit.edge[0] = limit.edge[1] = 1;
    limit.iterations = top ? LEVEL_PASSES : MOST_PASSES;
    limit.threshold = (float)s->threshold;
    taut_model_options model = taut_default_model_options();
    model.levels = 0;
    while (top && (s->chain.n - 1) >> model.levels > top) model.levels++;
    limited_body b;
    bool ok = limited_body_open(&b, &s->mesh, &limit, &model, false, error);
    for (int repeat = 0; ok && repeat < REPEATS; repeat++) {
        chain_cost now = {0};
        ok = limited_body_place(&b, s->start, error);
        while (ok && !now.done && now.rounds < MOST_CYCLES) {
            now.ms += limited_body_enforce(&b);
            now.projections += limited_body_projections(&b);
            now.rounds++;
            take_positions(s, limited_body_positions(&b));
            now.done = base_chain_strain(&s->chain, s->p) <= s->threshold;
        }
        take_fastest(best, &now);
        if (now.ms > 1000) break; /* long enough for a single measurement */
    }
    limited_body_close(&b);
    return ok;
}

static void run_fast_projection(const problem *s, chain_cost *best)
{
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        chain_cost now = {0};
        take_positions(s, s->start);
        double begun = own_clock();
        now.rounds = base_chain_project(&s->chain, s->threshold, MOST_CYCLES, s->p, s->w);
        now.ms = own_clock() - begun;
        now.projections = (double)now.rounds * (s->chain.n - 1);
        now.done = base_chain_strain(&s->chain, s->p) <= s->threshold;
        take_fastest(best, &now);
    }
}

/* The number of lines at the top; 0: one level; -1: fast projection. */
static const int method_top[CHAIN_METHODS] = {0, 4, 8, 16, -1};
const char *const chain_method[CHAIN_METHODS] = {"one level", "levels, top 4", "levels, top 8", "levels, top 16",
                                                 "fast projection"};

bool chain_measure(int n, int which, const chain_options *options, chain_cost *cost, taut_error *error)
{
    problem s;
    bool ok = open_problem(&s, n, options, error);
    *cost = (chain_cost){0};
    if (ok && method_top[which] < 0) run_fast_projection(&s, cost);
    else ok = ok && run_library(&s, method_top[which], cost, error);
    close_problem(&s);
    return ok;
}

/* ---- Printing ---- */

typedef struct table {
    bool json;
    int rows;
} table;

static void begin_table(const table *t)
{
    if (t->json) printf("[");
    else
        printf("%9s %-16s %8s %12s %11s %10s %10s\n", "vertices", "method", "rounds", "projections", "ms", "work ratio",
               "time ratio");
}

static void print_row(table *t, int n, const char *method, const chain_cost *c, const chain_cost *one)
{
    double work = one->projections / c->projections, time = one->ms / c->ms;
    if (t->json)
        printf("%s\n{\"vertices\":%d,\"method\":\"%s\",\"rounds\":%d,\"projections\":%.0f,\"ms\":%.5f,"
               "\"work_ratio\":%.3f,\"ratio\":%.3f,\"done\":%s}",
               t->rows ? "," : "", n, method, c->rounds, c->projections, c->ms, work, time, c->done ? "true" : "false");
    else
        printf("%9d %-16s %8d %12.0f %11.4f %10.2f %10.2f%s\n", n, method, c->rounds, c->projections, c->ms, work, time,
               c->done ? "" : "  not done");
    t->rows++;
    fflush(stdout);
}

static void end_table(const table *t)
{
    if (t->json) printf("\n]\n");
}

/* ---- The benchmark ---- */

static bool measure(table *t, int n, const chain_options *options, taut_error *error)
{
    chain_cost one = {0}, c;
    for (int i = 0; i < CHAIN_METHODS; i++) {
        if (!chain_measure(n, i, options, &c, error)) return false;
        if (i == 0) one = c;
        print_row(t, n, chain_method[i], &c, &one);
    }
    return true;
}

bool chain_run(const chain_options *options, taut_error *error)
{
    const int usual[] = {33, 65, 129, 257, 513};
    const int *sizes = options->n ? &options->n : usual;
    int nsizes = options->n ? 1 : (int)(sizeof usual / sizeof usual[0]);
    table t = {.json = options->json};
    bool ok = true;
    begin_table(&t);
    for (int i = 0; ok && i < nsizes; i++) ok = measure(&t, sizes[i], options, error);
    end_table(&t);
    return ok;
}
