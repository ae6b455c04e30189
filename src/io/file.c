/* Whole files in and out. */
#include "taut_io.h"

#include "base/error.h"
#include "io/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool file_fail(const char *path, const char *verb, taut_error *error)
{
    const char *cause = errno ? strerror(errno) : "unknown cause";
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: cannot %s: %s", path, verb, cause);
}

/* Reads until the end rather than asking for the size first: pipes have none. */
static bool read_all(FILE *file, const char *path, taut_bytes *bytes, taut_error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (bytes->size == capacity) {
            size_t larger = capacity ? 2 * capacity : 65536;
            unsigned char *data = larger > capacity ? realloc(bytes->data, larger) : NULL;
            if (!data) return tt_no_memory(error);
            bytes->data = data;
            capacity = larger;
        }
        errno = 0;
        size_t got = fread(bytes->data + bytes->size, 1, capacity - bytes->size, file);
        bytes->size += got;
        /* A folder opens, but fails here. */
        if (ferror(file)) return file_fail(path, "read", error);
        if (got == 0) return true;
    }
}

bool taut_file_read(const char *path, taut_bytes *bytes, taut_error *error)
{
    *bytes = (taut_bytes){0};
    tt_clear(error);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return file_fail(path, "open", error);
    bool good = read_all(file, path, bytes, error);
    fclose(file);
    if (!good) taut_bytes_free(bytes);
    return good;
}

void taut_bytes_free(taut_bytes *bytes)
{
    if (!bytes) return;
    free(bytes->data);
    *bytes = (taut_bytes){0};
}

/* On the disk before it gets its name, so that not even a crash of the machine leaves half of it there. */
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
