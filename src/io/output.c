#define _GNU_SOURCE /* O_TMPFILE, getentropy */

#include "io/output.h"

#include "base/error.h"
#include "taut_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SELF_BYTES = 32 };

bool tio_fail_file(taut_error *error, const char *action, const char *path)
{
    const char *cause = errno ? strerror(errno) : "unexpected end or short write";
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "cannot %s %.120s: %s", action, path, cause);
}

bool tio_exists(const char *path) { return access(path, F_OK) == 0; }

bool tio_is_regular(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* FOLDER/.taut-0123456789abcdef: nobody can guess it, and it is short enough wherever the file's own name is. */
static char *random_name(const char *path)
{
    uint64_t number;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    size_t size = (size_t)folder + sizeof ".taut-" + 16;
    char *name = malloc(size);
    if (!name || getentropy(&number, sizeof number) != 0) {
        free(name);
        return NULL;
    }
    snprintf(name, size, "%.*s.taut-%016llx", folder, path, (unsigned long long)number);
    return name;
}

/* ---- Files without a name --------------------------------------------------------------------------------------- */

#ifdef O_TMPFILE
static void put_self(char self[SELF_BYTES], int file) { snprintf(self, SELF_BYTES, "/proc/self/fd/%d", file); }

static int open_unnamed(const char *path)
{
    char self[SELF_BYTES];
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int file = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    put_self(self, file);
    if (file >= 0 && access(self, F_OK) != 0) { /* without `self` the file could not get a name */
        close(file);
        file = -1;
    }
    return file;
}

static bool give_name(int file, const char *name)
{
    char self[SELF_BYTES];
    put_self(self, file);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}
#else
static int open_unnamed(const char *path) { return (void)path, -1; }
static bool give_name(int file, const char *name) { return (void)file, (void)name, false; }
#endif

/* A link cannot replace an existing file. So the file first gets a free name, and a rename then replaces the old
 * file. */
static bool name_it(const tio_output *out, int file)
{
    if (give_name(file, out->path)) return true;
    if (errno != EEXIST || !give_name(file, out->temporary)) return false;
    if (rename(out->temporary, out->path) == 0) return true;
    int cause = errno;
    remove(out->temporary);
    errno = cause;
    return false;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* /dev/stdout is a regular file when the shell sends output to one. The descriptor keeps the place in that file. */
static int standard_stream(const struct stat *found)
{
    struct stat stream;
    for (int file = STDOUT_FILENO; file <= STDERR_FILENO; file++)
        if (fstat(file, &stream) == 0 && stream.st_dev == found->st_dev && stream.st_ino == found->st_ino) return file;
    return -1;
}

bool taut_file_is_stream(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0 || S_ISDIR(found.st_mode)) return false;
    return !S_ISREG(found.st_mode) || standard_stream(&found) >= 0;
}

static int open_file(tio_output *out)
{
    struct stat found;
    bool there = stat(out->path, &found) == 0;
    if (there && S_ISDIR(found.st_mode)) return errno = EISDIR, -1;
    if (there && taut_file_is_stream(out->path)) {
        int stream = standard_stream(&found);
        out->way = TIO_INTO;
        return stream >= 0 ? dup(stream) : open(out->path, O_WRONLY | O_CLOEXEC);
    }
    int file = open_unnamed(out->path);
    out->way = file >= 0 ? TIO_UNNAMED : TIO_NAMED;
    if (file < 0) file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file;
}

bool tio_output_open(tio_output *out, const char *path, taut_error *error)
{
    errno = 0;
    *out = (tio_output){.path = path, .temporary = random_name(path)};
    int file = out->temporary ? open_file(out) : -1;
    out->file = file >= 0 ? fdopen(file, "wb") : NULL;
    if (out->file) return true;
    tio_fail_file(error, "write", path);
    if (file >= 0) close(file);
    if (file >= 0 && out->way == TIO_NAMED) remove(out->temporary);
    free(out->temporary);
    return false;
}

/* ---- Closing ---------------------------------------------------------------------------------------------------- */

bool tio_output_sync(const tio_output *out)
{
    return fflush(out->file) == 0 && (out->way == TIO_INTO || fsync(fileno(out->file)) == 0);
}

/* The cause of a write that failed earlier is no longer known. One more write fails for the same cause. If it does not
 * fail, that does no harm, because the file is dropped. */
static void find_cause(const tio_output *out)
{
    if (errno == 0 && out->way != TIO_INTO && write(fileno(out->file), "", 1) == 1) errno = 0;
}

bool tio_output_close(tio_output *out, bool good, taut_error *error)
{
    errno = 0;
    int unnamed = out->way == TIO_UNNAMED ? dup(fileno(out->file)) : -1;
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    if (!written) find_cause(out);
    int cause = errno;
    bool closed = fclose(out->file) == 0;
    if (!written) errno = cause;
    written = closed && written;
    if (good && !written) good = tio_fail_file(error, "write", out->path);
    bool named = good && (out->way == TIO_INTO ||
                          (out->way == TIO_UNNAMED ? name_it(out, unnamed) : rename(out->temporary, out->path) == 0));
    if (good && !named) good = tio_fail_file(error, "give the file its name", out->path);
    if (unnamed >= 0) close(unnamed);
    if (!good && out->way == TIO_NAMED) remove(out->temporary);
    free(out->temporary);
    return good;
}
