/* Files that appear whole or not at all. A file is written without a name and gets its name when all of it is there, so
 * nothing is left behind when the process dies. If the system has no files without names, the file gets a random name
 * in the same folder. Devices and pipes are written into, not replaced. Errors are kept until the end, so that writers
 * need not check every call. */
#ifndef TAUT_IO_OUTPUT_H
#define TAUT_IO_OUTPUT_H

#include "taut.h"

#include <stdio.h>

typedef struct tio_output {
    FILE *file;
    const char *path;
    char *temporary; /* a free name in the same folder */
    enum { TIO_UNNAMED, TIO_NAMED, TIO_INTO } way;
} tio_output;

bool tio_output_open(tio_output *out, const char *path, taut_error *error);
/* Waits until everything written so far is on the disk. */
bool tio_output_sync(const tio_output *out);
/* Gives the file its name. If `good` is false, or anything failed since the file was opened, nothing of it is left. */
bool tio_output_close(tio_output *out, bool good, taut_error *error);

bool tio_exists(const char *path);
/* Whether `path` is a file, and not a link, folder, device or pipe. */
bool tio_is_regular(const char *path);

/* Fills `error` with "cannot DO PATH: cause" from errno and returns false. */
bool tio_fail_file(taut_error *error, const char *action, const char *path);

#endif
