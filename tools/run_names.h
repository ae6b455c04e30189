/* The names of the files that a run writes. */
#ifndef TOOLS_RUN_NAMES_H
#define TOOLS_RUN_NAMES_H

#include "run.h"

/* The outputs are those of --out. A name without an ending gets each ending of --format in turn. Without --out,
 * --format gives outputs with the scene's name in the folder out. Without both, the outputs are those that the scene
 * names, or out/NAME.glb. Makes the folders. ARGUMENTS_READ when all is well, else the exit code after a message. */
int run_names_choose(run_names *names, const run_options *options, const taut_scene *scene);
void run_names_free(run_names *names);

/* Prints "wrote out/flag*.obj": the files of an output on the disk. */
void run_names_print(const char *output, int nbodies);

/* The name of the file that locks an output, or another file of a run; NULL when memory ran out. */
char *run_names_lock(const char *target);

/* The name followed by `ending`; NULL when memory ran out. */
char *run_names_append(const char *name, const char *ending);

/* Whether the output has a file for each frame. */
bool run_names_is_sequence(const char *output);

/* Whether the name has this ending, which is given without the dot. */
bool name_ends_in(const char *path, const char *ending);

#endif
