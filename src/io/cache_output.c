#include "io/cache_output.h"

#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool tio_fail_file(taut_error *error, const char *action, const char *path)
{
    const char *cause = errno ? strerror(errno) : "unexpected end or short write";
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "cannot %s %.120s: %s", action, path, cause);
}

bool tio_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static char *new_path_of(const char *path)
{
    size_t size = strlen(path) + 5;
    char *new_path = malloc(size);
    if (new_path) snprintf(new_path, size, "%s.new", path);
    return new_path;
}

void tio_output_forget(const char *path)
{
    char *new_path = new_path_of(path);
    if (new_path) remove(new_path);
    free(new_path);
    remove(path);
}

bool tio_output_open(tio_output *out, const char *path, taut_error *error)
{
    *out = (tio_output){.path = path, .new_path = new_path_of(path)};
    if (!out->new_path) return tt_no_memory(error);
    errno = 0;
    out->file = fopen(out->new_path, "wb");
    if (out->file) return true;
    tio_fail_file(error, "write", out->new_path);
    free(out->new_path);
    return false;
}

bool tio_output_close(tio_output *out, bool good, taut_error *error)
{
    errno = 0;
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    written = fclose(out->file) == 0 && written;
    if (good && !written) good = tio_fail_file(error, "write", out->new_path);
    if (good && rename(out->new_path, out->path) != 0) {
        good = tio_fail_file(error, "give the file its name", out->path);
    }
    if (!good) remove(out->new_path);
    free(out->new_path);
    return good;
}

/* ---- Byte order ------------------------------------------------------------------------------------------------ */

void tio_encode_u32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
}

uint32_t tio_decode_u32(const unsigned char *bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

static void encode_u32_big(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void tio_encode_floats(unsigned char *bytes, const float *value, size_t count)
{
    for (size_t i = 0; i < count; i++) tio_encode_u32(bytes + 4 * i, bits_of(value[i]));
}

void tio_decode_floats(const unsigned char *bytes, float *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = tio_decode_u32(bytes + 4 * i);
        memcpy(&value[i], &bits, sizeof bits);
    }
}

void tio_put_u32(FILE *file, uint32_t value)
{
    unsigned char bytes[4];
    tio_encode_u32(bytes, value);
    fwrite(bytes, 1, sizeof bytes, file);
}

void tio_put_u64(FILE *file, uint64_t value)
{
    tio_put_u32(file, (uint32_t)value);
    tio_put_u32(file, (uint32_t)(value >> 32));
}

/* Values of 4 bytes each, written in pieces: a call for each would take longer than the disk. */
static void put_words(FILE *file, const void *value, size_t count, bool big)
{
    unsigned char bytes[1024];
    const unsigned char *at = value;
    for (size_t done = 0; done < count;) {
        size_t used = 0;
        for (; used < sizeof bytes && done < count; used += 4, at += 4, done++) {
            uint32_t word;
            memcpy(&word, at, sizeof word);
            if (big) encode_u32_big(bytes + used, word);
            else tio_encode_u32(bytes + used, word);
        }
        fwrite(bytes, 1, used, file);
    }
}

void tio_put_ints(FILE *file, const int *value, size_t count) { put_words(file, value, count, false); }
void tio_put_floats(FILE *file, const float *value, size_t count) { put_words(file, value, count, false); }
void tio_put_floats_big(FILE *file, const float *value, size_t count) { put_words(file, value, count, true); }
void tio_put_u32_big(FILE *file, uint32_t value) { put_words(file, &value, 1, true); }
