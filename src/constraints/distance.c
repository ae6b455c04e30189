/* Distance along an edge (SBD eq. 3-4): a span with a = (-1, 1) and d the rest length.
 *
 * Physical stiffness: energy 1/2 Y A ((l - d)/d)^2, Y in N/m and A the area that the edge stands for (a third of its
 * triangles, a sixth of d^2 for each of its tets). For lines Y is in N, and the length d takes the place of A. So
 * C = l - d has the weight A/d^2. */
#include "base/vec.h"
#include "constraints/span.h"

enum { PARTICLES = 2, FIELDS = 2 };

TT_INLINE tt_span edge_span(const lane3 *r, const lane *data, const tt_tuning *tuning)
{
    (void)tuning;
    const lane a[2] = {lane_all(-1), lane_all(1)};
    return span(r, a, PARTICLES, data[0]);
}

TT_SPAN_KERNELS(PARTICLES, FIELDS, edge_span)

typedef struct share {
    double measure, scale;
    int elements;
} share;

static void add_share(share *s, double measure, double scale)
{
    s->measure += measure;
    s->scale += scale;
    s->elements++;
}

/* Shares the measure of each element among its edges: an edge gets a third of the area of a triangle, or the length of
 * a line. In physical units an edge of tets is a spring of Y/6 N/m for each tet around it, whatever its length. */
static void share_out(const tt_maker *maker, share *shares)
{
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntris; t++)
        for (int c = 0; c < 3; c++) {
            int e = maker->topology->side_edge[3 * t + c];
            add_share(&shares[e], tt_tri_area(mesh, t) / 3, tt_tri_scale(mesh, t));
        }
    for (int t = 0; t < mesh->ntets; t++)
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                const int *v = &mesh->tet[4 * t];
                vec3 d = vec_sub(vec_of(&mesh->x[3 * v[i]]), vec_of(&mesh->x[3 * v[j]]));
                int e = tt_find_edge(maker->topology, v[i], v[j]);
                add_share(&shares[e], vec_dot(d, d) / 6, tt_tet_scale(mesh, t));
            }
    for (int l = 0; l < mesh->nlines; l++) {
        const int *v = &mesh->line[2 * l];
        vec3 d = vec_sub(vec_of(&mesh->x[3 * v[0]]), vec_of(&mesh->x[3 * v[1]]));
        add_share(&shares[tt_find_edge(maker->topology, v[0], v[1])], vec_length(d), 1);
    }
}

static bool create(tt_maker *maker)
{
    if (!(maker->material->edge > 0)) return true;
    const tt_topology *topology = maker->topology;
    share *shares = TT_TAKE(maker->scope, share, topology->nedges);
    if (!shares) return false;
    share_out(maker, shares);
    for (int e = 0; e < topology->nedges; e++) {
        const int particle[PARTICLES] = {topology->edge[e].a, topology->edge[e].b};
        double d = vec_length(vec_sub(vec_of(&maker->mesh->x[3 * particle[0]]),
                                      vec_of(&maker->mesh->x[3 * particle[1]])));
        double measure = shares[e].measure / (d * d);
        if (!tt_emit(maker, particle, &d, shares[e].scale / shares[e].elements, measure)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[0] = material->edge;
    tuning->damping[0] = material->damping.edge;
}

const tt_kind TT_NAME(tt_distance) = {
    .name = "distance", .particles = PARTICLES, .fields = FIELDS, .modes = 1,
    .create = create, .tune = tune, .project = project, .resist = resist, .stiffen = stiffen, .forms = forms,
    .damp = damp, .value = value,
};
