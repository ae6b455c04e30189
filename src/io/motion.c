#include "io/motion.h"
#include "base/exact.h"

/* ---- Rotations ------------------------------------------------------------------------------ */

tio_quaternion tio_quaternion_multiply(tio_quaternion a, tio_quaternion b)
{
    return (tio_quaternion){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

tio_quaternion tio_quaternion_scale(tio_quaternion q, double factor)
{
    return (tio_quaternion){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

double tio_quaternion_dot(tio_quaternion a, tio_quaternion b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

tio_quaternion tio_quaternion_turn(vec3 axis, double degrees)
{
    double half = degrees * (TT_PI / 360), s = tt_sin(half);
    return (tio_quaternion){axis.x * s, axis.y * s, axis.z * s, tt_cos(half)};
}

vec3 tio_rotate(tio_quaternion q, vec3 v)
{
    vec3 axis = {q.x, q.y, q.z}, t = vec_scale(vec_cross(axis, v), 2);
    return vec_add(vec_add(v, vec_scale(t, q.w)), vec_cross(axis, t));
}

static tio_quaternion mix(tio_quaternion a, double wa, tio_quaternion b, double wb)
{
    tio_quaternion q = {a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
    return tio_quaternion_scale(q, 1 / sqrt(tio_quaternion_dot(q, q)));
}

tio_quaternion tio_slerp(tio_quaternion a, tio_quaternion b, double share)
{
    tio_quaternion apart = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    tio_quaternion along = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    double difference = sqrt(tio_quaternion_dot(apart, apart)), sum = sqrt(tio_quaternion_dot(along, along));
    double angle = 2 * tt_atan2(difference, sum), sine = tt_sin(angle);
    if (sine > 1e-6) return mix(a, tt_sin((1 - share) * angle), b, tt_sin(share * angle));
    if (difference < sum) return mix(a, 1 - share, b, share);
    return share < 0.5 ? a : b; /* a whole turn has no particular axis */
}

/* ---- Poses ---------------------------------------------------------------------------------- */

vec3 tio_pose_apply(const tio_pose *pose, vec3 about, vec3 x)
{
    vec3 turned = tio_rotate(pose->rotation, vec_scale(vec_sub(x, about), pose->scale));
    return vec_add(vec_add(about, turned), pose->position);
}

static vec3 between(vec3 a, vec3 b, double share) { return vec_add(a, vec_scale(vec_sub(b, a), share)); }

/* 3 s^2 - 2 s^3: from 0 to 1, level at both ends. */
static double ease(double share) { return share * share * (3 - 2 * share); }

tio_pose tio_motion_at(const tio_motion *motion, double time)
{
    const tio_pose_key *key = motion->key;
    int last = motion->nkeys - 1, i = 0;
    if (last < 0) return TIO_AT_REST;
    if (time <= key[0].time) return key[0].pose;
    if (time >= key[last].time) return key[last].pose;
    while (time >= key[i + 1].time) i++;
    double share = (time - key[i].time) / (key[i + 1].time - key[i].time);
    if (motion->smooth) share = ease(share);
    const tio_pose *a = &key[i].pose, *b = &key[i + 1].pose;
    return (tio_pose){between(a->position, b->position, share), tio_slerp(a->rotation, b->rotation, share),
                      a->scale + (b->scale - a->scale) * share};
}

/* ---- Wind ----------------------------------------------------------------------------------- */

/* From -1 at phase 0 up to 1 at 0.5 and back at 1. */
static double wave(double phase)
{
    phase -= floor(phase);
    return 2 * ease(phase < 0.5 ? 2 * phase : 2 - 2 * phase) - 1;
}

/* The lengths of the waves have no small common multiple, so the sum does not repeat for a long time. The weights add
 * up to 1. */
double tio_gust_wave(double time, double period)
{
    double turns = time / period;
    return 0.5 * wave(turns + 0.25) + 0.3 * wave(1.7 * turns + 0.6) + 0.2 * wave(3.1 * turns + 0.4);
}

vec3 tio_wind_at(const tio_wind *wind, double time)
{
    const tio_wind_key *key = wind->key;
    int last = wind->nkeys - 1, i = 0;
    vec3 velocity;
    if (time <= key[0].time || last == 0) {
        velocity = key[0].velocity;
    } else if (time >= key[last].time) {
        velocity = key[last].velocity;
    } else {
        while (time >= key[i + 1].time) i++;
        velocity = between(key[i].velocity, key[i + 1].velocity,
                           (time - key[i].time) / (key[i + 1].time - key[i].time));
    }
    return wind->gust > 0 ? vec_scale(velocity, 1 + wind->gust * tio_gust_wave(time, wind->period)) : velocity;
}
