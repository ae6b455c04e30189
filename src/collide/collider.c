#include "collide/shape.h"

#include "base/definition.h"
#include "base/error.h"

#include <math.h>

enum { COOKIE = 0x7a0731a3 };

void taut_init_collider_def(taut_collider_def *def, size_t size)
{
    static const taut_collider_def usual = {.cookie = COOKIE,
                                            .shape = TAUT_PLANE,
                                            .b = {0, 1, 0},
                                            .normal = {0, 1, 0},
                                            .radius = 1,
                                            .friction = 0.5f,
                                            .group = 1,
                                            .mask = UINT32_MAX};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

static const tt_shape *shape_of(const taut_collider_def *def) { return tt_shapes("scalar")->shape[def->shape]; }

static bool finite3(const float v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

bool tt_collider_check(const taut_collider_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the collider does not come from taut_default_collider_def()", error))
        return false;
    if ((int)def->shape < 0 || (int)def->shape >= TT_SHAPES)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.shape must be a plane, sphere or capsule, got %d",
                       (int)def->shape);
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->origin[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "collider.origin[%d] is not finite", i);
    if (!finite3(def->a)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.a is not finite");
    if (!finite3(def->b)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.b is not finite");
    if (!finite3(def->spin)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.spin is not finite");
    if (!finite3(def->normal)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.normal is not finite");
    if (!(def->friction >= 0 && isfinite(def->friction)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.friction must be at least 0, got %g",
                       (double)def->friction);
    return shape_of(def)->check(def, error);
}

tt_placed tt_collider_place(const tt_collider *collider, float from, float to, float h)
{
    const taut_collider_def *now = &collider->now, *end = &collider->target;
    tt_placed placed = {.shape = end->shape, .friction = end->friction, .group = end->group, .mask = end->mask};
    placed.radius = now->radius + (end->radius - now->radius) * to;
    placed.to = to;
    for (int i = 0; i < 3; i++) {
        placed.now_a[i] = now->origin[i] + (double)now->a[i];
        placed.now_b[i] = now->origin[i] + (double)now->b[i];
        placed.end_a[i] = end->origin[i] + (double)end->a[i];
        placed.end_b[i] = end->origin[i] + (double)end->b[i];
        placed.da[i] = (float)(placed.end_a[i] - placed.now_a[i]) * (to - from);
        placed.db[i] = (float)(placed.end_b[i] - placed.now_b[i]) * (to - from);
        placed.turn[i] = end->spin[i] * h;
    }
    const tt_shape *shape = shape_of(end);
    if (shape->place) shape->place(collider, to, &placed);
    const double world[3] = {0, 0, 0};
    return tt_placed_from(&placed, world);
}

static float between(double now, double end, double origin, float to)
{
    float first = (float)(now - origin), last = (float)(end - origin);
    return first + (last - first) * to;
}

tt_placed tt_placed_from(const tt_placed *placed, const double origin[3])
{
    tt_placed moved = *placed;
    for (int i = 0; i < 3; i++) {
        moved.a[i] = between(placed->now_a[i], placed->end_a[i], origin[i], placed->to);
        moved.b[i] = between(placed->now_b[i], placed->end_b[i], origin[i], placed->to);
    }
    return moved;
}

/* The largest coordinate of a box. Sides that are infinitely far away do not count. */
static double size_of(const tt_box *box)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double low = fabs(box->low[i]), high = fabs(box->high[i]);
        if (low > most && isfinite(low)) most = low;
        if (high > most && isfinite(high)) most = high;
    }
    return most;
}

static tt_box box_in_world(const taut_collider_def *def)
{
    tt_box box = shape_of(def)->box(def);
    for (int i = 0; i < 3; i++) box.low[i] += def->origin[i], box.high[i] += def->origin[i];
    return box;
}

/* Points move in straight lines and radii change evenly. So the box around both ends also holds everything between.
 * The kernels round a few times, by 6e-8 of the coordinates each; 1e-5 is above their sum. */
tt_box tt_collider_box(const tt_collider *collider)
{
    tt_box box = box_in_world(&collider->now), end = box_in_world(&collider->target);
    tt_box_grow(&box, &end);
    double slack = 1e-5 * size_of(&box);
    for (int i = 0; i < 3; i++) box.low[i] -= slack, box.high[i] += slack;
    return box;
}
