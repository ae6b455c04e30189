/* What a push through coarse levels does to a body's momentum.
 *
 * Links push along themselves, so a coarse level's own momentum changes by what colliders do to it, and by nothing
 * else. On its way up the correction is spread over the finer level, whose masses lie elsewhere: what arrives turns and
 * shifts a body that nothing touches, the more the more substeps there are. So it is given the linear momentum that it
 * had above, and no angular momentum: the few vertices by which a coarse level stands on a floor would tip it over, and
 * the mesh knows better. */
#include "world/stage.h"

#include "base/vec.h"

/* Sums over particles of mass m at x that moved by d. */
typedef struct motion {
    double mass;
    vec3 place, linear, angular;   /* m x, m d, m x cross d */
    double xx, yy, zz, xy, yz, xz; /* m x x^T               */
} motion;

static void add_particle(motion *sum, const float *p, const float *moved)
{
    if (!(p[3] > 0)) return;
    double m = 1 / (double)p[3];
    vec3 x = vec_sub(vec_of(p), vec_scale(vec_of(moved), 0.5)), d = vec_scale(vec_of(moved), m); /* on its way */
    sum->mass += m;
    sum->place = vec_add(sum->place, vec_scale(x, m));
    sum->linear = vec_add(sum->linear, d);
    sum->angular = vec_add(sum->angular, vec_cross(x, d));
    sum->xx += m * x.x * x.x, sum->yy += m * x.y * x.y, sum->zz += m * x.z * x.z;
    sum->xy += m * x.x * x.y, sum->yz += m * x.y * x.z, sum->xz += m * x.x * x.z;
}

/* The turn (rad, about the centre of mass) that has this angular momentum; none where the body is all but a line. */
static vec3 turn_of(const motion *s, vec3 centre, vec3 angular)
{
    double xx = s->xx - s->mass * centre.x * centre.x, yy = s->yy - s->mass * centre.y * centre.y;
    double zz = s->zz - s->mass * centre.z * centre.z, trace = xx + yy + zz;
    double xy = s->mass * centre.x * centre.y - s->xy, yz = s->mass * centre.y * centre.z - s->yz;
    double xz = s->mass * centre.x * centre.z - s->xz;
    vec3 a = {trace - xx, xy, xz}, b = {xy, trace - yy, yz}, c = {xz, yz, trace - zz}; /* rows of the inertia */
    double det = vec_dot(a, vec_cross(b, c));
    if (!(det > 1e-6 * trace * trace * trace)) return (vec3){0, 0, 0};
    return vec_scale(
        (vec3){vec_dot(angular, vec_cross(b, c)), vec_dot(angular, vec_cross(c, a)), vec_dot(angular, vec_cross(a, b))},
        1 / det);
}

static bool touches(const tt_level *level)
{
    for (int part = 0; part < level->model->nparts; part++)
        if (level->contacts[part] > 0) return true;
    return false;
}

static void keep_momentum(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    const tt_level *coarser = level + 1;
    motion below = {0}, above = {0};
    for (int i = 0; i < level->model->nparticles; i++) {
        float moved[4];
        tt_mix(&level->model->up, i, coarser->before, moved);
        add_particle(&below, &level->p[4 * (size_t)i], moved);
    }
    for (int i = 0, n = touches(coarser) ? coarser->model->nparticles : 0; i < n; i++)
        add_particle(&above, &coarser->p[4 * (size_t)i], &coarser->before[4 * (size_t)i]);
    if (!(below.mass > 0)) return;
    vec3 centre = vec_scale(below.place, 1 / below.mass), linear = vec_sub(above.linear, below.linear);
    vec3 angular = vec_sub(vec_cross(centre, below.linear), below.angular);
    vec3 shift = vec_scale(linear, 1 / below.mass), turn = turn_of(&below, centre, angular);
    if (!isfinite(vec_length(shift) + vec_length(turn))) return; /* a bad particle must not spoil the others */
    for (int i = 0; i < level->model->nparticles; i++) {
        float *p = &level->p[4 * (size_t)i];
        vec3 step = vec_add(shift, vec_cross(turn, vec_sub(vec_of(p), centre)));
        if (!(p[3] > 0)) continue;
        p[0] += (float)step.x, p[1] += (float)step.y, p[2] += (float)step.z;
    }
}

/* Pins take any momentum. */
static bool is_free(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return level[1].pushes && level->body->npins == 0;
}

const tt_stage tt_stage_momentum = {TT_WHOLE, keep_momentum, is_free};
