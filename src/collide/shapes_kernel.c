/* The table of shapes of one instruction set, and the box around particles. */
#include "collide/shape.h"
#include "constraints/lane_math.h"

extern const tt_shape TT_NAME(tt_plane), TT_NAME(tt_sphere), TT_NAME(tt_capsule), TT_NAME(tt_cuboid),
    TT_NAME(tt_tapered), TT_NAME(tt_convex);
extern tt_sift_pairs TT_NAME(tt_sift_faces), TT_NAME(tt_sift_sides);
extern tt_compare_leaves TT_NAME(tt_compare_leaves_of);
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

/* The box around the present and the former places of the particles, because they may meet a shape on the way.
 *
 * lane_min and lane_max keep their second argument where the first is NaN, so a particle at NaN does not count. */
static tt_box bounds(const tt_contact_batch *batch)
{
    const lane far = lane_all((real)INFINITY), zero = lane_all(0);
    lane3 low = {far, far, far}, high = {-far, -far, -far};
    uint32_t offset[LANES];
    for (int i = 0; i < LANES; i++) offset[i] = (uint32_t)(4 * i);
    for (int first = batch->first; first < batch->last; first += LANES) {
        quad q, x;
        gather(batch->p + 4 * (size_t)first, offset, &q);
        gather(batch->x + 4 * (size_t)first, offset, &x);
        mask moves = lane_less(zero, q.w);
        low.x = lane_min(lane_select(moves, lane_min(q.x, x.x), far), low.x);
        low.y = lane_min(lane_select(moves, lane_min(q.y, x.y), far), low.y);
        low.z = lane_min(lane_select(moves, lane_min(q.z, x.z), far), low.z);
        high.x = lane_max(lane_select(moves, lane_max(q.x, x.x), -far), high.x);
        high.y = lane_max(lane_select(moves, lane_max(q.y, x.y), -far), high.y);
        high.z = lane_max(lane_select(moves, lane_max(q.z, x.z), -far), high.z);
    }
    return (tt_box){{least(low.x), least(low.y), least(low.z)}, {most(high.x), most(high.y), most(high.z)}};
}

const tt_shape_set TT_NAME(tt_shape_set) = {
    .shape = {&TT_NAME(tt_plane), &TT_NAME(tt_sphere), &TT_NAME(tt_capsule), &TT_NAME(tt_cuboid), &TT_NAME(tt_tapered),
              &TT_NAME(tt_convex), &tt_mesh_shape, &tt_field_shape},
    .bounds = bounds,
    .sift = {TT_NAME(tt_sift_faces), TT_NAME(tt_sift_sides)},
    .compare_leaves = TT_NAME(tt_compare_leaves_of),
};
