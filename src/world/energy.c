/* Limits add no energy.
 *
 * A limit is only a stop: it may take motion away, but must not add any. If the limits held when the substep began,
 * projections obey this, because they bring no particle farther than it went. But a limit that was broken then, or that
 * is no convex set, throws particles: a triangle that is squeezed flat turns over, so the angle at its edges jumps by
 * half a turn, and the limit of bending brings it back within a substep. Positions must come back, but their way must
 * not become velocity.
 *
 * So the energy that limits have added is taken out again. The constraints of a substep turn the predicted velocity v
 * into v'. Each of their impulses j does the work j.(v + v')/2, and all together change the energy by exactly v'.v'/2 -
 * v.v/2. The impulses of springs, gas, colliders, other bodies and attachments ("others") are noted. The rest is the
 * work of limits. Limits also pull at pins. The work of pins is known if all pins of the body move as one. If they do
 * not, the body is left alone.
 *
 * The energy is taken from the motion that the body has beside its rigid motion: all of it gets smaller by one factor.
 * That changes no momentum. */
#include "world/contacts.h"

#include <math.h>
#include <string.h>

/* Pins move as one if they are off a rigid motion by no more than this share of their speed. */
static const double AS_ONE = 1e-3;

bool tt_is_watched(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    const tt_body *body = level->body;
    return level->others && !body->balanced && !body->on_collider && (level->limited || tt_body_has_limits_above(body));
}

/* ---- The work of others ---- */

static void note(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&level->before[4 * (size_t)first], &level->p[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof *level->p);
}

static void add_others(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) level->others[i] += level->p[i] - level->before[i];
}

/* p -> before */
static const tt_stage stage_note = {TT_PARTS, note, NULL};
/* p, before, others -> others */
static const tt_stage stage_add_others = {TT_PARTS, add_others, NULL};

/* Whether the body is attached, or touches itself or others. */
static bool is_joined(const tt_level *mesh)
{
    return mesh->body->island->nties > 0 || mesh->body->island->ntouching > 0;
}

static bool has_springs(const tt_level *mesh)
{
    bool any = mesh->body->gas || mesh->body->nsoft > 0;
    for (int kind = 0; kind < TT_KINDS; kind++)
        any = any || (mesh->tuning[kind].active && !tt_kind_table()[kind]->limit);
    return any;
}

static bool may_act(const tt_level *mesh, const tt_substep *substep, tt_others others)
{
    if (!tt_is_watched(mesh, substep)) return false;
    if (is_joined(mesh)) return true;
    if (others == TT_TOUCHED) return tt_level_touches(mesh);
    return others == TT_ITERATION && (substep->broad->nused > 0 || has_springs(mesh));
}

void tt_others_forget(const tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) work->island->body[b]->level[0].acted = false;
}

void tt_others_begin(const tt_work *work, tt_others others)
{
    for (int b = 0; b < work->island->nbodies; b++) {
        tt_level *mesh = &work->island->body[b]->level[0];
        mesh->noted = may_act(mesh, work->substep, others);
        if (!mesh->noted) continue;
        if (!mesh->acted) memset(mesh->others, 0, 4 * (size_t)mesh->model->nparticles * sizeof *mesh->others);
        mesh->acted = true;
        tt_run(work, &stage_note, mesh);
    }
}

void tt_others_end(const tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) {
        tt_level *mesh = &work->island->body[b]->level[0];
        if (mesh->noted) tt_run(work, &stage_add_others, mesh);
    }
}

static void weigh_others(tt_level *level, const tt_substep *substep, int part)
{
    tt_motion sum = {0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    double h = (double)substep->h, rate = (double)substep->rate;
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4) {
        if (!(level->p[i + 3] > 0)) continue;
        vec3 x = vec_of(&level->x[i]), v = vec_of(&level->v[i]);
        vec3 moved = vec_sub(vec_sub(vec_of(&level->p[i]), x), vec_scale(v, h));
        vec3 impulse = vec_scale(vec_of(&level->others[i]), rate / (double)level->p[i + 3]);
        sum.energy += vec_dot(impulse, vec_add(v, vec_scale(moved, rate / 2)));
        sum.linear = vec_add(sum.linear, impulse);
        sum.angular = vec_add(sum.angular, vec_cross(x, impulse));
    }
    level->motion_others[part] = sum;
}

static bool has_others(const tt_level *level, const tt_substep *substep)
{
    return level->acted && tt_is_watched(level, substep);
}

/* ---- The work of pins ---- */

/* Finds the rigid motion of the pins in the substep. Returns false if they do not move as one. */
static bool motion_of_pins(const tt_level *level, double h, tt_rigid *motion)
{
    const tt_body *body = level->body;
    tt_motion sum = {0};
    double off = 0;
    *motion = (tt_rigid){0};
    for (int i = 0; i < body->npins; i++) {
        const size_t at = 4 * (size_t)body->pin[i].particle;
        if (level->p[at + 3] > 0) continue;
        vec3 x = vec_of(&level->x[at]);
        tt_motion_add(&sum, 1, x, vec_scale(vec_sub(vec_of(&level->p[at]), x), 1 / h));
    }
    if (!(sum.energy > 0)) return true;
    *motion = tt_rigid_motion(&sum, sum.linear, tt_angular_about_centre(&sum));
    for (int i = 0; i < body->npins; i++) {
        const size_t at = 4 * (size_t)body->pin[i].particle;
        if (level->p[at + 3] > 0) continue;
        vec3 x = vec_of(&level->x[at]), v = vec_scale(vec_sub(vec_of(&level->p[at]), x), 1 / h);
        vec3 rest = vec_sub(v, tt_rigid_at(motion, x));
        off += vec_dot(rest, rest) / 2;
    }
    return off <= AS_ONE * AS_ONE * sum.energy;
}

/* The work of the pins. The impulse that others do not explain came from them, through the limits. */
static double work_of_pins(const tt_rigid *motion, const tt_motion *before, const tt_motion *after,
                           const tt_motion *others)
{
    vec3 linear = vec_sub(vec_sub(after->linear, before->linear), others->linear);
    vec3 angular = vec_sub(vec_sub(after->angular, before->angular), others->angular);
    return vec_dot(motion->shift, linear) + vec_dot(motion->turn, vec_sub(angular, vec_cross(motion->centre, linear)));
}

/* ---- Taking energy out ---- */

static double energy_of_rigid(const tt_rigid *r, vec3 linear, vec3 angular)
{
    return (vec_dot(r->shift, linear) + vec_dot(r->turn, angular)) / 2;
}

/* The factor for a motion with `energy` that makes the sum of its energy and `rest` at most `most`. */
static double factor_of(double energy, double rest, double most)
{
    if (!(energy > 0) || !(rest + energy > most)) return 1;
    return most > rest ? sqrt((most - rest) / energy) : 0;
}

/* A body that flies has got its momentum back already (momentum.c). So its rigid motion follows from the sums before,
 * and the energy beside its rigid motion follows from the sums after. */
static void calm(tt_level *level, const tt_substep *substep, int part)
{
    const tt_body *body = level->body;
    int parts = level->model->nparts;
    tt_motion before = tt_sum_of_parts(body->motion_before, parts), after = tt_sum_of_parts(body->motion_after, parts);
    tt_motion others = level->acted ? tt_sum_of_parts(level->motion_others, parts) : (tt_motion){0};
    tt_rigid pins;
    if (!motion_of_pins(level, (double)substep->h, &pins)) return;
    bool loose = body->alone && tt_body_is_loose(body);
    double most = before.energy + others.energy + work_of_pins(&pins, &before, &after, &others);
    vec3 found = tt_angular_about_centre(&after), own = loose ? tt_angular_about_centre(&before) : found;
    vec3 linear = loose ? before.linear : after.linear;
    tt_rigid other = tt_whole_motion(&after, after.linear, found), whole = tt_whole_motion(&after, linear, own);
    double keep = factor_of(after.energy - energy_of_rigid(&other, after.linear, found),
                            energy_of_rigid(&whole, linear, own), most);
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last && keep < 1; i += 4) {
        float *v = &level->v[i];
        vec3 left = vec_add(vec_scale(vec_of(v), keep), vec_scale(tt_rigid_at(&whole, vec_of(&level->p[i])), 1 - keep));
        if (level->p[i + 3] > 0) v[0] = (float)left.x, v[1] = (float)left.y, v[2] = (float)left.z;
    }
}

const tt_stage tt_stage_weigh_others = {TT_PARTS, weigh_others, has_others};
const tt_stage tt_stage_calm = {TT_PARTS, calm, tt_is_watched};
