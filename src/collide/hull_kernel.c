/* Convex hulls. The planes of the triangles tell how deep a particle is inside; outside they give a lower bound of the
 * distance. Near the surface the nearest point of the triangles gives the exact distance, so edges and corners are
 * round with thickness. */
#include "collide/face_kernel.h"

extern const tt_shape TT_NAME(tt_convex);

/* The distance of the particles from the nearest triangle among those that face them, and the normal there. */
TT_INLINE lane nearest_of_hull(const tt_owned *hull, lane3 own, lane3 *normal)
{
    lane nearest = lane_all((real)INFINITY);
    lane3 way = lane3_zero();
    for (int t = 0; t < hull->ntris; t++) {
        const float *plane = hull->plane[t];
        const int *tri = hull->tri + 3 * (size_t)t;
        if (!mask_any(lane_less(lane_all(plane[3]), dot3(all3(plane), own)))) continue;
        lane3 r = sub3(own, nearest_of_triangle(all3(hull->x + 3 * (size_t)tri[0]), all3(hull->x + 3 * (size_t)tri[1]),
                                                all3(hull->x + 3 * (size_t)tri[2]), own));
        lane square = dot3(r, r);
        mask nearer = lane_less(square, nearest);
        nearest = lane_select(nearer, square, nearest);
        way = select3(nearer, r, way);
    }
    lane distance = lane_sqrt(nearest);
    *normal = scale3(lane_divide(lane_all(1), distance), way);
    return distance;
}

TT_INLINE touch touch_hull(const tt_placed *s, lane3 p, lane thickness)
{
    const tt_owned *hull = s->owned;
    const lane zero = lane_all(0);
    lane3 r = sub3(p, all3(s->a)), own = turn3(s->axis, r), normal = lane3_zero(), exact = normal;
    lane distance = lane_all((real)-INFINITY);
    for (int t = 0; t < hull->ntris; t++) {
        lane3 n = all3(hull->plane[t]);
        lane out = dot3(n, own) - lane_all(hull->plane[t][3]);
        mask farther = lane_less(distance, out);
        distance = lane_select(farther, out, distance);
        normal = select3(farther, n, normal);
    }
    mask near = mask_and(lane_less(zero, distance), lane_less(distance, thickness));
    if (mask_any(near)) {
        lane nearest = nearest_of_hull(hull, own, &exact);
        near = mask_and(near, mask_and(lane_less(distance, nearest), lane_less(nearest, lane_all((real)INFINITY))));
        distance = lane_select(near, nearest, distance);
        normal = select3(near, exact, normal);
    }
    return (touch){thickness - distance, turn3_back(s->axis, normal), motion_at(s, r)};
}

TT_SHAPE_KERNEL(touch_hull)
TT_FACE_KERNEL(touch_hull)

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    return tt_turned_box(def, &collider->owned->box);
}

const tt_shape TT_NAME(tt_convex) = {.name = "hull",
    /* Tips and edges may be arbitrarily thin, so every particle that moves farther than its thickness is swept. */
    .place = tt_placed_rotate, .box = box, .keep_out = keep_out, .meet_faces = meet_faces};
