/* Bodies: making them, and deriving the data of every level from their state. */
#include "world/origin.h"
#include "world/world.h"

#include "base/definition.h"
#include "base/error.h"
#include "base/exact.h"
#include "mesh/imperfection.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a5 };

void taut_init_body_def(taut_body_def *def, size_t size)
{
    static const taut_body_def usual = {.cookie = COOKIE, .rotation = {0, 0, 0, 1}, .group = 1, .mask = UINT32_MAX,
                                        .imperfection = 0.001f};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

static bool check_def(const taut_body_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the definition does not come from taut_default_body_def()", error))
        return false;
    float norm = 0;
    for (int i = 0; i < 3; i++) {
        if (!isfinite(def->position[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "body.position[%d] is not finite", i);
        if (!(fabs(def->origin[i]) <= TT_FARTHEST))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "body.origin[%d] must be within 1e30 m, got %g", i,
                           def->origin[i]);
        if (!isfinite(def->velocity[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "body.velocity[%d] is not finite", i);
    }
    if (!(def->imperfection >= 0 && def->imperfection <= 1))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "body.imperfection must be in [0,1], got %g",
                       (double)def->imperfection);
    for (int i = 0; i < 4; i++) norm += def->rotation[i] * def->rotation[i];
    if (!(fabsf(norm - 1) < 1e-3f))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "body.rotation must be a unit quaternion, its length squared is %g", (double)norm);
    return true;
}

/* q v q*, in double. */
static void rotate(const float q[4], const float v[3], double out[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
    out[0] = v[0] + w * tx + (y * tz - z * ty);
    out[1] = v[1] + w * ty + (z * tx - x * tz);
    out[2] = v[2] + w * tz + (x * ty - y * tx);
}

static int count_levels(const taut_model *model)
{
    int count = 0;
    for (; model; model = model->coarser) count++;
    return count;
}

static bool take_arrays(tt_body *body, const taut_model *model)
{
    size_t vertices = (size_t)model->nvertices;
    tt_scope *scope = &body->scope;
    body->nlevels = count_levels(model);
    body->level = TT_TAKE(scope, tt_level, body->nlevels);
    body->pin = TT_TAKE(scope, tt_pin, vertices);
    body->pin_of = TT_TAKE(scope, int, model->nparticles);
    if (model->shell.ntris > 0 && !(body->gas = TT_TAKE(scope, float, 4 * (size_t)model->nparticles))) return false;
    body->anchor = TT_TAKE(scope, float, 4 * (size_t)model->nanchors);
    body->bad = TT_TAKE(scope, int, model->nparts);
    body->box = TT_TAKE(scope, float, 6 * (size_t)model->nparts);
    body->motion_before = TT_TAKE(scope, tt_motion, 2 * model->nparts);
    body->motion_after = body->motion_before ? body->motion_before + model->nparts : NULL;
    body->sway_sums = TT_TAKE(scope, tt_sway_sums, model->nparts);
    body->out_x = TT_TAKE(scope, float, 3 * vertices);
    body->out_v = TT_TAKE(scope, float, 3 * vertices);
    if (!body->level || !body->pin || !body->pin_of || !body->anchor || !body->bad || !body->box || !body->sway_sums ||
        !body->motion_before || !body->out_x || !body->out_v)
        return false;
    for (int i = 0; i < body->nlevels; i++, model = model->coarser)
        if (!tt_level_create(scope, model, body, i, &body->level[i])) return false;
    return true;
}

/* A particle at rest, turned and moved as the definition says: relative to `origin`. */
static void turn_and_move(const taut_body_def *def, const double origin[3], const float *rest, double out[3])
{
    rotate(def->rotation, rest, out);
    for (int c = 0; c < 3; c++) out[c] += (double)def->position[c] + (def->origin[c] - origin[c]);
}

static void choose_origin(tt_body *body, const taut_body_def *def)
{
    const taut_model *model = tt_body_model(body);
    const double none[3] = {0, 0, 0};
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int i = 0; i < model->nvertices; i++) {
        double at[3];
        turn_and_move(def, none, &model->rest[4 * (size_t)i], at);
        for (int c = 0; c < 3; c++) {
            if (at[c] < low[c]) low[c] = at[c];
            if (at[c] > high[c]) high[c] = at[c];
        }
    }
    body->lattice = tt_lattice_of(model);
    tt_lattice_nearest(body->lattice, def->origin, body->origin);
    tt_lattice_approach(body->lattice, low, high, body->origin);
}

/* The imperfection that lets a flat sheet buckle: the plane of the sheet, and how far its vertices may be out of it. */
typedef struct imperfection {
    tt_plane plane;
    double edge, most; /* m; most is 0 for all other bodies */
} imperfection;

static double mean_edge(const taut_model *model)
{
    double sum = 0;
    for (int e = 0; e < model->nedges; e++) sum += (double)model->edge[e].length;
    return model->nedges > 0 ? sum / model->nedges : 0;
}

static imperfection imperfection_of(const taut_model *model, const taut_body_def *def)
{
    imperfection found = {.edge = mean_edge(model)};
    bool flat = def->imperfection > 0 && model->mesh_type == TT_MESH_CLOTH &&
                tt_plane_of(model->rest, model->nvertices, &found.plane);
    found.most = flat ? (double)def->imperfection * found.edge : 0;
    return found;
}

/* The place where a particle begins, before it is turned and moved. Pinned particles begin exactly at their rest
 * places. */
static void start_of(const taut_model *model, const imperfection *off, int i, float start[3])
{
    const float *rest = &model->rest[4 * (size_t)i];
    double height = 0;
    if (off->most > 0 && !model->pinned[i]) height = off->most * tt_imperfection_at(&off->plane, off->edge, rest);
    vec3 at = vec_add(vec_of(rest), vec_scale(off->plane.normal, height));
    start[0] = (float)at.x, start[1] = (float)at.y, start[2] = (float)at.z;
}

static void place_particles(tt_body *body, const taut_body_def *def)
{
    const taut_model *model = tt_body_model(body);
    const imperfection off = imperfection_of(model, def);
    choose_origin(body, def);
    for (int i = 0; i < model->nvertices; i++) {
        const float *rest = &model->rest[4 * (size_t)i];
        float start[3];
        start_of(model, &off, i, start);
        float *p = &body->level[0].p[4 * (size_t)i], *v = &body->level[0].v[4 * (size_t)i];
        double at[3], where[3];
        turn_and_move(def, body->origin, start, at);
        for (int c = 0; c < 3; c++) {
            p[c] = (float)at[c];
            v[c] = def->velocity[c];
        }
        p[3] = body->level[0].free_w[i] = rest[3];
        tt_body_where(body, i, where);
        if (model->pinned[i]) tt_body_set_pin(body, i, where, 1);
        if (p[3] == 0) v[0] = v[1] = v[2] = 0;
    }
}

tt_body *tt_body_create(const tt_scope *like, const taut_model *model, const taut_body_def *def, taut_error *error)
{
    taut_body_def default_def = taut_default_body_def();
    if (!def) def = &default_def;
    if (!check_def(def, error)) return NULL;
    tt_scope scope;
    tt_scope_open(&scope, &like->allocator);
    tt_body *body = TT_TAKE(&scope, tt_body, 1);
    if (!body) {
        tt_no_memory(error);
        return NULL;
    }
    body->scope = scope;
    body->material = model->material;
    body->group = def->group;
    body->mask = def->mask;
    body->may_cross = true;
    if (!take_arrays(body, model)) {
        tt_body_free(body);
        tt_no_memory(error);
        return NULL;
    }
    place_particles(body, def);
    tt_body_show(body);
    return body;
}

void tt_body_free(tt_body *body)
{
    if (!body) return;
    if (body->apart) tt_apart_close(body->apart);
    tt_scope scope = body->scope; /* the body's own memory is in it */
    tt_scope_close(&scope);
}

void tt_body_where_from(const tt_body *body, int particle, const double origin[3], double where[3])
{
    const tt_pin *pin = body->pin_of[particle] ? &body->pin[body->pin_of[particle] - 1] : NULL;
    const float *p = &body->level[0].p[4 * (size_t)particle];
    for (int c = 0; c < 3; c++) /* the difference comes first, because a sum far from 0 would round p */
        where[c] = pin && pin->arrived ? pin->target[c] - origin[c] : (body->origin[c] - origin[c]) + (double)p[c];
}

void tt_body_publish(tt_body *body, int first, int last)
{
    const tt_level *mesh = &body->level[0];
    const double none[3] = {0, 0, 0};
    for (int v = first; v < last; v++) {
        size_t at = 4 * (size_t)mesh->model->place[v];
        double where[3];
        tt_body_where_from(body, mesh->model->place[v], none, where);
        for (size_t c = 0; c < 3; c++) body->out_x[3 * (size_t)v + c] = (float)where[c];
        memcpy(&body->out_v[3 * (size_t)v], &mesh->v[at], 3 * sizeof(float));
    }
}

void tt_body_anchor(tt_body *body)
{
    const tt_level *mesh = &body->level[0];
    for (int i = 0; i < mesh->model->nanchors; i++) {
        const float *p = &mesh->p[4 * (size_t)mesh->model->anchor[i]];
        float *anchor = &body->anchor[4 * (size_t)i];
        memcpy(anchor, p, 3 * sizeof *p);
        anchor[3] = p[3] > 0 ? 0 : 1; /* a pin that was let go holds nothing */
    }
}

void tt_body_place(tt_body *body, const double origin[3], const float *xyz)
{
    body->may_cross = true;
    tt_level *mesh = &body->level[0];
    for (int side = 0; side < 2 && mesh->balance.held[side]; side++)
        memset(mesh->balance.held[side], 0, 4 * (size_t)mesh->model->nparticles * sizeof(float));
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int v = 0; v < mesh->model->nvertices; v++)
        for (int c = 0; c < 3; c++) {
            double at = origin[c] + (double)xyz[3 * (size_t)v + (size_t)c];
            if (at < low[c]) low[c] = at;
            if (at > high[c]) high[c] = at;
        }
    tt_lattice_approach(body->lattice, low, high, body->origin);
    for (int v = 0; v < mesh->model->nvertices; v++) {
        int particle = mesh->model->place[v], pin = body->pin_of[particle];
        for (int c = 0; c < 3; c++) {
            double offset = (double)xyz[3 * (size_t)v + (size_t)c];
            mesh->p[4 * (size_t)particle + (size_t)c] = (float)(offset + (origin[c] - body->origin[c]));
            if (pin) body->pin[pin - 1].target[c] = origin[c] + offset;
        }
        if (pin) body->pin[pin - 1].arrived = true;
    }
}

void tt_body_show(tt_body *body)
{
    tt_body_anchor(body);
    tt_body_publish(body, 0, tt_body_model(body)->nvertices);
}

/* ---- Data derived from the body's state -------------------------------------------------------------------------- */

static double mass_of(float w) { return w > 0 ? 1 / (double)w : 0; }

/* The mass of a coarse vertex is the mass with which it was built, plus the mass added since then to the finer vertices
 * that ride on it. It keeps at least a hundredth of its built mass, because a very light vertex would move wildly. */
static void weigh_coarser(tt_level *level)
{
    const tt_level *finer = level - 1;
    const tt_transfer *up = &finer->model->up;
    float *added = level->before; /* 4 per particle, only the first is used; free outside of substeps */
    for (int i = 0; i < level->model->nparticles; i++) added[4 * (size_t)i] = 0;
    for (int i = 0; i < finer->model->nparticles; i++) {
        double more = mass_of(finer->free_w[i]) - mass_of(finer->model->rest[4 * (size_t)i + 3]);
        for (int k = 0; k < 4 && more != 0; k++) added[4 * (size_t)up->index[i][k]] += (float)more * up->weight[i][k];
    }
    for (int i = 0; i < level->model->nparticles; i++) {
        float built = level->model->rest[4 * (size_t)i + 3];
        double mass = mass_of(built), now = fmax(mass + (double)added[4 * (size_t)i], 0.01 * mass);
        level->free_w[i] = added[4 * (size_t)i] != 0 && built > 0 ? (float)(1 / now) : built;
    }
}

static void tune_level(tt_level *level, const tt_kind *const *kinds, float h, int n)
{
    const tt_body *body = level->body;
    const taut_model *mesh = tt_body_model(body);
    if (level->number == 0) level->material = body->material;
    else tt_level_material(mesh, &body->material, &level->material);
    level->pushes = level->number > 0 && tt_level_pushes(mesh, &body->material);
    if (level->number > 0) weigh_coarser(level);
    for (int kind = 0; kind < TT_KINDS; kind++)
        tt_tuning_prepare(kinds[kind], &level->material, h, n, &level->tuning[kind]);
}

bool tt_body_is_balanced(const tt_body *body)
{
    const taut_model *model = tt_body_model(body);
    return model->balances && tt_can_be_balanced(&body->material, model->mesh_type);
}

/* The kinds that the balance takes over are not projected. */
static void balance(tt_body *body, const taut_world *world)
{
    tt_level *mesh = &body->level[0];
    body->balanced = world->def.stretch > 0 && tt_body_is_balanced(body);
    if (!body->balanced) return;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_tuning *tuning = &mesh->tuning[kind];
        tuning->balanced = tuning->active && tt_kind_table()[kind]->resist;
    }
    if (body->tuned_n == 0) tt_balance_derive(body);
}

/* Sets wind and air, which change at any time, and drag and lift, which come with the material. */
static void blow(tt_level *level, const taut_world_def *def)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_tuning *tuning = &level->tuning[kind];
        memcpy(tuning->wind, def->wind, sizeof tuning->wind);
        tuning->drag = 0.5f * def->air_density * level->material.drag;
        tuning->lift = 0.5f * def->air_density * level->material.lift;
    }
}

void tt_body_derive(tt_body *body, const taut_world *world, float h, int n)
{
    bool stale = body->tuned_n != n || body->tuned_h != h;
    for (int i = 0; i < body->nlevels && stale; i++) tune_level(&body->level[i], world->kinds, h, n);
    if (stale) balance(body, world);
    for (int i = 0; i < body->npins && stale; i++)
        body->pin[i].share = (float)(1 - tt_root(1 - (double)body->pin[i].stiffness, n));
    for (int i = 0; i < body->nlevels; i++) blow(&body->level[i], &world->def);
    body->tuned_n = n;
    body->tuned_h = h;
}
