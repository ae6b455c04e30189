/* Whole files in and out. */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, fstat */

#include "io/file.h"

#include "base/error.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool file_fail(const char *path, const char *verb, taut_error *error)
{
    const char *cause = errno ? strerror(errno) : "unknown cause";
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: cannot %s: %s", path, verb, cause);
}

static bool fail_kind(const char *path, mode_t mode, taut_error *error)
{
    const char *kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
    if (S_ISDIR(mode)) {
        errno = EISDIR;
        return file_fail(path, "read", error);
    }
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: cannot read: it is %s; only /dev/stdin and /dev/fd/N may be",
                   path, kind);
}

/* The descriptor that a path stands for, which the process has open already: 0 for - and /dev/stdin, N for /dev/fd/N.
 * -1 for other paths. */
static int given_descriptor(const char *path)
{
    static const char folder[] = "/dev/fd/";
    size_t length = strlen(folder);
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0) return 0;
    if (strncmp(path, folder, length) != 0) return -1;
    int digits = (int)strspn(path + length, "0123456789");
    return digits > 0 && digits < 6 && !path[length + (size_t)digits] ? atoi(path + length) : -1;
}

/* Opens a regular file. It looks before it opens, because opening a device may have effects, and looks again at the
 * file that was opened. It does not block, although opening a pipe would wait for a writer. */
static int open_regular(const char *path, taut_error *error)
{
    struct stat is;
    errno = 0;
    bool there = stat(path, &is) == 0;
    if (there && !S_ISREG(is.st_mode)) return fail_kind(path, is.st_mode, error), -1;
    int file = there ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0) return file_fail(path, "open", error), -1;
    if (fstat(file, &is) == 0 && S_ISREG(is.st_mode)) return file;
    fail_kind(path, is.st_mode, error);
    close(file);
    return -1;
}

static bool fail_size(const char *path, size_t most, taut_error *error)
{
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: cannot read: it is larger than %zu bytes", path, most);
}

/* Makes room for more. The first room is the size that the file reports; a pipe reports none. */
static bool make_room(int file, size_t most, size_t *capacity, taut_bytes *bytes, taut_error *error)
{
    struct stat is;
    size_t larger = *capacity ? 2 * *capacity : 65536;
    bool sized = *capacity == 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode);
    if (sized && is.st_size > 0 && (uint64_t)is.st_size < most) larger = (size_t)is.st_size + 1;
    /* One byte above the limit shows that the file is larger. */
    if (larger > most || larger < *capacity) larger = most < SIZE_MAX ? most + 1 : most;
    unsigned char *data = realloc(bytes->data, larger);
    if (!data) return tt_no_memory(error);
    bytes->data = data;
    *capacity = larger;
    return true;
}

static bool read_all(int file, const char *path, size_t most, taut_bytes *bytes, taut_error *error)
{
    struct stat is;
    size_t capacity = 0;
    if (fstat(file, &is) == 0 && S_ISREG(is.st_mode) && (uint64_t)is.st_size > most)
        return fail_size(path, most, error);
    for (;;) {
        if (bytes->size == capacity && !make_room(file, most, &capacity, bytes, error)) return false;
        errno = 0;
        ssize_t got = read(file, bytes->data + bytes->size, capacity - bytes->size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return file_fail(path, "read", error);
        bytes->size += (size_t)got;
        if (bytes->size > most) return fail_size(path, most, error);
        if (got == 0) return true;
    }
}

bool tio_file_read(const char *path, size_t most, taut_bytes *bytes, taut_error *error)
{
    *bytes = (taut_bytes){0};
    tt_clear(error);
    int given = given_descriptor(path), file = given;
    errno = 0;
    if (given >= 0 && fcntl(given, F_GETFD) < 0) return file_fail(path, "open", error);
    if (given < 0) file = open_regular(path, error);
    if (file < 0) return false;
    bool good = read_all(file, path, most, bytes, error);
    if (given < 0) close(file);
    if (!good) taut_bytes_free(bytes);
    return good;
}

bool taut_file_read(const char *path, taut_bytes *bytes, taut_error *error)
{
    return tio_file_read(path, UINT32_MAX, bytes, error);
}

void taut_bytes_free(taut_bytes *bytes)
{
    if (!bytes) return;
    free(bytes->data);
    *bytes = (taut_bytes){0};
}

/* The bytes are on the disk before the file gets its name, so even a crash of the machine leaves no half file. */
bool taut_file_write(const char *path, const void *data, size_t size, taut_error *error)
{
    tio_output out;
    tt_clear(error);
    if (!tio_output_open(&out, path, error)) return false;
    errno = 0;
    bool good = size == 0 || fwrite(data, 1, size, out.file) == size;
    if (!good || !tio_output_sync(&out)) good = tio_fail_file(error, "write", path);
    return tio_output_close(&out, good, error);
}
