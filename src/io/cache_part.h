/* PATH.part keeps the frames of formats that need to know all of them before the first byte is written (counts, bounds,
 * one object after the other). The finished file is made from it at the end.
 *
 *     32 bytes: "tautpart", a hash of the objects and the frame rate, bytes a frame, zero
 *     every frame: the positions of all objects, floats, little-endian
 *
 * All frames have the same size, so a torn frame is noticed, and a run goes on by cutting the file back. That cannot
 * change the result, because the finished file depends only on the objects and the frames. */
#ifndef TAUT_IO_CACHE_PART_H
#define TAUT_IO_CACHE_PART_H

#include "io/cache.h"

/* Makes PATH.part, or cuts the one of an interrupted run back to `first_frame` frames. */
bool tio_part_open(taut_cache *cache, int first_frame, taut_error *error);
/* Writes frame number cache->frames. */
bool tio_part_write(taut_cache *cache, const float *const *xyz, taut_error *error);

#endif
