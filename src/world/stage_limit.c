/* Limits: one pass over those of a level, and the way between two levels. */
#include "world/stage.h"

#include "base/divisor.h"
#include "base/hash.h"

#include <string.h>

/* Scatters the bits of a number over all 64. */
static uint64_t mixed(uint64_t number)
{
    number = (number ^ TT_HASH_SEED) * 0xff51afd7ed558ccdu;
    return number ^ number >> 32;
}

/* An order of the batch's blocks drawn from the number of the pass: from a random one on, in random strides. */
static void draw_order(tt_batch *batch, int kind, int segment, int pass)
{
    int n = batch->last - batch->first;
    uint64_t random = mixed(mixed(mixed((uint64_t)pass) ^ (uint64_t)segment) ^ (uint64_t)kind);
    if (n < 3) return;
    batch->start = (int)((random >> 32) % (uint64_t)n);
    batch->stride = tt_coprime_stride(1 + (int)((random & 0xffffffffu) % (uint64_t)(n - 1)), n);
}

void tt_stage_limit(tt_body *body, const tt_substep *substep, int segment)
{
    taut_enforcement enforcement = body->material.limit.enforcement;
    body->excess[segment] = 0;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!body->tuning[kind].active || !substep->world->kinds[kind]->limit) continue;
        tt_batch batch = tt_batch_of(body, kind, segment);
        batch.stride = 1;
        if (body->pushes) batch.x = body->x;
        batch.excess = &body->excess[segment];
        /* Ropes have no idle elements: a correction travels along a rope, one line a pass. */
        if (body->model->mesh_type != TT_MESH_ROPES) batch.idle = body->idle[kind];
        batch.whole = substep->whole;
        if (enforcement == TAUT_JACOBI) batch.sum = body->sum;
        if (enforcement == TAUT_RANDOM) draw_order(&batch, kind, segment, substep->pass);
        substep->world->kinds[kind]->project(&batch);
    }
}

void tt_stage_average(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *sum = &body->sum[4 * (size_t)i], *p = &body->p[4 * (size_t)i];
        if (sum[3] > 0 && p[3] > 0)
            for (int c = 0; c < 3; c++) p[c] += sum[c] / sum[3];
        memset(sum, 0, 4 * sizeof *sum);
    }
}

/* Four numbers a particle, so that the compiler makes one vector of each. */
void tt_mix(const tt_transfer *transfer, int i, const float *restrict from, float *restrict to)
{
    const int *index = transfer->index[i];
    const float *weight = transfer->weight[i];
    const float *a = &from[4 * (size_t)index[0]], *b = &from[4 * (size_t)index[1]];
    const float *c = &from[4 * (size_t)index[2]], *d = &from[4 * (size_t)index[3]];
    for (int k = 0; k < 4; k++) to[k] = weight[0] * a[k] + weight[1] * b[k] + weight[2] * c[k] + weight[3] * d[k];
}

/* What coarse particle i is made of; relative to the first, which keeps it exact far from the origin. */
static void restrict_to(const tt_restriction *down, int i, const float *from, float *to)
{
    int first = down->first[i], last = down->first[i + 1];
    const float *lead = &from[4 * (size_t)down->index[first]];
    float sum[4] = {0, 0, 0, 0};
    for (int k = first + 1; k < last; k++) {
        const float *other = &from[4 * (size_t)down->index[k]];
        for (int c = 0; c < 4; c++) sum[c] += down->weight[k] * (other[c] - lead[c]);
    }
    for (int c = 0; c < 4; c++) to[c] = lead[c] + sum[c];
}

/* A coarse particle is where the particles are that it stands for, and pinned if the first of them is. Those that fill
 * up the last block stand for none. */
void tt_stage_down(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_body *finer = body->finer;
    const tt_restriction *down = &finer->model->down;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &body->p[4 * (size_t)i], *x = &body->x[4 * (size_t)i];
        if (down->first[i] == down->first[i + 1]) continue;
        restrict_to(down, i, finer->p, p);
        restrict_to(down, i, finer->x, x);
        p[3] = finer->p[4 * (size_t)down->index[down->first[i]] + 3] > 0 ? body->free_w[i] : 0;
    }
    body->contacts[part] = 0;
}

void tt_stage_mark(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    memcpy(&body->before[4 * (size_t)first], &body->p[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof *body->p);
}

void tt_stage_change(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) body->before[i] = body->p[i] - body->before[i];
}

/* Corrections go up, never positions: what is fine stays. */
void tt_stage_up(tt_body *body, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(body->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &body->p[4 * (size_t)i], change[4], free = p[3] > 0 ? 1 : 0;
        tt_mix(&body->model->up, i, body->coarser->before, change); /* w does not change, so change[3] is 0 */
        for (int c = 0; c < 4; c++) p[c] += free * change[c];
    }
}

/* Each probe, where this level has taken it so far. */
static void place_probes(tt_body *body)
{
    const tt_body *finest = tt_finest(body);
    const taut_model *model = body->model;
    for (int i = 0; i < model->nprobes; i++) {
        const float *own = &finest->p[4 * (size_t)model->probe[i]];
        float now[4], then[4], *probe = &body->probe[4 * (size_t)i];
        tt_mix(&model->ride, i, body->p, now);
        tt_mix(&model->ride, i, body->before, then);
        for (int c = 0; c < 4; c++) probe[c] = own[c] + (now[c] - then[c]); /* w does not change */
        memcpy(&body->probe_x[4 * (size_t)i], &finest->x[4 * (size_t)model->probe[i]], 4 * sizeof *probe);
    }
    memcpy(body->probed, body->probe, 4 * (size_t)model->nprobes * sizeof *body->probe);
}

/* A coarse particle goes as far as the probes that ride on it were pushed, the mean of them by weight. All in one
 * piece, as probes share particles. */
static void follow_probes(tt_body *body)
{
    const taut_model *model = body->model;
    for (int i = 0; i < model->nprobes; i++) {
        const float *from = &body->probe[4 * (size_t)i], *to = &body->probed[4 * (size_t)i];
        if (to[0] == from[0] && to[1] == from[1] && to[2] == from[2]) continue;
        for (int k = 0; k < 4; k++) {
            float *sum = &body->sum[4 * (size_t)model->ride.index[i][k]], weight = model->ride.weight[i][k];
            for (int c = 0; c < 3; c++) sum[c] += weight * (to[c] - from[c]);
            sum[3] += weight;
        }
    }
}

void tt_stage_probe(tt_body *body, const tt_substep *substep, int piece)
{
    (void)piece;
    place_probes(body);
    tt_contact_batch batch = {
        .p = body->probed,
        .x = body->probe_x,
        .last = tt_whole_blocks(body->model->nprobes),
        .thickness = body->material.thickness,
        .friction = tt_finest(body)->material.friction,
    };
    int met = tt_contacts(substep->broad, &batch);
    if (met == 0) return;
    if (met > body->contacts[0]) body->contacts[0] = met;
    follow_probes(body);
    for (int part = 0; part < body->model->nparts; part++) tt_stage_average(body, substep, part);
}
