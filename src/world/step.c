/* One step of the simulation, top to bottom: islands of bodies that may touch, substeps (pace.c), stages. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "world/contacts.h"

#include <math.h>

/* Elastic forces in balance, then one pass over all constraints. */
static void iterate(const tt_work *work)
{
    tt_balance_island(work);
    tt_run_all(work, &tt_stage_project);
    tt_run_all(work, &tt_stage_inflate);
    tt_run_all(work, &tt_stage_pull);
}

/* Enforces the limits of the mesh, then levels and limits again while many passes are left. */
static void limit(const tt_work *work)
{
    tt_enforce_limits(work, 0, 0);
    for (int round = 1; tt_next_round(work->island, round); round++) {
        tt_correct_by_levels(work, round);
        tt_enforce_limits(work, 0, round);
    }
}

static void find_velocities(const tt_work *work)
{
    tt_run_all(work, &tt_stage_weigh);
    tt_run_all(work, &tt_stage_gather_moved);
    tt_run_all(work, &tt_stage_lean);
    tt_run_all(work, &tt_stage_turn_back);
    tt_run_all(work, &tt_stage_weigh_others);
    tt_run_all(work, &tt_stage_velocity);
    tt_contacts_act(work, TT_AT_VELOCITY);
    tt_run_all(work, &tt_stage_gather);
    tt_run_all(work, &tt_stage_fit);
    tt_run_all(work, &tt_stage_rub);
    tt_run_all(work, &tt_stage_weigh_again);
    tt_run_all(work, &tt_stage_restore);
    tt_run_all(work, &tt_stage_calm);
    tt_run_all(work, &tt_stage_brake);
    tt_run_all(work, &tt_stage_damp);
    tt_run_all(work, &tt_stage_check);
}

void tt_substep_island(const tt_work *work, taut_stats *stats)
{
    double since = stats ? tt_clock() : 0;
    tt_run_all(work, &tt_stage_force);
    tt_run_all(work, &tt_stage_predict);
    tt_run_all(work, &tt_stage_pin);
    tt_run_all(work, &tt_stage_deflate);
    tt_lap(stats ? &stats->ms_forces : NULL, &since);
    tt_others_forget(work);
    tt_others_begin(work, TT_JOINED);
    tt_contacts_act(work, TT_AT_BEGIN);
    tt_others_end(work);
    tt_run_all(work, &tt_stage_anchor);
    tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    tt_next_round(work->island, 0);
    tt_correct_by_levels(work, 0);
    tt_lap(stats ? &stats->ms_limits : NULL, &since);
    for (int i = 0; i < work->substep->iterations; i++) {
        tt_others_begin(work, TT_ITERATION);
        iterate(work);
        tt_lap(stats ? &stats->ms_constraints : NULL, &since);
        tt_contacts_act(work, TT_AT_ITERATION);
        tt_others_end(work);
        tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    }
    limit(work);
    tt_lap(stats ? &stats->ms_limits : NULL, &since);
    tt_others_begin(work, TT_JOINED);
    tt_contacts_act(work, TT_AT_END);
    tt_others_end(work);
    tt_lap(stats ? &stats->ms_contacts : NULL, &since);
    find_velocities(work);
    tt_lap(stats ? &stats->ms_velocities : NULL, &since);
}

bool taut_world_step(taut_world *world, float dt)
{
    if (!(dt > 0) || !isfinite(dt)) return false;
    double start = tt_clock(), budget = (double)world->def.budget_ms;
    world->deadline = budget > 0 ? start + budget : INFINITY;
    if (!tt_contacts_reserve(world) || !tt_world_find_islands(world, dt)) return false;
    tt_world_prepare_ties(world);
    tt_world_list_ties(world);
    tt_world_prepare(world);
    for (int pace = 0; pace < TT_PACES; pace++) tt_pace_step(world, (tt_pace)pace, dt);
    tt_world_publish(world);
    tt_world_finish_ties(world, dt);
    tt_world_arrive(world, dt);
    world->stats.ms_step = tt_clock() - start;
    return true;
}
