/* A separate folder for tests that write files. */
#ifndef TAUT_TESTS_HELPERS_FOLDER_H
#define TAUT_TESTS_HELPERS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/taut-io-XXXXXX";

static inline const char *in_folder(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails when a test left a file, a .part above all */
}

#endif
