/* Contacts in the balance of a body (stage_balance.c).
 *
 * Colliders move particles out before the search. In the search a particle that touches a collider is
 *
 *     free     if the cloth pulls it away
 *     sliding  if it can move only along the surface
 *     dragged  if it slides against friction, which is part of the load
 *     stuck    if it cannot move at all, because friction holds it
 *
 * Slow particles stick at first. After the search the load on each contact is known. Particles that friction cannot
 * hold are released, and the search goes on. In a slack or wrinkled mesh the load that varies from particle to particle
 * is large compared with friction. So its elastic part counts only if it would move the particle far enough (SLACK).
 *
 * The push of a collider before the search causes friction at once. The pressure of the cloth on the collider is known
 * only after the search, and its friction then becomes a load. */
#include "world/contacts.h"
#include "world/search.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Particles slower than this many times gravity times the substep may stick. */
static const double SLOW = 1.5;
/* A slide shorter than this share of the fall in one substep does not count. */
static const double NO_SLIDE = 0.01;
/* Loads that would move a particle alone by less than this share of `stretch` times the length of its edges do not
 * count against friction. */
static const double SLACK = 0.012;

/* How far gravity moves a particle in a substep. */
static double fall_of(const tt_substep *substep)
{
    return vec_length(vec_of(substep->world->def.gravity)) * (double)substep->h * (double)substep->h;
}

static vec3 across(vec3 a, vec3 normal) { return vec_sub(a, vec_scale(normal, vec_dot(a, normal))); }

/* How far the particle slides along the surface in this substep, before the search. */
static double slide_of(const tt_level *level, size_t i)
{
    const tt_balance *b = &level->balance;
    vec3 moved = vec_sub(vec_of(&level->p[4 * i]), vec_of(&level->x[4 * i]));
    return vec_length(across(vec_sub(moved, vec_of(&b->motion[4 * i])), vec_of(&b->normal[4 * i])));
}

static tt_grip grip_of(const tt_level *level, const tt_substep *substep, size_t i)
{
    const tt_balance *b = &level->balance;
    const float *normal = &b->normal[4 * i];
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0) return TT_FREE;
    if (!(normal[3] > 0)) return TT_SLIDES;
    double fall = fall_of(substep), h = (double)substep->h;
    vec3 speed = vec_sub(vec_of(&level->v[4 * i]), vec_scale(vec_of(&b->motion[4 * i]), 1 / h));
    bool slow = vec_length(speed) * h <= SLOW * fall || (double)b->motion[4 * i + 3] <= NO_SLIDE * fall;
    return slow ? TT_STICKS : TT_SLIDES;
}

static void remember(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&level->balance.landed[4 * (size_t)first], &level->p[4 * (size_t)first],
           4 * (size_t)(last - first) * sizeof(float));
}

static void land(tt_level *level, const tt_substep *substep, int part)
{
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = (size_t)first; i < (size_t)last; i++) {
        for (size_t c = 0; c < 4; c++) b->landed[4 * i + c] = level->p[4 * i + c] - b->landed[4 * i + c];
        b->motion[4 * i + 3] = (float)slide_of(level, i);
        b->grip[i] = (uint8_t)grip_of(level, substep, i);
    }
}

static void choose(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = (size_t)first; i < (size_t)last; i++)
        if (b->grip[i] == TT_SLIDES && vec_dot(vec_of(&b->load[4 * i]), vec_of(&b->normal[4 * i])) > 0)
            b->grip[i] = TT_FREE;
}

/* How far a load would move particle i alone. */
static vec3 move_by(const tt_balance *b, size_t i, vec3 load)
{
    vec3 s = vec_of(&b->brace[0][4 * i]), m = vec_of(&b->brace[1][4 * i]);
    return (vec3){s.x * load.x + m.x * load.y + m.z * load.z, m.x * load.x + s.y * load.y + m.y * load.z,
                  m.z * load.x + m.y * load.y + s.z * load.z};
}

static void take_off(tt_balance *b, size_t i, vec3 load)
{
    const float by[3] = {(float)load.x, (float)load.y, (float)load.z};
    for (size_t c = 0; c < 3; c++) b->load[4 * i + c] -= by[c];
}

/* The new state of a stuck particle, from the load on its contact after the search. If the cloth drags it along,
 * friction becomes part of its load. If it slid before the search, the friction that the collider's own push allows is
 * used up. */
static tt_grip grip_after(tt_level *level, size_t i, double fall, double slack)
{
    tt_balance *b = &level->balance;
    vec3 normal = vec_of(&b->normal[4 * i]), load = vec_of(&b->load[4 * i]), along = across(load, normal);
    double mass = (double)b->mass[i], pull = -vec_dot(load, normal), slide = (double)b->motion[4 * i + 3];
    double bears = pull + mass * vec_dot(vec_of(&b->landed[4 * i]), normal);
    if (bears <= 0) return TT_FREE;
    bool slid = slide > NO_SLIDE * fall;
    double most = (double)b->normal[4 * i + 3] * (slid ? fmax(pull, 0) : bears), size = vec_length(along);
    bool little = vec_length(move_by(b, i, along)) <= slack && (!slid || mass * slide <= most);
    if (size <= most || little) return TT_STICKS;
    take_off(b, i, vec_scale(along, most / size));
    return TT_DRAGGED;
}

/* Adds the friction that comes from the pressure of the cloth on a sliding particle. It takes no more than all motion
 * of the particle alone, so it never reverses the slide. */
static tt_grip rub(tt_level *level, size_t i)
{
    tt_balance *b = &level->balance;
    vec3 normal = vec_of(&b->normal[4 * i]), moved = vec_sub(vec_of(&level->p[4 * i]), vec_of(&level->x[4 * i]));
    vec3 slide = across(vec_sub(vec_add(moved, vec_of(&b->gone[4 * i])), vec_of(&b->motion[4 * i])), normal);
    double pull = -vec_dot(vec_of(&b->load[4 * i]), normal), size = vec_length(slide);
    double most = fmin((double)b->normal[4 * i + 3] * pull, (double)b->mass[i] * size);
    if (!(most > 0)) return TT_SLIDES;
    take_off(b, i, vec_scale(slide, most / size));
    return TT_DRAGGED;
}

static void release(tt_level *level, const tt_substep *substep, int part)
{
    tt_balance *b = &level->balance;
    double fall = fall_of(substep), released = 0;
    double slack = SLACK * (double)(substep->world->def.stretch * b->spacing);
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = (size_t)first; i < (size_t)last; i++) {
        tt_grip before = (tt_grip)b->grip[i];
        if (!(b->mass[i] > 0)) continue;
        if (before == TT_STICKS) b->grip[i] = (uint8_t)grip_after(level, i, fall, slack);
        if (before == TT_SLIDES) b->grip[i] = (uint8_t)rub(level, i);
        released += b->grip[i] != before;
    }
    b->sum[part] = released;
}

/* ---- Particles that the search moves into a collider ---- */

static void look_ahead(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    memcpy(&b->move[4 * (size_t)first], &level->p[4 * (size_t)first], 4 * (size_t)(last - first) * sizeof(float));
    for (size_t i = (size_t)first; i < (size_t)last; i++)
        for (size_t c = 0; c < 3 && b->mass[i] > 0; c++) level->p[4 * i + c] += b->gone[4 * i + c];
}

static void arrest(tt_level *level, const tt_substep *substep, int part)
{
    (void)substep;
    tt_balance *b = &level->balance;
    double arrested = 0;
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    for (size_t i = (size_t)first; i < (size_t)last; i++) {
        float *p = &level->p[4 * i], *was = &b->move[4 * i], by = 0;
        if (!b->met) b->grip[i] = TT_FREE;
        for (size_t c = 0; c < 3 && b->mass[i] > 0 && b->grip[i] == TT_FREE; c++)
            by += b->normal[4 * i + c] * (p[c] - (was[c] + b->gone[4 * i + c]));
        if (!(by > 0)) by = 0;
        if (by > 0) b->grip[i] = TT_SLIDES, arrested++;
        for (size_t c = 0; c < 4; c++) b->way[4 * i + c] = c < 3 && by > 0 ? by * b->normal[4 * i + c] : 0;
        memcpy(p, was, 4 * sizeof *p);
    }
    b->sum[part] = arrested;
}

void tt_grip_filter(const tt_balance *b, int i, float *vector)
{
    const float *n = &b->normal[4 * (size_t)i];
    if (b->grip[i] == TT_FREE) return;
    float along = vector[0] * n[0] + vector[1] * n[1] + vector[2] * n[2];
    for (int c = 0; c < 3; c++) vector[c] = b->grip[i] == TT_STICKS ? 0 : vector[c] - along * n[c];
}

void tt_grip_trim_fall(const tt_balance *b, int i, float *fall)
{
    size_t at = 4 * (size_t)i;
    if (b->landed[at] == 0 && b->landed[at + 1] == 0 && b->landed[at + 2] == 0) return;
    vec3 normal = vec_of(&b->normal[at]), landed = vec_of(&b->landed[at]), down = vec_of(fall);
    double toward = -vec_dot(down, normal), out = vec_dot(landed, normal);
    vec3 along = across(down, normal);
    double size = vec_length(along), held = -vec_dot(across(landed, normal), along);
    double caught = toward > 0 ? fmin(toward, fmax(out, 0)) : 0, left = 1;
    if (size > 0) left = fmax(0, fmin(1, 1 - held / (size * size)));
    vec3 rest = vec_add(vec_scale(along, left), vec_scale(normal, caught - toward));
    fall[0] = (float)rest.x, fall[1] = (float)rest.y, fall[2] = (float)rest.z;
}

/* ---- The moments of the balance ---- */

static bool is_met(const tt_level *mesh, const tt_substep *substep)
{
    (void)substep;
    return mesh->balance.met;
}

/* p -> landed   where it was before the colliders */
static const tt_stage stage_remember = {TT_PARTS, remember, NULL};
/* p, x, v, landed, normal, motion -> landed, motion, grip   how far they moved it, and whether they hold it */
static const tt_stage stage_land = {TT_PARTS, land, NULL};
/* load, normal, grip -> grip   lets go of what slides and is pulled away */
static const tt_stage stage_choose = {TT_PARTS, choose, is_met};
/* p, x, mass, brace, load, gone, landed, normal, motion, grip -> load, grip, sum   lets go of what cannot be held */
static const tt_stage stage_release = {TT_PARTS, release, is_met};
/* p, mass, gone -> p, move   goes where the search would, and remembers p */
static const tt_stage stage_look_ahead = {TT_PARTS, look_ahead, NULL};
/* p, mass, move, gone, normal, grip -> p, way, grip, sum   back to p; the way out of colliders */
static const tt_stage stage_arrest = {TT_PARTS, arrest, NULL};

static void land_mesh(const tt_work *work, tt_level *mesh)
{
    int met = 0;
    mesh->balance.met = false;
    if (!work->substep->broad->nused) return;
    tt_run(work, &stage_remember, mesh);
    tt_run(work, &tt_stage_meet, mesh);
    for (int part = 0; part < mesh->model->nparts; part++) met += mesh->contacts[part];
    mesh->balance.met = met > 0;
    if (met > 0) tt_run(work, &stage_land, mesh);
}

void tt_grip_land(tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++)
        if (work->island->body[b]->balanced) land_mesh(work, &work->island->body[b]->level[0]);
}

void tt_grip_choose(tt_work *work) { tt_run_balanced(work, &stage_choose); }

/* Finds free particles that the search has moved into a collider; `way` becomes how far each has to go back. From now
 * on they slide. Returns whether there was any. */
static bool arrest_mesh(const tt_work *work, tt_level *mesh)
{
    tt_run(work, &stage_look_ahead, mesh);
    tt_run(work, &tt_stage_meet_again, mesh);
    bool any = tt_sum(work, &stage_arrest, mesh) > 0;
    mesh->balance.met = mesh->balance.met || any;
    return any;
}

void tt_grip_arrest(tt_work *work)
{
    for (int b = 0; b < work->island->nbodies && work->substep->broad->nused; b++) {
        tt_body *body = work->island->body[b];
        if (body->balanced && arrest_mesh(work, &body->level[0])) work->undone = true;
    }
    if (!work->undone) return;
    tt_contacts_act(work, TT_AT_WAY);
    tt_balance_go(work);
}

void tt_grip_release(tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) {
        tt_level *mesh = &work->island->body[b]->level[0];
        if (work->island->body[b]->balanced && mesh->balance.met && tt_sum(work, &stage_release, mesh) > 0)
            work->undone = true;
    }
}
