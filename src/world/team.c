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

void tt_run(const tt_work *work, const tt_stage *stage, tt_level *level)
{
    job j = {stage, level, work->substep, 0};
    if (stage->wanted && !stage->wanted(level, work->substep)) return;
    if (stage->pieces == TT_WHOLE) stage->run(level, work->substep, 0);
    else if (stage->pieces == TT_PARTS) work->team.run(level->model->nparts, run_piece, &j, work->team.user);
    else run_constraints(work->team, &j);
}

void tt_run_all(const tt_work *work, const tt_stage *stage)
{
    for (int b = 0; b < work->island->nbodies; b++) tt_run(work, stage, &work->island->body[b]->level[0]);
}

void tt_run_balanced(const tt_work *work, const tt_stage *stage)
{
    for (int b = 0; b < work->island->nbodies; b++)
        if (work->island->body[b]->balanced) tt_run(work, stage, &work->island->body[b]->level[0]);
}

double tt_sum(const tt_work *work, const tt_stage *stage, tt_level *level)
{
    double sum = 0;
    tt_run(work, stage, level);
    for (int part = 0; part < level->model->nparts; part++) sum += level->balance.sum[part];
    return sum;
}

double tt_sum_balanced(const tt_work *work, const tt_stage *stage)
{
    double sum = 0;
    for (int b = 0; b < work->island->nbodies; b++)
        if (work->island->body[b]->balanced) sum += tt_sum(work, stage, &work->island->body[b]->level[0]);
    return sum;
}
