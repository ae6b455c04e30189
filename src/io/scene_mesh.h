/* Where the mesh of a scene's body comes from and where it stands. */
#ifndef TAUT_IO_SCENE_MESH_H
#define TAUT_IO_SCENE_MESH_H

#include "io/scene_check.h"
#include "taut_io.h"

/* Loads or generates; on error `file` is empty. Memory of the moment comes from `scope`. */
bool tio_read_mesh(const tio_check *check, const tio_json *value, tt_scope *scope, taut_mesh_file *file);

typedef struct tio_transform {
    float position[3];
    float rotation[4]; /* unit quaternion x y z w */
    float scale;
} tio_transform;

#define TIO_NO_TRANSFORM ((tio_transform){.rotation = {0, 0, 0, 1}, .scale = 1})

bool tio_read_transform(const tio_check *check, const tio_json *object, tio_transform *transform);
/* Where rest position `x`, scaled already, stands in the world. */
void tio_place(const tio_transform *transform, const float x[3], float out[3]);

#endif
