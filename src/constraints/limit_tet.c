/* Limit on the principal stretches of a tet (MRSL 3.1.3).
 *
 * F = D Q^-1 in the frame of the rest tet's first edge and first face, where Q is upper triangular. An element is
 * within its limits where F^T F - low^2 I and high^2 I - F^T F are positive definite and det F is positive. Else
 *
 *     V        from F^T F by Jacobi's rotations, sorted so that the smallest stretch comes last
 *     u1, u2   F v1 and F v2, made orthonormal;   u3 = u1 x u2, so that U and V are rotations
 *     s_i      u_i.F v_i: an inverted tet has s3 < 0, and the clamp turns it right side out (3.1.4)
 *
 * Three sweeps are enough, because the next pass corrects the error that is left in V. A flat tet still has u3. A tet
 * that collapsed to a line has lost u2 and u3, a tet of no extent all three. Nothing happens in lost directions. */
#include "constraints/limit.h"
#include "mesh/frame.h"

enum { PARTICLES = 4, FIELDS = 9, I11 = 0, I12, I22, I13, I23, I33, LOW, HIGH };
enum { LARGEST = 0, SMALLEST, MODES, SWEEPS = sizeof(real) == 4 ? 3 : 7 };

/* A symmetric matrix: m[i][j] with i <= j. */
typedef struct symmetric {
    lane m[3][3];
} symmetric;

TT_INLINE symmetric gram_of(const lane3 *f)
{
    return (symmetric){{{dot3(f[0], f[0]), dot3(f[0], f[1]), dot3(f[0], f[2])},
                        {[1] = dot3(f[1], f[1]), [2] = dot3(f[1], f[2])},
                        {[2] = dot3(f[2], f[2])}}};
}

/* Whether sign * (C - shift I) is positive definite, by its leading minors. */
TT_INLINE mask is_definite(const symmetric *C, lane shift, lane sign)
{
    const lane zero = lane_all(0);
    lane a = sign * (C->m[0][0] - shift), b = sign * (C->m[1][1] - shift), c = sign * (C->m[2][2] - shift);
    lane x = sign * C->m[0][1], y = sign * C->m[0][2], z = sign * C->m[1][2];
    lane two = a * b - x * x, three = two * c + (x * z - b * y) * y + (x * y - a * z) * z;
    return mask_and(lane_less(zero, a), mask_and(lane_less(zero, two), lane_less(zero, three)));
}

/* One rotation in the plane of columns p and q that makes C_pq 0, by at most 45 degrees; r is the third. */
TT_INLINE void rotate(symmetric *C, lane3 *v, int p, int q, int r)
{
    const lane half = lane_all((real)0.5);
    lane *pq = &C->m[p][q], *pr = r < p ? &C->m[r][p] : &C->m[p][r], *qr = r < q ? &C->m[r][q] : &C->m[q][r];
    lane x = half * (C->m[p][p] - C->m[q][q]), y = *pq, mean = half * (C->m[p][p] + C->m[q][q]);
    mask falls = lane_less(x, lane_all(0));
    lane root = lane_sqrt(x * x + y * y), h = lane_abs(x) + root, norm = lane_sqrt(h * h + y * y);
    lane inverse = lane_divide(lane_all(1), norm);
    lane c = lane_select(lane_less(lane_all((real)1e-36), norm), h * inverse, lane_all(1));
    lane s = lane_select(falls, -y, y) * inverse, along = lane_select(falls, -root, root);
    C->m[p][p] = mean + along;
    C->m[q][q] = mean - along;
    *pq = lane_all(0);
    lane turned = c * *pr + s * *qr;
    *qr = c * *qr - s * *pr;
    *pr = turned;
    lane3 first = add3(scale3(c, v[p]), scale3(s, v[q]));
    v[q] = sub3(scale3(c, v[q]), scale3(s, v[p]));
    v[p] = first;
}

/* Puts the larger eigenvalue first, and keeps V a rotation. */
TT_INLINE void sort_pair(symmetric *C, lane3 *v, int i, int j)
{
    mask swap = lane_less(C->m[i][i], C->m[j][j]);
    lane larger = lane_select(swap, C->m[j][j], C->m[i][i]);
    C->m[j][j] = lane_select(swap, C->m[i][i], C->m[j][j]);
    C->m[i][i] = larger;
    lane3 first = select3(swap, v[j], v[i]);
    v[j] = select3(swap, scale3(lane_all(-1), v[i]), v[j]);
    v[i] = first;
}

typedef struct decomposition {
    lane3 v[3], u[3], b[3]; /* b_i = F v_i */
    lane s[3];
    mask has_line, has_plane; /* where u1, and where u2 and u3 are known */
} decomposition;

TT_INLINE lane3 combine(const lane3 *f, lane3 v)
{
    return add3(add3(scale3(v.x, f[0]), scale3(v.y, f[1])), scale3(v.z, f[2]));
}

TT_INLINE decomposition decompose(const lane3 *f, symmetric C)
{
    const lane zero = lane_all(0), one = lane_all(1), tiny = lane_all((real)1e-36);
    decomposition d = {.v = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
    TT_UNROLL
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate(&C, d.v, 0, 1, 2);
        rotate(&C, d.v, 0, 2, 1);
        rotate(&C, d.v, 1, 2, 0);
    }
    sort_pair(&C, d.v, 0, 1);
    sort_pair(&C, d.v, 1, 2);
    sort_pair(&C, d.v, 0, 1);
    TT_UNROLL
    for (int i = 0; i < 3; i++) d.b[i] = combine(f, d.v[i]);
    d.s[0] = lane_sqrt(dot3(d.b[0], d.b[0]));
    d.has_line = lane_less(tiny, d.s[0]);
    d.u[0] = scale3(lane_divide(one, d.s[0]), d.b[0]);
    lane3 second = sub3(d.b[1], scale3(dot3(d.u[0], d.b[1]), d.u[0]));
    d.s[1] = lane_sqrt(dot3(second, second));
    d.has_plane = lane_less(lane_all((real)1e-4) * d.s[0] + tiny, d.s[1]);
    d.u[1] = scale3(lane_divide(one, d.s[1]), second);
    d.u[2] = cross3(d.u[0], d.u[1]);
    d.s[2] = dot3(d.u[2], d.b[2]);
    return d;
}

TT_INLINE void deformation(const lane3 *edge, const lane *data, lane3 *f)
{
    f[0] = scale3(data[I11], edge[1]);
    f[1] = add3(scale3(data[I12], edge[1]), scale3(data[I22], edge[2]));
    f[2] = add3(add3(scale3(data[I13], edge[1]), scale3(data[I23], edge[2])), scale3(data[I33], edge[3]));
}

/* A missing lower limit must be below zero, because inverted tets have stretches there. */
TT_INLINE limit_range signed_range(lane low_factor, lane high_factor, const float limit[2])
{
    limit_range range = limit_range_of(low_factor, high_factor, limit);
    if (!(limit[0] > 0)) range.low = lane_all(-(real)INFINITY);
    return range;
}

TT_INLINE mask is_outside(const lane3 *f, const symmetric *C, limit_range range, const float limit[2])
{
    const lane one = lane_all(1);
    mask inside = is_definite(C, range.high * range.high, -one);
    if (!(limit[1] < INFINITY)) inside = lane_less(lane_all(0), one);
    if (limit[0] > 0) {
        mask upright = lane_less(lane_all(0), dot3(f[0], cross3(f[1], f[2])));
        inside = mask_and(inside, mask_and(is_definite(C, range.low * range.low, one), upright));
    }
    return lane_less(lane_select(inside, one, lane_all(0)), one);
}

/* Steps that bring the stretches from s towards s*, each along its own gradient:
 *
 *     dx_k = w_k sum over i of t_i c_ki u_i,   c_ki = a_k.v_i,   a_k: row k of Q^-1, a_0 = -(a_1 + a_2 + a_3)
 *
 * They move F by the sum of t_i u_i (B v_i)^T with B = sum of w_k a_k a_k^T. The u_i are normal to each other, so to
 * first order no stretch changes another. t_i = (s_i* - s_i) / |B v_i| moves F by no more than the violation. If masses
 * and shape are even, B is a number times I, and the stretch is right at once. With the divisor v_i.B v_i every stretch
 * would be right at once, but a light corner would be thrown far aside.
 *
 * These are the smallest steps, weighted by mass. All limits measure steps in this way, so passes over many limits
 * converge and add no energy. No motion of the whole tet changes a stretch, so the steps keep linear and angular
 * momentum. MRSL's way to place the element (its eq. 4) has neither property, and makes bodies tumble faster and
 * faster. */
TT_INLINE void steps_of(const decomposition *d, limit_range range, const lane *data, const quad *q, lane3 *step)
{
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) step[k] = lane3_zero();
    TT_UNROLL
    for (int i = 0; i < 3; i++) {
        lane3 v = d->v[i];
        lane c[PARTICLES];
        c[1] = data[I11] * v.x + (data[I12] * v.y + data[I13] * v.z);
        c[2] = data[I22] * v.y + data[I23] * v.z;
        c[3] = data[I33] * v.z;
        c[0] = -(c[1] + (c[2] + c[3]));
        lane e1 = q[1].w * c[1] - q[0].w * c[0], e2 = q[2].w * c[2] - q[0].w * c[0], e3 = q[3].w * c[3] - q[0].w * c[0];
        lane3 B = {data[I11] * e1, data[I12] * e1 + data[I22] * e2,
                   data[I13] * e1 + (data[I23] * e2 + data[I33] * e3)};
        lane size = lane_sqrt(dot3(B, B));
        lane t = lane_divide_above(limit_clamp(d->s[i], range) - d->s[i], size, lane_all((real)1e-36));
        t = lane_select(i == 0 ? d->has_line : d->has_plane, t, lane_all(0));
        TT_UNROLL
        for (int k = 0; k < PARTICLES; k++) step[k] = add3(step[k], scale3(q[k].w * (c[k] * t), d->u[i]));
    }
}

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const float *limit = batch->tuning->stretch_limit;
    const lane zero = lane_all(0);
    quad q[PARTICLES];
    lane3 edge[PARTICLES], f[3], step[PARTICLES];
    lane data[I33 + 1];
    gather_all(batch->p, go, PARTICLES, q);
    TT_UNROLL
    for (int k = 1; k < PARTICLES; k++) edge[k] = sub3(lane3_of(q[k]), lane3_of(q[0]));
    TT_UNROLL
    for (int i = 0; i <= I33; i++) data[i] = field(go, i);
    deformation(edge, data, f);
    symmetric C = gram_of(f);
    limit_range range = signed_range(field(go, LOW), field(go, HIGH), limit);
    mask outside = is_outside(f, &C, limit_loosened(range, batch->tuning), limit);
    outside = mask_and(outside, limit_movable(q, PARTICLES));
    if (!mask_any(outside)) return zero;

    decomposition d = decompose(f, C);
    lane excess = lane_max(d.s[0] - range.high, range.low - d.s[2]);
    outside = mask_and(outside, lane_less(zero, excess));
    steps_of(&d, range, data, q, step);
    limit_deliver(batch, go, PARTICLES, outside, step, q);
    return lane_select(outside, excess, zero);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* How far the largest stretch is above its limit, or the smallest below its limit (negative); 0 within. ds = u^T dF v,
 * so the gradient by edge k is (Q^-1 v)_k u. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane d[HIGH + 1];
    lane3 edge[PARTICLES], f[3];
    for (int i = 0; i <= HIGH; i++) d[i] = lane_all((real)data[i]);
    for (int k = 1; k < PARTICLES; k++) edge[k] = sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x));
    deformation(edge, d, f);
    decomposition parts = decompose(f, gram_of(f));
    limit_range range = signed_range(d[LOW], d[HIGH], tuning->stretch_limit);
    double violation = mode == LARGEST ? first_lane(lane_max(parts.s[0] - range.high, lane_all(0)))
                                       : first_lane(lane_min(parts.s[2] - range.low, lane_all(0)));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (!gradient || violation == 0) return violation;
    lane3 u = parts.u[mode == LARGEST ? 0 : 2], v = parts.v[mode == LARGEST ? 0 : 2];
    lane a1 = d[I11] * v.x + d[I12] * v.y + d[I13] * v.z, a2 = d[I22] * v.y + d[I23] * v.z, a3 = d[I33] * v.z;
    store_gradient(gradient, scale3(-(a1 + a2 + a3), u), lane_all(1));
    store_gradient(gradient + 3, scale3(a1, u), lane_all(1));
    store_gradient(gradient + 6, scale3(a2, u), lane_all(1));
    store_gradient(gradient + 9, scale3(a3, u), lane_all(1));
    return violation;
}

/* Q^-1 of the rest edges in the frame of the first of them and the face of two. */
static void rest_of(const taut_mesh *mesh, const int *v, double *data)
{
    vec3 p0 = vec_of(&mesh->x[3 * (size_t)v[0]]), e[3];
    for (int k = 0; k < 3; k++) e[k] = vec_sub(vec_of(&mesh->x[3 * (size_t)v[k + 1]]), p0);
    vec3 normal = vec_cross(e[0], e[1]);
    vec3 n1 = vec_scale(e[0], 1 / vec_length(e[0])), n3 = vec_scale(normal, 1 / vec_length(normal));
    vec3 n2 = vec_cross(n3, n1);
    double q12 = vec_dot(n1, e[1]), q13 = vec_dot(n1, e[2]), q23 = vec_dot(n2, e[2]);
    data[I11] = 1 / vec_dot(n1, e[0]), data[I22] = 1 / vec_dot(n2, e[1]), data[I33] = 1 / vec_dot(n3, e[2]);
    data[I12] = -q12 * data[I11] * data[I22];
    data[I23] = -q23 * data[I22] * data[I33];
    data[I13] = -(q12 * data[I23] + q13 * data[I33]) * data[I11];
}

static bool create(tt_maker *maker)
{
    if (!limit_exists(maker->material->limit.stretch)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntets; t++) {
        const int *v = &mesh->tet[4 * (size_t)t];
        double rows[9], volume, data[FIELDS - 1];
        if (!tt_tet_frame(mesh, t, rows, &volume)) continue;
        rest_of(mesh, v, data);
        limit_factors(maker->limit_factor, t, &data[LOW]);
        if (!tt_emit(maker, v, data, tt_tet_scale(mesh, t), volume)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[LARGEST] = material->limit.stretch[1] < INFINITY;
    tuning->stiffness[SMALLEST] = material->limit.stretch[0] > 0;
}

const tt_kind TT_NAME(tt_limit_tet) = {
    .name = "limit_tet", .particles = PARTICLES, .fields = FIELDS, .modes = MODES, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
