/* Limits on the stretch of a triangle along warp and weft (limit_axes.h). */
#include "constraints/limit_axes.h"

enum { DIMENSION = 2 };

TT_LIMIT_AXES_KERNELS(DIMENSION)

const tt_kind TT_NAME(tt_limit_axes_tri) = {
    .name = "limit_axes_tri", .particles = DIMENSION + 1, .fields = LIMIT_AXES_FIELDS(DIMENSION),
    .modes = DIMENSION, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
