/* Formats with one file a frame: the frames that are on the disk. */
#ifndef TAUT_IO_CACHE_FILES_H
#define TAUT_IO_CACHE_FILES_H

#include "io/cache.h"

/* The ending of the frames' files. The list of frames has another ending. */
const char *tio_frames_ending(const taut_cache *cache);
/* Removes the frames after the last one that an earlier and longer animation of the same name left. Stops at the first
 * gap, or at the first file that does not begin as the format's files do. */
bool tio_remove_later_frames(const taut_cache *cache, taut_error *error);

#endif
