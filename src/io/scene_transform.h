/* Transforms of a scene, and motion by keys. */
#ifndef TAUT_IO_SCENE_TRANSFORM_H
#define TAUT_IO_SCENE_TRANSFORM_H

#include "io/motion.h"
#include "io/scene_check.h"

typedef struct tio_transform {
    float position[3];
    float rotation[4]; /* unit quaternion x y z w */
    float scale;
} tio_transform;

#define TIO_NO_TRANSFORM ((tio_transform){.rotation = {0, 0, 0, 1}, .scale = 1})

bool tio_read_transform(const tio_check *check, const tio_json *object, tio_transform *transform);
/* Reads three angles in degrees, or a quaternion, as a unit quaternion x y z w. */
bool tio_read_rotation(const tio_check *check, const tio_json *value, float q[4]);
tio_quaternion tio_transform_rotation(const tio_transform *transform);
/* The place in the world of rest position `x`, which is scaled already. */
void tio_place(const tio_transform *transform, const float x[3], float out[3]);

/* The choices of "interpolation", read into a bool. */
#define TIO_INTERPOLATIONS "linear|smooth"
/* Reads the "keys" of something that moves. A value that a key leaves out stays as in the key before. Between two keys
 * with three angles, things turn the way the angles go. Otherwise they turn the shorter way. */
bool tio_read_motion(const tio_check *check, const tio_json *keys, bool smooth, tio_motion *motion);
/* Reads the "wind": a velocity, or an object with velocity or keys and gusts. */
bool tio_read_wind(const tio_check *check, const tio_json *value, tio_wind *wind);

#endif
