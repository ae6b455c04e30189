/* Gas in closed shells.
 *
 *     pressure(V) = pressure + stiffness (volume - V/V0)      force on a particle: pressure dV/dx
 *
 * By counts the gas is a constraint with that stiffness (XPBD). The pressure is taken at the end of the iteration, so
 * it is stable however stiff the gas is. In the balance the pressure is a load. The pressure falls as the shell grows,
 * and that adds to the resistance against a motion. The load keeps its direction within a substep, although the surface
 * turns. */
#include "world/stage.h"

#include <math.h>
#include <string.h>

static bool is_filled(const tt_body *body) { return body->gas && tt_has_gas(&body->material); }

static const tt_shell *shell_of(const tt_body *body) { return &tt_body_model(body)->shell; }

/* Measures the shell at p. */
static void measure(tt_body *body)
{
    memset(body->gas, 0, 4 * (size_t)tt_body_model(body)->nparticles * sizeof *body->gas);
    body->volume = tt_shell_volume(shell_of(body), body->level[0].p, body->gas);
}

/* Times this, the gradient is that of a volume above 0. */
static double sign_of(const tt_body *body) { return shell_of(body)->volume < 0 ? -1 : 1; }

static double pressure_of(const tt_body *body)
{
    const taut_gas *gas = &body->material.gas;
    return (double)gas->pressure +
           (double)gas->stiffness * ((double)gas->volume - body->volume / shell_of(body)->volume);
}

static double stiffness_of(const tt_body *body)
{
    return (double)body->material.gas.stiffness / fabs(shell_of(body)->volume);
}

static void add(float *to, const float *gradient, double by)
{
    for (int c = 0; c < 3; c++) to[c] += (float)(by * (double)gradient[c]);
}

/* ---- By counts ---- */

static bool has_gas(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return is_filled(level->body);
}

static void deflate(tt_level *level, const tt_substep *substep, int piece)
{
    (void)substep, (void)piece;
    level->body->gas_push = 0;
}

static bool is_inflated(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return is_filled(level->body) && !level->body->balanced;
}

static void inflate(tt_level *level, const tt_substep *substep, int piece)
{
    (void)piece;
    tt_body *body = level->body;
    float *p = level->p;
    int n = level->model->nvertices;
    double ease = 0, h = (double)substep->h;
    measure(body);
    for (size_t i = 0; i < 4 * (size_t)n; i += 4)
        for (size_t c = 0; c < 3; c++) ease += (double)p[i + 3] * (double)body->gas[i + c] * (double)body->gas[i + c];
    double more = (h * h * pressure_of(body) - body->gas_push) / (1 + h * h * stiffness_of(body) * ease);
    body->gas_push += more;
    for (size_t i = 0; i < 4 * (size_t)n; i += 4) add(&p[i], &body->gas[i], sign_of(body) * more * (double)p[i + 3]);
}

/* ---- In the balance ---- */

static void load(tt_level *level, const tt_substep *substep, int piece)
{
    (void)piece;
    tt_body *body = level->body;
    measure(body);
    double h = (double)substep->h, by = sign_of(body) * h * h * pressure_of(body);
    for (size_t i = 0; i < 4 * (size_t)level->model->nvertices; i += 4) add(&level->balance.load[i], &body->gas[i], by);
}

static bool is_stiff(const tt_level *level, const tt_substep *substep)
{
    (void)substep;
    return is_filled(level->body) && stiffness_of(level->body) > 0;
}

static void stiffen(tt_level *level, const tt_substep *substep, int piece)
{
    (void)piece;
    const tt_body *body = level->body;
    const tt_balance *balance = &level->balance;
    size_t n = 4 * (size_t)level->model->nvertices;
    double h = (double)substep->h, grows = 0;
    for (size_t i = 0; i < n; i += 4)
        for (size_t c = 0; c < 3; c++) grows += (double)body->gas[i + c] * (double)balance->way[i + c];
    for (size_t i = 0; i < n; i += 4) add(&balance->push[i], &body->gas[i], h * h * stiffness_of(body) * grows);
}

const tt_stage tt_stage_deflate = {TT_WHOLE, deflate, has_gas};
const tt_stage tt_stage_inflate = {TT_WHOLE, inflate, is_inflated};
const tt_stage tt_stage_gas_load = {TT_WHOLE, load, has_gas};
const tt_stage tt_stage_gas_stiffen = {TT_WHOLE, stiffen, is_stiff};

/* ---- Looking inside ---- */

bool taut_body_gas(const taut_world *world, int body, double *volume, double *pressure)
{
    tt_body *b = tt_world_body(world, body);
    if (!b || !b->gas) return false;
    measure(b);
    *volume = fabs(b->volume);
    *pressure = pressure_of(b);
    return true;
}
