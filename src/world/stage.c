#include "world/stage.h"

#include "base/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

void tt_body_tune(tt_body *body, const taut_world *world, float h)
{
    int n = world->def.substeps * world->def.iterations;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_tuning *tuning = &body->tuning[kind];
        if (body->tuned_n != n || body->tuned_h != h)
            tt_tuning_prepare(world->kinds[kind], &body->material, h, n, tuning);
        /* Wind may change at any time; drag and lift come with the material. */
        memcpy(tuning->wind, world->def.wind, sizeof tuning->wind);
        tuning->drag = 0.5f * world->def.air_density * body->material.drag;
        tuning->lift = 0.5f * world->def.air_density * body->material.lift;
    }
    for (int i = 0; i < body->nsoft && body->tuned_n != n; i++)
        body->soft[i].k = (float)(1 - tt_root(1 - (double)body->soft[i].stiffness, n));
    body->tuned_n = n;
    body->tuned_h = h;
    if (!body->coarser) return;
    body->coarser->pushes = body->finer ? body->pushes : tt_level_pushes(body->model, &body->material);
    tt_body_tune(body->coarser, world, h);
}

tt_batch tt_batch_of(const tt_body *body, int kind, int segment)
{
    const tt_group *group = &body->model->group[kind];
    return (tt_batch){
        .p = body->p,
        .v = body->v,
        .anchor = body->anchor,
        .offset = group->offset,
        .data = group->data,
        .live = group->live,
        .lambda = body->lambda[kind],
        .first = group->segment[segment],
        .last = group->segment[segment + 1],
        .tuning = &body->tuning[kind],
    };
}

void tt_stage_force(tt_body *body, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!body->tuning[kind].forced) continue;
        tt_batch batch = tt_batch_of(body, kind, segment);
        substep->world->kinds[kind]->force(&batch);
    }
}

void tt_stage_project(tt_body *body, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!body->tuning[kind].active || substep->world->kinds[kind]->limit) continue;
        tt_batch batch = tt_batch_of(body, kind, segment);
        substep->world->kinds[kind]->project(&batch);
    }
}

void tt_stage_damp(tt_body *body, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!body->tuning[kind].damped) continue;
        tt_batch batch = tt_batch_of(body, kind, segment);
        substep->world->kinds[kind]->damp(&batch);
    }
}

void tt_part_range(const taut_model *model, int part, int *first, int *last)
{
    *first = part * model->part_size;
    *last = *first + model->part_size < model->nparticles ? *first + model->part_size : model->nparticles;
}

/* XPBD's multipliers start each substep at zero: those of this part's share of all blocks. */
static void clear_lambda(tt_body *body, const taut_world *world, int part)
{
    const taut_model *model = body->model;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!body->lambda[kind] || !body->tuning[kind].active) continue;
        size_t block = (size_t)world->kinds[kind]->modes * TT_BLOCK, blocks = (size_t)model->group[kind].nblocks;
        size_t first = blocks * (size_t)part / (size_t)model->nparts;
        size_t last = blocks * (size_t)(part + 1) / (size_t)model->nparts;
        memset(body->lambda[kind] + first * block, 0, (last - first) * block * sizeof(float));
    }
}

/* Four numbers a particle, no branches: the compiler makes one vector of each. A pinned particle (w = 0) stays. */
void tt_stage_predict(tt_body *body, const tt_substep *substep, int part)
{
    const float *g = substep->world->def.gravity, gravity[4] = {g[0], g[1], g[2], 0};
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *restrict p = &body->p[4 * (size_t)i], *restrict x = &body->x[4 * (size_t)i];
        float *restrict v = &body->v[4 * (size_t)i];
        float h = p[3] > 0 ? substep->h : 0;
        for (int c = 0; c < 4; c++) {
            x[c] = p[c];
            v[c] = v[c] + h * gravity[c];
            p[c] = p[c] + h * v[c];
        }
    }
    clear_lambda(body, substep->world, part);
    body->contacts[part] = 0;
}

/* A pin goes evenly to its target. */
void tt_stage_hold(tt_body *body, const tt_substep *substep, int piece)
{
    (void)piece;
    for (int i = 0; i < body->nheld; i++) {
        float *p = &body->p[4 * (size_t)body->held[i]];
        const float *target = &body->target[4 * (size_t)body->held[i]];
        for (int c = 0; c < 3; c++)
            p[c] = substep->remaining == 1 ? target[c] : p[c] + (target[c] - p[c]) / (float)substep->remaining;
    }
}

void tt_stage_anchor(tt_body *body, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    tt_body_anchor(body);
}

void tt_stage_pull(tt_body *body, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    for (int i = 0; i < body->nsoft; i++) {
        size_t at = 4 * (size_t)body->soft[i].particle;
        for (size_t c = at; c < at + 3; c++) body->p[c] += body->soft[i].k * (body->target[c] - body->p[c]);
    }
}

void tt_stage_contact(tt_body *body, const tt_substep *substep, int part)
{
    tt_contact_batch batch = {
        .p = body->p,
        .x = body->x,
        .thickness = body->material.thickness,
        .friction = body->material.friction,
    };
    tt_part_range(body->model, part, &batch.first, &batch.last);
    int met = tt_contacts(substep->broad, &batch);
    if (met > body->contacts[part]) body->contacts[part] = met; /* later passes find particles where they belong */
}

/* Numbers this small only slow the machine down (denormals in their products). The same everywhere, unlike the flush
 * modes of processors, which WebAssembly does not have. */
static float snap(float a) { return fabsf(a) < 1e-18f ? 0 : a; }

static bool is_sound(const float *p, const float *v)
{
    return fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]) + fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]) <= FLT_MAX;
}

/* Dry friction. Slack folds of cloth are carried by the levels, not by the cloth around them, and next to nothing
 * brings them to rest: the little that levels disagree with the mesh, a few hundredths of gravity, would keep them
 * swinging. */
static float dry_friction(const tt_body *body)
{
    bool levels = body->coarser && body->model->mesh_type == TT_MESH_CLOTH;
    return body->material.damping.dry >= 0 ? body->material.damping.dry : levels ? 0.08f : 0;
}

/* What is faster than anything gets by falling for two steps is hardly braked. */
static void brake(tt_body *body, const tt_substep *substep, int first, int last)
{
    const float *g = substep->world->def.gravity;
    float gained = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * substep->h, most = dry_friction(body) * gained;
    float slow = 2 * gained * (float)substep->world->def.substeps;
    if (!(most > 0)) return;
    for (int i = first; i < last; i++) {
        float *v = &body->v[4 * (size_t)i], square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        float speed = sqrtf(square), loss = most * (slow * slow / (slow * slow + square));
        float keep = speed > loss ? 1 - loss / speed : 0;
        if (body->p[4 * (size_t)i + 3] > 0) v[0] *= keep, v[1] *= keep, v[2] *= keep;
    }
}

/* v = (p - x)/h, written as the predicted velocity and what the constraints added: (p - x)/h alone would turn the
 * rounding of coordinates into velocity, the more the smaller h. A pinned particle has no prediction. */
void tt_stage_velocity(tt_body *body, const tt_substep *substep, int part)
{
    const float rate = 1 / substep->h, keep = 1 / (1 + body->material.damping.global * substep->h);
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *restrict p = &body->p[4 * (size_t)i], *restrict v = &body->v[4 * (size_t)i];
        const float *restrict x = &body->x[4 * (size_t)i];
        float h = p[3] > 0 ? substep->h : 0, own = p[3] > 0 ? 1 : 0;
        for (int c = 0; c < 4; c++) { /* w does not change, so v[3] stays 0 */
            v[c] = snap((own * v[c] + (p[c] - (x[c] + h * v[c])) * rate) * keep);
            p[c] = snap(p[c]);
        }
    }
    brake(body, substep, first, last);
}

void tt_stage_check(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &body->p[4 * (size_t)i], *v = &body->v[4 * (size_t)i];
        if (is_sound(p, v)) continue;
        memcpy(p, &body->x[4 * (size_t)i], 3 * sizeof *p);
        memset(v, 0, 4 * sizeof *v);
        body->bad[part]++;
    }
}

void tt_stage_publish(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int64_t n = body->model->nvertices, parts = body->model->nparts;
    tt_body_publish(body, (int)(n * part / parts), (int)(n * (part + 1) / parts));
}
