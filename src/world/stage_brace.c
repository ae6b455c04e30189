/* Braces of the balance (balance.h): the stiffness that holds each particle of each level if it moves alone. */
#include "world/contacts.h"
#include "world/search.h"

#include <string.h>

void tt_balance_invert(float *straight, float *mixed)
{
    float xx = straight[0], yy = straight[1], zz = straight[2], xy = mixed[0], yz = mixed[1], xz = mixed[2];
    float cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    float scale = 1 / (xx * cx + xy * cy + xz * cz);
    straight[0] = scale * cx, mixed[0] = scale * cy, mixed[2] = scale * cz;
    straight[1] = scale * (xx * zz - xz * xz), mixed[1] = scale * (xy * xz - xx * yz);
    straight[2] = scale * (xx * yy - xy * xy);
}

static void begin_brace(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int k = 0; k < 2; k++)
        memset(&level->balance.brace[k][4 * (size_t)first], 0, 4 * (size_t)(last - first) * sizeof(float));
}

static void brace(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].balanced || !substep->world->kinds[kind]->brace) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        batch.v = level->balance.brace[0];
        batch.sum = level->balance.brace[1];
        substep->world->kinds[kind]->brace(&batch);
    }
}

/* The brace of a coarse particle is the mean of those of its riders, because cloth that is twice as wide and twice as
 * long resists a pull as much. */
static void brace_coarser(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (int k = 0; k < 2; k++) {
            float *to = &level->balance.brace[k][4 * (size_t)i], weight = 0, sum[4] = {0, 0, 0, 0};
            for (int r = riders->first[i]; r < riders->first[i + 1]; r++) {
                const float *from = &finer->balance.brace[k][4 * (size_t)riders->index[r]];
                weight += riders->weight[r];
                for (int c = 0; c < 4; c++) sum[c] += riders->weight[r] * from[c];
            }
            for (int c = 0; c < 4; c++) to[c] = weight > 0 ? sum[c] / weight : 0;
        }
}

static void end_brace(tt_level *level, const tt_substep *substep, int part)
{
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *straight = &b->brace[0][4 * (size_t)i], own = b->mass[i] + substep->h * substep->h * b->plain[i];
        for (int c = 0; c < 3; c++) straight[c] += own;
        if (b->mass[i] > 0) tt_balance_invert(straight, &b->brace[1][4 * (size_t)i]);
    }
}

/* -> brace   nothing yet */
static const tt_stage stage_begin_brace = {TT_PARTS, begin_brace, NULL};
/* p, brace -> brace   of the mesh, by its constraints */
static const tt_stage stage_brace = {TT_CONSTRAINTS, brace, NULL};
/* finer brace -> brace   of a coarser level, by its riders */
static const tt_stage stage_brace_coarser = {TT_PARTS, brace_coarser, NULL};
/* mass, plain, brace -> brace   the inverse, with inertia */
static const tt_stage stage_end_brace = {TT_PARTS, end_brace, NULL};

void tt_balance_braces(const tt_work *work)
{
    tt_run_balanced(work, &stage_begin_brace);
    tt_run_balanced(work, &stage_brace);
    tt_contacts_act(work, TT_AT_BRACE);
    for (int b = 0; b < work->island->nbodies; b++) {
        tt_body *body = work->island->body[b];
        if (!body->balanced) continue;
        for (int i = 1; i < body->nlevels; i++) tt_run(work, &stage_brace_coarser, &body->level[i]);
        for (int i = 0; i < body->nlevels; i++) tt_run(work, &stage_end_brace, &body->level[i]);
    }
}
