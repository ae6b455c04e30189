/* Shortest ways along a surface, found like the paths of light.
 *
 * Distances spread from the sources in order of length, along edges (Dijkstra) and across triangles in beams. A beam
 * enters a triangle through a side, gives the opposite vertex its distance and leaves through the two other sides, with
 * its source unfolded into each next plane (Mitchell, Mount, Papadimitriou 1987; Xin and Wang 2009). A vertex that
 * casts a shadow (at the rim of a hole, at a saddle) becomes a source in turn.
 *
 * Exact methods keep every beam. There are far too many of them, because each vertex in the way splits a beam. Here
 * beams through one side whose sources coincide are joined again. So a developable surface (a sheet, a tube) has one
 * beam for each side. Of other beams only the few best are kept. Every distance is still the length of a real path. */
#include "mesh/geodesic.h"

#include "base/exact.h"
#include "mesh/queue.h"
#include "mesh/straight.h"

#include <stdatomic.h>

enum { BEAMS_A_SIDE = 8, PAIRS_A_LOT = 256 };
enum { CHUNK_BITS = 10, CHUNK = 1 << CHUNK_BITS, MOST_RAYS = 1 << 30 };

static const double SAME = 1e-6;      /* of their distance: sources this close are one             */
static const double NOT_FLAT = 1e-4;  /* of a flat angle: a vertex with more than this above it casts a shadow */
static const double BEYOND = 1.25;    /* times a distance: no beam comes back from farther away    */
static const double ROUNDING = 1e-12; /* a way counts as shorter only by this part of its length   */

typedef struct ray { /* a beam on its way into the triangle of side `slot` */
    tt_beam beam;
    double base; /* distance of the vertex `root` from which it shines, at the time when it was sent out */
    int root, slot;
    int next;     /* ray of the same slot, or -1 */
    bool waiting; /* in the queue                */
} ray;

/* The data that all fronts on a terrain share. */
typedef struct land {
    const tt_terrain *terrain;
    bool *turns;  /* per vertex: shortest ways may turn there             */
    double *ring; /* NULL, or the length of the edge of each ring's entry */
} land;

typedef struct front {
    tt_scope scratch;
    const land *land;
    const tt_terrain *terrain;
    const taut_mesh *mesh;
    const tt_topology *topology;
    double *distance;
    int *nearest;
    int *first;                         /* first ray of each slot, or -1            */
    int *touched_vertex, *touched_slot; /* by the search from one vertex */
    int ntouched_vertices, ntouched_slots;
    ray **chunk; /* rays, CHUNK at a time: they never move   */
    int nrays, most_rays;
    tt_queue queue; /* of vertices, and of rays: nvertices + ray */
    bool out_of_memory;
} front;

static void push(front *f, double key, int item)
{
    if (!tt_queue_push(&f->scratch, &f->queue, key, item)) f->out_of_memory = true;
}

/* ---- Vertices and beams ---- */

/* The length of the edge from v to neighbour k of the rings. */
static double ring_length(const front *f, int v, int k)
{
    if (f->land->ring) return f->land->ring[k];
    return vec_length(vec_sub(tt_terrain_at(f->terrain, f->topology->ring[k]), tt_terrain_at(f->terrain, v)));
}

static ray *ray_at(const front *f, int i) { return &f->chunk[i >> CHUNK_BITS][i & (CHUNK - 1)]; }

static void offer(front *f, int v, double distance, int nearest)
{
    if (!(distance < f->distance[v] * (1 - ROUNDING))) return;
    if (f->touched_vertex && isinf(f->distance[v])) f->touched_vertex[f->ntouched_vertices++] = v;
    f->distance[v] = distance;
    f->nearest[v] = nearest;
    push(f, distance, v);
}

/* Whether a shorter way to the root has been found since, so that the root has sent out better rays. */
static bool is_stale(const front *f, const ray *r) { return r->base > f->distance[r->root]; }

static double apex_distance(const ray *r, const tt_flat *flat) { return r->base + tt_beam_to_apex(&r->beam, flat); }

/* A beam contains no shortest way if even at its far end the way through a vertex of the side is shorter (Xin and Wang
 * 2009, theorem 3.2). */
static bool is_useless(const front *f, const ray *r, const tt_flat *flat)
{
    const int *tri = f->mesh->tri;
    double from = f->distance[tri[r->slot]], to = f->distance[tri[tt_slot_next(r->slot)]];
    double at_lo = r->base + tt_beam_length(&r->beam, r->beam.lo);
    double at_hi = r->base + tt_beam_length(&r->beam, r->beam.hi);
    return from + r->beam.hi < at_hi * (1 - ROUNDING) || to + flat->length - r->beam.lo < at_lo * (1 - ROUNDING);
}

/* Joins two beams of one source that touch. Returns whether it did; `grown` tells whether `old` is wider now. */
static bool join(ray *old, const ray *r, bool *grown)
{
    tt_beam *o = &old->beam;
    const tt_beam *b = &r->beam;
    double slack = SAME * (sqrt(o->sx * o->sx + o->sy * o->sy) + old->base);
    if (old->root != r->root || old->base != r->base || fabs(o->sx - b->sx) + fabs(o->sy - b->sy) > slack) return false;
    if (b->lo > o->hi + slack || b->hi < o->lo - slack) return false;
    *grown = b->lo < o->lo - slack || b->hi > o->hi + slack;
    o->lo = fmin(o->lo, b->lo);
    o->hi = fmax(o->hi, b->hi);
    return true;
}

static ray *new_ray(front *f, int *index)
{
    ray **chunk = &f->chunk[f->nrays >> CHUNK_BITS];
    if (f->nrays < f->most_rays && !*chunk) *chunk = TT_TAKE(&f->scratch, ray, CHUNK);
    if (f->nrays == f->most_rays || !*chunk) {
        f->out_of_memory = true;
        return NULL;
    }
    *index = f->nrays++;
    return ray_at(f, *index);
}

/* Finds a place for the ray among those of its slot. It is joined to one, replaces a stale one, is added as a new one,
 * or replaces the one that gives the apex the longest distance. Returns its index, or -1 when it adds nothing. */
static int place_ray(front *f, const ray *r, const tt_flat *flat)
{
    int count = 0, worst = -1, stale = -1;
    double worst_distance = apex_distance(r, flat);
    for (int i = f->first[r->slot]; i >= 0; i = ray_at(f, i)->next, count++) {
        ray *old = ray_at(f, i);
        bool grown;
        if (join(old, r, &grown)) return grown ? i : -1;
        if (is_stale(f, old)) stale = i;
        double distance = apex_distance(old, flat);
        if (distance > worst_distance) {
            worst_distance = distance;
            worst = i;
        }
    }
    int place = stale >= 0 ? stale : worst;
    if (stale < 0 && count < BEAMS_A_SIDE) {
        ray *added = new_ray(f, &place);
        if (!added) return -1;
        *added = *r;
        if (f->touched_slot && f->first[r->slot] < 0) f->touched_slot[f->ntouched_slots++] = r->slot;
        added->next = f->first[r->slot];
        added->waiting = false;
        f->first[r->slot] = place;
    } else if (place >= 0) {
        ray *old = ray_at(f, place);
        old->beam = r->beam;
        old->base = r->base;
        old->root = r->root;
    }
    return place;
}

static void enter(front *f, const ray *r)
{
    tt_flat flat = tt_lay_flat(f->terrain, r->slot);
    if (!(flat.length > 0) || is_useless(f, r, &flat)) return;
    int place = place_ray(f, r, &flat);
    if (place < 0) return;
    ray *kept = ray_at(f, place);
    double distance = apex_distance(kept, &flat);
    offer(f, f->mesh->tri[tt_slot_apex(kept->slot)], distance, f->nearest[kept->root]);
    if (kept->waiting) return;
    kept->waiting = true;
    push(f, distance, f->mesh->nvertices + place);
}

/* Sends a beam out of a triangle through the side `slot` into all other triangles on that edge. The beam's coordinate 0
 * is at vertex `origin`. */
static void leave(front *f, int slot, int origin, double length, ray r)
{
    tt_beam mirrored = tt_beam_mirror(r.beam, length), straight = r.beam;
    for (int other = f->topology->across[slot]; other != slot; other = f->topology->across[other]) {
        r.slot = other;
        r.beam = f->mesh->tri[other] == origin ? straight : mirrored;
        enter(f, &r);
    }
}

static double apex_side(tt_flat flat) { return sqrt(flat.ax * flat.ax + flat.ay * flat.ay); }

static void advance(front *f, int index)
{
    ray r = *ray_at(f, index);
    ray_at(f, index)->waiting = false;
    if (is_stale(f, &r)) return;
    tt_flat flat = tt_lay_flat(f->terrain, r.slot), flat_mirrored = tt_flat_mirror(flat);
    tt_beam beam = r.beam, mirrored = tt_beam_mirror(beam, flat.length);
    const int *tri = f->mesh->tri;
    int next = tt_slot_next(r.slot), last = tt_slot_apex(r.slot);
    if (tt_beam_pass_left(&beam, &flat, &r.beam)) leave(f, last, tri[r.slot], apex_side(flat), r);
    if (tt_beam_pass_left(&mirrored, &flat_mirrored, &r.beam)) leave(f, next, tri[next], apex_side(flat_mirrored), r);
}

/* Sends beams from a vertex through the far sides of all its triangles. */
static void shine(front *f, int v)
{
    for (int k = f->terrain->corner_start[v]; k < f->terrain->corner_start[v + 1]; k++) {
        int far_side = tt_slot_next(f->terrain->corner[k]);
        tt_flat flat = tt_lay_flat(f->terrain, far_side);
        ray r = {.beam = {flat.ax, flat.ay, 0, flat.length}, .base = f->distance[v], .root = v};
        leave(f, far_side, f->mesh->tri[far_side], flat.length, r);
    }
}

static void spread(front *f, int v)
{
    const tt_topology *topology = f->topology;
    for (int k = topology->ring_start[v]; k < topology->ring_start[v + 1]; k++) {
        int u = topology->ring[k];
        offer(f, u, f->distance[v] + ring_length(f, v, k), f->nearest[v]);
    }
    if (f->land->turns[v] || f->nearest[v] == v) shine(f, v);
}

/* ---- Preparation ---- */

static double corner_angle(const tt_terrain *terrain, int corner)
{
    tt_flat flat = tt_lay_flat(terrain, corner); /* the side that starts in the corner */
    return tt_atan2(flat.ay, flat.ax);
}

/* A vertex with two rim edges and any number of inner ones has a plain fan of triangles, unless an edge is MIXED. */
enum { INNER = 0, RIM = 1, MIXED = 3 };

static int edge_kind(const tt_edge *edge)
{
    if (edge->nlines > 0 || edge->ntris == 0 || edge->ntris > 2) return MIXED;
    return edge->ntris == 1 ? RIM : INNER;
}

/* Ways turn at a vertex with more than a flat angle on a side: at a saddle inside, at a reflex vertex on the rim. They
 * may also turn at a vertex that has anything but one plain fan. */
static bool find_turns(tt_scope *scratch, land *l)
{
    const tt_terrain *terrain = l->terrain;
    const tt_topology *topology = terrain->topology;
    int nvertices = terrain->mesh->nvertices;
    int *kinds = TT_TAKE(scratch, int, nvertices); /* sums over the edges of a vertex */
    l->turns = TT_TAKE(scratch, bool, nvertices);
    if (!kinds || !l->turns) return false;
    for (int e = 0; e < topology->nedges; e++) {
        const tt_edge *edge = &topology->edge[e];
        kinds[edge->a] += edge_kind(edge);
        kinds[edge->b] += edge_kind(edge);
    }
    for (int v = 0; v < nvertices; v++) {
        double flat = kinds[v] == 0 ? 2 * TT_PI : kinds[v] == 2 * RIM ? TT_PI : 0, angle = 0;
        for (int k = terrain->corner_start[v]; k < terrain->corner_start[v + 1]; k++)
            angle += corner_angle(terrain, terrain->corner[k]);
        l->turns[v] = angle > flat * (1 + NOT_FLAT);
    }
    return true;
}

static bool take_ring_lengths(tt_scope *scratch, land *l)
{
    const tt_topology *topology = l->terrain->topology;
    int nvertices = l->terrain->mesh->nvertices;
    if (!l->terrain->length) return true;
    l->ring = TT_TAKE(scratch, double, topology->ring_start[nvertices]);
    for (int v = 0; l->ring && v < nvertices; v++)
        for (int k = topology->ring_start[v]; k < topology->ring_start[v + 1]; k++)
            l->ring[k] = l->terrain->length[tt_find_edge(topology, v, topology->ring[k])];
    return l->ring;
}

static bool survey(tt_scope *scratch, const tt_terrain *terrain, land *l)
{
    *l = (land){.terrain = terrain};
    return find_turns(scratch, l) && take_ring_lengths(scratch, l);
}

static bool open_front(const land *l, double *distance, int *nearest, front *f)
{
    const taut_mesh *mesh = l->terrain->mesh;
    size_t nsides = 3 * (size_t)mesh->ntris;
    f->land = l, f->terrain = l->terrain, f->mesh = mesh, f->topology = l->terrain->topology;
    f->distance = distance, f->nearest = nearest;
    f->first = TT_TAKE(&f->scratch, int, nsides);
    f->most_rays = BEAMS_A_SIDE * nsides < MOST_RAYS ? (int)(BEAMS_A_SIDE * nsides) : MOST_RAYS;
    f->chunk = TT_TAKE(&f->scratch, ray *, f->most_rays / CHUNK + 1);
    for (size_t s = 0; f->first && s < nsides; s++) f->first[s] = -1;
    return distance && nearest && f->first && f->chunk;
}

/* Processes the next vertex or beam of the queue. */
static void go_on(front *f)
{
    tt_queued next = tt_queue_pop(&f->queue);
    if (next.item >= f->mesh->nvertices) advance(f, next.item - f->mesh->nvertices);
    else if (next.key <= f->distance[next.item]) spread(f, next.item);
}

bool tt_geodesic(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const unsigned char *source,
                 double *distance, int *nearest)
{
    front f = {0};
    tt_terrain terrain;
    land l;
    tt_scope_open(&f.scratch, &scope->allocator);
    bool ok = tt_terrain_build(&f.scratch, mesh, topology, NULL, &terrain) && survey(&f.scratch, &terrain, &l) &&
              open_front(&l, distance, nearest, &f);
    for (int v = 0; ok && v < mesh->nvertices; v++) {
        distance[v] = source[v] ? 0 : INFINITY;
        nearest[v] = source[v] ? v : -1;
        if (source[v]) push(&f, 0, v);
    }
    while (ok && f.queue.count > 0 && !f.out_of_memory) go_on(&f);
    ok = ok && !f.out_of_memory;
    tt_scope_close(&f.scratch);
    return ok;
}

/* ---- Pairs ---- */

/* Shared by the threads that look for the ways between pairs. */
typedef struct party {
    tt_scope *scope;
    tt_terrain terrain;
    land land;
    int npairs;
    const int (*pair)[2];
    double *between; /* INFINITY: not found yet */
    atomic_int next; /* the first pair that no thread has taken up */
    atomic_bool failed;
} party;

/* Tries the straight way for each pair of a lot. */
static void go_straight(void *argument, int lot)
{
    party *p = argument;
    int last = p->npairs - lot * PAIRS_A_LOT < PAIRS_A_LOT ? p->npairs : (lot + 1) * PAIRS_A_LOT;
    for (int i = lot * PAIRS_A_LOT; i < last; i++)
        p->between[i] = tt_straight_way(&p->terrain, p->pair[i][0], p->pair[i][1]);
}

static bool open_searcher(const land *l, front *f)
{
    size_t nvertices = (size_t)l->terrain->mesh->nvertices;
    double *distance = TT_TAKE(&f->scratch, double, nvertices);
    int *nearest = TT_TAKE(&f->scratch, int, nvertices);
    f->touched_vertex = TT_TAKE(&f->scratch, int, nvertices);
    f->touched_slot = TT_TAKE(&f->scratch, int, 3 * (size_t)l->terrain->mesh->ntris);
    for (size_t v = 0; distance && v < nvertices; v++) distance[v] = INFINITY;
    return f->touched_vertex && f->touched_slot && open_front(l, distance, nearest, f);
}

static void forget(front *f)
{
    for (int i = 0; i < f->ntouched_vertices; i++) f->distance[f->touched_vertex[i]] = INFINITY;
    for (int i = 0; i < f->ntouched_slots; i++) f->first[f->touched_slot[i]] = -1;
    f->ntouched_vertices = f->ntouched_slots = f->nrays = f->queue.count = 0;
}

/* An upper bound of the distance to the farthest vertex that is still to be found. */
static double farthest(const front *f, int npairs, const int (*pair)[2], const double *between)
{
    double most = 0;
    for (int i = 0; i < npairs; i++)
        if (isinf(between[i]) && f->distance[pair[i][1]] > most) most = f->distance[pair[i][1]];
    return most;
}

/* Searches from the first vertex, which all pairs share, until the queue has nothing nearer than the farthest second
 * vertex. A beam waits in the queue with the distance of its apex, which may lie beyond vertices that the beam has yet
 * to reach. BEYOND allows for that. */
static void search_from(front *f, int npairs, const int (*pair)[2], double *between)
{
    int source = pair[0][0];
    forget(f);
    f->nearest[source] = source;
    offer(f, source, 0, source);
    while (f->queue.count > 0 && !f->out_of_memory &&
           f->queue.heap[0].key < BEYOND * farthest(f, npairs, pair, between))
        go_on(f);
    for (int i = 0; i < npairs; i++)
        if (isinf(between[i])) between[i] = f->distance[pair[i][1]];
}

/* The number of pairs from `first` on that share their first vertex; 0 if all of them have been found. */
static int count_lost(const party *p, int first)
{
    int source = p->pair[first][0], end = first;
    bool lost = false;
    if (first > 0 && p->pair[first - 1][0] == source) return 0; /* the pair before is the first of them */
    for (; end < p->npairs && p->pair[end][0] == source; end++) lost = lost || isinf(p->between[end]);
    return lost ? end - first : 0;
}

static void search(void *argument, int thread)
{
    (void)thread;
    party *p = argument;
    front f = {0};
    tt_scope_open(&f.scratch, &p->scope->allocator);
    bool ok = open_searcher(&p->land, &f);
    for (int i; ok && (i = atomic_fetch_add(&p->next, 1)) < p->npairs; ok = !f.out_of_memory) {
        int count = count_lost(p, i);
        if (count > 0) search_from(&f, count, p->pair + i, p->between + i);
    }
    if (!ok) atomic_store(&p->failed, true);
    tt_scope_close(&f.scratch);
}

static bool find_ways(party *p, tt_scope *scratch, tt_pool *pool)
{
    tt_pool_run((p->npairs + PAIRS_A_LOT - 1) / PAIRS_A_LOT, go_straight, p, pool);
    int lost = 0;
    while (lost < p->npairs && isfinite(p->between[lost])) lost++;
    if (lost == p->npairs) return true;
    if (!survey(scratch, &p->terrain, &p->land)) return false;
    tt_pool_run(tt_pool_threads(pool), search, p, pool);
    return !atomic_load(&p->failed);
}

bool tt_geodesic_pairs(tt_scope *scope, tt_pool *pool, const taut_mesh *mesh, const tt_topology *topology,
                       const double *length, int npairs, const int (*pair)[2], double *between)
{
    tt_scope scratch;
    party p = {.scope = scope, .npairs = npairs, .pair = pair, .between = between};
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = tt_terrain_build(&scratch, mesh, topology, length, &p.terrain) && find_ways(&p, &scratch, pool);
    tt_scope_close(&scratch);
    return ok;
}
