/* A view that shows everything, for scenes that have no camera. */
#ifndef TOOLS_RENDER_CAMERA_H
#define TOOLS_RENDER_CAMERA_H

#include "painter.h"

/* A view that grows with every point that must be seen. */
typedef struct camera_fit {
    float right[3], up[3], back[3]; /* axes of the view */
    float tan_x, tan_y;             /* of half the angles of view, less a margin */
    float fov;
    float left_most, right_most, low_most, high_most; /* how far points reach over each side of the view's pyramid */
    float low[3], high[3];                            /* box around all points */
    bool empty;
} camera_fit;

/* `azimuth`: degrees from the front (+z) to the right (+x). `elevation`: degrees above the horizon. */
void camera_begin(camera_fit *fit, float azimuth, float elevation, float aspect);
void camera_see(camera_fit *fit, const float *xyz, int count);
void camera_see_ball(camera_fit *fit, const float center[3], float radius);
paint_view camera_end(const camera_fit *fit);

#endif
