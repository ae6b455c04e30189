#define _DEFAULT_SOURCE /* flock */

#include "run_lock.h"

#include "run_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which ---- */

static bool add(run_locks *locks, const char *target)
{
    if (!target || taut_file_is_stream(target)) return true;
    run_lock lock = {target, run_names_lock(target), -1};
    if (!lock.path) return fail(RUN_COMMAND, "out of memory"), false;
    locks->lock[locks->count++] = lock;
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const run_lock *)a)->path, ((const run_lock *)b)->path);
}

/* Sorted by name, so that when two runs begin at the same moment, one of them gets all of its locks. */
static bool list(run_locks *locks, const run *r)
{
    for (int i = 0; i < r->names.noutputs; i++)
        if (!add(locks, r->names.output[i])) return false;
    if (!add(locks, r->names.checkpoint) || !add(locks, r->names.record) || !add(locks, r->options->stats))
        return false;
    qsort(locks->lock, (size_t)locks->count, sizeof *locks->lock, compare);
    return true;
}

/* ---- Taking them ---- */

static bool is_same(int file, const struct stat *other)
{
    struct stat own;
    return fstat(file, &own) == 0 && own.st_dev == other->st_dev && own.st_ino == other->st_ino;
}

/* Whether the lock file still has its name. Between opening and locking, a run that ended may have removed it. */
static bool still_has_its_name(const run_lock *lock)
{
    struct stat named;
    return lstat(lock->path, &named) == 0 && is_same(lock->file, &named);
}

static bool refuse(run_lock *lock, const char *format, const char *a, const char *b)
{
    if (lock->file >= 0) close(lock->file);
    lock->file = -1;
    fail(RUN_COMMAND, format, a, b);
    return false;
}

/* Opens or makes the lock: an empty file, as runs make them. */
static bool open_lock(run_locks *locks, run_lock *lock)
{
    struct stat found;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (lock->file < 0 || fstat(lock->file, &found) != 0)
        return refuse(lock, "cannot make the lock '%s': %s", lock->path, strerror(errno));
    if (!S_ISREG(found.st_mode) || found.st_size > 0)
        return refuse(lock, "'%s' is in the way: '%s' is locked by an empty file of that name", lock->path,
                      lock->target);
    for (run_lock *other = locks->lock; other < lock; other++)
        if (is_same(other->file, &found))
            return refuse(lock, "'%s' and '%s' are the same files", other->target, lock->target);
    return true;
}

static bool take(run_locks *locks, run_lock *lock)
{
    for (;; close(lock->file)) {
        if (!open_lock(locks, lock)) return false;
        bool locked = flock(lock->file, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno == EWOULDBLOCK)
            return refuse(lock, "another run is writing '%s'; it holds %s", lock->target, lock->path);
        /* On a file system without locks nobody can tell, so the run goes on. */
        if (!locked || still_has_its_name(lock)) return true;
    }
}

bool run_locks_take(run_locks *locks, const run *r)
{
    locks->count = 0;
    if (!list(locks, r)) return false;
    for (int i = 0; i < locks->count; i++)
        if (!take(locks, &locks->lock[i])) return false;
    return true;
}

void run_locks_release(run_locks *locks)
{
    for (run_lock *lock = locks->lock; lock < locks->lock + locks->count; lock++) {
        if (lock->file >= 0) {
            remove(lock->path); /* before another run can lock it */
            close(lock->file);
        }
        free(lock->path);
    }
}
