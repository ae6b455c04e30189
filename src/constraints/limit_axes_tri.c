/* Limits on the stretch of a triangle along warp and weft (limit_axes.h). */
#include "constraints/limit_axes.h"
#include "mesh/frame.h"

enum { DIMENSION = 2, PARTICLES = 3, FIELDS = 7, FACTORS = 4 };

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
    for (int t = 0; t < mesh->ntris; t++) {
        double rows[DIMENSION * DIMENSION], area, data[FIELDS - 1];
        if (!tt_triangle_frame(mesh, maker->axis, t, rows, &area)) continue;
        limit_columns(rows, DIMENSION, data);
        limit_factors(maker->limit_factor, t, &data[FACTORS]);
        if (!tt_emit(maker, &mesh->tri[3 * (size_t)t], data, tt_tri_scale(mesh, t), area)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning) { tune_axes(&material->limit, DIMENSION, tuning); }

const tt_kind TT_NAME(tt_limit_axes_tri) = {
    .name = "limit_axes_tri", .particles = PARTICLES, .fields = FIELDS, .modes = DIMENSION, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
