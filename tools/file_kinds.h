/* Kinds of files, by the endings of their names. */
#ifndef TOOLS_FILE_KINDS_H
#define TOOLS_FILE_KINDS_H

#include <stdbool.h>

typedef enum file_kind {
    FILE_OTHER,
    FILE_SCENE,    /* json */
    FILE_MESH,     /* that taut_mesh_load reads */
    FILE_MOTION,   /* pc2 and mdd: positions only */
    FILE_GLB,      /* meshes and positions */
    FILE_EXPORT,   /* animations that taut writes and does not read */
    FILE_PICTURE   /* pictures and films that taut render writes */
} file_kind;

file_kind file_kind_of(const char *path);

/* "is a mesh; ... takes it": tells why a file that is not a scene cannot be simulated, and what can be done with it.
 * NULL: by its name, the file may be a scene. */
const char *why_no_scene(const char *path);

#endif
