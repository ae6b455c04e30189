#define _POSIX_C_SOURCE 200809L

#include "obj.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_one(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }

static bool is_folder(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0) return false;
    if (S_ISDIR(found.st_mode)) return true;
    errno = ENOTDIR;
    return false;
}

bool folder_make(const char *path)
{
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (!make_one(part)) return false;
    }
    return make_one(path) && is_folder(path);
}

static void put_mesh(FILE *file, const taut_mesh *mesh, const float *x)
{
    fprintf(file, "# %d vertices, %d triangles\n", mesh->nvertices, mesh->ntris);
    for (int v = 0; v < mesh->nvertices; v++, x += 3)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)x[0], (double)x[1], (double)x[2]);
    for (int t = 0; t < mesh->ntris; t++) {
        const int *corner = &mesh->tri[3 * t];
        fprintf(file, "f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

bool obj_write(const char *path, const taut_mesh *mesh, const float *x)
{
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(temporary, "w");
    if (!file) return false;
    put_mesh(file, mesh, x);
    bool written = !ferror(file);
    int cause = errno;
    if (fclose(file) != 0) {
        written = false;
        cause = errno;
    }
    if (written && rename(temporary, path) == 0) return true;
    if (written) cause = errno;
    remove(temporary);
    errno = cause;
    return false;
}
