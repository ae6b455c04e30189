/* Tapered capsules: all balls on the way from a to b, whose radius changes evenly from end to end. */
#include "collide/round_kernel.h"

extern const tt_shape TT_NAME(tt_tapered);

/* With y along the axis and x away from it, the ball at s is at the distance sqrt(x^2 + (y - s)^2) - r(s). This is
 * least at s = y - x slope, where slope = tan b and sin b = (r(a) - r(b)) / length; or at the nearer end. */
TT_INLINE touch touch_tapered(const tt_placed *s, lane3 p, lane thickness)
{
    lane3 r = sub3(p, all3(s->a)), axis = sub3(all3(s->b), all3(s->a));
    lane square = dot3(axis, axis), length = lane_sqrt(square), y = lane_divide(dot3(r, axis), square);
    lane3 across = sub3(r, scale3(y, axis));
    lane away = lane_sqrt(dot3(across, across)), along = y - lane_all(s->slope) * lane_divide(away, length);
    along = lane_min(lane_max(along, lane_all(s->least)), lane_all(s->most));
    lane radius = lane_all(s->radius) + along * (lane_all(s->radius_b) - lane_all(s->radius));
    return touch_round(s, sub3(r, scale3(along, axis)), radius, motion_at(s, r), thickness);
}

TT_SHAPE_KERNEL(touch_tapered)
TT_FACE_KERNEL(touch_tapered)

static bool check(const taut_collider_def *def, taut_error *error)
{
    bool sound = def->radius >= 0 && def->radius_b >= 0 && isfinite(def->radius) && isfinite(def->radius_b);
    if (sound && def->radius + def->radius_b > 0) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                   "collider.radius and radius_b must be at least 0 and one of them above 0, got %g and %g",
                   (double)def->radius, (double)def->radius_b);
}

/* If one ball contains the other, the shape is that ball alone. */
static void place(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    const taut_collider_def *now = &collider->now, *end = &collider->target;
    place_round(collider, from, to, placed);
    placed->radius_b = now->radius_b + (end->radius_b - now->radius_b) * to;
    placed->grown = fmaxf(placed->grown, (end->radius_b - now->radius_b) * (to - from));
    placed->inner = fminf(placed->radius, placed->radius_b);
    float axis[3];
    axis_at(collider, to, axis);
    double square = vec_dot(vec_of(axis), vec_of(axis)), narrower = (double)placed->radius - (double)placed->radius_b;
    double rest = square - narrower * narrower;
    bool one = !(rest > 1e-12 * square);
    placed->slope = one ? 0 : (float)(narrower / sqrt(rest));
    placed->least = one && narrower < 0 ? 1 : 0;
    placed->most = one && narrower >= 0 ? 0 : 1;
}

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    tt_box all = box_around(def->a, (double)def->radius), other = box_around(def->b, (double)def->radius_b);
    (void)collider;
    tt_box_grow(&all, &other);
    return all;
}

const tt_shape TT_NAME(tt_tapered) = {.name = "tapered",
    .check = check, .place = place, .box = box, .keep_out = keep_out, .meet_faces = meet_faces};
