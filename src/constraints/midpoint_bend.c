/* Triangle bending over an edge without sides (midpoint.h). */
#include "constraints/midpoint.h"

enum { PARTICLES = MIDPOINT_PARTICLES, FIELDS = MIDPOINT_FIELDS };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    const lane third = lane_all((real)(1.0 / 3)), a[PARTICLES] = {-third, -third, third, third};
    lane d = data[0] + lane_all(tuning->slack);
    return limit(span(r, a, PARTICLES, d), (taut_bend_mode)tuning->bend_mode);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool create(tt_maker *maker) { return midpoint_create(maker, false); }

const tt_kind TT_NAME(tt_midpoint_bend) = {
    .name = "midpoint_bend", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
