/* Limit on the principal stretches of a triangle (MRSL 3.1), the same in all directions, without a decomposition.
 *
 * At rest d1 = p1-p0 and e = u d1 + t (p2-p0) are normal to each other and equally long, so that F = [d1 e] / |d1 at
 * rest| in a frame of the triangle's own, and with c = 1/|d1 at rest|^2
 *
 *     F^T F = c [d1.d1  d1.e; d1.e  e.e] = [mean + x  y; y  mean - x],   eigenvalues mean +- r,  r^2 = x^2 + y^2
 *     s1 = sqrt(mean + r),   s2 = c |d1 x e| / s1      (not sqrt(mean - r): a thin triangle would lose its width)
 *
 * Whether an element is within its limits follows from mean +- r without a root. If r vanishes, every direction is
 * stretched alike, and x/r and y/r are 0. Both stretches then get the mean of both corrections, which are the same. A
 * triangle thinner than a ten-thousandth of its length has lost its second direction, and nothing happens along it. A
 * triangle of no extent stays. */
#include "constraints/limit.h"
#include "mesh/frame.h"

enum { PARTICLES = 3, FIELDS = 6 };
enum { INVERSE_SQUARE, D1_IN_E, D2_IN_E, LOW, HIGH }; /* fields: c, u, t, factors of the limits */
enum { LARGEST, SMALLEST, MODES };

typedef struct principal {
    lane3 d1, e;
    lane mean, x, y, square; /* square: of r */
} principal;

TT_INLINE principal principal_of(lane3 d1, lane3 d2, lane c, lane u, lane t)
{
    principal f = {.d1 = d1, .e = add3(scale3(u, d1), scale3(t, d2))};
    lane S11 = dot3(d1, d1), S22 = dot3(f.e, f.e), half = lane_all((real)0.5) * c;
    f.mean = half * (S11 + S22);
    f.x = half * (S11 - S22);
    f.y = c * dot3(d1, f.e);
    f.square = f.x * f.x + f.y * f.y;
    return f;
}

/* The two stretches, their inverses (0 if that direction is lost), x/r and y/r. No division waits for another, nor for
 * more roots than it must. */
typedef struct stretches {
    lane s1, s2, inverse1, inverse2;
    lane x, y;
} stretches;

TT_INLINE stretches stretches_of(const principal *f, lane c)
{
    const lane one = lane_all(1), tiny = lane_all((real)1e-36);
    lane3 normal = cross3(f->d1, f->e);
    lane area = c * lane_sqrt(dot3(normal, normal)), r = lane_sqrt(f->square), square1 = f->mean + r;
    lane over_r = one / lane_max(r, tiny);
    stretches s = {.s1 = lane_sqrt(square1), .x = over_r * f->x, .y = over_r * f->y};
    s.inverse1 = s.s1 * (one / lane_max(square1, tiny));
    s.inverse2 = s.s1 * lane_divide_above(one, area, lane_all((real)1e-4) * square1 + tiny);
    s.s2 = area * s.inverse1;
    return s;
}

/* The inverse of the lever of a stretch. The lever is v.B v, or half of |B v| if that is more (`square` is |B v|^2). So
 * a badly shaped triangle, or one with a light corner, moves by no more than twice its violation. */
TT_INLINE lane over_lever(lane along, lane square)
{
    lane half_size = lane_all((real)0.5) * lane_sqrt(lane_max(square, lane_all(0)));
    return lane_divide_above(lane_all(1), lane_max(along, half_size), lane_all((real)1e-36));
}

/* Steps that bring the stretches from s to s*, each along its own gradient. With F = [d1 e]
 *
 *     dx_k = w_k F (t_1 v1 v1^T + t_2 v2 v2^T) a_k,   a_0 = (-1, -u-t),   a_1 = (1, u),   a_2 = (0, t)
 *     t_i = (s_i* over s_i, less 1) / (v_i.B v_i),    B = sum of w_k a_k a_k^T
 *
 * v1 v1^T and v2 v2^T are (I +- [x y; y -x])/2. F v1 and F v2 are normal to each other, so to first order neither
 * stretch changes the other. limit_tet.c tells why MRSL's way to place the element is not used. */
TT_INLINE void steps_of(const principal *f, const stretches *s, limit_range range, lane u, lane t, const quad *q,
                        lane3 *step)
{
    const lane half = lane_all((real)0.5), both = u + t;
    lane w0 = q[0].w, w1 = q[1].w, w2 = q[2].w;
    lane B11 = w0 + w1, B12 = w0 * both + w1 * u, B22 = w0 * (both * both) + (w1 * (u * u) + w2 * (t * t));
    lane S11 = B11 * B11 + B12 * B12, S12 = B12 * (B11 + B22), S22 = B12 * B12 + B22 * B22; /* B B */
    lane B = half * (B11 + B22), B_part = half * (B11 - B22) * s->x + B12 * s->y;
    lane S = half * (S11 + S22), S_part = half * (S11 - S22) * s->x + S12 * s->y;
    lane t1 = (limit_clamp(s->s1, range) - s->s1) * (s->inverse1 * over_lever(B + B_part, S + S_part));
    lane t2 = (limit_clamp(s->s2, range) - s->s2) * (s->inverse2 * over_lever(B - B_part, S - S_part));
    lane g = half * (t1 + t2), k = half * (t1 - t2), kx = k * s->x, ky = k * s->y;
    lane3 first = add3(scale3(g + kx, f->d1), scale3(ky, f->e));
    lane3 second = add3(scale3(ky, f->d1), scale3(g - kx, f->e));
    step[0] = scale3(-w0, add3(first, scale3(both, second)));
    step[1] = scale3(w1, add3(first, scale3(u, second)));
    step[2] = scale3(w2 * t, second);
}

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const float *limit = batch->tuning->stretch_limit;
    const lane zero = lane_all(0);
    quad q[PARTICLES];
    lane3 step[PARTICLES];
    gather_all(batch->p, go, PARTICLES, q);
    lane c = field(go, INVERSE_SQUARE), u = field(go, D1_IN_E);
    lane3 d1 = sub3(lane3_of(q[1]), lane3_of(q[0])), d2 = sub3(lane3_of(q[2]), lane3_of(q[0]));
    principal f = principal_of(d1, d2, c, u, field(go, D2_IN_E));
    limit_range range = limit_range_of(field(go, LOW), field(go, HIGH), limit);
    limit_range loose = limit_loosened(range, batch->tuning);
    lane room = lane_min(loose.high * loose.high - f.mean, f.mean - limit_low_square(loose, limit));
    mask outside = mask_and(lane_less(room * lane_abs(room), f.square), limit_movable(q, PARTICLES));
    if (!mask_any(outside)) return zero;

    stretches s = stretches_of(&f, c);
    lane excess = lane_max(s.s1 - range.high, range.low - s.s2);
    outside = mask_and(outside, lane_less(zero, excess));
    steps_of(&f, &s, range, u, field(go, D2_IN_E), q, step);
    limit_deliver(batch, go, PARTICLES, outside, step, q);
    return lane_select(outside, excess, zero);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* The direction in the rest frame that is stretched by s1 or s2. It is the longer column of (F^T F - the other
 * eigenvalue times I)/r. If r vanishes, any direction will do. */
TT_INLINE void rest_direction(const stretches *s, int mode, lane *v1, lane *v2)
{
    const lane one = lane_all(1);
    lane x = mode == LARGEST ? s->x : -s->x, y = mode == LARGEST ? s->y : -s->y;
    mask first = lane_less(lane_all(0), x);
    *v1 = lane_select(first, one + x, y);
    *v2 = lane_select(first, y, one - x);
    lane length = lane_sqrt(*v1 * *v1 + *v2 * *v2);
    *v1 = *v1 / length;
    *v2 = *v2 / length;
}

/* ds = u1 dF v1^T: the gradient by edge k is (Q^-1 v)_k times the direction F v / s. */
static void gradient_of(const principal *f, const stretches *s, const double *data, int mode, double *gradient)
{
    lane v1, v2, root = lane_sqrt(lane_all((real)data[INVERSE_SQUARE])), length = mode == LARGEST ? s->s1 : s->s2;
    rest_direction(s, mode, &v1, &v2);
    lane3 direction = scale3(root, add3(scale3(v1, f->d1), scale3(v2, f->e)));
    lane a1 = root * (v1 + lane_all((real)data[D1_IN_E]) * v2), a2 = root * (lane_all((real)data[D2_IN_E]) * v2);
    store_gradient(gradient, scale3(-(a1 + a2), direction), length);
    store_gradient(gradient + 3, scale3(a1, direction), length);
    store_gradient(gradient + 6, scale3(a2, direction), length);
}

/* How far the largest stretch is above its limit, or the smallest below its limit (negative); 0 within. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane c = lane_all((real)data[INVERSE_SQUARE]);
    lane3 p0 = lane3_all(x);
    principal f = principal_of(sub3(lane3_all(x + 3), p0), sub3(lane3_all(x + 6), p0), c, lane_all((real)data[D1_IN_E]),
                               lane_all((real)data[D2_IN_E]));
    stretches s = stretches_of(&f, c);
    limit_range range =
        limit_range_of(lane_all((real)data[LOW]), lane_all((real)data[HIGH]), tuning->stretch_limit);
    lane zero = lane_all(0);
    double violation = mode == LARGEST ? first_lane(lane_max(s.s1 - range.high, zero))
                                       : first_lane(lane_min(s.s2 - range.low, zero));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (gradient && violation != 0) gradient_of(&f, &s, data, mode, gradient);
    return violation;
}

static bool create(tt_maker *maker)
{
    if (!limit_exists(maker->material->limit.stretch)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntris; t++) {
        double rows[4], area, data[FIELDS - 1];
        if (!tt_triangle_frame(mesh, maker->axis, t, rows, &area)) continue;
        /* Q^-1 Q^-T belongs to no frame. Its second number on the diagonal is 1/(the height over d1)^2. */
        double mixed = rows[0] * rows[2] + rows[1] * rows[3], square = rows[2] * rows[2] + rows[3] * rows[3];
        double det = fabs(rows[0] * rows[3] - rows[1] * rows[2]);
        data[INVERSE_SQUARE] = det * det / square;
        data[D1_IN_E] = mixed / det;
        data[D2_IN_E] = square / det;
        limit_factors(maker->limit_factor, t, &data[LOW]);
        if (!tt_emit(maker, &mesh->tri[3 * (size_t)t], data, tt_tri_scale(mesh, t), area)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[LARGEST] = material->limit.stretch[1] < INFINITY;
    tuning->stiffness[SMALLEST] = material->limit.stretch[0] > 0;
}

const tt_kind TT_NAME(tt_limit_tri) = {
    .name = "limit_tri", .particles = PARTICLES, .fields = FIELDS, .modes = MODES, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
