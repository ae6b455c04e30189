/* reference.h: the papers' formulas as a good C programmer would first write them: scalar, natural order, one element
 * at a time. In float this solver is the baseline of the speed ratios, in double it is the oracle of the tests. It
 * shares no code with the library.
 *
 * reference.c is compiled twice, the second time with REFERENCE_DOUBLE defined, so that both precisions live in one
 * program: ref_float_vec3, ref_float_distance_project, ... and ref_double_vec3, ref_double_distance_project, ...
 * reference_api.h declares them.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>

typedef enum ref_stretch_form { REF_STRETCH_SPAN, REF_STRETCH_RAW } ref_stretch_form;
typedef enum ref_shear_form { REF_SHEAR_ANGLE, REF_SHEAR_COSINE, REF_SHEAR_RAW } ref_shear_form;

typedef struct ref_forms {
    ref_stretch_form stretch;
    ref_shear_form shear;
} ref_forms;

/* Modes of an element in the order in which they are projected. */
enum { REF_TRI_XX, REF_TRI_YY, REF_TRI_XY, REF_TRI_AREA, REF_TRI_MODES };
enum { REF_TET_XX, REF_TET_YY, REF_TET_ZZ, REF_TET_XY, REF_TET_YZ, REF_TET_XZ, REF_TET_VOLUME, REF_TET_MODES };

typedef enum ref_bend_mode { REF_BEND_EQUAL, REF_BEND_AT_MOST, REF_BEND_AT_LEAST } ref_bend_mode;

#define REFERENCE_REAL float
#define REFERENCE_NAME(name) ref_float_##name
#include "reference_api.h"
#undef REFERENCE_REAL
#undef REFERENCE_NAME

#define REFERENCE_REAL double
#define REFERENCE_NAME(name) ref_double_##name
#include "reference_api.h"
#undef REFERENCE_REAL
#undef REFERENCE_NAME

#endif
