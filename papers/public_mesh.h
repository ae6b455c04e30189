/* Public meshes. They are not part of Taut, so they may be absent: then what would run on them is left out. */
#ifndef PAPERS_PUBLIC_MESH_H
#define PAPERS_PUBLIC_MESH_H

#include "taut.h"

typedef struct public_mesh {
    const char *word; /* in ids: "spot"                              */
    const char *file; /* in the folder of public data: "meshes/..."  */
    const char *name, *credit;
} public_mesh;

extern const public_mesh public_spot, public_fish, public_torus, public_human;

enum { PUBLIC_PATH = 4096 };
void public_mesh_path(char path[PUBLIC_PATH], const public_mesh *which, const char *folder);
bool public_mesh_is_there(const public_mesh *which, const char *folder);
bool public_mesh_read(const public_mesh *which, const char *folder, taut_mesh *mesh, taut_error *error);

#endif
