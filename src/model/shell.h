/* The shell of a model that is filled with gas: its closed surface and its volume. */
#ifndef TAUT_MODEL_SHELL_H
#define TAUT_MODEL_SHELL_H

#include "base/memory.h"

typedef struct tt_shell {
    int ntris;     /* 0: there is no gas */
    int *tri;      /* 3 particles each   */
    double volume; /* m^3, at rest; below 0 if the triangles face in */
} tt_shell;

/* Whether a material fills its body with gas. */
static inline bool tt_has_gas(const taut_material *material)
{
    return material->gas.pressure != 0 || material->gas.stiffness > 0;
}

/* `place` gives the particle of a vertex, `rest` the places of particles (4 numbers each). */
bool tt_shell_build(tt_scope *scope, const taut_mesh *mesh, const int *place, const float *rest, tt_shell *shell);
/* The volume inside the shell; p: 4 numbers a particle. If `gradient` is not NULL (4 numbers a particle, all 0 before),
 * it gets the derivative of the volume by the place of each particle. */
double tt_shell_volume(const tt_shell *shell, const float *p, float *gradient);

#endif
