/* Contact of an island's bodies with themselves and each other: copies their particles to collide/apart.h and back.
 *
 * Copies are relative to the origin of the island's first body. From one search to the next that origin drifts along
 * with the mean motion of the island, if nothing is pinned. Only coordinates that were changed are copied back, so
 * bodies that touch nothing keep their bits. */
#define _POSIX_C_SOURCE 200809L

#include "world/contacts.h"

#include "base/clock.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Passes over near pairs in an iteration of bodies solved by quality. Bodies solved by counts need only one, because
 * they have more iterations. */
enum { PASSES = 4 };
/* The largest thickness, as a share of the mean edge of the mesh. */
static const float THICKEST = 0.25f;
/* A search is for as many substeps as it takes to move by this share of an edge, at twice the root mean square of
 * velocities within the island. */
static const float SHARE_OF_EDGE = 0.5f;
/* Bodies are calm if at this multiple of the root mean square they move by less than the room of calm boxes. */
static const float CALM = 4;

static tt_apart *apart_of(const tt_island *island) { return island->ntouching > 0 ? island->body[0]->apart : NULL; }

static tt_apart_team team_of(tt_team team) { return (tt_apart_team){team.run, team.user}; }

/* Positions of a body plus this shift are the positions of the copy. */
static vec3 shift_of(const tt_island *island, int member, const float drift[3])
{
    const double *o = island->body[0]->origin, *own = island->body[member]->origin;
    return (vec3){own[0] - o[0] - (double)drift[0], own[1] - o[1] - (double)drift[1], own[2] - o[2] - (double)drift[2]};
}

static void copy_in(const tt_island *island, const float drift[3], bool predicted, float *to)
{
    tt_apart *apart = apart_of(island);
    for (int m = 0; m < apart->nmembers; m++) {
        const tt_level *mesh = &island->body[m]->level[0];
        const float *from = predicted ? mesh->p : mesh->x;
        vec3 shift = shift_of(island, m, drift);
        float *copy = &to[4 * (size_t)apart->member[m].first];
        for (size_t i = 0; i < 4 * (size_t)apart->member[m].count; i += 4) {
            copy[i] = (float)((double)from[i] + shift.x);
            copy[i + 1] = (float)((double)from[i + 1] + shift.y);
            copy[i + 2] = (float)((double)from[i + 2] + shift.z);
            copy[i + 3] = mesh->p[i + 3];
        }
    }
}

/* Writes back the coordinates that differ from `before`. */
static void copy_out(const tt_island *island, const float drift[3])
{
    tt_apart *apart = apart_of(island);
    for (int m = 0; m < apart->nmembers; m++) {
        tt_level *mesh = &island->body[m]->level[0];
        vec3 shift = shift_of(island, m, drift);
        const double back[3] = {shift.x, shift.y, shift.z};
        size_t first = 4 * (size_t)apart->member[m].first;
        for (size_t i = 0; i < 4 * (size_t)apart->member[m].count; i++)
            if (i % 4 < 3 && apart->p[first + i] != apart->before[first + i])
                mesh->p[i] = (float)((double)apart->p[first + i] - back[i % 4]);
    }
}

/* ---- The search ---- */

static bool is_pinned(const tt_island *island)
{
    bool pinned = false;
    for (int b = 0; b < island->nbodies; b++) pinned = pinned || island->body[b]->npins > 0;
    return pinned;
}

/* Finds the mean velocity of the island before gravity acted in this substep; 0 if anything is pinned. Returns the root
 * mean square of the velocities relative to it. */
static float measure_speeds(const tt_island *island, const tt_substep *substep, float mean[3])
{
    const float *g = substep->world->def.gravity;
    double sum[3] = {0, 0, 0}, square = 0, count = 0, common = 0;
    bool pinned = is_pinned(island);
    for (int b = 0; b < island->nbodies; b++) {
        const tt_level *mesh = &island->body[b]->level[0];
        for (size_t i = 0; i < 4 * (size_t)mesh->model->nvertices; i++) {
            if (i % 4 == 3) continue;
            double v = (double)(mesh->v[i] - substep->h * g[i % 4]);
            sum[i % 4] += v, square += v * v;
        }
        count += mesh->model->nvertices;
    }
    for (int c = 0; c < 3; c++) {
        mean[c] = pinned ? 0 : (float)(sum[c] / count);
        common += (double)mean[c] * (double)mean[c];
    }
    return (float)sqrt(fmax(0, square / count - common));
}

/* The part of what gravity adds to the speeds that is expected to last. Calm bodies are expected to stay where they
 * are. Of others nobody knows whether something holds them. */
static float part_of_fall(const tt_apart *apart) { return apart->calm ? 0 : 0.5f; }

static void expect_mean(const tt_island *island, const tt_substep *substep)
{
    tt_apart *apart = apart_of(island);
    const float *g = substep->world->def.gravity;
    measure_speeds(island, substep, apart->mean);
    for (int c = 0; c < 3 && !is_pinned(island); c++) apart->mean[c] += part_of_fall(apart) * substep->h * g[c];
}

static void expect(const tt_island *island, const tt_substep *substep, int substeps)
{
    tt_apart *apart = apart_of(island);
    const float *g = substep->world->def.gravity;
    float time = substep->h * (float)substeps, part = part_of_fall(apart), by[3];
    for (int c = 0; c < 3; c++) by[c] = (part - 1) * substep->h * g[c] - apart->mean[c];
    apart->slack = part * time * substep->h * (float)vec_length(vec_of(g));
    for (int m = 0; m < apart->nmembers; m++) {
        const tt_level *mesh = &island->body[m]->level[0];
        float *way = &apart->way[4 * (size_t)apart->member[m].first];
        for (size_t i = 0; i < 4 * (size_t)apart->member[m].count; i++)
            if (i % 4 == 3) way[i] = 0;
            else
                way[i] = mesh->p[i | 3] > 0 ? time * (mesh->v[i] + by[i % 4])
                                            : (float)substeps * (mesh->p[i] - mesh->x[i]);
    }
}

static void search_now(tt_team team, tt_apart *apart, int substeps)
{
    double since = tt_clock();
    apart->substeps = apart->substeps_left = substeps;
    tt_apart_search(apart, team_of(team));
    if (apart->may_cross) tt_apart_find_tangles(apart);
    tt_lap(&apart->count.ms, &since);
}

static void search(tt_team team, const tt_island *island, const tt_substep *substep)
{
    tt_apart *apart = apart_of(island);
    float rms = measure_speeds(island, substep, apart->mean), edge = INFINITY, thickness = INFINITY;
    for (int m = 0; m < apart->nmembers; m++) {
        edge = fminf(edge, apart->member[m].skin->mean_edge);
        thickness = fminf(thickness, apart->member[m].thickness);
    }
    float most = SHARE_OF_EDGE * edge / fmaxf(2 * rms * substep->h, 1e-30f);
    int substeps = most < 1 ? 1 : most < (float)substep->remaining ? (int)most : substep->remaining;
    apart->calm = CALM * rms * substep->h * (float)substeps < TT_CALM_ROOM * thickness;
    memset(apart->drift, 0, sizeof apart->drift);
    expect_mean(island, substep);
    expect(island, substep, substeps);
    copy_in(island, apart->drift, false, apart->x);
    search_now(team, apart, substeps);
}

/* The first of the particles that a particle is attached to, directly or through others. */
static int first_tied(const tt_apart *apart, int i)
{
    while (apart->tied[i] != i) i = apart->tied[i];
    return i;
}

/* Notes which particles seams and attachments without slack hold together. They need not keep their distance. */
static void note_ties(const tt_island *island)
{
    tt_apart *apart = apart_of(island);
    apart->any_tied = island->nties > 0;
    for (int i = 0; i < apart->nparticles && apart->any_tied; i++) apart->tied[i] = i;
    for (int t = 0; t < island->nties; t++) {
        const tt_tie *tie = island->tie[t];
        int before = -1;
        for (int k = 0; k < tie->nends && !(tie->slack > 0); k++) {
            const tt_tie_end *end = &tie->end[k];
            if (end->body->member >= apart->nmembers) continue;
            int own = first_tied(apart, apart->member[end->body->member].first + end->particle);
            if (before >= 0) apart->tied[own > before ? own : before] = own > before ? before : own;
            before = before >= 0 && before < own ? before : own;
        }
    }
    for (int i = 0; i < apart->nparticles && apart->any_tied; i++) apart->tied[i] = first_tied(apart, i);
}

/* A body that was placed may cross itself or others. Once there is no crossing, there will never be one. */
static void note_crossers(const tt_island *island)
{
    tt_apart *apart = apart_of(island);
    apart->may_cross = apart->any_tangled = false;
    for (int m = 0; m < apart->nmembers; m++)
        if (island->body[m]->may_cross && apart->any_strict) apart->may_cross = true;
}

void tt_apart_begin(tt_work *work)
{
    const tt_island *island = work->island;
    const tt_substep *substep = work->substep;
    tt_apart *apart = apart_of(island);
    if (!apart) return;
    bool first = substep->remaining == substep->count;
    if (first) note_ties(island);
    if (first) note_crossers(island);
    if (first || apart->substeps_left == 0 || apart->left || apart->crowded) search(work->team, island, substep);
    else {
        copy_in(island, apart->drift, false, apart->x);
        expect_mean(island, substep);
    }
    apart->nsprings = 0;
    memset(apart->moved, 0, 4 * (size_t)apart->nparticles * sizeof *apart->moved);
    tt_apart_refresh(apart, team_of(work->team));
    for (int c = 0; c < 3; c++) apart->drift[c] += apart->mean[c] * substep->h;
    apart->substeps_left--;
    apart->along = 1 - (float)apart->substeps_left / (float)apart->substeps;
}

/* ---- Pushing and accepting ---- */

static void copy_all_in(const tt_island *island)
{
    tt_apart *apart = apart_of(island);
    copy_in(island, apart->drift, true, apart->p);
    memcpy(apart->before, apart->p, 4 * (size_t)apart->nparticles * sizeof *apart->p);
}

static tt_apart_view view_of(const tt_body *body)
{
    const tt_balance *b = &body->level[0].balance;
    return body->balanced
               ? (tt_apart_view){b->load, b->way, b->push, b->gone, b->brace[0], b->brace[1], {b->held[0], b->held[1]}}
               : (tt_apart_view){0};
}

/* Copies the places where the mesh would be if it went along a vector of the balance. */
static void copy_ahead(const tt_island *island, bool along_way)
{
    tt_apart *apart = apart_of(island);
    copy_in(island, apart->drift, true, apart->p);
    for (int m = 0; m < apart->nmembers; m++) { /* the fourth numbers of both vectors are 0 */
        const float *by = along_way ? apart->view[m].way : apart->view[m].gone;
        float *p = &apart->p[4 * (size_t)apart->member[m].first];
        for (size_t i = 0; i < 4 * (size_t)apart->member[m].count && by; i++) p[i] += by[i];
    }
}

static void load_springs(const tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    copy_in(work->island, apart->drift, true, apart->p);
    tt_apart_load(apart, work->substep->h);
}

void tt_touch_load_again(tt_work *work)
{
    if (apart_of(work->island)) load_springs(work);
}

/* Springs are chosen where bodies would be without gravity, because there they are in balance if they are at rest. */
void tt_touch_load(tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    if (!apart) return;
    float h = work->substep->h, fall = h * h * (float)vec_length(vec_of(work->substep->world->def.gravity));
    for (int m = 0; m < apart->nmembers; m++) apart->view[m] = view_of(work->island->body[m]);
    copy_ahead(work->island, true);
    tt_apart_choose(apart, h, fall);
    load_springs(work);
}

void tt_touch_catch(tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    if (!apart) return;
    copy_ahead(work->island, false);
    if (tt_apart_catch(apart, work->substep->h)) work->undone = true;
}

void tt_touch_release(tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    if (!apart || apart->nsprings == 0) return;
    copy_ahead(work->island, false);
    if (tt_apart_release(apart, work->substep->h)) work->undone = true;
}

void tt_touch_remember(tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    if (!apart) return;
    copy_ahead(work->island, false);
    tt_apart_remember(apart, work->substep->h);
}

void tt_touch_stiffen(tt_work *work)
{
    if (apart_of(work->island)) tt_apart_stiffen(apart_of(work->island), team_of(work->team));
}

void tt_touch_brace(tt_work *work)
{
    if (apart_of(work->island)) tt_apart_brace(apart_of(work->island));
}

void tt_touch_whole(tt_work *work)
{
    const tt_island *island = work->island;
    tt_apart *apart = apart_of(island);
    for (int m = 0; m < apart->nmembers; m++) {
        tt_balance *b = &island->body[m]->level[0].balance;
        tt_apart_brace_whole(apart, m, b->whole[0], b->whole[1]);
    }
    work->undone = apart->nsprings > 0;
}

void tt_apart_touch(tt_work *work)
{
    tt_apart *apart = apart_of(work->island);
    if (!apart) return;
    copy_all_in(work->island);
    if (apart->any_tangled) tt_apart_untangle(apart, work->substep->h);
    tt_apart_push(apart, work->substep->h, work->substep->pace == TT_COUNTED ? 1 : PASSES);
    copy_out(work->island, apart->drift);
}

/* Searches again for particles that leave their boxes, for example because they landed. */
static void search_again(tt_team team, tt_apart *apart)
{
    double since = tt_clock();
    if (tt_apart_search_again(apart, apart->p, team_of(team)) && apart->may_cross) tt_apart_find_tangles(apart);
    tt_lap(&apart->count.ms, &since);
}

void tt_apart_end(tt_work *work)
{
    const tt_island *island = work->island;
    tt_apart *apart = apart_of(island);
    if (!apart) return;
    copy_all_in(island);
    search_again(work->team, apart);
    tt_apart_accept(apart, team_of(work->team));
    island->body[0]->pair_chunks = apart->wanted_chunks;
    for (int m = 0; m < apart->nmembers; m++) island->body[m]->may_cross = apart->may_cross;
    copy_out(island, apart->drift);
    for (int m = 0; m < apart->nmembers; m++) {
        tt_level *mesh = &island->body[m]->level[0];
        const float *moved = &apart->moved[4 * (size_t)apart->member[m].first];
        for (size_t i = 0; i < 4 * (size_t)apart->member[m].count; i++) mesh->x[i] += moved[i];
    }
}

void tt_apart_settle(tt_work *work)
{
    const tt_island *island = work->island;
    const tt_substep *substep = work->substep;
    tt_apart *apart = apart_of(island);
    if (!apart) return;
    for (int m = 0; m < apart->nmembers; m++)
        memcpy(&apart->aim[4 * (size_t)apart->member[m].first], island->body[m]->level[0].v,
               4 * (size_t)apart->member[m].count * sizeof(float));
    tt_apart_calm(apart, apart->aim, substep->h);
    for (int m = 0; m < apart->nmembers; m++)
        memcpy(island->body[m]->level[0].v, &apart->aim[4 * (size_t)apart->member[m].first],
               4 * (size_t)apart->member[m].count * sizeof(float));
}

/* ---- Islands ---- */

taut_contact tt_body_contact(const tt_body *body)
{
    return tt_contact_of(&body->material, tt_body_model(body)->mesh_type);
}

static tt_apart_member describe(const tt_body *body)
{
    const taut_model *model = tt_body_model(body);
    return (tt_apart_member){.skin = &model->skin,
                             .rest = model->rest,
                             .count = model->nparticles,
                             .used = model->nvertices,
                             .thickness = tt_apart_thickness(body),
                             .friction = body->material.contact_friction,
                             .body = body->slot,
                             .contact = tt_body_contact(body),
                             .layer = body->material.layer,
                             .group = body->group,
                             .mask = body->mask};
}

/* Layers of a fine mesh cannot keep a large thickness, because its features are close to each other. */
float tt_apart_thickness(const tt_body *body)
{
    return fminf(body->material.thickness, THICKEST * tt_body_model(body)->skin.mean_edge);
}

bool tt_body_touches(const tt_body *body)
{
    return (tt_body_contact(body) != TAUT_CONTACT_OFF || body->paired) && tt_body_model(body)->skin.ntris > 0;
}

bool tt_apart_prepare(const taut_world *world, tt_island *island)
{
    tt_apart_member *scratch = world->joint.member;
    tt_body *first = island->body[0];
    for (int b = 0; b < island->ntouching; b++) scratch[b] = describe(island->body[b]);
    if (!first->apart) {
        first->apart = TT_TAKE(&first->scope, tt_apart, 1);
        if (!first->apart) return false;
        tt_apart_open(first->apart, &first->scope.allocator);
    }
    first->apart->wanted_chunks = first->pair_chunks;
    first->apart->set = world->broad.shapes;
    first->apart->tiers = &world->tiers;
    return tt_apart_reserve(first->apart, scratch, island->ntouching);
}
