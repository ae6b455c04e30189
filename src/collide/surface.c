#include "collide/surface.h"

#include "base/error.h"
#include "base/exact.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, MOST_DEPTH = 64 }; /* the tree is balanced, so it is no deeper than the bits of an int */
/* A triangle whose area is below this part of the square of its longest side counts as having none. */
static const double FLATTEST = 1e-5;

/* ---- Which triangles ---- */

typedef struct placed_vertex {
    float at[3];
    int vertex;
} placed_vertex;

static int by_place(const void *first, const void *second)
{
    const placed_vertex *a = first, *b = second;
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k] ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/* The first vertex at the place of each. */
static bool find_first(tt_scope *scratch, const taut_mesh *mesh, int *first)
{
    placed_vertex *sorted = TT_TAKE(scratch, placed_vertex, mesh->nvertices);
    if (!sorted) return false;
    for (int v = 0; v < mesh->nvertices; v++) {
        memcpy(sorted[v].at, mesh->x + 3 * (size_t)v, sizeof sorted[v].at);
        sorted[v].vertex = v;
    }
    if (mesh->nvertices > 1) qsort(sorted, (size_t)mesh->nvertices, sizeof *sorted, by_place);
    for (int i = 0; i < mesh->nvertices; i++) {
        bool same = i > 0;
        for (int k = 0; k < 3 && same; k++)
            same = !(sorted[i].at[k] < sorted[i - 1].at[k] || sorted[i].at[k] > sorted[i - 1].at[k]);
        first[sorted[i].vertex] = same ? first[sorted[i - 1].vertex] : sorted[i].vertex;
    }
    return true;
}

typedef struct face {
    int corner[3], least[3]; /* the same three, the smallest first; of vertices at one place, the first counts */
    int number;              /* in the mesh */
} face;

static int by_corners(const void *first, const void *second)
{
    const face *a = first, *b = second;
    for (int k = 0; k < 3; k++)
        if (a->least[k] != b->least[k]) return a->least[k] < b->least[k] ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int by_number(const void *first, const void *second)
{
    const face *a = first, *b = second;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void order(int *a, int *b)
{
    int least = *a < *b ? *a : *b, most = *a < *b ? *b : *a;
    *a = least, *b = most;
}

/* The triangles that have three corners at different places, each once. */
static face *list_faces(tt_scope *scratch, const taut_mesh *mesh, const int *first, int *count)
{
    face *list = TT_TAKE(scratch, face, mesh->ntris);
    int n = 0, kept = 0;
    for (int t = 0; t < mesh->ntris && list; t++) {
        face *f = &list[n];
        for (int k = 0; k < 3; k++) {
            f->corner[k] = mesh->tri[3 * (size_t)t + (size_t)k];
            f->least[k] = first[f->corner[k]];
        }
        f->number = t;
        order(&f->least[0], &f->least[1]), order(&f->least[1], &f->least[2]), order(&f->least[0], &f->least[1]);
        n += f->least[0] != f->least[1] && f->least[1] != f->least[2];
    }
    if (n > 1) qsort(list, (size_t)n, sizeof *list, by_corners);
    for (int i = 0; i < n; i++) {
        bool copy = kept > 0 && memcmp(list[kept - 1].least, list[i].least, sizeof list[i].least) == 0;
        if (!copy) list[kept++] = list[i];
    }
    if (kept > 1) qsort(list, (size_t)kept, sizeof *list, by_number);
    *count = kept;
    return list;
}

/* ---- The tree ---- */

static bool has_area(const taut_mesh *mesh, const face *f)
{
    double longest = 0;
    vec3 corner[3], side[3];
    for (int k = 0; k < 3; k++) corner[k] = vec_of(mesh->x + 3 * (size_t)f->corner[k]);
    for (int k = 0; k < 3; k++) {
        side[k] = vec_sub(corner[(k + 1) % 3], corner[k]);
        longest = fmax(longest, vec_dot(side[k], side[k]));
    }
    return vec_length(vec_cross(side[0], side[1])) > FLATTEST * longest;
}

typedef struct copier {
    const tt_bvh *bvh;
    const face *face;
    tt_surface *surface;
} copier;

/* The number of items below a node, and the first of them; they lie side by side. */
static int items_below(const tt_bvh *bvh, int node, int *first)
{
    int ignored;
    const tt_bvh_node *n = &bvh->node[node];
    if (n->count) return *first = n->first, n->count;
    return items_below(bvh, n->first, first) + items_below(bvh, n->first + 1, &ignored);
}

/* Small subtrees become leaves. */
static void copy_node(const copier *c, int from, int to)
{
    tt_surface *s = c->surface;
    int first, count = items_below(c->bvh, from, &first);
    if (count <= LEAF) {
        s->node[to] = (tt_surface_node){.first = s->ntris, .count = count};
        for (int i = first; i < first + count; i++)
            memcpy(s->corner[s->ntris++], c->face[c->bvh->item[i]].corner, sizeof *s->corner);
        return;
    }
    int child = s->nnodes;
    s->nnodes += 2;
    s->node[to] = (tt_surface_node){.first = child};
    copy_node(c, c->bvh->node[from].first, child);
    copy_node(c, c->bvh->node[from].first + 1, child + 1);
}

static bool make_tree(tt_scope *scope, tt_scope *scratch, const taut_mesh *mesh, face *list, int count, tt_surface *s)
{
    int solid = 0;
    tt_bvh bvh;
    tt_box *box = TT_TAKE(scratch, tt_box, count);
    face *thin = TT_TAKE(scratch, face, count);
    s->corner = tt_take(scope, (size_t)count, sizeof *s->corner);
    s->node = TT_TAKE(scope, tt_surface_node, 2 * (size_t)count + 1);
    if (!box || !thin || !s->corner || !s->node) return false;
    for (int i = 0; i < count; i++) {
        if (!has_area(mesh, &list[i])) {
            thin[i - solid] = list[i];
            continue;
        }
        vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = vec_of(mesh->x + 3 * (size_t)list[i].corner[k]);
        box[solid] = tt_box_around(corner, 3);
        list[solid++] = list[i];
    }
    if (solid == 0) return true;
    if (!tt_bvh_build(scratch, box, solid, &bvh)) return false;
    s->nnodes = 1;
    copy_node(&(copier){&bvh, list, s}, 0, 0);
    for (int i = 0; i < count - solid; i++) memcpy(s->corner[s->ntris++], thin[i].corner, sizeof *s->corner);
    return true;
}

static void widen(tt_surface_node *node, const float *x)
{
    for (int k = 0; k < 3; k++) {
        node->low[k] = x[k] < node->low[k] ? x[k] : node->low[k];
        node->high[k] = x[k] > node->high[k] ? x[k] : node->high[k];
    }
}

static void fit_node(const tt_surface *s, tt_surface_node *node)
{
    for (int k = 0; k < 3; k++) node->low[k] = INFINITY, node->high[k] = -INFINITY;
    for (int child = node->first; node->count == 0 && child < node->first + 2; child++)
        widen(node, s->node[child].low), widen(node, s->node[child].high);
    for (int t = node->first; t < node->first + node->count; t++)
        for (int k = 0; k < 3; k++) {
            size_t at = 3 * (size_t)s->corner[t][k];
            widen(node, &s->now[at]);
            if (s->moves) widen(node, &s->target[at]);
        }
}

static size_t bytes_of(const tt_surface *s) { return 3 * (size_t)s->nvertices * sizeof *s->now; }

void tt_surface_aim(tt_surface *s, const float *xyz)
{
    s->stale = s->stale || memcmp(s->target, xyz, bytes_of(s)) != 0;
    memcpy(s->target, xyz, bytes_of(s));
}

void tt_surface_arrive(tt_surface *s)
{
    if (!s->moves) return;
    memcpy(s->now, s->target, bytes_of(s));
    s->stale = true;
}

/* How far the vertex goes that goes farthest. */
static double longest_way(const tt_surface *s)
{
    double most = 0;
    for (size_t v = 0; v < (size_t)s->nvertices; v++) {
        vec3 way = vec_sub(vec_of(&s->target[3 * v]), vec_of(&s->now[3 * v]));
        double square = vec_dot(way, way);
        if (square > most) most = square;
    }
    return sqrt(most);
}

static void refit(tt_surface *s)
{
    s->moves = memcmp(s->now, s->target, bytes_of(s)) != 0;
    s->travel = s->moves ? longest_way(s) : 0;
    for (int i = s->nnodes - 1; i >= 0; i--) fit_node(s, &s->node[i]);
    for (int k = 0; k < 3; k++) s->box.low[k] = (double)s->node[0].low[k], s->box.high[k] = (double)s->node[0].high[k];
}

void tt_surface_refit(tt_surface *s, uint64_t *looks)
{
    if (!s->stale) return;
    refit(s);
    s->stale = false;
    s->look = ++*looks;
}

/* ---- Inside and outside ---- */

static bool list_neighbours(tt_scope *scope, const tt_topology *topology, const taut_mesh *joined, tt_surface *s)
{
    size_t nslots = 3 * (size_t)s->ntris;
    s->across = tt_take(scope, (size_t)s->ntris, sizeof *s->across);
    s->fan_start = TT_TAKE(scope, int, (size_t)s->nvertices + 2);
    s->fan = TT_TAKE(scope, int, nslots);
    if (!s->across || !s->fan_start || !s->fan) return false;
    for (size_t slot = 0; slot < nslots; slot++) {
        s->across[slot / 3][slot % 3] = topology->across[slot] / 3;
        s->fan_start[joined->tri[slot] + 2]++;
    }
    for (int v = 2; v <= s->nvertices + 1; v++) s->fan_start[v] += s->fan_start[v - 1];
    for (size_t slot = 0; slot < nslots; slot++) s->fan[s->fan_start[joined->tri[slot] + 1]++] = (int)slot;
    return true;
}

static double volume_of(const tt_surface *s)
{
    double sum = 0;
    vec3 corner[3], from = {s->box.low[0], s->box.low[1], s->box.low[2]};
    for (int t = 0; t < s->ntris; t++) {
        tt_surface_corners(s, t, 0, corner);
        for (int k = 0; k < 3; k++) corner[k] = vec_sub(corner[k], from);
        sum += vec_dot(corner[0], vec_cross(corner[1], corner[2]));
    }
    return sum;
}

static bool find_sides(tt_scope *scope, tt_scope *scratch, tt_surface *s)
{
    tt_topology topology;
    size_t nslots = 3 * (size_t)s->ntris;
    taut_mesh joined = {
        .nvertices = s->nvertices, .ntris = s->ntris, .x = s->now, .tri = TT_TAKE(scratch, int, nslots)};
    if (!joined.tri) return false;
    for (size_t slot = 0; slot < nslots; slot++) joined.tri[slot] = s->first[s->corner[slot / 3][slot % 3]];
    if (!tt_topology_build(scratch, &joined, &topology)) return false;
    double volume = volume_of(s);
    s->facing = volume < 0 ? -1 : 1;
    s->closed = topology.boundary_edges + topology.nonmanifold_edges + topology.inconsistent_edges == 0 && volume != 0;
    return !s->closed || list_neighbours(scope, &topology, &joined, s);
}

bool tt_surface_build(tt_scope *scope, const taut_mesh *mesh, tt_surface *s, taut_error *error)
{
    tt_scope scratch;
    int count = 0;
    size_t numbers = 3 * (size_t)mesh->nvertices;
    tt_scope_open(&scratch, &scope->allocator);
    *s = (tt_surface){.nvertices = mesh->nvertices};
    s->now = TT_TAKE(scope, float, numbers);
    s->target = TT_TAKE(scope, float, numbers);
    s->first = TT_TAKE(scope, int, mesh->nvertices);
    bool ok = s->now && s->target && s->first && find_first(&scratch, mesh, s->first);
    face *list = ok ? list_faces(&scratch, mesh, s->first, &count) : NULL;
    ok = list && make_tree(scope, &scratch, mesh, list, count, s);
    if (ok && s->nnodes > 0) {
        memcpy(s->now, mesh->x, numbers * sizeof *s->now);
        memcpy(s->target, mesh->x, numbers * sizeof *s->now);
        refit(s);
        s->stale = true; /* it has no look yet */
        ok = find_sides(scope, &scratch, s);
    }
    tt_scope_close(&scratch);
    if (!ok) return tt_no_memory(error);
    return s->nnodes > 0 || tt_fail(error, TAUT_BAD_MESH, -1, "the mesh of a collider has no triangle with an area");
}

/* A unit vector across a triangle; 0 where it has no area. */
static vec3 across_face(const vec3 c[3])
{
    vec3 n = vec_cross(vec_sub(c[1], c[0]), vec_sub(c[2], c[0]));
    double length = vec_length(n);
    return length > 0 ? vec_scale(n, 1 / length) : (vec3){0, 0, 0};
}

static double angle_at(const vec3 c[3], int k)
{
    vec3 a = vec_sub(c[(k + 1) % 3], c[k]), b = vec_sub(c[(k + 2) % 3], c[k]);
    return tt_atan2(vec_length(vec_cross(a, b)), vec_dot(a, b));
}

/* The sum over the triangles around a vertex, by their angles there. */
static vec3 out_of_vertex(const tt_surface *s, int vertex, double fraction)
{
    vec3 sum = {0, 0, 0}, c[3];
    int v = s->first[vertex];
    for (int i = s->fan_start[v]; i < s->fan_start[v + 1]; i++) {
        tt_surface_corners(s, s->fan[i] / 3, fraction, c);
        sum = vec_add(sum, vec_scale(across_face(c), angle_at(c, s->fan[i] % 3)));
    }
    return sum;
}

bool tt_surface_is_inside(const tt_surface *s, vec3 point, double fraction, const tt_spot *spot)
{
    const double *w = spot->weight;
    vec3 c[3], out;
    tt_surface_corners(s, spot->triangle, fraction, c);
    out = across_face(c);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        bool there = w[k] != 0, other = w[next] != 0 || w[last] != 0;
        if (there && !other) out = out_of_vertex(s, s->corner[spot->triangle][k], fraction);
        if (there || w[next] == 0 || w[last] == 0) continue;
        tt_surface_corners(s, s->across[spot->triangle][next], fraction, c); /* on the side across from k */
        out = vec_add(out, across_face(c));
    }
    return vec_dot(vec_sub(point, spot->at), out) * s->facing < 0;
}

/* ---- Searching ---- */

static double distance_to_box(const tt_surface_node *node, const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = (double)node->low[k] - p[k], above = p[k] - (double)node->high[k];
        double out = below > above ? below : above;
        if (out > 0) sum += out * out;
    }
    return sum;
}

static bool look_at_leaf(const tt_surface *s, const tt_surface_node *node, vec3 point, double fraction, double *square,
                         tt_spot *spot)
{
    bool nearer = false;
    for (int t = node->first; t < node->first + node->count; t++) {
        vec3 c[3];
        tt_spot one = {.triangle = t};
        tt_surface_corners(s, t, fraction, c);
        one.at = tt_closest_on_triangle(point, c[0], c[1], c[2], one.weight);
        vec3 away = vec_sub(point, one.at);
        if (vec_dot(away, away) >= *square) continue;
        *square = vec_dot(away, away);
        *spot = one;
        nearer = true;
    }
    return nearer;
}

bool tt_surface_nearest(const tt_surface *s, vec3 point, double fraction, double square, tt_spot *spot)
{
    struct {
        int node;
        double square;
    } stack[MOST_DEPTH];
    const double p[3] = {point.x, point.y, point.z};
    int depth = 1;
    bool any = false;
    stack[0].node = 0, stack[0].square = distance_to_box(&s->node[0], p);
    while (depth > 0) {
        depth--;
        if (stack[depth].square >= square) continue;
        const tt_surface_node *node = &s->node[stack[depth].node];
        if (node->count) {
            any = look_at_leaf(s, node, point, fraction, &square, spot) || any;
            continue;
        }
        const double d[2] = {distance_to_box(&s->node[node->first], p), distance_to_box(&s->node[node->first + 1], p)};
        int near = d[1] < d[0];
        for (int turn = 0; turn < 2; turn++) { /* the nearer child is to be popped first */
            int child = turn == 0 ? !near : near;
            stack[depth].node = node->first + child;
            stack[depth++].square = d[child];
        }
    }
    return any;
}

void tt_surface_search_begin(tt_surface_search *search, const tt_box *box)
{
    for (int k = 0; k < 3; k++) {
        search->low[k] = nextafterf((float)box->low[k], -INFINITY);
        search->high[k] = nextafterf((float)box->high[k], INFINITY);
    }
    search->stack[0] = 0;
    search->depth = 1;
}

/* Has no branches, because nobody can predict which of the comparisons fails. */
static inline bool meets(const tt_surface_search *search, const float *low, const float *high)
{
    return (low[0] <= search->high[0]) & (search->low[0] <= high[0]) & (low[1] <= search->high[1]) &
           (search->low[1] <= high[1]) & (low[2] <= search->high[2]) & (search->low[2] <= high[2]);
}

int tt_surface_search_next(tt_surface_search *search, const tt_surface *s, int *found, int most)
{
    int count = 0;
    while (search->depth > 0 && count + LEAF <= most) {
        const tt_surface_node *node = &s->node[search->stack[--search->depth]];
        if (!meets(search, node->low, node->high)) continue;
        for (int t = node->first; t < node->first + node->count; t++) found[count++] = t;
        if (node->count) continue;
        search->stack[search->depth++] = node->first + 1;
        search->stack[search->depth++] = node->first;
    }
    return count;
}
