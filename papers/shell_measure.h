/* The size of a closed shell, or of any mesh, at positions xyz. */
#ifndef PAPERS_SHELL_MEASURE_H
#define PAPERS_SHELL_MEASURE_H

#include "taut.h"

#include <math.h>

/* From the lowest vertex to the highest, m. */
static inline double shell_height(const taut_mesh *mesh, const float *xyz)
{
    float low = INFINITY, high = -INFINITY;
    for (int v = 0; v < mesh->nvertices; v++) low = fminf(low, xyz[3 * v + 1]), high = fmaxf(high, xyz[3 * v + 1]);
    return (double)high - (double)low;
}

/* The volume that its triangles enclose, m^3. */
static inline double shell_volume(const taut_mesh *mesh, const float *xyz)
{
    double volume = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        const int *i = mesh->tri + 3 * (size_t)t;
        const float *a = xyz + 3 * i[0], *b = xyz + 3 * i[1], *c = xyz + 3 * i[2];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            volume += (double)a[k] * ((double)b[l] * (double)c[m] - (double)b[m] * (double)c[l]) / 6;
        }
    }
    return volume;
}

#endif
