#include "model/shell.h"

#include "base/vec.h"

bool tt_shell_build(tt_scope *scope, const taut_mesh *mesh, const int *place, const float *rest, tt_shell *shell)
{
    shell->tri = TT_TAKE(scope, int, 3 * (size_t)mesh->ntris);
    if (!shell->tri) return false;
    shell->ntris = mesh->ntris;
    for (int i = 0; i < 3 * mesh->ntris; i++) shell->tri[i] = place[mesh->tri[i]];
    shell->volume = tt_shell_volume(shell, rest, NULL);
    return true;
}

static void add(float *to, vec3 a) { to[0] += (float)(a.x / 6), to[1] += (float)(a.y / 6), to[2] += (float)(a.z / 6); }

/* The volume is a sixth of the sum of a . (b x c). It is measured from the first corner, so that it is exact far from
 * the origin too. The gradient of a closed surface does not depend on the point from which the volume is measured. */
double tt_shell_volume(const tt_shell *shell, const float *p, float *gradient)
{
    double sum = 0;
    vec3 origin = shell->ntris > 0 ? vec_of(&p[4 * (size_t)shell->tri[0]]) : (vec3){0, 0, 0};
    for (int t = 0; t < shell->ntris; t++) {
        const int *corner = &shell->tri[3 * (size_t)t];
        vec3 x[3];
        for (int k = 0; k < 3; k++) x[k] = vec_sub(vec_of(&p[4 * (size_t)corner[k]]), origin);
        sum += vec_dot(x[0], vec_cross(x[1], x[2]));
        for (int k = 0; k < 3 && gradient; k++)
            add(&gradient[4 * (size_t)corner[k]], vec_cross(x[(k + 1) % 3], x[(k + 2) % 3]));
    }
    return sum / 6;
}
