/* The end of a step: origins follow their bodies, and callers see where these are. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "world/stage.h"

static void publish(tt_team team, const tt_island *island, const tt_substep *s)
{
    tt_work work = {.team = team, .island = island, .substep = s};
    tt_run_all(&work, &tt_stage_bound);
    tt_run_all(&work, &tt_stage_follow);
    tt_run_all(&work, &tt_stage_shift);
    tt_run_all(&work, &tt_stage_publish);
}

static void publish_small(void *substep, int island)
{
    const tt_substep *s = substep;
    publish(tt_team_of_one(), &s->world->island[island], s);
}

void tt_world_publish(taut_world *world)
{
    tt_substep s = {.world = world};
    double since = tt_clock();
    if (world->nsmall) world->run(world->nsmall, publish_small, &s, world->run_user);
    for (int i = world->nsmall; i < world->nislands; i++)
        publish((tt_team){world->run, world->run_user}, &world->island[i], &s);
    tt_lap(&world->stats.ms_publish, &since);
}
