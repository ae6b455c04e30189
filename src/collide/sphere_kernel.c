/* Spheres: centre a, radius. */
#include "collide/round_kernel.h"

extern const tt_shape TT_NAME(tt_sphere);

TT_INLINE touch touch_sphere(const tt_placed *s, lane3 p, lane thickness)
{
    return touch_round(s, sub3(p, all3(s->a)), lane_all(s->radius), all3(s->da), thickness);
}

TT_SHAPE_KERNEL(touch_sphere)
TT_FACE_KERNEL(touch_sphere)

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    (void)collider;
    return box_around(def->a, (double)def->radius);
}

const tt_shape TT_NAME(tt_sphere) = {.name = "sphere",
    .check = check_radius, .place = place_round, .box = box, .keep_out = keep_out, .meet_faces = meet_faces};
