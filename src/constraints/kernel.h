/* Loops and projections that the constraint kernels share.
 *
 * Every mode gives C and a scaled gradient U: the true gradient is U / rho. That keeps divisions out of the kernels.
 * With D = sum w |U|^2 the step of XPBD becomes
 *
 *     t = -(C + a lambda) rho / (D + a rho^2),    p_i += w_i U_i t,    lambda += t rho
 *
 * with a = compliance / h^2, and PBD's is the same with a = 0 and t times k'. */
#ifndef TAUT_CONSTRAINTS_KERNEL_H
#define TAUT_CONSTRAINTS_KERNEL_H

#include "constraints/constraint.h"
#include "constraints/lane_math.h"

/* The part of a block that is worked on at once: pointers to its first lane. Slot k's offsets are at
 * offset + k * TT_BLOCK, and likewise fields and multipliers. */
typedef struct tt_go {
    const uint32_t *offset;
    const real *data;
    real *lambda;
    bool physical;
} tt_go;

typedef void tt_work(const tt_batch *batch, const tt_go *go);

/* Calls `work` for each go of each block. All arguments except the batch are constants, so that the call is inlined and
 * the units cost no branch. */
TT_INLINE void sweep_units(const tt_batch *batch, int slots, int fields, int modes, bool physical, tt_work *work)
{
    const tt_batch own = *batch; /* no store can change the pointers of this copy, so they stay in registers */
    batch = &own;
    for (int block = batch->first; block < batch->last; block++) {
        for (int at = 0; at < TT_BLOCK && at < batch->live[block]; at += LANES) {
            tt_go go = {
                .offset = batch->offset + (size_t)block * (size_t)(slots * TT_BLOCK) + at,
                .data = batch->data + (size_t)block * (size_t)(fields * TT_BLOCK) + at,
                .lambda = physical ? batch->lambda + (size_t)block * (size_t)(modes * TT_BLOCK) + at : NULL,
                .physical = physical,
            };
            work(batch, &go);
        }
    }
}

TT_INLINE void sweep(const tt_batch *batch, int slots, int fields, int modes, tt_work *work)
{
    if (batch->tuning->physical)
        sweep_units(batch, slots, fields, modes, true, work);
    else
        sweep_units(batch, slots, fields, modes, false, work);
}

/* For resist, stiffen and brace of tt_kind, which need no multipliers. No store can change the copy of the tuning, so
 * its numbers stay in registers. */
TT_INLINE void sweep_springs(const tt_batch *batch, int slots, int fields, tt_work *work)
{
    const tt_tuning tuning = *batch->tuning;
    tt_batch own = *batch;
    own.tuning = &tuning;
    sweep_units(&own, slots, fields, 0, false, work);
}

TT_INLINE lane field(const tt_go *go, int f) { return lane_load(go->data + f * TT_BLOCK); }

TT_INLINE void gather_all(const real *p, const tt_go *go, int n, quad *q)
{
    TT_UNROLL
    for (int k = 0; k < n; k++) gather(p, go->offset + k * TT_BLOCK, &q[k]);
}

TT_INLINE void scatter_all(real *p, const tt_go *go, int n, const quad *q)
{
    TT_UNROLL
    for (int k = 0; k < n; k++) scatter(p, go->offset + k * TT_BLOCK, &q[k]);
}

/* The ingredients of the step of one mode. `factor` and `denominator` are rho and D, or both divided by rho if that
 * pair is cheaper to compute. */
typedef struct tt_lever {
    lane C, rho;
    lane factor, denominator;
    lane least; /* the smallest denominator that moves anything, see lever_least */
} tt_lever;

/* The free particles of an element may have next to no lever on a mode (a hinge held at three corners, a triangle whose
 * pinned edge is the warp). Then D is small or mere rounding noise, and a step C/|g| would throw them far away. So such
 * a mode does nothing: D must exceed a ten-thousandth of (sum w) * (sum |g|^2), as it does in every element that moves
 * freely. `scale` is sum |U|^2, divided by rho if the denominator is. */
TT_INLINE lane lever_least(lane sum_of_w, lane scale)
{
    return lane_all((real)1e-4) * (sum_of_w * scale) + lane_all((real)1e-36);
}

/* The t of the head of this file for one mode; reads and writes lambda in physical units. `weight` is as tt_emit stores
 * it. The units are a constant of the go, so that a kernel is one straight run of code. */
TT_INLINE lane multiplier(const tt_batch *batch, const tt_go *go, int mode, lane weight, tt_lever l)
{
    const tt_tuning *tuning = batch->tuning;
    /* The division does not wait for C, which may come late (an arc tangent). */
    if (!go->physical) {
        lane k = lane_all(-tuning->stiffness[mode]) * weight;
        return l.C * lane_divide_above(l.factor * k, l.denominator, l.least);
    }
    lane alpha = lane_all(tuning->compliance[mode]) * weight;
    real *slot = go->lambda + mode * TT_BLOCK;
    lane lambda = lane_load(slot);
    lane inverse = l.factor / (l.denominator + alpha * (l.factor * l.rho));
    lane t = lane_select(lane_less(l.least, l.denominator), -(l.C + alpha * lambda) * inverse, lane_all(0));
    lane_store(slot, lambda + t * l.rho);
    return t;
}

/* The t of a spring instead: h^2 times the force on particle i is U_i t. */
TT_INLINE lane response(const tt_batch *batch, int mode, lane weight, tt_lever l)
{
    return -lane_divide(l.C, lane_all(batch->tuning->compliance[mode]) * weight * l.rho);
}

/* One mode of an element with its scaled gradient. A mode function gets positions relative to particle 0 (r[0] = 0) and
 * inverse masses. */
typedef struct tt_mode_value {
    tt_lever lever;
    lane3 U[TT_MAX_PARTICLES];
} tt_mode_value;

typedef tt_mode_value tt_mode_function(const lane3 *r, const lane *w, const lane *data, const tt_tuning *tuning);

TT_INLINE void relative_to_first(const quad *q, int n, lane3 *r, lane *w)
{
    r[0] = lane3_zero();
    TT_UNROLL
    for (int k = 1; k < n; k++) r[k] = sub3(lane3_of(q[k]), lane3_of(q[0]));
    TT_UNROLL
    for (int k = 0; k < n; k++) w[k] = q[k].w;
}

TT_INLINE void move(quad *q, lane t, lane3 U)
{
    q->x = q->x + t * U.x;
    q->y = q->y + t * U.y;
    q->z = q->z + t * U.z;
}

/* Projection of a kind with one mode. */
TT_INLINE void project_mode(const tt_batch *batch, const tt_go *go, int n, int fields, tt_mode_function *function)
{
    quad q[TT_MAX_PARTICLES];
    lane3 r[TT_MAX_PARTICLES];
    lane w[TT_MAX_PARTICLES], data[TT_MAX_FIELDS];
    gather_all(batch->p, go, n, q);
    relative_to_first(q, n, r, w);
    TT_UNROLL
    for (int f = 0; f < fields; f++) data[f] = field(go, f);
    tt_mode_value m = function(r, w, data, batch->tuning);
    lane t = multiplier(batch, go, 0, data[fields - 1], m.lever);
    TT_UNROLL
    for (int k = 0; k < n; k++) move(&q[k], w[k] * t, m.U[k]);
    scatter_all(batch->p, go, n, q);
}

/* Damping (SBD eq. 23, corrected): dv_i = -k w_i g_i (sum g_j v_j) / (sum w_j |g_j|^2). The scale rho cancels. For
 * modes whose denominator is D. */
TT_INLINE void damp_mode(const tt_batch *batch, const tt_go *go, int n, int fields, tt_mode_function *function)
{
    quad q[TT_MAX_PARTICLES], v[TT_MAX_PARTICLES];
    lane3 r[TT_MAX_PARTICLES];
    lane w[TT_MAX_PARTICLES], data[TT_MAX_FIELDS];
    gather_all(batch->p, go, n, q);
    gather_all(batch->v, go, n, v);
    relative_to_first(q, n, r, w);
    TT_UNROLL
    for (int f = 0; f < fields; f++) data[f] = field(go, f);
    tt_mode_value m = function(r, w, data, batch->tuning);
    lane rate = lane_all(0);
    TT_UNROLL
    for (int k = 0; k < n; k++) rate = rate + dot3(m.U[k], lane3_of(v[k]));
    lane t = -lane_divide_above(lane_all(batch->tuning->damping[0]) * rate, m.lever.denominator, m.lever.least);
    TT_UNROLL
    for (int k = 0; k < n; k++) move(&v[k], w[k] * t, m.U[k]);
    scatter_all(batch->v, go, n, v);
}

/* ---- `value` of tt_kind ------------------------------------------------------------------------------------------ */

TT_INLINE double first_lane(lane v)
{
    _Alignas(64) real a[LANES];
    lane_store(a, v);
    return a[0];
}

TT_INLINE lane3 lane3_all(const double *a)
{
    return (lane3){lane_all((real)a[0]), lane_all((real)a[1]), lane_all((real)a[2])};
}

TT_INLINE void store_gradient(double *gradient, lane3 U, lane rho)
{
    gradient[0] = first_lane(U.x / rho);
    gradient[1] = first_lane(U.y / rho);
    gradient[2] = first_lane(U.z / rho);
}

TT_INLINE double value_of_mode(const double *x, const double *data, const tt_tuning *tuning, int n, int fields,
                               tt_mode_function *function, double *gradient)
{
    lane3 r[TT_MAX_PARTICLES];
    lane w[TT_MAX_PARTICLES], d[TT_MAX_FIELDS];
    for (int k = 0; k < n; k++) r[k] = sub3(lane3_all(x + 3 * k), lane3_all(x)), w[k] = lane_all(1);
    for (int f = 0; f < fields; f++) d[f] = lane_all((real)data[f]);
    tt_mode_value m = function(r, w, d, tuning);
    for (int k = 0; gradient && k < n; k++) store_gradient(gradient + 3 * k, m.U[k], m.lever.rho);
    return first_lane(m.lever.C);
}

/* The three functions of a kind with one mode, from the functions that process a mode (project_mode, or project_span of
 * span.h, and so on) and the mode function of the kind. */
#define TT_KERNELS(particles, fields, project_way, damp_way, value_way, function)                                      \
    TT_INLINE void project_go(const tt_batch *batch, const tt_go *go)                                                  \
    {                                                                                                                  \
        project_way(batch, go, particles, fields, function);                                                           \
    }                                                                                                                  \
    TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go)                                                     \
    {                                                                                                                  \
        damp_way(batch, go, particles, fields, function);                                                              \
    }                                                                                                                  \
    static void project(const tt_batch *batch) { sweep(batch, particles, fields, 1, project_go); }                     \
    static void damp(const tt_batch *batch) { sweep(batch, particles, fields, 1, damp_go); }                           \
    static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)      \
    {                                                                                                                  \
        (void)mode;                                                                                                    \
        return value_way(x, data, tuning, particles, fields, function, gradient);                                      \
    }

#define TT_MODE_KERNELS(particles, fields, function)                                                                   \
    TT_KERNELS(particles, fields, project_mode, damp_mode, value_of_mode, function)

#endif
