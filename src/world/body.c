/* Bodies: instances of models, their pins, masses and materials. */
#include "world/world.h"

#include "base/definition.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a5 };

void taut_init_body_def(taut_body_def *def, size_t size)
{
    static const taut_body_def usual = {.cookie = COOKIE, .rotation = {0, 0, 0, 1}};
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
        if (!isfinite(def->velocity[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "body.velocity[%d] is not finite", i);
    }
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

static bool is_limited(const taut_model *model)
{
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (tt_kind_table()[kind]->limit && model->group[kind].count > 0) return true;
    return false;
}

static bool take_arrays(tt_body *body)
{
    const taut_model *model = body->model;
    size_t n = (size_t)model->nparticles, vertices = (size_t)model->nvertices;
    tt_scope *scope = &body->scope;
    body->p = TT_TAKE(scope, float, 4 * n);
    body->x = TT_TAKE(scope, float, 4 * n);
    body->v = TT_TAKE(scope, float, 4 * n);
    body->free_w = TT_TAKE(scope, float, n);
    body->target = TT_TAKE(scope, float, 4 * n);
    body->anchor = TT_TAKE(scope, float, 4 * (size_t)model->nanchors);
    body->held = TT_TAKE(scope, int, vertices);
    body->soft = TT_TAKE(scope, tt_soft_pin, vertices);
    body->contacts = TT_TAKE(scope, int, model->nparts);
    body->bad = TT_TAKE(scope, int, model->nparts);
    body->out_x = TT_TAKE(scope, float, 3 * vertices);
    body->out_v = TT_TAKE(scope, float, 3 * vertices);
    body->excess = TT_TAKE(scope, float, 2 * (size_t)model->nparts + 2);
    body->limited = is_limited(model);
    body->sum = TT_TAKE(scope, float, body->limited ? 4 * n : 0);
    body->before = TT_TAKE(scope, float, model->level > 0 ? 4 * n : 0);
    body->probe = TT_TAKE(scope, float, 4 * (size_t)tt_whole_blocks(model->nprobes));
    body->probed = TT_TAKE(scope, float, 4 * (size_t)tt_whole_blocks(model->nprobes));
    body->probe_x = TT_TAKE(scope, float, 4 * (size_t)tt_whole_blocks(model->nprobes));
    if (!body->excess || !body->sum || !body->before || !body->probe || !body->probed || !body->probe_x) return false;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        bool limit = tt_kind_table()[kind]->limit, multiplied = !limit && model->material.units == TAUT_PHYSICAL;
        size_t modes = (size_t)tt_kind_table()[kind]->modes, blocks = (size_t)model->group[kind].nblocks;
        if (limit) body->idle[kind] = TT_TAKE(scope, uint8_t, blocks);
        if (multiplied) body->lambda[kind] = TT_TAKE(scope, float, blocks * modes * TT_BLOCK);
        if ((limit && !body->idle[kind]) || (multiplied && !body->lambda[kind])) return false;
    }
    return body->p && body->x && body->v && body->free_w && body->target && body->anchor && body->held && body->soft &&
           body->contacts && body->bad && body->out_x && body->out_v;
}

static void place_particles(tt_body *body, const taut_body_def *def)
{
    const taut_model *model = body->model;
    for (int i = 0; i < model->nparticles; i++) {
        const float *rest = &model->rest[4 * (size_t)i];
        float *p = &body->p[4 * (size_t)i], *v = &body->v[4 * (size_t)i];
        double turned[3];
        rotate(def->rotation, rest, turned);
        for (int c = 0; c < 3; c++) {
            p[c] = (float)(turned[c] + def->position[c]);
            v[c] = def->velocity[c];
        }
        p[3] = body->free_w[i] = rest[3];
        if (model->pinned[i]) {
            memcpy(&body->target[4 * (size_t)i], p, 3 * sizeof *p);
            tt_body_hold(body, i, 1);
        }
        if (p[3] == 0) v[0] = v[1] = v[2] = 0;
    }
}

static bool has_rest(const taut_model *model)
{
    int first;
    tt_segments(model, TT_REST, &first);
    for (int kind = 0; kind < TT_KINDS; kind++)
        if (model->group[kind].segment[first] < model->group[kind].nblocks) return true;
    return false;
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
    body->model = model;
    body->material = model->material;
    if (!take_arrays(body)) {
        tt_body_free(body);
        tt_no_memory(error);
        return NULL;
    }
    place_particles(body, def);
    tt_body_anchor(body);
    body->has_rest = has_rest(model);
    tt_body_publish(body, 0, model->nvertices);
    if (!model->coarser) return body;
    body->coarser = tt_body_create(like, model->coarser, def, error);
    if (!body->coarser) {
        tt_body_free(body);
        return NULL;
    }
    body->coarser->finer = body;
    return body;
}

void tt_body_free(tt_body *body)
{
    if (!body) return;
    tt_body_free(body->coarser);
    tt_scope scope = body->scope; /* the body's own memory is in it */
    tt_scope_close(&scope);
}

void tt_body_publish(tt_body *body, int first, int last)
{
    for (int v = first; v < last; v++) {
        size_t at = 4 * (size_t)body->model->place[v];
        memcpy(&body->out_x[3 * (size_t)v], &body->p[at], 3 * sizeof(float));
        memcpy(&body->out_v[3 * (size_t)v], &body->v[at], 3 * sizeof(float));
    }
}

void tt_body_anchor(tt_body *body)
{
    for (int i = 0; i < body->model->nanchors; i++) {
        const float *p = &body->p[4 * (size_t)body->model->anchor[i]];
        float *anchor = &body->anchor[4 * (size_t)i];
        memcpy(anchor, p, 3 * sizeof *p);
        anchor[3] = p[3] > 0 ? 0 : 1; /* a pin that was let go holds nothing */
    }
}

/* ---- Positions and velocities ------------------------------------------------------------------------------------ */

static const float *vertices_of(const tt_body *body, const float *array, int *count)
{
    if (count) *count = body->model->nvertices;
    return array;
}

const float *taut_body_positions(const taut_world *world, int body, int *count)
{
    const tt_body *b = tt_world_body(world, body);
    return vertices_of(b, b->out_x, count);
}

const float *taut_body_velocities(const taut_world *world, int body, int *count)
{
    const tt_body *b = tt_world_body(world, body);
    return vertices_of(b, b->out_v, count);
}

static bool check_vertices(const tt_body *body, const float *xyz, const char *what, taut_error *error)
{
    for (int v = 0; v < body->model->nvertices; v++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(xyz[3 * (size_t)v + (size_t)c]))
                return tt_fail(error, TAUT_BAD_ARGUMENT, v, "vertex %d: %s is not finite", v, what);
    return true;
}

bool taut_body_set_positions(taut_world *world, int body, const float *xyz, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    tt_clear(error);
    if (!check_vertices(b, xyz, "position", error)) return false;
    for (int v = 0; v < b->model->nvertices; v++) {
        size_t at = 4 * (size_t)b->model->place[v];
        memcpy(&b->p[at], &xyz[3 * (size_t)v], 3 * sizeof *xyz);
        if (b->target[at + 3] > 0) memcpy(&b->target[at], &xyz[3 * (size_t)v], 3 * sizeof *xyz);
    }
    tt_body_anchor(b);
    tt_body_publish(b, 0, b->model->nvertices);
    return true;
}

bool taut_body_set_velocities(taut_world *world, int body, const float *xyz, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    tt_clear(error);
    if (!check_vertices(b, xyz, "velocity", error)) return false;
    for (int v = 0; v < b->model->nvertices; v++)
        memcpy(&b->v[4 * (size_t)b->model->place[v]], &xyz[3 * (size_t)v], 3 * sizeof *xyz);
    tt_body_publish(b, 0, b->model->nvertices);
    return true;
}

/* ---- Pins and masses --------------------------------------------------------------------------------------------- */

void tt_body_let_go(tt_body *body, int particle)
{
    float *stiffness = &body->target[4 * (size_t)particle + 3];
    if (*stiffness >= 1) {
        int i = 0;
        while (body->held[i] != particle) i++;
        body->held[i] = body->held[--body->nheld];
    } else if (*stiffness > 0) {
        int i = 0;
        while (body->soft[i].particle != particle) i++;
        body->soft[i] = body->soft[--body->nsoft];
    }
    *stiffness = 0;
    body->p[4 * (size_t)particle + 3] = body->free_w[particle];
}

void tt_body_hold(tt_body *body, int particle, float stiffness)
{
    tt_body_let_go(body, particle);
    body->target[4 * (size_t)particle + 3] = stiffness;
    if (stiffness >= 1) {
        body->held[body->nheld++] = particle;
        body->p[4 * (size_t)particle + 3] = 0;
    } else {
        body->soft[body->nsoft++] = (tt_soft_pin){.particle = particle, .stiffness = stiffness};
        body->tuned_n = 0;
    }
}

static bool check_vertex(const tt_body *body, int vertex, taut_error *error)
{
    int last = body->model->nvertices - 1;
    if (vertex >= 0 && vertex <= last) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d is outside 0..%d", vertex, last);
}

bool taut_body_pin(taut_world *world, int body, int vertex, const float target[3], float stiffness, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    tt_clear(error);
    if (!check_vertex(b, vertex, error)) return false;
    if (!(stiffness > 0 && stiffness <= 1))
        return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: the pin's stiffness must be in (0,1], got %g",
                       vertex, (double)stiffness);
    int at = b->model->place[vertex];
    if (!target) target = &b->p[4 * (size_t)at];
    for (int c = 0; c < 3; c++)
        if (!isfinite(target[c]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: the pin's target is not finite", vertex);
    memcpy(&b->target[4 * (size_t)at], target, 3 * sizeof *target);
    if (b->target[4 * (size_t)at + 3] != stiffness) tt_body_hold(b, at, stiffness);
    return true;
}

bool taut_body_unpin(taut_world *world, int body, int vertex, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    tt_clear(error);
    if (!check_vertex(b, vertex, error)) return false;
    tt_body_let_go(b, b->model->place[vertex]);
    return true;
}

bool taut_body_set_mass(taut_world *world, int body, int vertex, float mass, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    tt_clear(error);
    if (!check_vertex(b, vertex, error)) return false;
    if (!(mass > 0 && isfinite(mass) && isfinite(1 / mass)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: mass must be above 0, got %g", vertex,
                       (double)mass);
    int at = b->model->place[vertex];
    b->free_w[at] = 1 / mass;
    if (!(b->target[4 * (size_t)at + 3] >= 1)) b->p[4 * (size_t)at + 3] = 1 / mass;
    return true;
}

/* ---- Materials --------------------------------------------------------------------------------------------------- */

const taut_material *taut_body_material(const taut_world *world, int body)
{
    return &tt_world_body(world, body)->material;
}

bool taut_body_set_material(taut_world *world, int body, const taut_material *material, taut_error *error)
{
    tt_body *b = tt_world_body(world, body);
    const taut_material default_material = taut_default_material();
    if (!material) material = &default_material;
    tt_clear(error);
    if (!tt_material_change_check(b->model, material, error)) return false;
    b->material = *material;
    b->tuned_n = 0;
    for (tt_body *level = b->coarser; level; level = level->coarser) {
        level->tuned_n = 0;
        tt_level_material(b->model, material, &level->material);
    }
    tt_body_tune(b, world, b->tuned_h);
    return true;
}
