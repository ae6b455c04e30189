/* Triangle bending over an edge (TB 4.1): the base is the far vertices of two triangles, the tip the midpoint of their
 * shared edge. Particles (p1, p2, p3, p4) as in the dihedral angle; a span with a = (-1, -1, 1, 1)/3 and
 * d = h0 + kappa. Signed on request, where the rest height stands out of the surface (field 1 is 1, else 0). Physical stiffness: bending rigidity, N m. */
#include "base/vec.h"
#include "constraints/span.h"

enum { PARTICLES = 4, FIELDS = 3 };

TT_INLINE tt_span bend_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    const lane third = lane_all((real)(1.0 / 3)), a[PARTICLES] = {-third, -third, third, third};
    taut_bend_mode mode = (taut_bend_mode)tuning->bend_mode;
    lane slack = lane_all(tuning->slack);
    if (!tuning->sided) return limit(span(r, a, PARTICLES, lane_abs(data[0]) + slack), mode);
    lane side = lane_select(lane_less(data[0], lane_all(0)), lane_all(-1), lane_all(1));
    lane3 normal = scale3(side * data[1], cross3(sub3(r[3], r[2]), r[1]));
    return limit(sided_span(r, a, PARTICLES, side * data[0] + slack, normal), mode);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, bend_span)

static bool create(tt_maker *maker)
{
    const taut_bend *bend = &maker->material->bend;
    if (bend->model != TAUT_BEND_TRIANGLE || bend->creation != TAUT_BEND_MIDPOINT) return true;
    if (!(bend->stiffness > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[PARTICLES] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        vec3 p1 = vec_of(&mesh->x[3 * hinge->p1]), p2 = vec_of(&mesh->x[3 * hinge->p2]);
        vec3 p3 = vec_of(&mesh->x[3 * hinge->p3]), p4 = vec_of(&mesh->x[3 * hinge->p4]);
        vec3 b = vec_add(vec_sub(p3, p1), vec_sub(p4, p2));
        vec3 normal = vec_cross(vec_sub(p4, p3), vec_sub(p2, p1));
        double out = vec_dot(b, normal) / vec_length(normal);
        double h0 = (out < 0 ? -1 : 1) * vec_length(b) / 3;
        double flat = sqrt(fmax(vec_dot(b, b) - out * out, 0)) / 3;
        bool sided = fabs(out) > 0.7 * vec_length(b) && !bend->flat; /* else the height lies in the surface */
        double data[FIELDS - 1] = {bend->flat ? flat : h0, sided ? 1 : 0};
        /* |b| = h phi / 3 for triangles of mean height h over the edge */
        double area = tt_tri_area(mesh, hinge->tri1) + tt_tri_area(mesh, hinge->tri2);
        double height = area / vec_length(vec_sub(p4, p3));
        double measure = tt_hinge_measure(mesh, hinge) * 9 / (height * height);
        if (!tt_emit(maker, particle, data, tt_hinge_scale(mesh, hinge), measure)) return false;
    }
    return true;
}

const tt_kind TT_NAME(tt_midpoint_bend) = {
    .name = "midpoint_bend", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tt_tune_bend, .project = project, .damp = damp, .value = value,
};
