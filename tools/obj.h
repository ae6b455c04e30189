/* Wavefront OBJ files. */
#ifndef TOOLS_OBJ_H
#define TOOLS_OBJ_H

#include "taut.h"

/* Writes the mesh's triangles with vertices at `x` (3 per vertex): first to a temporary file next to `path`, which is
 * then renamed, so that no half of a file is ever seen. On failure returns false and sets errno. */
bool obj_write(const char *path, const taut_mesh *mesh, const float *x);

/* Makes a folder and those above it. On failure returns false and sets errno. */
bool folder_make(const char *path);

#endif
