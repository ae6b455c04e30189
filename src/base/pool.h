/* A pool of threads for loops whose iterations are independent. */
#ifndef TAUT_BASE_POOL_H
#define TAUT_BASE_POOL_H

#include "base/memory.h"

typedef struct tt_pool tt_pool;

/* `threads` counts the caller too: 1 starts none. NULL when memory or threads ran out (nothing is left running).
 * The pool lives in memory of `scope`; it must be stopped before the scope is closed. */
tt_pool *tt_pool_start(tt_scope *scope, int threads);
void tt_pool_stop(tt_pool *pool); /* NULL is fine */
int tt_pool_threads(const tt_pool *pool); /* 1 for NULL */
int tt_pool_cores(void); /* cores of this machine, at least 1 */

/* Calls task(argument, i) for i in 0..count-1 and returns when all are done. Thread t begins with the contiguous range
 * t*count/threads .. (t+1)*count/threads - 1, so that it works on the same memory in every call (cache affinity), and
 * then helps the others. Idle workers spin briefly, then sleep. Not reentrant; calls come from one thread at a time.
 * The signature is that of taut_parallel_for, with the pool as `user`. If `pool` is NULL, the caller runs all tasks. */
void tt_pool_run(int count, void (*task)(void *argument, int index), void *argument, void *pool);

#endif
