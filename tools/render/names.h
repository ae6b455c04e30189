/* Names of numbered files, as for caches. */
#ifndef TOOLS_RENDER_NAMES_H
#define TOOLS_RENDER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

bool name_ends_with(const char *path, const char *ending);
/* Whether the file's name has a place for a number: %d or %04d. */
bool name_has_number(const char *path);
/* The path with the number in that place. A path without a place gets four digits before the ending. False when
 * `size` is too small, or when the name has a % that is not a place for a number. */
bool name_of_frame(char *name, size_t size, const char *path, int number);
/* The file itself, or the first of the sequence; false when there is neither. */
bool name_of_first(char *name, size_t size, const char *path);

#endif
