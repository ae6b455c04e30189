/* Waves of many lengths and directions, the same for every run. */
#include "mesh/imperfection.h"

#include "base/exact.h"

#include <stddef.h>

enum { MOST_WAVES = 6 };

/* Angles in rad that are far from any simple fraction of a full turn, so that no two waves run alike or begin alike. */
static const double TURN = 2.39996322972865332, START = 1.7;

static vec3 centre_of(const float *xyz, int count)
{
    vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) sum = vec_add(sum, vec_of(&xyz[4 * (size_t)i]));
    return vec_scale(sum, 1.0 / count);
}

/* The first axis points towards the farthest point, the second, at right angles, towards the point that is farthest
 * from the first axis. */
static bool find_axes(const float *xyz, int count, tt_plane *plane)
{
    double far = 0, wide = 0;
    for (int i = 0; i < count; i++) {
        vec3 d = vec_sub(vec_of(&xyz[4 * (size_t)i]), plane->centre);
        double length = vec_length(d);
        if (length > far) far = length, plane->along = vec_scale(d, 1 / length);
    }
    for (int i = 0; i < count; i++) {
        vec3 d = vec_sub(vec_of(&xyz[4 * (size_t)i]), plane->centre), normal = vec_cross(plane->along, d);
        double width = vec_length(normal);
        if (width > wide) wide = width, plane->normal = vec_scale(normal, 1 / width);
    }
    plane->across = vec_cross(plane->normal, plane->along);
    plane->size = far;
    return wide > 1e-3 * far;
}

bool tt_plane_of(const float *xyz, int count, tt_plane *plane)
{
    plane->centre = centre_of(xyz, count);
    if (!find_axes(xyz, count, plane)) return false;
    for (int i = 0; i < count; i++) {
        vec3 x = vec_of(&xyz[4 * (size_t)i]);
        double height = vec_dot(plane->normal, vec_sub(x, plane->centre));
        if (!(fabs(height) <= 1e-6 * (plane->size + vec_length(x)))) return false;
    }
    return true;
}

double tt_imperfection_at(const tt_plane *plane, double edge, const float *point)
{
    vec3 d = vec_sub(vec_of(point), plane->centre);
    double u = vec_dot(plane->along, d), v = vec_dot(plane->across, d), sum = 0, length = 2 * plane->size;
    int waves = 0;
    for (; waves == 0 || (waves < MOST_WAVES && length >= 4 * edge); waves++, length /= 2) {
        double direction = TURN * waves, place = u * tt_cos(direction) + v * tt_sin(direction);
        sum += tt_sin(2 * TT_PI * place / length + START * waves);
    }
    return sum / waves;
}
