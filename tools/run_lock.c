#define _DEFAULT_SOURCE /* flock */

#include "run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between opening and locking, a run that ended may have removed the file. */
static bool still_has_its_name(const run_lock *lock)
{
    struct stat opened, named;
    return fstat(lock->file, &opened) == 0 && stat(lock->path, &named) == 0 && opened.st_ino == named.st_ino;
}

/* The lock's own name would tell nobody anything. */
static void fail_to_write(const char *checkpoint, const char *why)
{
    const char *slash = strrchr(checkpoint, '/');
    if (!slash) fail(RUN_COMMAND, "cannot write to the current folder: %s", why);
    else fail(RUN_COMMAND, "cannot write to the folder '%.*s': %s", (int)(slash - checkpoint), checkpoint, why);
}

bool run_lock_take(run_lock *lock, const char *checkpoint)
{
    size_t size = strlen(checkpoint) + sizeof ".lock";
    *lock = (run_lock){.path = malloc(size), .file = -1};
    if (!lock->path) {
        fail(RUN_COMMAND, "out of memory");
        return false;
    }
    snprintf(lock->path, size, "%s.lock", checkpoint);
    for (;; close(lock->file)) {
        lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->file < 0) {
            fail_to_write(checkpoint, strerror(errno));
            return false;
        }
        bool locked = flock(lock->file, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno == EWOULDBLOCK) {
            fail(RUN_COMMAND, "another run is writing these outputs; it holds %s", lock->path);
            close(lock->file);
            lock->file = -1;
            return false;
        }
        /* On a file system without locks nothing can be told. */
        if (!locked || still_has_its_name(lock)) return true;
    }
}

void run_lock_release(run_lock *lock)
{
    if (lock->file >= 0) {
        remove(lock->path); /* before others can lock it */
        close(lock->file);
    }
    free(lock->path);
}
