/* Keeping particles out of planes, spheres and capsules, with Coulomb friction.
 *
 *     depth = radius + thickness - distance > 0:   p += depth n
 *     s = tangential part of (p - x) - (motion of the surface there),   p -= s min(1, mu depth / |s|)
 *
 * A position correction of depth h is an impulse; friction takes at most mu times that from the sliding (MRSL eq. 7 in
 * consistent units). A particle exactly at a sphere's centre has no way out and waits for a constraint to move it. */
#include "collide/contact.h"
#include "constraints/constraint.h"
#include "constraints/lane_math.h"

tt_contacts TT_NAME(tt_contacts);

typedef struct touch {
    lane depth;
    lane3 normal, motion; /* of the surface over the substep */
} touch;

TT_INLINE lane3 all3(const float *a) { return (lane3){lane_all(a[0]), lane_all(a[1]), lane_all(a[2])}; }

TT_INLINE touch touch_plane(const tt_shape *s, lane3 p, lane thickness)
{
    touch t;
    lane3 r = sub3(p, all3(s->a));
    t.normal = all3(s->normal);
    t.depth = thickness - dot3(r, t.normal);
    t.motion = add3(all3(s->da), cross3(all3(s->turn), r));
    return t;
}

/* A capsule is a sphere about the nearest point of its axis; a sphere is a capsule of no length. */
TT_INLINE touch touch_round(const tt_shape *s, lane3 p, lane thickness)
{
    touch t;
    lane3 r = sub3(p, all3(s->a)), motion = all3(s->da);
    if (s->shape == TAUT_CAPSULE) {
        lane3 axis = sub3(all3(s->b), all3(s->a));
        lane along = lane_divide(dot3(r, axis), dot3(axis, axis));
        along = lane_min(lane_max(along, lane_all(0)), lane_all(1));
        r = sub3(r, scale3(along, axis));
        motion = add3(motion, scale3(along, sub3(all3(s->db), all3(s->da))));
    }
    lane distance = lane_sqrt(dot3(r, r)), reach = lane_all(s->radius) + thickness;
    t.depth = lane_select(lane_less(lane_all(0), distance), reach - distance, lane_all(0));
    t.normal = scale3(lane_divide(lane_all(1), distance), r);
    t.motion = add3(motion, cross3(all3(s->turn), r));
    return t;
}

/* Moves the particle out and holds it back along the surface; returns 1 in the lanes that touched. */
TT_INLINE lane resolve(quad *q, const quad *x, const touch *t, lane friction)
{
    const lane zero = lane_all(0), one = lane_all(1);
    mask hit = mask_and(lane_less(zero, t->depth), lane_less(zero, q->w));
    if (!mask_any(hit)) return zero;
    lane depth = lane_select(hit, t->depth, zero);
    lane3 p = add3((lane3){q->x, q->y, q->z}, scale3(depth, t->normal));
    lane3 slide = sub3(sub3(p, lane3_of(*x)), t->motion);
    slide = sub3(slide, scale3(dot3(slide, t->normal), t->normal));
    lane hold = lane_min(one, lane_divide(friction * depth, lane_sqrt(dot3(slide, slide))));
    p = sub3(p, scale3(hold, slide));
    q->x = lane_select(hit, p.x, q->x);
    q->y = lane_select(hit, p.y, q->y);
    q->z = lane_select(hit, p.z, q->z);
    return lane_select(hit, one, zero);
}

int TT_NAME(tt_contacts)(const tt_contact_batch *batch)
{
    uint32_t offset[LANES];
    lane thickness = lane_all(batch->thickness), hits = lane_all(0);
    for (int i = 0; i < LANES; i++) offset[i] = (uint32_t)(4 * i);
    for (int first = batch->first; first < batch->last; first += LANES) {
        real *p = batch->p + 4 * (size_t)first;
        quad q, x;
        gather(p, offset, &q);
        gather(batch->x + 4 * (size_t)first, offset, &x);
        lane before = hits;
        for (int i = 0; i < batch->nshapes; i++) {
            const tt_shape *s = &batch->shape[i];
            touch t = s->shape == TAUT_PLANE ? touch_plane(s, lane3_of(q), thickness)
                                             : touch_round(s, lane3_of(q), thickness);
            hits = hits + resolve(&q, &x, &t, lane_all(s->friction * batch->friction));
        }
        if (mask_any(lane_less(before, hits))) scatter(p, offset, &q);
    }
    _Alignas(64) real count[LANES];
    lane_store(count, hits);
    int sum = 0;
    for (int i = 0; i < LANES; i++) sum += (int)count[i];
    return sum;
}
