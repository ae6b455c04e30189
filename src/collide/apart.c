/* The memory of tt_apart. */
#include "collide/apart.h"

enum { LEAST_CHUNKS = 8 };

void tt_apart_open(tt_apart *apart, const taut_allocator *allocator)
{
    tt_scope scope;
    tt_scope_open(&scope, allocator);
    *apart = (tt_apart){.scope = scope};
}

void tt_apart_close(tt_apart *apart) { tt_scope_close(&apart->scope); }

static bool is_any_strict(const tt_apart *apart)
{
    const tt_tiers *tiers = apart->tiers;
    bool any = false;
    for (int i = 0; i < apart->nmembers; i++) {
        any = any || apart->member[i].contact == TAUT_CONTACT_STRICT;
        for (int k = 0; k < tiers->count && !any; k++)
            any = tiers->tier[k].contact == TAUT_CONTACT_STRICT &&
                  (tiers->tier[k].a == apart->member[i].body || tiers->tier[k].b == apart->member[i].body);
    }
    return any;
}

/* Lays the members out one after the other. */
static void lay_out(tt_apart *apart, const tt_apart_member *member, int nmembers)
{
    apart->nmembers = nmembers;
    apart->nparticles = apart->ntris = apart->nsides = apart->nnodes = apart->nleaves = 0;
    for (int i = 0; i < nmembers; i++) {
        tt_apart_member *m = &apart->member[i];
        *m = member[i];
        m->first = apart->nparticles;
        m->first_tri = apart->ntris;
        m->first_side = apart->nsides;
        m->first_node = apart->nnodes;
        m->first_leaf = apart->nleaves;
        for (int k = 0; k < m->count; k++) apart->owner[m->first + k] = i;
        apart->nparticles += m->count;
        apart->ntris += m->skin->ntris;
        apart->nsides += m->skin->nsides;
        apart->nnodes += m->skin->nnodes;
        apart->nleaves += m->skin->nleaves;
    }
    apart->any_strict = is_any_strict(apart);
}

typedef struct sizes {
    int members, particles, tris, sides, nodes, leaves, chunks, tasks;
} sizes;

/* The densest piles take about four chunks a triangle. */
static int most_wanted(int ntris)
{
    enum { SPARE = 256, PER_TRIANGLE = 16 };
    return ntris < TT_APART_MOST_CHUNKS / PER_TRIANGLE ? SPARE + PER_TRIANGLE * ntris : TT_APART_MOST_CHUNKS;
}

static sizes sizes_for(const tt_apart *apart, const tt_apart_member *member, int nmembers)
{
    sizes s = {.members = nmembers};
    int pairs = 0;
    for (int i = 0; i < nmembers; i++) {
        s.particles += member[i].count;
        s.tris += member[i].skin->ntris;
        s.sides += member[i].skin->nsides;
        s.nodes += member[i].skin->nnodes;
        s.leaves += member[i].skin->nleaves;
        pairs += member[i].skin->npairs;
    }
    s.tasks = 2 * TT_APART_SPARE + s.nodes / 4 + pairs / 1024 + nmembers * 3;
    s.chunks = s.tasks + LEAST_CHUNKS + s.tris * 8 / TT_APART_CHUNK;
    int wanted = 2 * apart->wanted_chunks, most = 2 * most_wanted(s.tris);
    if (wanted > most) wanted = most; /* a forged save may want anything */
    if (wanted > s.chunks) s.chunks = wanted;
    return s;
}

static bool take(tt_apart *apart, const sizes *s)
{
    size_t n = (size_t)s->particles, pairs = (size_t)s->chunks * TT_APART_CHUNK;
    tt_scope *scope = &apart->scope;
    apart->member = TT_TAKE(scope, tt_apart_member, s->members);
    apart->view = TT_TAKE(scope, tt_apart_view, s->members);
    apart->owner = TT_TAKE(scope, int, n);
    apart->p = TT_TAKE(scope, float, 4 * n), apart->x = TT_TAKE(scope, float, 4 * n);
    apart->aim = TT_TAKE(scope, float, 4 * n), apart->way = TT_TAKE(scope, float, 4 * n);
    apart->moved = TT_TAKE(scope, float, 4 * n), apart->before = TT_TAKE(scope, float, 4 * n);
    apart->from = TT_TAKE(scope, float, 4 * n), apart->to = TT_TAKE(scope, float, 4 * n);
    apart->room = TT_TAKE(scope, float, 4 * n);
    apart->box = TT_TAKE(scope, tt_apart_box, n);
    apart->tri_box = TT_TAKE(scope, tt_apart_box, s->tris);
    apart->side_box = TT_TAKE_RAW(scope, tt_apart_box, s->sides);
    apart->node_box = TT_TAKE(scope, tt_apart_box, s->nodes);
    apart->leaf_boxes = TT_TAKE_RAW(scope, tt_leaf_boxes, s->leaves);
    apart->share = TT_TAKE(scope, float, n);
    apart->plain = TT_TAKE(scope, uint8_t, n), apart->loose = TT_TAKE(scope, uint8_t, n);
    apart->loose_tri = TT_TAKE(scope, uint8_t, s->tris), apart->loose_node = TT_TAKE(scope, uint8_t, s->nodes);
    apart->tied = TT_TAKE(scope, int, n);
    apart->tangled = TT_TAKE(scope, uint8_t, n);
    apart->pull = TT_TAKE(scope, float, 4 * n);
    apart->part = TT_TAKE(scope, int, n);
    apart->cut = TT_TAKE(scope, uint8_t, s->tris);
    apart->task = TT_TAKE_RAW(scope, tt_apart_task, s->tasks);
    apart->chunk = TT_TAKE_RAW(scope, tt_apart_chunk, s->chunks);
    apart->next_chunk = TT_TAKE_RAW(scope, int, s->chunks);
    apart->pair = TT_TAKE_RAW(scope, tt_apart_pair *, pairs);
    apart->failing = TT_TAKE_RAW(scope, uint8_t, pairs);
    apart->spring = TT_TAKE_RAW(scope, tt_apart_spring, pairs);
    apart->anchor = TT_TAKE(scope, tt_apart_anchor, 2 * n);
    apart->normal = TT_TAKE(scope, float, 4 * n);
    apart->packed = TT_TAKE_RAW(scope, tt_packed_spring, pairs), apart->strain = TT_TAKE_RAW(scope, tt_four, pairs);
    apart->first_end = TT_TAKE(scope, int, n + 1);
    apart->end = TT_TAKE_RAW(scope, tt_spring_end, 4 * pairs);
    apart->room_chunks = s->chunks;
    apart->most_tasks = s->tasks;
    return apart->member && apart->view && apart->owner && apart->p && apart->x && apart->aim && apart->way &&
           apart->moved && apart->before && apart->from && apart->to && apart->room && apart->box && apart->tri_box &&
           apart->side_box && apart->node_box && apart->leaf_boxes && apart->share && apart->plain && apart->loose &&
           apart->loose_tri && apart->loose_node && apart->tied && apart->tangled && apart->pull && apart->part &&
           apart->cut && apart->task && apart->chunk && apart->next_chunk && apart->pair && apart->failing &&
           apart->spring && apart->anchor && apart->normal && apart->packed && apart->strain && apart->first_end &&
           apart->end;
}

static bool fits(const tt_apart *apart, const tt_apart_member *member, int nmembers, const sizes *s)
{
    if (!apart->is_open || nmembers != apart->nmembers || s->chunks > apart->room_chunks ||
        s->tasks > apart->most_tasks)
        return false;
    for (int i = 0; i < nmembers; i++)
        if (member[i].skin != apart->member[i].skin) return false;
    return true;
}

bool tt_apart_reserve(tt_apart *apart, const tt_apart_member *member, int nmembers)
{
    sizes s = sizes_for(apart, member, nmembers);
    if (!fits(apart, member, nmembers, &s)) {
        tt_apart larger = {
            .wanted_chunks = apart->wanted_chunks, .count = apart->count, .set = apart->set, .tiers = apart->tiers};
        tt_scope_open(&larger.scope, &apart->scope.allocator);
        if (!take(&larger, &s)) {
            tt_scope_close(&larger.scope);
            return false;
        }
        tt_scope_close(&apart->scope);
        *apart = larger;
        apart->is_open = true;
    }
    apart->most_chunks = s.chunks;
    lay_out(apart, member, nmembers);
    apart->npairs = 0;
    return true;
}
