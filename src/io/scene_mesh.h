/* Where the mesh of a scene's body comes from. */
#ifndef TAUT_IO_SCENE_MESH_H
#define TAUT_IO_SCENE_MESH_H

#include "io/scene_transform.h"
#include "taut_io.h"

/* Loads or generates; on error `file` is empty. `unit` is that of mesh files in metres; generators are in metres. */
bool tio_read_mesh(const tio_check *check, const tio_json *value, float unit, taut_mesh_file *file);
/* The generators that are made of other meshes. On error `file` is empty. */
bool tio_read_merged(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file);
bool tio_read_filled(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file);
/* Makes the triangles of a mesh its faces. False when memory ran out. */
bool tio_fill_polygons(taut_mesh_file *file);

#endif
