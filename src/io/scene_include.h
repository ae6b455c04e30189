/* Scenes that include others: one document out of several files. */
#ifndef TAUT_IO_SCENE_INCLUDE_H
#define TAUT_IO_SCENE_INCLUDE_H

#include "io/scene_check.h"

/* The document, with everything that it includes merged into it; NULL on error.
 *
 * Objects merge key by key. The including file wins over the included one, and a later included file over an earlier
 * one. An object with another "generator" or "shape" replaces the whole object, because its keys mean something else.
 * Arrays and plain values are replaced too. "bodies" and "colliders" are exceptions: an entry with the name of an
 * included entry merges into it, and the other entries follow. */
tio_json *tio_scene_document(const tio_check *check, const char *name, const void *bytes, size_t size);

/* The path of the file that a string names. It is relative to the folder of the file that holds the string, or to
 * the working folder when no file holds it. NULL when memory ran out. */
const char *tio_file_beside(const tio_check *check, const tio_json *string);

#endif
