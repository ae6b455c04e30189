#include "io/cache_output.h"

#include <string.h>

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

/* Writes values of 4 bytes each in large pieces, because a call for each would take longer than the disk. */
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
