/* One run at a time: two that write the same files would spoil each other's. */
#ifndef TOOLS_RUN_LOCK_H
#define TOOLS_RUN_LOCK_H

#include "run.h"

typedef struct run_lock {
    char *path; /* CHECKPOINT.lock */
    int file;
} run_lock;

/* False, after a message, when another run has it. The system gives it back when a run dies. Release it in any case. */
bool run_lock_take(run_lock *lock, const char *checkpoint);
void run_lock_release(run_lock *lock);

#endif
