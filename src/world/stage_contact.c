/* Contacts of a level with the colliders. */
#include "world/stage.h"

#include <string.h>

static void contact(tt_level *level, const tt_substep *substep, int part)
{
    tt_contact_batch batch = {
        .p = level->p,
        .x = level->x,
        .origin = {level->body->origin[0], level->body->origin[1], level->body->origin[2]},
        .thickness = level->material.thickness,
        .friction = level->material.friction,
        .group = level->body->group,
        .mask = level->body->mask,
    };
    tt_part_range(level->model, part, &batch.first, &batch.last);
    int met = tt_contacts(substep->broad, &batch);
    if (met > level->contacts[part]) level->contacts[part] = met; /* later passes find particles where they belong */
}

/* Puts each probe where this level has taken it so far. */
static void place_probes(tt_level *level)
{
    const tt_level *mesh = &level->body->level[0];
    const taut_model *model = level->model;
    for (int i = 0; i < model->nprobes; i++) {
        const float *own = &mesh->p[4 * (size_t)model->probe[i]];
        float now[4], then[4], *probe = &level->probe[4 * (size_t)i];
        tt_mix(&model->ride, i, level->p, now);
        tt_mix(&model->ride, i, level->before, then);
        for (int c = 0; c < 4; c++) probe[c] = own[c] + (now[c] - then[c]); /* w does not change */
        memcpy(&level->probe_x[4 * (size_t)i], &mesh->x[4 * (size_t)model->probe[i]], 4 * sizeof *probe);
    }
    memcpy(level->probed, level->probe, 4 * (size_t)model->nprobes * sizeof *level->probe);
}

/* A coarse particle goes as far as the probes that ride on it were pushed, by their weighted mean. This is one piece of
 * work, because probes share particles. */
static void follow_probes(tt_level *level)
{
    const taut_model *model = level->model;
    for (int i = 0; i < model->nprobes; i++) {
        const float *from = &level->probe[4 * (size_t)i], *to = &level->probed[4 * (size_t)i];
        if (to[0] == from[0] && to[1] == from[1] && to[2] == from[2]) continue;
        for (int k = 0; k < 4; k++) {
            float *sum = &level->sum[4 * (size_t)model->ride.index[i][k]], weight = model->ride.weight[i][k];
            for (int c = 0; c < 3; c++) sum[c] += weight * (to[c] - from[c]);
            sum[3] += weight;
        }
    }
}

static void probe(tt_level *level, const tt_substep *substep, int piece)
{
    (void)piece;
    place_probes(level);
    tt_contact_batch batch = {
        .p = level->probed,
        .x = level->probe_x,
        .origin = {level->body->origin[0], level->body->origin[1], level->body->origin[2]},
        .last = tt_whole_blocks(level->model->nprobes),
        .thickness = level->material.thickness,
        .friction = level->body->material.friction,
        .group = level->body->group,
        .mask = level->body->mask,
    };
    int met = tt_contacts(substep->broad, &batch);
    if (met == 0) return;
    if (met > level->contacts[0]) level->contacts[0] = met;
    follow_probes(level);
    for (int part = 0; part < level->model->nparts; part++) tt_stage_average.run(level, substep, part);
}

void tt_touch_colliders(tt_team team, tt_level *level, const tt_substep *substep)
{
    if (!substep->broad->nused) return;
    tt_run(team, level->model->nprobes ? &tt_stage_probe : &tt_stage_contact, level, substep);
}

const tt_stage tt_stage_contact = {TT_PARTS, contact, NULL};
const tt_stage tt_stage_probe = {TT_WHOLE, probe, NULL};
