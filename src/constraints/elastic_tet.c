/* Elastic forces of a tet (elastic.h). */
#include "constraints/elastic.h"
#include "mesh/frame.h"

enum { DIMENSION = 3, PARTICLES = 4, FIELDS = ELASTIC_FIELDS(DIMENSION) };

TT_INLINE void force_go(const tt_batch *batch, const tt_go *go) { elastic_force(batch, go, DIMENSION); }
TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go) { elastic_damp(batch, go, DIMENSION); }
static void force(const tt_batch *batch) { sweep_units(batch, PARTICLES, FIELDS, 0, false, force_go); }
static void damp(const tt_batch *batch) { sweep_units(batch, PARTICLES, FIELDS, 0, false, damp_go); }

static void stiffness_bound(const double *x, const double *data, const tt_tuning *tuning, double *stiffness)
{
    (void)x;
    elastic_stiffness_bound(data, tuning, DIMENSION, stiffness);
}

static bool create(tt_maker *maker)
{
    if (!(maker->material->elastic.young > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntets; t++) {
        double volume, data[FIELDS], scale = tt_tet_scale(mesh, t);
        if (!tt_tet_frame(mesh, t, data, &volume)) continue;
        data[DIMENSION * DIMENSION] = scale * volume;
        if (!tt_emit(maker, &mesh->tet[4 * (size_t)t], data, scale, volume)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    double nu = material->elastic.poisson;
    elastic_tune(&material->elastic, nu / ((1 + nu) * (1 - 2 * nu)), 1 / (1 + nu), tuning);
}

const tt_kind TT_NAME(tt_elastic_tet) = {
    .name = "elastic_tet", .particles = PARTICLES, .fields = FIELDS, .modes = 0,
    .create = create, .tune = tune, .force = force, .damp = damp, .stiffness_bound = stiffness_bound,
};
