/* What holds for the levels of any solid. */
#ifndef TAUT_TESTS_HELPERS_LEVELS_H
#define TAUT_TESTS_HELPERS_LEVELS_H

#include "model/model.h"

#include <math.h>

static inline double linear_field(const float *x)
{
    return 0.3 + 2 * (double)x[0] - 0.7 * (double)x[1] + (double)x[2];
}

/* A linear field comes down to each coarser level, and up from it, as it is. (All fine vertices are in coarse tets.) */
static inline void expect_linear_transfers(const taut_model *fine)
{
    for (const taut_model *level = fine; level->coarser; level = level->coarser) {
        const taut_model *coarse = level->coarser;
        const struct {
            const taut_model *from, *to;
            const tt_transfer *transfer;
        } ways[2] = {{coarse, level, &level->up}, {level, coarse, &level->down}};
        for (int way = 0; way < 2; way++)
            for (int v = 0; v < ways[way].to->nvertices; v++) {
                int at = ways[way].to->place[v];
                double got = 0, truth = linear_field(&ways[way].to->rest[4 * at]);
                for (int i = 0; i < 4; i++)
                    got += (double)ways[way].transfer->weight[at][i] *
                           linear_field(&ways[way].from->rest[4 * ways[way].transfer->index[at][i]]);
                if (!(fabs(got - truth) < 2e-5)) fail_msg("level %d: %g, not %g", level->level, got, truth);
            }
    }
}

#endif
