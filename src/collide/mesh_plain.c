/* Meshes: open or closed surfaces with two sides. A particle stays on its side of every triangle.
 *
 * Everything happens in the mesh's own axes, where the particle comes from the place to which the mesh would have
 * carried it. Time goes from 0 to 1 over the substep. A particle that goes straight towards a triangle is stopped
 * where it first comes close; it may go where the plane between the two leaves it (first_meeting). Where it would
 * end nearer than the thickness, it is pushed away (nearest). After each push the way is looked at again. What
 * begins inside of a closed mesh comes out by the nearest place, slowly. */
#include "collide/single.h"
#include "collide/surface.h"

#include <string.h>

/* A surface that is nearer than NEAR times the thickness counts as a plane, as long as the particle stays within FLAT
 * times the thickness of its place. It must also stay within FLAT times its distance, so that it cannot get through
 * another triangle. */
static const double NEAR = 1.25, FLAT = 0.75;

enum { PUSHES = 4, MARCHES = 32, MOST_NEAR = 128, MOST_HALVINGS = 12 };
static const double CLOSE = 0.25; /* of the thickness: where a particle on its way is stopped */

/* A mesh and a batch that meet. */
typedef struct visit {
    tt_meeting m;
    const tt_surface *surface;
    double begin, span; /* time t is at begin + t span of the step */
    double usual; /* thickness */
    /* Triangles whose boxes meet this one; `whole`: these are all */
    tt_box around;
    bool whole;
    int nnear, near[MOST_NEAR];
    /* No triangle is within `clear` of this place, which is inside of a closed mesh or not */
    vec3 place;
    double clear;
    bool inside;
} visit;

typedef struct contact {
    tt_spot spot;
    tt_bump bump;    /* seen from the end of the way         */
    vec3 place;      /* of the particle where it was stopped */
    double time;     /* when that was                        */
    double distance; /* from the surface then                */
} contact;

/* ---- Numbers ---- */

/* fmin and fmax would be calls. */
static inline double less_of(double a, double b) { return a < b ? a : b; }
static inline double more_of(double a, double b) { return a > b ? a : b; }

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

/* Lists what is near to a way, if it is not listed yet. */
static void look_around(visit *v, vec3 from, vec3 to, double reach)
{
    tt_surface_search search;
    tt_box box = box_of_way(from, to, reach);
    if (v->whole && holds(&v->around, &box)) return;
    v->around = box_of_way(from, to, fmax(reach, NEAR * v->usual));
    tt_surface_search_begin(&search, &v->around);
    v->nnear = tt_surface_search_next(&search, v->surface, v->near, MOST_NEAR);
    v->whole = tt_surface_search_is_over(&search);
}

/* ---- The first meeting on a way ---- */

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

/* The unit vector from a spot to a particle. On the surface itself it is the way out of the triangle. */
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
    for (int k = 0; k < 3; k++) gap = less_of(gap, vec_dot(normal, vec_sub(place, c[k])));
    return gap;
}

/* Goes along the way by the distance that is left again and again. The gap along a fixed normal is concave over
 * time, as both move in straight lines. So where it is above zero now and at the end, the two do not meet in
 * between. True if they come close before `contact->time`, which becomes the time. */
static bool meets_triangle(const visit *v, const tt_way *w, int triangle, contact *found)
{
    vec3 begin[3], end[3], c[3];
    double speed = 0, left = 1 - w->since, share = 0, close = CLOSE * v->m.thickness;
    tt_surface_corners(v->surface, triangle, v->begin + w->since * v->span, begin);
    tt_surface_corners(v->surface, triangle, v->begin + v->span, end);
    for (int k = 0; k < 3; k++) {
        vec3 motion = vec_sub(vec_sub(w->to, w->from), vec_sub(end[k], begin[k]));
        speed = more_of(speed, vec_length(motion));
    }
    for (int i = 0; i <= MARCHES; i++) {
        contact now = {.spot = {.triangle = triangle}, .time = w->since + share * left};
        if (now.time >= found->time) return false;
        for (int k = 0; k < 3; k++) c[k] = tt_between(begin[k], end[k], share);
        now.place = tt_between(w->from, w->to, share);
        now.spot.at = tt_closest_on_triangle(now.place, c[0], c[1], c[2], now.spot.weight);
        vec3 away = vec_sub(now.place, now.spot.at);
        double distance = now.distance = vec_length(away);
        if (i == 0) close = fmin(close, distance / 2);
        now.bump.normal = normal_at(v, away, c);
        now.bump.gap = least_gap(now.bump.normal, w->to, end);
        if (now.bump.gap > close) return false;
        if (distance <= 1.5 * close || i == MARCHES) return *found = now, true;
        share += (distance - close) / speed;
        if (!(share < 1)) return false;
    }
    return false;
}

/* Whether a way stays on one side of the plane of a triangle that does not move, and away from it. */
static bool stays_clear(const visit *v, const tt_way *w, int triangle)
{
    vec3 c[3];
    tt_surface_corners(v->surface, triangle, 0, c);
    vec3 n = vec_cross(vec_sub(c[1], c[0]), vec_sub(c[2], c[0]));
    double from = vec_dot(n, vec_sub(w->from, c[0])), to = vec_dot(n, vec_sub(w->to, c[0]));
    double least = from > 0 ? less_of(from, to) : -more_of(from, to), close = CLOSE * v->m.thickness;
    return least > 0 && least * least > close * close * vec_dot(n, n);
}

static bool meets_any(const visit *v, const tt_way *w, const int *triangle, int count, contact *found)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        if (v->surface->moves || !stays_clear(v, w, triangle[i])) any = meets_triangle(v, w, triangle[i], found) || any;
    return any;
}

/* Long ways have many triangles around them, so they are looked at piece by piece, from the beginning. */
static bool first_meeting_far(const visit *v, const tt_way *w, contact *found)
{
    int list[MOST_NEAR], count, halvings = 0;
    double from = 0, step = 1;
    bool any = false;
    while (from < 1 && !any) {
        tt_surface_search search;
        double to = fmin(1, from + step);
        tt_box box = box_of_way(tt_between(w->from, w->to, from), tt_between(w->from, w->to, to), v->m.thickness);
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

static bool first_meeting(visit *v, const tt_way *w, contact *found)
{
    found->time = INFINITY;
    look_around(v, w->from, w->to, v->m.thickness);
    bool any = v->whole ? meets_any(v, w, v->near, v->nnear, found) : first_meeting_far(v, w, found);
    if (any) found->bump.motion = surface_motion(v, &found->spot);
    return any;
}

/* ---- Where a way ends, or begins ---- */

/* The distance of a number from the range of three numbers. */
static inline double outside(double a, double b, double c, double at)
{
    double below = less_of(a, less_of(b, c)) - at, above = at - more_of(a, more_of(b, c));
    return more_of(more_of(below, above), 0);
}

/* Whether the square of the distance to the box around a triangle is below `square`. */
static bool is_near(const vec3 c[3], vec3 place, double square)
{
    double x = outside(c[0].x, c[1].x, c[2].x, place.x), y = outside(c[0].y, c[1].y, c[2].y, place.y);
    double z = outside(c[0].z, c[1].z, c[2].z, place.z);
    return x * x + y * y + z * z < square;
}

/* Whether a triangle is nearer than the square root of `square`, which then becomes the square of its distance. */
static bool is_nearer(const visit *v, int triangle, vec3 place, double fraction, double *square, tt_spot *spot)
{
    vec3 c[3];
    tt_spot one = {.triangle = triangle};
    tt_surface_corners(v->surface, triangle, fraction, c);
    if (!is_near(c, place, *square)) return false;
    one.at = tt_closest_on_triangle(place, c[0], c[1], c[2], one.weight);
    vec3 away = vec_sub(place, one.at);
    if (vec_dot(away, away) >= *square) return false;
    *square = vec_dot(away, away);
    *spot = one;
    return true;
}

/* The nearest place within a reach, at a time; the distance of others is INFINITY. */
static double nearest(visit *v, vec3 place, double time, double reach, contact *found)
{
    double square = reach * reach, fraction = v->begin + time * v->span;
    bool any = false;
    look_around(v, place, place, reach);
    if (!v->whole) any = tt_surface_nearest(v->surface, place, fraction, square, &found->spot);
    for (int i = 0; v->whole && i < v->nnear; i++)
        any = is_nearer(v, v->near[i], place, fraction, &square, &found->spot) || any;
    if (!any) return INFINITY;
    vec3 c[3], away = vec_sub(place, found->spot.at);
    tt_surface_corners(v->surface, found->spot.triangle, fraction, c);
    found->bump.normal = normal_at(v, away, c);
    found->bump.motion = surface_motion(v, &found->spot);
    return found->bump.gap = vec_length(away);
}

/* ---- What a contact does ---- */

/* Keeps a way on its side of the mesh. */
static bool guide(visit *v, int i, tt_way *w, bool slowly)
{
    contact c;
    bool any = false;
    for (int k = 0; k < PUSHES; k++) {
        bool stopped = first_meeting(v, w, &c);
        if (!stopped && !(nearest(v, w->to, 1, v->m.thickness, &c) < v->m.thickness)) return any;
        if (stopped) tt_stop(&v->m, w, c.place, c.time, &c.bump, c.distance);
        if (!tt_push(&v->m, i, w, slowly, &c.bump)) break;
        any = true;
    }
    if (!first_meeting(v, w, &c)) return any;
    w->to = vec_add(c.place, vec_scale(c.bump.motion, 1 - c.time)); /* there is no way on */
    tt_note(&v->m, i, w, &c.bump);
    return true;
}

/* What begins inside leaves by the place that is nearest to where it would be. */
static bool let_out(visit *v, int i, tt_way *w)
{
    contact c;
    vec3 corner[3];
    double end = v->begin + v->span;
    if (!tt_surface_nearest(v->surface, w->to, end, INFINITY, &c.spot)) return false;
    vec3 away = vec_sub(w->to, c.spot.at);
    bool inside = tt_surface_is_inside(v->surface, w->to, end, &c.spot);
    tt_surface_corners(v->surface, c.spot.triangle, end, corner);
    c.bump.gap = inside ? -vec_length(away) : vec_length(away);
    c.bump.normal = normal_at(v, inside ? vec_scale(away, -1) : away, corner);
    c.bump.motion = surface_motion(v, &c.spot);
    return tt_push(&v->m, i, w, true, &c.bump);
}

/* ---- Memos ---- */

static bool is_within(const float centre[3], double radius, const tt_way *w)
{
    vec3 begin = vec_sub(w->begin, vec_of(centre)), end = vec_sub(w->to, vec_of(centre));
    return radius > 0 && more_of(vec_dot(begin, begin), vec_dot(end, end)) < radius * radius;
}

static void put(vec3 a, float out[3]) { out[0] = (float)a.x, out[1] = (float)a.y, out[2] = (float)a.z; }

/* The surface may come this near to a clear place; with room for rounding. */
static double clearance(const visit *v) { return v->m.thickness + v->m.slack + v->surface->travel; }

static void remember_clear(const visit *v, tt_memo *memo, vec3 centre, double distance)
{
    *memo = (tt_memo){.look = v->surface->look, .radius = (float)distance};
    put(centre, memo->centre);
}

/* Remembers the surface near the present place of the particle. */
static void remember(visit *v, tt_memo *memo, const tt_way *w)
{
    contact c;
    tt_spot spot;
    double distance = nearest(v, w->to, 1, NEAR * v->usual, &c);
    if (distance < NEAR * v->usual) {
        *memo = (tt_memo){.look = v->m.placed->look, .flat = true, .radius = (float)(FLAT * fmin(v->usual, distance))};
        memo->offset = (float)vec_dot(c.bump.normal, c.spot.at);
        put(w->to, memo->centre), put(c.bump.normal, memo->normal), put(c.bump.motion, memo->motion);
    } else if (tt_surface_nearest(v->surface, w->to, v->begin + v->span, INFINITY, &spot))
        remember_clear(v, memo, w->to, vec_length(vec_sub(w->to, spot.at)));
}

static bool push_off_plane(const visit *v, int i, const tt_memo *memo, tt_way *w)
{
    tt_bump bump = {.normal = vec_of(memo->normal), .motion = vec_of(memo->motion)};
    bump.gap = vec_dot(bump.normal, w->to) - (double)memo->offset;
    double before = vec_dot(bump.normal, vec_add(w->begin, bump.motion)) - (double)memo->offset;
    return tt_push(&v->m, i, w, before < v->m.thickness, &bump);
}

/* ---- One particle, all particles ---- */

/* Whether the particle is inside of the mesh, if no triangle is near. */
static bool is_inside(visit *v, const tt_way *w, tt_memo *memo)
{
    tt_spot spot;
    float centre[3];
    put(v->place, centre);
    if (!is_within(centre, v->clear - clearance(v), w)) {
        if (!tt_surface_nearest(v->surface, w->begin, v->begin, INFINITY, &spot)) return false;
        v->place = w->begin;
        v->clear = vec_length(vec_sub(w->begin, spot.at));
        v->inside = v->surface->closed && tt_surface_is_inside(v->surface, w->begin, v->begin, &spot);
    }
    if (memo && !v->inside) remember_clear(v, memo, v->place, v->clear);
    return v->inside;
}

static bool keep_one_out(visit *v, int i, tt_way *w)
{
    const tt_surface *s = v->surface;
    tt_memo *memo = v->m.batch->memo ? &v->m.batch->memo[i] : NULL;
    if (memo && !memo->flat && memo->look == s->look && is_within(memo->centre, memo->radius - clearance(v), w))
        return false;
    if (memo && memo->flat && memo->look == v->m.placed->look && is_within(memo->centre, (double)memo->radius, w))
        return push_off_plane(v, i, memo, w);
    contact before;
    v->whole = false;
    look_around(v, w->begin, w->to, v->m.thickness);
    if (v->whole && v->nnear == 0) {
        bool inside = (memo || s->closed) && is_inside(v, w, memo);
        return inside && let_out(v, i, w);
    }
    bool in_layer = nearest(v, w->begin, 0, v->m.thickness, &before) < v->m.thickness;
    bool inside = s->closed && (in_layer ? tt_surface_is_inside(s, w->begin, v->begin, &before.spot)
                                         : is_inside(v, w, NULL));
    if (inside) return let_out(v, i, w);
    bool any = guide(v, i, w, in_layer);
    if (memo) remember(v, memo, w);
    return any;
}

static double largest_coordinate(const tt_box *box)
{
    double largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(box->low[k]), fabs(box->high[k])));
    return largest;
}

static int keep_out(const tt_contact_batch *batch, const tt_placed *placed)
{
    const tt_surface *s = placed->owned->surface;
    visit v = {.m = tt_meet(batch, placed, largest_coordinate(&s->box)),
               .surface = s,
               .begin = (double)placed->from,
               .span = (double)placed->to - (double)placed->from};
    v.usual = fmax((double)batch->usual + (double)placed->thickness, v.m.thickness);
    int hits = 0;
    for (int i = batch->first; i < batch->last; i++) {
        tt_way w;
        if (!tt_way_of(&v.m, i, &w) || !keep_one_out(&v, i, &w)) continue;
        tt_way_end(&v.m, i, &w);
        hits++;
    }
    return hits;
}

/* ---- The row of the table ---- */

/* With room for the least thickness. */
static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    tt_box own = collider->owned->surface->box;
    double room = 4 * TT_SKIN * largest_coordinate(&own);
    for (int k = 0; k < 3; k++) own.low[k] -= room, own.high[k] += room;
    return tt_turned_box(def, &own);
}

const tt_shape tt_mesh_shape = {
    .name = "mesh", .place = tt_placed_rotate, .box = box, .keep_out = keep_out, .remembers = true};
