/* The "pins" of a scene's body. */
#ifndef TAUT_IO_SCENE_PINS_H
#define TAUT_IO_SCENE_PINS_H

#include "io/scene_mesh.h"

/* Fills stiffness[v], one per vertex: 0 = free, 1 = held, between = pulled. Where pins overlap the last one counts.
 * A pin that selects nothing is an error. */
bool tio_read_pins(const tio_check *check, const tio_json *array, const taut_mesh_file *file,
                   const tio_transform *transform, float *stiffness);

#endif
