/* Triangles that touch a shape between their corners, such as a ball that is smaller than the cells of the mesh, or the
 * edge of a box.
 *
 * Shapes are convex. So the depth of a point inside (`depth`, below 0 outside) is a concave function of the point, and
 * the normal is its negative gradient. Therefore a triangle has one deepest point, and each of its points gives a bound
 * of the depth of the whole triangle: the depth that the linear function with this gradient has at most. For most
 * triangles near a shape, one such point is enough.
 *
 * A triangle moves from the place where it was, carried along by the shape, to the place where it is. It is stopped
 * where it first meets the shape on that way. The plane of that contact has the whole shape behind it, so it gives the
 * right side even if a sharp tip already looks out of the triangle. */
#ifndef TAUT_COLLIDE_FACE_KERNEL_H
#define TAUT_COLLIDE_FACE_KERNEL_H

#include "collide/triangle_kernel.h"

enum { MOST_DIVES = 16 };

/* A point of a triangle; `bound`: no point of the triangle is deeper. */
typedef struct spot {
    shares at;
    lane3 place;
    touch touch;
    lane bound;
} spot;

TT_INLINE spot select_spot(mask m, const spot *a, const spot *b)
{
    return (spot){{lane_select(m, a->at.s, b->at.s), lane_select(m, a->at.t, b->at.t)},
                  select3(m, a->place, b->place),
                  {lane_select(m, a->touch.depth, b->touch.depth), select3(m, a->touch.normal, b->touch.normal),
                   select3(m, a->touch.motion, b->touch.motion)},
                  lane_select(m, a->bound, b->bound)};
}

TT_INLINE spot spot_at(touch_function *function, const tt_placed *s, const lane3 corner[3], shares at, lane thickness)
{
    spot found = {.at = at, .place = point_at(corner, at)};
    found.touch = function(s, found.place, thickness);
    lane least = dot3(found.touch.normal, sub3(corner[0], found.place));
    for (int k = 1; k < 3; k++) least = lane_min(least, dot3(found.touch.normal, sub3(corner[k], found.place)));
    found.bound = found.touch.depth - least;
    return found;
}

TT_INLINE spot middle_of(touch_function *function, const tt_placed *s, const lane3 corner[3], lane thickness)
{
    const lane third = lane_all(1.0f / 3);
    return spot_at(function, s, corner, (shares){third, third}, thickness);
}

/* The depth may be off that of the deepest point by this much. */
TT_INLINE lane closeness(const tt_placed *s, lane thickness)
{
    return (lane_all(s->inner) + thickness) * lane_all(1.0f / 256);
}

/* The length of the first step against the normal: to the middle of a ball of radius `inner` in the shape. Shapes that
 * may be sharp have none, so the step is a part of the size of the triangle. */
TT_INLINE lane first_step(const tt_placed *s, const lane3 corner[3], const spot *from, lane thickness)
{
    lane away = thickness - from->touch.depth, size = lane_all(0);
    if (s->inner > 0) return lane_all(s->inner) + away;
    for (int k = 0; k < 3; k++) {
        lane3 r = sub3(corner[k], from->place);
        size = lane_max(size, dot3(r, r));
    }
    return lane_max(away, lane_sqrt(size) * lane_all(0.125f));
}

/* Goes from `best` to the deepest point of the triangle, or until no point can be deeper than `least`. Each step goes
 * against the normal and back to the triangle. Steps get longer while they lead deeper, and shorter if they do not. */
TT_INLINE void dive(touch_function *function, const tt_placed *s, const lane3 corner[3], mask on, lane least,
                    lane thickness, spot *best)
{
    const lane close = closeness(s, thickness);
    lane step = first_step(s, corner, best, thickness);
    for (int i = 0; i < MOST_DIVES; i++) {
        mask go =
            mask_and(on, mask_and(lane_less(least, best->bound), lane_less(best->touch.depth + close, best->bound)));
        if (!mask_any(go)) break;
        lane3 aim = sub3(best->place, scale3(step, best->touch.normal));
        spot next = spot_at(function, s, corner, nearest_shares(corner, aim), thickness);
        mask deeper = mask_and(go, lane_less(best->touch.depth, next.touch.depth));
        step = step * lane_select(deeper, lane_all(2), lane_all(0.25f));
        next.bound = lane_select(go, lane_min(next.bound, best->bound), best->bound);
        *best = select_spot(deeper, &next, best);
        best->bound = next.bound;
    }
}

/* Triangles on their way. */
typedef struct faces {
    quad x[3], p[3];
    lane3 from[3], to[3], way[3]; /* from: the old place, carried along by the shape */
    lane farthest;                /* the longest of the ways of its corners          */
    mask moves;
} faces;

/* The particle of a corner. Lines are triangles whose last corner is the first. */
TT_INLINE int face_corner(const tt_skin_triangle *tri, int k) { return tri->corner[k < 2 || tri->is_face ? k : 0]; }

TT_INLINE faces take_faces(const tt_face_batch *batch, const tt_placed *s, int first)
{
    faces f = {.farthest = lane_all(0)};
    _Alignas(64) real number[LANES];
    mask free = lane_less(lane_all(0), lane_all(0)), sound = lane_less(lane_all(0), lane_all(1));
    for (int i = 0; i < LANES; i++) number[i] = (real)i;
    for (int k = 0; k < 3; k++) {
        uint32_t offset[LANES];
        for (int i = 0; i < LANES; i++) {
            const tt_skin_triangle *tri = &batch->tri[first + i < batch->count ? first + i : batch->count - 1];
            offset[i] = 4 * (uint32_t)face_corner(tri, k);
        }
        gather(batch->p, offset, &f.p[k]);
        gather(batch->x, offset, &f.x[k]);
        f.to[k] = lane3_of(f.p[k]);
        f.from[k] = carry(s, lane3_of(f.x[k]));
        f.way[k] = sub3(f.to[k], f.from[k]);
        f.farthest = lane_max(f.farthest, dot3(f.way[k], f.way[k]));
        free = mask_or(free, lane_less(lane_all(0), f.p[k].w));
        sound = mask_and(sound, is_somewhere(f.to[k]));
    }
    f.farthest = lane_sqrt(f.farthest);
    f.moves = mask_and(mask_and(free, sound), lane_less(lane_load(number), lane_all((real)(batch->count - first))));
    return f;
}

/* Whether the box around the triangle on its way comes near to the box of the shape. */
TT_INLINE mask face_may_meet(const faces *f, const tt_placed *s, lane thickness)
{
    lane3 low = lane3_of(f->p[0]), high = low;
    for (int k = 0; k < 6; k++) {
        lane3 q = lane3_of(k < 3 ? f->p[k] : f->x[k - 3]);
        low = (lane3){lane_min(low.x, q.x), lane_min(low.y, q.y), lane_min(low.z, q.z)};
        high = (lane3){lane_max(high.x, q.x), lane_max(high.y, q.y), lane_max(high.z, q.z)};
    }
    return may_meet(s, low, high, thickness);
}

/* The place where the triangle first meets the shape. *on: the lanes that meet it. *inside: the depth of the triangle
 * when it began. */
TT_INLINE spot first_contact(touch_function *function, const tt_placed *s, const faces *f, lane thickness, mask *on,
                             lane *inside)
{
    const lane close = closeness(s, thickness), one = lane_all(1), all = lane_all((real)-INFINITY);
    lane3 corner[3] = {f->from[0], f->from[1], f->from[2]};
    lane along = lane_all(0);
    mask go = *on;
    spot next = middle_of(function, s, corner, thickness), found = next;
    for (int i = 0;; i++) {
        dive(function, s, corner, go, all, thickness, &next);
        found = select_spot(go, &next, &found);
        if (i == 0) *inside = found.touch.depth - lane_all(s->grown);
        go = mask_and(go, lane_less(close, -found.touch.depth));
        if (i == MOST_MARCHES || !mask_any(go)) return found;
        along = lane_select(go, along + lane_divide(-found.touch.depth, f->farthest), along);
        mask there = lane_less(along, one);
        *on = mask_and(*on, there), go = mask_and(go, there);
        for (int k = 0; k < 3; k++) corner[k] = add3(f->from[k], scale3(along, f->way[k]));
        next = spot_at(function, s, corner, found.at, thickness);
    }
}

/* The rows of numbers of contacts. */
enum { HIT, SHARES, NORMAL = 3, MOTION = 6, HEIGHT = 9, FAR, ROWS };

TT_INLINE int write_contacts(const tt_face_batch *batch, const tt_placed *placed, int first, const lane value[ROWS],
                             tt_face_contact *found)
{
    _Alignas(64) real row[ROWS][LANES];
    int count = 0;
    for (int k = 0; k < ROWS; k++) lane_store(row[k], value[k]);
    for (int i = 0; i < LANES; i++) {
        if (!(row[HIT][i] > 0)) continue;
        const tt_skin_triangle *tri = &batch->tri[first + i];
        float s = (float)row[SHARES][i], t = (float)row[SHARES + 1][i];
        tt_face_contact *c = &found[count++];
        *c = (tt_face_contact){.weight = {1 - s - t, s, t},
                               .height = (float)row[HEIGHT][i],
                               .far = row[FAR][i] > 0,
                               .friction = placed->friction * batch->friction};
        for (int k = 0; k < 3; k++) {
            c->particle[k] = face_corner(tri, k);
            c->normal[k] = (float)row[NORMAL + k][i], c->motion[k] = (float)row[MOTION + k][i];
        }
    }
    return count;
}

/* The contacts of the triangles from `first` on, which may meet the shape. */
TT_INLINE int meet_these(touch_function *function, const tt_face_batch *batch, const tt_placed *placed, int first,
                         const faces *f, mask hit, tt_face_contact *found)
{
    const lane zero = lane_all(0), one = lane_all(1), thickness = lane_all(batch->thickness + placed->thickness);
    lane inside;
    spot met = first_contact(function, placed, f, thickness, &hit, &inside);
    const lane3 n = met.touch.normal, from = point_at(f->from, met.at), end = point_at(f->to, met.at);
    lane height = dot3(n, met.place) + met.touch.depth, depth = height - dot3(n, end);
    lane before = dot3(n, from) + lane_all(placed->grown); /* what began inside goes no deeper */
    lane3 motion = add3(function(placed, end, thickness).motion, all3(placed->belt));
    mask in = lane_less(zero, inside), far = lane_less(lane_all(placed->inner) + thickness, depth);
    height = lane_select(in, lane_min(before, height), height);
    hit = mask_and(hit, lane_less(zero, depth));
    const lane value[ROWS] = {lane_select(hit, one, zero),
                              met.at.s,
                              met.at.t,
                              n.x,
                              n.y,
                              n.z,
                              motion.x,
                              motion.y,
                              motion.z,
                              height,
                              lane_select(in, zero, lane_select(far, one, zero))};
    return mask_any(hit) ? write_contacts(batch, placed, first, value, found) : 0;
}

TT_INLINE int meet_faces_of(touch_function *function, const tt_face_batch *batch, const tt_placed *placed,
                            tt_face_contact *found)
{
    const lane zero = lane_all(0), thickness = lane_all(batch->thickness + placed->thickness);
    int count = 0;
    for (int first = 0; first < batch->count; first += LANES) {
        faces f = take_faces(batch, placed, first);
        spot end = middle_of(function, placed, f.to, thickness);
        mask far = mask_and(f.moves, lane_less(lane_all(placed->inner) + thickness, f.farthest));
        mask may = mask_and(f.moves, mask_or(far, lane_less(zero, end.bound)));
        if (mask_any(may)) may = mask_and(may, face_may_meet(&f, placed, lane_all(batch->thickness)));
        if (!mask_any(may)) continue;
        dive(function, placed, f.to, may, zero, thickness, &end);
        mask hit = mask_and(may, mask_or(far, lane_less(zero, end.touch.depth)));
        if (mask_any(hit)) count += meet_these(function, batch, placed, first, &f, hit, found + count);
    }
    return count;
}

/* The kernel for faces of a shape, from its touch_function. */
#define TT_FACE_KERNEL(function)                                                                                       \
    static int meet_faces(const tt_face_batch *batch, const tt_placed *placed, tt_face_contact *found)                 \
    {                                                                                                                  \
        return meet_faces_of(function, batch, placed, found);                                                          \
    }

#endif
