/* Limits on the stretch along the material axes of a triangle or a tet, one after the other.
 *
 * The length of f_j (strain.h) is a span, so each axis is solved exactly for any masses:
 *
 *     |f_j|* = clamp(|f_j|),   u_j = (|f_j|* over |f_j|, less 1)/W_jj f_j,   f_i += W_ij u_j for the axes that follow
 *
 * Shear is free. An axis of no length has no direction and stays. */
#ifndef TAUT_CONSTRAINTS_LIMIT_AXES_H
#define TAUT_CONSTRAINTS_LIMIT_AXES_H

#include "constraints/limit.h"
#include "constraints/strain.h"

/* How far a length is outside, with the sign of its excess. */
TT_INLINE lane axis_excess(lane length, limit_range range) { return length - limit_clamp(length, range); }

TT_INLINE limit_range axis_range(const tt_go *go, int dimension, int j, const tt_tuning *tuning)
{
    int low = dimension * dimension;
    return limit_range_of(field(go, low), field(go, low + 1), tuning->axis_limit[j]);
}

/* Compares squares, so that elements within their range need no root. */
TT_INLINE mask axes_outside(const tt_go *go, int dimension, const lane3 *f, const tt_tuning *tuning)
{
    mask outside = lane_less(lane_all(0), lane_all(0));
    TT_UNROLL
    for (int j = 0; j < dimension; j++) {
        limit_range range = limit_loosened(axis_range(go, dimension, j, tuning), tuning);
        lane S = dot3(f[j], f[j]);
        outside = mask_or(outside, lane_less(range.high * range.high, S));
        outside = mask_or(outside, lane_less(S, range.low * range.low));
    }
    return outside;
}

/* Loads particles, coefficients and axes for the test of an element. */
TT_INLINE void load_axes(const tt_batch *batch, const tt_go *go, int dimension, lane a[3][4], quad *q, strain_axes *x)
{
    gather_all(batch->p, go, dimension + 1, q);
    strain_coefficients(dimension, go, a);
    strain_axes_of(dimension, a, q, x->f);
}

TT_INLINE lane limit_axes(const tt_batch *batch, const tt_go *go, int dimension)
{
    const tt_tuning *tuning = batch->tuning;
    const lane zero = lane_all(0);
    quad q[4];
    lane a[3][4], wa[3][4], worst = zero;
    strain_axes x;
    lane3 u[3], step[4];
    load_axes(batch, go, dimension, a, q, &x);
    mask outside = mask_and(axes_outside(go, dimension, x.f, tuning), limit_movable(q, dimension + 1));
    if (!mask_any(outside)) return zero;
    TT_UNROLL
    for (int j = 0; j < dimension; j++) {
        lane excess = axis_excess(lane_sqrt(dot3(x.f[j], x.f[j])), axis_range(go, dimension, j, tuning));
        worst = lane_max(worst, lane_abs(excess));
    }
    strain_weights(dimension, a, q, wa, &x);
    TT_UNROLL
    for (int j = 0; j < dimension; j++) {
        lane length = lane_sqrt(dot3(x.f[j], x.f[j])), least = lever_least(x.bound[j], length);
        lane excess = axis_excess(length, axis_range(go, dimension, j, tuning));
        u[j] = scale3(-lane_divide_above(excess, x.W[j][j] * length, least), x.f[j]);
        TT_UNROLL
        for (int i = j + 1; i < dimension; i++) x.f[i] = add3(x.f[i], scale3(x.W[i][j], u[j]));
    }
    TT_UNROLL
    for (int k = 0; k <= dimension; k++) {
        step[k] = scale3(wa[0][k], u[0]);
        TT_UNROLL
        for (int j = 1; j < dimension; j++) step[k] = add3(step[k], scale3(wa[j][k], u[j]));
    }
    limit_deliver(batch, go, dimension + 1, outside, step, q);
    return lane_select(outside, worst, zero);
}

/* How far the length of an axis is above its upper limit or (negative) below its lower one; 0 within. */
TT_INLINE double limit_axes_value(const double *x, const double *data, const tt_tuning *tuning, int dimension, int axis,
                                  double *gradient)
{
    const double *c = data + (ptrdiff_t)axis * dimension, *factor = data + (ptrdiff_t)dimension * dimension;
    lane3 f = lane3_zero();
    lane a[4];
    a[0] = lane_all(0);
    for (int k = 1; k <= dimension; k++) {
        a[k] = lane_all((real)c[k - 1]);
        a[0] = a[0] - a[k];
        f = add3(f, scale3(a[k], sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x))));
    }
    lane length = lane_sqrt(dot3(f, f));
    limit_range range =
        limit_range_of(lane_all((real)factor[0]), lane_all((real)factor[1]), tuning->axis_limit[axis]);
    double excess = first_lane(axis_excess(length, range));
    for (int i = 0; gradient && i < 3 * (dimension + 1); i++) gradient[i] = 0;
    for (int k = 0; gradient && excess != 0 && k <= dimension; k++)
        store_gradient(gradient + (ptrdiff_t)3 * k, scale3(a[k], f), length);
    return excess;
}

static inline bool limit_axes_exist(const taut_limit *limit, int dimension)
{
    bool some = false;
    for (int j = 0; j < dimension; j++) some = some || limit_exists(limit->axis[j]);
    return some;
}

static inline void tune_axes(const taut_limit *limit, int dimension, tt_tuning *tuning)
{
    for (int j = 0; j < dimension; j++) tuning->stiffness[j] = limit_exists(limit->axis[j]);
}

/* Fields in dimension d: Q^-1 by columns, then the two factors of the limits, then the weight that every kind has. */
#define LIMIT_AXES_FIELDS(d) ((d) * (d) + 3)

static inline void limit_axes_fields(const tt_maker *maker, const tt_simplex *simplex, int d, double *data)
{
    strain_columns(simplex, d, data);
    limit_factors(maker->limit_factor, simplex->number, &data[d * d]);
}

/* The functions of a kind of such limits. */
#define TT_LIMIT_AXES_KERNELS(d)                                                                                       \
    TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go) { return limit_axes(batch, go, d); }             \
    static void project(const tt_batch *batch) { sweep_limit(batch, (d) + 1, LIMIT_AXES_FIELDS(d), project_go); }      \
    static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)      \
    {                                                                                                                  \
        return limit_axes_value(x, data, tuning, d, mode, gradient);                                                   \
    }                                                                                                                  \
    static void fields_of(const tt_maker *maker, const tt_simplex *simplex, double *data)                              \
    {                                                                                                                  \
        limit_axes_fields(maker, simplex, d, data);                                                                    \
    }                                                                                                                  \
    static bool create(tt_maker *maker)                                                                                \
    {                                                                                                                  \
        return !limit_axes_exist(&maker->material->limit, d) || tt_emit_simplices(maker, d, fields_of);                \
    }                                                                                                                  \
    static void tune(const taut_material *material, tt_tuning *tuning) { tune_axes(&material->limit, d, tuning); }

#endif
