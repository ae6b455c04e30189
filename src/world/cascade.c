/* The limits of an island's bodies (MRSL Fig. 2), level by level from coarse to fine.
 *
 * Each level takes its state from the finer one, enforces its limits, and hands the changes up. Colliders also bound
 * the changes. The push of colliders against the predicted motion is left to the mesh, where friction acts. So a coarse
 * level touches the colliders once before its state is marked. */
#include "world/contacts.h"

static int most_levels(const tt_island *island)
{
    int most = 0;
    for (int i = 0; i < island->nbodies; i++)
        if (island->body[i]->nlevels > most) most = island->body[i]->nlevels;
    return most;
}

/* Level `number` of a body of the island. NULL if there is no such level, or it has no limits, or the body is not in
 * this round. */
static tt_level *level_of(const tt_island *island, int i, int number)
{
    tt_body *body = island->body[i];
    return body->in_round && number < body->nlevels && body->level[number].limited ? &body->level[number] : NULL;
}

static void begin_passes(tt_level *level, int round)
{
    int all = tt_level_passes(level), rounds = tt_level_rounds(level);
    level->pass = all * round / rounds;
    level->last_pass = all * (round + 1) / rounds;
    level->whole = true;
    level->at_work = level->pass < level->last_pass;
}

/* Blocks that were within their limits sit out a few passes. But the first pass leaves out no block, and neither does
 * the last pass, which finds that all limits hold. */
static void finish_pass(tt_level *level)
{
    float excess = 0;
    for (int i = 0; i < 2 * level->model->nparts + 2; i++)
        if (level->excess[i] > excess) excess = level->excess[i];
    level->limit_excess = excess;
    bool outside = tt_level_is_outside(level);
    level->at_work = outside || !level->whole;
    level->whole = !outside || level->pass + 2 >= level->last_pass;
    if (level->at_work && ++level->pass == level->last_pass) level->at_work = false;
}

void tt_enforce_limits(const tt_work *work, int number, int round)
{
    const tt_island *island = work->island;
    bool busy = false;
    for (int i = 0; i < island->nbodies; i++) {
        tt_level *level = level_of(island, i, number);
        if (level) begin_passes(level, round), busy = busy || level->at_work;
    }
    while (busy) {
        for (int i = 0; i < island->nbodies; i++) {
            tt_level *level = level_of(island, i, number);
            if (!level || !level->at_work) continue;
            tt_run(work, &tt_stage_limit, level);
            tt_run(work, &tt_stage_average, level);
        }
        if (number == 0) tt_others_begin(work, TT_TOUCHED);
        tt_contacts_act(work, number == 0 ? TT_AT_LIMITS : TT_AT_LEVEL);
        if (number == 0) tt_others_end(work);
        busy = false;
        for (int i = 0; i < island->nbodies; i++) {
            tt_level *level = level_of(island, i, number);
            if (level && level->at_work) finish_pass(level);
            busy = busy || (level && level->at_work);
        }
    }
}

static void begin_level(const tt_work *work, int number)
{
    for (int i = 0; i < work->island->nbodies; i++) {
        tt_level *level = level_of(work->island, i, number);
        if (!level) continue;
        tt_run(work, &tt_stage_down, level);
        level->at_work = true;
    }
    tt_contacts_act(work, TT_AT_LEVEL);
    for (int i = 0; i < work->island->nbodies; i++) {
        tt_level *level = level_of(work->island, i, number);
        if (!level) continue;
        tt_run(work, &tt_stage_mark, level);
        level->at_work = false;
    }
}

static void end_level(const tt_work *work, int number)
{
    for (int i = 0; i < work->island->nbodies; i++) {
        tt_level *level = level_of(work->island, i, number);
        if (!level) continue;
        tt_run(work, &tt_stage_change, level);
        tt_run(work, &tt_stage_up, level - 1);
        tt_run(work, &tt_stage_momentum, level - 1);
    }
}

void tt_correct_by_levels(const tt_work *work, int round)
{
    int most = most_levels(work->island);
    for (int number = 1; number < most; number++) begin_level(work, number);
    for (int number = most - 1; number > 0; number--) {
        tt_enforce_limits(work, number, round);
        end_level(work, number);
    }
}

bool tt_next_round(const tt_island *island, int round)
{
    bool any = false;
    for (int i = 0; i < island->nbodies; i++) {
        tt_body *body = island->body[i];
        const tt_level *mesh = &body->level[0];
        body->in_round = round == 0 || (body->in_round && round < tt_level_rounds(mesh) && tt_level_is_outside(mesh));
        any = any || body->in_round;
    }
    return any;
}
