/* Scenes that include others: one document out of several files. */
#ifndef TAUT_IO_SCENE_INCLUDE_H
#define TAUT_IO_SCENE_INCLUDE_H

#include "io/scene_check.h"

/* The document, with all that it includes merged into it; NULL on error.
 *
 * Objects merge key by key, and what includes wins over what is included, a later included file over an earlier one. An
 * object with another "generator" or "shape" replaces the whole one, as its keys mean something else. Arrays and plain
 * values are replaced too, but for "bodies" and "colliders": entries with the name of an included one merge into it,
 * the others follow. */
tio_json *tio_scene_document(const tio_check *check, const char *name, const void *bytes, size_t size);

/* The path of the file that a string names, seen from the folder of the file that the string stands in; a string that
 * stands in none is seen from the working folder. NULL when memory ran out. */
const char *tio_file_beside(const tio_check *check, const tio_json *string);

#endif
