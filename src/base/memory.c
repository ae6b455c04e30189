#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Lies in the 64 bytes before the memory that the caller gets. */
typedef struct header {
    void *older;
} header;

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    return aligned_alloc(alignment, size);
}

static void release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

void tt_scope_open(tt_scope *scope, const taut_allocator *allocator)
{
    scope->allocator = allocator ? *allocator : (taut_allocator){allocate, release, NULL};
    scope->newest = NULL;
}

void tt_scope_close(tt_scope *scope)
{
    while (scope->newest) {
        header *h = scope->newest;
        scope->newest = h->older;
        scope->allocator.release(h, scope->allocator.user);
    }
}

void *tt_take_raw(tt_scope *scope, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 2 * ALIGNMENT) / size) return NULL;
    size_t bytes = (count * size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; /* header and round-up */
    header *h = scope->allocator.allocate(bytes, ALIGNMENT, scope->allocator.user);
    if (!h) return NULL;
    h->older = scope->newest;
    scope->newest = h;
    return (char *)h + ALIGNMENT;
}

void *tt_take(tt_scope *scope, size_t count, size_t size)
{
    void *memory = tt_take_raw(scope, count, size);
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void *tt_enlarge(tt_scope *scope, const void *old, size_t used, size_t wanted, size_t size)
{
    char *larger = tt_take_raw(scope, wanted, size);
    if (!larger) return NULL;
    if (used) memcpy(larger, old, used * size);
    memset(larger + used * size, 0, (wanted - used) * size);
    return larger;
}
