/* Tether (long-range attachment): a particle stays within its rest distance along the surface from the nearest pin.
 *
 * It is an upper limit on a span with a = (1, -1). The other end is the anchor: the place of that pin in this substep,
 * which is read from the body's anchors and never written. A pin that has been let go holds nothing (active = 0).
 * Physical stiffness: N, the force at twice the length. */
#include "constraints/span.h"

enum { PARTICLES = 1, ANCHORS = 1, FIELDS = 2 };

typedef struct tether_line {
    lane C, rho;
    lane3 r; /* from the anchor to the particle */
    mask tight;
} tether_line;

TT_INLINE tether_line tether(lane3 p, lane3 anchor, lane active, lane d, const tt_tuning *tuning)
{
    tether_line line;
    line.r = sub3(p, anchor);
    line.rho = lane_sqrt(dot3(line.r, line.r));
    line.C = line.rho - d * lane_all(tuning->slack);
    line.tight = mask_and(lane_less(lane_all(0), line.C), lane_less(lane_all(0), active));
    line.C = lane_select(line.tight, line.C, lane_all(0));
    return line;
}

TT_INLINE void project_go(const tt_batch *batch, const tt_go *go)
{
    quad q, anchor;
    gather(batch->p, go->offset, &q);
    gather(batch->anchor, go->offset + TT_BLOCK, &anchor);
    tether_line line = tether(lane3_of(q), lane3_of(anchor), anchor.w, field(go, 0), batch->tuning);
    if (!mask_any(line.tight)) return;
    tt_lever lever = {line.C, line.rho, lane_all(1), q.w * line.rho, lane_all((real)1e-36)};
    lane t = multiplier(batch, go, 0, field(go, 1), lever);
    t = lane_select(line.tight, t, lane_all(0));
    move(&q, q.w * t, line.r);
    scatter(batch->p, go->offset, &q);
}

static void project(const tt_batch *batch) { sweep(batch, PARTICLES + ANCHORS, FIELDS, 1, project_go); }

static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    (void)mode;
    tether_line line = tether(lane3_all(x), lane3_all(x + 3), lane_all(1), lane_all((real)data[0]), tuning);
    if (gradient) store_gradient(gradient, line.r, line.rho);
    return first_lane(line.C);
}

static bool create(tt_maker *maker)
{
    if (!(maker->material->tether > 0) || !maker->nearest) return true;
    for (int v = 0; v < maker->mesh->nvertices; v++) {
        const int slot[PARTICLES + ANCHORS] = {v, maker->nearest[v]};
        double d = maker->geodesic[v];
        if (slot[1] < 0 || d == 0) continue; /* connected to no pin, or a pin itself */
        if (!tt_emit(maker, slot, &d, 1, 1 / d)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[0] = material->tether;
    tuning->slack = material->tether_slack;
}

const tt_kind TT_NAME(tt_tether) = {
    .name = "tether", .particles = PARTICLES, .anchors = ANCHORS, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tune, .project = project, .value = value,
};
