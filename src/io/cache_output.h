/* Files that appear whole or not at all: written as PATH.new, renamed when all of it is on the disk. Errors are kept
 * until the end, so that writers need not look at every call. */
#ifndef TAUT_IO_CACHE_OUTPUT_H
#define TAUT_IO_CACHE_OUTPUT_H

#include "taut.h"

#include <stdio.h>

typedef struct tio_output {
    FILE *file;
    const char *path;
    char *new_path;
} tio_output;

bool tio_output_open(tio_output *out, const char *path, taut_error *error);
/* Renames PATH.new to PATH; removes it when `good` is false or anything failed since it was opened. */
bool tio_output_close(tio_output *out, bool good, taut_error *error);
/* Removes PATH and what an interrupted run left of it. */
void tio_output_forget(const char *path);

bool tio_exists(const char *path);

/* Fills `error` with "cannot DO PATH: cause" from errno and returns false. */
bool tio_fail_file(taut_error *error, const char *action, const char *path);

/* Values in the byte order that the file wants, whatever the machine's. */
void tio_encode_u32(unsigned char *bytes, uint32_t value);
uint32_t tio_decode_u32(const unsigned char *bytes);
void tio_encode_floats(unsigned char *bytes, const float *value, size_t count);
void tio_decode_floats(const unsigned char *bytes, float *value, size_t count);
void tio_put_u32(FILE *file, uint32_t value);
void tio_put_u64(FILE *file, uint64_t value);
void tio_put_ints(FILE *file, const int *value, size_t count);
void tio_put_floats(FILE *file, const float *value, size_t count);
void tio_put_u32_big(FILE *file, uint32_t value);
void tio_put_floats_big(FILE *file, const float *value, size_t count);

#endif
