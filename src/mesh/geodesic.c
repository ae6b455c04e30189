/* Shortest ways along a surface, by light.
 *
 * Distances spread from the sources in order of length, along edges (Dijkstra) and across triangles
 * in beams: a beam enters a triangle through a side, gives the opposite vertex its distance and
 * leaves through the two other sides, with its source unfolded into each next plane (Mitchell,
 * Mount, Papadimitriou 1987; Xin and Wang 2009). Where light casts a shadow (at the rim of a hole,
 * at a saddle) the vertex becomes a source in turn.
 *
 * Exact methods keep every beam, and there are far too many of them, as each vertex in the way
 * splits one. Here beams on one side whose sources coincide are joined again, which leaves one beam
 * a side where the surface is developable (a sheet, a tube), and of others only the few best are
 * kept. Every distance is still the length of a real path. */
#include "mesh/geodesic.h"

#include "base/exact.h"
#include "base/vec.h"
#include "mesh/queue.h"
#include "mesh/sides.h"
#include "mesh/unfold.h"

enum { BEAMS_A_SIDE = 8 };
enum { CHUNK_BITS = 10, CHUNK = 1 << CHUNK_BITS, MOST_RAYS = 1 << 30 };

static const double SAME = 1e-6;      /* of its distance: sources this close are one           */
static const double NOT_FLAT = 1e-4;  /* of a flat angle: more than that above it casts shadow */
static const double BEYOND = 1.25;    /* times a distance: beams do not come back from there   */
static const double ROUNDING = 1e-12; /* a way must be shorter by this part to count           */

typedef struct ray { /* a beam on its way into the triangle of side `slot` */
    tt_beam beam;
    double base; /* distance of the vertex `root` it shines from, when it was sent out */
    int root, slot;
    int next;     /* ray of the same slot, or -1 */
    bool waiting; /* in the queue                */
} ray;

typedef struct front {
    tt_scope scratch;
    const taut_mesh *mesh;
    const tt_topology *topology;
    double *distance;
    int *nearest;
    bool *turns;                /* per vertex: shortest ways may turn there          */
    int *corner_start, *corner; /* corners of each vertex, as indices into mesh->tri */
    int *across;                /* the next slot on the same edge, round and round   */
    int *first;                 /* first ray of each slot, or -1                     */
    double *side;               /* NULL, or the length of each slot's side           */
    double *ring;               /* NULL, or the length of each ring's edges          */
    int *touched_vertex, *touched_slot; /* what a search from one vertex leaves behind */
    int ntouched_vertices, ntouched_slots;
    ray **chunk;                /* rays, CHUNK at a time: they never move            */
    int nrays, most_rays;
    tt_queue queue; /* of vertices, and of rays: nvertices + ray */
    bool out_of_memory;
} front;

static void push(front *f, double key, int item)
{
    if (!tt_queue_push(&f->scratch, &f->queue, key, item)) f->out_of_memory = true;
}

/* ---- Geometry ---- */

static vec3 position(const front *f, int v) { return vec_of(f->mesh->x + 3 * (size_t)v); }

/* The length of the edge from v to neighbour k of the rings. */
static double ring_length(const front *f, int v, int k)
{
    return f->ring ? f->ring[k] : vec_length(vec_sub(position(f, f->topology->ring[k]), position(f, v)));
}

static tt_flat lay_flat_by_lengths(const double *side, int slot)
{
    double length = side[slot], right = side[tt_slot_next(slot)], left = side[tt_slot_apex(slot)];
    if (!(length > 0)) return (tt_flat){0, 0, 0};
    double along = (length * length + left * left - right * right) / (2 * length);
    return (tt_flat){length, along, sqrt(fmax(0, left * left - along * along))};
}

static tt_flat lay_flat(const front *f, int slot)
{
    const int *tri = f->mesh->tri;
    if (f->side) return lay_flat_by_lengths(f->side, slot);
    vec3 origin = position(f, tri[slot]);
    vec3 side = vec_sub(position(f, tri[tt_slot_next(slot)]), origin);
    vec3 apex = vec_sub(position(f, tri[tt_slot_apex(slot)]), origin);
    double length = vec_length(side);
    if (!(length > 0)) return (tt_flat){0, 0, 0};
    return (tt_flat){length, vec_dot(apex, side) / length,
                     vec_length(vec_cross(side, apex)) / length};
}

/* ---- Vertices and beams ---- */

static ray *ray_at(const front *f, int i) { return &f->chunk[i >> CHUNK_BITS][i & (CHUNK - 1)]; }

static void offer(front *f, int v, double distance, int nearest)
{
    if (!(distance < f->distance[v] * (1 - ROUNDING))) return;
    if (f->touched_vertex && isinf(f->distance[v])) f->touched_vertex[f->ntouched_vertices++] = v;
    f->distance[v] = distance;
    f->nearest[v] = nearest;
    push(f, distance, v);
}

/* The root has been found nearer since, and has sent out better rays. */
static bool is_stale(const front *f, const ray *r) { return r->base > f->distance[r->root]; }

static double apex_distance(const ray *r, const tt_flat *flat)
{
    return r->base + tt_beam_to_apex(&r->beam, flat);
}

/* No shortest way is in a beam when even at its far end the way through a vertex of the side is
 * shorter (Xin and Wang 2009, theorem 3.2). */
static bool is_useless(const front *f, const ray *r, const tt_flat *flat)
{
    const int *tri = f->mesh->tri;
    double from = f->distance[tri[r->slot]], to = f->distance[tri[tt_slot_next(r->slot)]];
    double at_lo = r->base + tt_beam_reach(&r->beam, r->beam.lo);
    double at_hi = r->base + tt_beam_reach(&r->beam, r->beam.hi);
    return from + r->beam.hi < at_hi * (1 - ROUNDING) ||
           to + flat->length - r->beam.lo < at_lo * (1 - ROUNDING);
}

/* Beams of one source that touch are one beam. Returns whether they were, and in `grown` whether
 * `old` is wider now. */
static bool join(ray *old, const ray *r, bool *grown)
{
    tt_beam *o = &old->beam;
    const tt_beam *b = &r->beam;
    double slack = SAME * (sqrt(o->sx * o->sx + o->sy * o->sy) + old->base);
    if (old->root != r->root || old->base != r->base ||
        fabs(o->sx - b->sx) + fabs(o->sy - b->sy) > slack)
        return false;
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

/* Finds the ray a place among those of its slot: joined to one, instead of a stale one, as a new
 * one, or instead of the one that serves the apex worst. Returns its index, or -1 when it adds
 * nothing. */
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
    tt_flat flat = lay_flat(f, r->slot);
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

/* Sends a beam out of a triangle through the side `slot` into all the others there. The beam's 0 is
 * vertex `origin`. */
static void leave(front *f, int slot, int origin, double length, ray r)
{
    tt_beam mirrored = tt_beam_mirror(r.beam, length), straight = r.beam;
    for (int other = f->across[slot]; other != slot; other = f->across[other]) {
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
    tt_flat flat = lay_flat(f, r.slot), flat_mirrored = tt_flat_mirror(flat);
    tt_beam beam = r.beam, mirrored = tt_beam_mirror(beam, flat.length);
    const int *tri = f->mesh->tri;
    int next = tt_slot_next(r.slot), last = tt_slot_apex(r.slot);
    if (tt_beam_pass_left(&beam, &flat, &r.beam)) leave(f, last, tri[r.slot], apex_side(flat), r);
    if (tt_beam_pass_left(&mirrored, &flat_mirrored, &r.beam))
        leave(f, next, tri[next], apex_side(flat_mirrored), r);
}

/* A vertex shines through the far sides of all its triangles. */
static void shine(front *f, int v)
{
    for (int k = f->corner_start[v]; k < f->corner_start[v + 1]; k++) {
        int far_side = tt_slot_next(f->corner[k]);
        tt_flat flat = lay_flat(f, far_side);
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
    if (f->turns[v] || f->nearest[v] == v) shine(f, v);
}

/* ---- Preparation ---- */

static bool take_arrays(front *f)
{
    size_t nvertices = (size_t)f->mesh->nvertices, nsides = 3 * (size_t)f->mesh->ntris;
    f->turns = TT_TAKE(&f->scratch, bool, nvertices);
    f->corner_start = TT_TAKE(&f->scratch, int, nvertices + 1);
    f->corner = TT_TAKE(&f->scratch, int, nsides);
    f->across = TT_TAKE(&f->scratch, int, nsides);
    f->first = TT_TAKE(&f->scratch, int, nsides);
    f->most_rays = BEAMS_A_SIDE * nsides < MOST_RAYS ? (int)(BEAMS_A_SIDE * nsides) : MOST_RAYS;
    f->chunk = TT_TAKE(&f->scratch, ray *, f->most_rays / CHUNK + 1);
    return f->turns && f->corner_start && f->corner && f->across && f->first && f->chunk;
}

static void find_corners(front *f)
{
    int nvertices = f->mesh->nvertices, ncorners = 3 * f->mesh->ntris;
    for (int c = 0; c < ncorners; c++) f->corner_start[f->mesh->tri[c]]++;
    for (int v = 0; v < nvertices; v++) f->corner_start[v + 1] += f->corner_start[v];
    for (int c = ncorners - 1; c >= 0; c--) f->corner[--f->corner_start[f->mesh->tri[c]]] = c;
}

static bool find_across(front *f)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &f->scratch.allocator);
    int nsides;
    const tt_side *side = tt_sides(&scratch, f->mesh, &nsides);
    for (int begin = 0, end; side && begin < nsides; begin = end) {
        end = tt_sides_end(side, nsides, begin);
        int ntris = 0; /* their sides come first */
        while (begin + ntris < end && side[begin + ntris].slot < 3 * f->mesh->ntris) ntris++;
        for (int i = 0; i < ntris; i++)
            f->across[side[begin + i].slot] = side[begin + (i + 1) % ntris].slot;
    }
    tt_scope_close(&scratch);
    return side;
}

static double corner_angle(const front *f, int corner)
{
    tt_flat flat = lay_flat(f, corner); /* the side that starts in the corner */
    return tt_atan2(flat.ay, flat.ax);
}

/* Two rim edges and any number of inner ones make a plain fan of triangles; MIXED spoils it. */
enum { INNER = 0, RIM = 1, MIXED = 3 };

static int edge_kind(const tt_edge *edge)
{
    if (edge->nlines > 0 || edge->ntris == 0 || edge->ntris > 2) return MIXED;
    return edge->ntris == 1 ? RIM : INNER;
}

/* Ways turn at a vertex with more than a flat angle on a side: a saddle inside, a reflex vertex on
 * the rim; and wherever anything but one plain fan meets. */
static bool find_turns(front *f)
{
    int nvertices = f->mesh->nvertices;
    int *kinds = TT_TAKE(&f->scratch, int, nvertices); /* sums over the edges of a vertex */
    if (!kinds) return false;
    for (int e = 0; e < f->topology->nedges; e++) {
        const tt_edge *edge = &f->topology->edge[e];
        kinds[edge->a] += edge_kind(edge);
        kinds[edge->b] += edge_kind(edge);
    }
    for (int v = 0; v < nvertices; v++) {
        double flat = kinds[v] == 0 ? 2 * TT_PI : kinds[v] == 2 * RIM ? TT_PI : 0, angle = 0;
        for (int k = f->corner_start[v]; k < f->corner_start[v + 1]; k++)
            angle += corner_angle(f, f->corner[k]);
        f->turns[v] = angle > flat * (1 + NOT_FLAT);
    }
    return true;
}

static bool prepare(front *f)
{
    if (!take_arrays(f)) return false;
    for (int s = 0; s < 3 * f->mesh->ntris; s++) f->first[s] = -1;
    find_corners(f);
    return find_across(f) && find_turns(f);
}

/* Takes up the next vertex or beam. */
static void go_on(front *f)
{
    tt_queued next = tt_queue_pop(&f->queue);
    if (next.item >= f->mesh->nvertices) advance(f, next.item - f->mesh->nvertices);
    else if (next.key <= f->distance[next.item]) spread(f, next.item);
}

bool tt_geodesic(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology,
                 const unsigned char *source, double *distance, int *nearest)
{
    front f = {.mesh = mesh, .topology = topology, .distance = distance, .nearest = nearest};
    tt_scope_open(&f.scratch, &scope->allocator);
    bool ok = prepare(&f);
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

static bool take_lengths(front *f, const double *length)
{
    const tt_topology *topology = f->topology;
    int nsides = 3 * f->mesh->ntris, nvertices = f->mesh->nvertices;
    const int *tri = f->mesh->tri;
    f->side = TT_TAKE(&f->scratch, double, nsides);
    f->ring = TT_TAKE(&f->scratch, double, topology->ring_start[nvertices]);
    if (!f->side || !f->ring) return false;
    for (int s = 0; s < nsides; s++) f->side[s] = length[tt_find_edge(topology, tri[s], tri[tt_slot_next(s)])];
    for (int v = 0; v < nvertices; v++)
        for (int k = topology->ring_start[v]; k < topology->ring_start[v + 1]; k++)
            f->ring[k] = length[tt_find_edge(topology, v, topology->ring[k])];
    return true;
}

static bool prepare_pairs(front *f, const double *length)
{
    size_t nvertices = (size_t)f->mesh->nvertices;
    f->distance = TT_TAKE(&f->scratch, double, nvertices);
    f->nearest = TT_TAKE(&f->scratch, int, nvertices);
    f->touched_vertex = TT_TAKE(&f->scratch, int, nvertices);
    f->touched_slot = TT_TAKE(&f->scratch, int, 3 * (size_t)f->mesh->ntris);
    if (!f->distance || !f->nearest || !f->touched_vertex || !f->touched_slot) return false;
    for (size_t v = 0; v < nvertices; v++) f->distance[v] = INFINITY;
    return (!length || take_lengths(f, length)) && prepare(f);
}

static void forget(front *f)
{
    for (int i = 0; i < f->ntouched_vertices; i++) f->distance[f->touched_vertex[i]] = INFINITY;
    for (int i = 0; i < f->ntouched_slots; i++) f->first[f->touched_slot[i]] = -1;
    f->ntouched_vertices = f->ntouched_slots = f->nrays = f->queue.count = 0;
}

static double farthest(const front *f, int npairs, const int (*pair)[2])
{
    double most = 0;
    for (int i = 0; i < npairs; i++) most = fmax(most, f->distance[pair[i][1]]);
    return most;
}

/* Searches from the first vertex, which all pairs share, until nothing nearer than the farthest second one is left to
 * find. A beam waits in the queue with the distance of its apex, which may lie beyond vertices that the beam has yet to
 * reach. BEYOND allows for that. */
static void search_from(front *f, int npairs, const int (*pair)[2], double *between)
{
    int source = pair[0][0];
    forget(f);
    f->nearest[source] = source;
    offer(f, source, 0, source);
    while (f->queue.count > 0 && !f->out_of_memory && f->queue.heap[0].key < BEYOND * farthest(f, npairs, pair))
        go_on(f);
    for (int i = 0; i < npairs; i++) between[i] = f->distance[pair[i][1]];
}

bool tt_geodesic_pairs(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const double *length,
                       int npairs, const int (*pair)[2], double *between)
{
    front f = {.mesh = mesh, .topology = topology};
    tt_scope_open(&f.scratch, &scope->allocator);
    bool ok = prepare_pairs(&f, length);
    for (int first = 0, end; ok && first < npairs; first = end) {
        for (end = first; end < npairs && pair[end][0] == pair[first][0];) end++;
        search_from(&f, end - first, pair + first, between + first);
        ok = !f.out_of_memory;
    }
    tt_scope_close(&f.scratch);
    return ok;
}
