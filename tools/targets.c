#define _GNU_SOURCE /* O_TMPFILE */

#include "targets.h"

#include "render/names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `found` is the file of this name, or the first file of the sequence. */
static bool is_file(const struct stat *found, const char *path)
{
    char name[PATH_MAX];
    struct stat other;
    return name_of_first(name, sizeof name, path) && stat(name, &other) == 0 && other.st_dev == found->st_dev &&
           other.st_ino == found->st_ino;
}

static bool is_read(const target_user *user, const struct stat *found)
{
    if (user->input && is_file(found, user->input)) return true;
    for (const taut_scene_input *i = user->more; i; i = i->next)
        if (is_file(found, i->path)) return true;
    return false;
}

int target_check_file(const target_user *user, const char *what, const char *path)
{
    struct stat found;
    const char *slash = strrchr(path, '/');
    if (stat(path, &found) != 0) {
        if (errno != ENOENT) return fail(user->command, "%s '%s' cannot be written: %s", what, path, strerror(errno));
        if (!slash || slash[1]) return ARGUMENTS_READ;
        return fail(user->command, "%s '%s' has no name", what, path);
    }
    if (S_ISDIR(found.st_mode)) return fail(user->command, "%s '%s' is a folder", what, path);
    if (S_ISREG(found.st_mode) && is_read(user, &found))
        return fail(user->command, "%s '%s' is a file that this command reads; choose another name", what, path);
    if (access(path, W_OK) != 0)
        return fail(user->command, "%s '%s' cannot be written: %s", what, path, strerror(errno));
    return ARGUMENTS_READ;
}

/* Tests whether a file can be made in a folder, and leaves nothing there; false sets errno. A file without a name
 * leaves nothing even when the tool is killed. If the file system has no such files, the file gets a name for a
 * moment. */
static bool can_make_file(char *probe, size_t folder)
{
#ifdef O_TMPFILE
    char first = probe[folder];
    probe[folder] = 0;
    int unnamed = open(folder ? probe : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    probe[folder] = first;
    if (unnamed >= 0) return close(unnamed) == 0;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return false;
#endif
    int file = mkstemp(probe);
    return file >= 0 && close(file) == 0 && unlink(probe) == 0;
}

int target_check_folder(const target_user *user, const char *path)
{
    char probe[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 0;
    if (taut_file_is_stream(path)) return ARGUMENTS_READ;
    if ((size_t)snprintf(probe, sizeof probe, "%.*s%s.taut-XXXXXX", length, path, slash ? "/" : "") >= sizeof probe)
        return fail(user->command, "the name '%.80s...' is too long", path);
    if (can_make_file(probe, slash ? (size_t)length + 1 : 0)) return ARGUMENTS_READ;
    if (!slash) return fail(user->command, "cannot write to the current folder: %s", strerror(errno));
    return fail(user->command, "cannot write to the folder '%.*s': %s", length ? length : 1, path, strerror(errno));
}

int target_check(const target_user *user, const char *what, const char *path)
{
    int code = target_check_file(user, what, path);
    return code == ARGUMENTS_READ ? target_check_folder(user, path) : code;
}

int target_check_ours(const target_user *user, const char *what, const char *path, const char *begin)
{
    char bytes[64];
    struct stat found;
    size_t length = strlen(begin);
    if (lstat(path, &found) != 0 || taut_file_is_stream(path)) return ARGUMENTS_READ;
    int file = S_ISREG(found.st_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool ours = file >= 0 && (found.st_size == 0 ||
                              (read(file, bytes, length) == (ssize_t)length && memcmp(bytes, begin, length) == 0));
    if (file >= 0) close(file);
    if (ours) return ARGUMENTS_READ;
    return fail(user->command, "'%s' is there and is no %s of taut: move it, or choose another name", path, what);
}
