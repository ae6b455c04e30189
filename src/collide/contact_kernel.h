/* Keeping particles out of a shape, with Coulomb friction: the loop that all shapes share.
 *
 *     depth = radius + thickness - distance > 0:   p += depth n
 *     s = tangential part of (p - x) - (motion of the surface there),   p -= s min(1, mu depth / |s|)
 *
 * A correction by the depth acts as an impulse. Friction takes at most mu times that impulse from the sliding (MRSL eq.
 * 7 in consistent units). */
#ifndef TAUT_COLLIDE_CONTACT_KERNEL_H
#define TAUT_COLLIDE_CONTACT_KERNEL_H

#include "collide/shape.h"
#include "constraints/lane_math.h"

/* What a shape does to particles. */
typedef struct touch {
    lane depth;           /* above 0: that far inside           */
    lane3 normal, motion; /* of the surface; over the substep   */
} touch;

typedef touch touch_function(const tt_placed *s, lane3 p, lane thickness);

TT_INLINE lane3 all3(const float *a) { return (lane3){lane_all(a[0]), lane_all(a[1]), lane_all(a[2])}; }

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

/* Notes the contacts of the particles in `hit`. Of several contacts the last one stays. */
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

TT_INLINE int keep_out_of(touch_function *function, const tt_contact_batch *batch, const tt_placed *placed)
{
    const lane thickness = lane_all(batch->thickness), friction = lane_all(placed->friction * batch->friction);
    const lane zero = lane_all(0), one = lane_all(1);
    lane hits = zero;
    uint32_t offset[LANES];
    for (int i = 0; i < LANES; i++) offset[i] = (uint32_t)(4 * i);
    for (int first = batch->first; first < batch->last; first += LANES) {
        real *p = batch->p + 4 * (size_t)first;
        quad q, x;
        gather(p, offset, &q);
        touch t = function(placed, lane3_of(q), thickness);
        mask hit = mask_and(lane_less(zero, t.depth), lane_less(zero, q.w));
        if (!mask_any(hit)) continue;
        gather(batch->x + 4 * (size_t)first, offset, &x);
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
