/* Bodies as wholes in the balance.
 *
 * A load that pulls at a whole body, for example at a sheet that slides on another one, hardly shows in what levels
 * answer, because neighbours hold each particle that moves alone. So before a search, bodies that nothing holds but
 * friction and other cloth go as wholes. Each goes by what its load would do if it were rigid. */
#include "world/contacts.h"
#include "world/search.h"

#include "base/vec.h"

#include <string.h>

static bool is_free(const tt_body *body) { return body->balanced && body->npins == 0 && !body->level[0].balance.met; }

/* How far the load would move the body if it were rigid. */
static vec3 answer_of(const tt_balance *b, const double load[3])
{
    float straight[3], mixed[3];
    for (int c = 0; c < 3; c++) straight[c] = b->whole[0][c] + (float)b->total_mass, mixed[c] = b->whole[1][c];
    tt_balance_invert(straight, mixed);
    return (vec3){(double)straight[0] * load[0] + (double)mixed[0] * load[1] + (double)mixed[2] * load[2],
                  (double)mixed[0] * load[0] + (double)straight[1] * load[1] + (double)mixed[1] * load[2],
                  (double)mixed[2] * load[0] + (double)mixed[1] * load[1] + (double)straight[2] * load[2]};
}

/* Sets the way of a body. Returns the product of its load and that way. */
static double choose_way(tt_body *body)
{
    const tt_balance *b = &body->level[0].balance;
    size_t n = (size_t)tt_body_model(body)->nparticles;
    double load[3] = {0, 0, 0};
    memset(b->way, 0, 4 * n * sizeof *b->way);
    if (!is_free(body)) return 0;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3 && b->mass[i] > 0; c++) load[c] += (double)b->load[4 * i + c];
    vec3 u = answer_of(b, load);
    const float by[3] = {(float)u.x, (float)u.y, (float)u.z};
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3 && b->mass[i] > 0; c++) b->way[4 * i + c] = by[c];
    return load[0] * u.x + load[1] * u.y + load[2] * u.z;
}

void tt_balance_wholes(const tt_work *work)
{
    const tt_island *island = work->island;
    double load = 0;
    if (island->ntouching < 2 || island->nties > 0) return;
    for (int i = 0; i < island->nbodies; i++) memset(island->body[i]->level[0].balance.whole, 0, sizeof(float[2][3]));
    if (!tt_contacts_act(work, TT_AT_WHOLE)) return;
    for (int i = 0; i < island->nbodies; i++)
        if (island->body[i]->balanced) load += choose_way(island->body[i]);
    if (load > 0) tt_balance_go_for(work, load);
}
