/* One step of the simulation, top to bottom.
 *
 *     per substep:  colliders advance
 *         forces, predict                 x, v -> p
 *         per level, coarse to fine:      p -> p
 *             limits, contacts
 *         per iteration:
 *             project blocks              p -> p    parts, then across their cuts, then the rest
 *             contacts                    p -> p
 *         limits, contacts                p -> p    then the levels and these again, while many passes are left
 *         velocities, damping             v = (p - x)/h
 *     publish, statistics
 *
 * Small bodies (one part) run a whole substep in one task, many side by side; large ones are spread over the threads
 * part by part. All bodies finish a substep before any starts the next. */
#define _POSIX_C_SOURCE 200809L

#include "base/clock.h"
#include "world/stage.h"

#include <math.h>

enum { MOST_ROUNDS = 4 };

/* A team runs pieces: the world's threads, or the caller alone. */
typedef struct team {
    taut_parallel_for *run;
    void *user;
} team;

static void run_alone(int count, void (*task)(void *, int), void *argument, void *user)
{
    (void)user;
    for (int i = 0; i < count; i++) task(argument, i);
}

typedef struct job {
    tt_stage *stage;
    tt_body *body;
    const tt_substep *substep;
    int first;
} job;

static void run_piece(void *argument, int index)
{
    const job *j = argument;
    j->stage(j->body, j->substep, j->first + index);
}

static void over_parts(team t, tt_stage *stage, tt_body *body, const tt_substep *substep)
{
    job j = {stage, body, substep, 0};
    t.run(body->model->nparts, run_piece, &j, t.user);
}

static void over_constraints(team t, tt_stage *stage, tt_body *body, const tt_substep *substep)
{
    job j = {stage, body, substep, 0};
    t.run(tt_segments(body->model, TT_INSIDE, &j.first), run_piece, &j, t.user);
    if (body->model->nparts > 1) t.run(tt_segments(body->model, TT_ACROSS, &j.first), run_piece, &j, t.user);
    if (body->has_rest) run_alone(tt_segments(body->model, TT_REST, &j.first), run_piece, &j, NULL);
}

static bool is_forced(const tt_body *body)
{
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (body->tuning[kind].forced) return true;
    return false;
}

static bool is_damped(const tt_body *body)
{
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (body->tuning[kind].damped) return true;
    return false;
}

/* Time by stage, for the statistics; NULL where bodies run side by side. */
static void lap(double *total, double *since)
{
    if (!total) return;
    double now = tt_clock();
    *total += now - *since;
    *since = now;
}

/* Whether the last pass met an element that is outside by more than the threshold. */
static bool is_outside(const tt_body *body) { return body->limit_excess > body->material.limit.threshold; }

/* Passes over the limits of a level until all hold, or for as often as it may. Untrained levels of cloth without limits
 * of its own only carry loads: the coarser, the cheaper, and the more passes. */
static int passes(const tt_body *body)
{
    if (body->model->level == 0 || tt_has_limits(&tt_finest(body)->material)) return body->material.limit.iterations;
    return body->model->level > 5 ? 32 : 2 << (body->model->level - 1);
}

/* Many passes are better spent in rounds over all levels: what a coarse level left, or what the finer ones undid of it,
 * it gets another chance to mend. Fewer than eight passes at a time would not settle a level. The levels of ropes fit
 * exactly: there the coarse ones are to be done first, and once. */
static int rounds(const tt_body *body)
{
    const tt_body *finest = tt_finest(body);
    if (!finest->limited || !finest->coarser || finest->model->mesh_type == TT_MESH_ROPES) return 1;
    int most = passes(body) / 8;
    return most < 1 ? 1 : most > MOST_ROUNDS ? MOST_ROUNDS : most;
}

/* By the particles of a level, or by probes of the finest one for them. */
static void touch_colliders(team t, tt_body *body, const tt_substep *s)
{
    if (!s->broad->nused) return;
    if (body->model->nprobes) tt_stage_probe(body, s, 0);
    else over_parts(t, tt_stage_contact, body, s);
}

/* Elements that were within their limits sit out a few passes, but not the first one, nor that by which all hold. */
static void enforce_limits(team t, tt_body *body, const tt_substep *substep, int round)
{
    tt_substep s = *substep;
    int all = body->limited ? passes(body) : 0, count = rounds(body), end = all * (round + 1) / count;
    s.whole = true;
    for (s.pass = all * round / count; s.pass < end; s.pass++) {
        float excess = 0;
        over_constraints(t, tt_stage_limit, body, &s);
        if (body->material.limit.enforcement == TAUT_JACOBI) over_parts(t, tt_stage_average, body, &s);
        touch_colliders(t, body, &s);
        for (int i = 0; i < 2 * body->model->nparts + 2; i++)
            if (body->excess[i] > excess) excess = body->excess[i];
        body->limit_excess = excess;
        if (!is_outside(body) && s.whole) break;
        s.whole = !is_outside(body) || s.pass + 2 >= end;
    }
    body->limit_passes = s.pass;
}

/* Pins take any momentum. */
static bool is_free(const tt_body *body)
{
    const tt_body *finest = tt_finest(body);
    return finest->nheld == 0 && finest->nsoft == 0;
}

/* MRSL Fig. 2. Colliders bound what the limits of a level may do; what they do to the prediction itself is left to the
 * mesh, where friction acts. */
static void enforce_coarser_limits(team t, tt_body *body, const tt_substep *s, int round)
{
    tt_body *coarser = body->coarser;
    if (!coarser) return;
    over_parts(t, tt_stage_down, coarser, s);
    if (s->broad->nused && !coarser->model->nprobes) over_parts(t, tt_stage_contact, coarser, s);
    over_parts(t, tt_stage_mark, coarser, s);
    enforce_coarser_limits(t, coarser, s, round);
    enforce_limits(t, coarser, s, round);
    over_parts(t, tt_stage_change, coarser, s);
    over_parts(t, tt_stage_up, body, s);
    if (coarser->pushes && is_free(body)) tt_keep_momentum(body);
}

static void substep_body(team t, tt_body *body, const tt_substep *s, taut_stats *stats)
{
    double since = stats ? tt_clock() : 0;
    if (is_forced(body)) over_constraints(t, tt_stage_force, body, s);
    over_parts(t, tt_stage_predict, body, s);
    tt_stage_hold(body, s, 0);
    tt_stage_anchor(body, s, 0);
    lap(stats ? &stats->ms_forces : NULL, &since);
    enforce_coarser_limits(t, body, s, 0);
    lap(stats ? &stats->ms_limits : NULL, &since);
    for (int i = 0; i < s->iterations; i++) {
        over_constraints(t, tt_stage_project, body, s);
        if (body->nsoft) tt_stage_pull(body, s, 0);
        lap(stats ? &stats->ms_constraints : NULL, &since);
        if (s->broad->nused) over_parts(t, tt_stage_contact, body, s);
        lap(stats ? &stats->ms_contacts : NULL, &since);
    }
    enforce_limits(t, body, s, 0);
    for (int round = 1; round < rounds(body) && is_outside(body); round++) {
        enforce_coarser_limits(t, body, s, round);
        enforce_limits(t, body, s, round);
    }
    lap(stats ? &stats->ms_limits : NULL, &since);
    over_parts(t, tt_stage_velocity, body, s);
    if (is_damped(body)) over_constraints(t, tt_stage_damp, body, s);
    over_parts(t, tt_stage_check, body, s);
    lap(stats ? &stats->ms_velocities : NULL, &since);
}

typedef struct crowd {
    tt_body **body;
    const tt_substep *substep;
} crowd;

static void run_small(void *argument, int index)
{
    const crowd *c = argument;
    substep_body((team){run_alone, NULL}, c->body[index], c->substep, NULL);
}

static void advance_colliders(taut_world *world, int substep, float h)
{
    float count = (float)world->def.substeps, from = (float)substep / count, to = (float)(substep + 1) / count;
    tt_broad_advance(&world->broad, world->collider, from, to, h);
}

static void begin(taut_world *world, float h)
{
    taut_stats *s = &world->stats;
    s->ms_forces = s->ms_constraints = s->ms_limits = s->ms_contacts = s->ms_velocities = s->ms_publish = 0;
    for (int i = 0; i < world->nbodies; i++) {
        tt_body *body = world->body[i];
        if (!body) continue;
        tt_body_tune(body, world, h);
        for (int part = 0; part < body->model->nparts; part++) body->contacts[part] = body->bad[part] = 0;
    }
    tt_broad_begin(&world->broad, world->collider, world->ncolliders);
}

static void substep_world(taut_world *world, const tt_substep *s)
{
    int nsmall = 0;
    double since = tt_clock();
    for (int i = 0; i < world->nbodies; i++)
        if (world->body[i] && world->body[i]->model->nparts == 1) world->small[nsmall++] = world->body[i];
    crowd c = {world->small, s};
    if (nsmall) world->run(nsmall, run_small, &c, world->run_user);
    lap(&world->stats.ms_constraints, &since);
    for (int i = 0; i < world->nbodies; i++)
        if (world->body[i] && world->body[i]->model->nparts > 1)
            substep_body((team){world->run, world->run_user}, world->body[i], s, &world->stats);
}

static void finish(taut_world *world, const tt_substep *s, float dt)
{
    double since = tt_clock();
    for (int i = 0; i < world->nbodies; i++)
        if (world->body[i]) over_parts((team){world->run, world->run_user}, tt_stage_publish, world->body[i], s);
    for (int i = 0; i < world->ncolliders; i++) world->collider[i].now = world->collider[i].target;
    world->steps++;
    world->seconds += (double)dt;
    lap(&world->stats.ms_publish, &since);
}

void taut_world_step(taut_world *world, float dt)
{
    if (!(dt > 0) || !isfinite(dt)) return;
    double start = tt_clock();
    tt_substep s = {.world = world, .h = dt / (float)world->def.substeps, .iterations = world->def.iterations,
                    .broad = &world->broad};
    begin(world, s.h);
    for (int i = 0; i < world->def.substeps; i++) {
        s.remaining = world->def.substeps - i;
        advance_colliders(world, i, s.h);
        substep_world(world, &s);
    }
    finish(world, &s, dt);
    world->stats.ms_step = tt_clock() - start;
}
