/* Limit on bending (MRSL 3.1.4, eq. 5): the angles over the three edges of a triangle.
 *
 * One element is one triangle: its corners, then the far vertex over the edge opposite to each. An edge is in the
 * element of one of its two triangles, so about half of them are elements. The angle theta over it is that of
 * dihedral.c (0 = flat, signed) and comes within
 *
 *     theta* = clamp(theta, theta0 + (d1 + d2) least, theta0 + (d1 + d2) most),    d_i: the heights of both triangles
 *
 * by the smallest step of the four vertices, one edge after the other:
 *
 *     dx_i = -w_i g_i (theta - theta*) / (sum w_j |g_j|^2),    g_i = d theta / d x_i
 *
 * In place of that MRSL turns both wings about the edge by angles of their own (eq. 6) and then takes the shift of the
 * centre of mass out of each triangle. That is no projection: on irregular meshes pass after pass folds them further,
 * as a large triangle's turn is many times the limit of its small neighbours. The smallest step keeps the centre of
 * mass and the angular momentum too.
 *
 * At a boundary the far vertex repeats a corner of the edge: a triangle without area, and no angle over it is ever
 * outside. The same holds where either triangle lost its area. */
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
    lane3 e, N2; /* the edge, the far triangle's normal */
    lane length, N22;
    turn off;
} fold;

TT_INLINE fold fold_of(const lane3 *r, lane3 N, int c, const lane *data)
{
    lane3 start = r[(c + 1) % CORNERS], end = r[(c + 2) % CORNERS], far = r[CORNERS + c];
    fold f = {.e = sub3(end, start), .N2 = cross3(sub3(end, far), sub3(start, far))};
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
TT_INLINE lane excess_of(const fold *f, lane3 N, limit_range range)
{
    const lane tiny = lane_all((real)1e-36);
    lane off = lane_atan2(f->off.y, f->off.x);
    mask sound = mask_and(lane_less(tiny, dot3(N, N)), lane_less(tiny, f->N22));
    return lane_select(sound, off - limit_clamp(off, range), lane_all(0));
}

/* g_i times the length of the edge, as in dihedral.c: of the corner, the far vertex, the start and the end of the edge,
 * which share what is left. */
TT_INLINE void slopes_of(const fold *f, lane3 N, const lane3 *r, int c, lane3 U[4])
{
    lane3 end = r[(c + 2) % CORNERS];
    lane3 n1 = scale3(lane_divide(lane_all(-1), dot3(N, N)), N), n2 = scale3(lane_divide(lane_all(-1), f->N22), f->N2);
    lane ee = f->length * f->length;
    U[0] = scale3(ee, n1);
    U[1] = scale3(ee, n2);
    U[2] = add3(scale3(dot3(sub3(r[c], end), f->e), n1), scale3(dot3(sub3(r[CORNERS + c], end), f->e), n2));
    U[3] = sub3(lane3_zero(), add3(add3(U[0], U[1]), U[2]));
}

/* Brings the angle over one edge, which is `excess` outside of its limits, within them. More than half a radian at a
 * time would stretch the triangles. */
TT_INLINE void unfold(lane3 *r, const lane *w, const fold *f, lane3 N, int c, lane excess)
{
    const lane most = lane_all((real)0.5), zero = lane_all(0);
    const int slot[4] = {c, CORNERS + c, (c + 1) % CORNERS, (c + 2) % CORNERS};
    lane denominator = zero, sum_of_w = zero, scale = zero;
    lane3 U[4];
    slopes_of(f, N, r, c, U);
    TT_UNROLL
    for (int k = 0; k < 4; k++) {
        lane square = dot3(U[k], U[k]);
        denominator = denominator + w[slot[k]] * square;
        sum_of_w = sum_of_w + w[slot[k]];
        scale = scale + square;
    }
    lane by = lane_max(lane_min(excess, most), -most) * f->length;
    lane t = -lane_divide_above(by, denominator, lever_least(sum_of_w, scale));
    TT_UNROLL
    for (int k = 0; k < 4; k++) r[slot[k]] = add3(r[slot[k]], scale3(w[slot[k]] * t, U[k]));
}

/* The far vertices first: at a boundary they are corners, whose own steps must come last. */
TT_INLINE void deliver(const tt_batch *batch, const tt_go *go, const mask *folded, mask outside, const lane3 *step,
                       quad *q)
{
    TT_UNROLL
    for (int k = CORNERS; k < PARTICLES; k++) {
        tt_go far = *go;
        far.offset += k * TT_BLOCK;
        limit_deliver(batch, &far, 1, folded[k - CORNERS], &step[k], &q[k]);
    }
    limit_deliver(batch, go, CORNERS, outside, step, q);
}

/* What elements do of which some may be outside. Not inlined, so that those that are within keep the registers. */
__attribute__((noinline)) static lane unfold_edges(const tt_batch *batch, const tt_go *go)
{
    const tt_tuning *tuning = batch->tuning;
    const lane zero = lane_all(0);
    quad q[PARTICLES];
    lane3 r[PARTICLES], step[PARTICLES];
    lane w[PARTICLES], data[FIELDS], worst = zero;
    mask folded[CORNERS], movable;
    gather_all(batch->p, go, PARTICLES, q);
    relative_to_first(q, PARTICLES, r, w);
    movable = limit_movable(q, PARTICLES);
    TT_UNROLL
    for (int i = 0; i < FIELDS - 1; i++) data[i] = field(go, i);
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) step[k] = r[k];
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        lane3 N = cross3(sub3(r[1], r[0]), sub3(r[2], r[0]));
        fold f = fold_of(r, N, c, data);
        lane excess = excess_of(&f, N, limit_range_of(data[LOW + c], data[HIGH + c], tuning->bend_limit));
        folded[c] = mask_and(movable, lane_less(lane_all(tuning->tolerance), lane_abs(excess)));
        excess = lane_select(folded[c], excess, zero);
        worst = lane_max(lane_abs(excess), worst);
        if (mask_any(folded[c])) unfold(r, w, &f, N, c, excess);
    }
    mask outside = lane_less(zero, worst);
    if (!mask_any(outside)) return zero;
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) step[k] = sub3(r[k], step[k]);
    deliver(batch, go, folded, outside, step, q);
    return worst;
}

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const float *limit = batch->tuning->bend_limit;
    quad q[PARTICLES];
    lane3 r[PARTICLES];
    lane w[PARTICLES], data[LOW];
    if (go->busy) return unfold_edges(batch, go);
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
    if (mask_any(maybe)) return unfold_edges(batch, go);
    return lane_all(0);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* The angle over the edge opposite to corner `mode` over its upper limit or (negative) below its lower one. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane3 r[PARTICLES];
    lane d[FIELDS];
    for (int k = 0; k < PARTICLES; k++) r[k] = sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x));
    for (int i = 0; i < FIELDS - 1; i++) d[i] = lane_all((real)data[i]);
    lane3 N = cross3(r[1], r[2]);
    fold f = fold_of(r, N, mode, d);
    double excess = first_lane(excess_of(&f, N, limit_range_of(d[LOW + mode], d[HIGH + mode], tuning->bend_limit)));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (gradient && excess != 0) {
        const int slot[4] = {mode, CORNERS + mode, (mode + 1) % CORNERS, (mode + 2) % CORNERS};
        lane3 U[4];
        slopes_of(&f, N, r, mode, U);
        for (int k = 0; k < 4; k++) store_gradient(gradient + (ptrdiff_t)3 * slot[k], U[k], f.length);
    }
    return excess;
}

/* ---- Making the elements ----------------------------------------------------------------------------------------- */

static int corner_of(const taut_mesh *mesh, int t, int vertex)
{
    const int *v = &mesh->tri[3 * (size_t)t];
    return 3 * t + (v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2);
}

/* What is over the edge opposite to each corner of each triangle. Where more than two triangles meet the first pair
 * counts. */
typedef struct across {
    int far;  /* vertex, or -1: a boundary, or an edge that is done */
    int twin; /* the far vertex's own corner (3 * triangle + corner), over the same edge; -1: it looks over another */
} across;

static across *look_across(tt_maker *maker)
{
    const taut_mesh *mesh = maker->mesh;
    across *over = TT_TAKE(maker->scope, across, 3 * (size_t)mesh->ntris);
    for (size_t i = 0; over && i < 3 * (size_t)mesh->ntris; i++) over[i] = (across){-1, -1};
    for (int h = 0; over && h < maker->topology->nhinges; h++) {
        const tt_hinge *hinge = &maker->topology->hinge[h];
        if (!hinge_points_of(mesh, hinge).sound) continue;
        int one = corner_of(mesh, hinge->tri1, hinge->p1), other = corner_of(mesh, hinge->tri2, hinge->p2);
        bool both = over[one].far < 0 && over[other].far < 0;
        if (over[one].far < 0) over[one] = (across){hinge->p2, both ? other : -1};
        if (over[other].far < 0) over[other] = (across){hinge->p1, both ? one : -1};
    }
    return over;
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

/* The edges of triangle t, with the far vertex over each or -1. */
static bool emit(tt_maker *maker, int t, const int *far)
{
    const taut_mesh *mesh = maker->mesh;
    const int *v = &mesh->tri[3 * (size_t)t];
    int particle[PARTICLES] = {v[0], v[1], v[2]}, folds = 0;
    double data[FIELDS - 1];
    for (int c = 0; c < CORNERS; c++) {
        double factor[2], heights = 1; /* anything but 0: a boundary never bends */
        int other = far[c];
        limit_factors(maker->bend_factor, 3 * t + c, factor);
        if (isinf(factor[0]) && isinf(factor[1])) other = -1, factor[0] = factor[1] = 1; /* free, like a boundary */
        particle[CORNERS + c] = other < 0 ? v[(c + 1) % 3] : other;
        data[COSINE + c] = data[SINE + c] = 0; /* no angle, whatever the corner does that is repeated */
        if (other >= 0) heights = rest_of(mesh, v, c, other, &data[COSINE + c], &data[SINE + c]);
        data[LOW + c] = heights * factor[0];
        data[HIGH + c] = heights * factor[1];
        folds += other >= 0;
    }
    return !folds || tt_emit(maker, particle, data, tt_tri_scale(mesh, t), tt_tri_area(mesh, t));
}

static bool emit_edge(tt_maker *maker, int t, const int *far, int c)
{
    int alone[CORNERS] = {-1, -1, -1};
    alone[c] = far[c];
    return emit(maker, t, alone);
}

/* Where three triangles are all around a vertex each sees the same far vertex over two edges. What one edge did to it
 * would be lost when the other stores it: each edge is an element then. */
static bool edges_meet(const int *far)
{
    return (far[0] >= 0 && (far[0] == far[1] || far[0] == far[2])) || (far[1] >= 0 && far[1] == far[2]);
}

/* The edges of triangle t that are not done yet. */
static bool emit_rest(tt_maker *maker, int t, across *over)
{
    int far[CORNERS];
    for (int c = 0; c < CORNERS; c++) {
        across *own = &over[3 * (size_t)t + (size_t)c];
        far[c] = own->far;
        if (own->twin >= 0) over[own->twin].far = -1;
        own->far = -1;
    }
    if (!edges_meet(far)) return emit(maker, t, far);
    return emit_edge(maker, t, far, 0) && emit_edge(maker, t, far, 1) && emit_edge(maker, t, far, 2);
}

/* Each edge once: triangles that have three first, then what is left between them. That is little more than half of the
 * triangles. */
static bool create(tt_maker *maker)
{
    const taut_limit *limit = &maker->material->limit;
    if (!(limit->bend[0] > -INFINITY || limit->bend[1] < INFINITY)) return true;
    across *over = look_across(maker);
    if (!over) return false;
    for (int wanted = CORNERS; wanted > 0; wanted--)
        for (int t = 0; t < maker->mesh->ntris; t++) {
            const across *own = &over[3 * (size_t)t];
            int edges = (own[0].far >= 0) + (own[1].far >= 0) + (own[2].far >= 0);
            if (edges == wanted && !emit_rest(maker, t, over)) return false;
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
