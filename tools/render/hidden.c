#include "hidden.h"
#include "solids.h"

#include <math.h>

/* Whether the ball is between point and eye. Points inside are hidden too. */
static bool ball_hides(const float point[3], const float eye[3], const float center[3], float radius)
{
    float along = 0, square = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        float to_eye = eye[k] - point[k], to_center = center[k] - point[k];
        along += to_center * to_eye;
        square += to_center * to_center;
        length += to_eye * to_eye;
    }
    return along > 0 && along < length && square - along * along / length < radius * radius;
}

/* Boxes and meshes are treated as the ball that fits into the box around them. */
static bool box_hides(const float point[3], const float eye[3], const taut_collider_def *d)
{
    float corner[8][3], center[3], least = 0;
    collider_corners(d, corner);
    for (int k = 0; k < 3; k++) center[k] = (corner[0][k] + corner[7][k]) / 2;
    for (int side = 1; side < 8; side *= 2) {
        float square = 0;
        for (int k = 0; k < 3; k++) square += (corner[side][k] - corner[0][k]) * (corner[side][k] - corner[0][k]);
        if (side == 1 || square < least) least = square;
    }
    return ball_hides(point, eye, center, sqrtf(least) / 2);
}

/* A capsule is treated as a row of balls. */
static bool collider_hides(const float point[3], const float eye[3], const taut_collider_def *d)
{
    enum { BALLS = 16 };
    if (d->shape == TAUT_PLANE) return false;
    if (d->shape == TAUT_BOX || d->mesh) return box_hides(point, eye, d);
    if (d->shape == TAUT_SPHERE) return ball_hides(point, eye, d->a, d->radius);
    for (int i = 0; i < BALLS; i++) {
        float t = (float)i / (BALLS - 1), center[3];
        for (int k = 0; k < 3; k++) center[k] = d->a[k] + t * (d->b[k] - d->a[k]);
        float radius = d->shape == TAUT_TAPERED ? d->radius + t * (d->radius_b - d->radius) : d->radius;
        if (ball_hides(point, eye, center, radius)) return true;
    }
    return false;
}

static bool is_hidden(const float point[3], const float eye[3], const taut_collider_def *collider, int ncolliders)
{
    for (int i = 0; i < ncolliders; i++)
        if (collider_hides(point, eye, &collider[i])) return true;
    return false;
}

float hidden_part(const float eye[3], const float *xyz, int count, const taut_collider_def *collider, int ncolliders)
{
    enum { ENOUGH = 2000 }; /* points to look at, chosen evenly when there are more */
    int step = 1 + count / ENOUGH, looked = 0, hidden = 0;
    for (int v = 0; v < count; v += step, looked++)
        hidden += is_hidden(xyz + 3 * (size_t)v, eye, collider, ncolliders);
    return looked ? (float)hidden / (float)looked : 0;
}
