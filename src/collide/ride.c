#include "collide/ride.h"

#include "base/exact.h"
#include "base/vec.h"
#include "collide/turn.h"

static bool has_axis(const taut_collider_def *def) { return def->shape == TAUT_CAPSULE || def->shape == TAUT_TAPERED; }

/* The axis that turns the arm: that of a capsule, or the normal of a plane. A ball has none, because only its spin
 * turns it. */
static vec3 axis_of(const taut_collider_def *def)
{
    if (def->shape == TAUT_PLANE) return vec_of(def->normal);
    if (has_axis(def)) return vec_sub(vec_of(def->b), vec_of(def->a));
    return (vec3){0, 0, 0};
}

/* The size by which the arm grows. Boxes and hulls keep their arms, even if their sizes change. */
static double size_of(const taut_collider_def *def)
{
    if (def->shape == TAUT_TAPERED) return (double)def->radius + (double)def->radius_b;
    return def->shape == TAUT_SPHERE || def->shape == TAUT_CAPSULE ? (double)def->radius : 1;
}

static vec3 base_of(const taut_collider_def *def, double along)
{
    vec3 a = vec_add((vec3){def->origin[0], def->origin[1], def->origin[2]}, vec_of(def->a));
    if (!has_axis(def)) return a;
    return vec_add(a, vec_scale(vec_sub(vec_of(def->b), vec_of(def->a)), along));
}

static vec3 mix(vec3 a, vec3 b, double share) { return vec_add(a, vec_scale(vec_sub(b, a), share)); }

/* Turns r by the smallest rotation that takes direction `from` to direction `to`. Opposite directions have none. */
static vec3 turn_with(vec3 r, vec3 from, vec3 to)
{
    double size = vec_length(from) * vec_length(to);
    if (!(size > 0)) return r;
    vec3 v = vec_scale(vec_cross(from, to), 1 / size);
    double c = vec_dot(from, to) / size;
    if (!(1 + c > 1e-9)) return r;
    return vec_add(vec_add(vec_scale(r, c), vec_cross(v, r)), vec_scale(v, vec_dot(v, r) / (1 + c)));
}

/* Turns r about an axis by the length of the axis, rad (Rodrigues). */
static vec3 turn_about(vec3 r, vec3 axis)
{
    double angle = vec_length(axis);
    if (!(angle > 0 && angle <= 1e6)) return r;
    vec3 n = vec_scale(axis, 1 / angle);
    double c = tt_cos(angle), s = tt_sin(angle);
    vec3 turned = vec_add(vec_scale(r, c), vec_scale(vec_cross(n, r), s));
    return vec_add(turned, vec_scale(n, (1 - c) * vec_dot(n, r)));
}

static vec3 times_turn(const tt_turn *turn, vec3 r)
{
    const vec3 row[3] = {{turn->row[0][0], turn->row[0][1], turn->row[0][2]},
                         {turn->row[1][0], turn->row[1][1], turn->row[1][2]},
                         {turn->row[2][0], turn->row[2][1], turn->row[2][2]}};
    return (vec3){vec_dot(row[0], r), vec_dot(row[1], r), vec_dot(row[2], r)};
}

/* Turns r as boxes and hulls turn on the way from one rotation to the other. */
static vec3 turn_as_rotation(vec3 r, const float now[4], const float end[4], double to)
{
    tt_turn before = tt_turn_between(now, end, 0), after = tt_turn_between(now, end, (float)to);
    tt_turn turn = tt_turn_from(&before, &after);
    return times_turn(&turn, r);
}

static vec3 arm_at(const tt_collider *collider, const tt_ride *ride, double to, double time)
{
    const taut_collider_def *now = &collider->now, *end = &collider->target;
    vec3 axis = axis_of(now), arm = {ride->arm[0], ride->arm[1], ride->arm[2]};
    arm = turn_with(arm, axis, mix(axis, axis_of(end), to));
    if (end->shape >= TAUT_BOX && !has_axis(end)) arm = turn_as_rotation(arm, now->rotation, end->rotation, to);
    arm = turn_about(arm, vec_scale(vec_of(end->spin), time));
    return vec_scale(arm, 1 + (size_of(end) / size_of(now) - 1) * to);
}

/* ---- On a triangle of a mesh ---- */

/* The directions of a triangle: along its first side, across it in the plane, and out of the plane. */
static void directions_of(const vec3 corner[3], vec3 direction[3])
{
    vec3 along = vec_sub(corner[1], corner[0]), out = vec_cross(along, vec_sub(corner[2], corner[0]));
    double length = vec_length(along), area = vec_length(out);
    direction[0] = vec_scale(along, length > 0 ? 1 / length : 0);
    direction[2] = vec_scale(out, area > 0 ? 1 / area : 0);
    direction[1] = vec_cross(direction[2], direction[0]);
}

static tt_turn turn_at(const tt_collider *collider, double to)
{
    return tt_turn_between(collider->now.rotation, collider->target.rotation, (float)to);
}

static bool ride_on_triangle(const tt_collider *collider, vec3 from_base, tt_ride *ride)
{
    const vec3 spin = vec_of(collider->now.spin);
    if (collider->now.shape != TAUT_MESH || vec_dot(spin, spin) > 0) return false;
    const tt_surface *surface = collider->owned->surface;
    tt_turn turn = turn_at(collider, 0), back;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) back.row[i][j] = turn.row[j][i];
    vec3 point = times_turn(&back, from_base), corner[3], direction[3];
    tt_spot spot;
    if (!tt_surface_nearest(surface, point, 0, INFINITY, &spot)) return false;
    tt_surface_corners(surface, spot.triangle, 0, corner);
    directions_of(corner, direction);
    ride->triangle = spot.triangle;
    for (int k = 0; k < 3; k++) {
        ride->weight[k] = spot.weight[k];
        ride->arm[k] = vec_dot(direction[k], vec_sub(point, spot.at));
    }
    return true;
}

static vec3 on_triangle(const tt_collider *collider, const tt_ride *ride, double to)
{
    vec3 corner[3], direction[3], point = {0, 0, 0};
    tt_surface_corners(collider->owned->surface, ride->triangle, to, corner);
    directions_of(corner, direction);
    for (int k = 0; k < 3; k++) {
        point = vec_add(point, vec_scale(corner[k], ride->weight[k]));
        point = vec_add(point, vec_scale(direction[k], ride->arm[k]));
    }
    tt_turn turn = turn_at(collider, to);
    return times_turn(&turn, point);
}

/* ---- All ---- */

static void put(vec3 a, double out[3]) { out[0] = a.x, out[1] = a.y, out[2] = a.z; }

tt_ride tt_ride_of(const tt_collider *collider, const double point[3])
{
    tt_ride ride = {.triangle = -1};
    vec3 p = {point[0], point[1], point[2]}, axis = axis_of(&collider->now);
    double square = vec_dot(axis, axis);
    if (has_axis(&collider->now) && square > 0) {
        ride.along = vec_dot(vec_sub(p, base_of(&collider->now, 0)), axis) / square;
        ride.along = ride.along < 0 ? 0 : ride.along > 1 ? 1 : ride.along;
    }
    vec3 arm = vec_sub(p, base_of(&collider->now, ride.along));
    if (!ride_on_triangle(collider, arm, &ride)) put(arm, ride.arm);
    return ride;
}

void tt_ride_at(const tt_collider *collider, const tt_ride *ride, double to, double time, double point[3])
{
    vec3 base = mix(base_of(&collider->now, ride->along), base_of(&collider->target, ride->along), to);
    vec3 arm = ride->triangle >= 0 ? on_triangle(collider, ride, to) : arm_at(collider, ride, to, time);
    put(vec_add(base, arm), point);
}

tt_ride tt_ride_after(const tt_collider *collider, const tt_ride *ride, double dt)
{
    tt_ride after = *ride;
    if (ride->triangle < 0) put(arm_at(collider, ride, 1, dt), after.arm);
    return after;
}
