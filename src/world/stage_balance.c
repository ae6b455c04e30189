/* Stages of the balance (balance.h): conjugate gradients that all levels help.
 *
 * A step of conjugate gradients asks what the particles would do about a load. Each level answers for itself: a coarse
 * particle gets the load of its riders, moves as its brace lets it, and takes its riders along. The mesh adds up what
 * all levels say. So a load goes across the whole cloth at once, and no level needs a matrix but for the braces. */
#include "world/stage.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* The search goes on while what is out of balance is worth more than these many times `stretch` of the speed of the body,
 * and of the speed that gravity gives it in the substep. */
static const double SHARE_OF_SPEED = 5, SHARE_OF_FALL = 10;

/* ---- What is out of balance ---- */

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

/* ---- Braces ---- */

/* The inverse of a symmetric matrix, xx yy zz and xy yz xz, in place. */
static void invert(float *straight, float *mixed)
{
    float xx = straight[0], yy = straight[1], zz = straight[2], xy = mixed[0], yz = mixed[1], xz = mixed[2];
    float cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    float scale = 1 / (xx * cx + xy * cy + xz * cz);
    straight[0] = scale * cx, mixed[0] = scale * cy, mixed[2] = scale * cz;
    straight[1] = scale * (xx * zz - xz * xz), mixed[1] = scale * (xy * xz - xx * yz);
    straight[2] = scale * (xx * yy - xy * xy);
}

static void begin_brace(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int k = 0; k < 2; k++)
        memset(&level->balance.brace[k][4 * (size_t)first], 0, 4 * (size_t)(last - first) * sizeof(float));
}

static void brace(tt_level *level, const tt_substep *substep, int segment)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!level->tuning[kind].balanced || !substep->world->kinds[kind]->brace) continue;
        tt_batch batch = tt_batch_of(level, kind, segment);
        batch.v = level->balance.brace[0];
        batch.sum = level->balance.brace[1];
        substep->world->kinds[kind]->brace(&batch);
    }
}

/* The mean of the riders. A fold of cloth that is twice as wide and twice as long resists a pull as much. */
static void brace_coarser(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (int k = 0; k < 2; k++) {
            float *to = &level->balance.brace[k][4 * (size_t)i], weight = 0, sum[4] = {0, 0, 0, 0};
            for (int r = riders->first[i]; r < riders->first[i + 1]; r++) {
                const float *from = &finer->balance.brace[k][4 * (size_t)riders->index[r]];
                weight += riders->weight[r];
                for (int c = 0; c < 4; c++) sum[c] += riders->weight[r] * from[c];
            }
            for (int c = 0; c < 4; c++) to[c] = weight > 0 ? sum[c] / weight : 0;
        }
}

static void end_brace(tt_level *level, const tt_substep *substep, int part)
{
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *straight = &b->brace[0][4 * (size_t)i], own = b->mass[i] + substep->h * substep->h * b->plain[i];
        for (int c = 0; c < 3; c++) straight[c] += own;
        if (b->mass[i] > 0) invert(straight, &b->brace[1][4 * (size_t)i]);
    }
}

/* ---- What all levels say about a load ---- */

static void loosen(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *loose = &b->loose[4 * (size_t)i], free = b->mass[i] > 0 ? 1 : 0;
        for (size_t c = 0; c < 4; c++) loose[c] = free * b->load[4 * (size_t)i + c];
        if (b->met) tt_grip_filter(b, i, loose);
    }
}

/* The load of the riders. */
static void collect(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    const float *from = finer->number == 0 ? finer->balance.loose : finer->balance.load;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float sum[4] = {0, 0, 0, 0};
        for (int k = riders->first[i]; k < riders->first[i + 1]; k++)
            for (size_t c = 0; c < 4; c++) sum[c] += riders->weight[k] * from[4 * (size_t)riders->index[k] + c];
        memcpy(&level->balance.load[4 * (size_t)i], sum, sizeof sum);
    }
}

/* What a particle does by itself, and what the one that it rides on does with it. */
static void answer(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    const float *load = level->number == 0 ? b->loose : b->load;
    bool coarser = level->model->coarser != NULL;
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        const float *s = &b->brace[0][4 * (size_t)i], *m = &b->brace[1][4 * (size_t)i], *r = &load[4 * (size_t)i];
        float *u = &b->move[4 * (size_t)i], with[4] = {0, 0, 0, 0}, free = b->mass[i] > 0 ? 1 : 0;
        if (coarser) tt_mix(&level->model->up, i, level[1].balance.move, with);
        u[0] = free * (s[0] * r[0] + m[0] * r[1] + m[2] * r[2] + with[0]);
        u[1] = free * (m[0] * r[0] + s[1] * r[1] + m[1] * r[2] + with[1]);
        u[2] = free * (m[2] * r[0] + m[1] * r[1] + s[2] * r[2] + with[2]);
        u[3] = 0;
        if (level->number == 0 && b->met) tt_grip_filter(b, i, u);
        sum += (double)(r[0] * u[0] + r[1] * u[1] + r[2] * u[2]);
    }
    b->sum[part] = sum;
}

/* ---- Steps ---- */

/* Up, by what gravity has moved; but not where a collider has done that. */
static void rise(tt_level *level, const tt_substep *substep, int part)
{
    const tt_balance *b = &level->balance;
    const float *g = substep->world->def.gravity;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float fall[4] = {0, 0, 0, 0};
        for (size_t c = 0; c < 3; c++) fall[c] = substep->h * substep->h * g[c];
        if (b->met) tt_grip_trim_fall(b, i, fall);
        for (size_t c = 0; c < 4; c++) b->way[4 * (size_t)i + c] = b->mass[i] > 0 ? -fall[c] : 0;
    }
}

/* The next direction, and what inertia pushes against it. */
static void turn(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 4; c++) {
            size_t at = 4 * (size_t)i + c;
            b->way[at] = b->again > 0 ? b->move[at] + b->again * b->way[at] : b->move[at];
            b->push[at] = b->mass[i] * b->way[at];
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
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) b->push[i] = b->mass[i / 4] * b->way[i];
}

static double product(const tt_level *level, const float *a, const float *b, int part)
{
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i += 4)
        sum += (double)(a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2]);
    return sum;
}

static void way_by_push(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = product(level, level->balance.way, level->balance.push, part);
}

static void way_by_load(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = product(level, level->balance.way, level->balance.load, part);
}

static void go(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) {
        b->gone[i] += b->far * b->way[i];
        b->load[i] -= b->far * b->push[i];
    }
}

static void give(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 3 && level->balance.mass[i] > 0; c++)
            level->p[4 * (size_t)i + c] += level->balance.gone[4 * (size_t)i + c];
}

/* Moves the mesh itself along the way, by `far` more to `placed` in all, and begins with what inertia pushes back. */
static void place(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 4; c++) {
            size_t at = 4 * (size_t)i + c;
            level->p[at] += b->far * b->way[at];
            b->load[at] = -b->mass[i] * b->placed * b->way[at];
        }
}

static const tt_stage stage_place = {TT_PARTS, place, NULL}, stage_way_by_load = {TT_PARTS, way_by_load, NULL},
                      stage_begin = {TT_PARTS, begin, NULL}, stage_resist = {TT_CONSTRAINTS, resist, NULL},
                      stage_weigh_motion = {TT_PARTS, weigh_motion, NULL},
                      stage_begin_brace = {TT_PARTS, begin_brace, NULL}, stage_brace = {TT_CONSTRAINTS, brace, NULL},
                      stage_brace_coarser = {TT_PARTS, brace_coarser, NULL},
                      stage_end_brace = {TT_PARTS, end_brace, NULL}, stage_loosen = {TT_PARTS, loosen, NULL},
                      stage_collect = {TT_PARTS, collect, NULL}, stage_answer = {TT_PARTS, answer, NULL},
                      stage_rise = {TT_PARTS, rise, NULL}, stage_weigh_way = {TT_PARTS, weigh_way, NULL},
                      stage_turn = {TT_PARTS, turn, NULL},
                      stage_stiffen = {TT_CONSTRAINTS, stiffen, NULL},
                      stage_way_by_push = {TT_PARTS, way_by_push, NULL}, stage_go = {TT_PARTS, go, NULL},
                      stage_give = {TT_PARTS, give, NULL};

double tt_sum_of(tt_team team, const tt_stage *stage, tt_level *level, const tt_substep *substep)
{
    double sum = 0;
    tt_run(team, stage, level, substep);
    for (int part = 0; part < level->model->nparts; part++) sum += level->balance.sum[part];
    return sum;
}

/* ---- All bodies of an island together ---- */

static void run_all(tt_team team, const tt_stage *stage, const tt_island *island, const tt_substep *substep)
{
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced) tt_run(team, stage, &island->body[b]->level[0], substep);
}

static double sum_all(tt_team team, const tt_stage *stage, const tt_island *island, const tt_substep *substep)
{
    double sum = 0;
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced) sum += tt_sum_of(team, stage, &island->body[b]->level[0], substep);
    return sum;
}

static float *way_of(const tt_level *mesh) { return mesh->balance.way; }
static float *move_of(const tt_level *mesh) { return mesh->balance.move; }
static float *loose_of(const tt_level *mesh) { return mesh->balance.loose; }

/* What resists the way of all bodies. */
static void stiffen_all(tt_team team, const tt_island *island, const tt_substep *substep)
{
    run_all(team, &stage_stiffen, island, substep);
    tt_gas_stiffen(island, substep);
    tt_ties_stiffen(island);
    tt_touch_stiffen(island);
}

/* Goes along the present direction until the load along it is gone. */
static bool go_along(tt_team team, const tt_island *island, const tt_substep *substep, double load)
{
    stiffen_all(team, island, substep);
    double against = sum_all(team, &stage_way_by_push, island, substep);
    if (!(against > 0)) return false;
    for (int b = 0; b < island->nbodies; b++) island->body[b]->level[0].balance.far = (float)(load / against);
    run_all(team, &stage_go, island, substep);
    return true;
}

/* A body that hangs or lies would be back where it was if gravity had not moved it. So the search begins there. At rest
 * that is the balance. Where it is too far up, the search begins where the load along the way would be gone. Each body
 * has a way of its own, but bodies that are attached to each other go together; `placed` is how far it is along that.
 * Returns whether any was moved. */
static bool place_bodies(tt_team team, const tt_island *island, const tt_substep *substep, bool first)
{
    bool any = false, tied = island->nties > 0;
    double all = tied ? sum_all(team, &stage_way_by_load, island, substep) : 0;
    for (int i = 0; i < island->nbodies; i++) {
        tt_level *mesh = &island->body[i]->level[0];
        tt_balance *b = &mesh->balance;
        if (!island->body[i]->balanced) continue;
        double load = tied ? all : tt_sum_of(team, &stage_way_by_load, mesh, substep);
        float to = b->placed;
        if (first) b->before = load;
        if (first) to = load > 0 ? 1 : 0;
        else if (b->placed > 0 && load < -0.05 * b->before) to = (float)(b->before / (b->before - load));
        any = any || to != b->placed;
        b->far = to - b->placed;
        b->placed = to;
    }
    if (!any) return false;
    run_all(team, &stage_place, island, substep);
    run_all(team, &stage_resist, island, substep);
    tt_gas_load(island, substep);
    tt_ties_load(island);
    tt_touch_load(island, substep, false);
    return true;
}

static void begin_search(tt_team team, const tt_island *island, const tt_substep *substep)
{
    for (int b = 0; b < island->nbodies; b++) island->body[b]->level[0].balance.placed = 0;
    run_all(team, &stage_rise, island, substep);
    tt_ties_carry(island, way_of);
    if (place_bodies(team, island, substep, true)) place_bodies(team, island, substep, false);
}

/* What all levels would do about the load, to `move`. Returns what that is worth. */
static double ask_levels(tt_team team, tt_body *body, const tt_substep *substep)
{
    for (int i = 1; i < body->nlevels; i++) tt_run(team, &stage_collect, &body->level[i], substep);
    for (int i = body->nlevels - 1; i > 0; i--) tt_run(team, &stage_answer, &body->level[i], substep);
    return tt_sum_of(team, &stage_answer, &body->level[0], substep);
}

/* What is out of balance pulls at the bodies as a whole too, and where several of them fly together, that would change
 * their momentum. So they all move by what it would do to one rigid body. Ties have a balance of their own. */
static void keep_momentum(tt_team team, const tt_island *island, const tt_substep *substep)
{
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
    run_all(team, &stage_weigh_way, island, substep);
    go_along(team, island, substep, load);
}

/* What is out of balance is worth so little that nobody would see more searches. */
static double small_load(tt_team team, const tt_island *island, const tt_substep *substep)
{
    double off = (double)substep->world->def.stretch, h = (double)substep->h, mass = 0;
    double motion = sum_all(team, &stage_weigh_motion, island, substep);
    double fall = SHARE_OF_FALL * off * h * vec_length(vec_of(substep->world->def.gravity));
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced) mass += island->body[b]->level[0].balance.total_mass;
    return h * h * (SHARE_OF_SPEED * SHARE_OF_SPEED * off * off * motion + mass * fall * fall);
}

/* A search that begins with as little as `enough` is the last. */
static void search(tt_team team, const tt_island *island, const tt_substep *substep, double enough)
{
    double now = INFINITY, before = 0;
    for (int i = 0; i < substep->world->def.budget && now > enough; i++) {
        now = 0;
        run_all(team, &stage_loosen, island, substep);
        tt_ties_gather(island, loose_of);
        for (int b = 0; b < island->nbodies; b++)
            if (island->body[b]->balanced) now += ask_levels(team, island->body[b], substep);
        tt_ties_carry(island, move_of);
        for (int b = 0; b < island->nbodies; b++)
            island->body[b]->level[0].balance.again = before > 0 ? (float)(now / before) : 0;
        before = now;
        run_all(team, &stage_turn, island, substep);
        if (!(now > 0) || !go_along(team, island, substep, now)) return;
    }
}

/* Takes back what the search has moved into colliders. Returns whether there was any. */
static bool arrest(tt_team team, const tt_island *island, const tt_substep *substep)
{
    bool any = false;
    for (int b = 0; b < island->nbodies && substep->broad->nused; b++)
        if (island->body[b]->balanced && tt_grip_arrest(team, &island->body[b]->level[0], substep)) any = true;
    if (!any) return false;
    tt_ties_carry(island, way_of);
    run_all(team, &stage_weigh_way, island, substep);
    stiffen_all(team, island, substep);
    for (int b = 0; b < island->nbodies; b++) island->body[b]->level[0].balance.far = 1;
    run_all(team, &stage_go, island, substep);
    return true;
}

static void set_braces(tt_team team, const tt_island *island, const tt_substep *substep)
{
    run_all(team, &stage_begin_brace, island, substep);
    run_all(team, &stage_brace, island, substep);
    tt_touch_brace(island);
    tt_ties_brace(island, substep);
    for (int b = 0; b < island->nbodies; b++) {
        tt_body *body = island->body[b];
        if (!body->balanced) continue;
        for (int i = 1; i < body->nlevels; i++) tt_run(team, &stage_brace_coarser, &body->level[i], substep);
        for (int i = 0; i < body->nlevels; i++) tt_run(team, &stage_end_brace, &body->level[i], substep);
    }
}

void tt_balance_island(tt_team team, const tt_island *island, const tt_substep *substep)
{
    bool any = false, released = false;
    for (int b = 0; b < island->nbodies; b++) any = any || island->body[b]->balanced;
    if (!any) return;
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced) tt_grip_land(team, &island->body[b]->level[0], substep);
    tt_ties_land(island);
    run_all(team, &stage_begin, island, substep);
    run_all(team, &stage_resist, island, substep);
    tt_gas_load(island, substep);
    tt_ties_load(island);
    tt_touch_load(island, substep, true);
    begin_search(team, island, substep);
    set_braces(team, island, substep);
    double enough = small_load(team, island, substep);
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced) tt_grip_choose(team, &island->body[b]->level[0], substep);
    search(team, island, substep, enough);
    bool arrested = arrest(team, island, substep), caught = tt_touch_catch(island, substep);
    if (arrested || caught) search(team, island, substep, enough);
    for (int b = 0; b < island->nbodies; b++)
        if (island->body[b]->balanced && tt_grip_release(team, &island->body[b]->level[0], substep)) released = true;
    if (tt_ties_release(island)) released = true;
    if (released) search(team, island, substep, enough);
    keep_momentum(team, island, substep);
    tt_ties_settle(island);
    run_all(team, &stage_give, island, substep);
    tt_ties_follow(island);
}
