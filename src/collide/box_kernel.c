/* Boxes: centre a, axes of their own, half of the lengths of the sides. A side may be 0. */
#include "base/error.h"
#include "collide/face_kernel.h"

#include <math.h>

extern const tt_shape TT_NAME(tt_cuboid);

/* The number a with the sign of another number. */
TT_INLINE lane signed_as(lane a, lane sign) { return lane_select(lane_less(sign, lane_all(0)), -a, a); }

/* For a particle outside, the nearest point of the box comes from clamping the coordinates. For a particle inside, it
 * is on the nearest side. */
TT_INLINE touch touch_box(const tt_placed *s, lane3 p, lane thickness)
{
    const lane zero = lane_all(0), one = lane_all(1);
    lane3 r = sub3(p, all3(s->a)), own = turn3(s->axis, r), half = all3(s->half);
    lane3 over = {lane_abs(own.x) - half.x, lane_abs(own.y) - half.y, lane_abs(own.z) - half.z};
    lane3 out = {lane_max(over.x, zero), lane_max(over.y, zero), lane_max(over.z, zero)};
    lane distance = lane_sqrt(dot3(out, out)), deepest = lane_max(over.x, lane_max(over.y, over.z));
    mask outside = lane_less(zero, distance), by_x = lane_less(lane_max(over.y, over.z), over.x);
    mask by_y = lane_less(over.z, over.y);
    lane3 side = {lane_select(by_x, one, zero), lane_select(by_x, zero, lane_select(by_y, one, zero)),
                  lane_select(by_x, zero, lane_select(by_y, zero, one))};
    lane3 normal = select3(outside, scale3(lane_divide(one, distance), out), side);
    normal = (lane3){signed_as(normal.x, own.x), signed_as(normal.y, own.y), signed_as(normal.z, own.z)};
    return (touch){thickness - lane_select(outside, distance, deepest), turn3_back(s->axis, normal), motion_at(s, r)};
}

TT_SHAPE_KERNEL(touch_box)
TT_FACE_KERNEL(touch_box)

static bool check(const taut_collider_def *def, taut_error *error)
{
    for (int i = 0; i < 3; i++)
        if (!(def->size[i] >= 0 && isfinite(def->size[i])))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "collider.size[%d] must be at least 0, got %g", i,
                           (double)def->size[i]);
    return true;
}

static void place(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    const float *now = collider->now.size, *end = collider->target.size;
    placed->inner = INFINITY;
    for (int i = 0; i < 3; i++) {
        placed->half[i] = (now[i] + (end[i] - now[i]) * to) / 2;
        placed->grown = fmaxf(placed->grown, (end[i] - now[i]) / 2 * (to - from));
        placed->inner = fminf(placed->inner, placed->half[i]);
    }
    tt_placed_rotate(collider, from, to, placed);
}

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    const float *size = def->size;
    const double s[3] = {(double)size[0], (double)size[1], (double)size[2]};
    (void)collider;
    return tt_turned_box(def, &(tt_box){{-s[0] / 2, -s[1] / 2, -s[2] / 2}, {s[0] / 2, s[1] / 2, s[2] / 2}});
}

const tt_shape TT_NAME(tt_cuboid) = {.name = "box",
    .check = check, .place = place, .box = box, .keep_out = keep_out, .meet_faces = meet_faces};
