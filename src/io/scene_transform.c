#include "io/scene_transform.h"
#include "base/error.h"

#include <math.h>

/* A rotation as written. */
typedef struct rotation {
    tio_quaternion q; /* of unit length */
    bool by_angles;
    double angle[3];
} rotation;

static bool read_rotation(const tio_check *check, const tio_json *value, rotation *out)
{
    static const tio_key angle = {.kind = TIO_DOUBLE, .range = {-1e6, 1e6, false}};
    double number[4];
    if (value->type != TIO_JSON_ARRAY || (value->count != 3 && value->count != 4))
        return tio_fail_at(check, value, "must be 3 angles in degrees or 4 numbers of a quaternion");
    const tio_json *item = value->first;
    for (int i = 0; i < value->count; i++, item = item->next)
        if (!tio_read_value(check, item, &angle, &number[i])) return false;
    *out = (rotation){.by_angles = value->count == 3, .angle = {number[0], number[1], number[2]}};
    if (out->by_angles) {
        tio_quaternion x = tio_quaternion_turn((vec3){1, 0, 0}, number[0]);
        tio_quaternion y = tio_quaternion_turn((vec3){0, 1, 0}, number[1]);
        tio_quaternion z = tio_quaternion_turn((vec3){0, 0, 1}, number[2]);
        out->q = tio_quaternion_multiply(z, tio_quaternion_multiply(y, x));
    } else {
        out->q = (tio_quaternion){number[0], number[1], number[2], number[3]};
    }
    double length = sqrt(tio_quaternion_dot(out->q, out->q));
    if (!(length > 0)) return tio_fail_at(check, value, "must not be zero");
    out->q = (tio_quaternion){out->q.x / length, out->q.y / length, out->q.z / length, out->q.w / length};
    return true;
}

bool tio_read_rotation(const tio_check *check, const tio_json *value, float q[4])
{
    rotation turned;
    if (!read_rotation(check, value, &turned)) return false;
    q[0] = (float)turned.q.x, q[1] = (float)turned.q.y, q[2] = (float)turned.q.z, q[3] = (float)turned.q.w;
    return true;
}

/* ---- Transforms ----------------------------------------------------------------------------- */

bool tio_read_transform(const tio_check *check, const tio_json *object, tio_transform *transform)
{
    struct parts {
        tio_transform transform;
        const tio_json *rotation;
    } read = {*transform, NULL};
    const tio_key keys[] = {
        {"position", TIO_VECTOR, offsetof(struct parts, transform.position), TIO_ANY, NULL, false},
        {"rotation", TIO_VALUE, offsetof(struct parts, rotation), TIO_ANY, NULL, false},
        {"scale", TIO_FLOAT, offsetof(struct parts, transform.scale), TIO_POSITIVE, NULL, false},
    };
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &read)) return false;
    if (read.rotation && !tio_read_rotation(check, read.rotation, read.transform.rotation)) return false;
    *transform = read.transform;
    return true;
}

tio_quaternion tio_transform_rotation(const tio_transform *transform)
{
    const float *r = transform->rotation;
    return (tio_quaternion){r[0], r[1], r[2], r[3]};
}

void tio_place(const tio_transform *transform, const float x[3], float out[3])
{
    vec3 p = tio_rotate(tio_transform_rotation(transform), vec_of(x));
    out[0] = (float)(p.x + (double)transform->position[0]);
    out[1] = (float)(p.y + (double)transform->position[1]);
    out[2] = (float)(p.z + (double)transform->position[2]);
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* An array of at least one object, whose times ascend. */
static bool expect_keys(const tio_check *check, const tio_json *keys)
{
    if (!tio_expect(check, keys, TIO_JSON_ARRAY)) return false;
    return keys->count > 0 || tio_fail_at(check, keys, "must have at least one key");
}

static bool expect_later(const tio_check *check, const tio_json *object, double time, double before)
{
    if (time > before) return true;
    return tio_fail_at(check, tio_json_member(object, "time"), "must be above %.9g, that of the key before, got %.9g",
                       before, time);
}

/* A key as written. */
typedef struct key_text {
    double time;
    float position[3];
    double scale;
    const tio_json *rotation;
} key_text;

static bool read_key(const tio_check *check, const tio_json *object, key_text *text)
{
    static const tio_key keys[] = {
        {"time", TIO_DOUBLE, offsetof(key_text, time), {0, 1e9, false}, NULL, true},
        {"position", TIO_VECTOR, offsetof(key_text, position), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"rotation", TIO_VALUE, offsetof(key_text, rotation), {0, 0, false}, NULL, false},
        {"scale", TIO_DOUBLE, offsetof(key_text, scale), {1e-6, 1e6, false}, NULL, false},
    };
    text->rotation = NULL;
    return tio_read_object(check, object, keys, TIO_COUNT(keys), text);
}

/* The sign of a quaternion decides in which direction things turn; see tio_slerp. Quaternions made from angles already
 * have the signs that turn the way the angles go, up to a whole turn. */
static bool choose_way(const tio_check *check, const tio_json *value, const rotation *before, rotation *now)
{
    if (before->by_angles && now->by_angles) {
        for (int i = 0; i < 3; i++)
            if (fabs(now->angle[i] - before->angle[i]) >= 360)
                return tio_fail_at(check, value, "turns 360 degrees or more from the key before: put a key between");
        return true;
    }
    if (tio_quaternion_dot(before->q, now->q) < 0) now->q = tio_quaternion_scale(now->q, -1);
    return true;
}

static bool read_pose(const tio_check *check, const tio_json *object, key_text *text, rotation *turned,
                      tio_pose_key *key)
{
    rotation next = *turned;
    if (!read_key(check, object, text)) return false;
    if (text->rotation) {
        if (!read_rotation(check, text->rotation, &next)) return false;
        if (object != object->parent->first && !choose_way(check, text->rotation, turned, &next)) return false;
    }
    *turned = next;
    *key = (tio_pose_key){text->time, {vec_of(text->position), next.q, text->scale}};
    return true;
}

bool tio_read_motion(const tio_check *check, const tio_json *keys, bool smooth, tio_motion *motion)
{
    if (!expect_keys(check, keys)) return false;
    key_text text = {.scale = 1};
    rotation turned = {.q = {0, 0, 0, 1}, .by_angles = true};
    tio_pose_key *key = TT_TAKE(check->memory, tio_pose_key, keys->count);
    if (!key) return tt_no_memory(check->error);
    int n = 0;
    for (const tio_json *item = keys->first; item; item = item->next, n++) {
        if (!read_pose(check, item, &text, &turned, &key[n])) return false;
        if (n > 0 && !expect_later(check, item, key[n].time, key[n - 1].time)) return false;
    }
    *motion = (tio_motion){n, key, smooth};
    return true;
}

/* ---- Wind ----------------------------------------------------------------------------------- */

typedef struct wind_text {
    float velocity[3];
    const tio_json *keys;
    double gust, period;
} wind_text;

static bool read_wind_keys(const tio_check *check, const tio_json *keys, tio_wind *wind)
{
    struct wind_key {
        double time;
        float velocity[3];
    } read = {.time = 0};
    const tio_key key_keys[] = {
        {"time", TIO_DOUBLE, offsetof(struct wind_key, time), {0, 1e9, false}, NULL, true},
        {"velocity", TIO_VECTOR, offsetof(struct wind_key, velocity), TIO_RATE, NULL, true},
    };
    if (!expect_keys(check, keys)) return false;
    wind->key = TT_TAKE(check->memory, tio_wind_key, keys->count);
    if (!wind->key) return tt_no_memory(check->error);
    int n = 0;
    for (const tio_json *item = keys->first; item; item = item->next, n++) {
        if (!tio_read_object(check, item, key_keys, TIO_COUNT(key_keys), &read)) return false;
        if (n > 0 && !expect_later(check, item, read.time, wind->key[n - 1].time)) return false;
        wind->key[n] = (tio_wind_key){read.time, vec_of(read.velocity)};
    }
    wind->nkeys = n;
    return true;
}

static bool read_still_wind(const tio_check *check, const float velocity[3], tio_wind *wind)
{
    wind->key = TT_TAKE(check->memory, tio_wind_key, 1);
    if (!wind->key) return tt_no_memory(check->error);
    wind->nkeys = 1;
    wind->key[0] = (tio_wind_key){0, vec_of(velocity)};
    return true;
}

bool tio_read_wind(const tio_check *check, const tio_json *value, tio_wind *wind)
{
    static const tio_key keys[] = {
        {"velocity", TIO_VECTOR, offsetof(wind_text, velocity), TIO_RATE, NULL, false},
        {"keys", TIO_VALUE, offsetof(wind_text, keys), {0, 0, false}, NULL, false},
        {"gust", TIO_DOUBLE, offsetof(wind_text, gust), {0, 1, false}, NULL, false},
        {"period", TIO_DOUBLE, offsetof(wind_text, period), {1e-3, 1e6, false}, NULL, false},
    };
    wind_text text = {.period = 2};
    if (value->type != TIO_JSON_OBJECT) {
        if (!tio_read_value(check, value, &keys[0], text.velocity)) return false;
        return read_still_wind(check, text.velocity, wind);
    }
    if (!tio_read_object(check, value, keys, TIO_COUNT(keys), &text)) return false;
    if (!text.keys == !tio_json_member(value, "velocity"))
        return tio_fail_at(check, value, "must have either \"velocity\" or \"keys\"");
    wind->gust = text.gust;
    wind->period = text.period;
    return text.keys ? read_wind_keys(check, text.keys, wind) : read_still_wind(check, text.velocity, wind);
}
