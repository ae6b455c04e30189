/* Isometric bending with a flat rest state (isometric.h): C = |sum K p|. Cloth's cheapest good bending. */
#include "constraints/isometric.h"

enum { PARTICLES = ISOMETRIC_PARTICLES, FIELDS = 4 }; /* K1, K2, K3, weight */

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    lane a[PARTICLES];
    isometric_coefficients(data, a);
    return span(r, a, PARTICLES, lane_all(0));
}

/* With d = 0 the step of PBD is -k/W times b, whatever its length: neither the square root nor |b| = 0 matters. */
TT_INLINE void project_flat(const tt_batch *batch, const tt_go *go, int n, int fields, tt_span_function *function)
{
    if (go->physical) {
        project_span(batch, go, n, fields, function);
        return;
    }
    tt_span_element e;
    span_load(batch, go, n, fields, function, &e);
    span_move(batch, go, n, &e, lane_divide_above(lane_all(-batch->tuning->stiffness[0]) * e.weight, e.W, e.least));
}

TT_KERNELS(PARTICLES, FIELDS, project_flat, damp_span, value_of_span, bend_span)

static bool create(tt_maker *maker) { return isometric_create(maker, false); }

const tt_kind TT_NAME(tt_isometric) = {
    .name = "isometric", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .damp = damp, .value = value,
};
