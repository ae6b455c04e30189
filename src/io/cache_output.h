/* Values in the byte order that a file wants, whatever the machine's. */
#ifndef TAUT_IO_CACHE_OUTPUT_H
#define TAUT_IO_CACHE_OUTPUT_H

#include "io/output.h"

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
