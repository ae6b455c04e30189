/* The "material" object of a scene file: every field of taut_material under its own name, and "preset". */
#ifndef TAUT_IO_SCENE_MATERIAL_H
#define TAUT_IO_SCENE_MATERIAL_H

#include "io/scene_check.h"

/* Fields that are absent keep the preset's value, or without a preset that of taut_default_material(). The defaults of
 * stiffnesses are ratios: without a preset, in physical units or with "elastic", stiffnesses that are absent are 0. */
bool tio_read_material(const tio_check *check, const tio_json *object, taut_material *material);

#endif
