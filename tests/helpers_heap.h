/* An allocator such as an engine may give to the library: it counts allocations, guards the memory that it hands out,
 * and can fail. Include after cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_HEAP_H
#define TAUT_TESTS_HELPERS_HEAP_H

#include "taut.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_ALIGNMENT = 64, HEAP_GUARD = 16 };

typedef struct heap {
    int64_t made;    /* allocations asked for         */
    int64_t live;    /* not yet released              */
    int64_t fail_at; /* the number of the allocation that fails; 0: none */
    size_t largest;  /* the largest allocation asked for, bytes */
    taut_allocator hook;
} heap;

typedef struct heap_header {
    void *base;
    size_t size;
    unsigned char guard[HEAP_GUARD];
} heap_header;

/* The memory is aligned to exactly 64 bytes, is full of rubbish, and has guards at both ends. */
static inline void *heap_allocate(size_t size, size_t alignment, void *user)
{
    heap *h = user;
    assert_true(alignment > 0 && alignment <= HEAP_ALIGNMENT && (alignment & (alignment - 1)) == 0);
    if (size > h->largest) h->largest = size;
    if (++h->made == h->fail_at) return NULL;
    char *base = malloc(size + 4 * HEAP_ALIGNMENT + HEAP_GUARD);
    assert_non_null(base);
    uintptr_t even = ((uintptr_t)base + 2 * HEAP_ALIGNMENT - 1) / (2 * HEAP_ALIGNMENT) * (2 * HEAP_ALIGNMENT);
    char *memory = base + (even - (uintptr_t)base) + HEAP_ALIGNMENT;
    heap_header header = {.base = base, .size = size};
    memset(header.guard, 0x5a, HEAP_GUARD);
    memcpy(memory - sizeof header, &header, sizeof header);
    memset(memory, 0xa5, size);
    memset(memory + size, 0x5a, HEAP_GUARD);
    h->live++;
    return memory;
}

static inline void heap_release(void *memory, void *user)
{
    heap *h = user;
    if (!memory) return;
    unsigned char guard[HEAP_GUARD];
    heap_header header;
    memset(guard, 0x5a, sizeof guard);
    memcpy(&header, (char *)memory - sizeof header, sizeof header);
    assert_memory_equal(header.guard, guard, sizeof guard);
    assert_memory_equal((char *)memory + header.size, guard, sizeof guard);
    h->live--;
    assert_true(h->live >= 0);
    free(header.base);
}

/* The heap must stay where it is from here on. */
static inline void heap_open(heap *h) { *h = (heap){.hook = {heap_allocate, heap_release, h}}; }

/* From now on the n-th allocation (1 = the next) fails; 0: none does. */
static inline void heap_fail(heap *h, int64_t n)
{
    h->made = 0;
    h->fail_at = n;
}

#endif
