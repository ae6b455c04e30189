/* Limit on bending (MRSL 3.1.4, eq. 5-6): the angles over the three edges of a triangle.
 *
 * One element is one triangle: its corners, then the far vertex over the edge opposite to each. With N its normal and
 * the angle theta over an edge as in dihedral.c (0 = flat, signed),
 *
 *     theta* = clamp(theta, theta0 + (d1 + d2) least, theta0 + (d1 + d2) most),    d_i: the heights of both triangles
 *
 * turns its own corner about the edge by the share m2 d2^2/(m1 d1^2 + m2 d2^2) of theta* - theta; the far vertex turns
 * when the other triangle has its turn. What the three corners were given moves the triangle's centre of mass, and that
 * is taken out of all three (eq. 4). The far vertices are only read.
 *
 * At a boundary the far vertex repeats a corner of the edge: a triangle without area, and no angle over it is ever
 * outside. The same holds where either triangle lost its area. A corner turns by a quarter turn at most. */
#include "constraints/limit.h"

#include "constraints/hinge.h"

enum { PARTICLES = 6, CORNERS = 3, FIELDS = 13, COSINE = 0, SINE = 3, LOW = 6, HIGH = 9 };

/* The angle over the edge opposite to a corner, off its rest: cosine and sine, both times |N| |N2|. Both are 0 where a
 * triangle has no area. */
typedef struct turn {
    lane x, y;
} turn;

/* The fold over that edge. */
typedef struct fold {
    lane3 e, arm, N2; /* the edge, the corner from its start, the far triangle's normal */
    lane length, N22;
    turn off;
} fold;

TT_INLINE fold fold_of(const lane3 *r, lane3 N, int c, const lane *data)
{
    lane3 start = r[(c + 1) % CORNERS], end = r[(c + 2) % CORNERS], far = r[CORNERS + c];
    fold f = {.e = sub3(end, start), .arm = sub3(r[c], start), .N2 = cross3(sub3(end, far), sub3(start, far))};
    f.length = lane_sqrt(dot3(f.e, f.e));
    f.N22 = dot3(f.N2, f.N2);
    lane along = dot3(N, f.N2), across = f.length * dot3(N, sub3(start, far));
    f.off.x = along * data[COSINE + c] + across * data[SINE + c];
    f.off.y = across * data[COSINE + c] - along * data[SINE + c];
    return f;
}

/* Where the angle may be outside. Most often it is not, and that is told without an arc tangent: it is within where its
 * cosine is above that of the nearer limit m, which is at most 1 - m^2/2 + m^4/24 and at most (pi - m)^2/2 - 1. */
TT_INLINE mask maybe_outside(turn off, limit_range range)
{
    const lane half = lane_all((real)0.5), rounding = lane_all((real)4e-6); /* which weighs most near a cosine of 1 */
    lane m = lane_min(-range.low, range.high), mm = m * m, rest = lane_max(lane_all((real)TT_PI) - m, lane_all(0));
    lane narrow = lane_all(1) + mm * (mm * lane_all((real)(1.0 / 24)) - half), wide = half * rest * rest - lane_all(1);
    lane cosine = lane_min(narrow, wide) + rounding;
    return lane_less(off.x * lane_abs(off.x), cosine * lane_abs(cosine) * (off.x * off.x + off.y * off.y));
}

/* How far the angle is outside, signed. */
TT_INLINE lane excess_of(const fold *f, lane square, limit_range range)
{
    const lane tiny = lane_all((real)1e-36);
    lane off = lane_atan2(f->off.y, f->off.x);
    mask sound = mask_and(lane_less(tiny, square), lane_less(tiny, f->N22));
    return lane_select(sound, off - limit_clamp(off, range), lane_all(0));
}

/* sin a and cos a - 1 for |a| <= pi/2, to 5e-7. */
TT_INLINE lane sine(lane a)
{
    lane s = a * a;
    lane tail = lane_all((real)(1.0 / 362880)) - s * lane_all((real)(1.0 / 39916800));
    tail = lane_all((real)(1.0 / 120)) + s * (lane_all((real)(-1.0 / 5040)) + s * tail);
    return a + a * s * (lane_all((real)(-1.0 / 6)) + s * tail);
}

TT_INLINE lane cosine_less_one(lane a)
{
    lane s = a * a;
    lane tail = lane_all((real)(1.0 / 40320)) - s * lane_all((real)(1.0 / 3628800));
    tail = lane_all((real)(1.0 / 24)) + s * (lane_all((real)(-1.0 / 720)) + s * tail);
    return s * (lane_all((real)-0.5) + s * tail);
}

/* Where the corner goes when it turns by its share of what is too much. Towards -N the angle grows. */
TT_INLINE lane3 turn_corner(const fold *f, lane excess, lane3 N, lane square, lane w, lane far_w)
{
    const lane quarter = lane_all((real)(TT_PI / 2));
    lane own = w * f->N22, share = lane_divide(own, own + far_w * square); /* |N_i| = d_i |e| */
    lane angle = lane_max(lane_min(-excess * share, quarter), -quarter);
    lane inverse = lane_divide(lane_all(1), f->length);
    lane3 height = sub3(f->arm, scale3(dot3(f->arm, f->e) * inverse * inverse, f->e));
    return sub3(scale3(cosine_less_one(angle), height), scale3(sine(angle) * inverse, N));
}

/* What elements do of which some may be outside. Not inlined, so that those that are within keep the registers. */
__attribute__((noinline)) static lane turn_corners(const tt_batch *batch, const tt_go *go)
{
    const tt_tuning *tuning = batch->tuning;
    const lane zero = lane_all(0);
    quad q[PARTICLES];
    lane3 r[PARTICLES], step[CORNERS], shift = lane3_zero();
    lane w[PARTICLES], data[FIELDS], share[CORNERS], excess[CORNERS], worst = zero;
    fold f[CORNERS];
    gather_all(batch->p, go, PARTICLES, q);
    relative_to_first(q, PARTICLES, r, w);
    TT_UNROLL
    for (int i = 0; i < FIELDS - 1; i++) data[i] = field(go, i);
    lane3 N = cross3(r[1], r[2]);
    lane square = dot3(N, N);
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        f[c] = fold_of(r, N, c, data);
        excess[c] = excess_of(&f[c], square, limit_range_of(data[LOW + c], data[HIGH + c], tuning->bend_limit));
        worst = lane_max(lane_abs(excess[c]), worst);
    }
    mask outside = mask_and(lane_less(lane_all(tuning->tolerance), worst), limit_movable(q, CORNERS));
    if (!mask_any(outside)) return zero;
    mass_shares(q, CORNERS, share);
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        step[c] = turn_corner(&f[c], excess[c], N, square, w[c], w[CORNERS + c]);
        shift = add3(shift, scale3(share[c], step[c]));
    }
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) step[c] = sub3(step[c], shift);
    limit_deliver(batch, go, CORNERS, outside, step, q);
    return lane_select(outside, worst, zero);
}

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const float *limit = batch->tuning->bend_limit;
    quad q[PARTICLES];
    lane3 r[PARTICLES];
    lane w[PARTICLES], data[HIGH];
    gather_all(batch->p, go, PARTICLES, q);
    relative_to_first(q, PARTICLES, r, w);
    lane3 N = cross3(r[1], r[2]);
    mask maybe = lane_less(w[0], w[0]);
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        data[COSINE + c] = field(go, COSINE + c), data[SINE + c] = field(go, SINE + c);
        limit_range range = limit_range_of(field(go, LOW + c), field(go, HIGH + c), limit);
        maybe = mask_or(maybe, maybe_outside(fold_of(r, N, c, data).off, range));
    }
    if (mask_any(maybe)) return turn_corners(batch, go);
    return lane_all(0);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* As in dihedral.c, times |e|; the start and the end of the edge share what is left. */
static void gradient_of(const fold *f, lane3 N, const lane3 *r, int c, double *gradient)
{
    int start = (c + 1) % CORNERS, end = (c + 2) % CORNERS, far = CORNERS + c;
    lane3 n1 = scale3(lane_divide(lane_all(-1), dot3(N, N)), N), n2 = scale3(lane_divide(lane_all(-1), f->N22), f->N2);
    lane ee = f->length * f->length;
    lane3 U1 = scale3(ee, n1), U2 = scale3(ee, n2);
    lane3 U3 = add3(scale3(dot3(sub3(r[c], r[end]), f->e), n1), scale3(dot3(sub3(r[far], r[end]), f->e), n2));
    lane3 U4 = sub3(lane3_zero(), add3(add3(U1, U2), U3));
    store_gradient(gradient + (ptrdiff_t)3 * c, U1, f->length);
    store_gradient(gradient + (ptrdiff_t)3 * far, U2, f->length);
    store_gradient(gradient + (ptrdiff_t)3 * start, U3, f->length);
    store_gradient(gradient + (ptrdiff_t)3 * end, U4, f->length);
}

/* The angle over the edge opposite to corner `mode` over its upper limit or (negative) below its lower one. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane3 r[PARTICLES];
    lane d[FIELDS];
    for (int k = 0; k < PARTICLES; k++) r[k] = sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x));
    for (int i = 0; i < FIELDS - 1; i++) d[i] = lane_all((real)data[i]);
    lane3 N = cross3(r[1], r[2]);
    fold f = fold_of(r, N, mode, d);
    limit_range range = limit_range_of(d[LOW + mode], d[HIGH + mode], tuning->bend_limit);
    double excess = first_lane(excess_of(&f, dot3(N, N), range));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (gradient && excess != 0) gradient_of(&f, N, r, mode, gradient);
    return excess;
}

/* ---- Making the elements ----------------------------------------------------------------------------------------- */

/* The far vertex of each corner of each triangle, or -1. Where more than two triangles meet the first pair counts. */
static int *far_vertices(tt_maker *maker)
{
    const taut_mesh *mesh = maker->mesh;
    int *far = TT_TAKE(maker->scope, int, 3 * (size_t)mesh->ntris);
    for (size_t i = 0; far && i < 3 * (size_t)mesh->ntris; i++) far[i] = -1;
    for (int h = 0; far && h < maker->topology->nhinges; h++) {
        const tt_hinge *hinge = &maker->topology->hinge[h];
        const int side[2][3] = {{hinge->tri1, hinge->p1, hinge->p2}, {hinge->tri2, hinge->p2, hinge->p1}};
        if (!hinge_points_of(mesh, hinge).sound) continue;
        for (int s = 0; s < 2; s++)
            for (int c = 0; c < CORNERS; c++) {
                size_t corner = 3 * (size_t)side[s][0] + (size_t)c;
                if (mesh->tri[corner] == side[s][1] && far[corner] < 0) far[corner] = side[s][2];
            }
    }
    return far;
}

/* Cosine and sine of the rest angle over the edge opposite to corner c; returns the sum of the heights over it. */
static double rest_of(const taut_mesh *mesh, const int *v, int c, int far, double *cosine, double *sine)
{
    vec3 own = vec_of(&mesh->x[3 * (size_t)v[c]]), other = vec_of(&mesh->x[3 * (size_t)far]);
    vec3 start = vec_of(&mesh->x[3 * (size_t)v[(c + 1) % 3]]), end = vec_of(&mesh->x[3 * (size_t)v[(c + 2) % 3]]);
    vec3 e = vec_sub(end, start);
    vec3 n1 = vec_cross(vec_sub(start, own), vec_sub(end, own));
    vec3 n2 = vec_cross(vec_sub(end, other), vec_sub(start, other));
    double length = vec_length(e);
    double x = length * vec_dot(n1, n2), y = vec_dot(vec_cross(n1, n2), e), size = sqrt(x * x + y * y);
    *cosine = x / size;
    *sine = y / size;
    return (vec_length(n1) + vec_length(n2)) / length;
}

static bool create(tt_maker *maker)
{
    const taut_limit *limit = &maker->material->limit;
    if (!(limit->bend[0] > -INFINITY || limit->bend[1] < INFINITY)) return true;
    const taut_mesh *mesh = maker->mesh;
    const int *far = far_vertices(maker);
    if (!far) return false;
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * (size_t)t];
        int particle[PARTICLES] = {v[0], v[1], v[2]}, folds = 0;
        double data[FIELDS - 1];
        for (int c = 0; c < CORNERS; c++) {
            int other = far[3 * (size_t)t + (size_t)c];
            double factor[2], heights = 1; /* anything but 0: a boundary never bends */
            particle[CORNERS + c] = other < 0 ? v[(c + 1) % 3] : other;
            data[COSINE + c] = 1;
            data[SINE + c] = 0;
            if (other >= 0) heights = rest_of(mesh, v, c, other, &data[COSINE + c], &data[SINE + c]);
            limit_factors(maker->bend_factor, 3 * t + c, factor);
            data[LOW + c] = heights * factor[0];
            data[HIGH + c] = heights * factor[1];
            folds += other >= 0;
        }
        if (folds && !tt_emit(maker, particle, data, tt_tri_scale(mesh, t), tt_tri_area(mesh, t))) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    const float *bend = material->limit.bend;
    for (int c = 0; c < CORNERS; c++) tuning->stiffness[c] = bend[0] > -INFINITY || bend[1] < INFINITY;
}

const tt_kind TT_NAME(tt_limit_bend) = {
    .name = "limit_bend", .particles = PARTICLES, .fields = FIELDS, .modes = CORNERS, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
