/* The search of the balance (balance.h): conjugate gradients that all levels help.
 *
 * A step of conjugate gradients asks how the particles would move under a load. Each level answers for itself: a coarse
 * particle gets the load of its riders, moves as its brace lets it, and takes its riders along. The mesh adds up the
 * answers of all levels. So a load crosses the whole cloth at once, and no level needs a matrix other than the
 * braces. */
#define _POSIX_C_SOURCE 200809L

#include "world/search.h"

#include "base/clock.h"
#include "world/contacts.h"

#include <math.h>

/* ---- The answer of all levels to a load ---- */

static void loosen(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *loose = &b->loose[4 * (size_t)i], free = b->mass[i] > 0 ? 1 : 0;
        tt_four_to(loose, free * tt_four_of(&b->load[4 * (size_t)i]));
        if (b->met && b->grip[i] != TT_FREE) tt_grip_filter(b, i, loose);
    }
}

/* Collects the load of the riders. */
static void collect(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    const float *from = finer->number == 0 ? finer->balance.loose : finer->balance.load;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        tt_four sum = {0, 0, 0, 0};
        for (int k = riders->first[i]; k < riders->first[i + 1]; k++)
            sum += riders->weight[k] * tt_four_of(&from[4 * (size_t)riders->index[k]]);
        tt_four_to(&level->balance.load[4 * (size_t)i], sum);
    }
}

/* How particle i moves under a load, if nothing else does. */
static inline tt_four alone(const tt_balance *b, int i, tt_four load)
{
    tt_four s = tt_four_of(&b->brace[0][4 * (size_t)i]), m = tt_four_of(&b->brace[1][4 * (size_t)i]);
    tt_four x = {s[0], m[0], m[2], 0}, y = {m[0], s[1], m[1], 0}, z = {m[2], m[1], s[2], 0};
    return load[0] * x + load[1] * y + load[2] * z;
}

/* The motion of a particle: its own answer, plus the motion of the coarser particles on which it rides. */
static void answer(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    const float *load = level->number == 0 ? b->loose : b->load;
    bool coarser = level->model->coarser != NULL, met = level->number == 0 && b->met;
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        tt_four own = tt_four_of(&load[4 * (size_t)i]), move = alone(b, i, own);
        if (coarser) move += tt_mix(&level->model->up, i, level[1].balance.move);
        move *= b->mass[i] > 0 ? 1.0f : 0.0f;
        tt_four_to(&b->move[4 * (size_t)i], move);
        if (met && b->grip[i] != TT_FREE) tt_grip_filter(b, i, &b->move[4 * (size_t)i]);
        sum += (double)tt_four_dot(own, tt_four_of(&b->move[4 * (size_t)i]));
    }
    b->sum[part] = sum;
}

/* ---- Steps ---- */

/* Makes the next direction, and the push of inertia against it. */
static void turn(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        size_t at = 4 * (size_t)i;
        tt_four way = tt_four_of(&b->move[at]);
        if (b->again > 0) way += b->again * tt_four_of(&b->way[at]);
        tt_four_to(&b->way[at], way);
        tt_four_to(&b->push[at], b->mass[i] * way);
    }
}

static void stiffen(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].balanced) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        batch.v = level->balance.push;
        batch.x = level->balance.way;
        substep->world->kinds[kind]->stiffen(&batch);
    }
}

static void weigh_way(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        tt_four_to(&b->push[4 * (size_t)i], b->mass[i] * tt_four_of(&b->way[4 * (size_t)i]));
}

double tt_product(const tt_level *level, const float *a, const float *b, int part)
{
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4)
        sum += (double)tt_four_dot(tt_four_of(&a[i]), tt_four_of(&b[i]));
    return sum;
}

static void way_by_push(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = tt_product(level, level->balance.way, level->balance.push, part);
}

static void go(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4) {
        tt_four_to(&b->gone[i], tt_four_of(&b->gone[i]) + b->far * tt_four_of(&b->way[i]));
        tt_four_to(&b->load[i], tt_four_of(&b->load[i]) - b->far * tt_four_of(&b->push[i]));
    }
}

/* mass, load, normal, grip -> loose   what no contact holds */
static const tt_stage stage_loosen = {TT_PARTS, loosen, NULL};
/* finer loose, finer load -> load   the load of the riders */
static const tt_stage stage_collect = {TT_PARTS, collect, NULL};
/* mass, loose, load, brace, normal, grip, coarser move -> move, sum   what the level would do about it */
static const tt_stage stage_answer = {TT_PARTS, answer, NULL};
/* mass, move, way -> way, push   the next direction; the push of inertia against it */
static const tt_stage stage_turn = {TT_PARTS, turn, NULL};
/* mass, way -> push   the push of inertia against a direction */
static const tt_stage stage_weigh_way = {TT_PARTS, weigh_way, NULL};
/* p, way, push -> push   what constraints push against it */
static const tt_stage stage_stiffen = {TT_CONSTRAINTS, stiffen, NULL};
/* way, push -> sum */
static const tt_stage stage_way_by_push = {TT_PARTS, way_by_push, NULL};
/* gone, load, way, push -> gone, load   a step along the direction */
static const tt_stage stage_go = {TT_PARTS, go, NULL};

/* Adds up all resistance against the ways of all bodies. */
static void stiffen_all(const tt_work *work)
{
    tt_run_balanced(work, &stage_stiffen);
    tt_run_balanced(work, &tt_stage_gas_stiffen);
    tt_contacts_act(work, TT_AT_PUSH);
}

static void go_far(const tt_work *work, float far)
{
    for (int b = 0; b < work->island->nbodies; b++) work->island->body[b]->level[0].balance.far = far;
    tt_run_balanced(work, &stage_go);
}

/* Goes along the present direction until the load along it is gone. */
static bool go_along(const tt_work *work, double load)
{
    stiffen_all(work);
    double against = tt_sum_balanced(work, &stage_way_by_push);
    if (!(against > 0)) return false;
    go_far(work, (float)(load / against));
    return true;
}

void tt_balance_go(const tt_work *work)
{
    tt_run_balanced(work, &stage_weigh_way);
    stiffen_all(work);
    go_far(work, 1);
}

void tt_balance_go_for(const tt_work *work, double load)
{
    tt_run_balanced(work, &stage_weigh_way);
    go_along(work, load);
}

/* Puts the answer of all levels to the load in `move`. Returns the product of load and answer. */
static double ask_levels(const tt_work *work, tt_body *body)
{
    for (int i = 1; i < body->nlevels; i++) tt_run(work, &stage_collect, &body->level[i]);
    for (int i = body->nlevels - 1; i > 0; i--) tt_run(work, &stage_answer, &body->level[i]);
    return tt_sum(work, &stage_answer, &body->level[0]);
}

/* Notes what a search has cost, and how near to `enough` it came. */
static void note_search(const tt_work *work, int searches, double left, double enough)
{
    for (int i = 0; i < work->island->nbodies; i++) {
        tt_balance *b = &work->island->body[i]->level[0].balance;
        if (!work->island->body[i]->balanced) continue;
        b->searches += searches;
        b->left = left > 0 ? (float)sqrt(left / enough) : 0;
    }
}

static bool is_late(const taut_world *world) { return world->deadline < INFINITY && tt_clock() > world->deadline; }

void tt_balance_search(const tt_work *work, double enough)
{
    const tt_island *island = work->island;
    const taut_world *world = work->substep->world;
    double now = INFINITY, before = 0;
    int i = 0;
    for (; i < world->def.budget && now > enough && (i == 0 || !is_late(world)); i++) {
        now = 0;
        tt_run_balanced(work, &stage_loosen);
        tt_contacts_act(work, TT_AT_LOOSE);
        for (int b = 0; b < island->nbodies; b++)
            if (island->body[b]->balanced) now += ask_levels(work, island->body[b]);
        tt_contacts_act(work, TT_AT_MOVE);
        for (int b = 0; b < island->nbodies; b++)
            island->body[b]->level[0].balance.again = before > 0 ? (float)(now / before) : 0;
        before = now;
        tt_run_balanced(work, &stage_turn);
        if (!(now > 0) || !go_along(work, now)) break;
    }
    note_search(work, i, now, enough);
}
