/* Limits on the stretch of a tet along its material axes (limit_axes.h). */
#include "constraints/limit_axes.h"
#include "mesh/frame.h"

enum { DIMENSION = 3, PARTICLES = 4, FIELDS = 12, FACTORS = 9 };

TT_INLINE lane project_go(const tt_batch *batch, const tt_go *go) { return limit_axes(batch, go, DIMENSION); }

static void project(const tt_batch *batch) { sweep_limit(batch, PARTICLES, FIELDS, project_go); }

static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    return limit_axes_value(x, data, tuning, DIMENSION, mode, gradient);
}

static bool create(tt_maker *maker)
{
    if (!limit_axes_exist(&maker->material->limit, DIMENSION)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntets; t++) {
        double rows[DIMENSION * DIMENSION], volume, data[FIELDS - 1];
        if (!tt_tet_frame(mesh, t, rows, &volume)) continue;
        limit_columns(rows, DIMENSION, data);
        limit_factors(maker->limit_factor, t, &data[FACTORS]);
        if (!tt_emit(maker, &mesh->tet[4 * (size_t)t], data, tt_tet_scale(mesh, t), volume)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning) { tune_axes(&material->limit, DIMENSION, tuning); }

const tt_kind TT_NAME(tt_limit_axes_tet) = {
    .name = "limit_axes_tet", .particles = PARTICLES, .fields = FIELDS, .modes = DIMENSION, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
