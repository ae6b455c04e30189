/* The momentum of a body, which nothing inside the body may change.
 *
 * A projection moves particles by d along the gradient of a function that no motion of the whole body changes. So the
 * sums of m d and of m p x d are 0, with p as predicted. But angular momentum is the sum of m x x (p - x) / h, measured
 * from the places x where the substep began, and the sum of m x x d is not 0 but of the order of h v x d. So a
 * constraint that pulls takes a little angular momentum away, a share of (h omega)^2 / 2 in each substep. A constraint
 * that pushes adds as much: a turning shell that is held from inside turns faster and faster. So a flying body gets
 * back the momentum that it had before the constraints, by a rigid motion, which changes no constraint.
 *
 * Links of coarse levels that push (reach.c) move particles along themselves. So only colliders change the momentum of
 * a coarse level. On its way up, the correction is spread over the finer level, whose masses lie elsewhere. There it
 * would turn and shift the body, the more so the more substeps there are. So the correction gets the linear momentum
 * that it had on the coarse level, and no angular momentum. It gets none because a coarse level stands on a floor by a
 * few vertices, whose angular momentum would tip the body over. The contacts of the mesh are more exact. */
#include "world/stage.h"

static void add_momentum(tt_motion *sum, double m, vec3 x, vec3 d)
{
    sum->energy += m * vec_dot(d, d) / 2;
    d = vec_scale(d, m);
    sum->mass += m;
    sum->place = vec_add(sum->place, vec_scale(x, m));
    sum->linear = vec_add(sum->linear, d);
    sum->angular = vec_add(sum->angular, vec_cross(x, d));
}

void tt_motion_add(tt_motion *sum, double m, vec3 x, vec3 d)
{
    add_momentum(sum, m, x, d);
    sum->xx += m * x.x * x.x, sum->yy += m * x.y * x.y, sum->zz += m * x.z * x.z;
    sum->xy += m * x.x * x.y, sum->yz += m * x.y * x.z, sum->xz += m * x.x * x.z;
}

static vec3 centre_of(const tt_motion *s) { return vec_scale(s->place, 1 / s->mass); }

vec3 tt_angular_about_centre(const tt_motion *s) { return vec_sub(s->angular, vec_cross(centre_of(s), s->linear)); }

/* Rows of the inertia about the centre of mass, with a little more of it, as a share of its size. */
typedef struct inertia {
    vec3 a, b, c;
} inertia;

static inertia inertia_of(const tt_motion *s, double more)
{
    vec3 centre = centre_of(s);
    double xx = s->xx - s->mass * centre.x * centre.x, yy = s->yy - s->mass * centre.y * centre.y;
    double zz = s->zz - s->mass * centre.z * centre.z, trace = (xx + yy + zz) * (1 + more);
    double xy = s->mass * centre.x * centre.y - s->xy, yz = s->mass * centre.y * centre.z - s->yz;
    double xz = s->mass * centre.x * centre.z - s->xz;
    return (inertia){{trace - xx, xy, xz}, {xy, trace - yy, yz}, {xz, yz, trace - zz}};
}

/* The turn (rad, about the centre of mass) that has this angular momentum. A little is added to the inertia, because
 * otherwise mere rounding would turn a body that is almost a line about itself. */
static vec3 turn_of(const tt_motion *s, vec3 angular)
{
    inertia i = inertia_of(s, 1e-7);
    vec3 a = i.a, b = i.b, c = i.c;
    double det = vec_dot(a, vec_cross(b, c));
    return vec_scale(
        (vec3){vec_dot(angular, vec_cross(b, c)), vec_dot(angular, vec_cross(c, a)), vec_dot(angular, vec_cross(a, b))},
        1 / det);
}

tt_rigid tt_rigid_motion(const tt_motion *s, vec3 linear, vec3 angular)
{
    tt_rigid r = {vec_scale(linear, 1 / s->mass), turn_of(s, angular), centre_of(s)};
    if (!isfinite(vec_length(r.shift) + vec_length(r.turn) + vec_length(r.centre))) return (tt_rigid){0};
    return r;
}

tt_rigid tt_whole_motion(const tt_motion *s, vec3 linear, vec3 angular)
{
    tt_rigid r = tt_rigid_motion(s, linear, angular);
    inertia i = inertia_of(s, 0);
    vec3 found = {vec_dot(i.a, r.turn), vec_dot(i.b, r.turn), vec_dot(i.c, r.turn)};
    r.turn = vec_add(r.turn, tt_rigid_motion(s, linear, vec_sub(angular, found)).turn);
    return r;
}

vec3 tt_rigid_at(const tt_rigid *r, vec3 x) { return vec_add(r->shift, vec_cross(r->turn, vec_sub(x, r->centre))); }

static void add_rigid(const tt_rigid *r, const float *p, float *to)
{
    vec3 more = tt_rigid_at(r, vec_of(p));
    if (p[3] > 0) to[0] += (float)more.x, to[1] += (float)more.y, to[2] += (float)more.z;
}

/* ---- A body that flies ---- */

bool tt_body_is_loose(const tt_body *body)
{
    bool touched = false;
    for (int i = 0; i < body->nlevels; i++) touched = touched || tt_level_touches(&body->level[i]);
    return body->npins == 0 && !body->on_collider && !touched;
}

/* Whether nothing outside can have changed the momentum of the body, or that of its island if bodies are attached
 * there. */
static bool flies(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    const tt_body *body = level->body;
    if (!tt_body_is_loose(body)) return false;
    if (body->alone) return true;
    bool all = body->island->nties > 0;
    for (int i = 0; i < body->island->nbodies && all; i++) all = tt_body_is_loose(body->island->body[i]);
    return all;
}

static bool is_weighed(const tt_level *level, const tt_substep *substep)
{
    return flies(level, substep) || tt_is_watched(level, substep);
}

static void weigh(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_motion sum = {0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4)
        if (level->p[i + 3] > 0)
            add_momentum(&sum, 1 / (double)level->p[i + 3], vec_of(&level->x[i]), vec_of(&level->v[i]));
    level->body->motion_before[part] = sum;
}

static void weigh_again(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_motion sum = {0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4)
        if (level->p[i + 3] > 0)
            tt_motion_add(&sum, 1 / (double)level->p[i + 3], vec_of(&level->p[i]), vec_of(&level->v[i]));
    level->body->motion_after[part] = sum;
}

tt_motion tt_sum_of_parts(const tt_motion *part, int count)
{
    tt_motion all = part[0];
    for (int i = 1; i < count; i++) {
        all.mass += part[i].mass;
        all.energy += part[i].energy;
        all.place = vec_add(all.place, part[i].place);
        all.linear = vec_add(all.linear, part[i].linear);
        all.angular = vec_add(all.angular, part[i].angular);
        all.xx += part[i].xx, all.yy += part[i].yy, all.zz += part[i].zz;
        all.xy += part[i].xy, all.yz += part[i].yz, all.xz += part[i].xz;
    }
    return all;
}

/* Adds sums that are relative to a place that is `o` away. */
static void add_shifted(tt_motion *all, tt_motion s, vec3 o)
{
    const vec3 p = s.place;
    all->mass += s.mass;
    all->energy += s.energy;
    all->place = vec_add(all->place, vec_add(p, vec_scale(o, s.mass)));
    all->linear = vec_add(all->linear, s.linear);
    all->angular = vec_add(all->angular, vec_add(s.angular, vec_cross(o, s.linear)));
    all->xx += s.xx + 2 * o.x * p.x + s.mass * o.x * o.x, all->xy += s.xy + o.x * p.y + o.y * p.x + s.mass * o.x * o.y;
    all->yy += s.yy + 2 * o.y * p.y + s.mass * o.y * o.y, all->yz += s.yz + o.y * p.z + o.z * p.y + s.mass * o.y * o.z;
    all->zz += s.zz + 2 * o.z * p.z + s.mass * o.z * o.z, all->xz += s.xz + o.x * p.z + o.z * p.x + s.mass * o.x * o.z;
}

/* The sum of all bodies of the island, relative to the origin of this body. */
static tt_motion sum_of_island(const tt_body *body, bool after)
{
    tt_motion all = {0};
    for (int i = 0; i < body->island->nbodies; i++) {
        const tt_body *b = body->island->body[i];
        const double *o = b->origin, *own = body->origin;
        tt_motion one = tt_sum_of_parts(after ? b->motion_after : b->motion_before, tt_body_model(b)->nparts);
        if (body->alone) return one;
        add_shifted(&all, one, (vec3){o[0] - own[0], o[1] - own[1], o[2] - own[2]});
    }
    return all;
}

/* Every piece adds up the few sums of all parts for itself, because that is cheaper than a separate stage. */
static void restore(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_motion before = sum_of_island(level->body, false), after = sum_of_island(level->body, true);
    if (!(after.mass > 0)) return;
    tt_rigid r = tt_rigid_motion(&after, vec_sub(before.linear, after.linear),
                                 vec_sub(tt_angular_about_centre(&before), tt_angular_about_centre(&after)));
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4) add_rigid(&r, &level->p[i], &level->v[i]);
}

/* ---- Corrections from a level that pushes ---- */

/* A particle that was moved counts at the middle of its way. */
static void add_moved(tt_motion *sum, const float *p, const float *moved)
{
    vec3 d = vec_of(moved);
    if (p[3] > 0) tt_motion_add(sum, 1 / (double)p[3], vec_sub(vec_of(p), vec_scale(d, 0.5)), d);
}

static void keep_momentum(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    const tt_level *coarser = level + 1;
    tt_motion below = {0}, above = {0};
    for (int i = 0; i < level->model->nparticles; i++) {
        float moved[4];
        tt_four_to(moved, tt_mix(&level->model->up, i, coarser->before));
        add_moved(&below, &level->p[4 * (size_t)i], moved);
    }
    for (int i = 0, n = tt_level_touches(coarser) ? coarser->model->nparticles : 0; i < n; i++)
        add_moved(&above, &coarser->p[4 * (size_t)i], &coarser->before[4 * (size_t)i]);
    if (!(below.mass > 0)) return;
    tt_rigid r =
        tt_rigid_motion(&below, vec_sub(above.linear, below.linear), vec_scale(tt_angular_about_centre(&below), -1));
    for (size_t i = 0; i < 4 * (size_t)level->model->nparticles; i += 4) add_rigid(&r, &level->p[i], &level->p[i]);
}

static bool is_free(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return level[1].pushes && level->body->npins == 0;
}

const tt_stage tt_stage_weigh = {TT_PARTS, weigh, is_weighed};
const tt_stage tt_stage_weigh_again = {TT_PARTS, weigh_again, is_weighed};
const tt_stage tt_stage_restore = {TT_PARTS, restore, flies};
const tt_stage tt_stage_momentum = {TT_WHOLE, keep_momentum, is_free};
