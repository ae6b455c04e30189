/* Isometric bending with a curved rest state. The vector sum K p turns with the surface, so its length is kept, with
 * its sign against the hinge's normal N1 + N2: C = +-|sum K p| - d. This holds the fold and its side; at rest it is
 * exact. */
#include "constraints/isometric.h"

enum { PARTICLES = ISOMETRIC_PARTICLES, FIELDS = 5 }; /* K1, K2, K3, d, weight */

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    lane a[PARTICLES];
    isometric_coefficients(data, a);
    lane3 N1 = cross3(sub3(r[2], r[0]), sub3(r[3], r[0]));
    lane3 N2 = cross3(sub3(r[3], r[1]), sub3(r[2], r[1]));
    return sided_span(r, a, PARTICLES, data[3], add3(N1, N2));
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool create(tt_maker *maker) { return isometric_create(maker, true); }

const tt_kind TT_NAME(tt_isometric_curved) = {
    .name = "isometric_curved", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
