#include "solver_pass.h"

#include <string.h>

bool solver_pass_make(solver_pass *s, workload *w)
{
    const taut_model *model = w->model;
    size_t n = (size_t)model->nparticles;
    *s = (solver_pass){
        .model = model,
        .kind = tt_simd_choose().kinds[w->kind],
        .group = &model->group[w->kind],
        .start = TT_TAKE(&w->scope, float, 4 * n),
        .p = TT_TAKE(&w->scope, float, 4 * n),
        .anchor = TT_TAKE(&w->scope, float, 4 * (size_t)model->nanchors),
    };
    if (!s->start || !s->p || !s->anchor) return false;
    tt_tuning_prepare(s->kind, &model->material, 1.0f / 60, 1, &s->tuning);
    memcpy(s->start, model->rest, 4 * n * sizeof *s->start);
    for (int v = 0; v < model->nvertices; v++) {
        float *p = &s->start[4 * (size_t)model->place[v]];
        memcpy(p, &w->start[3 * (size_t)v], 3 * sizeof *p);
        p[3] = w->inverse_mass[v];
    }
    for (int i = 0; i < model->nanchors; i++) {
        float *anchor = &s->anchor[4 * (size_t)i];
        memcpy(anchor, &s->start[4 * (size_t)model->anchor[i]], 3 * sizeof *anchor);
        anchor[3] = 1;
    }
    return true;
}

static void reset_part(void *argument, int part)
{
    const solver_pass *s = argument;
    int first = part * s->model->part_size, last = first + s->model->part_size;
    if (last > s->model->nparticles) last = s->model->nparticles;
    size_t from = 4 * (size_t)first, n = 4 * (size_t)(last - first);
    memcpy(s->p + from, s->start + from, n * sizeof *s->p);
}

/* Each part is copied by the thread that will work on it. So the part's positions stay in that thread's cache, as in a
 * world. */
void solver_pass_reset(solver_pass *s, tt_pool *pool)
{
    if (pool) tt_pool_run(s->model->nparts, reset_part, s, pool);
    else memcpy(s->p, s->start, 4 * (size_t)s->model->nparticles * sizeof *s->p);
}

static void project(const solver_pass *s, int first, int last)
{
    const tt_batch batch = {
        .p = s->p,
        .anchor = s->anchor,
        .offset = s->group->offset,
        .data = s->group->data,
        .live = s->group->live,
        .first = first,
        .last = last,
        .tuning = &s->tuning,
    };
    s->kind->project(&batch);
}

static void project_segment(void *argument, int index)
{
    const solver_pass *s = argument;
    const int *segment = &s->group->segment[s->first + index];
    project(s, segment[0], segment[1]);
}

/* Runs the phases of an iteration; see model.h. */
void solver_pass_run(solver_pass *s, tt_pool *pool)
{
    if (!pool) {
        project(s, 0, s->group->nblocks);
        return;
    }
    tt_pool_run(tt_segments(s->model, TT_INSIDE, &s->first), project_segment, s, pool);
    if (s->model->nparts > 1)
        tt_pool_run(tt_segments(s->model, TT_ACROSS, &s->first), project_segment, s, pool);
    tt_segments(s->model, TT_REST, &s->first);
    project_segment(s, 0);
}
