/* Stages that move particles: prediction, pins, velocities; and those that end a substep and a step. */
#include "world/origin.h"
#include "world/stage.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* XPBD's multipliers start each substep at zero. Each part clears a share of all blocks. */
static void clear_lambda(tt_level *level, const taut_world *world, int part)
{
    const taut_model *model = level->model;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->lambda[kind] || !level->tuning[kind].active) continue;
        size_t block = (size_t)world->kinds[kind]->modes * TT_BLOCK, blocks = (size_t)model->group[kind].nblocks;
        size_t first = blocks * (size_t)part / (size_t)model->nparts;
        size_t last = blocks * (size_t)(part + 1) / (size_t)model->nparts;
        memset(level->lambda[kind] + first * block, 0, (last - first) * block * sizeof(float));
    }
}

/* The loop has four numbers per particle and no branches, so the compiler makes one vector of them. A pinned particle
 * (w = 0) stays. */
static void predict(tt_level *level, const tt_substep *substep, int part)
{
    const float *g = substep->world->def.gravity, gravity[4] = {g[0], g[1], g[2], 0};
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *restrict p = &level->p[4 * (size_t)i], *restrict x = &level->x[4 * (size_t)i];
        float *restrict v = &level->v[4 * (size_t)i];
        float h = p[3] > 0 ? substep->h : 0;
        for (int c = 0; c < 4; c++) {
            x[c] = p[c];
            v[c] = v[c] + h * gravity[c];
            p[c] = p[c] + h * v[c];
        }
    }
    clear_lambda(level, substep->world, part);
    level->contacts[part] = 0;
}

/* A hard pin goes evenly to its target. */
static void pin(tt_level *level, const tt_substep *substep, int piece)
{
    (void)piece;
    for (int i = 0; i < level->body->npins; i++) {
        tt_pin *pin = &level->body->pin[i];
        float *p = &level->p[4 * (size_t)pin->particle];
        pin->arrived = substep->remaining == 1 && !(pin->stiffness < 1);
        for (int c = 0; c < 3 && !(pin->stiffness < 1); c++) {
            float target = (float)(pin->target[c] - level->body->origin[c]);
            p[c] = substep->remaining == 1 ? target : p[c] + (target - p[c]) / (float)substep->remaining;
        }
    }
}

static void anchor(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    tt_body_anchor(level->body);
}

static bool has_soft_pins(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return level->body->nsoft > 0;
}

static void pull(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    for (int i = 0; i < level->body->npins; i++) {
        const tt_pin *pin = &level->body->pin[i];
        float *p = &level->p[4 * (size_t)pin->particle];
        for (int c = 0; c < 3 && pin->stiffness < 1; c++)
            p[c] += pin->share * ((float)(pin->target[c] - level->body->origin[c]) - p[c]);
    }
}

/* Very small numbers become 0, because their products are denormals, which only slow the machine down. A comparison
 * gives the same bits everywhere, unlike the flush modes of processors, which WebAssembly does not have. */
static float snap(float a) { return fabsf(a) < 1e-18f ? 0 : a; }

static bool is_sound(const float *p, const float *v)
{
    return fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]) + fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]) <= FLT_MAX;
}

/* v = (p - x)/h, written as the predicted velocity plus the velocity that the constraints added. (p - x)/h alone would
 * turn the rounding of coordinates into velocity, the more the smaller h is. A pinned particle has no prediction.
 *
 * Violations that an earlier substep left are not due to the motion in this substep. So if this substep is less than
 * half as long as the last one, corrections become velocity as if it were half as long. Thus a step of a microsecond
 * throws nothing away. */
static void velocity(tt_level *level, const tt_substep *substep, int part)
{
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *restrict p = &level->p[4 * (size_t)i], *restrict v = &level->v[4 * (size_t)i];
        const float *restrict x = &level->x[4 * (size_t)i];
        float h = p[3] > 0 ? substep->h : 0, own = p[3] > 0 ? 1 : 0, rate = p[3] > 0 ? substep->rate : 1 / substep->h;
        for (int c = 0; c < 4; c++) { /* w does not change, so v[3] stays 0 */
            v[c] = own * v[c] + (p[c] - (x[c] + h * v[c])) * rate;
            p[c] = snap(p[c]);
        }
    }
}

static void brake(tt_level *level, const tt_substep *substep, int part)
{
    const float keep = 1 / (1 + level->material.damping.global * substep->h);
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) level->v[i] = snap(level->v[i] * keep);
}

static void check(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &level->p[4 * (size_t)i], *v = &level->v[4 * (size_t)i];
        if (is_sound(p, v)) continue;
        memcpy(p, &level->x[4 * (size_t)i], 3 * sizeof *p);
        memset(v, 0, 4 * sizeof *v);
        level->body->bad[part]++;
    }
}

/* The box of the particles that can move. Pinned particles go to their targets and unused vertices stay, so both may be
 * rounded. */
static void bound(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    float *low = &level->body->box[6 * (size_t)part], *high = low + 3;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    low[0] = low[1] = low[2] = FLT_MAX, high[0] = high[1] = high[2] = -FLT_MAX;
    for (int i = first; i < last; i++) {
        const float *p = &level->p[4 * (size_t)i];
        for (int c = 0; c < 3 && p[3] > 0; c++) {
            low[c] = p[c] < low[c] ? p[c] : low[c];
            high[c] = p[c] > high[c] ? p[c] : high[c];
        }
    }
}

static void follow(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    tt_body *body = level->body;
    for (int c = 0; c < 3; c++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (int part = 0; part < level->model->nparts; part++) {
            const float *box = &body->box[6 * (size_t)part];
            low = box[c] < low ? box[c] : low;
            high = box[c + 3] > high ? box[c + 3] : high;
        }
        body->shift[c] = low <= high ? tt_lattice_follow(body->lattice, (double)low, (double)high) : 0;
        body->origin[c] += body->shift[c];
    }
}

static bool has_moved(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    const double *shift = level->body->shift;
    return shift[0] != 0 || shift[1] != 0 || shift[2] != 0;
}

static void shift(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 3; c++) {
            float *p = &level->p[4 * (size_t)i + c];
            *p = (float)((double)*p - level->body->shift[c]);
        }
}

static void publish(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int64_t n = level->model->nvertices, parts = level->model->nparts;
    tt_body_publish(level->body, (int)(n * part / parts), (int)(n * (part + 1) / parts));
}

const tt_stage tt_stage_predict = {TT_PARTS, predict, NULL};
const tt_stage tt_stage_pin = {TT_WHOLE, pin, NULL};
const tt_stage tt_stage_anchor = {TT_WHOLE, anchor, NULL};
const tt_stage tt_stage_pull = {TT_WHOLE, pull, has_soft_pins};
const tt_stage tt_stage_velocity = {TT_PARTS, velocity, NULL};
const tt_stage tt_stage_brake = {TT_PARTS, brake, NULL};
const tt_stage tt_stage_check = {TT_PARTS, check, NULL};
const tt_stage tt_stage_bound = {TT_PARTS, bound, NULL};
const tt_stage tt_stage_follow = {TT_WHOLE, follow, NULL};
const tt_stage tt_stage_shift = {TT_PARTS, shift, has_moved};
const tt_stage tt_stage_publish = {TT_PARTS, publish, NULL};
