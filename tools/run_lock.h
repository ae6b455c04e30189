/* One run at a time: two runs that write the same files would spoil them. */
#ifndef TOOLS_RUN_LOCK_H
#define TOOLS_RUN_LOCK_H

#include "run.h"

enum { RUN_LOCKS = WORDS + 3 };

typedef struct run_lock {
    const char *target; /* the file that it protects */
    char *path;         /* TARGET.lock */
    int file;           /* -1: not taken */
} run_lock;

typedef struct run_locks {
    run_lock lock[RUN_LOCKS];
    int count;
} run_locks;

/* Locks all files of a run; pipes and devices need no lock. False, after a message, when another run holds one of
 * the files, or when two of them are the same. The system gives locks back when a run dies. Release them in any
 * case. */
bool run_locks_take(run_locks *locks, const run *r);
void run_locks_release(run_locks *locks);

#endif
