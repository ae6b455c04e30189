/* Properties that the levels of any solid have. */
#ifndef TAUT_TESTS_HELPERS_LEVELS_H
#define TAUT_TESTS_HELPERS_LEVELS_H

#include "model/model.h"

#include <math.h>

static inline double linear_field(const float *x) { return 0.3 + 2 * (double)x[0] - 0.7 * (double)x[1] + (double)x[2]; }

/* The weight of particle `from` of the finer level in particle `to` of the coarser one. */
static inline double part_in(const tt_restriction *down, int to, int from)
{
    for (int i = down->first[to]; i < down->first[to + 1]; i++)
        if (down->index[i] == from) return (double)down->weight[i];
    return 0;
}

/* The force of a coarse particle is shared among the finer ones in proportion to their weights in it: M P = R^T M_c
 * times a number between 1 and 2, the same everywhere. Only then it is the gradient of a function. Pinned particles do
 * not move. */
static inline void expect_adjoint(const taut_model *level)
{
    const taut_model *coarse = level->coarser;
    for (int v = 0; v < level->nvertices; v++)
        for (int at = level->place[v], i = 0; i < 4; i++) {
            int to = level->up.index[at][i];
            double part = part_in(&level->down, to, at), weight = (double)level->up.weight[at][i];
            bool pinned = level->pinned[level->down.index[level->down.first[to]]];
            if (pinned || weight == 0) continue;
            double ratio = weight / (double)level->rest[4 * at + 3] * (double)coarse->rest[4 * to + 3] / part;
            if (!(fabs(ratio - 1.6) < 1e-3)) fail_msg("up to level %d: %g times its part", level->level, ratio);
        }
}

/* A linear field stays the same on its way down to each coarser level, and the way up is adjoint to the way down. */
static inline void expect_linear_transfers(const taut_model *fine)
{
    for (const taut_model *level = fine; level->coarser; level = level->coarser) {
        const taut_model *coarse = level->coarser;
        expect_adjoint(level);
        for (int v = 0; v < coarse->nvertices; v++) {
            int at = coarse->place[v];
            double got = 0, truth = linear_field(&coarse->rest[4 * at]);
            for (int i = level->down.first[at]; i < level->down.first[at + 1]; i++)
                got += (double)level->down.weight[i] * linear_field(&level->rest[4 * level->down.index[i]]);
            bool rides = level->down.first[at] < level->down.first[at + 1];
            if (rides && !(fabs(got - truth) < 2e-5))
                fail_msg("down to level %d: %g, not %g", coarse->level, got, truth);
        }
    }
}

#endif
