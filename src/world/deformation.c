/* How much a body is stretched, compressed and sheared, and how fast it moves: statistics over all its cells and edges.
 * Positions are relative to the body's origin, so they are as precise far away as near 0 0 0. */
#include "world/world.h"

#include "base/error.h"
#include "base/exact.h"
#include "base/quantile.h"
#include "mesh/measure.h"

#include <math.h>

/* ---- Edges ---- */

static double edge_change(const tt_body *b, const tt_rest_edge *edge)
{
    const float *p = &b->level[0].p[4 * (size_t)edge->a], *q = &b->level[0].p[4 * (size_t)edge->b];
    double d[3], length = 0;
    for (int c = 0; c < 3; c++) d[c] = (double)p[c] - (double)q[c], length += d[c] * d[c];
    return sqrt(length) / (double)edge->length - 1;
}

taut_stretch taut_body_stretch(const taut_world *world, int body)
{
    const tt_body *b = tt_world_body(world, body);
    taut_stretch worst = {0};
    for (int e = 0; b && e < tt_body_model(b)->nedges; e++) {
        double change = edge_change(b, &tt_body_model(b)->edge[e]);
        worst.stretch = fmax(worst.stretch, change);
        worst.compression = fmax(worst.compression, -change);
    }
    return worst;
}

double taut_body_worst_stretch(const taut_world *world, int body)
{
    taut_stretch worst = taut_body_stretch(world, body);
    return fmax(worst.stretch, worst.compression);
}

/* ---- Statistics ---- */

/* Makes the statistics of n relative changes of length, separately for longer and shorter. */
static void put_changes(double *change, int n, taut_spread *longer, taut_spread *shorter)
{
    if (n == 0) return;
    double most = change[0], least = change[0];
    for (int i = 1; i < n; i++) {
        most = change[i] > most ? change[i] : most;
        least = change[i] < least ? change[i] : least;
    }
    double middle = tt_quantile(change, n, 0.5), above = tt_quantile(change, n, 0.99);
    double below = tt_quantile(change, n, 0.01);
    *longer = (taut_spread){fmax(middle, 0), fmax(above, 0), fmax(most, 0)};
    *shorter = (taut_spread){fmax(-middle, 0), fmax(-below, 0), fmax(-least, 0)};
}

static double angle(double tangent) { return tt_atan2(tangent, 1); }

static void put_shear(double *tangent, int n, taut_spread *shear)
{
    if (n == 0) return;
    double middle = tt_quantile(tangent, n, 0.5), above = tt_quantile(tangent, n, 0.99);
    *shear = (taut_spread){angle(middle), angle(above), angle(tt_quantile(tangent, n, 1))};
}

static void measure_edges(const tt_body *b, double *change, taut_deformation *d)
{
    const taut_model *model = tt_body_model(b);
    for (int e = 0; e < model->nedges; e++) change[e] = edge_change(b, &model->edge[e]);
    put_changes(change, model->nedges, &d->edge_stretch, &d->edge_compression);
}

static void measure_cells(const tt_body *b, const taut_measurer *m, float *xyz, double *number, taut_deformation *d)
{
    const taut_model *model = tt_body_model(b);
    int cells = taut_measurer_cells(m), axes = tt_measurer_axes(m);
    double *shear = number + (size_t)axes * (size_t)cells;
    for (int v = 0; v < model->nvertices; v++)
        for (int c = 0; c < 3; c++)
            xyz[3 * (size_t)v + (size_t)c] = b->level[0].p[4 * (size_t)model->place[v] + (size_t)c];
    tt_measure_axes(m, xyz, number, shear);
    put_changes(number, axes * cells, &d->stretch, &d->compression);
    put_shear(shear, cells, &d->shear);
}

static double rms_speed(const tt_body *b)
{
    double squares = 0;
    int vertices = tt_body_model(b)->nvertices;
    for (int i = 0; i < 3 * vertices; i++) squares += (double)b->out_v[i] * (double)b->out_v[i];
    return vertices ? sqrt(squares / vertices) : 0;
}

bool taut_body_deformation(const taut_world *world, int body, const taut_measurer *measurer,
                           taut_deformation *deformation, taut_error *error)
{
    const tt_body *b = tt_world_body(world, body);
    *deformation = (taut_deformation){0};
    tt_clear(error);
    if (!b) return tt_fail(error, TAUT_BAD_ARGUMENT, body, "there is no body %d; it may have been removed", body);
    const taut_model *model = tt_body_model(b);
    if (measurer && tt_measurer_vertices(measurer) != model->nvertices)
        return tt_fail(error, TAUT_BAD_ARGUMENT, body,
                       "the measurer is of another mesh: it has %d vertices, body %d has %d",
                       tt_measurer_vertices(measurer), body, model->nvertices);
    size_t cells = measurer ? (size_t)taut_measurer_cells(measurer) : 0, numbers = 4 * cells;
    if (numbers < (size_t)model->nedges) numbers = (size_t)model->nedges;
    tt_scope scratch;
    tt_scope_open(&scratch, &world->scope.allocator);
    double *number = TT_TAKE(&scratch, double, numbers);
    float *xyz = TT_TAKE(&scratch, float, cells ? 3 * (size_t)model->nvertices : 0);
    if (number && xyz) {
        measure_edges(b, number, deformation);
        deformation->stretch = deformation->edge_stretch;
        deformation->compression = deformation->edge_compression;
        if (cells) measure_cells(b, measurer, xyz, number, deformation);
        deformation->rms_speed = rms_speed(b);
    }
    tt_scope_close(&scratch);
    return (number && xyz) || tt_no_memory(error);
}
