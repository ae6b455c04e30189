/* Attachments: making and dropping them, and preparing them for a step. */
#include "world/world.h"

#include "base/definition.h"
#include "base/error.h"
#include "mesh/bvh.h"

#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a6 };

/* Weights of a place whose sum is off 1 by no more than this are accepted as rounded. */
static const float WEIGHTS_OFF = 1e-4f;

void taut_init_attachment_def(taut_attachment_def *def, size_t size)
{
    static const taut_attachment_def usual = {.cookie = COOKIE,
                                              .collider = -1,
                                              .other = -1,
                                              .corner = {0, -1, -1, -1},
                                              .weight = {1, 0, 0, 0},
                                              .backstop = INFINITY,
                                              .speed = 1,
                                              .strength = INFINITY};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

/* ---- Checks ----------------------------------------------------------------------------------------------------- */

static bool check_number(const char *name, float value, bool sound, taut_error *error)
{
    return sound || tt_fail(error, TAUT_BAD_ARGUMENT, -1, "attachment.%s is impossible: %g", name, (double)value);
}

static bool check_vertex(const tt_body *body, const char *name, int vertex, taut_error *error)
{
    int last = tt_body_model(body)->nvertices - 1;
    if (vertex >= 0 && vertex <= last) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "attachment.%s %d is outside 0..%d", name, vertex, last);
}

static int corners_of(const taut_attachment_def *def)
{
    int count = 0;
    while (count < TT_TIE_ENDS - 1 && def->corner[count] >= 0) count++;
    return count;
}

static bool check_corners(const taut_attachment_def *def, const tt_body *other, taut_error *error)
{
    float sum = 0;
    int count = corners_of(def);
    if (count == 0) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "attachment.corner names no vertex");
    for (int i = 0; i < count; i++) {
        if (!check_vertex(other, "corner", def->corner[i], error)) return false;
        if (def->other == def->body && def->corner[i] == def->vertex)
            return tt_fail(error, TAUT_BAD_ARGUMENT, def->vertex, "vertex %d cannot be attached to itself",
                           def->vertex);
        for (int k = 0; k < i; k++)
            if (def->corner[i] == def->corner[k])
                return tt_fail(error, TAUT_BAD_ARGUMENT, def->corner[i], "attachment.corner has vertex %d twice",
                               def->corner[i]);
        if (!check_number("weight", def->weight[i], fabsf(def->weight[i]) <= 1e3f, error)) return false;
        sum += def->weight[i];
    }
    if (fabsf(sum - 1) <= WEIGHTS_OFF) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "attachment.weight must be 1 in all, got %g", (double)sum);
}

static bool check_holder(const taut_world *world, const taut_attachment_def *def, taut_error *error)
{
    if ((def->collider < 0) == (def->other < 0))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "an attachment needs a collider or another body, not both");
    if (def->other >= 0) {
        const tt_body *other = tt_world_body(world, def->other);
        if (other) return check_corners(def, other, error);
        return tt_fail(error, TAUT_BAD_ARGUMENT, def->other, "there is no body %d; it may have been removed",
                       def->other);
    }
    if (tt_slots_find(&world->colliders, def->collider) >= 0) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, def->collider, "there is no collider %d; it may have been removed",
                   def->collider);
}

static bool check_backstop(const taut_attachment_def *def, taut_error *error)
{
    if (!check_number("backstop", def->backstop, def->backstop >= 0, error)) return false;
    if (!isfinite(def->backstop) || (def->other >= 0 && corners_of(def) >= 3)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "a backstop needs three vertices of another body as corners");
}

static bool check_def(const taut_world *world, const taut_attachment_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the attachment does not come from taut_default_attachment_def()", error))
        return false;
    const tt_body *body = tt_world_body(world, def->body);
    if (!body)
        return tt_fail(error, TAUT_BAD_ARGUMENT, def->body, "there is no body %d; it may have been removed", def->body);
    if (!check_vertex(body, "vertex", def->vertex, error) || !check_holder(world, def, error)) return false;
    for (int c = 0; c < 3; c++)
        if (!check_number("offset", def->offset[c], isfinite(def->offset[c]), error)) return false;
    return check_number("slack", def->slack, def->slack >= 0, error) && check_backstop(def, error) &&
           check_number("speed", def->speed, def->speed > 0, error) &&
           check_number("strength", def->strength, def->strength > 0, error);
}

/* ---- Making and dropping ---------------------------------------------------------------------------------------- */

static bool reserve(taut_world *world, int count)
{
    int before = world->ties.capacity;
    if (!tt_slots_reserve(&world->ties, &world->scope, count)) return false;
    int capacity = world->ties.capacity;
    if (capacity == before) return true;
    world->ties.capacity = before; /* until there is room for everything that belongs to a slot */
    tt_tie *tie = tt_enlarge(&world->scope, world->tie, (size_t)world->ties.count, (size_t)capacity, sizeof *tie);
    tt_tie **tied = TT_TAKE(&world->scope, tt_tie *, capacity);
    if (!tie || !tied) return false;
    world->tie = tie;
    world->tied = tied;
    world->ties.capacity = capacity;
    return true;
}

bool tt_world_reserve_ties(taut_world *world, int count) { return reserve(world, count); }

/* Finds the bodies and the collider of a tie by their ids. They exist, because ties are dropped with them. */
static void find_ends(const taut_world *world, tt_tie *tie)
{
    tt_body *other = tie->other < 0 ? NULL : tt_world_body(world, tie->other);
    tie->nends = 0;
    tie->end[tie->nends++] = (tt_tie_end){tt_world_body(world, tie->body), tie->particle, 1};
    for (int i = 0; other && i < TT_TIE_ENDS - 1 && tie->corner[i] >= 0; i++)
        tie->end[tie->nends++] = (tt_tie_end){other, tie->corner[i], -(double)tie->weight[i]};
    tie->holder = tie->collider < 0 ? NULL : &world->collider[tt_slots_find(&world->colliders, tie->collider)];
}

vec3 tt_tie_gap(const tt_tie *tie)
{
    double gap[3] = {0, 0, 0};
    for (int i = 0; i < tie->nends; i++) {
        double where[3];
        tt_body_where(tie->end[i].body, tie->end[i].particle, where);
        for (int c = 0; c < 3; c++) gap[c] += tie->end[i].by * where[c];
    }
    vec3 all = {gap[0], gap[1], gap[2]};
    return tie->holder ? vec_sub(all, tie->place) : all;
}

bool tt_tie_normal(const tt_tie *tie, vec3 *n, double *size)
{
    vec3 corner[3];
    if (!isfinite(tie->backstop)) return false;
    for (int k = 0; k < 3; k++) {
        double where[3];
        tt_body_where(tie->end[k + 1].body, tie->end[k + 1].particle, where);
        corner[k] = (vec3){where[0], where[1], where[2]};
    }
    vec3 first = vec_sub(corner[1], corner[0]), second = vec_sub(corner[2], corner[0]);
    *n = vec_cross(first, second);
    double area = vec_length(*n);
    *size = fmax(vec_length(first), vec_length(second));
    *n = vec_scale(*n, area > 0 ? 1 / area : 0);
    return area > 0;
}

static tt_tie tie_of(const taut_world *world, const taut_attachment_def *def)
{
    const tt_body *body = tt_world_body(world, def->body), *other = tt_world_body(world, def->other);
    tt_tie tie = {.body = def->body,
                  .particle = tt_body_model(body)->place[def->vertex],
                  .collider = def->collider < 0 ? -1 : def->collider,
                  .other = def->other < 0 ? -1 : def->other,
                  .corner = {-1, -1, -1, -1},
                  .slack = def->slack,
                  .backstop = def->backstop,
                  .speed = def->speed,
                  .strength = def->strength};
    for (int i = 0; other && i < corners_of(def); i++) {
        tie.corner[i] = tt_body_model(other)->place[def->corner[i]];
        tie.weight[i] = def->weight[i];
    }
    find_ends(world, &tie);
    if (tie.holder) {
        double point[3];
        tt_body_where(body, tie.particle, point);
        for (int c = 0; c < 3; c++) point[c] += (double)def->offset[c];
        tie.ride = tt_ride_of(tie.holder, point);
        tie.place = (vec3){point[0], point[1], point[2]};
    }
    vec3 gap = tt_tie_gap(&tie), n;
    double size;
    tie.leash = fmax((double)def->slack, vec_length(gap));
    tie.wall = (double)def->backstop;
    if (tt_tie_normal(&tie, &n, &size)) tie.wall = fmax(tie.wall, -vec_dot(n, gap));
    return tie;
}

int taut_world_attach(taut_world *world, const taut_attachment_def *def, taut_error *error)
{
    tt_clear(error);
    if (!def) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there is no definition (NULL)");
        return -1;
    }
    if (!check_def(world, def, error)) return -1;
    int slot = tt_slots_next(&world->ties);
    if (slot == TT_MOST_SLOTS) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "a world has room for %d attachments", TT_MOST_SLOTS);
        return -1;
    }
    if (!reserve(world, slot + 1)) {
        tt_no_memory(error);
        return -1;
    }
    int at = def->collider < 0 ? -1 : tt_slots_find(&world->colliders, def->collider);
    tt_owned *owned = at < 0 ? NULL : world->collider[at].owned;
    if (owned && owned->surface) tt_surface_refit(owned->surface, &world->looks);
    world->tie[slot] = tie_of(world, def);
    return tt_slots_add(&world->ties);
}

/* The inverse mass of a particle without attachments: 0 if a pin holds it. */
static float own_weight(const tt_body *body, int particle)
{
    int pin = body->pin_of[particle];
    return pin && !(body->pin[pin - 1].stiffness < 1) ? 0 : body->level[0].free_w[particle];
}

static void let_go(const taut_world *world, tt_tie *tie)
{
    tt_body *body = tie->fixed ? tt_world_body(world, tie->body) : NULL;
    if (!body) return;
    body->level[0].p[4 * (size_t)tie->particle + 3] = own_weight(body, tie->particle);
    tt_body_changed(body);
    tie->fixed = false;
}

static void drop(taut_world *world, int slot)
{
    let_go(world, &world->tie[slot]);
    tt_slots_remove(&world->ties, slot);
}

void taut_world_detach(taut_world *world, int attachment)
{
    int slot = tt_slots_find(&world->ties, attachment);
    if (slot >= 0) drop(world, slot);
}

bool taut_world_has_attachment(const taut_world *world, int attachment)
{
    return tt_slots_find(&world->ties, attachment) >= 0;
}

float taut_attachment_force(const taut_world *world, int attachment)
{
    int slot = tt_slots_find(&world->ties, attachment);
    return slot < 0 ? -1 : (float)world->tie[slot].force;
}

void tt_world_drop_ties(taut_world *world, int body, int collider)
{
    for (int i = 0; i < world->ties.count; i++) {
        const tt_tie *tie = &world->tie[i];
        if (!world->ties.slot[i].used) continue;
        if ((body >= 0 && (tie->body == body || tie->other == body)) || (collider >= 0 && tie->collider == collider))
            drop(world, i);
    }
}

/* ---- Of a step -------------------------------------------------------------------------------------------------- */

/* Whether the particle can be fixed to its place like a hard pin: nothing that the tie does moves the place. In a body
 * by counts the pull on a pin is not measured, so an attachment that can break is drawn in every iteration instead
 * (stage_tie.c). */
static bool can_be_fixed(const tt_tie *tie, float quality)
{
    bool measured = quality > 0 && tt_body_is_balanced(tie->end[0].body);
    if (tie->leash > 0 || (isfinite(tie->strength) && !measured)) return false;
    for (int i = 1; i < tie->nends; i++)
        if (tie->end[i].body->level[0].p[4 * (size_t)tie->end[i].particle + 3] > 0) return false;
    return true;
}

static float *weight_of(const tt_tie *tie) { return &tie->end[0].body->level[0].p[4 * (size_t)tie->particle + 3]; }

void tt_world_prepare_ties(taut_world *world)
{
    for (int i = 0; i < world->bodies.count; i++)
        if (world->body[i]) world->body[i]->tied = world->body[i]->on_collider = false;
    for (int i = 0; i < world->ties.count; i++) {
        tt_tie *tie = &world->tie[i];
        if (!world->ties.slot[i].used) continue;
        find_ends(world, tie);
        if (tie->fixed) *weight_of(tie) = own_weight(tie->end[0].body, tie->particle);
    }
    for (int i = 0; i < world->ties.count; i++) {
        tt_tie *tie = &world->tie[i];
        if (!world->ties.slot[i].used) continue;
        bool fixed = *weight_of(tie) > 0 && can_be_fixed(tie, world->def.stretch);
        if (fixed != tie->fixed) tt_body_changed(tie->end[0].body);
        tie->fixed = fixed;
        if (fixed) *weight_of(tie) = 0;
        tie->pulled = (vec3){0, 0, 0};
        for (int k = 0; k < tie->nends; k++) tie->end[k].body->tied = true;
        if (tie->holder) tie->end[0].body->on_collider = true;
    }
}

void tt_world_list_ties(taut_world *world)
{
    int n = 0;
    for (int i = 0; i < world->nislands; i++) world->island[i].nties = 0;
    for (int i = 0; i < world->ties.count; i++)
        if (world->ties.slot[i].used) world->island[world->tie[i].end[0].body->island - world->island].nties++;
    for (int i = 0; i < world->nislands; i++) {
        world->island[i].tie = world->tied + n;
        n += world->island[i].nties;
        world->island[i].nties = 0;
    }
    for (int i = 0; i < world->ties.count; i++) {
        if (!world->ties.slot[i].used) continue;
        tt_island *island = &world->island[world->tie[i].end[0].body->island - world->island];
        island->tie[island->nties++] = &world->tie[i];
    }
}

void tt_world_finish_ties(taut_world *world, float dt)
{
    world->stats.broken = 0;
    for (int i = 0; i < world->ties.count; i++) {
        tt_tie *tie = &world->tie[i];
        if (!world->ties.slot[i].used) continue;
        if (tie->holder) tie->ride = tt_ride_after(tie->holder, &tie->ride, (double)dt);
        tie->force = vec_length(tie->pulled);
        if (tie->force <= (double)tie->strength) continue;
        drop(world, i);
        world->stats.broken++;
    }
}

/* ---- Nearest places --------------------------------------------------------------------------------------------- */

bool taut_body_nearest(const taut_world *world, int body, const double point[3], taut_place *place)
{
    const tt_body *b = tt_world_body(world, body);
    const tt_skin *skin = b ? &tt_body_model(b)->skin : NULL;
    double nearest = INFINITY, weight[3] = {1, 0, 0};
    const tt_skin_triangle *found = NULL;
    for (int t = 0; b && t < skin->ntris; t++) {
        double own[3];
        vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            int particle = skin->tri[t].corner[skin->tri[t].is_face || k < 2 ? k : 0];
            tt_body_where(b, particle, own);
            corner[k] = (vec3){own[0] - point[0], own[1] - point[1], own[2] - point[2]};
        }
        vec3 at = tt_closest_on_triangle((vec3){0, 0, 0}, corner[0], corner[1], corner[2], own);
        double square = vec_dot(at, at);
        if (!(square < nearest)) continue;
        nearest = square;
        found = &skin->tri[t];
        memcpy(weight, own, sizeof weight);
    }
    if (!found) return false;
    *place = (taut_place){.corner = {-1, -1, -1, -1}, .distance = (float)sqrt(nearest)};
    int count = found->is_face ? 3 : 2;
    for (int v = 0; v < tt_body_model(b)->nvertices; v++)
        for (int k = 0; k < count; k++)
            if (tt_body_model(b)->place[v] == found->corner[k]) place->corner[k] = v;
    for (int k = 0; k < 3; k++) place->weight[k < count ? k : 0] += (float)weight[k];
    return true;
}
