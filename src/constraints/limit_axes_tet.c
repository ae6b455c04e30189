/* Limits on the stretch of a tet along its material axes (limit_axes.h). */
#include "constraints/limit_axes.h"

enum { DIMENSION = 3 };

TT_LIMIT_AXES_KERNELS(DIMENSION)

const tt_kind TT_NAME(tt_limit_axes_tet) = {
    .name = "limit_axes_tet", .particles = DIMENSION + 1, .fields = LIMIT_AXES_FIELDS(DIMENSION),
    .modes = DIMENSION, .limit = true,
    .create = create, .tune = tune, .project = project, .value = value,
};
