/* The table of shapes of one instruction set, and the box around particles. */
#include "collide/shape.h"
#include "constraints/lane_math.h"

extern const tt_shape TT_NAME(tt_plane), TT_NAME(tt_sphere), TT_NAME(tt_capsule);
extern const tt_shape_set TT_NAME(tt_shape_set);

static double least(lane v)
{
    _Alignas(64) real each[LANES];
    lane_store(each, v);
    real found = each[0];
    for (int i = 1; i < LANES; i++) found = each[i] < found ? each[i] : found;
    return (double)found;
}

static double most(lane v) { return -least(-v); }

/* lane_min and lane_max keep their second argument where the first is NaN, so a particle at NaN does not count. */
static tt_box bounds(const tt_contact_batch *batch)
{
    const lane far = lane_all((real)INFINITY), zero = lane_all(0);
    lane3 low = {far, far, far}, high = {-far, -far, -far};
    uint32_t offset[LANES];
    for (int i = 0; i < LANES; i++) offset[i] = (uint32_t)(4 * i);
    for (int first = batch->first; first < batch->last; first += LANES) {
        quad q;
        gather(batch->p + 4 * (size_t)first, offset, &q);
        mask moves = lane_less(zero, q.w);
        low.x = lane_min(lane_select(moves, q.x, far), low.x);
        low.y = lane_min(lane_select(moves, q.y, far), low.y);
        low.z = lane_min(lane_select(moves, q.z, far), low.z);
        high.x = lane_max(lane_select(moves, q.x, -far), high.x);
        high.y = lane_max(lane_select(moves, q.y, -far), high.y);
        high.z = lane_max(lane_select(moves, q.z, -far), high.z);
    }
    return (tt_box){{least(low.x), least(low.y), least(low.z)}, {most(high.x), most(high.y), most(high.z)}};
}

const tt_shape_set TT_NAME(tt_shape_set) = {
    .shape = {&TT_NAME(tt_plane), &TT_NAME(tt_sphere), &TT_NAME(tt_capsule)},
    .bounds = bounds,
};
