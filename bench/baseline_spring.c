#include "baselines.h"

#include <math.h>

void base_spring_project(const base_spring *c, int n, float low, float high, ref_float_vec3 *p, const float *w)
{
    for (int s = 0; s < n; s++) {
        int i = c[s].i[0], j = c[s].i[1];
        float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z, sum = w[i] + w[j];
        float length = sqrtf(dx * dx + dy * dy + dz * dz);
        float wanted = fminf(fmaxf(length, low * c[s].length), high * c[s].length);
        if (wanted == length || !(length > 0) || !(sum > 0)) continue;
        float step = (length - wanted) / (length * sum), si = w[i] * step, sj = w[j] * step;
        p[i] = (ref_float_vec3){p[i].x + si * dx, p[i].y + si * dy, p[i].z + si * dz};
        p[j] = (ref_float_vec3){p[j].x - sj * dx, p[j].y - sj * dy, p[j].z - sj * dz};
    }
}
