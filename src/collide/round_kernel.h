/* Shared by spheres and capsules: shapes of all points within a radius of a point or a line, their middle. */
#ifndef TAUT_COLLIDE_ROUND_KERNEL_H
#define TAUT_COLLIDE_ROUND_KERNEL_H

#include "base/error.h"
#include "collide/face_kernel.h"

/* `r` are the vectors to the particles from the nearest points of the middle, which move by `motion`. A particle
 * exactly in the middle has no direction in which to leave. It stays until a constraint moves it. */
TT_INLINE touch touch_round(const tt_placed *s, lane3 r, lane radius, lane3 motion, lane thickness)
{
    touch t;
    lane distance = lane_sqrt(dot3(r, r)), outer = radius + thickness;
    t.depth = lane_select(lane_less(lane_all(0), distance), outer - distance, lane_all(0));
    t.normal = scale3(lane_divide(lane_all(1), distance), r);
    t.motion = add3(motion, cross3(all3(s->turn), r));
    return t;
}

static inline bool check_radius(const taut_collider_def *def, taut_error *error)
{
    if (def->radius > 0 && isfinite(def->radius)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.radius must be above 0, got %g", (double)def->radius);
}

/* The way from a to b at fraction `to` of the step. */
static inline void axis_at(const tt_collider *collider, float to, float axis[3])
{
    for (int i = 0; i < 3; i++) {
        float now = collider->now.b[i] - collider->now.a[i], end = collider->target.b[i] - collider->target.a[i];
        axis[i] = now + (end - now) * to;
    }
}

/* Sets how the axis turned on the way from `from` to `to`, and which particles could get past the shape. */
static inline void place_round(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    float before[3], after[3];
    axis_at(collider, from, before);
    axis_at(collider, to, after);
    if (collider->now.shape != TAUT_SPHERE) tt_placed_turn(placed, before, after);
    placed->grown = fmaxf(0, (collider->target.radius - collider->now.radius) * (to - from));
    placed->inner = placed->radius;
}

static inline tt_box box_around(const float centre[3], double radius)
{
    tt_box box;
    for (int i = 0; i < 3; i++) box.low[i] = (double)centre[i] - radius, box.high[i] = (double)centre[i] + radius;
    return box;
}

#endif
