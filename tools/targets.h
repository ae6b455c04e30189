/* Checks of files that a command is about to write. A bad name is reported before the work begins, and a file that must
 * not be lost is left alone. All functions return ARGUMENTS_READ when all is well, else EXIT_USAGE after a message. */
#ifndef TOOLS_TARGETS_H
#define TOOLS_TARGETS_H

#include "arguments.h"
#include "taut_io.h"

/* The command that wants to write, and the files that it reads, which must not be overwritten. */
typedef struct target_user {
    const char *command;
    const char *input;            /* or NULL */
    const taut_scene_input *more; /* files that the input names, or NULL */
} target_user;

/* Checks that the file can be written. Messages call it `what`, such as "the record". Its folder is not checked. */
int target_check_file(const target_user *user, const char *what, const char *path);
/* Checks that files can be made in the file's folder. */
int target_check_folder(const target_user *user, const char *path);
/* Checks both. */
int target_check(const target_user *user, const char *what, const char *path);
/* If the file exists, checks that it comes from an earlier run, that is, begins with `begin`. Empty files are fine. */
int target_check_ours(const target_user *user, const char *what, const char *path, const char *begin);

#endif
