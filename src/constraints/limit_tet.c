/* Limit on the principal stretches of a tet (MRSL 3.1.3).
 *
 * F = D Q^-1 in the frame of the rest tet's first edge and first face, where Q is upper triangular. An element is within
 * its limits where F^T F - low^2 I and high^2 I - F^T F are positive definite and det F is positive. Else
 *
 *     V        from F^T F by Jacobi's rotations, sorted so that the smallest stretch comes last
 *     u1, u2   F v1 and F v2, made orthonormal;   u3 = u1 x u2, so that U and V are rotations
 *     s_i      u_i.F v_i: an inverted tet has s3 < 0, and the clamp turns it right side out (3.1.4)
 *     F*       sum of s_i* u_i v_i^T
 *
 * The stretches of F* are the s_i* to rounding even where V is not quite there, so three sweeps will do. A flat tet
 * still has u3. One that collapsed to a line has lost u2 and u3, one of no extent all three: nothing happens in
 * directions that are lost. */
#include "constraints/limit.h"
#include "mesh/frame.h"

enum { PARTICLES = 4, FIELDS = 12, I11 = 0, I12, I22, I13, I23, I33, Q11, Q22, Q33, LOW, HIGH };
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

/* No limit at all lies below zero, where the stretches of inverted tets are. */
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

/* The change of the edges D from that of F: Q is upper triangular. */
TT_INLINE void edges_of(const tt_go *go, const lane *data, const lane3 *change, lane3 *edge)
{
    edge[0] = lane3_zero();
    edge[1] = scale3(field(go, Q11), change[0]);
    edge[2] = scale3(field(go, Q22), sub3(change[1], scale3(data[I12], edge[1])));
    lane3 rest = sub3(change[2], add3(scale3(data[I13], edge[1]), scale3(data[I23], edge[2])));
    edge[3] = scale3(field(go, Q33), rest);
}

/* Sums over the particles: of m r* r^T, symmetric, and of m r* x r. */
typedef struct spread {
    lane xx, yy, zz, xy, yz, xz;
    lane3 turn;
} spread;

TT_INLINE void add_to_spread(spread *s, lane3 to, lane3 from)
{
    const lane half = lane_all((real)0.5);
    s->xx = s->xx + to.x * from.x, s->yy = s->yy + to.y * from.y, s->zz = s->zz + to.z * from.z;
    s->xy = s->xy + half * (to.x * from.y + to.y * from.x);
    s->yz = s->yz + half * (to.y * from.z + to.z * from.y);
    s->xz = s->xz + half * (to.x * from.z + to.z * from.x);
    s->turn = add3(s->turn, cross3(to, from));
}

/* (tr A - A)^-1 of the sum of m r* x r, by cofactors; 0 where all is on one line. */
TT_INLINE lane3 turn_of(const spread *s)
{
    const lane tiny = lane_all((real)1e-36), rounding = lane_all((real)1e-6);
    lane a = s->yy + s->zz, b = s->xx + s->zz, c = s->xx + s->yy, trace = s->xx + a; /* off the diagonal: -xy ... */
    lane c11 = b * c - s->yz * s->yz, c12 = s->xy * c + s->yz * s->xz, c13 = s->xy * s->yz + b * s->xz;
    lane c22 = a * c - s->xz * s->xz, c23 = a * s->yz + s->xy * s->xz, c33 = a * b - s->xy * s->xy;
    lane det = a * c11 - s->xy * c12 - s->xz * c13;
    lane inverse = lane_divide_above(lane_all(1), det, rounding * (trace * trace * trace) + tiny);
    const lane3 row1 = {c11, c12, c13}, row2 = {c12, c22, c23}, row3 = {c13, c23, c33};
    return scale3(inverse, (lane3){dot3(row1, s->turn), dot3(row2, s->turn), dot3(row3, s->turn)});
}

/* Where nothing is fixed, turns the tet so that its change does not turn it: with r and r* from its centre of mass,
 * before and after, sum of m r x r* = 0. Of all ways to place it that is the nearest one, and it keeps the angular
 * momentum, which F* alone does not unless the mass is spread evenly in all directions: solids would begin to spin. One
 * step of Newton's,
 *
 *     (tr A - A) turn = sum of m r* x r,   A = sum of m r* r^T
 *
 * taken as a rotation (Cayley), so that the stretches stay. `from` are the edges before, `edge` their change. */
TT_INLINE void turn_back(const quad *q, const lane3 *from, lane3 *edge)
{
    const lane zero = lane_all(0), one = lane_all(1);
    lane share[PARTICLES], least = lane_min(lane_min(q[0].w, q[1].w), lane_min(q[2].w, q[3].w));
    lane3 to[PARTICLES], middle = lane3_zero(), aim = lane3_zero(); /* the centres of mass, before and after */
    spread s = {zero, zero, zero, zero, zero, zero, lane3_zero()};
    mass_shares(q, PARTICLES, share);
    TT_UNROLL
    for (int k = 1; k < PARTICLES; k++) {
        to[k] = add3(from[k], edge[k]);
        add_to_spread(&s, to[k], scale3(share[k], from[k]));
        middle = add3(middle, scale3(share[k], from[k]));
        aim = add3(aim, scale3(share[k], to[k]));
    }
    add_to_spread(&s, aim, scale3(-one, middle));
    lane half = lane_select(lane_less(zero, least), lane_all((real)0.5), zero);
    lane3 turn = scale3(half, turn_of(&s));
    lane by = lane_all(2) / (one + dot3(turn, turn));
    TT_UNROLL
    for (int k = 1; k < PARTICLES; k++) {
        lane3 moved = cross3(turn, to[k]);
        edge[k] = add3(edge[k], scale3(by, add3(moved, cross3(turn, moved))));
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
    lane3 change[3] = {lane3_zero(), lane3_zero(), lane3_zero()};
    TT_UNROLL
    for (int i = 0; i < 3; i++) { /* F* - F = sum of (s_i* u_i - F v_i) v_i^T */
        lane3 wanted = sub3(scale3(limit_clamp(d.s[i], range), d.u[i]), d.b[i]);
        wanted = select3(i == 0 ? d.has_line : d.has_plane, wanted, lane3_zero());
        change[0] = add3(change[0], scale3(d.v[i].x, wanted));
        change[1] = add3(change[1], scale3(d.v[i].y, wanted));
        change[2] = add3(change[2], scale3(d.v[i].z, wanted));
    }
    lane3 from[PARTICLES] = {edge[0], edge[1], edge[2], edge[3]};
    edges_of(go, data, change, edge);
    turn_back(q, from, edge);
    limit_place(q, PARTICLES, outside, edge, step);
    limit_deliver(batch, go, PARTICLES, outside, step, q);
    return lane_select(outside, excess, zero);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* The largest stretch over its limit, or the smallest below its limit (negative); 0 within. ds = u^T dF v: the gradient
 * by edge k is (Q^-1 v)_k u. */
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

/* Q^-1 of the rest edges in the frame of the first of them and the face of two, and the inverse diagonal of it. */
static void rest_of(const taut_mesh *mesh, const int *v, double *data)
{
    vec3 p0 = vec_of(&mesh->x[3 * (size_t)v[0]]), e[3];
    for (int k = 0; k < 3; k++) e[k] = vec_sub(vec_of(&mesh->x[3 * (size_t)v[k + 1]]), p0);
    vec3 normal = vec_cross(e[0], e[1]);
    vec3 n1 = vec_scale(e[0], 1 / vec_length(e[0])), n3 = vec_scale(normal, 1 / vec_length(normal));
    vec3 n2 = vec_cross(n3, n1);
    double q12 = vec_dot(n1, e[1]), q13 = vec_dot(n1, e[2]), q23 = vec_dot(n2, e[2]);
    data[Q11] = vec_dot(n1, e[0]), data[Q22] = vec_dot(n2, e[1]), data[Q33] = vec_dot(n3, e[2]);
    data[I11] = 1 / data[Q11], data[I22] = 1 / data[Q22], data[I33] = 1 / data[Q33];
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
