/* Reads whole files, with a limit that the caller chooses. */
#ifndef TAUT_IO_FILE_H
#define TAUT_IO_FILE_H

#include "taut_io.h"

/* Does the same as taut_file_read, for files of up to `most` bytes. */
bool tio_file_read(const char *path, size_t most, taut_bytes *bytes, taut_error *error);

#endif
