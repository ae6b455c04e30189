/* A 64-bit hash over bytes, fed piece by piece. */
#ifndef TAUT_BASE_HASH_H
#define TAUT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TT_HASH_SEED 0x9e3779b97f4a7c15u

/* Mixes 8 bytes at a time (read little-endian): fast enough to hash a world every frame. */
static inline uint64_t tt_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        size_t n = size - at < 8 ? size - at : 8;
        for (size_t i = 0; i < n; i++) word |= (uint64_t)byte[at + i] << (8 * i);
        hash = (hash ^ word ^ n) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
