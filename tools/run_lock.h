/* One run at a time: two that write the same files would spoil each other's. */
#ifndef TOOLS_RUN_LOCK_H
#define TOOLS_RUN_LOCK_H

#include "run.h"

enum { RUN_LOCKS = WORDS + 3 };

typedef struct run_lock {
    const char *target; /* what it keeps others from */
    char *path;         /* TARGET.lock */
    int file;           /* -1: not taken */
} run_lock;

typedef struct run_locks {
    run_lock lock[RUN_LOCKS];
    int count;
} run_locks;

/* Locks all files of a run; pipes and devices need none. False, after a message, when another run has one of them, or
 * when two of them are the same. The system gives locks back when a run dies. Release them in any case. */
bool run_locks_take(run_locks *locks, const run *r);
void run_locks_release(run_locks *locks);

#endif
