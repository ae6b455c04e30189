/* The arrays of a level, and the number of passes over its limits. */
#include "world/body.h"

#include "collide/faces.h"

enum { MOST_ROUNDS = 4 };

static bool has_limits(const taut_model *model)
{
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (tt_kind_table()[kind]->limit && model->group[kind].count > 0) return true;
    return false;
}

static bool has_phase_rest(const taut_model *model)
{
    int first;
    tt_segments(model, TT_REST, &first);
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (model->group[kind].segment[first] < model->group[kind].nblocks) return true;
    return false;
}

/* Arrays of one item per block of constraints. */
static bool take_blocks(tt_scope *scope, tt_level *level)
{
    const taut_model *model = level->model;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        bool limit = tt_kind_table()[kind]->limit, multiplied = !limit && model->material.units == TAUT_PHYSICAL;
        size_t modes = (size_t)tt_kind_table()[kind]->modes, blocks = (size_t)model->group[kind].nblocks;
        if (limit) level->idle[kind] = TT_TAKE(scope, uint8_t, blocks);
        if (multiplied) level->lambda[kind] = TT_TAKE(scope, float, blocks *modes *TT_BLOCK);
        if ((limit && !level->idle[kind]) || (multiplied && !level->lambda[kind])) return false;
    }
    return true;
}

static bool take_particles(tt_scope *scope, tt_level *level)
{
    const taut_model *model = level->model;
    size_t n = (size_t)model->nparticles;
    level->p = TT_TAKE(scope, float, 4 * n);
    level->x = TT_TAKE(scope, float, 4 * n);
    level->v = TT_TAKE(scope, float, level->number == 0 ? 4 * n : 0);
    bool large = model->part_size > TT_SMALL_PART;
    if (large) level->pushed = TT_TAKE(scope, float, 4 * n);
    level->free_w = TT_TAKE(scope, float, n);
    level->contacts = TT_TAKE(scope, int, model->nparts);
    level->excess = TT_TAKE(scope, float, 2 * (size_t)model->nparts + 2);
    level->sum = TT_TAKE(scope, float, level->limited ? 4 * n : 0);
    bool watched = level->number == 0 && (level->limited || (model->coarser && has_limits(model->coarser)));
    if (watched) {
        level->others = TT_TAKE(scope, float, 4 * n);
        level->motion_others = TT_TAKE(scope, tt_motion, model->nparts);
        if (!level->others || !level->motion_others) return false;
    }
    level->before = TT_TAKE(scope, float, level->number > 0 || watched ? 4 * n : 0);
    return level->p && level->x && level->v && (level->pushed || !large) && level->free_w && level->contacts &&
           level->excess && level->sum && level->before;
}

bool tt_level_create(tt_scope *scope, const taut_model *model, tt_body *body, int number, tt_level *level)
{
    *level = (tt_level){.model = model, .body = body, .number = number};
    level->material = model->material;
    level->limited = has_limits(model);
    level->phase_rest = has_phase_rest(model);
    return take_particles(scope, level) && take_blocks(scope, level) &&
           tt_balance_create(scope, level);
}

tt_batch tt_batch_of(const tt_level *level, int kind, int segment)
{
    const tt_group *group = &level->model->group[kind];
    return (tt_batch){
        .p = level->p,
        .v = level->v,
        .anchor = level->body->anchor,
        .offset = group->offset,
        .data = group->data,
        .live = group->live,
        .lambda = level->lambda[kind],
        .first = group->segment[segment],
        .last = group->segment[segment + 1],
        .tuning = &level->tuning[kind],
    };
}

void tt_part_range(const taut_model *model, int part, int *first, int *last)
{
    *first = part * model->part_size;
    *last = *first + model->part_size < model->nparticles ? *first + model->part_size : model->nparticles;
}

bool tt_level_touches(const tt_level *level)
{
    for (int part = 0; part < level->model->nparts; part++)
        if (level->contacts[part] > 0) return true;
    return false;
}

/* If cloth has no limits of its own, its levels only carry loads, unless they were trained. A coarser level has cheaper
 * passes, so it gets more of them. Ropes with limits get more passes too: a coarse rope hangs slack where it is curved,
 * so coarser levels leave work to the finer ones. */
int tt_level_passes(const tt_level *level)
{
    if (!level->limited) return 0;
    bool ropes = level->model->mesh_type == TT_MESH_ROPES, own = tt_has_limits(&level->body->material);
    int doublings = level->number > 5 ? 5 : level->number;
    if (level->number == 0 || (own && !ropes)) return level->material.limit.iterations;
    return own ? level->material.limit.iterations << doublings : 1 << doublings;
}

/* Many passes are better spent in rounds over all levels: in each round a coarse level can correct violations that it
 * left or that finer levels brought back. Fewer than eight passes at a time would not settle a level. The levels of
 * ropes fit exactly, so they need only one round. */
int tt_level_rounds(const tt_level *level)
{
    const tt_body *body = level->body;
    if (!body->level[0].limited || body->nlevels == 1 || body->level[0].model->mesh_type == TT_MESH_ROPES) return 1;
    int rounds = tt_level_passes(level) / 8;
    return rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
}
