/* Elastic forces of a tet (elastic.h). */
#include "constraints/elastic.h"

enum { DIMENSION = 3 };

TT_ELASTIC_KERNELS(DIMENSION)

static void tune(const taut_material *material, tt_tuning *tuning)
{
    double nu = material->elastic.poisson;
    elastic_tune(&material->elastic, nu / ((1 + nu) * (1 - 2 * nu)), 1 / (1 + nu), tuning);
}

const tt_kind TT_NAME(tt_elastic_tet) = {
    .name = "elastic_tet", .particles = DIMENSION + 1, .fields = ELASTIC_FIELDS(DIMENSION), .modes = 0,
    .create = create, .tune = tune, .force = force, .damp = damp, .stiffness_bound = stiffness_bound,
};
