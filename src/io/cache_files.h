/* Formats with one file a frame: the frames that are on the disk. */
#ifndef TAUT_IO_CACHE_FILES_H
#define TAUT_IO_CACHE_FILES_H

#include "io/cache.h"

/* The ending of frames: a list of frames has another one than they have. */
const char *tio_frames_ending(const taut_cache *cache);
/* Removes the frames behind the last one, which an earlier and longer animation of the same name left: as many as
 * follow without a gap and begin as the format's files do. */
bool tio_remove_later_frames(const taut_cache *cache, taut_error *error);

#endif
