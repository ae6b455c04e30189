/* Reads GLB files that taut wrote. GLB files of other programs may hold anything and are refused. */
#ifndef TOOLS_RENDER_GLB_H
#define TOOLS_RENDER_GLB_H

#include "taut_io.h"

typedef struct glb {
    int nmeshes;
    taut_mesh *mesh;          /* positions and triangles at rest, one for each body */
    taut_animation animation; /* the vertices of all meshes, one after the other */
} glb;

/* On failure nothing is left to free. */
bool glb_load(const char *path, glb *g, taut_error *error);
void glb_free(glb *g);

#endif
