/* A place in the bytes of a save. One walk over the state serves for counting, writing, checking and reading, so the
 * four cannot disagree. Numbers are little-endian on every machine. */
#ifndef TAUT_WORLD_CURSOR_H
#define TAUT_WORLD_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tt_walk {
    TT_COUNT, /* only `at` moves                                          */
    TT_WRITE, /* numbers go to the bytes                                  */
    TT_CHECK, /* numbers come from the bytes; arrays are only looked at   */
    TT_READ   /* numbers come from the bytes, which have been checked     */
} tt_walk;

typedef struct tt_cursor {
    tt_walk walk;
    unsigned char *to;
    const unsigned char *from;
    size_t at, size;
    bool failed; /* the bytes ended too early, or a number is impossible */
} tt_cursor;

static inline bool tt_is_reading(const tt_cursor *c) { return c->walk == TT_CHECK || c->walk == TT_READ; }

void tt_walk_bool(tt_cursor *c, bool *value);
void tt_walk_int(tt_cursor *c, int *value);
void tt_walk_i64(tt_cursor *c, int64_t *value);
void tt_walk_u64(tt_cursor *c, uint64_t *value);
void tt_walk_float(tt_cursor *c, float *value); /* any, infinities too */
void tt_walk_double(tt_cursor *c, double *value);
/* Characters; then numbers that must be finite. */
void tt_walk_text(tt_cursor *c, char *text, size_t count);
void tt_walk_point(tt_cursor *c, double point[3]);
void tt_walk_vector(tt_cursor *c, float *vector, size_t count);
/* `count` items of `width` floats each, `stride` floats apart. All must be finite and at least `least`. TT_CHECK
 * does not touch `data`. */
void tt_walk_array(tt_cursor *c, float *data, size_t count, size_t width, size_t stride, float least);

#endif
