#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static bool make_one(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }

bool folder_is_there(const char *path)
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
    return make_one(path) && folder_is_there(path);
}
