/* The span: the length of a fixed linear combination of positions (FORMULAS.md 2).
 *
 *     b = sum a_i p_i,   C = |b| - d,   U_i = a_i b,   rho = |b|
 *
 * sum a_i = 0, so b is formed from differences: exact far from the origin. Its degenerate case |b| = 0 has no direction
 * and does nothing (U = 0). One projection solves it exactly for any masses. */
#ifndef TAUT_CONSTRAINTS_SPAN_H
#define TAUT_CONSTRAINTS_SPAN_H

#include "constraints/kernel.h"

TT_INLINE lane span_weight(const lane *w, const lane *a, int n)
{
    lane W = w[0] * (a[0] * a[0]);
    for (int k = 1; k < n; k++) W = W + w[k] * (a[k] * a[k]);
    return W;
}

TT_INLINE lane3 span_vector(const lane3 *r, const lane *a, int n)
{
    lane3 b = scale3(a[1], r[1]);
    for (int k = 2; k < n; k++) b = add3(b, scale3(a[k], r[k]));
    return b;
}

/* `r` is relative to particle 0. D = W rho^2 with W = sum w a^2, which no position enters. */
TT_INLINE tt_mode_value span(const lane3 *r, const lane *w, const lane *a, int n, lane d)
{
    tt_mode_value m;
    lane3 b = span_vector(r, a, n);
    m.rho = lane_sqrt(dot3(b, b));
    m.C = m.rho - d;
    m.factor = lane_all(1);
    m.denominator = span_weight(w, a, n) * m.rho;
    for (int k = 0; k < n; k++) m.U[k] = scale3(a[k], b);
    return m;
}

/* A span that knows its side: l = |b| with the sign of b against `normal`, C = l - d with a signed d, so a shape that
 * popped through is pulled back through zero (TB leaves this open). Where b all but vanishes the normal gives the
 * direction. */
TT_INLINE tt_mode_value sided_span(const lane3 *r, const lane *w, const lane *a, int n, lane d, lane3 normal)
{
    tt_mode_value m;
    lane3 b = span_vector(r, a, n);
    lane length = lane_sqrt(dot3(b, b)), size = lane_sqrt(dot3(normal, normal));
    mask below = lane_less(dot3(b, normal), lane_all(0));
    mask flat = lane_less(length, lane_all((real)1e-6) * lane_abs(d));
    lane side = lane_select(below, lane_all(-1), lane_all(1));
    lane3 direction = select3(flat, normal, scale3(side, b));
    m.rho = lane_select(flat, size, length);
    m.C = side * length - d;
    m.factor = lane_all(1);
    m.denominator = span_weight(w, a, n) * m.rho;
    for (int k = 0; k < n; k++) m.U[k] = scale3(a[k], direction);
    return m;
}

/* Upper limits and lower limits: nothing to do where C has the allowed sign. */
TT_INLINE tt_mode_value limit(tt_mode_value m, taut_bend_mode mode)
{
    if (mode == TAUT_BEND_AT_MOST) m.C = lane_max(m.C, lane_all(0));
    if (mode == TAUT_BEND_AT_LEAST) m.C = lane_min(m.C, lane_all(0));
    return m;
}

#endif
