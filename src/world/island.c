/* Islands: which bodies may touch in a step, and which islands are small enough to run in one task. */
#include "world/world.h"

/* An island of at most so many particles takes less time than waiting for other threads at every stage would. */
enum { SMALL_ISLAND = 3072 };

static bool is_small(const tt_body *body) { return tt_body_model(body)->nparticles <= SMALL_ISLAND; }

static int add_islands(taut_world *world, bool small, int count)
{
    for (int i = 0; i < world->bodies.count; i++) {
        tt_body *body = world->body[i];
        if (!body || is_small(body) != small) continue;
        world->member[count] = body;
        bool quality = world->def.stretch > 0 && tt_body_is_balanced(body);
        world->island[count] = (tt_island){.body = &world->member[count], .nbodies = 1,
                                           .pace = quality ? TT_BY_QUALITY : TT_COUNTED,
                                           .particles = tt_body_model(body)->nparticles};
        count++;
    }
    return count;
}

void tt_world_find_islands(taut_world *world)
{
    world->nsmall = add_islands(world, true, 0);
    world->nislands = add_islands(world, false, world->nsmall);
}
