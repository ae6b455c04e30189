/* Meshes that move, read from files: PC2, MDD, and a mesh file a frame. */
#ifndef TAUT_IO_ANIMATED_H
#define TAUT_IO_ANIMATED_H

#include "taut_io.h"

/* Read the bytes of a PC2 or MDD file. On error the animation is empty. */
bool tio_read_pc2(const char *name, const taut_bytes *bytes, taut_animation *animation, taut_error *error);
bool tio_read_mdd(const char *name, const taut_bytes *bytes, taut_animation *animation, taut_error *error);
/* A path with %d or %04d names a file for each number. A path without one names the file itself, or else the files
 * with four digits before the ending, as taut_cache_open names them. */
bool tio_read_sequence(const char *path, taut_animation *animation, taut_error *error);

#endif
