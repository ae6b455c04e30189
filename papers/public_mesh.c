#include "public_mesh.h"

#include "taut_io.h"

#include <stdio.h>

const public_mesh public_spot = {"spot", "meshes/spot_low_resolution.obj", "Spot the cow",
                                 "by Keenan Crane, public domain"};
const public_mesh public_fish = {"fish", "meshes/fish_low_resolution.obj", "Blub the fish",
                                 "by Keenan Crane, public domain"};
const public_mesh public_torus = {"torus", "meshes/torus.obj", "a torus of triangles", "by Oded Stein, CC BY 4.0"};
const public_mesh public_human = {"human", "meshes/human_neutral.obj", "a human",
                                  "SMPL-X body, Max Planck Society e.V., CC BY 4.0"};

void public_mesh_path(char path[PUBLIC_PATH], const public_mesh *which, const char *folder)
{
    snprintf(path, PUBLIC_PATH, "%s/%s", folder, which->file);
}

bool public_mesh_is_there(const public_mesh *which, const char *folder)
{
    char path[PUBLIC_PATH];
    public_mesh_path(path, which, folder);
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

bool public_mesh_read(const public_mesh *which, const char *folder, taut_mesh *mesh, taut_error *error)
{
    char path[PUBLIC_PATH];
    taut_mesh_file file;
    public_mesh_path(path, which, folder);
    if (!taut_mesh_load(path, &file, error)) return false;
    *mesh = file.mesh;
    file.mesh = (taut_mesh){0};
    taut_mesh_file_free(&file);
    return true;
}
