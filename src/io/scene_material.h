/* The "material" object of a scene file: every field of taut_material under its own name, and "preset". */
#ifndef TAUT_IO_SCENE_MATERIAL_H
#define TAUT_IO_SCENE_MATERIAL_H

#include "io/scene_check.h"

/* An empty object counts as no material, and its result is not used. Absent fields keep the value of the preset, or
 * without a preset that of taut_default_material(). The default stiffnesses are ratios. So without a preset, absent
 * stiffnesses are 0 in physical units or with "elastic". */
bool tio_read_material(const tio_check *check, const tio_json *object, taut_material *material);

#endif
