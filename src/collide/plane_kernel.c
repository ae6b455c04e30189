/* Planes: `a` is a point of the plane, `normal` points out of the solid side. */
#include "base/error.h"
#include "collide/contact_kernel.h"

#include <math.h>

extern const tt_shape TT_NAME(tt_plane);

TT_INLINE touch touch_plane(const tt_placed *s, lane3 p, lane thickness)
{
    touch t;
    lane3 r = sub3(p, all3(s->a));
    t.normal = all3(s->normal);
    t.depth = thickness - dot3(r, t.normal);
    t.motion = add3(all3(s->da), cross3(all3(s->turn), r));
    return t;
}

TT_SHAPE_KERNEL(touch_plane)

static bool is_zero(const float v[3]) { return !(v[0] != 0 || v[1] != 0 || v[2] != 0); }

static bool check(const taut_collider_def *def, taut_error *error)
{
    if (!is_zero(def->normal)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.normal must not be zero");
}

/* A unit vector along n; n is finite and not zero, but may be tiny or huge. */
static void unit(const float n[3], float out[3])
{
    double x = (double)n[0], y = (double)n[1], z = (double)n[2], length = sqrt(x * x + y * y + z * z);
    out[0] = (float)(x / length), out[1] = (float)(y / length), out[2] = (float)(z / length);
}

/* The normal turns evenly. Halfway to its opposite it would vanish; there it takes its final direction. */
static void normal_at(const tt_collider *collider, float to, float out[3])
{
    float first[3], last[3], normal[3];
    unit(collider->now.normal, first);
    unit(collider->target.normal, last);
    for (int i = 0; i < 3; i++) normal[i] = first[i] + (last[i] - first[i]) * to;
    unit(is_zero(normal) ? last : normal, out);
}

/* Nothing gets past a plane, however far it goes. */
static void place(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    float before[3];
    normal_at(collider, to, placed->normal);
    normal_at(collider, from, before);
    tt_placed_turn(placed, before, placed->normal);
    placed->inner = INFINITY;
}

/* A half space. Its box is bounded only if the normal is exactly along an axis. */
static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    (void)collider;
    tt_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const float *n = def->normal;
    for (int i = 0; i < 3; i++) {
        if (n[(i + 1) % 3] != 0 || n[(i + 2) % 3] != 0) continue;
        if (n[i] > 0) all.high[i] = (double)def->a[i];
        else all.low[i] = (double)def->a[i];
    }
    return all;
}

const tt_shape TT_NAME(tt_plane) = {.name = "plane", .check = check, .place = place, .box = box, .keep_out = keep_out};
