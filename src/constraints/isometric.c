/* Isometric bending with a flat rest state (isometric.h): C = |sum K p|. Cloth's cheapest good bending. */
#include "constraints/isometric.h"

enum { PARTICLES = ISOMETRIC_PARTICLES, FIELDS = ISOMETRIC_FIELDS };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    lane a[PARTICLES];
    isometric_coefficients(data, a);
    return span(r, a, PARTICLES, lane_all(0));
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool create(tt_maker *maker) { return isometric_create(maker, false); }

const tt_kind TT_NAME(tt_isometric) = {
    .name = "isometric", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .damp = damp, .value = value,
};
