#include "drape_row.h"

#include "base/error.h"
#include "base/quantile.h"

#include <math.h>
#include <stddef.h>

/* The quantile q of one number over all moments. The number is `offset` bytes into each moment. */
static double over_time(const taut_deformation *m, int n, size_t offset, double q, double *room)
{
    for (int i = 0; i < n; i++) room[i] = *(const double *)(const void *)((const char *)&m[i] + offset);
    return tt_quantile(room, n, q);
}

static spread_over_time spread_over(const taut_deformation *m, int n, size_t offset, double *room)
{
    return (spread_over_time){.p50 = over_time(m, n, offset + offsetof(taut_spread, p50), 0.5, room),
                              .p99 = over_time(m, n, offset + offsetof(taut_spread, p99), 0.5, room),
                              .p99_peak = over_time(m, n, offset + offsetof(taut_spread, p99), 1, room),
                              .worst = over_time(m, n, offset + offsetof(taut_spread, worst), 1, room)};
}

static void sum_up(drape_row *row, const taut_deformation *m, int n, double *room)
{
    row->weave[0] = spread_over(m, n, offsetof(taut_deformation, stretch), room);
    row->weave[1] = spread_over(m, n, offsetof(taut_deformation, compression), room);
    row->edges[0] = spread_over(m, n, offsetof(taut_deformation, edge_stretch), room);
    row->edges[1] = spread_over(m, n, offsetof(taut_deformation, edge_compression), room);
    double squares = 0;
    for (int i = 0; i < n; i++) squares += m[i].rms_speed * m[i].rms_speed;
    row->speed = sqrt(squares / n);
    row->shear = over_time(m, n, offsetof(taut_deformation, shear.p99), 0.5, room);
}

static void measure_end(drape_row *row, const drape_scene *s)
{
    const float *xyz = drape_positions(s);
    row->crease = drape_crease(&s->gauge, xyz);
    row->plumb = s->support > 0 ? -1 : drape_plumb(&s->gauge, xyz);
    row->folds = drape_scene_folds(s);
    row->coefficient = drape_coefficient(s);
    if (row->test == DRAPE_TOP) row->sag = drape_sag(s), row->expected_sag = drape_expected_sag(s);
}

static bool run(drape_row *row, drape_scene *s, taut_deformation *m, int window, void (*tick)(void *user), void *user,
                taut_error *error)
{
    int last = (int)(drape_test_times[row->test].ends * s->rate + 0.5), first = s->frame;
    while (s->frame < last) {
        if (!drape_scene_step(s, row->ms, row->longest, error)) return false;
        int at = s->frame - (last - window) - 1;
        if (at >= 0 && !taut_body_deformation(s->world[0], 0, s->gauge.measurer, &m[at], error)) return false;
        tick(user);
    }
    for (int i = 0; i < DRAPE_MOST; i++) row->ms[i] /= last - first;
    return true;
}

bool drape_row_measure(drape_row *row, drape_scene *s, drape_test test, void (*tick)(void *user), void *user,
                       taut_error *error)
{
    *row = (drape_row){.test = test,
                       .n = s->n,
                       .rate = s->rate,
                       .vertices = s->gauge.nvertices,
                       .levels = taut_model_levels(s->model),
                       .irregular = s->irregular,
                       .density = (double)s->material.density,
                       .build_ms = s->build_ms};
    int window = (int)(drape_test_times[test].window * s->rate + 0.5);
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    taut_deformation *m = TT_TAKE(&scope, taut_deformation, window);
    double *room = TT_TAKE(&scope, double, window);
    bool ok = m && room ? run(row, s, m, window, tick, user, error) : tt_no_memory(error);
    if (ok) {
        sum_up(row, m, window, room);
        measure_end(row, s);
    }
    tt_scope_close(&scope);
    return ok;
}
