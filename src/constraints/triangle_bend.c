/* Triangle bending (TB eq. 4-5, 9): the distance h of a vertex v from the centroid of the virtual triangle b0 b1 v.
 *
 * It is a span with a = (-1/3, -1/3, 2/3) for (b0, b1, v) and d = h0 + kappa. The weights of TB are exact only for
 * w_b0 + w_b1 = 2 w_v; those of the span are exact for any masses. Modes: equal, at most as curved, at least as curved.
 * The height has no sign, so a fold up and a fold down are alike (triangle_bend_sided.c tells them apart). Physical
 * stiffness: bending rigidity, N m for surfaces, N m^2 for lines. */
#include "constraints/span.h"

enum { PARTICLES = 3, FIELDS = 2 };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    const lane third = lane_all((real)(1.0 / 3)), a[PARTICLES] = {-third, -third, third + third};
    lane d = data[0] + lane_all(tuning->slack);
    return limit(span(r, a, PARTICLES, d), (taut_bend_mode)tuning->bend_mode);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool visit(tt_maker *maker, const tt_ring_pair *pair)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->sided && pair->sided && !bend->flat) return true; /* the sided kind takes these */
    const int particle[PARTICLES] = {pair->b0, pair->b1, pair->v};
    double h0 = bend->flat ? pair->flat_height : fabs(pair->height);
    return tt_emit(maker, particle, &h0, pair->scale, pair->measure);
}

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_TRIANGLE || bend->creation != TAUT_BEND_ONE_RING) return true;
    return !(bend->stiffness > 0) || tt_ring_pairs(maker, visit);
}

const tt_kind TT_NAME(tt_triangle_bend) = {
    .name = "triangle_bend", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
