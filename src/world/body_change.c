/* Functions by which a caller reads and changes a body: positions, pins, masses, material. */
#include "world/world.h"

#include "base/error.h"
#include "world/origin.h"

#include <math.h>
#include <string.h>

static const double no_origin[3] = {0, 0, 0};

/* The body of an id, or NULL and an error. */
static tt_body *find(const taut_world *world, int body, taut_error *error)
{
    tt_clear(error);
    tt_body *found = tt_world_body(world, body);
    if (!found) tt_fail(error, TAUT_BAD_ARGUMENT, body, "there is no body %d; it may have been removed", body);
    return found;
}

/* ---- Positions and velocities ------------------------------------------------------------------------------------ */

const float *taut_body_positions(const taut_world *world, int body, int *count)
{
    const tt_body *b = tt_world_body(world, body);
    if (count) *count = b ? tt_body_model(b)->nvertices : 0;
    return b ? b->out_x : NULL;
}

const float *taut_body_velocities(const taut_world *world, int body, int *count)
{
    const tt_body *b = tt_world_body(world, body);
    if (count) *count = b ? tt_body_model(b)->nvertices : 0;
    return b ? b->out_v : NULL;
}

static bool check_origin(const double origin[3], taut_error *error)
{
    for (int c = 0; c < 3; c++)
        if (!(fabs(origin[c]) <= TT_FARTHEST))
            return tt_fail(error, TAUT_BAD_ARGUMENT, c, "origin[%d] must be within 1e30 m, got %g", c, origin[c]);
    return true;
}

bool taut_body_positions_from(const taut_world *world, int body, const double origin[3], float *xyz)
{
    const tt_body *b = tt_world_body(world, body);
    for (int v = 0; b && v < tt_body_model(b)->nvertices; v++) {
        double where[3];
        tt_body_where_from(b, tt_body_model(b)->place[v], origin, where);
        for (size_t c = 0; c < 3; c++) xyz[3 * (size_t)v + c] = (float)where[c];
    }
    return b != NULL;
}

bool taut_body_positions_double(const taut_world *world, int body, double *xyz)
{
    const tt_body *b = tt_world_body(world, body);
    for (int v = 0; b && v < tt_body_model(b)->nvertices; v++)
        tt_body_where_from(b, tt_body_model(b)->place[v], no_origin, &xyz[3 * (size_t)v]);
    return b != NULL;
}

static bool check_vertices(const tt_body *body, const float *xyz, const char *what, taut_error *error)
{
    for (int v = 0; v < tt_body_model(body)->nvertices; v++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(xyz[3 * (size_t)v + (size_t)c]))
                return tt_fail(error, TAUT_BAD_ARGUMENT, v, "vertex %d: %s is not finite", v, what);
    return true;
}

bool taut_body_set_positions_from(taut_world *world, int body, const double origin[3], const float *xyz,
                                  taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b || !check_origin(origin, error) || !check_vertices(b, xyz, "position", error)) return false;
    tt_body_place(b, origin, xyz);
    tt_body_show(b);
    return true;
}

bool taut_body_set_positions(taut_world *world, int body, const float *xyz, taut_error *error)
{
    return taut_body_set_positions_from(world, body, no_origin, xyz, error);
}

bool taut_body_set_velocities(taut_world *world, int body, const float *xyz, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b || !check_vertices(b, xyz, "velocity", error)) return false;
    const taut_model *model = tt_body_model(b);
    for (int v = 0; v < model->nvertices; v++)
        memcpy(&b->level[0].v[4 * (size_t)model->place[v]], &xyz[3 * (size_t)v], 3 * sizeof *xyz);
    tt_body_show(b);
    return true;
}

/* ---- Pins and masses --------------------------------------------------------------------------------------------- */

/* Holds a particle or lets it go, which changes the balance of its body. */
static void set_freedom(tt_body *body, int particle, bool free)
{
    float *w = &body->level[0].p[4 * (size_t)particle + 3];
    if ((*w > 0) != free) tt_body_changed(body);
    *w = free ? body->level[0].free_w[particle] : 0;
}

void tt_body_set_pin(tt_body *body, int particle, const double target[3], float stiffness)
{
    if (!body->pin_of[particle]) {
        body->pin[body->npins++] = (tt_pin){.particle = particle, .stiffness = 1, .arrived = true};
        body->pin_of[particle] = body->npins;
        tt_body_where(body, particle, body->pin[body->npins - 1].target);
    }
    tt_pin *pin = &body->pin[body->pin_of[particle] - 1];
    pin->arrived = pin->arrived && stiffness >= 1 && pin->target[0] == target[0] && pin->target[1] == target[1] &&
                   pin->target[2] == target[2];
    bool was_soft = pin->stiffness < 1, is_soft = stiffness < 1;
    memcpy(pin->target, target, sizeof pin->target);
    if (is_soft && pin->stiffness != stiffness) tt_body_changed(body);
    body->nsoft += (int)is_soft - (int)was_soft;
    pin->stiffness = stiffness;
    set_freedom(body, particle, is_soft);
}

void tt_body_remove_pin(tt_body *body, int particle)
{
    int number = body->pin_of[particle];
    if (!number) return;
    tt_pin *pin = &body->pin[number - 1];
    body->nsoft -= pin->stiffness < 1;
    *pin = body->pin[--body->npins];
    body->pin_of[pin->particle] = number;
    body->pin_of[particle] = 0;
    set_freedom(body, particle, true);
}

static bool check_vertex(const tt_body *body, int vertex, taut_error *error)
{
    int last = tt_body_model(body)->nvertices - 1;
    if (vertex >= 0 && vertex <= last) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d is outside 0..%d", vertex, last);
}

bool taut_body_pin_from(taut_world *world, int body, int vertex, const double origin[3], const float target[3],
                        float stiffness, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b || !check_vertex(b, vertex, error) || !check_origin(origin, error)) return false;
    if (!(stiffness > 0 && stiffness <= 1))
        return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: the pin's stiffness must be in (0,1], got %g",
                       vertex, (double)stiffness);
    int at = tt_body_model(b)->place[vertex];
    double where[3];
    tt_body_where(b, at, where);
    for (int c = 0; c < 3 && target; c++) {
        if (!isfinite(target[c]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: the pin's target is not finite", vertex);
        where[c] = origin[c] + (double)target[c];
    }
    tt_body_set_pin(b, at, where, stiffness);
    return true;
}

bool taut_body_pin(taut_world *world, int body, int vertex, const float target[3], float stiffness, taut_error *error)
{
    return taut_body_pin_from(world, body, vertex, no_origin, target, stiffness, error);
}

bool taut_body_unpin(taut_world *world, int body, int vertex, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b || !check_vertex(b, vertex, error)) return false;
    tt_body_remove_pin(b, tt_body_model(b)->place[vertex]);
    return true;
}

bool taut_body_set_mass(taut_world *world, int body, int vertex, float mass, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b || !check_vertex(b, vertex, error)) return false;
    if (!(mass > 0 && isfinite(mass) && isfinite(1 / mass)))
        return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d: mass must be above 0, got %g", vertex,
                       (double)mass);
    int at = tt_body_model(b)->place[vertex], pin = b->pin_of[at];
    b->level[0].free_w[at] = 1 / mass;
    if (!pin || b->pin[pin - 1].stiffness < 1) b->level[0].p[4 * (size_t)at + 3] = 1 / mass;
    tt_body_changed(b);
    return true;
}

/* ---- Materials --------------------------------------------------------------------------------------------------- */

const taut_material *taut_body_material(const taut_world *world, int body)
{
    const tt_body *b = tt_world_body(world, body);
    return b ? &b->material : NULL;
}

bool taut_body_set_filter(taut_world *world, int body, uint32_t group, uint32_t mask, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b) return false;
    b->may_cross = true;
    b->group = group;
    b->mask = mask;
    return true;
}

bool taut_world_set_contact(taut_world *world, int body, int other, taut_contact contact, taut_error *error)
{
    tt_body *a = find(world, body, error), *b = a ? find(world, other, error) : NULL;
    if (!b) return false;
    if (a == b) return tt_fail(error, TAUT_BAD_ARGUMENT, body, "body %d touches itself as its material says", body);
    if (contact < TAUT_CONTACT_OFF || contact > TAUT_CONTACT_AUTO)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there is no contact %d", (int)contact);
    if (!tt_tiers_reserve(&world->tiers, &world->scope, world->tiers.count + 1)) return tt_no_memory(error);
    tt_tiers_set(&world->tiers, tt_slots_find(&world->bodies, body), tt_slots_find(&world->bodies, other), contact);
    a->may_cross = b->may_cross = true;
    return true;
}

bool taut_body_set_material(taut_world *world, int body, const taut_material *material, taut_error *error)
{
    tt_body *b = find(world, body, error);
    if (!b) return false;
    taut_material usual;
    material = tt_material_or_usual(material, tt_body_model(b)->mesh_type, &usual);
    if (!tt_material_change_check(tt_body_model(b), material, error)) return false;
    b->may_cross = true;
    b->material = *material;
    tt_body_changed(b);
    /* Done now, so that residuals are those of the new material. */
    tt_body_derive(b, world, b->tuned_h, world->def.substeps * world->def.iterations);
    return true;
}
