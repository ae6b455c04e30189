/* Strain of a triangle or a tet (SBD 3.2-3.7). The code serves both dimensions.
 *
 *     P = [p1-p0, ...],  F = P Q^-1 = [f_1, ...],  c_j = column j of Q^-1,  f_j = P c_j
 *
 * Every mode (a stretch, a shear, the area or the volume) is a function of the f_j alone. With U_j its scaled gradient
 * by f_j, particle k moves by w_k sum_j a_jk U_j t, where a_jk = c_j[k], a_j0 = -sum_k c_j[k]; that changes f_i by
 * sum_j W_ij U_j t with W_ij = sum_k w_k a_ik a_jk. So all modes of an element are projected one after the other on the
 * f_j in registers (Gauss-Seidel, exactly as separate passes would) and the particles are touched once:
 *
 *     gather -> f, W -> mode -> mode -> ... -> move by u_j = sum of the U_j t -> scatter
 *
 *   stretch j:   C = |f_j| - s_j,  U_j = f_j,  rho = |f_j|          (raw: C = S_jj - s_j^2,  U_j = f_j,  rho = 1/2)
 *   shear i<j:   A = |f_i x f_j| = sqrt(S_ii S_jj - S_ij^2),  C = asin(cos) = atan2(S_ij, A),
 *                U_i = S_jj (S_ii f_j - S_ij f_i),  U_j = S_ii (S_jj f_i - S_ij f_j),  rho = A S_ii S_jj
 *                D / rho = N A  with  N = W_ii S_jj - 2 W_ij S_ij + W_jj S_ii
 *                (cosine: same U, C = S_ij/(|f_i||f_j|), rho = |f_i||f_j| S_ii S_jj;  raw: C = S_ij, U_i = f_j)
 *   area:        C = A - s_1 s_2,  U_1 = S_22 f_1 - S_12 f_2,  U_2 likewise,  rho = A,  D / rho = N A
 *   volume:      C = det F - s_1 s_2 s_3,  U_1 = f_2 x f_3, ...,  rho = 1; full strength while det F <= 0
 *
 * Degenerate cases: |f| = 0 has no direction and does nothing; A is kept above a thousandth of |f_i||f_j| so that a
 * shear of collapsed axes stays bounded, and so are the areas in the volume's D. */
#ifndef TAUT_CONSTRAINTS_STRAIN_H
#define TAUT_CONSTRAINTS_STRAIN_H

#include "constraints/kernel.h"

/* One mode, by gradients on the axes f_j. */
typedef struct strain_mode {
    tt_lever lever;
    lane3 U[3];
    bool moves[3]; /* which U_j are there */
} strain_mode;

typedef struct strain_axes {
    lane3 f[3];
    lane W[3][3];
    lane bound[3]; /* (sum w) * (sum_k a_jk^2), an upper bound of W_jj: what lever_least compares with */
} strain_axes;

TT_INLINE strain_mode stretch_mode(const strain_axes *x, int j, lane s, int form)
{
    strain_mode m = {.moves = {j == 0, j == 1, j == 2}};
    lane S = dot3(x->f[j], x->f[j]), length = lane_sqrt(S);
    m.U[j] = x->f[j];
    lane half = lane_all(0.5f);
    if (form == TAUT_STRETCH_SPAN)
        m.lever = (tt_lever){length - s, length, lane_all(1), x->W[j][j] * length, lever_least(x->bound[j], length)};
    else
        m.lever = (tt_lever){S - s * s, half, half, x->W[j][j] * S, lever_least(x->bound[j], S)};
    return m;
}

TT_INLINE lane two_axis_weight(const strain_axes *x, int i, int j, lane Sii, lane Sij, lane Sjj)
{
    lane twice = Sij + Sij;
    return x->W[i][i] * Sjj - x->W[i][j] * twice + x->W[j][j] * Sii;
}

/* The N that would follow if every particle had the mean lever. */
TT_INLINE lane two_axis_bound(const strain_axes *x, int i, int j, lane Sii, lane Sjj)
{
    return x->bound[i] * Sjj + x->bound[j] * Sii;
}

TT_INLINE strain_mode shear_mode(const strain_axes *x, int i, int j, int form)
{
    strain_mode m = {.moves = {i == 0, i == 1 || j == 1, j == 2}};
    lane3 fi = x->f[i], fj = x->f[j];
    lane Sii = dot3(fi, fi), Sjj = dot3(fj, fj), Sij = dot3(fi, fj);
    lane bound = two_axis_bound(x, i, j, Sii, Sjj), one = lane_all(1);
    if (form == TAUT_SHEAR_RAW) {
        lane twice = Sij + Sij;
        lane D = x->W[i][i] * Sjj + x->W[i][j] * twice + x->W[j][j] * Sii;
        m.U[i] = fj, m.U[j] = fi;
        m.lever = (tt_lever){Sij, one, one, D, lever_least(bound, one)};
        return m;
    }
    lane product = Sii * Sjj;
    lane AA = lane_max(product - Sij * Sij, lane_all((real)1e-6) * product);
    lane N = two_axis_weight(x, i, j, Sii, Sij, Sjj);
    m.U[i] = sub3(scale3(product, fj), scale3(Sjj * Sij, fi));
    m.U[j] = sub3(scale3(product, fi), scale3(Sii * Sij, fj));
    if (form == TAUT_SHEAR_ANGLE) {
        lane A = lane_sqrt(AA);
        m.lever = (tt_lever){lane_atan2(Sij, A), A * product, one, N * A, lever_least(bound, A)};
    } else {
        lane lengths = lane_sqrt(product), scale = lane_divide(AA, lengths);
        m.lever = (tt_lever){lane_divide(Sij, lengths), lengths * product, one, N * scale, lever_least(bound, scale)};
    }
    return m;
}

TT_INLINE strain_mode area_mode(const strain_axes *x, lane rest)
{
    strain_mode m = {.moves = {true, true, false}};
    lane3 f1 = x->f[0], f2 = x->f[1], normal = cross3(f1, f2);
    lane S11 = dot3(f1, f1), S12 = dot3(f1, f2), S22 = dot3(f2, f2);
    lane AA = dot3(normal, normal), A = lane_sqrt(lane_max(AA, lane_all((real)1e-6) * (S11 * S22)));
    m.U[0] = sub3(scale3(S22, f1), scale3(S12, f2));
    m.U[1] = sub3(scale3(S11, f2), scale3(S12, f1));
    m.lever = (tt_lever){lane_sqrt(AA) - rest, A, lane_all(1), two_axis_weight(x, 0, 1, S11, S12, S22) * A,
                         lever_least(two_axis_bound(x, 0, 1, S11, S22), A)};
    return m;
}

TT_INLINE strain_mode volume_mode(const strain_axes *x, lane rest)
{
    strain_mode m = {.moves = {true, true, true}};
    m.U[0] = cross3(x->f[1], x->f[2]);
    m.U[1] = cross3(x->f[2], x->f[0]);
    m.U[2] = cross3(x->f[0], x->f[1]);
    lane U11 = dot3(m.U[0], m.U[0]), U22 = dot3(m.U[1], m.U[1]), U33 = dot3(m.U[2], m.U[2]), one = lane_all(1);
    lane mixed = x->W[0][1] * dot3(m.U[0], m.U[1]) + x->W[1][2] * dot3(m.U[1], m.U[2]);
    mixed = mixed + x->W[0][2] * dot3(m.U[0], m.U[2]);
    lane D = x->W[0][0] * U11 + x->W[1][1] * U22 + x->W[2][2] * U33 + (mixed + mixed);
    lane bound = x->bound[0] * U11 + x->bound[1] * U22 + x->bound[2] * U33;
    lane S11 = dot3(x->f[0], x->f[0]), S22 = dot3(x->f[1], x->f[1]), S33 = dot3(x->f[2], x->f[2]);
    lane upright = x->W[0][0] * (S22 * S33) + x->W[1][1] * (S33 * S11) + x->W[2][2] * (S11 * S22);
    D = lane_max(D, lane_all((real)1e-6) * upright);
    m.lever = (tt_lever){dot3(x->f[0], m.U[0]) - rest, one, one, D, lever_least(bound, one)};
    return m;
}

/* f_i += sum_j W_ij U_j t, for the f_i or their rates; u_j += U_j t. Without `again` nobody reads the f_i any more, so
 * they stay as they are. */
TT_INLINE void strain_apply(const strain_mode *m, lane t, int dimension, const lane W[3][3], bool again, lane3 *f,
                            lane3 *u)
{
    TT_UNROLL
    for (int j = 0; j < dimension; j++) {
        if (!m->moves[j]) continue;
        lane3 step = scale3(t, m->U[j]);
        u[j] = add3(u[j], step);
        if (!again) continue;
        TT_UNROLL
        for (int i = 0; i < dimension; i++) f[i] = add3(f[i], scale3(W[i][j], step));
    }
}

/* The t that damps a mode by its share of the motion along it; D = denominator * rho / factor. */
TT_INLINE lane strain_damping(const strain_mode *m, lane damping, int dimension, const lane3 *rate)
{
    lane along = lane_all(0);
    TT_UNROLL
    for (int j = 0; j < dimension; j++)
        if (m->moves[j]) along = along + dot3(m->U[j], rate[j]);
    const tt_lever *l = &m->lever;
    return -lane_divide_above(damping * along * l->factor, l->denominator * l->rho, l->least * l->rho);
}

/* wa = w a, and from it W and bound, for the coefficients a[axis][particle] of dimension + 1 particles. */
TT_INLINE void strain_weights(int dimension, const lane a[3][4], const quad *q, lane wa[3][4], strain_axes *x)
{
    lane sum_of_w = q[0].w;
    TT_UNROLL
    for (int k = 1; k <= dimension; k++) sum_of_w = sum_of_w + q[k].w;
    TT_UNROLL
    for (int i = 0; i < dimension; i++) {
        TT_UNROLL
        for (int k = 0; k <= dimension; k++) wa[i][k] = q[k].w * a[i][k];
        lane squares = a[i][0] * a[i][0];
        TT_UNROLL
        for (int k = 1; k <= dimension; k++) squares = squares + a[i][k] * a[i][k];
        x->bound[i] = sum_of_w * squares;
    }
    TT_UNROLL
    for (int i = 0; i < dimension; i++) {
        TT_UNROLL
        for (int j = i; j < dimension; j++) {
            lane sum = wa[i][0] * a[j][0];
            TT_UNROLL
            for (int k = 1; k <= dimension; k++) sum = sum + wa[i][k] * a[j][k];
            x->W[i][j] = x->W[j][i] = sum;
        }
    }
}

/* f_j = sum_k c_j[k] (p_k - p_0), of positions or of velocities. */
TT_INLINE void strain_axes_of(int dimension, const lane a[3][4], const quad *q, lane3 *f)
{
    TT_UNROLL
    for (int j = 0; j < dimension; j++) f[j] = lane3_zero();
    TT_UNROLL
    for (int k = 1; k <= dimension; k++) {
        lane3 edge = sub3(lane3_of(q[k]), lane3_of(q[0]));
        TT_UNROLL
        for (int j = 0; j < dimension; j++)
            f[j] = k == 1 ? scale3(a[j][k], edge) : add3(f[j], scale3(a[j][k], edge));
    }
}

/* The columns of Q^-1 are fields 0 .. dimension^2 - 1: c_1[1], c_1[2], ..., c_2[1], ... */
TT_INLINE void strain_coefficients(int dimension, const tt_go *go, lane a[3][4])
{
    TT_UNROLL
    for (int j = 0; j < dimension; j++) {
        a[j][0] = lane_all(0);
        TT_UNROLL
        for (int k = 1; k <= dimension; k++) {
            a[j][k] = field(go, j * dimension + k - 1);
            a[j][0] = a[j][0] - a[j][k];
        }
    }
}

/* Moves the particles (or changes their velocities) by w_k sum_j a_jk u_j. */
TT_INLINE void strain_move(int dimension, const lane wa[3][4], const lane3 *u, quad *q)
{
    TT_UNROLL
    for (int k = 0; k <= dimension; k++) {
        TT_UNROLL
        for (int j = 0; j < dimension; j++) move(&q[k], wa[j][k], u[j]);
    }
}

/* Which modes there are, and in which form. For the usual materials it is a constant, so that their kernel is one
 * straight run of code. */
typedef struct strain_shape {
    bool active[TT_MAX_MODES];
    int stretch_form, shear_form;
} strain_shape;

TT_INLINE strain_shape strain_shape_of(const tt_tuning *tuning, int modes)
{
    strain_shape shape = {.stretch_form = tuning->stretch_form, .shear_form = tuning->shear_form};
    for (int mode = 0; mode < modes; mode++) shape.active[mode] = tuning->stiffness[mode] > 0;
    return shape;
}

TT_INLINE bool strain_shape_is(const tt_tuning *tuning, const strain_shape *shape, int modes)
{
    bool same = tuning->stretch_form == shape->stretch_form && tuning->shear_form == shape->shear_form;
    for (int mode = 0; mode < modes; mode++) same = same && (tuning->stiffness[mode] > 0) == shape->active[mode];
    return same;
}

typedef strain_mode strain_mode_function(const strain_axes *x, int mode, const strain_shape *shape,
                                         const tt_tuning *tuning);

/* An element in the middle of its projection. */
typedef struct strain_element {
    quad q[4];
    lane wa[3][4];
    strain_axes x;
    lane3 u[3];
    lane weight;
} strain_element;

TT_INLINE void strain_load(const tt_batch *batch, const tt_go *go, int dimension, strain_element *e)
{
    lane a[3][4];
    gather_all(batch->p, go, dimension + 1, e->q);
    strain_coefficients(dimension, go, a);
    strain_weights(dimension, a, e->q, e->wa, &e->x);
    strain_axes_of(dimension, a, e->q, e->x.f);
    TT_UNROLL
    for (int j = 0; j < dimension; j++) e->u[j] = lane3_zero();
    e->weight = field(go, dimension * dimension);
}

/* One mode; called with a constant `mode`, so that the compiler sees straight-line code. `again`: another mode
 * follows. */
TT_INLINE void strain_project(const tt_batch *batch, const tt_go *go, const strain_shape *shape, int dimension,
                              int mode, bool again, strain_mode_function *of, strain_element *e)
{
    if (!shape->active[mode]) return;
    strain_mode m = of(&e->x, mode, shape, batch->tuning);
    lane t = multiplier(batch, go, mode, e->weight, m.lever);
    strain_apply(&m, t, dimension, e->x.W, again, e->x.f, e->u);
}

TT_INLINE void strain_store(const tt_batch *batch, const tt_go *go, int dimension, strain_element *e)
{
    strain_move(dimension, e->wa, e->u, e->q);
    scatter_all(batch->p, go, dimension + 1, e->q);
}

TT_INLINE void strain_damp(const tt_batch *batch, const tt_go *go, int dimension, int modes, strain_mode_function *of)
{
    strain_element e;
    quad v[4];
    lane a[3][4];
    lane3 rate[3];
    strain_load(batch, go, dimension, &e);
    gather_all(batch->v, go, dimension + 1, v);
    strain_coefficients(dimension, go, a);
    strain_axes_of(dimension, a, v, rate);
    strain_shape shape = strain_shape_of(batch->tuning, modes);
    for (int mode = 0; mode < modes; mode++) {
        if (!(batch->tuning->damping[mode] > 0)) continue;
        strain_mode m = of(&e.x, mode, &shape, batch->tuning);
        lane t = strain_damping(&m, lane_all(batch->tuning->damping[mode]), dimension, rate);
        strain_apply(&m, t, dimension, e.x.W, true, rate, e.u);
    }
    strain_move(dimension, e.wa, e.u, v);
    scatter_all(batch->v, go, dimension + 1, v);
}

TT_INLINE double strain_value(const double *x, const double *data, const tt_tuning *tuning, int dimension, int mode,
                              strain_mode_function *of, double *gradient)
{
    strain_axes axes;
    lane a[3][4];
    for (int j = 0; j < dimension; j++) {
        a[j][0] = lane_all(0);
        axes.f[j] = lane3_zero();
        for (int k = 1; k <= dimension; k++) {
            a[j][k] = lane_all((real)data[j * dimension + k - 1]);
            a[j][0] = a[j][0] - a[j][k];
            axes.f[j] = add3(axes.f[j], scale3(a[j][k], sub3(lane3_all(x + 3 * k), lane3_all(x))));
        }
        for (int i = 0; i < dimension; i++) axes.W[i][j] = lane_all(i == j ? 1 : 0);
        axes.bound[j] = lane_all(0);
    }
    strain_shape shape = strain_shape_of(tuning, 0);
    strain_mode m = of(&axes, mode, &shape, tuning);
    for (int k = 0; gradient && k <= dimension; k++) {
        lane3 g = lane3_zero();
        for (int j = 0; j < dimension; j++)
            if (m.moves[j]) g = add3(g, scale3(a[j][k], m.U[j]));
        store_gradient(gradient + 3 * k, g, m.lever.rho);
    }
    return first_lane(m.lever.C);
}

/* Columns of Q^-1 from its rows. */
static inline void strain_columns(const tt_simplex *simplex, int dimension, double *data)
{
    for (int j = 0; j < dimension; j++)
        for (int k = 0; k < dimension; k++) data[j * dimension + k] = simplex->inverse[k * dimension + j];
}

/* The functions of a strain kind, from its `mode_of`, its `project_shape` and the shape that is `usual`. */
#define TT_STRAIN_KERNELS(dimension, fields, modes)                                                                    \
    TT_INLINE void project_usual(const tt_batch *batch, const tt_go *go) { project_shape(batch, go, &usual); }         \
    TT_INLINE void project_any(const tt_batch *batch, const tt_go *go)                                                 \
    {                                                                                                                  \
        strain_shape shape = strain_shape_of(batch->tuning, modes);                                                    \
        project_shape(batch, go, &shape);                                                                              \
    }                                                                                                                  \
    static void project(const tt_batch *batch)                                                                         \
    {                                                                                                                  \
        if (strain_shape_is(batch->tuning, &usual, modes))                                                             \
            sweep(batch, (dimension) + 1, fields, modes, project_usual);                                               \
        else                                                                                                           \
            sweep(batch, (dimension) + 1, fields, modes, project_any);                                                 \
    }                                                                                                                  \
    TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go)                                                     \
    {                                                                                                                  \
        strain_damp(batch, go, dimension, modes, mode_of);                                                             \
    }                                                                                                                  \
    static void damp(const tt_batch *batch) { sweep(batch, (dimension) + 1, fields, modes, damp_go); }                 \
    static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)      \
    {                                                                                                                  \
        return strain_value(x, data, tuning, dimension, mode, mode_of, gradient);                                      \
    }                                                                                                                  \
    static void fields_of(const tt_maker *maker, const tt_simplex *simplex, double *data)                              \
    {                                                                                                                  \
        (void)maker;                                                                                                   \
        strain_columns(simplex, dimension, data);                                                                      \
    }

#endif
