/* The span: the length of a fixed linear combination of positions (docs/constraints.md).
 *
 *     b = sum a_i p_i,   C = |b| - d,   U_i = a_i b,   rho = |b|
 *
 * sum a_i = 0, so b is formed from differences and is exact far from the origin. D / rho = W rho with W = sum w_i
 * a_i^2, which does not depend on positions: one projection solves a span exactly for any masses. In the degenerate
 * case |b| = 0 there is no direction, and nothing moves. */
#ifndef TAUT_CONSTRAINTS_SPAN_H
#define TAUT_CONSTRAINTS_SPAN_H

#include "constraints/kernel.h"

#include <math.h>

typedef struct tt_span {
    lane a[TT_MAX_PARTICLES];
    lane3 b;     /* the direction of the gradients, rho long */
    lane C, rho;
} tt_span;

/* Fills a span from positions relative to particle 0 (r[0] = 0). */
typedef tt_span tt_span_function(const lane3 *r, const lane *data, const tt_tuning *tuning);

/* The span with d = 0 for coefficients a[0..n-1]. */
TT_INLINE tt_span span_of(const lane3 *r, const lane *a, int n)
{
    tt_span s;
    s.b = scale3(a[1], r[1]);
    TT_UNROLL
    for (int k = 2; k < n; k++) s.b = add3(s.b, scale3(a[k], r[k]));
    TT_UNROLL
    for (int k = 0; k < n; k++) s.a[k] = a[k];
    s.C = s.rho = lane_sqrt(dot3(s.b, s.b));
    return s;
}

TT_INLINE tt_span span(const lane3 *r, const lane *a, int n, lane d)
{
    tt_span s = span_of(r, a, n);
    s.C = s.rho - d;
    return s;
}

/* A span that knows its side: l = |b| with the sign of b against `normal`, and C = l - d with a signed d. So a shape
 * that popped through is pulled back through zero (TB leaves this open). If b all but vanishes, the normal gives the
 * direction. */
TT_INLINE tt_span sided_span(const lane3 *r, const lane *a, int n, lane d, lane3 normal)
{
    tt_span s = span_of(r, a, n);
    lane size = lane_sqrt(dot3(normal, normal));
    mask below = lane_less(dot3(s.b, normal), lane_all(0));
    mask flat = lane_less(s.rho, lane_all((real)1e-6) * lane_abs(d));
    lane side = lane_select(below, lane_all(-1), lane_all(1));
    s.C = side * s.rho - d;
    s.b = select3(flat, normal, scale3(side, s.b));
    s.rho = lane_select(flat, size, s.rho);
    return s;
}

/* For upper and lower limits: C becomes 0 if it has the allowed sign. */
TT_INLINE tt_span limit(tt_span s, taut_bend_mode mode)
{
    const real low = mode == TAUT_BEND_AT_MOST ? 0 : -(real)INFINITY;
    const real high = mode == TAUT_BEND_AT_LEAST ? 0 : (real)INFINITY;
    s.C = lane_max(lane_min(s.C, lane_all(high)), lane_all(low));
    return s;
}

/* The particles of an element and its span, from which projection and damping start. */
typedef struct tt_span_element {
    quad q[TT_MAX_PARTICLES];
    lane weight;
    tt_span s;
    lane wa[TT_MAX_PARTICLES], W; /* w_i a_i and W */
    lane least;                   /* of W, see lever_least */
} tt_span_element;

TT_INLINE void span_load(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function,
                         tt_span_element *e)
{
    lane3 r[TT_MAX_PARTICLES];
    lane data[TT_MAX_FIELDS];
    gather_all(batch->p, go, n, e->q);
    r[0] = lane3_zero();
    TT_UNROLL
    for (int k = 1; k < n; k++) r[k] = sub3(lane3_of(e->q[k]), lane3_of(e->q[0]));
    TT_UNROLL
    for (int f = 0; f < fields; f++) data[f] = field(go, f);
    e->weight = field(go, fields - 1);
    e->s = function(r, data, batch->tuning);
    lane sum_of_w = e->q[0].w, squares = e->s.a[0] * e->s.a[0];
    e->wa[0] = e->q[0].w * e->s.a[0];
    e->W = e->wa[0] * e->s.a[0];
    TT_UNROLL
    for (int k = 1; k < n; k++) {
        e->wa[k] = e->q[k].w * e->s.a[k];
        e->W = e->W + e->wa[k] * e->s.a[k];
        sum_of_w = sum_of_w + e->q[k].w;
        squares = squares + e->s.a[k] * e->s.a[k];
    }
    e->least = lever_least(sum_of_w, squares);
}

TT_INLINE void span_move(const tt_batch *batch, const tt_go *go, int n, tt_span_element *e, lane t)
{
    TT_UNROLL
    for (int k = 0; k < n; k++) move(&e->q[k], e->wa[k] * t, e->s.b);
    scatter_all(batch->p, go, n, e->q);
}

TT_INLINE void project_span(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function)
{
    tt_span_element e;
    span_load(batch, go, n, fields, function, &e);
    tt_lever lever = {e.s.C, e.s.rho, lane_all(1), e.W * e.s.rho, e.least * e.s.rho + lane_all((real)1e-36)};
    span_move(batch, go, n, &e, multiplier(batch, go, 0, e.weight, lever));
}

TT_INLINE void damp_span(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function)
{
    tt_span_element e;
    quad v[TT_MAX_PARTICLES];
    span_load(batch, go, n, fields, function, &e);
    gather_all(batch->v, go, n, v);
    lane rate = lane_all(0);
    TT_UNROLL
    for (int k = 0; k < n; k++) rate = rate + e.s.a[k] * dot3(e.s.b, lane3_of(v[k]));
    lane squared = e.s.rho * e.s.rho;
    lane t = -lane_divide_above(lane_all(batch->tuning->damping[0]) * rate, e.W * squared, e.least * squared);
    /* A limit that holds (limit() made its C 0) damps nothing. */
    if (batch->tuning->bend_mode != TAUT_BEND_EQUAL)
        t = lane_select(lane_less(lane_all(0), e.s.C * e.s.C), t, lane_all(0));
    TT_UNROLL
    for (int k = 0; k < n; k++) move(&v[k], e.wa[k] * t, e.s.b);
    scatter_all(batch->v, go, n, v);
}

TT_INLINE void resist_span(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function)
{
    tt_span_element e;
    quad sum[TT_MAX_PARTICLES];
    span_load(batch, go, n, fields, function, &e);
    gather_all(batch->v, go, n, sum);
    lane t = response(batch, 0, e.weight, (tt_lever){.C = e.s.C, .rho = e.s.rho});
    TT_UNROLL
    for (int k = 0; k < n; k++) move(&sum[k], e.s.a[k] * t, e.s.b);
    scatter_all(batch->v, go, n, sum);
}

/* The span resists along its direction with its stiffness, and across with the stiffness that comes from tension. */
TT_INLINE void stiffen_span(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function)
{
    tt_span_element e;
    quad d[TT_MAX_PARTICLES], sum[TT_MAX_PARTICLES];
    span_load(batch, go, n, fields, function, &e);
    gather_all(batch->x, go, n, d);
    gather_all(batch->v, go, n, sum);
    lane3 change = lane3_zero();
    TT_UNROLL
    for (int k = 0; k < n; k++) change = add3(change, scale3(e.s.a[k], lane3_of(d[k])));
    lane k = lane_all(1) / (lane_all(batch->tuning->compliance[0]) * e.weight);
    lane along = lane_divide(dot3(e.s.b, change), e.s.rho * e.s.rho);
    lane tension = lane_max(lane_divide(e.s.C, e.s.rho), lane_all(0));
    lane3 total = add3(scale3(along * (lane_all(1) - tension), e.s.b), scale3(tension, change));
    TT_UNROLL
    for (int i = 0; i < n; i++) move(&sum[i], e.s.a[i] * k, total);
    scatter_all(batch->v, go, n, sum);
}

TT_INLINE double value_of_span(const double *x, const double *data, const tt_tuning *tuning, int n, int fields,
                               tt_span_function *function, double *gradient)
{
    lane3 r[TT_MAX_PARTICLES];
    lane d[TT_MAX_FIELDS];
    for (int k = 0; k < n; k++) r[k] = sub3(lane3_all(x + 3 * k), lane3_all(x));
    for (int f = 0; f < fields; f++) d[f] = lane_all((real)data[f]);
    tt_span s = function(r, d, tuning);
    for (int k = 0; gradient && k < n; k++) store_gradient(gradient + 3 * k, scale3(s.a[k], s.b), s.rho);
    return first_lane(s.C);
}

/* The energy of a span depends on how far the end of its vector is from where it should be, so the form is the span
 * itself. */
TT_INLINE int forms_of_span(const double *data, const tt_tuning *tuning, int n, int fields, tt_span_function *function,
                            tt_form *form)
{
    lane3 r[TT_MAX_PARTICLES];
    lane d[TT_MAX_FIELDS];
    for (int k = 0; k < n; k++) r[k] = lane3_zero();
    for (int f = 0; f < fields; f++) d[f] = lane_all((real)data[f]);
    tt_span s = function(r, d, tuning);
    form[0] = (tt_form){.mode = 0, .factor = 1};
    for (int k = 0; k < n; k++) form[0].a[k] = first_lane(s.a[k]);
    return 1;
}

#define TT_SPAN_KERNELS(particles, fields, function)                                                                   \
    TT_KERNELS(particles, fields, project_span, damp_span, value_of_span, function)                                    \
    TT_INLINE void resist_go(const tt_batch *batch, const tt_go *go)                                                   \
    {                                                                                                                  \
        resist_span(batch, go, particles, fields, function);                                                           \
    }                                                                                                                  \
    static void resist(const tt_batch *batch) { sweep_units(batch, particles, fields, 1, false, resist_go); }          \
    TT_INLINE void stiffen_go(const tt_batch *batch, const tt_go *go)                                                  \
    {                                                                                                                  \
        stiffen_span(batch, go, particles, fields, function);                                                          \
    }                                                                                                                  \
    static void stiffen(const tt_batch *batch) { sweep_units(batch, particles, fields, 1, false, stiffen_go); }        \
    static int forms(const double *data, const tt_tuning *tuning, tt_form *form)                                       \
    {                                                                                                                  \
        return forms_of_span(data, tuning, particles, fields, function, form);                                         \
    }

#endif
