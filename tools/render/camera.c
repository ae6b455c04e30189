/* In the axes of the view, a point (x, y, z) is inside the pyramid of a camera at (cx, cy, d) when
 *
 *     |x - cx| <= (d - z) tan_x,  |y - cy| <= (d - z) tan_y
 *
 * so all points are seen from d = (max(x + z tan_x) + max(-x + z tan_x)) / (2 tan_x), where cx is half the difference
 * of the two maxima. The same holds for y. The larger d serves both. */
#include "camera.h"

#include <math.h>
#include <string.h>

static float dot3(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void camera_begin(camera_fit *fit, float azimuth, float elevation, float aspect)
{
    const float turn = azimuth * 0.01745329f, rise = elevation * 0.01745329f, margin = 0.86f;
    const float right[3] = {cosf(turn), 0, -sinf(turn)};
    const float back[3] = {sinf(turn) * cosf(rise), sinf(rise), cosf(turn) * cosf(rise)};
    const float up[3] = {-sinf(turn) * sinf(rise), cosf(rise), -cosf(turn) * sinf(rise)};
    memset(fit, 0, sizeof *fit);
    memcpy(fit->right, right, sizeof right);
    memcpy(fit->up, up, sizeof up);
    memcpy(fit->back, back, sizeof back);
    fit->fov = 28;
    fit->tan_y = tanf(fit->fov * 0.00872665f) * margin;
    fit->tan_x = fit->tan_y * aspect;
    fit->empty = true;
}

void camera_see_ball(camera_fit *fit, const float center[3], float radius)
{
    float x = dot3(center, fit->right), y = dot3(center, fit->up), z = dot3(center, fit->back);
    float wide = radius * sqrtf(1 + fit->tan_x * fit->tan_x), tall = radius * sqrtf(1 + fit->tan_y * fit->tan_y);
    float reach[4] = {-x + z * fit->tan_x + wide, x + z * fit->tan_x + wide, -y + z * fit->tan_y + tall,
                      y + z * fit->tan_y + tall};
    float *most[4] = {&fit->left_most, &fit->right_most, &fit->low_most, &fit->high_most};
    for (int i = 0; i < 4; i++)
        if (fit->empty || reach[i] > *most[i]) *most[i] = reach[i];
    for (int k = 0; k < 3; k++) {
        if (fit->empty || center[k] - radius < fit->low[k]) fit->low[k] = center[k] - radius;
        if (fit->empty || center[k] + radius > fit->high[k]) fit->high[k] = center[k] + radius;
    }
    fit->empty = false;
}

void camera_see(camera_fit *fit, const float *xyz, int count)
{
    for (int v = 0; v < count; v++) camera_see_ball(fit, xyz + 3 * (size_t)v, 0);
}

paint_view camera_end(const camera_fit *fit)
{
    float dx = (fit->left_most + fit->right_most) / (2 * fit->tan_x);
    float dy = (fit->low_most + fit->high_most) / (2 * fit->tan_y);
    float cx = (fit->right_most - fit->left_most) / 2, cy = (fit->high_most - fit->low_most) / 2;
    float size = sqrtf(dot3(fit->high, fit->high) + dot3(fit->low, fit->low));
    float middle[3], d = fmaxf(dx, dy);
    for (int k = 0; k < 3; k++) middle[k] = (fit->low[k] + fit->high[k]) / 2;
    float z = dot3(middle, fit->back);
    d = fmaxf(d, z + fmaxf(1e-3f * size, 1e-6f)); /* a single point still has a view */
    paint_view view = {.fov = fit->fov};
    for (int k = 0; k < 3; k++) {
        float base = cx * fit->right[k] + cy * fit->up[k];
        view.eye[k] = base + d * fit->back[k];
        view.target[k] = base + z * fit->back[k];
    }
    return view;
}
