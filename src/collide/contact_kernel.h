/* Keeping particles out of a shape, with Coulomb friction: the loop that all shapes share.
 *
 *     depth = thickness - distance > 0:   p += depth n
 *     s = tangential part of (p - x) - (motion of the surface there),   p -= s min(1, mu depth / |s|)
 *
 * A correction by the depth acts as an impulse. Friction takes at most mu times that impulse from the sliding (MRSL eq.
 * 7 in consistent units).
 *
 * Two more rules use the place where the particle would be if the shape had carried it along over the substep. If that
 * place is outside, the particle is stopped where it first met the shape (sweep). If it is inside, the particle comes
 * out slowly (let_out). */
#ifndef TAUT_COLLIDE_CONTACT_KERNEL_H
#define TAUT_COLLIDE_CONTACT_KERNEL_H

#include "collide/shape.h"
#include "constraints/lane_math.h"

#include <math.h>

/* The contact of particles with a shape. */
typedef struct touch {
    lane depth;           /* above 0: that far inside           */
    lane3 normal, motion; /* of the surface; over the substep   */
} touch;

typedef touch touch_function(const tt_placed *s, lane3 p, lane thickness);

enum { MOST_MARCHES = 24 };

TT_INLINE lane3 all3(const float *a) { return (lane3){lane_all(a[0]), lane_all(a[1]), lane_all(a[2])}; }

/* A matrix of three rows times a vector; its transpose times a vector. */
TT_INLINE lane3 turn3(const float (*m)[3], lane3 v)
{
    return (lane3){dot3(all3(m[0]), v), dot3(all3(m[1]), v), dot3(all3(m[2]), v)};
}
TT_INLINE lane3 turn3_back(const float (*m)[3], lane3 v)
{
    return add3(add3(scale3(v.x, all3(m[0])), scale3(v.y, all3(m[1]))), scale3(v.z, all3(m[2])));
}

/* The place of x if the shape had carried it along. */
TT_INLINE lane3 carry(const tt_placed *s, lane3 x)
{
    lane3 from = sub3(all3(s->a), all3(s->da));
    return add3(all3(s->a), turn3(s->turned, sub3(x, from)));
}

/* The motion of the surface at the place a + r: the motion and turn of the whole shape, and its spin. */
TT_INLINE lane3 motion_at(const tt_placed *s, lane3 r)
{
    lane3 turned = sub3(r, turn3_back(s->turned, r));
    return add3(add3(all3(s->da), turned), cross3(all3(s->turn), r));
}

/* The first contact on the way from x to p, for the particles in `far`. The search advances along the way by the
 * distance to the surface, again and again. Wherever it stops, the whole shape is behind the plane at the nearest point
 * of the surface, because shapes are convex. So a particle that this plane keeps out is outside. */
TT_INLINE touch sweep(touch_function *function, const tt_placed *s, lane3 x, lane3 p, mask far, lane thickness,
                      const touch *end)
{
    const lane zero = lane_all(0), one = lane_all(1), close = (lane_all(s->inner) + thickness) * lane_all(1.0f / 256);
    lane3 way = sub3(p, x), place = x;
    lane length = lane_sqrt(dot3(way, way)), along = zero;
    touch t = function(s, x, thickness);
    mask on = far;
    for (int i = 0; i < MOST_MARCHES; i++) {
        mask go = mask_and(on, lane_less(close, -t.depth));
        if (!mask_any(go)) break;
        along = lane_select(go, along + lane_divide(-t.depth, length), along);
        on = mask_and(on, lane_less(along, one));
        place = add3(x, scale3(along, way));
        t = function(s, place, thickness);
    }
    lane depth = t.depth - dot3(sub3(p, place), t.normal);
    mask hit = mask_and(on, lane_less(zero, depth));
    return (touch){lane_select(hit, depth, end->depth), select3(hit, t.normal, end->normal), end->motion};
}

/* Lanes whose particle is neither NaN nor infinitely far away. */
TT_INLINE mask is_somewhere(lane3 p)
{
    return lane_less(lane_abs(p.x) + lane_abs(p.y) + lane_abs(p.z), lane_all((real)INFINITY));
}

/* Whether a particle on its way could come near to the box of the shape in this step. The broad phase asks the same of
 * many particles at once. The box includes the shape's own thickness. */
TT_INLINE mask may_meet(const tt_placed *s, lane3 x, lane3 p, lane thickness)
{
    lane3 low = all3(s->low), high = all3(s->high);
    mask x_meets =
        mask_and(lane_less(low.x - thickness, lane_max(x.x, p.x)), lane_less(lane_min(x.x, p.x), high.x + thickness));
    mask y_meets =
        mask_and(lane_less(low.y - thickness, lane_max(x.y, p.y)), lane_less(lane_min(x.y, p.y), high.y + thickness));
    mask z_meets =
        mask_and(lane_less(low.z - thickness, lane_max(x.z, p.z)), lane_less(lane_min(x.z, p.z), high.z + thickness));
    return mask_and(x_meets, mask_and(y_meets, z_meets));
}

/* The depth by which a particle is pushed out. If it was inside already, it comes out by no more than `escape`, plus
 * the depth by which it would have gone farther in. */
TT_INLINE lane let_out(const tt_placed *s, const touch *t, lane3 way, mask inside, lane escape)
{
    lane most = lane_max(lane_all(0), lane_all(s->grown) + escape - dot3(way, t->normal));
    return lane_select(inside, lane_min(most, t->depth), t->depth);
}

/* Moves the particles in `hit` out of the shape and slows their sliding along its surface. */
TT_INLINE void resolve(quad *q, const quad *x, mask hit, const touch *t, lane friction)
{
    lane depth = lane_select(hit, t->depth, lane_all(0));
    lane3 p = add3(lane3_of(*q), scale3(depth, t->normal));
    lane3 slide = sub3(sub3(p, lane3_of(*x)), t->motion);
    slide = sub3(slide, scale3(dot3(slide, t->normal), t->normal));
    lane share = lane_min(lane_all(1), lane_divide(friction * depth, lane_sqrt(dot3(slide, slide))));
    p = sub3(p, scale3(share, slide));
    q->x = lane_select(hit, p.x, q->x);
    q->y = lane_select(hit, p.y, q->y);
    q->z = lane_select(hit, p.z, q->z);
}

/* Notes the contacts of the particles in `hit`. If there are several, the last one stays. */
TT_INLINE void note(const tt_touched *touched, size_t first, const uint32_t *offset, mask hit, const touch *t,
                    lane friction)
{
    const lane zero = lane_all(0);
    quad normal, motion;
    gather(touched->normal + first, offset, &normal);
    gather(touched->motion + first, offset, &motion);
    lane3 n = select3(hit, t->normal, lane3_of(normal)), m = select3(hit, t->motion, lane3_of(motion));
    normal = (quad){n.x, n.y, n.z, lane_select(hit, friction, normal.w)};
    motion = (quad){m.x, m.y, m.z, lane_select(hit, zero, motion.w)};
    scatter(touched->normal + first, offset, &normal);
    scatter(touched->motion + first, offset, &motion);
}

/* Two colliders that pinch a particle would push it to and fro. So the second push is only so long that the particle
 * ends equally deep in both: between opposite surfaces it is half as long. If the surfaces do not face each other, it
 * is a whole push. The depth that is left is at most the thickness, so a particle is never pressed into the second
 * shape itself. */
TT_INLINE void share_push(real *pushed, const uint32_t *offset, mask hit, lane thickness, touch *t)
{
    const lane zero = lane_all(0), one = lane_all(1);
    quad last;
    gather(pushed, offset, &last);
    lane against = lane_max(zero, -dot3(lane3_of(last), t->normal));
    lane shared = lane_max(t->depth / (one + against), t->depth - thickness);
    t->depth = lane_select(lane_less(zero, against), shared, t->depth);
    lane3 normal = select3(hit, t->normal, lane3_of(last));
    last = (quad){normal.x, normal.y, normal.z, zero};
    scatter(pushed, offset, &last);
}

TT_INLINE int keep_out_of(touch_function *function, const tt_contact_batch *batch, const tt_placed *placed)
{
    const lane thickness = lane_all(batch->thickness + placed->thickness);
    const lane friction = lane_all(placed->friction * batch->friction), escape = lane_all(batch->escape);
    const lane zero = lane_all(0), one = lane_all(1), inner = lane_all(placed->inner) + thickness;
    lane hits = zero;
    uint32_t offset[LANES];
    for (int i = 0; i < LANES; i++) offset[i] = (uint32_t)(4 * i);
    for (int first = batch->first; first < batch->last; first += LANES) {
        real *p = batch->p + 4 * (size_t)first;
        quad q, x;
        gather(p, offset, &q);
        gather(batch->x + 4 * (size_t)first, offset, &x);
        touch t = function(placed, lane3_of(q), thickness);
        lane3 from = carry(placed, lane3_of(x)), way = sub3(lane3_of(q), from);
        mask moves = mask_and(lane_less(zero, q.w), is_somewhere(lane3_of(q)));
        mask hit = mask_and(lane_less(zero, t.depth), moves);
        mask far = mask_and(lane_less(inner * inner, dot3(way, way)), moves);
        if (!mask_any(mask_or(hit, far))) continue;
        lane before = function(placed, from, thickness).depth - lane_all(placed->grown);
        far = mask_and(far, lane_less(before, zero));
        if (mask_any(far)) far = mask_and(far, may_meet(placed, lane3_of(x), lane3_of(q), lane_all(batch->thickness)));
        if (mask_any(far)) t = sweep(function, placed, from, lane3_of(q), far, thickness, &t);
        t.depth = let_out(placed, &t, way, lane_less(zero, before), escape);
        t.motion = add3(t.motion, all3(placed->belt));
        hit = mask_and(lane_less(zero, t.depth), moves);
        if (!mask_any(hit)) continue;
        if (batch->pushed) share_push(batch->pushed + 4 * (size_t)(first - batch->first), offset, hit, thickness, &t);
        resolve(&q, &x, hit, &t, friction);
        scatter(p, offset, &q);
        if (batch->touched.normal) note(&batch->touched, 4 * (size_t)first, offset, hit, &t, friction);
        hits = hits + lane_select(hit, one, zero);
    }
    _Alignas(64) real count[LANES];
    lane_store(count, hits);
    int sum = 0;
    for (int i = 0; i < LANES; i++) sum += (int)count[i];
    return sum;
}

/* The kernel of a shape, from its touch_function. */
#define TT_SHAPE_KERNEL(function)                                                                                      \
    static int keep_out(const tt_contact_batch *batch, const tt_placed *placed)                                        \
    {                                                                                                                  \
        return keep_out_of(function, batch, placed);                                                                   \
    }

#endif
