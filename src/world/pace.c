/* The substeps that bodies take. Those solved by quality choose their own, all others take those of the solver. */
#include "world/stage.h"

#include <math.h>

static int substeps_at(const taut_world *world, tt_pace pace, float dt)
{
    int counted = world->def.substeps, quality = pace == TT_COUNTED ? 0 : tt_balance_substeps(dt);
    return pace == TT_BY_QUALITY || quality > counted ? quality : counted;
}

/* If a substep is less than half as long as the last one, corrections become velocity as if it were half as long. */
static float rate_of(float h, float last) { return 1 / fmaxf(h, 0.5f * last); }

bool tt_pace_begin(taut_world *world, tt_pace pace, float dt, tt_substep *substep)
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
