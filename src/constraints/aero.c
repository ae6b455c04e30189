/* Drag and lift of the air on triangles: not a constraint but a force, packed and run like one.
 *
 *     u = (mean velocity) - wind,   n = unit normal,   un = u.n,   A = area now,   q = air density / 2
 *     drag = -q Cd A |un| u           lift = -q Cl A un (|u| n - un u/|u|)
 *
 * Each vertex gets a third of the force. Where u is a vector, the velocity of the vertex itself is taken. Light cloth
 * in strong wind would overshoot with an explicit step. So the share of each vertex is divided by
 * 1 + h w q (Cd + Cl) A |u| / 3: the air can stop a vertex but not throw it back. */
#include "constraints/kernel.h"

enum { PARTICLES = 3, FIELDS = 1 };

TT_INLINE void force_go(const tt_batch *batch, const tt_go *go)
{
    const tt_tuning *tuning = batch->tuning;
    const lane third = lane_all((real)(1.0 / 3)), zero = lane_all(0);
    quad q[PARTICLES], v[PARTICLES];
    gather_all(batch->p, go, PARTICLES, q);
    gather_all(batch->v, go, PARTICLES, v);
    lane3 normal = cross3(sub3(lane3_of(q[1]), lane3_of(q[0])), sub3(lane3_of(q[2]), lane3_of(q[0])));
    lane twice = lane_sqrt(dot3(normal, normal)); /* twice the area */
    lane3 n = scale3(lane_divide(lane_all(1), twice), normal);
    lane3 wind = {lane_all(tuning->wind[0]), lane_all(tuning->wind[1]), lane_all(tuning->wind[2])};
    lane3 u = sub3(scale3(third, add3(lane3_of(v[0]), add3(lane3_of(v[1]), lane3_of(v[2])))), wind);
    lane speed = lane_sqrt(dot3(u, u)), un = dot3(u, n);
    lane share = twice * lane_all((real)(0.5 / 3)) * field(go, 0);
    lane drag = lane_all(tuning->drag) * share, lift = lane_all(tuning->lift) * share;
    lane along_u = lift * lane_divide(un * un, speed) - drag * lane_abs(un);
    lane resistance = (drag + lift) * speed;
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) {
        lane hw = lane_all(tuning->h) * q[k].w;
        lane3 own = sub3(lane3_of(v[k]), wind);
        lane3 force = add3(scale3(along_u, own), scale3(-lift * speed * dot3(own, n), n));
        lane t = lane_select(lane_less(zero, speed), hw / (lane_all(1) + hw * resistance), zero);
        move(&v[k], t, force);
    }
    scatter_all(batch->v, go, PARTICLES, v);
}

static void force(const tt_batch *batch) { sweep(batch, PARTICLES, FIELDS, 0, force_go); }

static bool create(tt_maker *maker)
{
    const taut_material *material = maker->material;
    if (!(material->drag > 0) && !(material->lift > 0)) return true;
    for (int t = 0; t < maker->mesh->ntris; t++)
        if (!tt_emit(maker, &maker->mesh->tri[3 * t], NULL, 1, 1)) return false;
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->drag = material->drag;
    tuning->lift = material->lift;
    tuning->forced = material->drag > 0 || material->lift > 0;
}

const tt_kind TT_NAME(tt_aero) = {
    .name = "aero", .particles = PARTICLES, .fields = FIELDS, .modes = 0,
    .create = create, .tune = tune, .force = force,
};
