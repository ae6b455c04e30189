/* Isometric bending with a flat rest state (isometric.h): C = |sum K p|. Cloth's cheapest good bending. */
#include "constraints/narrow.h" /* sixteen lanes of four particles spill */

#include "constraints/isometric.h"
#include "constraints/rows.h"

enum { PARTICLES = ISOMETRIC_PARTICLES, FIELDS = 4 }; /* K1, K2, K3, data[FIELDS - 1] */

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    lane a[PARTICLES];
    isometric_coefficients(data, a);
    return span(r, a, PARTICLES, lane_all(0));
}

/* Whether W may be below what lever_least asks for. W is at least the smallest w times sum a^2. So it is far above
 * that, unless the smallest w is a thousand times smaller than the sum of w, or W is a denormal. */
TT_INLINE mask may_lack_lever(const quad *q, lane W)
{
    lane smallest = lane_min(lane_min(q[0].w, q[1].w), lane_min(q[2].w, q[3].w));
    lane sum_of_w = (q[0].w + q[1].w) + (q[2].w + q[3].w);
    lane least = lane_all((real)1e-3) * sum_of_w + lane_all((real)1e-6);
    return lane_less(lane_min(smallest, lane_all((real)1e29) * W), least);
}

/* This is a separate function, which is rarely called, so that the usual elements keep their registers. */
__attribute__((noinline)) static mask has_lever(const lane *w, const lane *a, lane W)
{
    lane sum_of_w = w[0], squares = a[0] * a[0];
    TT_UNROLL
    for (int k = 1; k < PARTICLES; k++) {
        sum_of_w = sum_of_w + w[k];
        squares = squares + a[k] * a[k];
    }
    return lane_less(lever_least(sum_of_w, squares), W);
}

/* With d = 0, C = rho = |b|. The step of PBD is -k/W times b, whatever the length of b. So it needs no square root, b =
 * 0 is no special case, and the division waits for no position. The step of XPBD, -(rho + alpha lambda) / ((W + alpha)
 * rho), is written so that its divisions wait neither for the root nor for each other. An element without a lever
 * counts as infinitely heavy. */
TT_INLINE void project_go(const tt_batch *batch, const tt_go *go)
{
    quad q[PARTICLES];
    lane a[PARTICLES], wa[PARTICLES], data[FIELDS];
    gather_all(batch->p, go, PARTICLES, q);
    TT_UNROLL
    for (int f = 0; f < FIELDS; f++) data[f] = field(go, f);
    isometric_coefficients(data, a);
    wa[0] = q[0].w * a[0];
    lane W = wa[0] * a[0];
    TT_UNROLL
    for (int k = 1; k < PARTICLES; k++) {
        wa[k] = q[k].w * a[k];
        W = W + wa[k] * a[k];
    }
    if (__builtin_expect(mask_any(may_lack_lever(q, W)), 0)) {
        lane w[PARTICLES], K[PARTICLES]; /* copies, because arrays whose address is taken stay in memory */
        TT_UNROLL
        for (int k = 0; k < PARTICLES; k++) w[k] = q[k].w, K[k] = a[k];
        W = lane_select(has_lever(w, K, W), W, lane_all((real)INFINITY));
    }
    lane t = lane_all(-batch->tuning->stiffness[0]) * data[FIELDS - 1] / W;
    lane3 b = scale3(a[1], sub3(lane3_of(q[1]), lane3_of(q[0])));
    TT_UNROLL
    for (int k = 2; k < PARTICLES; k++) b = add3(b, scale3(a[k], sub3(lane3_of(q[k]), lane3_of(q[0]))));
    if (go->physical) {
        lane alpha = lane_all(batch->tuning->compliance[0]) * data[FIELDS - 1], lambda = lane_load(go->lambda);
        lane square = dot3(b, b), rho = lane_sqrt(square);
        t = lane_all(-1) / (W + alpha) * (lane_all(1) + lane_divide(alpha * lambda, square) * rho);
        lane_store(go->lambda, lambda + t * rho);
    }
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) {
        move(&q[k], wa[k] * t, b);
        scatter(batch->p, go->offset + k * TT_BLOCK, &q[k]);
    }
}

TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go)
{
    damp_span(batch, go, PARTICLES, FIELDS, bend_span);
}

/* The force is linear, so it needs no length, no division and no transpose. Adds `sign` times the force that the
 * vectors `from` of the particles cause to the vectors `to`. */
TT_INLINE void add_force(const tt_batch *batch, const tt_go *go, const real *from, real sign, real *to)
{
    lane a[PARTICLES], data[FIELDS];
    TT_UNROLL
    for (int f = 0; f < FIELDS; f++) data[f] = field(go, f);
    isometric_coefficients(data, a);
    lane k = lane_all(sign * tt_tuning_modulus(batch->tuning, 0)) / data[FIELDS - 1];
    const tt_rows first = rows_load(from, go->offset);
    tt_rows b = {{lane_all(0)}};
    TT_UNROLL
    for (int i = 1; i < PARTICLES; i++) {
        tt_rows part = rows_scale(a[i], rows_sub(rows_load(from, go->offset + i * TT_BLOCK), first));
        b = i == 1 ? part : rows_add(b, part);
    }
    b = rows_without_w(rows_scale(k, b));
    TT_UNROLL
    for (int i = 0; i < PARTICLES; i++) add_rows(to, go->offset + i * TT_BLOCK, rows_scale(a[i], b));
}

TT_INLINE void resist_go(const tt_batch *batch, const tt_go *go) { add_force(batch, go, batch->p, -1, batch->v); }

TT_INLINE void stiffen_go(const tt_batch *batch, const tt_go *go) { add_force(batch, go, batch->x, 1, batch->v); }

static void stiffen(const tt_batch *batch) { sweep_springs(batch, PARTICLES, FIELDS, stiffen_go); }

static void resist(const tt_batch *batch) { sweep_springs(batch, PARTICLES, FIELDS, resist_go); }

static int forms(const double *data, const tt_tuning *tuning, tt_form *form)
{
    (void)tuning;
    form[0] = (tt_form){0, 1, {data[0], data[1], data[2], -(data[0] + data[1] + data[2])}};
    return 1;
}

static void project(const tt_batch *batch) { sweep(batch, PARTICLES, FIELDS, 1, project_go); }
static void damp(const tt_batch *batch) { sweep(batch, PARTICLES, FIELDS, 1, damp_go); }

static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    (void)mode;
    return value_of_span(x, data, tuning, PARTICLES, FIELDS, bend_span, gradient);
}

static bool create(tt_maker *maker) { return isometric_create(maker, false); }

const tt_kind TT_NAME(tt_isometric) = {
    .name = "isometric", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
