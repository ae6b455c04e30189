/* Triangle bending over an edge that tells a fold up from a fold down (midpoint.h, sided_span). */
#include "constraints/midpoint.h"

enum { PARTICLES = MIDPOINT_PARTICLES, FIELDS = MIDPOINT_FIELDS };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    const lane third = lane_all((real)(1.0 / 3)), a[PARTICLES] = {-third, -third, third, third};
    lane side = lane_select(lane_less(data[0], lane_all(0)), lane_all(-1), lane_all(1));
    lane3 outward = scale3(side, cross3(sub3(r[3], r[2]), r[1]));
    lane d = side * data[0] + lane_all(tuning->slack);
    return limit(sided_span(r, a, PARTICLES, d, outward), (taut_bend_mode)tuning->bend_mode);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool create(tt_maker *maker) { return midpoint_create(maker, true); }

const tt_kind TT_NAME(tt_midpoint_bend_sided) = {
    .name = "midpoint_bend_sided", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
