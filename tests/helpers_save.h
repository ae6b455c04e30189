/* The bytes of a saved world. Include after cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_SAVE_H
#define TAUT_TESTS_HELPERS_SAVE_H

#include "taut.h"

#include <stdlib.h>

typedef struct save {
    unsigned char *bytes; /* free() them */
    size_t size;
} save;

static inline save take_save(const taut_world *world)
{
    save s = {.size = taut_world_save(world, NULL, 0)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(taut_world_save(world, s.bytes, s.size), s.size);
    return s;
}

#endif
