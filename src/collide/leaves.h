/* Leaves of the trees over triangles. A kernel compares all triangles of two leaves at once. */
#ifndef TAUT_COLLIDE_LEAVES_H
#define TAUT_COLLIDE_LEAVES_H

#include "constraints/real.h"
#include "model/skin.h"

/* The boxes of a leaf's triangles. Missing triangles have boxes that overlap with none. */
typedef struct tt_leaf_boxes {
    float low[3][TT_LEAF], high[3][TT_LEAF];
} tt_leaf_boxes;

typedef struct tt_leaf_pair {
    const tt_leaf_boxes *a, *b;
    const float *low_b, *high_b; /* the box around all of b */
    /* The corners of the triangles. NULL: the leaves belong to two bodies, so nothing is shared. */
    const tt_skin_leaf *corners_a, *corners_b;
    /* The answer: bit j of number i is set if the boxes of triangle i of a and triangle j of b overlap, and they share
     * no corner. */
    uint32_t hits[TT_LEAF];
} tt_leaf_pair;

typedef void tt_compare_leaves(tt_leaf_pair *pair);

#endif
