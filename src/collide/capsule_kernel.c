/* Capsules: ends a and b of the axis, radius. If the ends coincide, the capsule is a sphere. */
#include "collide/round_kernel.h"

extern const tt_shape TT_NAME(tt_capsule);

TT_INLINE touch touch_capsule(const tt_placed *s, lane3 p, lane thickness)
{
    lane3 r = sub3(p, all3(s->a)), axis = sub3(all3(s->b), all3(s->a));
    lane along = lane_divide(dot3(r, axis), dot3(axis, axis));
    along = lane_min(lane_max(along, lane_all(0)), lane_all(1));
    lane3 motion = add3(all3(s->da), scale3(along, sub3(all3(s->db), all3(s->da))));
    return touch_round(s, sub3(r, scale3(along, axis)), lane_all(s->radius), motion, thickness);
}

TT_SHAPE_KERNEL(touch_capsule)
TT_FACE_KERNEL(touch_capsule)

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    (void)collider;
    tt_box all = box_around(def->a, (double)def->radius), other = box_around(def->b, (double)def->radius);
    tt_box_grow(&all, &other);
    return all;
}

const tt_shape TT_NAME(tt_capsule) = {.name = "capsule",
    .check = check_radius, .place = place_round, .box = box, .keep_out = keep_out, .meet_faces = meet_faces};
