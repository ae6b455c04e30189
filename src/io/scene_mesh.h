/* Reads the mesh of a scene's body. */
#ifndef TAUT_IO_SCENE_MESH_H
#define TAUT_IO_SCENE_MESH_H

#include "io/scene_transform.h"
#include "taut_io.h"

/* Loads or generates a mesh; on error `file` is empty. `unit` is that of mesh files in m; generators are in metres. */
bool tio_read_mesh(const tio_check *check, const tio_json *value, float unit, taut_mesh_file *file);
/* The generators that are made of other meshes. On error `file` is empty. */
bool tio_read_merged(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file);
bool tio_read_filled(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file);
void tio_scale_mesh(taut_mesh *mesh, float scale);
/* Makes the triangles of a mesh its faces. False when memory ran out. */
bool tio_fill_polygons(taut_mesh_file *file);

/* The coarser meshes that a scene gives for a body. */
typedef struct tio_coarse {
    int count;
    taut_mesh_file file[TAUT_MOST_LEVELS];
    const taut_mesh *mesh[TAUT_MOST_LEVELS];
} tio_coarse;

/* An array of meshes, from fine to coarse, over the body's own; `scale` is that of its transform. Free it in any
 * case. */
bool tio_read_coarse(const tio_check *check, const tio_json *array, float unit, float scale, const taut_mesh *mesh,
                     tio_coarse *coarse);
void tio_coarse_free(tio_coarse *coarse);

#endif
