/* Checks of what a caller passes to a cache. */
#ifndef TAUT_IO_CACHE_CHECK_H
#define TAUT_IO_CACHE_CHECK_H

#include "taut_io.h"

/* Checks counts, indices and names; no two objects may end up under one name in any format. */
bool tio_check_objects(const taut_cache_object *object, int nobjects, taut_error *error);
/* Checks that the positions of a frame are finite. */
bool tio_check_frame(const taut_cache_object *object, int nobjects, const float *const *xyz, taut_error *error);

#endif
