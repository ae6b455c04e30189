/* Stick bending: a distance between the far vertices of two triangles over an edge, and between the second neighbours
 * of a vertex on lines. The cheapest bending model; it resists stretching too and cannot tell up from down. A span with
 * a = (-1, 1). Physical stiffness: a spring in N/m. */
#include "constraints/hinge.h"
#include "constraints/span.h"

enum { PARTICLES = 2, FIELDS = 2 };

TT_INLINE tt_span stick_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    const lane a[PARTICLES] = {lane_all(-1), lane_all(1)};
    return span(r, a, PARTICLES, data[0]);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, stick_span)

static bool visit_line(tt_maker *maker, const tt_ring_pair *pair)
{
    if (pair->side >= 0) return true; /* a surface: its hinges do this */
    const int particle[PARTICLES] = {pair->b0, pair->b1};
    const float *x = maker->mesh->x;
    vec3 b0 = vec_of(&x[3 * pair->b0]), b1 = vec_of(&x[3 * pair->b1]), v = vec_of(&x[3 * pair->v]);
    double straight = vec_length(vec_sub(v, b0)) + vec_length(vec_sub(v, b1));
    double d = maker->material->bend.flat ? straight : vec_length(vec_sub(b0, b1));
    return tt_emit(maker, particle, &d, pair->scale, 1);
}

/* The distance of the far vertices with the hinge laid flat: along the edge and, on its two sides, across it. */
static double unfolded(const hinge_points *h)
{
    vec3 e = vec_sub(h->p[3], h->p[2]);
    double length = vec_length(e), along = vec_dot(vec_sub(h->p[0], h->p[1]), e) / length;
    double across = (vec_length(h->n1) + vec_length(h->n2)) / length;
    return sqrt(along * along + across * across);
}

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_STICK || !(bend->stiffness > 0)) return true;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[PARTICLES] = {hinge->p1, hinge->p2};
        hinge_points h = hinge_points_of(maker->mesh, hinge);
        double d = bend->flat && h.sound ? unfolded(&h) : vec_length(vec_sub(h.p[0], h.p[1]));
        if (!tt_emit(maker, particle, &d, tt_hinge_scale(maker->mesh, hinge), 1)) return false;
    }
    return tt_ring_pairs(maker, visit_line);
}

const tt_kind TT_NAME(tt_stick) = {
    .name = "stick", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
