/* Stages between the levels of a body: state goes down, corrections come up. */
#include "world/stage.h"

#include <string.h>

/* The weighted mean that makes coarse particle i. It is computed relative to the first particle, which keeps it exact
 * far from the origin. */
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

/* Puts a coarse particle at the mean of the particles that it stands for. It is pinned if the first of them is.
 * Particles that fill up the last block stand for none. */
static void down(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *down = &finer->model->down;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &level->p[4 * (size_t)i], *x = &level->x[4 * (size_t)i];
        if (down->first[i] == down->first[i + 1]) continue;
        restrict_to(down, i, finer->p, p);
        restrict_to(down, i, finer->x, x);
        p[3] = finer->p[4 * (size_t)down->index[down->first[i]] + 3] > 0 ? level->free_w[i] : 0;
    }
    level->contacts[part] = 0;
}

static void mark(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&level->before[4 * (size_t)first], &level->p[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof *level->p);
}

static void change(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) level->before[i] = level->p[i] - level->before[i];
}

/* Only corrections go up, never positions, so fine detail stays. */
static void up(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &level->p[4 * (size_t)i], free = p[3] > 0 ? 1 : 0;
        tt_four change = tt_mix(&level->model->up, i, level[1].before); /* w does not change, so the last is 0 */
        tt_four_to(p, tt_four_of(p) + free * change);
    }
}

const tt_stage tt_stage_down = {TT_PARTS, down, NULL};
const tt_stage tt_stage_mark = {TT_PARTS, mark, NULL};
const tt_stage tt_stage_change = {TT_PARTS, change, NULL};
const tt_stage tt_stage_up = {TT_PARTS, up, NULL};
