/* Triangle bending with a sign: TB's height h with the side of the surface on which v stands, so that a reflected shape
 * is not a rest shape (TB's section 6 leaves this as future work).
 *
 * Particles (b0, b1, v, s): s is a neighbour of v off the line b0-b1; (b1-b0) x (s-v) is the surface normal there. s is
 * read only (a = 0). Only pairs whose rest height stands out of the surface are of this kind: in a flat patch the
 * height of an uneven pair lies in the surface, so it has no side. As |b| goes to 0, the normal gives the direction.
 * The slack kappa is added on the side of the rest height; a limit compares curvatures on that side. */
#include "constraints/span.h"

enum { PARTICLES = 4, FIELDS = 2 };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    const lane third = lane_all((real)(1.0 / 3)), zero = lane_all(0);
    const lane a[PARTICLES] = {-third, -third, third + third, zero};
    lane3 normal = cross3(r[1], sub3(r[3], r[2]));
    lane side = lane_select(lane_less(data[0], zero), lane_all(-1), lane_all(1));
    lane3 outward = scale3(side, normal);
    lane d = side * data[0] + lane_all(tuning->slack);
    return limit(sided_span(r, a, PARTICLES, d, outward), (taut_bend_mode)tuning->bend_mode);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool visit(tt_maker *maker, const tt_ring_pair *pair)
{
    if (!pair->sided) return true; /* triangle_bend takes these */
    const int particle[PARTICLES] = {pair->b0, pair->b1, pair->v, pair->side};
    return tt_emit(maker, particle, &pair->height, pair->scale, pair->measure);
}

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_TRIANGLE || bend->creation != TAUT_BEND_ONE_RING || !bend->sided ||
        bend->flat)
        return true;
    return !(bend->stiffness > 0) || tt_ring_pairs(maker, visit);
}

const tt_kind TT_NAME(tt_triangle_bend_sided) = {
    .name = "triangle_bend_sided", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
