/* Stages over the constraints of a level: forces, one iteration, one pass over the limits, damping. */
#include "world/stage.h"

#include "base/divisor.h"
#include "base/hash.h"

#include <string.h>

static void force(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].forced) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        substep->world->kinds[kind]->force(&batch);
    }
}

static void project(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].active || substep->world->kinds[kind]->limit) continue;
        if (level->tuning[kind].balanced) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        substep->world->kinds[kind]->project(&batch);
    }
}

static void damp(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].damped) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        substep->world->kinds[kind]->damp(&batch);
    }
}

/* Scatters the bits of a number over all 64. */
static uint64_t mixed(uint64_t number)
{
    number = (number ^ TT_HASH_SEED) * 0xff51afd7ed558ccdu;
    return number ^ number >> 32;
}

/* Draws an order of the batch's blocks from the number of the pass: a random first block and a random stride. */
static void draw_order(tt_batch *batch, int kind, int segment, int pass)
{
    int n = batch->last - batch->first;
    uint64_t random = mixed(mixed(mixed((uint64_t)pass) ^ (uint64_t)segment) ^ (uint64_t)kind);
    if (n < 3) return;
    batch->start = (int)((random >> 32) % (uint64_t)n);
    batch->stride = tt_coprime_stride(1 + (int)((random & 0xffffffffu) % (uint64_t)(n - 1)), n);
}

static void limit(tt_level *level, const tt_substep *substep, int segment)
{
    taut_enforcement enforcement = level->material.limit.enforcement;
    level->excess[segment] = 0;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].active || !substep->world->kinds[kind]->limit) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        batch.stride = 1;
        if (level->pushes) batch.x = level->x;
        batch.excess = &level->excess[segment];
        if (level->model->mesh_type != TT_MESH_ROPES)
            batch.idle = level->idle[kind]; /* not for ropes, where a correction moves on by one line in each pass */
        batch.whole = level->whole;
        if (enforcement == TAUT_JACOBI) batch.sum = level->sum;
        if (enforcement == TAUT_RANDOM) draw_order(&batch, kind, segment, level->pass);
        substep->world->kinds[kind]->project(&batch);
    }
}

static void average(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *sum = &level->sum[4 * (size_t)i], *p = &level->p[4 * (size_t)i];
        if (sum[3] > 0 && p[3] > 0)
            for (int c = 0; c < 3; c++) p[c] += sum[c] / sum[3];
        memset(sum, 0, 4 * sizeof *sum);
    }
}

static bool is_forced(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (level->tuning[kind].forced) return true;
    return false;
}

static bool is_damped(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (level->tuning[kind].damped) return true;
    return false;
}

static bool is_averaged(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return level->material.limit.enforcement == TAUT_JACOBI;
}

const tt_stage tt_stage_force = {TT_CONSTRAINTS, force, is_forced};
const tt_stage tt_stage_project = {TT_CONSTRAINTS, project, NULL};
const tt_stage tt_stage_limit = {TT_CONSTRAINTS, limit, NULL};
const tt_stage tt_stage_average = {TT_PARTS, average, is_averaged};
const tt_stage tt_stage_damp = {TT_CONSTRAINTS, damp, is_damped};
