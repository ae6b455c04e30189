/* Files that a command is about to write. A bad name is reported before the work begins, and a file that must not be
 * lost is left alone. All return ARGUMENTS_READ when all is well, else EXIT_USAGE after a message. */
#ifndef TOOLS_TARGETS_H
#define TOOLS_TARGETS_H

#include "arguments.h"
#include "taut_io.h"

/* The command that wants to write, and what it reads: none of that may be overwritten. */
typedef struct target_user {
    const char *command;
    const char *input;            /* or NULL */
    const taut_scene_input *more; /* what the input names, or NULL */
} target_user;

/* Can the file be written? `what` is what the message calls it, such as "the record". Its folder is not looked at. */
int target_check_file(const target_user *user, const char *what, const char *path);
/* Can files be made in the file's folder? */
int target_check_folder(const target_user *user, const char *path);
/* Both of them. */
int target_check(const target_user *user, const char *what, const char *path);
/* If the file exists, does it come from an earlier run, that is, begin with `begin`? Empty files are fine. */
int target_check_ours(const target_user *user, const char *what, const char *path, const char *begin);

#endif
