/* The balance of all bodies of an island, together (balance.h): the load that is out of balance, the place where the
 * search begins, and the steps after the search. */
#include "world/contacts.h"
#include "world/search.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* The search goes on while the load out of balance would give the body more than SHARE_OF_SPEED times `stretch` of
 * its speed and SHARE_OF_FALL times `stretch` of the speed that gravity gives it in the substep (root of the sum of
 * squares). A small body would creep to its rest over seconds if gravity let the search leave that much. So there is a
 * second bound for bodies that touch nothing: the load must not move them by more than SIZES times `stretch` times
 * their size in a second. */
static const double SHARE_OF_SPEED = 5, SHARE_OF_FALL = 10, SIZES = 1;

/* ---- The load out of balance ---- */

static void begin(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    size_t from = 4 * (size_t)first, size = 4 * (size_t)(last - first) * sizeof(float);
    memset(&b->gone[from], 0, size);
    memset(&b->load[from], 0, size);
}

static void resist(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].balanced) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        batch.v = level->balance.load;
        substep->world->kinds[kind]->resist(&batch);
    }
}

/* Twice the energy of motion before gravity acted. */
static void weigh_motion(tt_level *level, const tt_substep *substep, int part)
{
    const float *g = substep->world->def.gravity;
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        vec3 v = vec_sub(vec_of(&level->v[4 * (size_t)i]), vec_scale(vec_of(g), (double)substep->h));
        sum += (double)level->balance.mass[i] * vec_dot(v, v);
    }
    level->balance.sum[part] = sum;
}

/* ---- The begin of the search ---- */

/* The way leads up, by as much as gravity has moved each particle, less the part that a collider has undone. */
static void rise(tt_level *level, const tt_substep *substep, int part)
{
    const tt_balance *b = &level->balance;
    const float *g = substep->world->def.gravity;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    const tt_four all = substep->h * substep->h * (tt_four){g[0], g[1], g[2], 0};
    for (int i = first; i < last; i++) {
        float fall[4], free = b->mass[i] > 0 ? 1 : 0;
        tt_four_to(fall, all);
        if (b->met) tt_grip_trim_fall(b, i, fall);
        tt_four_to(&b->way[4 * (size_t)i], -free * tt_four_of(fall));
    }
}

static void way_by_load(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = tt_product(level, level->balance.way, level->balance.load, part);
}

/* Moves the mesh along the way by `far`, which makes `placed` in all. The load begins with the push of inertia. */
static void place(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        size_t at = 4 * (size_t)i;
        tt_four way = tt_four_of(&b->way[at]);
        tt_four_to(&level->p[at], tt_four_of(&level->p[at]) + b->far * way);
        tt_four_to(&b->load[at], -b->mass[i] * b->placed * way);
    }
}

static void give(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *p = &level->p[4 * (size_t)i], free = level->balance.mass[i] > 0 ? 1 : 0;
        tt_four_to(p, tt_four_of(p) + free * tt_four_of(&level->balance.gone[4 * (size_t)i]));
    }
}

/* -> gone, load   nothing yet */
static const tt_stage stage_begin = {TT_PARTS, begin, NULL};
/* p, load -> load   by constraints */
static const tt_stage stage_resist = {TT_CONSTRAINTS, resist, NULL};
/* mass, v -> sum   the energy of motion before gravity acted */
static const tt_stage stage_weigh_motion = {TT_PARTS, weigh_motion, NULL};
/* mass, normal, landed -> way   up, by what gravity has moved */
static const tt_stage stage_rise = {TT_PARTS, rise, NULL};
/* way, load -> sum */
static const tt_stage stage_way_by_load = {TT_PARTS, way_by_load, NULL};
/* p, mass, way -> p, load   the mesh goes along the way; the push of inertia against that */
static const tt_stage stage_place = {TT_PARTS, place, NULL};
/* p, mass, gone -> p   goes where the search has been */
static const tt_stage stage_give = {TT_PARTS, give, NULL};

static void add_loads(const tt_work *work, tt_moment moment)
{
    tt_run_balanced(work, &stage_resist);
    tt_run_balanced(work, &tt_stage_gas_load);
    tt_contacts_act(work, moment);
}

/* The search begins where the bodies would be if gravity had not moved them. For bodies that hang or lie at rest that
 * is the balance itself. If it is too far up, the search begins where the load along the way would be gone. Each body
 * has a way of its own, but bodies that are attached to each other go together; `placed` is how far a body has gone
 * along its way. Returns whether any body was moved. */
static bool place_bodies(const tt_work *work, bool first)
{
    const tt_island *island = work->island;
    bool any = false, tied = island->nties > 0;
    double all = tied ? tt_sum_balanced(work, &stage_way_by_load) : 0;
    for (int i = 0; i < island->nbodies; i++) {
        tt_level *mesh = &island->body[i]->level[0];
        tt_balance *b = &mesh->balance;
        if (!island->body[i]->balanced) continue;
        double load = tied ? all : tt_sum(work, &stage_way_by_load, mesh);
        float to = b->placed;
        if (first) b->before = load;
        if (first) to = load > 0 ? 1 : 0;
        else if (b->placed > 0 && load < -0.05 * b->before) to = (float)(b->before / (b->before - load));
        any = any || to != b->placed;
        b->far = to - b->placed;
        b->placed = to;
    }
    if (!any) return false;
    tt_run_balanced(work, &stage_place);
    add_loads(work, TT_AT_LOAD_AGAIN);
    return true;
}

static void begin_search(const tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) work->island->body[b]->level[0].balance.placed = 0;
    if (place_bodies(work, true)) place_bodies(work, false);
}

/* ---- The whole ---- */

/* The load that is left out of balance also pulls at the bodies as a whole. If several bodies fly together, that would
 * change their momentum. So they all move by the motion that this load would give one rigid body. Ties have a balance
 * of their own. */
static void keep_momentum(const tt_work *work)
{
    const tt_island *island = work->island;
    double sum[3] = {0, 0, 0}, mass = 0, load = 0;
    if (island->nbodies < 2 || island->nties > 0) return;
    for (int i = 0; i < island->nbodies; i++) {
        const tt_level *mesh = &island->body[i]->level[0];
        const tt_balance *b = &mesh->balance;
        if (!island->body[i]->balanced || b->met || island->body[i]->npins > 0) return;
        for (int k = 0; k < mesh->model->nvertices; k++)
            for (int c = 0; c < 3; c++) sum[c] += (double)b->load[4 * (size_t)k + (size_t)c];
        mass += b->total_mass;
    }
    for (int c = 0; c < 3; c++) load += sum[c] * sum[c] / mass;
    if (!(load > 0)) return;
    for (int i = 0; i < island->nbodies; i++) {
        const tt_level *mesh = &island->body[i]->level[0];
        const tt_balance *b = &mesh->balance;
        for (int k = 0; k < mesh->model->nvertices; k++)
            for (int c = 0; c < 3; c++) b->way[4 * (size_t)k + (size_t)c] = b->mass[k] > 0 ? (float)(sum[c] / mass) : 0;
    }
    tt_balance_go_for(work, load);
}

/* The square of the speed, in units of `stretch`, that the search may leave a body because of gravity. */
static double small_speed_squared(const tt_balance *b, double gravity, double h)
{
    double fall = SHARE_OF_FALL * h * gravity, creep = SIZES * b->size, least = b->met ? fall : fmin(fall, creep);
    return least * least;
}

/* A load worth no more than this is too small for further searches to show. */
static double small_load(const tt_work *work)
{
    const tt_island *island = work->island;
    const tt_substep *substep = work->substep;
    double off = (double)substep->world->def.stretch, h = (double)substep->h, rest = 0;
    double gravity = vec_length(vec_of(substep->world->def.gravity));
    double motion = tt_sum_balanced(work, &stage_weigh_motion);
    for (int i = 0; i < island->nbodies; i++) {
        const tt_balance *b = &island->body[i]->level[0].balance;
        if (island->body[i]->balanced) rest += b->total_mass * small_speed_squared(b, gravity, h);
    }
    return h * h * off * off * (SHARE_OF_SPEED * SHARE_OF_SPEED * motion + rest);
}

/* Notes for the whole step how near the last search of the substep came. */
static void note_quality(const tt_island *island)
{
    for (int i = 0; i < island->nbodies; i++) {
        tt_balance *b = &island->body[i]->level[0].balance;
        if (!island->body[i]->balanced) continue;
        b->most_left = fmaxf(b->most_left, b->left);
        b->cut += b->left > 1;
    }
}

static bool is_any_balanced(const tt_island *island)
{
    bool any = false;
    for (int b = 0; b < island->nbodies; b++) any = any || island->body[b]->balanced;
    return any;
}

void tt_balance_island(const tt_work *work)
{
    if (!is_any_balanced(work->island)) return;
    tt_contacts_act(work, TT_AT_LANDING);
    tt_run_balanced(work, &stage_begin);
    tt_run_balanced(work, &stage_rise);
    tt_contacts_act(work, TT_AT_WAY);
    add_loads(work, TT_AT_LOAD);
    begin_search(work);
    tt_balance_braces(work);
    double enough = small_load(work);
    tt_contacts_act(work, TT_AT_SEARCH);
    tt_balance_wholes(work);
    tt_balance_search(work, enough);
    if (tt_contacts_act(work, TT_AT_CATCH)) tt_balance_search(work, enough);
    if (tt_contacts_act(work, TT_AT_RELEASE)) {
        tt_balance_wholes(work);
        tt_balance_search(work, enough);
    }
    tt_balance_wholes(work);
    note_quality(work->island);
    keep_momentum(work);
    tt_contacts_act(work, TT_AT_SETTLING);
    tt_run_balanced(work, &stage_give);
    tt_contacts_act(work, TT_AT_FOLLOWING);
}
