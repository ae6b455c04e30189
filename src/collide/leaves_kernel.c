/* Compares all triangles of two leaves: each of a with all of b at once. The loops are so plain that compilers turn
 * them into vector instructions. */
#include "collide/shape.h"
#include "constraints/lane.h"

extern tt_compare_leaves TT_NAME(tt_compare_leaves_of);

/* The boxes of a leaf that overlap with a box. */
TT_INLINE void overlap(const tt_leaf_boxes *leaf, const float low[3], const float high[3], int32_t yes[TT_LEAF])
{
    for (int j = 0; j < TT_LEAF; j++)
        yes[j] = (leaf->low[0][j] <= high[0]) & (leaf->high[0][j] >= low[0]) & (leaf->low[1][j] <= high[1]) &
                 (leaf->high[1][j] >= low[1]) & (leaf->low[2][j] <= high[2]) & (leaf->high[2][j] >= low[2]);
}

/* Leaves out the triangles of a leaf that have one of these corners. */
TT_INLINE void leave_out(const tt_skin_leaf *leaf, const int32_t corner[3], int32_t yes[TT_LEAF])
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < TT_LEAF; j++) {
            int32_t own = leaf->corner[k][j];
            yes[j] &= (own != corner[0]) & (own != corner[1]) & (own != corner[2]);
        }
}

/* Bit j is yes[j]. */
TT_INLINE uint32_t bits_of(const int32_t yes[TT_LEAF])
{
    static const int32_t bit[TT_LEAF] = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                         1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    int32_t all = 0;
    for (int j = 0; j < TT_LEAF; j++) all |= -yes[j] & bit[j];
    return (uint32_t)all;
}

/* The corners of triangle i. Crowded corners, which are negative, are shared with none. */
TT_INLINE void corners_of(const tt_skin_leaf *leaf, int i, int32_t corner[3])
{
    for (int k = 0; k < 3; k++) corner[k] = leaf->corner[k][i] < 0 ? INT32_MIN : leaf->corner[k][i];
}

void TT_NAME(tt_compare_leaves_of)(tt_leaf_pair *pair)
{
    const tt_leaf_boxes *a = pair->a;
    int32_t yes[TT_LEAF], corner[3];
    overlap(a, pair->low_b, pair->high_b, yes);
    uint32_t rows = bits_of(yes);
    for (int i = 0; i < TT_LEAF; i++) {
        pair->hits[i] = 0;
        if (!(rows >> i & 1)) continue;
        const float low[3] = {a->low[0][i], a->low[1][i], a->low[2][i]};
        const float high[3] = {a->high[0][i], a->high[1][i], a->high[2][i]};
        overlap(pair->b, low, high, yes);
        if (pair->corners_a) corners_of(pair->corners_a, i, corner), leave_out(pair->corners_b, corner, yes);
        pair->hits[i] = bits_of(yes);
    }
}
