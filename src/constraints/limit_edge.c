/* Limit on the length of an edge: clamped springs (Provot 1995), and the links that carry loads on coarse levels.
 *
 * The ends move along the edge in proportion to their inverse masses, so linear and angular momentum are kept. An edge
 * of no length has no direction to grow in, and stays. */
#include "base/vec.h"
#include "constraints/limit.h"

enum { PARTICLES = 2, FIELDS = 3, LENGTH = 0, PUSHES, LONGEST = 0, SHORTEST, MODES };

/* How long the edge was when the substep began. A link that pushes keeps this length. */
TT_INLINE lane length_before(const tt_batch *batch, const tt_go *go)
{
    quad x[PARTICLES];
    gather_all(batch->x, go, PARTICLES, x);
    lane3 r = sub3(lane3_of(x[1]), lane3_of(x[0]));
    return lane_sqrt(dot3(r, r));
}

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go)
{
    const float *limit = batch->tuning->edge_limit;
    const lane zero = lane_all(0), d = field(go, LENGTH);
    quad q[PARTICLES];
    gather_all(batch->p, go, PARTICLES, q);
    lane3 r = sub3(lane3_of(q[1]), lane3_of(q[0]));
    limit_range range = {d * lane_all(limit[0]), d * lane_all(limit[1])};
    lane square = dot3(r, r), W = q[0].w + q[1].w;
    limit_range loose = limit_loosened((limit_range){lane_all(limit[0]), lane_all(limit[1])}, batch->tuning);
    loose = (limit_range){d * loose.low, d * loose.high};
    lane room = lane_min(loose.high * loose.high - square, square - limit_low_square(loose, limit));
    if (batch->x) {
        lane kept = field(go, PUSHES) * lane_min(length_before(batch, go), range.high);
        range.low = lane_max(range.low, kept);
        lane nearly = kept * lane_all(1 - batch->tuning->tolerance);
        room = lane_min(room, square - nearly * nearly);
    }
    mask outside = mask_and(lane_less(room, zero), lane_less(zero, W));
    if (!mask_any(outside)) return zero;

    lane length = lane_sqrt(square), change = limit_clamp(length, range) - length;
    lane t = lane_divide(lane_divide(change, length), W);
    lane3 step[PARTICLES] = {scale3(-(q[0].w * t), r), scale3(q[1].w * t, r)};
    limit_deliver(batch, go, PARTICLES, outside, step, q);
    return lane_select(outside, lane_divide(lane_abs(change), d), zero);
}

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

/* How far the stretch is above its limit, or below it (negative); 0 within. */
static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    lane3 r = sub3(lane3_all(x + 3), lane3_all(x));
    lane length = lane_sqrt(dot3(r, r)), d = lane_all((real)data[LENGTH]), zero = lane_all(0);
    lane stretch = lane_divide(length, d);
    double violation = mode == LONGEST ? first_lane(lane_max(stretch - lane_all(tuning->edge_limit[1]), zero))
                                       : first_lane(lane_min(stretch - lane_all(tuning->edge_limit[0]), zero));
    for (int i = 0; gradient && i < 3 * PARTICLES; i++) gradient[i] = 0;
    if (gradient && violation != 0) {
        store_gradient(gradient, scale3(lane_all(-1), r), length * d);
        store_gradient(gradient + 3, r, length * d);
    }
    return violation;
}

static bool emit(tt_maker *maker, tt_link link)
{
    const int particle[PARTICLES] = {link.a, link.b};
    const double data[FIELDS - 1] = {link.length, link.pushes};
    if (!(link.length > 0) || !isfinite(link.length)) return true;
    return tt_emit(maker, particle, data, 1, link.length);
}

static bool create(tt_maker *maker)
{
    if (!limit_exists(maker->material->limit.edge)) return true;
    for (int i = 0; i < maker->nlinks; i++)
        if (!emit(maker, maker->link[i])) return false;
    for (int e = 0; !maker->nlinks && e < maker->topology->nedges; e++) {
        int a = maker->topology->edge[e].a, b = maker->topology->edge[e].b;
        vec3 from = vec_of(&maker->mesh->x[3 * (size_t)a]), to = vec_of(&maker->mesh->x[3 * (size_t)b]);
        double length = vec_length(vec_sub(to, from));
        if (!emit(maker, (tt_link){a, b, length, false})) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[LONGEST] = material->limit.edge[1] < INFINITY;
    tuning->stiffness[SHORTEST] = material->limit.edge[0] > 0;
}

const tt_kind TT_NAME(tt_limit_edge) = {
    .name = "limit_edge", .particles = PARTICLES, .fields = FIELDS, .modes = MODES, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
