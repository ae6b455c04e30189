#define _POSIX_C_SOURCE 200809L

#include "kernels.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/quantile.h"
#include "own_clock.h"
#include "reference_pass.h"
#include "solver_pass.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST = 1000000, SAMPLES = 2000 };

/* The limits come last and have a benchmark of their own. */
const char *kernels_name(int index)
{
    const char *name = workload_name(index);
    return name && !workload_is_limit(index) ? name : NULL;
}

bool kernels_has(const char *name)
{
    for (int i = 0; kernels_name(i); i++)
        if (strcmp(name, kernels_name(i)) == 0) return true;
    return false;
}

/* ---- Measuring ---- */

/* Passes of one sort, and how long each took, ms. */
typedef struct series {
    int n;
    double ms[SAMPLES];
} series;

typedef struct contest {
    solver_pass ours;
    reference_pass reference;
    tt_pool *pool;
    series alone, together, plain; /* ours on one thread, on all, the reference */
    series nothing;                /* the time to read the clock twice, which is part of `alone` and `plain` */
} contest;

static void add(series *s, double ms)
{
    if (s->n < SAMPLES) s->ms[s->n++] = ms;
}

/* Work on one thread is measured in processor time. */
static double once(contest *c, tt_pool *pool)
{
    solver_pass_reset(&c->ours, pool);
    double start = pool ? tt_clock() : own_clock();
    solver_pass_run(&c->ours, pool);
    return (pool ? tt_clock() : own_clock()) - start;
}

static double reference_once(contest *c)
{
    reference_pass_reset(&c->reference);
    double start = own_clock();
    reference_pass_run(&c->reference);
    return own_clock() - start;
}

static double nothing_once(void)
{
    double start = own_clock();
    return own_clock() - start;
}

/* Runs a burst of each. Short bursts alternate, so that whatever slows the machine down slows both. The first pass of a
 * burst only warms the caches. */
static void play_round(contest *c, int burst, bool with_reference)
{
    once(c, NULL);
    for (int i = 0; i < burst; i++) add(&c->alone, once(c, NULL));
    for (int i = 0; i < burst; i++) add(&c->nothing, nothing_once());
    if (c->pool) {
        once(c, c->pool);
        for (int i = 0; i < burst; i++) add(&c->together, once(c, c->pool));
    }
    if (!with_reference) return;
    if (burst > 1) reference_once(c);
    for (int i = 0; i < burst; i++) add(&c->plain, reference_once(c));
}

/* `single`: one pass of the reference is enough. */
static void play(contest *c, bool quick, bool single)
{
    const double budget = quick ? 50 : 600; /* ms */
    const int least = quick ? 3 : 7;
    once(c, NULL); /* touches the memory for the first time */
    double ms = reference_once(c), begun = tt_clock();
    int burst = ms < 0.1 ? 16 : ms < 1 ? 4 : 1;
    if (single) add(&c->plain, ms);
    for (int i = 0; i < least || (tt_clock() - begun < budget && c->alone.n < SAMPLES); i++)
        play_round(c, burst, !single);
}

/* ---- Printing ---- */

typedef struct row {
    const char *kernel, *order;
    int elements, count, threads;
    double ns, reference_ns;
} row;

typedef struct table {
    bool json;
    int rows;
} table;

static void begin_table(const table *t)
{
    if (t->json) printf("[");
    else
        printf("%-20s %9s %9s %8s %7s %7s %9s %13s %7s\n", "kernel", "elements", "count", "order", "threads", "simd",
               "ns", "reference ns", "ratio");
}

static void print_row(table *t, const row *r)
{
    double ratio = r->reference_ns / r->ns;
    if (t->json)
        printf("%s\n{\"kernel\":\"%s\",\"elements\":%d,\"count\":%d,\"threads\":%d,\"simd\":\"%s\","
               "\"ns\":%.4f,\"reference_ns\":%.4f,\"ratio\":%.3f,\"order\":\"%s\"}",
               t->rows ? "," : "", r->kernel, r->elements, r->count, r->threads, tt_simd_choose().name, r->ns,
               r->reference_ns, ratio, r->order);
    else
        printf("%-20s %9d %9d %8s %7d %7s %9.2f %13.2f %7.2f\n", r->kernel, r->elements, r->count, r->order, r->threads,
               tt_simd_choose().name, r->ns, r->reference_ns, ratio);
    t->rows++;
    fflush(stdout);
}

static void end_table(const table *t)
{
    if (t->json) printf("\n]\n");
}

/* ---- The benchmark ---- */

static double median(series *s) { return tt_quantile(s->ms, s->n, 0.5); }

static kernels_time time_of(contest *c, int count)
{
    double clock = median(&c->nothing);
    return (kernels_time){count, (median(&c->alone) - clock) * 1e6 / count,
                          (median(&c->plain) - clock) * 1e6 / c->reference.count};
}

static bool hold_contest(contest **c, workload *w, tt_pool *pool, bool quick, bool shuffled, taut_error *error)
{
    *c = TT_TAKE(&w->scope, contest, 1);
    if (!*c || !solver_pass_make(&(*c)->ours, w) || !reference_pass_make(&(*c)->reference, w))
        return tt_no_memory(error);
    (*c)->pool = pool;
    play(*c, quick, shuffled);
    return true;
}

bool kernels_measure(const char *kernel, int elements, bool quick, kernels_time *time, taut_error *error)
{
    workload w;
    contest *c;
    int index = 0;
    while (strcmp(workload_name(index), kernel) != 0) index++;
    bool done = workload_open(&w, index, elements, false, error) && hold_contest(&c, &w, NULL, quick, false, error);
    if (done) *time = time_of(c, w.count);
    workload_close(&w);
    return done;
}

static void print_contest(table *t, contest *c, row r)
{
    kernels_time time = time_of(c, r.count);
    r.reference_ns = time.reference_ns;
    r.threads = 1;
    r.ns = time.ns;
    print_row(t, &r);
    if (!c->pool) return;
    r.threads = tt_pool_threads(c->pool);
    r.ns = median(&c->together) * 1e6 / r.count;
    print_row(t, &r);
}

static bool measure(table *t, int index, int elements, bool shuffled, bool quick, tt_pool *pool, taut_error *error)
{
    workload w;
    row r = {.kernel = workload_name(index), .order = shuffled ? "shuffled" : "natural", .elements = elements};
    contest *c;
    bool done =
        workload_open(&w, index, elements, shuffled, error) && hold_contest(&c, &w, pool, quick, shuffled, error);
    r.count = w.count;
    if (done) print_contest(t, c, r);
    workload_close(&w);
    return done;
}

static bool measure_all(const kernels_options *options, table *t, tt_pool *pool, taut_error *error)
{
    const int usual[] = {3600, 100000, LARGEST};
    const int *sizes = options->elements ? &options->elements : usual;
    int nsizes = options->elements ? 1 : 3;
    for (int i = 0; workload_name(i); i++) {
        if (workload_is_limit(i) != options->limits) continue;
        if (options->kernel && strcmp(options->kernel, workload_name(i)) != 0) continue;
        for (int s = 0; s < nsizes; s++) {
            if (!measure(t, i, sizes[s], false, options->quick, pool, error)) return false;
            if (sizes[s] != LARGEST) continue;
            if (!measure(t, i, sizes[s], true, options->quick, pool, error)) return false;
        }
    }
    return true;
}

bool kernels_run(const kernels_options *options, taut_error *error)
{
    table t = {.json = options->json};
    tt_scope scope;
    tt_pool *pool = NULL;
    int cores = tt_pool_cores();
    tt_scope_open(&scope, NULL);
    if (cores > 1) pool = tt_pool_start(&scope, cores);
    bool done = cores == 1 || pool || tt_no_memory(error);
    begin_table(&t);
    done = done && measure_all(options, &t, pool, error);
    end_table(&t);
    tt_pool_stop(pool);
    tt_scope_close(&scope);
    return done;
}
