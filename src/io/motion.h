/* Motion as a pure function of time: key-framed poses, key-framed vectors and gusts, the same bits everywhere. */
#ifndef TAUT_IO_MOTION_H
#define TAUT_IO_MOTION_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct tio_quaternion {
    double x, y, z, w;
} tio_quaternion;

/* The rotation b followed by the rotation a. */
tio_quaternion tio_quaternion_multiply(tio_quaternion a, tio_quaternion b);
tio_quaternion tio_quaternion_scale(tio_quaternion q, double factor);
double tio_quaternion_dot(tio_quaternion a, tio_quaternion b);
/* The rotation by `degrees` about an axis of unit length. */
tio_quaternion tio_quaternion_turn(vec3 axis, double degrees);
/* Rotates a vector. `q` has unit length. */
vec3 tio_rotate(tio_quaternion q, vec3 v);
/* Turns from a (share 0) to b (share 1) at an even pace. The signs choose the way: q and -q are the same rotation, but
 * the ways to them go round the circle in opposite directions. */
tio_quaternion tio_slerp(tio_quaternion a, tio_quaternion b, double share);

/* A change of place: scale and turn about a point, then move. */
typedef struct tio_pose {
    vec3 position;
    tio_quaternion rotation;
    double scale;
} tio_pose;

#define TIO_AT_REST ((tio_pose){.rotation = {0, 0, 0, 1}, .scale = 1})

vec3 tio_pose_apply(const tio_pose *pose, vec3 about, vec3 x);

typedef struct tio_pose_key {
    double time; /* s, each later than the one before */
    tio_pose pose;
} tio_pose_key;

/* Before the first key, and after the last, the nearest key holds. */
typedef struct tio_motion {
    int nkeys; /* 0: at rest */
    tio_pose_key *key;
    bool smooth; /* eases in and out of every key */
} tio_motion;

tio_pose tio_motion_at(const tio_motion *motion, double time);

typedef struct tio_wind_key {
    double time;
    vec3 velocity;
} tio_wind_key;

/* Wind that goes in straight lines from key to key, times 1 + gust * (a wave of -1..1). */
typedef struct tio_wind {
    int nkeys; /* at least 1; one alone always holds */
    tio_wind_key *key;
    double gust, period;
} tio_wind;

vec3 tio_wind_at(const tio_wind *wind, double time);
/* A smooth wave in -1..1 that looks irregular: the sum of three waves of different lengths. */
double tio_gust_wave(double time, double period);

#endif
