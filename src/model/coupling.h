/* Which particles of a model feel each other through its constraints: the pattern of the matrix with which the balance of
 * a body (world/balance.h) is solved. */
#ifndef TAUT_MODEL_COUPLING_H
#define TAUT_MODEL_COUPLING_H

#include "mesh/restriction.h"

/* Row i has the columns column[first[i]] .. column[first[i + 1] - 1], in rising order, itself among them. */
typedef struct tt_coupling {
    int count;
    int *first, *column;
} tt_coupling;

/* Where column j is in row i: it must be there. */
static inline int tt_coupling_find(const tt_coupling *coupling, int i, int j)
{
    int low = coupling->first[i], high = coupling->first[i + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (coupling->column[middle] < j) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The coupling of a model by the elements of its kinds that have forms. */
bool tt_coupling_build(tt_scope *scope, const taut_model *model, tt_coupling *coupling);
/* The coupling of a coarser level: two of its particles feel each other when some do that ride on them. `ride` lists
 * these: the transpose of `up`. */
bool tt_coupling_coarsen(tt_scope *scope, const tt_coupling *fine, const tt_transfer *up, const tt_restriction *ride,
                         tt_coupling *coarse);
/* The transpose of a transfer to `count` particles. */
bool tt_transfer_transpose(tt_scope *scope, const tt_transfer *up, int count, tt_restriction *ride);

#endif
