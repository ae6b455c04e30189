/* The substeps that bodies take, and the threads that run them. Bodies solved by quality choose their own substeps. All
 * others take those of the solver, or as many as elastic forces need.
 *
 * A small island runs its whole substep in one task, so many small ones run side by side. A large one runs stage by
 * stage over the threads. All islands finish a substep before any starts the next. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "world/stage.h"

#include <math.h>

/* Elastic bodies fly to pieces in substeps longer than their stable step, so they may need more than the solver has. */
static int substeps_of_elastic(const tt_island *island, float dt)
{
    float stable = INFINITY;
    for (int b = 0; b < island->nbodies; b++) {
        const taut_elastic *elastic = &island->body[b]->material.elastic;
        bool acts = elastic->young > 0 || elastic->bend > 0;
        if (acts) stable = fminf(stable, tt_body_model(island->body[b])->stable_step);
    }
    float wanted = ceilf(dt / stable);
    return wanted < TT_MOST_SUBSTEPS ? (int)wanted : TT_MOST_SUBSTEPS;
}

static int substeps_at(const taut_world *world, tt_pace pace, float dt)
{
    int counted = pace == TT_BY_QUALITY ? 0 : world->def.substeps;
    int most = pace == TT_COUNTED ? 0 : tt_balance_substeps(dt);
    most = counted > most ? counted : most;
    for (int i = 0; i < world->nislands && pace != TT_BY_QUALITY; i++) {
        int elastic = world->island[i].pace == pace ? substeps_of_elastic(&world->island[i], dt) : 0;
        most = elastic > most ? elastic : most;
    }
    return most;
}

/* If a substep is less than half as long as the last one, corrections become velocity as if it were half as long. */
static float rate_of(float h, float last) { return 1 / fmaxf(h, 0.5f * last); }

/* Cuts the step into the substeps of a pace, and makes its bodies ready for them. False: no body has this pace. */
static bool cut_step(taut_world *world, tt_pace pace, float dt, tt_substep *substep)
{
    int count = substeps_at(world, pace, dt);
    float h = dt / (float)count;
    bool any = false;
    *substep = (tt_substep){.world = world,
                            .pace = pace,
                            .count = count,
                            .h = h,
                            .rate = rate_of(h, world->last_h[pace]),
                            .broad = &world->broad,
                            .iterations = pace == TT_BY_QUALITY ? 1 : world->def.iterations};
    world->last_h[pace] = h;
    for (int i = 0; i < world->nislands; i++)
        for (int b = 0; b < world->island[i].nbodies && world->island[i].pace == pace; b++) {
            tt_body_derive(world->island[i].body[b], world, h, count * substep->iterations);
            any = true;
        }
    return any;
}

static void substep_small(void *substep, int island)
{
    const tt_substep *s = substep;
    tt_work work = {.team = tt_team_of_one(), .island = &s->world->island[island], .substep = s};
    if (work.island->pace == s->pace) tt_substep_island(&work, NULL);
}

static void substep_world(taut_world *world, tt_substep *s)
{
    double since = tt_clock();
    if (world->nsmall > 1) world->run(world->nsmall, substep_small, s, world->run_user);
    tt_lap(&world->stats.ms_constraints, &since);
    for (int i = world->nsmall > 1 ? world->nsmall : 0; i < world->nislands; i++) { /* a single one has all threads */
        tt_work work = {.team = {world->run, world->run_user}, .island = &world->island[i], .substep = s};
        if (work.island->pace == s->pace) tt_substep_island(&work, &world->stats);
    }
}

void tt_pace_step(taut_world *world, tt_pace pace, float dt)
{
    tt_substep s;
    bool any = cut_step(world, pace, dt, &s);
    for (int i = 0; i < s.count && any; i++) {
        s.remaining = s.count - i;
        tt_world_advance_colliders(world, i, s.count, s.h);
        substep_world(world, &s);
    }
}
