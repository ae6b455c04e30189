#include "world/cursor.h"

#include "world/origin.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void copy_number(void *to, const void *from, size_t size)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if (is_little_endian()) memcpy(to, from, size);
    else
        for (size_t i = 0; i < size; i++) out[i] = in[size - 1 - i];
}

static bool has_left(tt_cursor *c, size_t size)
{
    if (tt_is_reading(c) && (size > c->size || c->at > c->size - size)) c->failed = true;
    return !c->failed;
}

static void walk_number(tt_cursor *c, void *value, size_t size)
{
    if (!has_left(c, size)) return;
    if (c->walk == TT_WRITE) copy_number(c->to + c->at, value, size);
    if (tt_is_reading(c)) copy_number(value, c->from + c->at, size);
    c->at += size;
}

void tt_walk_int(tt_cursor *c, int *value) { walk_number(c, value, sizeof *value); }
void tt_walk_i64(tt_cursor *c, int64_t *value) { walk_number(c, value, sizeof *value); }
void tt_walk_u64(tt_cursor *c, uint64_t *value) { walk_number(c, value, sizeof *value); }
void tt_walk_float(tt_cursor *c, float *value) { walk_number(c, value, sizeof *value); }
void tt_walk_double(tt_cursor *c, double *value) { walk_number(c, value, sizeof *value); }

void tt_walk_bool(tt_cursor *c, bool *value)
{
    unsigned char byte = tt_is_reading(c) ? 0 : *value;
    walk_number(c, &byte, 1);
    if (byte > 1) c->failed = true;
    *value = byte == 1;
}

void tt_walk_text(tt_cursor *c, char *text, size_t count)
{
    for (size_t i = 0; i < count; i++) walk_number(c, &text[i], 1);
}

static void walk_bounded(tt_cursor *c, float *value, float least)
{
    walk_number(c, value, sizeof *value);
    if (tt_is_reading(c) && !(isfinite(*value) && *value >= least)) c->failed = true;
}

void tt_walk_point(tt_cursor *c, double point[3])
{
    for (int i = 0; i < 3; i++) {
        tt_walk_double(c, &point[i]);
        if (tt_is_reading(c) && !(fabs(point[i]) <= TT_FARTHEST)) c->failed = true;
    }
}

void tt_walk_vector(tt_cursor *c, float *vector, size_t count)
{
    for (size_t i = 0; i < count; i++) walk_bounded(c, &vector[i], -FLT_MAX);
}

void tt_walk_array(tt_cursor *c, float *data, size_t count, size_t width, size_t stride, float least)
{
    size_t floats = count * width;
    if (!has_left(c, floats * sizeof(float))) return;
    if (c->walk == TT_COUNT) c->at += floats * sizeof(float);
    for (size_t i = 0; i < count && c->walk != TT_COUNT; i++)
        for (size_t k = 0; k < width; k++) {
            float looked_at = 0;
            walk_bounded(c, c->walk == TT_CHECK ? &looked_at : &data[i * stride + k], least);
        }
}
