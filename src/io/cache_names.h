/* Names of the files and objects of a cache. The results come from malloc; they are NULL when memory ran out. */
#ifndef TAUT_IO_CACHE_NAMES_H
#define TAUT_IO_CACHE_NAMES_H

#include "io/cache.h"

/* Where the name's ending begins (its dot); the end of the path when it has none. */
size_t tio_ending(const char *path);
/* The file of a frame: its number takes the place of %d or %0Nd, or goes before the ending as four digits. */
char *tio_frame_path(const char *path, int frame, const char *ending);
/* The path without the number and with another ending. */
char *tio_index_path(const char *path, const char *ending);
/* A single object gets PATH, several get PATH-NAME each. Characters that upset file systems become '_'. */
char *tio_object_path(const taut_cache *cache, int object);
/* The name in letters, digits and '_', not beginning with a digit. */
char *tio_identifier(const char *name);
/* The name as one line of text; `special` letters become '_'. */
char *tio_plain_name(const char *name, const char *special);
/* The part of a path after the last slash. */
const char *tio_base_name(const char *path);

#endif
