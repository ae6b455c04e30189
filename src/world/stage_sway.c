/* Stages for the motion of a body as a whole: its constraints must not turn it, and dry friction must not hold it.
 *
 * A body that hangs from pins on one line can turn about that line freely. Constraints act between its particles, and
 * pins act on the line, so neither changes its momentum about the line. But a correction of a coarse level is spread
 * over the mesh without regard to its folds, and so it turns the body a little. That turn is taken out again, because
 * otherwise a curtain would hang aslant or swing for ever. For bodies without pins, momentum.c does the same.
 *
 * Dry friction brings slow folds of cloth to rest. The levels hold slack folds, not the cloth around them, so next to
 * nothing stops the folds. Levels and mesh disagree a little, by a few hundredths of gravity, and that would keep the
 * folds swinging. Friction must not hold the body against gravity, because a curtain would stop before it hangs plumb.
 * So the sway of the whole body is subtracted from the velocities, and friction acts only on the rest. The sway itself
 * is braked in proportion to its speed, and such a force holds nothing. A body that flies gets its momentum back
 * afterwards. */
#include "world/stage.h"

/* The share of its speed that a slow sway loses in the time sqrt(size / gravity), for a friction of 1. With the usual
 * friction a curtain hangs still after a few swings, whatever its size. */
static const double SWAY_LOSS = 5;

/* Motion is slow below this share of the speed sqrt(size * gravity) that a fall of half the body's size gives. */
static const double SLOW = 0.15;

static double component(vec3 a, int c) { return c == 0 ? a.x : c == 1 ? a.y : a.z; }

static void add_scaled(vec3 *sum, vec3 a, double scale) { *sum = vec_add(*sum, vec_scale(a, scale)); }

/* ---- Sums ---- */

static void add_particle(tt_sway_sums *sums, double m, vec3 x, vec3 v)
{
    vec3 mx = vec_scale(x, m);
    sums->mass += m;
    sums->place = vec_add(sums->place, mx);
    add_scaled(&sums->linear, v, m);
    for (int c = 0; c < 3; c++) {
        add_scaled(&sums->spread[c], mx, component(x, c));
        add_scaled(&sums->flow[c], mx, component(v, c));
    }
}

static tt_sway_sums sum_of_parts(const tt_level *level)
{
    tt_sway_sums all = {0};
    for (int part = 0; part < level->model->nparts; part++) {
        const tt_sway_sums *one = &level->body->sway_sums[part];
        all.mass += one->mass;
        all.place = vec_add(all.place, one->place);
        all.linear = vec_add(all.linear, one->linear);
        for (int c = 0; c < 3; c++) {
            all.spread[c] = vec_add(all.spread[c], one->spread[c]);
            all.flow[c] = vec_add(all.flow[c], one->flow[c]);
        }
    }
    return all;
}

/* ---- A body that hangs from a line ---- */

/* Whether the body as a whole is shaken: limits in a random order do that, and levels do it to a body that lies on a
 * collider. Then friction has to stop all of its motion. */
static bool is_shaken(const tt_level *level)
{
    bool lies = level->body->npins == 0 && tt_level_touches(level) && tt_body_has_limits_above(level->body);
    return lies || level->material.limit.enforcement == TAUT_RANDOM;
}

/* Whether only hard pins hold the body, and it has levels, because only these turn it. */
static bool hangs(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    const tt_body *body = level->body;
    return tt_body_has_limits_above(body) && body->npins > 1 && body->nsoft == 0 && !body->tied && !is_shaken(level) &&
           !tt_level_touches(level);
}

/* The line through the first pin and the pin farthest from it, if all other pins are on that line too. */
static void find_axis(const tt_level *level, tt_axis *axis)
{
    const tt_body *body = level->body;
    double farthest = 0, off = 0;
    *axis = (tt_axis){.point = vec_of(&level->p[4 * (size_t)body->pin[0].particle])};
    for (int i = 1; i < body->npins; i++) {
        vec3 d = vec_sub(vec_of(&level->p[4 * (size_t)body->pin[i].particle]), axis->point);
        double far = vec_length(d);
        if (far > farthest) farthest = far, axis->direction = vec_scale(d, 1 / far);
    }
    for (int i = 1; i < body->npins; i++) {
        vec3 d = vec_sub(vec_of(&level->p[4 * (size_t)body->pin[i].particle]), axis->point);
        off = fmax(off, vec_length(vec_cross(axis->direction, d)));
    }
    if (!(off <= 1e-4 * farthest)) axis->direction = (vec3){0, 0, 0};
}

static double angular_about(const tt_axis *axis, const tt_sway_sums *s)
{
    const vec3 *f = s->flow, angular = {f[2].y - f[1].z, f[0].z - f[2].x, f[1].x - f[0].y};
    return vec_dot(axis->direction, vec_sub(angular, vec_cross(axis->point, s->linear)));
}

/* The sum of m |d|^2, with d the distances from the line. */
static double inertia_about(const tt_axis *axis, const tt_sway_sums *s)
{
    vec3 n = axis->direction, along = {vec_dot(s->spread[0], n), vec_dot(s->spread[1], n), vec_dot(s->spread[2], n)};
    double place = vec_dot(axis->point, axis->point), height = vec_dot(axis->point, n);
    double squares = s->spread[0].x + s->spread[1].y + s->spread[2].z - 2 * vec_dot(s->place, axis->point);
    double heights = vec_dot(along, n) - 2 * height * vec_dot(s->place, n);
    return squares + s->mass * place - (heights + s->mass * height * height);
}

/* Sums how far the constraints moved the particles of the part; this motion takes the place of v. */
static void gather_moved(tt_level *level, const tt_substep *substep, int part)
{
    tt_sway_sums sums = {0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4) {
        if (!(level->p[i + 3] > 0)) continue;
        vec3 x = vec_of(&level->x[i]), moved = vec_sub(vec_of(&level->p[i]), x);
        add_scaled(&moved, vec_of(&level->v[i]), -(double)substep->h);
        add_particle(&sums, 1 / (double)level->p[i + 3], x, moved);
    }
    level->body->sway_sums[part] = sums;
}

/* A taut rope has next to no inertia about the line through its ends, so a little is added. */
static void lean(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    tt_axis *axis = &level->body->axis;
    tt_sway_sums s = sum_of_parts(level);
    find_axis(level, axis);
    vec3 centre = vec_scale(s.place, 1 / s.mass);
    double trace = s.spread[0].x + s.spread[1].y + s.spread[2].z - vec_dot(s.place, centre);
    double turn = angular_about(axis, &s) / (inertia_about(axis, &s) + 1e-6 * trace);
    axis->turn = isfinite(turn) ? vec_scale(axis->direction, -turn) : (vec3){0, 0, 0};
}

static void turn_back(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_axis *axis = &level->body->axis;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4) {
        float *p = &level->p[i];
        if (!(p[3] > 0)) continue;
        vec3 back = vec_cross(axis->turn, vec_sub(vec_of(p), axis->point));
        p[0] += (float)back.x, p[1] += (float)back.y, p[2] += (float)back.z;
    }
}

/* ---- The sway and dry friction ---- */

static double dry_friction(const tt_level *level)
{
    bool cloth = level->model->mesh_type == TT_MESH_CLOTH, levels = cloth && tt_body_has_limits_above(level->body);
    if (level->material.damping.dry >= 0) return (double)level->material.damping.dry;
    return levels ? 0.08 : cloth && level->body->balanced ? 0.02 : 0;
}

static double gravity_of(const tt_substep *substep) { return vec_length(vec_of(substep->world->def.gravity)); }

static bool rubs(const tt_level *level, const tt_substep *substep)
{
    return dry_friction(level) > 0 && gravity_of(substep) > 0;
}

static void gather(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_sway_sums sums = {0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4)
        if (level->p[i + 3] > 0)
            add_particle(&sums, 1 / (double)level->p[i + 3], vec_of(&level->p[i]), vec_of(&level->v[i]));
    level->body->sway_sums[part] = sums;
}

/* The least squares fit: gradient = flow spread^-1, both about the centre. A little is added to the spread, because a
 * flat body has none across itself. */
static tt_sway fitted(tt_sway_sums s)
{
    tt_sway sway = {.centre = vec_scale(s.place, 1 / s.mass), .linear = vec_scale(s.linear, 1 / s.mass)};
    vec3 *spread = s.spread;
    for (int c = 0; c < 3; c++) {
        add_scaled(&spread[c], s.place, -component(sway.centre, c));
        add_scaled(&s.flow[c], s.place, -component(sway.linear, c));
    }
    double trace = spread[0].x + spread[1].y + spread[2].z, more = 1e-4 * trace;
    sway.size = sqrt(trace / s.mass);
    spread[0].x += more, spread[1].y += more, spread[2].z += more;
    vec3 a = vec_cross(spread[1], spread[2]), b = vec_cross(spread[2], spread[0]), c = vec_cross(spread[0], spread[1]);
    double det = vec_dot(spread[0], a), sum = sway.size + vec_length(sway.linear);
    for (int k = 0; k < 3; k++) {
        vec3 row = {vec_dot(s.flow[k], a), vec_dot(s.flow[k], b), vec_dot(s.flow[k], c)};
        sway.gradient[k] = vec_scale(row, 1 / det);
        sum += vec_length(sway.gradient[k]);
    }
    return isfinite(sum) ? sway : (tt_sway){0};
}

static void fit(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    level->body->sway = fitted(sum_of_parts(level));
    if (is_shaken(level)) level->body->sway = (tt_sway){.size = level->body->sway.size};
}

static vec3 sway_at(const tt_sway *sway, vec3 x)
{
    vec3 d = vec_sub(x, sway->centre);
    vec3 turned = {vec_dot(sway->gradient[0], d), vec_dot(sway->gradient[1], d), vec_dot(sway->gradient[2], d)};
    return vec_add(sway->linear, turned);
}

/* Brakes slow motion. Fast motion loses hardly anything. */
static void rub(tt_level *level, const tt_substep *substep, int part)
{
    const tt_sway *sway = &level->body->sway;
    double g = gravity_of(substep), h = (double)substep->h, dry = dry_friction(level);
    double square = SLOW * SLOW * sway->size * g, most = dry * g * h;
    double share = fmin(SWAY_LOSS * dry * sqrt(g / sway->size) * h, 1);
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last && sway->size > 0; i += 4) {
        if (!(level->p[i + 3] > 0)) continue;
        float *v = &level->v[i];
        vec3 whole = sway_at(sway, vec_of(&level->p[i])), own = vec_sub(vec_of(v), whole);
        double speed = vec_length(own), loss = most / (1 + speed * speed / square);
        vec3 left = vec_scale(own, speed > loss ? 1 - loss / speed : 0);
        add_scaled(&left, whole, 1 - share / (1 + vec_dot(whole, whole) / square));
        v[0] = (float)left.x, v[1] = (float)left.y, v[2] = (float)left.z;
    }
}

const tt_stage tt_stage_gather_moved = {TT_PARTS, gather_moved, hangs};
const tt_stage tt_stage_lean = {TT_WHOLE, lean, hangs};
const tt_stage tt_stage_turn_back = {TT_PARTS, turn_back, hangs};
const tt_stage tt_stage_gather = {TT_PARTS, gather, rubs};
const tt_stage tt_stage_fit = {TT_WHOLE, fit, rubs};
const tt_stage tt_stage_rub = {TT_PARTS, rub, rubs};
