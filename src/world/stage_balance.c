/* Stages of the balance (balance.h): what is out of balance, and a V-cycle that mends it. */
#include "world/stage.h"

#include <math.h>
#include <string.h>

/* to += sign * wall * by */
static void add_wall(const float *wall, float sign, const float *by, float *to)
{
    to[0] += sign * (wall[0] * by[0] + wall[3] * by[1] + wall[5] * by[2]);
    to[1] += sign * (wall[3] * by[0] + wall[1] * by[1] + wall[4] * by[2]);
    to[2] += sign * (wall[5] * by[0] + wall[4] * by[1] + wall[2] * by[2]);
}

/* Walls: particles that colliders push cannot be pulled into them, and neither can what is tied to them. */
static void raise_walls(tt_level *level, const tt_substep *substep, int part)
{
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        const float *from = &b->left[4 * (size_t)i], *to = &level->p[4 * (size_t)i];
        float n[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, *wall = &b->wall[6 * (size_t)i];
        float square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        float stiff = square > 1e-12f ? 100 * (b->mass[i] + substep->h * substep->h * b->reach[i]) / square : 0;
        wall[0] = stiff * n[0] * n[0], wall[1] = stiff * n[1] * n[1], wall[2] = stiff * n[2] * n[2];
        wall[3] = stiff * n[0] * n[1], wall[4] = stiff * n[1] * n[2], wall[5] = stiff * n[2] * n[0];
    }
}

static void raise_coarse_walls(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *wall = &level->balance.wall[6 * (size_t)i];
        memset(wall, 0, 6 * sizeof *wall);
        for (int k = riders->first[i]; k < riders->first[i + 1]; k++)
            for (size_t c = 0; c < 6; c++)
                wall[c] += riders->weight[k] * finer->balance.wall[6 * (size_t)riders->index[k] + c];
    }
}

/* M (aim - p), to which the constraints add their forces. */
static void load(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 4; c++) {
            size_t at = 4 * (size_t)i + c;
            b->load[at] = c < 3 ? b->mass[i] * (level->aim[at] - level->p[at]) : 0;
        }
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

/* What a load moves in a sweep: (1/step + wall)^-1 load. */
static void yield_to(const tt_balance *b, int i, const float *load, float *move)
{
    const float *w = &b->wall[6 * (size_t)i];
    if (!b->walled || !(w[0] + w[1] + w[2] > 0) || !(b->step[i] > 0)) {
        for (int c = 0; c < 4; c++) move[c] = b->step[i] * load[c];
        return;
    }
    float own = 1 / b->step[i], xx = own + w[0], yy = own + w[1], zz = own + w[2], xy = w[3], yz = w[4], xz = w[5];
    float cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy;
    float scale = 1 / (xx * cx + xy * cy + xz * cz);
    float dy = xx * zz - xz * xz, dz = xy * xz - xx * yz, ez = xx * yy - xy * xy;
    move[0] = scale * (cx * load[0] + cy * load[1] + cz * load[2]);
    move[1] = scale * (cy * load[0] + dy * load[1] + dz * load[2]);
    move[2] = scale * (cz * load[0] + dz * load[1] + ez * load[2]);
    move[3] = 0;
}

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
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float own = b->mass[i] + substep->h * substep->h * b->plain[i], *straight = &b->brace[0][4 * (size_t)i];
        for (int c = 0; c < 4; c++) straight[c] = c < 3 ? own : 0, b->brace[1][4 * (size_t)i + (size_t)c] = 0;
        for (size_t c = 0; c < 3 && b->walled; c++) {
            straight[c] += b->wall[6 * (size_t)i + c];
            b->brace[1][4 * (size_t)i + c] = b->wall[6 * (size_t)i + 3 + c];
        }
    }
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

static void end_brace(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        if (b->mass[i] > 0) invert(&b->brace[0][4 * (size_t)i], &b->brace[1][4 * (size_t)i]);
}

/* What each particle would do by itself joins what the levels found. Short folds of cloth need that: the levels take
 * them for as stiff as the cloth is along its threads. */
static void ease(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        const float *s = &b->brace[0][4 * (size_t)i], *m = &b->brace[1][4 * (size_t)i], *r = &b->load[4 * (size_t)i];
        float *u = &b->move[4 * (size_t)i], free = b->mass[i] > 0 ? 0.5f : 0;
        u[0] += free * (s[0] * r[0] + m[0] * r[1] + m[2] * r[2]);
        u[1] += free * (m[0] * r[0] + s[1] * r[1] + m[1] * r[2]);
        u[2] += free * (m[2] * r[0] + m[1] * r[1] + s[2] * r[2]);
    }
}

/* The first sweep, from u = 0. */
static void begin(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) yield_to(b, i, &b->load[4 * (size_t)i], &b->move[4 * (size_t)i]);
}

/* load - A u of one row. */
static void left_of(const tt_level *level, float h, int i, float left[4])
{
    const tt_balance *b = &level->balance;
    const tt_coupling *coupling = &level->model->coupling;
    const float *own = &b->move[4 * (size_t)i], *load = &b->load[4 * (size_t)i];
    float sum[4] = {0, 0, 0, 0}, square = h * h;
    for (int e = coupling->first[i]; e < coupling->first[i + 1]; e++) {
        const float *u = &b->move[4 * (size_t)coupling->column[e]];
        for (int c = 0; c < 4; c++) sum[c] += b->stiff[e] * u[c];
    }
    for (int c = 0; c < 4; c++) left[c] = load[c] - b->mass[i] * own[c] - square * sum[c];
    if (b->walled) add_wall(&b->wall[6 * (size_t)i], -1, own, left);
}

static void leave(tt_level *level, const tt_substep *substep, int part)
{
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) left_of(level, substep->h, i, &level->balance.left[4 * (size_t)i]);
}

/* What is left over on the finer level, by what rides on each particle here. */
static void collect(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float *to = &level->balance.load[4 * (size_t)i];
        memset(to, 0, 4 * sizeof *to);
        for (int k = riders->first[i]; k < riders->first[i + 1]; k++) {
            const float *from = &finer->balance.left[4 * (size_t)riders->index[k]];
            float free = finer->balance.mass[riders->index[k]] > 0 ? 1 : 0;
            for (int c = 0; c < 4; c++) to[c] += free * riders->weight[k] * from[c];
        }
    }
}

static void spread(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float change[4], free = level->balance.mass[i] > 0 ? 1 : 0, *u = &level->balance.move[4 * (size_t)i];
        tt_mix(&level->model->up, i, level[1].balance.move, change);
        for (int c = 0; c < 4; c++) u[c] += free * change[c];
    }
}

/* Another sweep: to `left`, which then becomes `move`. */
static void sweep(tt_level *level, const tt_substep *substep, int part)
{
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float left[4], more[4];
        left_of(level, substep->h, i, left);
        yield_to(b, i, left, more);
        for (size_t c = 0; c < 4; c++) b->left[4 * (size_t)i + c] = b->move[4 * (size_t)i + c] + more[c];
    }
}

static void solve(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last, n = level->model->nparticles;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        float sum[4] = {0, 0, 0, 0};
        for (int j = 0; j < n; j++)
            for (size_t c = 0; c < 4; c++) sum[c] += b->exact[i * n + j] * b->load[4 * (size_t)j + c];
        memcpy(&b->move[4 * (size_t)i], sum, sizeof sum);
    }
}

/* M d, to which the constraints add what resists. */
static void weigh(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++) {
        for (size_t c = 0; c < 4; c++) b->push[4 * (size_t)i + c] = b->mass[i] * b->way[4 * (size_t)i + c];
        if (b->walled) add_wall(&b->wall[6 * (size_t)i], 1, &b->way[4 * (size_t)i], &b->push[4 * (size_t)i]);
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

static double product(const tt_level *level, const float *a, const float *b, int part)
{
    int first, last;
    double sum = 0;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 3 && level->balance.mass[i] > 0; c++)
            sum += (double)a[4 * (size_t)i + c] * (double)b[4 * (size_t)i + c];
    return sum;
}

static void load_by_move(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = product(level, level->balance.load, level->balance.move, part);
}

static void way_by_push(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = product(level, level->balance.way, level->balance.push, part);
}

static void load_by_way(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    level->balance.sum[part] = product(level, level->balance.load, level->balance.way, part);
}

/* Up, by what gravity has moved. */
static void rise(tt_level *level, const tt_substep *substep, int part)
{
    const float *g = substep->world->def.gravity;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 4; c++) {
            float by = c < 3 && level->balance.mass[i] > 0 ? substep->h * substep->h * g[c] : 0;
            level->balance.way[4 * (size_t)i + c] = -by;
        }
}

/* The next direction: d = move + again d. */
static void turn(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    const tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (int i = first; i < last; i++)
        for (size_t c = 0; c < 4; c++) {
            size_t at = 4 * (size_t)i + c;
            b->way[at] = b->mass[i] > 0 ? b->move[at] + b->again * b->way[at] : 0;
        }
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

static void start(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memset(&level->balance.gone[4 * (size_t)first], 0, 4 * (size_t)(last - first) * sizeof(float));
    memset(&level->balance.way[4 * (size_t)first], 0, 4 * (size_t)(last - first) * sizeof(float));
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

static void remember(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&level->balance.left[4 * (size_t)first], &level->p[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof(float));
}

static void take_back(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&level->p[4 * (size_t)first], &level->balance.left[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof(float));
}

/* What colliders did is part of the motion: inertia does not take it back. */
static void land(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; i++) level->aim[i] += level->p[i] - level->balance.left[i];
}

static const tt_stage stage_remember = {TT_PARTS, remember, NULL}, stage_walls = {TT_PARTS, raise_walls, NULL},
                      stage_coarse_walls = {TT_PARTS, raise_coarse_walls, NULL}, stage_land = {TT_PARTS, land, NULL},
                      stage_take_back = {TT_PARTS, take_back, NULL};
static const tt_stage stage_load_by_way = {TT_PARTS, load_by_way, NULL}, stage_rise = {TT_PARTS, rise, NULL};
static const tt_stage stage_begin_brace = {TT_PARTS, begin_brace, NULL}, stage_brace = {TT_CONSTRAINTS, brace, NULL},
                      stage_end_brace = {TT_PARTS, end_brace, NULL}, stage_ease = {TT_PARTS, ease, NULL};
static const tt_stage stage_start = {TT_PARTS, start, NULL}, stage_go = {TT_PARTS, go, NULL},
                      stage_turn = {TT_PARTS, turn, NULL}, stage_weigh = {TT_PARTS, weigh, NULL},
                      stage_stiffen = {TT_CONSTRAINTS, stiffen, NULL},
                      stage_load_by_move = {TT_PARTS, load_by_move, NULL},
                      stage_way_by_push = {TT_PARTS, way_by_push, NULL};
static const tt_stage stage_load = {TT_PARTS, load, NULL}, stage_resist = {TT_CONSTRAINTS, resist, NULL},
                      stage_begin = {TT_PARTS, begin, NULL}, stage_leave = {TT_PARTS, leave, NULL},
                      stage_collect = {TT_PARTS, collect, NULL}, stage_spread = {TT_PARTS, spread, NULL},
                      stage_sweep = {TT_PARTS, sweep, NULL}, stage_solve = {TT_PARTS, solve, NULL},
                      stage_give = {TT_PARTS, give, NULL};

static void sweep_again(tt_team team, tt_level *level, const tt_substep *substep)
{
    tt_run(team, &stage_sweep, level, substep);
    float *left = level->balance.left;
    level->balance.left = level->balance.move;
    level->balance.move = left;
}

static void settle_last(tt_team team, tt_level *level, const tt_substep *substep)
{
    if (level->balance.exact && !level->balance.walled) {
        tt_run(team, &stage_solve, level, substep);
        return;
    }
    tt_run(team, &stage_begin, level, substep);
    for (int i = 0; i < 11; i++) sweep_again(team, level, substep);
}

/* One V-cycle: move is about what load asks for. */
static void mend(tt_team team, tt_body *body, const tt_substep *substep)
{
    tt_level *mesh = &body->level[0], *last = &body->level[body->nlevels - 1];
    for (tt_level *level = mesh; level < last; level++) {
        tt_run(team, &stage_begin, level, substep);
        tt_run(team, &stage_leave, level, substep);
        tt_run(team, &stage_collect, level + 1, substep);
    }
    settle_last(team, last, substep);
    for (tt_level *level = last; level-- > mesh;) {
        tt_run(team, &stage_spread, level, substep);
        sweep_again(team, level, substep);
    }
}

static double sum_of(tt_team team, const tt_stage *stage, tt_level *level, const tt_substep *substep)
{
    double sum = 0;
    tt_run(team, stage, level, substep);
    for (int part = 0; part < level->model->nparts; part++) sum += level->balance.sum[part];
    return sum;
}
/* Searches of an iteration whose number is not left to the quality. */
enum { SEARCHES = 4 };

/* What is out of balance is spread unevenly, so its mean must be far below what may be seen anywhere. */
static const double SHARE_OF_STRETCH = 0.05;

static void meet_colliders(tt_team team, tt_body *body, const tt_substep *substep)
{
    tt_level *mesh = &body->level[0];
    int met = 0;
    for (int i = 0; i < body->nlevels; i++) body->level[i].balance.walled = false;
    if (!substep->broad->nused) return;
    tt_run(team, &stage_remember, mesh, substep);
    tt_run(team, &tt_stage_meet, mesh, substep);
    for (int part = 0; part < mesh->model->nparts; part++) met += mesh->contacts[part];
    if (met == 0) return;
    tt_run(team, &stage_walls, mesh, substep);
    for (int i = 1; i < body->nlevels; i++) tt_run(team, &stage_coarse_walls, &body->level[i], substep);
    for (int i = 0; i < body->nlevels; i++) body->level[i].balance.walled = true;
    tt_run(team, &stage_take_back, mesh, substep);
    tt_run(team, &tt_stage_contact, mesh, substep);
    tt_run(team, &stage_land, mesh, substep);
}

/* How far to go along the present direction: until the load along it is gone. Then goes there. */
static bool go_along(tt_team team, tt_level *mesh, const tt_substep *substep, double load, double most)
{
    tt_run(team, &stage_weigh, mesh, substep);
    tt_run(team, &stage_stiffen, mesh, substep);
    double against = sum_of(team, &stage_way_by_push, mesh, substep);
    if (!(against > 0)) return false;
    mesh->balance.far = (float)fmin(fmax(load / against, 0), most);
    tt_run(team, &stage_go, mesh, substep);
    return true;
}

/* A body that hangs or lies would be back where it was if gravity had not moved it. So the search begins that way: at rest
 * it finds the balance itself. */
static void begin_search(tt_team team, tt_level *mesh, const tt_substep *substep)
{
    tt_run(team, &stage_rise, mesh, substep);
    double load = sum_of(team, &stage_load_by_way, mesh, substep);
    if (load > 0) go_along(team, mesh, substep, load, 1);
}

/* What is out of balance is worth so little that more searches would not be seen. A search that begins with as little is
 * the last. Counted substeps have a fixed number of searches. */
static double small_load(const tt_balance *b, const tt_substep *substep)
{
    double h = (double)substep->h, off = SHARE_OF_STRETCH * (double)substep->world->def.stretch;
    return substep->pace == TT_BY_QUALITY ? off * off * (b->slack[0] + h * h * b->slack[1]) : 0;
}

/* Conjugate gradients for the true stiffness at p, each step helped by a V-cycle. */
static void search(tt_team team, tt_body *body, const tt_substep *substep)
{
    tt_level *mesh = &body->level[0];
    double enough = small_load(&mesh->balance, substep), now = INFINITY, before = 0;
    int most = substep->pace == TT_BY_QUALITY ? substep->world->def.budget : SEARCHES;
    for (int i = 0; i < most && now > enough; i++) {
        mend(team, body, substep);
        tt_run(team, &stage_ease, mesh, substep);
        now = sum_of(team, &stage_load_by_move, mesh, substep);
        mesh->balance.again = before > 0 ? (float)(now / before) : 0;
        before = now;
        tt_run(team, &stage_turn, mesh, substep);
        if (!(now > 0) || !go_along(team, mesh, substep, now, INFINITY)) return;
    }
}

void tt_balance_body(tt_team team, tt_body *body, const tt_substep *substep)
{
    tt_level *mesh = &body->level[0];
    if (!body->balanced) return;
    tt_run(team, &stage_start, mesh, substep);
    meet_colliders(team, body, substep);
    tt_run(team, &stage_load, mesh, substep);
    tt_run(team, &stage_resist, mesh, substep);
    begin_search(team, mesh, substep);
    tt_run(team, &stage_begin_brace, mesh, substep);
    tt_run(team, &stage_brace, mesh, substep);
    tt_run(team, &stage_end_brace, mesh, substep);
    search(team, body, substep);
    tt_run(team, &stage_give, mesh, substep);
}
