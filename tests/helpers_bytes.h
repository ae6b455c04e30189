/* Bytes of binary files, put together piece by piece. */
#ifndef TAUT_TESTS_HELPERS_BYTES_H
#define TAUT_TESTS_HELPERS_BYTES_H

#include <stdbool.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
    bool big; /* endian */
} bytes;

static inline void put(bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static inline void put_text(bytes *b, const char *text) { put(b, text, strlen(text)); }

static inline void put_whole(bytes *b, int size, uint64_t value)
{
    for (int i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> (8 * (b->big ? size - 1 - i : i)));
        put(b, &byte, 1);
    }
}

static inline void put_float(bytes *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(b, 4, bits);
}

static inline void put_double(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(b, 8, bits);
}

/* The head of a block of nodes or elements of Gmsh 4.1: dimension, entity, type, count. */
static inline void put_block(bytes *b, int dimension, int type, int size, uint64_t count)
{
    put_whole(b, 4, (uint64_t)dimension);
    put_whole(b, 4, 1);
    put_whole(b, 4, (uint64_t)type);
    put_whole(b, size, count);
}

#endif
