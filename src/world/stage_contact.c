/* Contacts of a level with the colliders. */
#include "world/stage.h"

#include <string.h>

static void touch(tt_level *level, const tt_substep *substep, int part, tt_touched touched)
{
    tt_contact_batch batch = {
        .p = level->p,
        .x = level->x,
        .origin = {level->body->origin[0], level->body->origin[1], level->body->origin[2]},
        .thickness = level->material.thickness,
        .friction = level->material.friction,
        .group = level->body->group,
        .mask = level->body->mask,
        .touched = touched,
    };
    tt_part_range(level->model, part, &batch.first, &batch.last);
    int met = tt_contacts(substep->broad, &batch);
    if (met > level->contacts[part]) level->contacts[part] = met; /* later passes find particles where they belong */
}

static void contact(tt_level *level, const tt_substep *substep, int part)
{
    touch(level, substep, part, (tt_touched){NULL, NULL});
}

static void meet(tt_level *level, const tt_substep *substep, int part)
{
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    size_t from = 4 * (size_t)first, size = 4 * (size_t)(last - first) * sizeof(float);
    memset(&level->balance.normal[from], 0, size);
    memset(&level->balance.motion[from], 0, size);
    touch(level, substep, part, (tt_touched){level->balance.normal, level->balance.motion});
}

void tt_touch_colliders(tt_team team, tt_level *level, const tt_substep *substep)
{
    bool lattice = level->number > 0 && tt_body_model(level->body)->mesh_type == TT_MESH_SOLID;
    if (substep->broad->nused && !lattice) tt_run(team, &tt_stage_contact, level, substep);
}

const tt_stage tt_stage_contact = {TT_PARTS, contact, NULL};
const tt_stage tt_stage_meet = {TT_PARTS, meet, NULL};
