/* Elastic forces of triangles and tets, the base simulator of MRSL: linear elements, Green strain, a linear isotropic
 * law (St. Venant-Kirchhoff), Kelvin-Voigt damping. The code serves both dimensions.
 *
 *     P = [p1-p0, ...],   F = P Q^-1 = [f_1, ...],   E = (F^T F - I)/2,   S = lambda tr(E) I + 2 mu E
 *     energy = V S:E/2,   force on p_k = -V F S b_k,   b_k = row k of Q^-1,   b_0 = -sum of the others
 *
 * V is the area or volume at rest. Rest stretches s_j mean a longer rest shape: b_k[j] is divided by s_j, and V is
 * multiplied by all s_j. Damping is the same with tau dE/dt = tau sym(F^T dF/dt) in place of E; rigid motion has none.
 * Both keep momentum and, because S is symmetric, angular momentum.
 *
 * The strain of an inverted tet is that of its mirror image, and a collapsed element does not push back at all: only a
 * limit turns it right side out. There is no division, so forces are finite whatever the shape.
 *
 * Damping slows the motions of an element at rest at rates of at most V c (sum of w_k |b_k|^2), where c is the largest
 * eigenvalue of the law; in a deformed element the rates are at most |F|^2 times that. This bound is used so that an
 * explicit step takes away no more than all of a motion. */
#ifndef TAUT_CONSTRAINTS_ELASTIC_H
#define TAUT_CONSTRAINTS_ELASTIC_H

#include "constraints/kernel.h"

/* Fields in dimension d: b_1 .. b_d, then V with the mesh's scale, then the weight that every kind has. */
#define ELASTIC_FIELDS(d) ((d) * (d) + 2)

typedef struct elastic_element {
    quad q[4];
    lane3 f[3];
    lane b[4][3];
    lane measure;
} elastic_element;

/* sum_k b_k[j] (a_k - a_0): columns of F from positions, of dF/dt from velocities. */
TT_INLINE void elastic_columns(const elastic_element *e, const quad *a, int d, lane3 *column)
{
    TT_UNROLL
    for (int j = 0; j < d; j++) {
        column[j] = lane3_zero();
        TT_UNROLL
        for (int k = 1; k <= d; k++)
            column[j] = add3(column[j], scale3(e->b[k][j], sub3(lane3_of(a[k]), lane3_of(a[0]))));
    }
}

TT_INLINE void elastic_load(const tt_batch *batch, const tt_go *go, int d, elastic_element *e)
{
    const float *rest = batch->tuning->rest;
    gather_all(batch->p, go, d + 1, e->q);
    e->measure = field(go, d * d);
    TT_UNROLL
    for (int j = 0; j < d; j++) {
        lane shrink = lane_all(1 / (real)rest[j]);
        e->measure = e->measure * lane_all(rest[j]);
        e->b[0][j] = lane_all(0);
        TT_UNROLL
        for (int k = 1; k <= d; k++) {
            e->b[k][j] = shrink * field(go, d * (k - 1) + j);
            e->b[0][j] = e->b[0][j] - e->b[k][j];
        }
    }
    elastic_columns(e, e->q, d, e->f);
}

/* v_k -= t w_k V F (lambda tr(E) I + 2 mu E) b_k, for the symmetric strain E[i][j], i <= j. */
TT_INLINE void elastic_kick(const tt_batch *batch, const elastic_element *e, int d, lane E[3][3], lane t, quad *v)
{
    const float *lame = batch->tuning->lame;
    lane trace = E[0][0] + E[1][1], strength = t * e->measure;
    if (d == 3) trace = trace + E[2][2];
    lane pressure = lane_all(lame[0]) * trace;
    lane3 stress[3];
    TT_UNROLL
    for (int j = 0; j < d; j++) {
        lane3 column = scale3(pressure, e->f[j]);
        TT_UNROLL
        for (int i = 0; i < d; i++)
            column = add3(column, scale3(lane_all(lame[1]) * (i < j ? E[i][j] : E[j][i]), e->f[i]));
        stress[j] = scale3(strength, column);
    }
    TT_UNROLL
    for (int k = 0; k <= d; k++) {
        lane3 force = scale3(e->b[k][0], stress[0]);
        TT_UNROLL
        for (int j = 1; j < d; j++) force = add3(force, scale3(e->b[k][j], stress[j]));
        move(&v[k], -e->q[k].w, force);
    }
}

TT_INLINE void elastic_force(const tt_batch *batch, const tt_go *go, int d)
{
    const lane half = lane_all((real)0.5);
    elastic_element e;
    quad v[4];
    lane E[3][3];
    elastic_load(batch, go, d, &e);
    gather_all(batch->v, go, d + 1, v);
    TT_UNROLL
    for (int i = 0; i < d; i++) {
        E[i][i] = half * (dot3(e.f[i], e.f[i]) - lane_all(1));
        TT_UNROLL
        for (int j = i + 1; j < d; j++) E[i][j] = half * dot3(e.f[i], e.f[j]);
    }
    elastic_kick(batch, &e, d, E, lane_all(batch->tuning->h), v);
    scatter_all(batch->v, go, d + 1, v);
}

/* c of the header: tr(E) grows by d for a strain that is the same in all directions. */
TT_INLINE real elastic_stiffest(const tt_tuning *tuning, int d)
{
    real lambda = (real)tuning->lame[0], twice_mu = (real)tuning->lame[1];
    return lambda > 0 ? twice_mu + (real)d * lambda : twice_mu;
}

TT_INLINE void elastic_damp(const tt_batch *batch, const tt_go *go, int d)
{
    const tt_tuning *tuning = batch->tuning;
    const lane half = lane_all((real)0.5);
    elastic_element e;
    quad v[4];
    lane3 rate[3];
    lane E[3][3], inertia = lane_all(0), size = lane_all(0);
    elastic_load(batch, go, d, &e);
    gather_all(batch->v, go, d + 1, v);
    elastic_columns(&e, v, d, rate);
    TT_UNROLL
    for (int i = 0; i < d; i++) {
        E[i][i] = dot3(e.f[i], rate[i]);
        size = size + dot3(e.f[i], e.f[i]);
        TT_UNROLL
        for (int j = i + 1; j < d; j++) E[i][j] = half * (dot3(e.f[i], rate[j]) + dot3(e.f[j], rate[i]));
    }
    TT_UNROLL
    for (int k = 0; k <= d; k++) {
        lane square = e.b[k][0] * e.b[k][0] + e.b[k][1] * e.b[k][1];
        if (d == 3) square = square + e.b[k][2] * e.b[k][2];
        inertia = inertia + e.q[k].w * square;
    }
    lane stiffest = lane_all(elastic_stiffest(tuning, d)) * e.measure * inertia * size;
    lane t = lane_min(lane_all(tuning->h * tuning->delay), lane_divide(lane_all(1), stiffest));
    elastic_kick(batch, &e, d, E, t, v);
    scatter_all(batch->v, go, d + 1, v);
}

/* `stiffness_bound` of tt_kind: V c |b_k|^2. */
TT_INLINE void elastic_stiffness_bound(const double *data, const tt_tuning *tuning, int d, double *stiffness)
{
    double strength = data[d * d] * (double)elastic_stiffest(tuning, d), sum[3] = {0, 0, 0};
    for (int j = 0; j < d; j++) strength *= (double)tuning->rest[j];
    for (int k = 1; k <= d; k++) {
        stiffness[k] = 0;
        for (int j = 0; j < d; j++) {
            double b = data[d * (k - 1) + j] / (double)tuning->rest[j];
            stiffness[k] += strength * b * b;
            sum[j] += b;
        }
    }
    stiffness[0] = strength * (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static inline void elastic_fields(const tt_simplex *simplex, int d, double *data)
{
    for (int i = 0; i < d * d; i++) data[i] = simplex->inverse[i];
    data[d * d] = simplex->scale * simplex->measure;
}

/* `tune` of both: lambda and 2 mu of the dimension, with Young's modulus 1. */
TT_INLINE void elastic_tune(const taut_elastic *elastic, double lambda, double twice_mu, tt_tuning *tuning)
{
    tuning->lame[0] = (float)((double)elastic->young * lambda);
    tuning->lame[1] = (float)((double)elastic->young * twice_mu);
    tuning->delay = elastic->damping;
    tuning->forced = elastic->young > 0;
    tuning->damped = tuning->forced && elastic->damping > 0;
}

/* The functions of an elastic kind, except `tune`. */
#define TT_ELASTIC_KERNELS(d)                                                                                          \
    TT_INLINE void force_go(const tt_batch *batch, const tt_go *go) { elastic_force(batch, go, d); }                   \
    TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go) { elastic_damp(batch, go, d); }                     \
    static void force(const tt_batch *batch) { sweep_units(batch, (d) + 1, ELASTIC_FIELDS(d), 0, false, force_go); }   \
    static void damp(const tt_batch *batch) { sweep_units(batch, (d) + 1, ELASTIC_FIELDS(d), 0, false, damp_go); }     \
    static void stiffness_bound(const double *x, const double *data, const tt_tuning *tuning, double *stiffness)       \
    {                                                                                                                  \
        (void)x;                                                                                                       \
        elastic_stiffness_bound(data, tuning, d, stiffness);                                                           \
    }                                                                                                                  \
    static void fields_of(const tt_maker *maker, const tt_simplex *simplex, double *data)                              \
    {                                                                                                                  \
        (void)maker;                                                                                                   \
        elastic_fields(simplex, d, data);                                                                              \
    }                                                                                                                  \
    static bool create(tt_maker *maker)                                                                                \
    {                                                                                                                  \
        return !(maker->material->elastic.young > 0) || tt_emit_simplices(maker, d, fields_of);                        \
    }

#endif
