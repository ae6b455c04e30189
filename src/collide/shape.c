#include "collide/shape.h"

#include "base/definition.h"
#include "base/error.h"

#include <math.h>

enum { COOKIE = 0x7a0731a3 };

void taut_init_collider_def(taut_collider_def *def, size_t size)
{
    static const taut_collider_def usual = {
        .cookie = COOKIE, .shape = TAUT_PLANE, .b = {0, 1, 0}, .normal = {0, 1, 0}, .radius = 1, .friction = 0.5f};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

static bool finite3(const float v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

bool tt_collider_check(const taut_collider_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the collider does not come from taut_default_collider_def()", error))
        return false;
    if ((int)def->shape < 0 || (int)def->shape > TAUT_CAPSULE)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.shape must be a plane, sphere or capsule, got %d",
                       (int)def->shape);
    if (!finite3(def->a)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.a is not finite");
    if (!finite3(def->b)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.b is not finite");
    if (!finite3(def->spin)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.spin is not finite");
    if (!finite3(def->normal)) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.normal is not finite");
    if (def->shape == TAUT_PLANE && !(def->normal[0] != 0 || def->normal[1] != 0 || def->normal[2] != 0))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.normal must not be zero");
    if (def->shape != TAUT_PLANE && !(def->radius > 0 && isfinite(def->radius)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.radius must be above 0, got %g", (double)def->radius);
    if (!(def->friction >= 0 && isfinite(def->friction)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.friction must be at least 0, got %g",
                       (double)def->friction);
    return true;
}

/* A unit vector along n; n is finite and not zero, but may be tiny or huge. */
static void unit(const float n[3], float out[3])
{
    double x = n[0], y = n[1], z = n[2], length = sqrt(x * x + y * y + z * z);
    out[0] = (float)(x / length), out[1] = (float)(y / length), out[2] = (float)(z / length);
}

tt_shape tt_collider_between(const tt_collider *collider, float from, float to, float h)
{
    const taut_collider_def *now = &collider->now, *end = &collider->target;
    tt_shape s = {.shape = end->shape, .friction = end->friction};
    float first[3], last[3], normal[3] = {1, 0, 0};
    unit(now->shape == TAUT_PLANE ? now->normal : normal, first);
    unit(end->shape == TAUT_PLANE ? end->normal : normal, last);
    s.radius = now->radius + (end->radius - now->radius) * to;
    for (int i = 0; i < 3; i++) {
        s.a[i] = now->a[i] + (end->a[i] - now->a[i]) * to;
        s.b[i] = now->b[i] + (end->b[i] - now->b[i]) * to;
        s.da[i] = (end->a[i] - now->a[i]) * (to - from);
        s.db[i] = (end->b[i] - now->b[i]) * (to - from);
        s.turn[i] = end->spin[i] * h;
        normal[i] = first[i] + (last[i] - first[i]) * to;
    }
    bool opposite = !(normal[0] != 0 || normal[1] != 0 || normal[2] != 0);
    unit(opposite ? last : normal, s.normal);
    return s;
}
