/* Meshes: open or closed surfaces with two sides. A particle stays on its side of every triangle.
 *
 * Everything is computed in the mesh's own axes, where the particle comes from the place to which the mesh would have
 * carried it. Time goes from 0 to 1 over the substep. A particle that goes straight towards a triangle is stopped where
 * it first comes close; it may go on as far as the plane between the two allows (first_meeting). If it would end nearer
 * than the thickness, it is pushed away (nearest). After each push the way is checked again. A particle that begins
 * inside a closed mesh comes out slowly by the nearest place. */
#include "collide/shape.h"
#include "collide/surface.h"

#include <string.h>

enum { PUSHES = 4, MARCHES = 32, MOST_NEAR = 128, MOST_HALVINGS = 12 };
static const double CLOSE = 0.25; /* of the thickness: a particle on its way is stopped at this distance */
static const double SKIN = 1e-6;  /* of the coordinates: the least thickness, above their rounding */

/* A mesh and a batch that meet. */
typedef struct visit {
    const tt_contact_batch *batch;
    const tt_placed *placed;
    const tt_surface *surface;
    double begin, span; /* time t is at fraction begin + t span of the step */
    double thickness, friction;
    /* Triangles whose boxes meet this box; `whole`: the list has all of them */
    tt_box around;
    bool whole;
    int nnear, near[MOST_NEAR];
    /* No triangle is within `clear` of this place; `inside`: it is inside of a closed mesh */
    vec3 place;
    double clear;
    bool inside;
} visit;

/* A particle that goes straight from one place to another in the time from `since` to 1. At time 0 it was at `begin`.
 * Its slide, for friction, counts from `rest`. */
typedef struct way {
    vec3 begin, from, to, rest;
    double since;
} way;

typedef struct contact {
    tt_spot spot;
    vec3 normal, motion; /* of the surface, over the substep                                  */
    double gap;          /* along the normal, at the end                                      */
    vec3 place;          /* of the particle where it was stopped                              */
    double time;         /* of the stop                                                       */
} contact;

/* ---- Axes ---- */

static vec3 to_own(const tt_placed *s, vec3 r)
{
    return (vec3){vec_dot(vec_of(s->axis[0]), r), vec_dot(vec_of(s->axis[1]), r), vec_dot(vec_of(s->axis[2]), r)};
}

static vec3 to_world(const tt_placed *s, vec3 own)
{
    vec3 sum = vec_scale(vec_of(s->axis[0]), own.x);
    sum = vec_add(sum, vec_scale(vec_of(s->axis[1]), own.y));
    return vec_add(sum, vec_scale(vec_of(s->axis[2]), own.z));
}

/* The place of x if the mesh had carried it along, in the mesh's axes. */
static vec3 carried(const tt_placed *s, vec3 x)
{
    vec3 r = vec_sub(x, vec_sub(vec_of(s->a), vec_of(s->da)));
    return (vec3){vec_dot(vec_of(s->turned[0]), r), vec_dot(vec_of(s->turned[1]), r), vec_dot(vec_of(s->turned[2]), r)};
}

/* The motion of a place on the mesh beyond that of the mesh itself, by spin and belt. */
static vec3 extra_motion(const tt_placed *s, vec3 r) { return vec_add(vec_cross(vec_of(s->turn), r), vec_of(s->belt)); }

static vec3 whole_motion(const tt_placed *s, vec3 r, vec3 own_motion)
{
    vec3 back = vec_scale(vec_of(s->turned[0]), r.x);
    back = vec_add(back, vec_scale(vec_of(s->turned[1]), r.y));
    back = vec_add(back, vec_scale(vec_of(s->turned[2]), r.z));
    vec3 with = vec_add(vec_of(s->da), vec_sub(r, back));
    return vec_add(vec_add(with, extra_motion(s, r)), to_world(s, own_motion));
}

/* ---- Which triangles are near ---- */

static tt_box box_of_way(vec3 a, vec3 b, double by)
{
    const vec3 ends[2] = {a, b};
    tt_box box = tt_box_around(ends, 2);
    for (int k = 0; k < 3; k++) box.low[k] -= by, box.high[k] += by;
    return box;
}

static bool holds(const tt_box *outer, const tt_box *inner)
{
    for (int k = 0; k < 3; k++)
        if (!(outer->low[k] <= inner->low[k] && inner->high[k] <= outer->high[k])) return false;
    return true;
}

/* Lists the triangles near to a way, if they are not listed yet. */
static void look_around(visit *v, vec3 from, vec3 to)
{
    tt_surface_search search;
    tt_box box = box_of_way(from, to, v->thickness);
    if (v->whole && holds(&v->around, &box)) return;
    v->around = box_of_way(from, to, 1.5 * v->thickness);
    tt_surface_search_begin(&search, &v->around);
    v->nnear = tt_surface_search_next(&search, v->surface, v->near, MOST_NEAR);
    v->whole = tt_surface_search_is_over(&search);
}

/* ---- The first meeting on a way ---- */

static vec3 between(vec3 a, vec3 b, double share) { return vec_add(a, vec_scale(vec_sub(b, a), share)); }

static vec3 surface_motion(const visit *v, const tt_spot *spot)
{
    vec3 c[3], sum = {0, 0, 0};
    if (!v->surface->moves) return sum;
    for (int end = 0; end < 2; end++) {
        tt_surface_corners(v->surface, spot->triangle, v->begin + end * v->span, c);
        for (int k = 0; k < 3; k++) sum = vec_add(sum, vec_scale(c[k], end ? spot->weight[k] : -spot->weight[k]));
    }
    return sum;
}

/* The unit vector from a spot to a particle. If the particle is on the surface itself, the normal of the triangle. */
static vec3 normal_at(const visit *v, vec3 away, const vec3 c[3])
{
    double distance = vec_length(away);
    if (distance > 0) return vec_scale(away, 1 / distance);
    vec3 n = vec_cross(vec_sub(c[1], c[0]), vec_sub(c[2], c[0]));
    return vec_scale(n, v->surface->facing / vec_length(n));
}

static double least_gap(vec3 normal, vec3 place, const vec3 c[3])
{
    double gap = INFINITY;
    for (int k = 0; k < 3; k++) gap = fmin(gap, vec_dot(normal, vec_sub(place, c[k])));
    return gap;
}

/* Advances along the way by the distance that is left, again and again. The gap along a fixed normal is concave over
 * time, because both move in straight lines. So if it is above zero now and at the end, the two do not meet in between.
 * True if they come close before `found->time`, which then becomes the time of that. */
static bool meets_triangle(const visit *v, const way *w, int triangle, contact *found)
{
    vec3 begin[3], end[3], c[3];
    double speed = 0, left = 1 - w->since, share = 0, close = CLOSE * v->thickness;
    tt_surface_corners(v->surface, triangle, v->begin + w->since * v->span, begin);
    tt_surface_corners(v->surface, triangle, v->begin + v->span, end);
    for (int k = 0; k < 3; k++) {
        vec3 motion = vec_sub(vec_sub(w->to, w->from), vec_sub(end[k], begin[k]));
        speed = fmax(speed, vec_length(motion));
    }
    for (int i = 0; i <= MARCHES; i++) {
        contact now = {.spot = {.triangle = triangle}, .time = w->since + share * left};
        if (now.time >= found->time) return false;
        for (int k = 0; k < 3; k++) c[k] = between(begin[k], end[k], share);
        now.place = between(w->from, w->to, share);
        now.spot.at = tt_closest_on_triangle(now.place, c[0], c[1], c[2], now.spot.weight);
        vec3 away = vec_sub(now.place, now.spot.at);
        double distance = vec_length(away);
        if (i == 0) close = fmin(close, distance / 2);
        now.normal = normal_at(v, away, c);
        now.gap = least_gap(now.normal, w->to, end);
        if (now.gap > close) return false;
        if (distance <= 1.5 * close || i == MARCHES) return *found = now, true;
        share += (distance - close) / speed;
        if (!(share < 1)) return false;
    }
    return false;
}

static bool meets_any(const visit *v, const way *w, const int *triangle, int count, contact *found)
{
    bool any = false;
    for (int i = 0; i < count; i++) any = meets_triangle(v, w, triangle[i], found) || any;
    return any;
}

/* Long ways have many triangles around them, so they are searched piece by piece, from the beginning. */
static bool first_meeting_far(const visit *v, const way *w, contact *found)
{
    int list[MOST_NEAR], count, halvings = 0;
    double from = 0, step = 1;
    bool any = false;
    while (from < 1 && !any) {
        tt_surface_search search;
        double to = fmin(1, from + step);
        tt_box box = box_of_way(between(w->from, w->to, from), between(w->from, w->to, to), v->thickness);
        tt_surface_search_begin(&search, &box);
        count = tt_surface_search_next(&search, v->surface, list, MOST_NEAR);
        if (!tt_surface_search_is_over(&search) && halvings < MOST_HALVINGS) {
            step /= 2, halvings++;
            continue;
        }
        found->time = fmin(found->time, w->since + to * (1 - w->since));
        while (count > 0) {
            any = meets_any(v, w, list, count, found) || any;
            count = tt_surface_search_next(&search, v->surface, list, MOST_NEAR);
        }
        if (!any) found->time = INFINITY;
        from = to;
    }
    return any;
}

static bool first_meeting(visit *v, const way *w, contact *found)
{
    found->time = INFINITY;
    look_around(v, w->from, w->to);
    bool any = v->whole ? meets_any(v, w, v->near, v->nnear, found) : first_meeting_far(v, w, found);
    if (any) found->motion = surface_motion(v, &found->spot);
    return any;
}

/* ---- The end or the beginning of a way ---- */

/* The distance of the nearest place at a time, if it is within the thickness; else INFINITY. */
static double nearest(visit *v, vec3 place, double time, contact *found)
{
    double square = v->thickness * v->thickness, fraction = v->begin + time * v->span;
    bool any = false;
    look_around(v, place, place);
    if (!v->whole) any = tt_surface_nearest(v->surface, place, fraction, square, &found->spot);
    for (int i = 0; v->whole && i < v->nnear; i++) {
        vec3 c[3];
        tt_spot spot = {.triangle = v->near[i]};
        tt_surface_corners(v->surface, spot.triangle, fraction, c);
        spot.at = tt_closest_on_triangle(place, c[0], c[1], c[2], spot.weight);
        vec3 away = vec_sub(place, spot.at);
        if (vec_dot(away, away) >= square) continue;
        square = vec_dot(away, away);
        found->spot = spot;
        any = true;
    }
    if (!any) return INFINITY;
    vec3 c[3], away = vec_sub(place, found->spot.at);
    tt_surface_corners(v->surface, found->spot.triangle, fraction, c);
    found->normal = normal_at(v, away, c);
    found->motion = surface_motion(v, &found->spot);
    return found->gap = vec_length(away);
}

/* ---- The effect of a contact ---- */

/* If two colliders pinch a particle, the second pushes it only so far that it is equally deep in both. */
static double share_push(const visit *v, int i, vec3 normal, double depth)
{
    float *last = v->batch->pushed ? v->batch->pushed + 4 * (size_t)(i - v->batch->first) : NULL;
    if (!last) return depth;
    double against = -vec_dot(vec_of(last), normal);
    last[0] = (float)normal.x, last[1] = (float)normal.y, last[2] = (float)normal.z;
    return against > 0 ? fmax(depth / (1 + against), depth - v->thickness) : depth;
}

static void note(const visit *v, int i, vec3 r, const contact *c)
{
    const tt_touched *touched = &v->batch->touched;
    if (!touched->normal) return;
    vec3 normal = to_world(v->placed, c->normal), motion = whole_motion(v->placed, r, c->motion);
    const double n[4] = {normal.x, normal.y, normal.z, v->friction}, m[4] = {motion.x, motion.y, motion.z, 0};
    for (size_t k = 0; k < 4; k++) {
        touched->normal[4 * (size_t)i + k] = (float)n[k];
        touched->motion[4 * (size_t)i + k] = (float)m[k];
    }
}

/* Pushes the end of a way out of a contact, with friction on the rest of the way; returns whether that did anything. A
 * particle that was too near or inside when the substep began leaves slowly. */
static bool push(const visit *v, int i, way *w, bool slowly, const contact *c)
{
    double depth = v->thickness - c->gap, left = 1 - w->since;
    vec3 went = vec_sub(vec_sub(w->to, w->begin), c->motion);
    if (slowly) depth = fmin(depth, fmax(0, (double)v->batch->escape - vec_dot(went, c->normal)));
    if (!(depth > 0)) return false;
    depth = share_push(v, i, to_world(v->placed, c->normal), depth);
    w->to = vec_add(w->to, vec_scale(c->normal, depth));
    vec3 r = to_world(v->placed, w->to), extra = to_own(v->placed, extra_motion(v->placed, r));
    vec3 slide = vec_sub(vec_sub(w->to, w->rest), vec_scale(vec_add(c->motion, extra), left));
    slide = vec_sub(slide, vec_scale(c->normal, vec_dot(slide, c->normal)));
    double length = vec_length(slide);
    if (length > 0) w->to = vec_sub(w->to, vec_scale(slide, fmin(1, v->friction * depth / length)));
    note(v, i, r, c);
    return true;
}

/* Lets a way go on from the place where it was stopped. The slide counts from the nearest place that is a thickness
 * away. */
static void stop(const visit *v, way *w, const contact *c)
{
    double lack = v->thickness - vec_length(vec_sub(c->place, c->spot.at));
    w->from = c->place;
    w->since = c->time;
    w->rest = vec_add(c->place, vec_scale(c->normal, fmax(0, lack)));
}

/* Keeps a way on its side of the mesh. */
static bool guide(visit *v, int i, way *w, bool slowly)
{
    contact c;
    bool any = false;
    for (int k = 0; k < PUSHES; k++) {
        bool stopped = first_meeting(v, w, &c);
        if (!stopped && !(nearest(v, w->to, 1, &c) < v->thickness)) return any;
        if (stopped) stop(v, w, &c);
        if (!push(v, i, w, slowly, &c)) break;
        any = true;
    }
    if (!first_meeting(v, w, &c)) return any;
    w->to = vec_add(c.place, vec_scale(c.motion, 1 - c.time)); /* the particle cannot go on */
    note(v, i, to_world(v->placed, w->to), &c);
    return true;
}

/* A particle that begins inside leaves by the place that is nearest to the end of its way. */
static bool let_out(visit *v, int i, way *w)
{
    contact c;
    vec3 corner[3];
    double end = v->begin + v->span;
    if (!tt_surface_nearest(v->surface, w->to, end, INFINITY, &c.spot)) return false;
    vec3 away = vec_sub(w->to, c.spot.at);
    bool inside = tt_surface_is_inside(v->surface, w->to, end, &c.spot);
    tt_surface_corners(v->surface, c.spot.triangle, end, corner);
    c.gap = inside ? -vec_length(away) : vec_length(away);
    c.normal = normal_at(v, inside ? vec_scale(away, -1) : away, corner);
    c.motion = surface_motion(v, &c.spot);
    return push(v, i, w, true, &c);
}

/* ---- One particle, all particles ---- */

/* Whether the place is inside of the mesh. No triangle is within the thickness of it if `clear`. */
static bool is_inside(visit *v, vec3 place, double reach)
{
    tt_spot spot;
    vec3 off = vec_sub(place, v->place);
    if (vec_length(off) + reach < v->clear) return v->inside;
    if (!tt_surface_nearest(v->surface, place, v->begin, INFINITY, &spot)) return false;
    v->place = place;
    v->clear = vec_length(vec_sub(place, spot.at));
    return v->inside = tt_surface_is_inside(v->surface, place, v->begin, &spot);
}

static bool keep_one_out(visit *v, int i, way *w)
{
    const tt_surface *s = v->surface;
    const vec3 from = w->from;
    double reach = vec_length(vec_sub(w->to, from)) + v->thickness + s->travel * v->span;
    bool clear = vec_length(vec_sub(from, v->place)) + reach < v->clear;
    contact before = {.gap = INFINITY};
    if (clear && !v->inside) return false;
    v->whole = false;
    if (!clear) look_around(v, from, w->to);
    bool none = v->whole && v->nnear == 0;
    if (!clear && !none) nearest(v, from, 0, &before);
    bool in_layer = before.gap < v->thickness;
    bool inside =
        s->closed && (in_layer ? tt_surface_is_inside(s, from, v->begin, &before.spot) : is_inside(v, from, reach));
    if (inside) return let_out(v, i, w);
    return !none && guide(v, i, w, in_layer);
}

static bool may_meet(const tt_placed *s, const float *x, const float *p, float thickness)
{
    for (int k = 0; k < 3; k++) {
        float low = x[k] < p[k] ? x[k] : p[k], high = x[k] < p[k] ? p[k] : x[k];
        if (!(s->low[k] - thickness < high && low < s->high[k] + thickness)) return false;
    }
    return p[3] > 0 && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static int keep_out(const tt_contact_batch *batch, const tt_placed *placed)
{
    const tt_surface *s = placed->owned->surface;
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs((double)placed->a[k]) + fmax(fabs(s->box.low[k]), fabs(s->box.high[k])));
    visit v = {.batch = batch,
               .placed = placed,
               .surface = s,
               .begin = (double)placed->from,
               .span = (double)placed->to - (double)placed->from,
               .thickness = fmax((double)batch->thickness + (double)placed->thickness, SKIN * largest),
               .friction = (double)(placed->friction * batch->friction)};
    int hits = 0;
    for (int i = batch->first; i < batch->last; i++) {
        float *p = batch->p + 4 * (size_t)i;
        const float *x = batch->x + 4 * (size_t)i;
        if (!may_meet(placed, x, p, batch->thickness)) continue;
        way w = {.from = to_own(placed, carried(placed, vec_of(x))),
                 .to = to_own(placed, vec_sub(vec_of(p), vec_of(placed->a)))};
        w.begin = w.rest = w.from;
        if (!keep_one_out(&v, i, &w)) continue;
        vec3 out = vec_add(vec_of(placed->a), to_world(placed, w.to));
        p[0] = (float)out.x, p[1] = (float)out.y, p[2] = (float)out.z;
        hits++;
    }
    return hits;
}

/* ---- The row of the table ---- */

static bool check(const taut_collider_def *def, taut_error *error)
{
    (void)def, (void)error;
    return true;
}

static void place(const tt_collider *collider, float from, float to, tt_placed *placed)
{
    tt_placed_rotate(placed, collider, from, to);
}

/* The box has room for the least thickness. */
static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    tt_box own = collider->owned->surface->box;
    double largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(own.low[k]), fabs(own.high[k])));
    for (int k = 0; k < 3; k++) own.low[k] -= 4 * SKIN * largest, own.high[k] += 4 * SKIN * largest;
    return tt_turned_box(def, &own);
}

const tt_shape tt_mesh_shape = {.name = "mesh", .check = check, .place = place, .box = box, .keep_out = keep_out};
