#include "collide/single.h"

static vec3 rows_by(const vec3 row[3], vec3 r)
{
    return (vec3){vec_dot(row[0], r), vec_dot(row[1], r), vec_dot(row[2], r)};
}

/* The transpose of a matrix of three rows, by a vector. */
static vec3 columns_by(const vec3 row[3], vec3 r)
{
    return vec_add(vec_add(vec_scale(row[0], r.x), vec_scale(row[1], r.y)), vec_scale(row[2], r.z));
}

static vec3 to_world(const tt_meeting *m, vec3 own) { return columns_by(m->now.row, own); }

tt_meeting tt_meet(const tt_contact_batch *batch, const tt_placed *s, double largest)
{
    tt_meeting m = {.batch = batch, .placed = s};
    const vec3 turned[3] = {vec_of(s->turned[0]), vec_of(s->turned[1]), vec_of(s->turned[2])};
    m.now.origin = vec_of(s->a);
    m.before.origin = vec_sub(vec_of(s->a), vec_of(s->da));
    double away = 0;
    for (int i = 0; i < 3; i++) {
        m.now.row[i] = vec_of(s->axis[i]);
        m.before.row[i] = columns_by(turned, m.now.row[i]);
        away = fmax(away, fabs((double)s->a[i]));
    }
    m.slack = TT_SKIN * (away + largest);
    m.thickness = fmax((double)batch->thickness + (double)s->thickness, m.slack);
    m.friction = (double)(s->friction * batch->friction);
    return m;
}

/* As may_meet of contact_kernel.h. */
static bool may_meet(const tt_placed *s, const float *x, const float *p, float thickness)
{
    for (int k = 0; k < 3; k++) {
        float low = x[k] < p[k] ? x[k] : p[k], high = x[k] < p[k] ? p[k] : x[k];
        if (!(s->low[k] - thickness < high && low < s->high[k] + thickness)) return false;
    }
    return p[3] > 0 && isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

bool tt_way_of(const tt_meeting *m, int i, tt_way *way)
{
    const float *p = m->batch->p + 4 * (size_t)i, *x = m->batch->x + 4 * (size_t)i;
    if (!may_meet(m->placed, x, p, m->batch->thickness)) return false;
    way->begin = way->from = way->rest = rows_by(m->before.row, vec_sub(vec_of(x), m->before.origin));
    way->to = rows_by(m->now.row, vec_sub(vec_of(p), m->now.origin));
    way->since = 0;
    return true;
}

void tt_way_end(const tt_meeting *m, int i, const tt_way *way)
{
    float *p = m->batch->p + 4 * (size_t)i;
    vec3 out = vec_add(m->now.origin, to_world(m, way->to));
    p[0] = (float)out.x, p[1] = (float)out.y, p[2] = (float)out.z;
}

/* The motion of a place on the shape by spin and belt, beside the motion of the shape. */
static vec3 extra_motion(const tt_placed *s, vec3 r) { return vec_add(vec_cross(vec_of(s->turn), r), vec_of(s->belt)); }

static vec3 whole_motion(const tt_meeting *m, vec3 r, vec3 own_motion)
{
    const tt_placed *s = m->placed;
    const vec3 turned[3] = {vec_of(s->turned[0]), vec_of(s->turned[1]), vec_of(s->turned[2])};
    vec3 with = vec_add(vec_of(s->da), vec_sub(r, columns_by(turned, r)));
    return vec_add(vec_add(with, extra_motion(s, r)), to_world(m, own_motion));
}

void tt_note(const tt_meeting *m, int i, const tt_way *way, const tt_bump *bump)
{
    const tt_touched *touched = &m->batch->touched;
    if (!touched->normal) return;
    vec3 normal = to_world(m, bump->normal), motion = whole_motion(m, to_world(m, way->to), bump->motion);
    const double n[4] = {normal.x, normal.y, normal.z, m->friction}, by[4] = {motion.x, motion.y, motion.z, 0};
    for (size_t k = 0; k < 4; k++) {
        touched->normal[4 * (size_t)i + k] = (float)n[k];
        touched->motion[4 * (size_t)i + k] = (float)by[k];
    }
}

/* If two colliders pinch a particle, the second pushes it only so far that it is equally deep in both. */
static double share_push(const tt_meeting *m, int i, vec3 normal, double depth)
{
    float *last = m->batch->pushed ? m->batch->pushed + 4 * (size_t)(i - m->batch->first) : NULL;
    if (!last) return depth;
    double against = -vec_dot(vec_of(last), normal);
    last[0] = (float)normal.x, last[1] = (float)normal.y, last[2] = (float)normal.z;
    return against > 0 ? fmax(depth / (1 + against), depth - m->thickness) : depth;
}

bool tt_push(const tt_meeting *m, int i, tt_way *w, bool slowly, const tt_bump *bump)
{
    double depth = m->thickness - bump->gap, left = 1 - w->since;
    vec3 went = vec_sub(vec_sub(w->to, w->begin), bump->motion);
    if (slowly) depth = fmin(depth, fmax(0, (double)m->batch->escape - vec_dot(went, bump->normal)));
    if (!(depth > 0)) return false;
    depth = share_push(m, i, to_world(m, bump->normal), depth);
    w->to = vec_add(w->to, vec_scale(bump->normal, depth));
    vec3 extra = rows_by(m->now.row, extra_motion(m->placed, to_world(m, w->to)));
    vec3 slide = vec_sub(vec_sub(w->to, w->rest), vec_scale(vec_add(bump->motion, extra), left));
    slide = vec_sub(slide, vec_scale(bump->normal, vec_dot(slide, bump->normal)));
    double length = vec_length(slide);
    tt_note(m, i, w, bump);
    if (length > 0) w->to = vec_sub(w->to, vec_scale(slide, fmin(1, m->friction * depth / length)));
    return true;
}

void tt_stop(const tt_meeting *m, tt_way *w, vec3 place, double time, const tt_bump *bump, double distance)
{
    w->from = place;
    w->since = time;
    w->rest = vec_add(place, vec_scale(bump->normal, fmax(0, m->thickness - distance)));
}
