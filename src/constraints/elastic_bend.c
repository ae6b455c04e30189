/* Bending forces of two triangles over an edge (Bridson, Marino, Fedkiw: Simulation of Clothing with Folds and
 * Wrinkles, 2003), for a given bending rigidity B:
 *
 *     force on p_i = -2 B M (sin(theta/2) - sin(theta0/2)) grad_i theta,      M = tt_hinge_measure
 *
 * which is Bridson's force with k |E|^2 / (|N1| + |N2|) = 2 B M taken at rest, and k = 9/2 B. So the force has an
 * energy, and a strip bends as plate theory says. The sine is half the length of the difference of the unit normals; a
 * root of 1 - N1.N2 would lose small angles. Damping is a torque -tau B M dtheta/dt, by an implicit step, which cannot
 * overshoot.
 *
 * The lower a triangle gets, the faster its tip turns, and no explicit step can follow that. So if a triangle has less
 * than a quarter of its rest area, the torque fades with the square of its area. A triangle of no area is left alone.
 * Both triangles fade alike, which keeps angular momentum. */
#include "constraints/hinge.h"

enum { PARTICLES = 4, FIELDS = 5, REST = 0, MEASURE, INVERSE1, INVERSE2 };

typedef struct folded {
    quad q[PARTICLES];
    lane3 U[PARTICLES]; /* |e| grad theta           */
    lane ee;            /* |e|^2                    */
    lane half_sine;     /* sin(theta/2)             */
    lane strength;      /* h B M, and the fading    */
} folded;

TT_INLINE folded folded_of(const tt_batch *batch, const tt_go *go)
{
    const lane one = lane_all(1);
    folded s;
    lane3 r[PARTICLES];
    lane w[PARTICLES];
    gather_all(batch->p, go, PARTICLES, s.q);
    relative_to_first(s.q, PARTICLES, r, w);
    hinge_normals n = hinge_normals_of(r);
    lane3 d = sub3(scale3(lane_divide(one, lane_sqrt(n.square1)), n.N1),
                   scale3(lane_divide(one, lane_sqrt(n.square2)), n.N2));
    lane sine = lane_all((real)0.5) * lane_sqrt(dot3(d, d));
    s.half_sine = lane_select(lane_less(dot3(n.N1, sub3(r[2], r[1])), lane_all(0)), -sine, sine);
    s.ee = dot3(n.e, n.e);
    hinge_gradient(r, &n, s.U);
    lane fade = lane_min(n.square1 * field(go, INVERSE1), n.square2 * field(go, INVERSE2));
    s.strength = lane_all(batch->tuning->h * batch->tuning->rigidity) * field(go, MEASURE) * lane_min(fade, one);
    return s;
}

TT_INLINE void force_go(const tt_batch *batch, const tt_go *go)
{
    folded s = folded_of(batch, go);
    quad v[PARTICLES];
    gather_all(batch->v, go, PARTICLES, v);
    lane t = lane_divide(lane_all(-2) * s.strength * (s.half_sine - field(go, REST)), lane_sqrt(s.ee));
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) move(&v[k], s.q[k].w * t, s.U[k]);
    scatter_all(batch->v, go, PARTICLES, v);
}

TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go)
{
    folded s = folded_of(batch, go);
    quad v[PARTICLES];
    gather_all(batch->v, go, PARTICLES, v);
    lane D = lane_all(0), rate = D, strength = lane_all(batch->tuning->delay) * s.strength;
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) {
        D = D + s.q[k].w * dot3(s.U[k], s.U[k]);
        rate = rate + dot3(s.U[k], lane3_of(v[k]));
    }
    lane t = -lane_divide(strength * rate, s.ee + strength * D);
    TT_UNROLL
    for (int k = 0; k < PARTICLES; k++) move(&v[k], s.q[k].w * t, s.U[k]);
    scatter_all(batch->v, go, PARTICLES, v);
}

static void force(const tt_batch *batch) { sweep_units(batch, PARTICLES, FIELDS, 0, false, force_go); }
static void damp(const tt_batch *batch) { sweep_units(batch, PARTICLES, FIELDS, 0, false, damp_go); }

/* B M |grad_i theta|^2. */
static void stiffness_bound(const double *x, const double *data, const tt_tuning *tuning, double *stiffness)
{
    lane3 r[PARTICLES], U[PARTICLES];
    for (int k = 0; k < PARTICLES; k++) r[k] = sub3(lane3_all(x + (ptrdiff_t)3 * k), lane3_all(x));
    hinge_normals n = hinge_normals_of(r);
    hinge_gradient(r, &n, U);
    double strength = (double)tuning->rigidity * data[MEASURE];
    for (int k = 0; k < PARTICLES; k++)
        stiffness[k] = strength * first_lane(lane_divide(dot3(U[k], U[k]), dot3(n.e, n.e)));
}

static double half_sine(const hinge_points *h)
{
    vec3 d = vec_sub(vec_scale(h->n1, 1 / vec_length(h->n1)), vec_scale(h->n2, 1 / vec_length(h->n2)));
    double sine = vec_length(d) / 2;
    return vec_dot(h->n1, vec_sub(h->p[2], h->p[1])) < 0 ? -sine : sine;
}

static bool create(tt_maker *maker)
{
    if (!(maker->material->elastic.bend > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int i = 0; i < maker->topology->nhinges; i++) {
        const tt_hinge *hinge = &maker->topology->hinge[i];
        const int particle[PARTICLES] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
        hinge_points points = hinge_points_of(mesh, hinge);
        if (!points.sound) continue;
        double scale = tt_hinge_scale(mesh, hinge), measure = tt_hinge_measure(mesh, hinge);
        const double data[FIELDS] = {
            [REST] = maker->material->bend.flat ? 0 : half_sine(&points),
            [MEASURE] = scale * measure,
            [INVERSE1] = 16 / vec_dot(points.n1, points.n1),
            [INVERSE2] = 16 / vec_dot(points.n2, points.n2),
        };
        if (!tt_emit(maker, particle, data, scale, measure)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    tuning->rigidity = material->elastic.bend;
    tuning->delay = material->elastic.damping;
    tuning->forced = tuning->rigidity > 0;
    tuning->damped = tuning->forced && tuning->delay > 0;
}

const tt_kind TT_NAME(tt_elastic_bend) = {
    .name = "elastic_bend", .particles = PARTICLES, .fields = FIELDS, .modes = 0,
    .create = create, .tune = tune, .force = force, .damp = damp, .stiffness_bound = stiffness_bound,
};
