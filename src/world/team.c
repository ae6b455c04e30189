/* Runs stages: cuts levels into pieces and hands these to a team. */
#include "world/stage.h"

static void run_alone(int count, void (*task)(void *, int), void *argument, void *user)
{
    (void)user;
    for (int i = 0; i < count; i++) task(argument, i);
}

tt_team tt_team_of_one(void) { return (tt_team){run_alone, NULL}; }

typedef struct job {
    const tt_stage *stage;
    tt_level *level;
    const tt_substep *substep;
    int first;
} job;

static void run_piece(void *argument, int index)
{
    const job *j = argument;
    j->stage->run(j->level, j->substep, j->first + index);
}

static void run_constraints(tt_team team, job *j)
{
    const taut_model *model = j->level->model;
    team.run(tt_segments(model, TT_INSIDE, &j->first), run_piece, j, team.user);
    if (model->nparts > 1) team.run(tt_segments(model, TT_ACROSS, &j->first), run_piece, j, team.user);
    if (j->level->phase_rest) run_alone(tt_segments(model, TT_REST, &j->first), run_piece, j, NULL);
}

void tt_run(tt_team team, const tt_stage *stage, tt_level *level, const tt_substep *substep)
{
    job j = {stage, level, substep, 0};
    if (stage->wanted && !stage->wanted(level, substep)) return;
    if (stage->pieces == TT_WHOLE) stage->run(level, substep, 0);
    else if (stage->pieces == TT_PARTS) team.run(level->model->nparts, run_piece, &j, team.user);
    else run_constraints(team, &j);
}

void tt_run_island(tt_team team, const tt_stage *stage, const tt_island *island, const tt_substep *substep)
{
    for (int i = 0; i < island->nbodies; i++) tt_run(team, stage, &island->body[i]->level[0], substep);
}
