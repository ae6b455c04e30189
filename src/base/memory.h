/* Memory: the allocator hook, and scopes, which free everything that they handed out at once.
 *
 * Scopes let the library survive the failure of any allocation: a builder takes all its memory from a scope and closes
 * the scope on any error. Long-lived objects (a model, a body) keep their scope and close it when they are freed. */
#ifndef TAUT_BASE_MEMORY_H
#define TAUT_BASE_MEMORY_H

#include "taut.h"

typedef struct tt_scope {
    taut_allocator allocator;
    void *newest; /* a list through the headers of all live allocations */
} tt_scope;

/* `allocator` NULL: the C library's. */
void tt_scope_open(tt_scope *scope, const taut_allocator *allocator);
void tt_scope_close(tt_scope *scope);

/* `count` zeroed items of `size` bytes, 64-byte aligned; NULL when memory ran out or count * size overflows.
 * A count of 0 gives a valid pointer to nothing. */
void *tt_take(tt_scope *scope, size_t count, size_t size);

/* The same, but not zeroed. */
void *tt_take_raw(tt_scope *scope, size_t count, size_t size);

/* Takes `wanted` items as tt_take does. The first `used` of them are copies of `old`, which stays in its scope. */
void *tt_enlarge(tt_scope *scope, const void *old, size_t used, size_t wanted, size_t size);

#define TT_TAKE(scope, type, count) ((type *)tt_take((scope), (size_t)(count), sizeof(type)))
#define TT_TAKE_RAW(scope, type, count) ((type *)tt_take_raw((scope), (size_t)(count), sizeof(type)))

#endif
