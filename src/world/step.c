/* One step of the simulation, top to bottom.
 *
 *     islands: which bodies may touch in this step
 *     per substep:  colliders advance
 *         per island:
 *             forces, predict, hard pins      x, v -> p    attachments to what moves by itself; pairs that could meet
 *             levels, coarse to fine          p -> p    limits, contacts
 *             per iteration:
 *                 balance                     p -> p    elastic forces and inertia, over all levels
 *                 project, soft pins          p -> p    parts, then across their cuts, then the rest; attachments
 *                 contacts                    p -> p    with itself, each other, colliders
 *             limits, contacts                p -> p    then levels and limits again, while many passes are left
 *             acceptance                      p -> p    nothing passes through anything
 *             velocities, damping, checks     v = (p - x)/h
 *     origins follow, publish, statistics
 *
 * A small island runs its whole substep in one task, so many small ones run side by side. A large one runs stage by
 * stage over the threads. All islands finish a substep before any starts the next. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "world/stage.h"

#include <math.h>

static void substep_island(tt_team team, const tt_island *island, const tt_substep *s, taut_stats *stats)
{
    double since = stats ? tt_clock() : 0;
    tt_run_island(team, &tt_stage_force, island, s);
    tt_run_island(team, &tt_stage_predict, island, s);
    tt_run_island(team, &tt_stage_pin, island, s);
    tt_ties_begin(island, s);
    tt_gas_begin(island);
    tt_run_island(team, &tt_stage_anchor, island, s);
    tt_lap(stats ? &stats->ms_forces : NULL, &since);
    tt_apart_begin(team, island, s);
    tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    tt_next_round(island, 0);
    tt_correct_by_levels(team, island, s, 0);
    tt_lap(stats ? &stats->ms_limits : NULL, &since);
    for (int i = 0; i < s->iterations; i++) {
        tt_balance_island(team, island, s);
        tt_run_island(team, &tt_stage_project, island, s);
        tt_gas_push(island, s);
        tt_run_island(team, &tt_stage_pull, island, s);
        tt_ties_draw(island);
        tt_lap(stats ? &stats->ms_constraints : NULL, &since);
        for (int b = 0; b < island->nbodies; b++) tt_touch_colliders(team, &island->body[b]->level[0], s);
        tt_apart_touch(island, s);
        tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    }
    tt_enforce_limits(team, island, 0, s, 0);
    for (int round = 1; tt_next_round(island, round); round++) {
        tt_correct_by_levels(team, island, s, round);
        tt_enforce_limits(team, island, 0, s, round);
    }
    tt_lap(stats ? &stats->ms_limits : NULL, &since);
    tt_ties_end(island, s);
    tt_apart_end(team, island);
    tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    tt_run_island(team, &tt_stage_weigh, island, s);
    tt_run_island(team, &tt_stage_gather_moved, island, s);
    tt_run_island(team, &tt_stage_lean, island, s);
    tt_run_island(team, &tt_stage_turn_back, island, s);
    tt_run_island(team, &tt_stage_velocity, island, s);
    tt_apart_settle(island, s);
    tt_run_island(team, &tt_stage_gather, island, s);
    tt_run_island(team, &tt_stage_fit, island, s);
    tt_run_island(team, &tt_stage_rub, island, s);
    tt_run_island(team, &tt_stage_weigh_again, island, s);
    tt_run_island(team, &tt_stage_restore, island, s);
    tt_run_island(team, &tt_stage_brake, island, s);
    tt_run_island(team, &tt_stage_damp, island, s);
    tt_run_island(team, &tt_stage_check, island, s);
    tt_lap(stats ? &stats->ms_velocities : NULL, &since);
}

static void substep_small(void *substep, int island)
{
    const tt_substep *s = substep;
    if (s->world->island[island].pace == s->pace)
        substep_island(tt_team_of_one(), &s->world->island[island], s, NULL);
}

static void substep_world(taut_world *world, tt_substep *s)
{
    double since = tt_clock();
    if (world->nsmall > 1) world->run(world->nsmall, substep_small, s, world->run_user);
    tt_lap(&world->stats.ms_constraints, &since);
    for (int i = world->nsmall > 1 ? world->nsmall : 0; i < world->nislands; i++) /* one alone has all threads */
        if (world->island[i].pace == s->pace)
            substep_island((tt_team){world->run, world->run_user}, &world->island[i], s, &world->stats);
}

/* All substeps of the bodies that go at this pace. */
static void step_at(taut_world *world, tt_pace pace, float dt)
{
    tt_substep s;
    bool any = tt_pace_begin(world, pace, dt, &s);
    for (int i = 0; i < s.count && any; i++) {
        s.remaining = s.count - i;
        tt_world_advance_colliders(world, i, s.count, s.h);
        substep_world(world, &s);
    }
}

void taut_world_step(taut_world *world, float dt)
{
    if (!(dt > 0) || !isfinite(dt)) return;
    double start = tt_clock();
    tt_world_prepare_ties(world);
    tt_world_find_islands(world, dt);
    tt_world_list_ties(world);
    tt_world_prepare(world);
    for (int pace = 0; pace < TT_PACES; pace++) step_at(world, (tt_pace)pace, dt);
    tt_world_publish(world);
    tt_world_finish_ties(world, dt);
    tt_world_arrive(world, dt);
    world->stats.ms_step = tt_clock() - start;
}
