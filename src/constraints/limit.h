/* Hard limits (MRSL 3): shared by their kinds.
 *
 * A limit leaves an element alone that is within its range, and moves any other element there at once. It has no
 * stiffness. Most elements are within their range, so a go without an element outside ends after that test and stores
 * nothing. If some elements of a go are outside, the others keep their bits.
 *
 * Steps go along gradients, weighted by inverse mass, so that they keep linear and angular momentum. limit_deliver
 * makes the steps, or adds them up for Jacobi. */
#ifndef TAUT_CONSTRAINTS_LIMIT_H
#define TAUT_CONSTRAINTS_LIMIT_H

#include "constraints/narrow.h"

#include "constraints/kernel.h"

#include <math.h>

/* Works on one go; returns how far each lane was outside its limits. */
typedef lane tt_limit_work(const tt_batch *batch, const tt_go *go);

TT_INLINE void raise_excess(real *excess, lane worst)
{
    _Alignas(64) real each[LANES];
    if (!excess) return;
    lane_store(each, worst);
    for (int i = 0; i < LANES; i++) *excess = each[i] > *excess ? each[i] : *excess;
}

/* A block whose elements were all within their limits sits out this number of passes. */
enum { SITS_OUT = 3 };

TT_INLINE bool sits_out(const tt_batch *batch, int block)
{
    if (!batch->idle || batch->whole || batch->idle[block] == 0) return false;
    batch->idle[block]--;
    return true;
}

/* Calls `work` for each go, blocks in the batch's order. */
TT_INLINE void sweep_limit(const tt_batch *batch, int slots, int fields, tt_limit_work *work)
{
    const int n = batch->last - batch->first;
    if (n < 1) return;
    const int stride = batch->stride > 0 ? batch->stride % n : 1;
    lane worst = lane_all(0);
    int turn = batch->start % n;
    for (int i = 0; i < n; i++, turn = turn + stride < n ? turn + stride : turn + stride - n) {
        int block = batch->first + turn;
        bool within = true;
        if (sits_out(batch, block)) continue;
        for (int at = 0; at < TT_BLOCK && at < batch->live[block]; at += LANES) {
            tt_go go = {
                .offset = batch->offset + (size_t)block * (size_t)(slots * TT_BLOCK) + at,
                .data = batch->data + (size_t)block * (size_t)(fields * TT_BLOCK) + at,
            };
            lane met = work(batch, &go);
            within = within && !mask_any(lane_less(lane_all(0), met));
            worst = lane_max(met, worst); /* in this order, so that NaN raises nothing */
        }
        if (batch->idle) batch->idle[block] = within ? SITS_OUT : 0;
    }
    raise_excess(batch->excess, worst);
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* The range that the material allows, times the two factors of the element. */
typedef struct limit_range {
    lane low, high;
} limit_range;

TT_INLINE limit_range limit_range_of(lane low_factor, lane high_factor, const float limit[2])
{
    return (limit_range){low_factor * lane_all(limit[0]), high_factor * lane_all(limit[1])};
}

/* An element is left alone while it is outside by no more than the threshold or by rounding. So an element that was
 * just put on its limit costs no more than one within. */
TT_INLINE limit_range limit_loosened(limit_range range, const tt_tuning *tuning)
{
    lane more = lane_all(tuning->tolerance);
    return (limit_range){lane_max(range.low - more, lane_all(0)), range.high + more};
}

TT_INLINE lane limit_clamp(lane a, limit_range range) { return lane_min(lane_max(a, range.low), range.high); }

/* The square of the lower limit, or -infinity without one, so that rounding cannot cross it. */
TT_INLINE lane limit_low_square(limit_range range, const float limit[2])
{
    return range.low * range.low + lane_all(limit[0] > 0 ? 0 : -(real)INFINITY);
}

static inline bool limit_exists(const float limit[2]) { return limit[0] > 0 || limit[1] < INFINITY; }

/* The two factors of element i as `create` stores them. */
static inline void limit_factors(const float *factor, int i, double *data)
{
    data[0] = factor ? (double)factor[2 * (size_t)i] : 1;
    data[1] = factor ? (double)factor[2 * (size_t)i + 1] : 1;
}

/* ---- Moving the element ------------------------------------------------------------------------------------------ */

/* Lanes in which any particle can move. */
TT_INLINE mask limit_movable(const quad *q, int n)
{
    lane sum = q[0].w;
    TT_UNROLL
    for (int k = 1; k < n; k++) sum = sum + q[k].w;
    return lane_less(lane_all(0), sum);
}

/* Moves the first n particles of the lanes in `outside`, or adds their steps to the sums. */
TT_INLINE void limit_deliver(const tt_batch *batch, const tt_go *go, int n, mask outside, const lane3 *step, quad *q)
{
    if (!batch->sum) {
        TT_UNROLL
        for (int k = 0; k < n; k++) {
            lane3 moved = select3(outside, add3(lane3_of(q[k]), step[k]), lane3_of(q[k]));
            q[k] = (quad){moved.x, moved.y, moved.z, q[k].w};
        }
        scatter_all(batch->p, go, n, q);
        return;
    }
    TT_UNROLL
    for (int k = 0; k < n; k++) {
        quad total;
        gather(batch->sum, go->offset + k * TT_BLOCK, &total);
        lane3 sum = add3(lane3_of(total), select3(outside, step[k], lane3_zero()));
        total = (quad){sum.x, sum.y, sum.z, total.w + lane_select(outside, lane_all(1), lane_all(0))};
        scatter(batch->sum, go->offset + k * TT_BLOCK, &total);
    }
}

#endif
