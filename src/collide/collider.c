#include "collide/shape.h"

#include "base/definition.h"
#include "base/error.h"
#include "collide/turn.h"

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
                                            .mask = UINT32_MAX,
                                            .rotation = {0, 0, 0, 1},
                                            .size = {1, 1, 1},
                                            .radius_b = 1};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

static const tt_shape *shape_of(const taut_collider_def *def) { return tt_shapes("scalar")->shape[def->shape]; }

static bool finite3(const float v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

static bool check_rotation(const taut_collider_def *def, taut_error *error)
{
    double norm = 0;
    for (int i = 0; i < 4; i++) norm += (double)def->rotation[i] * (double)def->rotation[i];
    if (fabs(norm - 1) < 1e-3) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                   "collider.rotation must be a unit quaternion, its length squared is %g", norm);
}

bool tt_collider_check(const taut_collider_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the collider does not come from taut_default_collider_def()", error))
        return false;
    if ((int)def->shape < 0 || (int)def->shape >= TT_SHAPES)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.shape must be one of taut_shape, got %d",
                       (int)def->shape);
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->origin[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "collider.origin[%d] is not finite", i);
    if (!finite3(def->a)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.a is not finite");
    if (!finite3(def->b)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.b is not finite");
    if (!finite3(def->spin)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.spin is not finite");
    if (!finite3(def->normal)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.normal is not finite");
    if (!finite3(def->belt)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.belt is not finite");
    if (!check_rotation(def, error)) return false;
    if (!(def->thickness >= 0 && isfinite(def->thickness)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.thickness must be at least 0, got %g",
                       (double)def->thickness);
    if (!(def->friction >= 0 && isfinite(def->friction)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.friction must be at least 0, got %g",
                       (double)def->friction);
    const tt_shape *shape = shape_of(def);
    return !shape->check || shape->check(def, error);
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

tt_box tt_turned_box(const taut_collider_def *def, const tt_box *own)
{
    const double q[4] = {(double)def->rotation[0], (double)def->rotation[1], (double)def->rotation[2],
                         (double)def->rotation[3]};
    tt_turn turn = tt_turn_of(q);
    tt_box box;
    for (int i = 0; i < 3; i++) {
        double middle = (double)def->a[i], half = 0;
        for (int j = 0; j < 3; j++) {
            middle += turn.row[i][j] * (own->high[j] + own->low[j]) / 2;
            half += fabs(turn.row[i][j]) * (own->high[j] - own->low[j]) / 2;
        }
        box.low[i] = middle - half * (1 + 1e-3), box.high[i] = middle + half * (1 + 1e-3);
    }
    return box;
}

/* Widens a box to the ball around a that contains it, because a shape that turns about a stays in that ball. */
static void widen_to_turn(tt_box *box, const taut_collider_def *def)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double far = fmax(fabs(box->low[i] - (double)def->a[i]), fabs(box->high[i] - (double)def->a[i]));
        square += far * far;
    }
    for (int i = 0; i < 3; i++)
        box->low[i] = (double)def->a[i] - sqrt(square), box->high[i] = (double)def->a[i] + sqrt(square);
}

static bool turns(const tt_collider *collider)
{
    const float *from = collider->now.rotation, *to = collider->target.rotation;
    return from[0] != to[0] || from[1] != to[1] || from[2] != to[2] || from[3] != to[3];
}

static tt_box box_in_world(const tt_collider *collider, const taut_collider_def *def)
{
    tt_box box = shape_of(def)->box(collider, def);
    if (turns(collider)) widen_to_turn(&box, def);
    for (int i = 0; i < 3; i++) {
        box.low[i] += def->origin[i] - (double)def->thickness;
        box.high[i] += def->origin[i] + (double)def->thickness;
    }
    return box;
}

/* Points move in straight lines and radii change evenly. So the box around both ends also contains everything
 * between. */
static tt_box box_on_the_way(const tt_collider *collider)
{
    tt_box box = box_in_world(collider, &collider->now), end = box_in_world(collider, &collider->target);
    tt_box_grow(&box, &end);
    return box;
}

tt_placed tt_collider_place(const tt_collider *collider, float from, float to, float h)
{
    const taut_collider_def *now = &collider->now, *end = &collider->target;
    tt_placed placed = {.shape = end->shape, .friction = end->friction, .group = end->group, .mask = end->mask};
    placed.owned = collider->owned;
    placed.box = box_on_the_way(collider);
    placed.thickness = now->thickness + (end->thickness - now->thickness) * to;
    placed.radius = now->radius + (end->radius - now->radius) * to;
    placed.from = from, placed.to = to;
    for (int i = 0; i < 3; i++) {
        placed.now_a[i] = now->origin[i] + (double)now->a[i];
        placed.now_b[i] = now->origin[i] + (double)now->b[i];
        placed.end_a[i] = end->origin[i] + (double)end->a[i];
        placed.end_b[i] = end->origin[i] + (double)end->b[i];
        placed.da[i] = (float)(placed.end_a[i] - placed.now_a[i]) * (to - from);
        placed.db[i] = (float)(placed.end_b[i] - placed.now_b[i]) * (to - from);
        placed.turn[i] = end->spin[i] * h;
        placed.belt[i] = end->belt[i] * h;
        placed.turned[i][i] = placed.axis[i][i] = 1;
    }
    shape_of(end)->place(collider, from, to, &placed);
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
        moved.low[i] = (float)(placed->box.low[i] - origin[i]);
        moved.high[i] = (float)(placed->box.high[i] - origin[i]);
    }
    return moved;
}

static void take_turn(const tt_turn *turn, float out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] = (float)turn->row[i][j];
}

void tt_placed_turn(tt_placed *placed, const float u[3], const float v[3])
{
    const double a[3] = {(double)u[0], (double)u[1], (double)u[2]}, b[3] = {(double)v[0], (double)v[1], (double)v[2]};
    tt_turn turn = tt_turn_to(a, b);
    take_turn(&turn, placed->turned);
}

void tt_placed_rotate(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    const float *now = collider->now.rotation, *end = collider->target.rotation;
    tt_turn before = tt_turn_between(now, end, from), after = tt_turn_between(now, end, to), axes;
    tt_turn turned = tt_turn_from(&before, &after);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes.row[i][j] = after.row[j][i];
    take_turn(&turned, placed->turned);
    take_turn(&axes, placed->axis);
}

/* The kernels round a few times, by 6e-8 of the coordinates each. The box is wider by 1e-5, which is more than their
 * sum. */
tt_box tt_collider_box(const tt_collider *collider)
{
    tt_box box = box_on_the_way(collider);
    double slack = 1e-5 * size_of(&box);
    for (int i = 0; i < 3; i++) box.low[i] -= slack, box.high[i] += slack;
    return box;
}
