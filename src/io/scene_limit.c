/* The "limit" object of a material: hard limits, in plain stretches and in degrees per metre. */
#include "base/exact.h"
#include "io/scene_material.h"

#include <math.h>

typedef struct limit_text {
    taut_limit limit;
    const tio_json *stretch, *x, *y, *z, *edge, *bend;
} limit_text;

/* One end of an interval: a number from low to high, or "none" for no limit there. */
static bool read_end(const tio_check *check, const tio_json *value, float low, float high, float none, float *end)
{
    if (tio_is_word(value, "none")) {
        *end = none;
        return true;
    }
    if (!tio_expect_number_or(check, value, "none")) return false;
    const tio_key key = {.name = "end", .kind = TIO_FLOAT, .range = {(double)low, (double)high, false}};
    return tio_read_value(check, value, &key, end);
}

/* Two ends, around what is at rest. */
static bool read_interval(const tio_check *check, const tio_json *value, float least, float rest, float interval[2])
{
    const float most = (float)TIO_MOST;
    if (!value) return true;
    if (!tio_expect(check, value, TIO_JSON_ARRAY)) return false;
    if (value->count != 2) return tio_fail_at(check, value, "must have 2 entries, got %d", value->count);
    const tio_json *low = value->first, *high = low->next;
    if (low->type == TIO_JSON_NUMBER && high->type == TIO_JSON_NUMBER && low->number > high->number)
        return tio_fail_at(check, value, "must have the smaller number first, got %g and %g", low->number,
                           high->number);
    float none = least < 0 ? -INFINITY : 0;
    return read_end(check, low, least, rest, none, &interval[0]) &&
           read_end(check, high, rest, most, INFINITY, &interval[1]);
}

bool tio_read_limit(const tio_check *check, const tio_json *object, taut_limit *limit)
{
    static const tio_key keys[] = {
        {"stretch", TIO_VALUE, offsetof(limit_text, stretch), {0, 0, false}, NULL, false},
        {"x", TIO_VALUE, offsetof(limit_text, x), {0, 0, false}, NULL, false},
        {"y", TIO_VALUE, offsetof(limit_text, y), {0, 0, false}, NULL, false},
        {"z", TIO_VALUE, offsetof(limit_text, z), {0, 0, false}, NULL, false},
        {"edge", TIO_VALUE, offsetof(limit_text, edge), {0, 0, false}, NULL, false},
        {"bend", TIO_VALUE, offsetof(limit_text, bend), {0, 0, false}, NULL, false},
        {"iterations", TIO_INT, offsetof(limit_text, limit.iterations), {1, 10000, false}, NULL, false},
        {"threshold", TIO_FLOAT, offsetof(limit_text, limit.threshold), {0, TIO_MOST, false}, NULL, false},
        {"enforcement", TIO_CHOICE, offsetof(limit_text, limit.enforcement), {0, 0, false}, "windowed|random|jacobi",
         false},
    };
    limit_text text = {.limit = *limit};
    float degrees[2] = {limit->bend[0], limit->bend[1]};
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text) ||
        !read_interval(check, text.stretch, 0, 1, text.limit.stretch) ||
        !read_interval(check, text.x, 0, 1, text.limit.axis[0]) ||
        !read_interval(check, text.y, 0, 1, text.limit.axis[1]) ||
        !read_interval(check, text.z, 0, 1, text.limit.axis[2]) ||
        !read_interval(check, text.edge, 0, 1, text.limit.edge) ||
        !read_interval(check, text.bend, -(float)TIO_MOST, 0, degrees))
        return false;
    for (int i = 0; i < 2; i++)
        if (text.bend) text.limit.bend[i] = degrees[i] * (float)(TT_PI / 180);
    *limit = text.limit;
    return true;
}
