/* What holds for the levels of any solid. */
#ifndef TAUT_TESTS_HELPERS_LEVELS_H
#define TAUT_TESTS_HELPERS_LEVELS_H

#include "model/model.h"

#include <math.h>

static inline double linear_field(const float *x)
{
    return 0.3 + 2 * (double)x[0] - 0.7 * (double)x[1] + (double)x[2];
}

/* A linear field stays the same on its way down to each coarser level, and on its way up. (All fine vertices are in
 * coarse tets.) */
static inline void expect_linear_transfers(const taut_model *fine)
{
    for (const taut_model *level = fine; level->coarser; level = level->coarser) {
        const taut_model *coarse = level->coarser;
        for (int v = 0; v < level->nvertices; v++) {
            int at = level->place[v];
            double got = 0, truth = linear_field(&level->rest[4 * at]);
            for (int i = 0; i < 4; i++)
                got += (double)level->up.weight[at][i] * linear_field(&coarse->rest[4 * level->up.index[at][i]]);
            if (!(fabs(got - truth) < 2e-5)) fail_msg("up to level %d: %g, not %g", level->level, got, truth);
        }
        for (int v = 0; v < coarse->nvertices; v++) {
            int at = coarse->place[v];
            double got = 0, truth = linear_field(&coarse->rest[4 * at]);
            for (int i = level->down.first[at]; i < level->down.first[at + 1]; i++)
                got += (double)level->down.weight[i] * linear_field(&level->rest[4 * level->down.index[i]]);
            if (!(fabs(got - truth) < 2e-5)) fail_msg("down to level %d: %g, not %g", coarse->level, got, truth);
        }
    }
}

#endif
