/* Limit on bending (MRSL 3.1.4, eq. 5): the angles over the three edges of a triangle.
 *
 * One element is one triangle: its corners, then the far vertex over the edge opposite to each. An edge is in the
 * element of only one of its two triangles, so about half of the triangles are elements. The angle theta over the edge
 * is that of dihedral.c (0 = flat, signed). It is brought to
 *
 *     theta* = clamp(theta, theta0 + (d1 + d2) least, theta0 + (d1 + d2) most),    d_i: the heights of both triangles
 *
 * by the smallest step of the four vertices:
 *
 *     dx_i = -w_i g_i (theta - theta*) / (sum w_j |g_j|^2),    g_i = d theta / d x_i
 *
 * The edges are solved one after the other, but on values in registers, as strain does: the step of edge c changes the
 * angle over edge d by the sum of w_j g_j(c).g_j(d) over the corners. So no edge waits for the arc tangents of others.
 *
 * MRSL instead turns both wings about the edge by angles of their own (eq. 6) and then takes the shift of the centre of
 * mass out of each triangle. That is no projection. On irregular meshes every pass folds the mesh further, because the
 * turn of a large triangle is many times the limit of its small neighbours. The smallest step also keeps the centre of
 * mass and the angular momentum.
 *
 * At a boundary the far vertex repeats a corner of the edge. That makes a triangle without area, and no angle over it
 * is ever outside. The same holds if either triangle lost its area. */
#include "constraints/limit.h"

#include "constraints/hinge.h"

enum { PARTICLES = 6, CORNERS = 3, FIELDS = 13, COSINE = 0, SINE = 3, LOW = 6, HIGH = 9 };

/* The middle triangle: its normal, and the edges opposite to its corners, which go around it. */
typedef struct middle {
    lane3 N, e[CORNERS];
    lane NN;
} middle;

TT_INLINE middle middle_of(const lane3 *r)
{
    middle m = {.N = cross3(r[1], r[2]), .e = {sub3(r[2], r[1]), sub3(r[0], r[2]), sub3(r[1], r[0])}};
    m.NN = dot3(m.N, m.N);
    return m;
}

/* The fold over the edge opposite to corner c. */
typedef struct fold {
    lane3 N2, back;        /* the far triangle's normal; from the far vertex to the end of the edge */
    lane length, ee, N2N2; /* of the edge, its square; |N2|^2                                       */
    lane along;            /* N.N2                                                                  */
    lane x, y;             /* cosine and sine of the angle off its rest, both times |N| |N2|; both are 0 where a
                              triangle has no area                                                  */
} fold;

TT_INLINE fold fold_of(const lane3 *r, const middle *m, int c, lane cosine, lane sine)
{
    lane3 far = r[CORNERS + c], front = sub3(r[(c + 1) % CORNERS], far);
    fold f = {.back = sub3(r[(c + 2) % CORNERS], far), .ee = dot3(m->e[c], m->e[c])};
    f.N2 = cross3(f.back, front);
    f.length = lane_sqrt(f.ee);
    f.N2N2 = dot3(f.N2, f.N2);
    f.along = dot3(m->N, f.N2);
    lane across = f.length * dot3(m->N, front);
    f.x = f.along * cosine + across * sine;
    f.y = across * cosine - f.along * sine;
    return f;
}

/* Lanes whose angle may be outside. Usually none is. The test needs no arc tangent, because an angle is no larger than
 * its tangent. A margin covers the rounding of both. */
TT_INLINE mask maybe_outside(const fold *f, limit_range range, real tolerance)
{
    const lane more = lane_all(tolerance), nearly = lane_all((real)0.999996);
    lane low = nearly * (range.low - more), high = nearly * (range.high + more);
    return mask_or(lane_less(high * f->x, f->y), lane_less(f->y, low * f->x));
}

/* The angle off its rest; 0 if there is no angle. */
TT_INLINE lane angle_of(const fold *f, const middle *m)
{
    const lane tiny = lane_all((real)1e-36);
    mask sound = mask_and(lane_less(tiny, m->NN), lane_less(tiny, f->N2N2));
    return lane_select(sound, lane_atan2(f->y, f->x), lane_all(0));
}

/* d theta / d x_i times the length of the edge, as in dihedral.c. All of these are combinations of the two normals,
 *
 *     U_k = -(a_k N / |N|^2 + b_k N2 / |N2|^2)
 *
 * with a and b by corner; for the far vertex they are 0 and |e|^2. */
typedef struct slopes {
    lane a[CORNERS], b[CORNERS];
    lane over, both; /* 1 / |N2|^2, N.N2 / (|N|^2 |N2|^2) */
} slopes;

TT_INLINE slopes slopes_of(const fold *f, const middle *m, int c, lane over_NN)
{
    const int start = (c + 1) % CORNERS, end = (c + 2) % CORNERS;
    slopes s = {.over = lane_divide(lane_all(1), f->N2N2)};
    s.both = f->along * (over_NN * s.over);
    s.a[c] = f->ee, s.a[start] = dot3(m->e[c], m->e[start]), s.a[end] = dot3(m->e[c], m->e[end]);
    s.b[c] = lane_all(0), s.b[start] = -dot3(f->back, m->e[c]), s.b[end] = -(f->ee + s.b[start]);
    return s;
}

/* Steps of an element's three edges. */
typedef struct unfolding {
    slopes s[CORNERS];
    lane over_NN;
    lane wa[CORNERS][CORNERS], wb[CORNERS][CORNERS]; /* w_k a_k and w_k b_k, by edge and corner */
    lane t[CORNERS];                                 /* (theta - theta*) |e| / sum w |U|^2      */
} unfolding;

TT_INLINE lane sum3(const lane *a, const lane *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* U(c).U(d), weighted by w, over the corners. b of an edge's own corner is 0. */
TT_INLINE lane coupling(const unfolding *u, const fold *f, int c, int d)
{
    const slopes *s = u->s;
    const int third = CORNERS - c - d;
    lane aa = sum3(u->wa[c], s[d].a);
    lane ab = u->wa[c][c] * s[d].b[c] + u->wa[c][third] * s[d].b[third];
    lane ba = u->wb[c][d] * s[d].a[d] + u->wb[c][third] * s[d].a[third];
    lane bb = u->wb[c][third] * s[d].b[third];
    lane between = dot3(f[c].N2, f[d].N2) * (s[c].over * s[d].over);
    return u->over_NN * aa + (s[d].both * ab + (s[c].both * ba + between * bb));
}

/* 1 / sum w |U|^2 of an edge, or 0 if the free vertices have no lever on its angle. */
TT_INLINE lane inverse_of(const unfolding *u, const fold *f, const lane *w, int c)
{
    const slopes *s = &u->s[c];
    const lane two = lane_all(2);
    lane far = f[c].ee * f[c].ee * s->over, sum = w[CORNERS + c] * far, scale = far, sum_of_w = w[CORNERS + c];
    TT_UNROLL
    for (int k = 0; k < CORNERS; k++) {
        lane square = u->over_NN * (s->a[k] * s->a[k]);
        if (k != c) square = square + (s->over * (s->b[k] * s->b[k]) + two * s->both * (s->a[k] * s->b[k]));
        sum = sum + w[k] * square;
        scale = scale + square;
        sum_of_w = sum_of_w + w[k];
    }
    return lane_divide_above(lane_all(1), sum, lever_least(sum_of_w, scale));
}

TT_INLINE void prepare(unfolding *u, const fold *f, const middle *m, const lane *w)
{
    u->over_NN = lane_divide(lane_all(1), m->NN);
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        u->s[c] = slopes_of(&f[c], m, c, u->over_NN);
        TT_UNROLL
        for (int k = 0; k < CORNERS; k++) u->wa[c][k] = w[k] * u->s[c].a[k], u->wb[c][k] = w[k] * u->s[c].b[k];
    }
}

/* Steps of all particles, from t. */
TT_INLINE void steps_of(const unfolding *u, const fold *f, const middle *m, const lane *w, lane3 *step)
{
    lane3 turned[CORNERS]; /* N2 t / |N2|^2 */
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        turned[c] = scale3(u->t[c] * u->s[c].over, f[c].N2);
        step[CORNERS + c] = scale3(w[CORNERS + c] * f[c].ee, turned[c]);
    }
    TT_UNROLL
    for (int k = 0; k < CORNERS; k++) {
        const int next = (k + 1) % CORNERS, last = (k + 2) % CORNERS;
        lane along = u->over_NN * (u->t[0] * u->wa[0][k] + u->t[1] * u->wa[1][k] + u->t[2] * u->wa[2][k]);
        step[k] =
            add3(scale3(along, m->N), add3(scale3(u->wb[next][k], turned[next]), scale3(u->wb[last][k], turned[last])));
    }
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

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const tt_tuning *tuning = batch->tuning;
    const lane zero = lane_all(0), tolerance = lane_all(tuning->tolerance), half = lane_all((real)0.5);
    quad q[PARTICLES];
    lane3 r[PARTICLES], step[PARTICLES];
    lane w[PARTICLES], worst = zero;
    fold f[CORNERS];
    limit_range range[CORNERS];
    unfolding u;
    gather_all(batch->p, go, PARTICLES, q);
    relative_to_first(q, PARTICLES, r, w);
    middle m = middle_of(r);
    mask maybe = lane_less(zero, zero), movable = limit_movable(q, PARTICLES), folded[CORNERS];
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        f[c] = fold_of(r, &m, c, field(go, COSINE + c), field(go, SINE + c));
        range[c] = limit_range_of(field(go, LOW + c), field(go, HIGH + c), tuning->bend_limit);
        maybe = mask_or(maybe, maybe_outside(&f[c], range[c], tuning->tolerance));
    }
    if (!mask_any(maybe)) return zero;

    prepare(&u, f, &m, w);
    lane moved[CORNERS] = {zero, zero, zero}; /* how far earlier edges have changed the angle of each */
    TT_UNROLL
    for (int c = 0; c < CORNERS; c++) {
        lane angle = angle_of(&f[c], &m), excess = angle - limit_clamp(angle, range[c]);
        mask before = mask_and(movable, lane_less(tolerance, lane_abs(excess)));
        worst = lane_max(lane_select(before, lane_abs(excess), zero), worst);
        if (c > 0)
            angle = angle - moved[c] * lane_divide(lane_all(1), f[c].length),
            excess = angle - limit_clamp(angle, range[c]);
        folded[c] = mask_and(movable, lane_less(tolerance, lane_abs(excess)));
        /* More than half a radian at a time would stretch the triangles. */
        excess = lane_select(folded[c], lane_max(lane_min(excess, half), -half), zero);
        u.t[c] = excess * (f[c].length * inverse_of(&u, f, w, c));
        TT_UNROLL
        for (int d = c + 1; d < CORNERS; d++) moved[d] = moved[d] + u.t[c] * coupling(&u, f, c, d);
    }
    mask outside = mask_or(folded[0], mask_or(folded[1], folded[2]));
    if (!mask_any(outside)) return zero;
    steps_of(&u, f, &m, w, step);
    deliver(batch, go, folded, outside, step, q);
    return worst;
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* How far the angle over the edge opposite to corner `mode` is above its upper limit or (negative) below its lower
 * one. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane3 r[PARTICLES];
    lane d[FIELDS];
    for (int k = 0; k < PARTICLES; k++) r[k] = sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x));
    for (int i = 0; i < FIELDS - 1; i++) d[i] = lane_all((real)data[i]);
    middle m = middle_of(r);
    fold f = fold_of(r, &m, mode, d[COSINE + mode], d[SINE + mode]);
    lane angle = angle_of(&f, &m);
    limit_range range = limit_range_of(d[LOW + mode], d[HIGH + mode], tuning->bend_limit);
    double excess = first_lane(angle - limit_clamp(angle, range));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (gradient && excess != 0) {
        lane over_NN = lane_divide(lane_all(1), m.NN);
        slopes s = slopes_of(&f, &m, mode, over_NN);
        for (int k = 0; k < CORNERS; k++) {
            lane3 U = add3(scale3(-(s.a[k] * over_NN), m.N), scale3(-(s.b[k] * s.over), f.N2));
            store_gradient(gradient + (ptrdiff_t)3 * k, U, f.length);
        }
        store_gradient(gradient + (ptrdiff_t)3 * (CORNERS + mode), scale3(-(f.ee * s.over), f.N2), f.length);
    }
    return excess;
}

/* ---- Making the elements ----------------------------------------------------------------------------------------- */

static int corner_of(const taut_mesh *mesh, int t, int vertex)
{
    const int *v = &mesh->tri[3 * (size_t)t];
    return 3 * t + (v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2);
}

/* For each corner of each triangle: what lies across its opposite edge. If more than two triangles meet at the edge,
 * the first pair counts. */
typedef struct across {
    int far;  /* vertex, or -1: a boundary, or an edge that is done */
    int twin; /* the corner (3 * triangle + corner) of the far vertex, if it looks back over this edge; else -1 */
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
        if (isinf(factor[0]) && isinf(factor[1])) other = -1, factor[0] = factor[1] = 1; /* free as at a boundary */
        particle[CORNERS + c] = other < 0 ? v[(c + 1) % 3] : other;
        data[COSINE + c] = data[SINE + c] = 0; /* no angle, wherever the repeated corner moves */
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

/* If three triangles are all around a vertex, each sees the same far vertex over two edges. The step that one edge
 * gives this vertex would be lost when the other edge stores it. So each edge then gets an element of its own. */
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

/* Emits each edge once: first the triangles that have all three edges, then those with the edges that are left. These
 * are little more than half of the triangles. */
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
