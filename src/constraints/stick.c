/* Stick bending: a distance between the far vertices of two triangles over an edge, and between the second neighbours of
 * a vertex on lines. The cheapest bending model; it resists stretching too and cannot tell up from down. A span with
 * a = (-1, 1). Physical stiffness: a spring in N/m. */
#include "base/vec.h"
#include "constraints/span.h"

enum { PARTICLES = 2, FIELDS = 2 };

TT_INLINE tt_span stick_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    const lane a[PARTICLES] = {lane_all(-1), lane_all(1)};
    return span(r, a, PARTICLES, data[0]);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, stick_span)

static bool emit(tt_maker *maker, int a, int b, double scale)
{
    const int particle[PARTICLES] = {a, b};
    const float *x = maker->mesh->x;
    double d = vec_length(vec_sub(vec_of(&x[3 * a]), vec_of(&x[3 * b])));
    return tt_emit(maker, particle, &d, scale, 1);
}

static bool visit_line(tt_maker *maker, const tt_ring_pair *pair)
{
    return pair->side >= 0 || emit(maker, pair->b0, pair->b1, pair->scale);
}

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_STICK || !(bend->stiffness > 0)) return true;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        if (hinge->p1 == hinge->p2) continue; /* two triangles with the same three vertices */
        if (!emit(maker, hinge->p1, hinge->p2, tt_hinge_scale(maker->mesh, hinge))) return false;
    }
    return tt_ring_pairs(maker, visit_line);
}

const tt_kind TT_NAME(tt_stick) = {
    .name = "stick", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .damp = damp, .value = value,
};
