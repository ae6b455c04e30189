#ifndef TOOLS_FOLDER_H
#define TOOLS_FOLDER_H

#include <stdbool.h>

/* Makes a folder and those above it. On failure returns false and sets errno. */
bool folder_make(const char *path);
/* Whether a path leads to a folder; if not, sets errno. */
bool folder_is_there(const char *path);

#endif
