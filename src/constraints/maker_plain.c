/* Helpers that kinds use to make their elements. */
#include "base/vec.h"
#include "constraints/constraint.h"
#include "mesh/frame.h"

#include <string.h>

static bool grow(tt_maker *maker)
{
    const tt_kind *kind = maker->kind;
    size_t slots = (size_t)(kind->particles + kind->anchors), fields = (size_t)kind->fields;
    int capacity = maker->capacity ? 2 * maker->capacity : maker->topology->nedges + 1024; /* few kinds have more */
    size_t used = (size_t)maker->count, wanted = (size_t)capacity;
    int *particle = tt_enlarge(maker->scope, maker->particle, used * slots, wanted * slots, sizeof *particle);
    float *data = tt_enlarge(maker->scope, maker->data, used * fields, wanted * fields, sizeof *data);
    if (!particle || !data) return false;
    maker->particle = particle;
    maker->data = data;
    maker->capacity = capacity;
    return true;
}

bool tt_emit(tt_maker *maker, const int *particle, const double *data, double scale, double measure)
{
    const tt_kind *kind = maker->kind;
    bool physical = maker->material->units == TAUT_PHYSICAL;
    double weight = physical ? 1 / (scale * measure) : fmin(scale, 1);
    if (!(scale > 0)) return true;
    if (!(weight > 0 && weight < 1e30)) return true;
    if (maker->count == maker->capacity && !grow(maker)) return false;
    int slots = kind->particles + kind->anchors;
    memcpy(&maker->particle[(size_t)maker->count * (size_t)slots], particle, (size_t)slots * sizeof *particle);
    float *field = &maker->data[(size_t)maker->count * (size_t)kind->fields];
    for (int f = 0; f < kind->fields - 1; f++) field[f] = (float)data[f];
    field[kind->fields - 1] = (float)weight;
    maker->count++;
    return true;
}

void tt_tune_bend(const taut_material *material, tt_tuning *tuning)
{
    tuning->stiffness[0] = material->bend.model == TAUT_BEND_NONE ? 0 : material->bend.stiffness;
    tuning->damping[0] = material->damping.bend;
    tuning->slack = material->bend.kappa;
    tuning->bend_mode = (int)material->bend.mode;
}

double tt_tri_scale(const taut_mesh *mesh, int tri) { return mesh->tri_scale ? mesh->tri_scale[tri] : 1; }
double tt_tet_scale(const taut_mesh *mesh, int tet) { return mesh->tet_scale ? mesh->tet_scale[tet] : 1; }

bool tt_emit_simplices(tt_maker *maker, int dimension, tt_simplex_fields *fields)
{
    const taut_mesh *mesh = maker->mesh;
    const bool tets = dimension == 3;
    const int *vertex = tets ? mesh->tet : mesh->tri, count = tets ? mesh->ntets : mesh->ntris;
    for (int i = 0; i < count; i++) {
        double inverse[9], measure, data[TT_MAX_FIELDS], scale = tets ? tt_tet_scale(mesh, i) : tt_tri_scale(mesh, i);
        bool sound = tets ? tt_tet_frame(mesh, i, inverse, &measure)
                          : tt_triangle_frame(mesh, maker->axis, i, inverse, &measure);
        if (!sound) continue;
        fields(maker, &(tt_simplex){i, inverse, measure, scale}, data);
        if (!tt_emit(maker, &vertex[(size_t)(dimension + 1) * (size_t)i], data, scale, measure)) return false;
    }
    return true;
}

double tt_hinge_scale(const taut_mesh *mesh, const tt_hinge *hinge)
{
    return (tt_tri_scale(mesh, hinge->tri1) + tt_tri_scale(mesh, hinge->tri2)) / 2;
}

static vec3 point(const taut_mesh *mesh, int v) { return vec_of(&mesh->x[3 * v]); }

double tt_tri_area(const taut_mesh *mesh, int tri)
{
    const int *v = &mesh->tri[3 * tri];
    vec3 p0 = point(mesh, v[0]);
    return vec_length(vec_cross(vec_sub(point(mesh, v[1]), p0), vec_sub(point(mesh, v[2]), p0))) / 2;
}

double tt_hinge_measure(const taut_mesh *mesh, const tt_hinge *hinge)
{
    vec3 e = vec_sub(point(mesh, hinge->p4), point(mesh, hinge->p3));
    return 9.0 / 8 * vec_dot(e, e) / (tt_tri_area(mesh, hinge->tri1) + tt_tri_area(mesh, hinge->tri2));
}

/* ---- Virtual triangles of triangle bending ------------------------------------------------------------------- */

/* Per vertex: a third of the triangles around it, their normal, and their mean stiffness scale. */
typedef struct corner {
    double area, scale;
    vec3 normal;
    int tris;
} corner;

static void add_corners(const taut_mesh *mesh, corner *corners)
{
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * t];
        vec3 p0 = point(mesh, v[0]);
        vec3 normal = vec_cross(vec_sub(point(mesh, v[1]), p0), vec_sub(point(mesh, v[2]), p0));
        for (int c = 0; c < 3; c++) {
            corner *at = &corners[v[c]];
            at->area += vec_length(normal) / 6;
            at->normal = vec_add(at->normal, normal);
            at->scale += tt_tri_scale(mesh, t);
            at->tris++;
        }
    }
}

/* Edges of a vertex that belong to triangles or lines: edges inside solids do not bend. */
static int bending_ring(const tt_maker *maker, const unsigned char *bends, int v, int *ring)
{
    const tt_topology *topology = maker->topology;
    int n = 0;
    for (int i = topology->ring_start[v]; i < topology->ring_start[v + 1]; i++)
        if (bends[i]) ring[n++] = topology->ring[i];
    return n;
}

/* The neighbour most opposite to ring[i] as seen from v, or -1: TB Fig. 6, lines 05-13. */
static int most_opposite(const taut_mesh *mesh, int v, const int *ring, int n, int i)
{
    vec3 p = point(mesh, v), a = vec_sub(point(mesh, ring[i]), p);
    double best = 0;
    int found = -1;
    for (int j = 0; j < n; j++) {
        vec3 b = vec_sub(point(mesh, ring[j]), p);
        double cosine = vec_dot(a, b) / (vec_length(a) * vec_length(b));
        if (cosine < best) best = cosine, found = j;
    }
    return found;
}

/* The neighbour farthest off the line b0-b1 on the side that makes (b1-b0) x (side-v) the outward normal. -1 if there
 * is none (at a boundary). */
static int side_of(const taut_mesh *mesh, int v, const int *ring, int n, int b0, int b1, vec3 normal)
{
    vec3 p = point(mesh, v), along = vec_sub(point(mesh, b1), point(mesh, b0));
    double best = 0;
    int found = -1;
    for (int j = 0; j < n; j++) {
        if (ring[j] == b0 || ring[j] == b1) continue;
        vec3 arm = vec_sub(point(mesh, ring[j]), p);
        double off = vec_dot(vec_cross(along, arm), normal) / vec_length(arm);
        if (off > best) best = off, found = ring[j];
    }
    return found;
}

/* The curvature of the arc b0 v b1 follows from its height: k = 3h/(l0 l1). The energy is 1/2 B k^2 times the length or
 * area that the triangle stands for. On a surface bent in one direction, a pair at an angle to it sees cos^4 of the
 * energy; the mean over all directions is 3/8. */
static double pair_measure(const taut_mesh *mesh, const tt_ring_pair *pair, const corner *at, int pairs)
{
    vec3 p = point(mesh, pair->v);
    double l0 = vec_length(vec_sub(point(mesh, pair->b0), p)), l1 = vec_length(vec_sub(point(mesh, pair->b1), p));
    double share = at->tris ? at->area / pairs * 8 / 3 : (l0 + l1) / 2;
    return 9 * share / (l0 * l0 * l1 * l1);
}

static tt_ring_pair make_pair(const taut_mesh *mesh, int v, const int *ring, int n, int i, int j, const corner *at)
{
    tt_ring_pair pair = {.b0 = ring[i], .b1 = ring[j], .v = v, .side = -1, .scale = 1};
    if (!at->tris) return pair;
    pair.scale = at->scale / at->tris;
    pair.side = side_of(mesh, v, ring, n, pair.b0, pair.b1, at->normal);
    if (pair.side < 0) {
        pair.b0 = ring[j], pair.b1 = ring[i];
        pair.side = side_of(mesh, v, ring, n, pair.b0, pair.b1, at->normal);
    }
    return pair;
}

/* Each unordered pair must count once. Pair i, j counts at i if j is the choice of i, and i comes first or is not the
 * choice of j. */
static bool is_first(const int *choice, int i) { return choice[i] >= 0 && (i < choice[i] || choice[choice[i]] != i); }

/* Measures the height of the virtual triangle, whether the height stands out of the surface rather than lies in it, and
 * the height that remains when the surface is flattened or the line is pulled straight. */
static void measure_height(const taut_mesh *mesh, tt_ring_pair *pair)
{
    vec3 b0 = point(mesh, pair->b0), b1 = point(mesh, pair->b1), v = point(mesh, pair->v);
    vec3 arm0 = vec_sub(v, b0), arm1 = vec_sub(v, b1), arms = vec_add(arm0, arm1);
    pair->height = vec_length(arms) / 3;
    pair->flat_height = fabs(vec_length(arm0) - vec_length(arm1)) / 3;
    if (pair->side < 0) return;
    vec3 normal = vec_cross(vec_sub(b1, b0), vec_sub(point(mesh, pair->side), v));
    double out = vec_dot(arms, normal) / vec_length(normal);
    pair->sided = fabs(out) > 0.7 * vec_length(arms);
    pair->flat_height = sqrt(fmax(vec_dot(arms, arms) - out * out, 0)) / 3;
    if (out < 0) pair->height = -pair->height;
}

static bool visit_vertex(tt_maker *maker, int v, const int *ring, int n, int *choice, const corner *at,
                         bool (*visit)(tt_maker *, const tt_ring_pair *))
{
    int pairs = 0;
    for (int i = 0; i < n; i++) choice[i] = most_opposite(maker->mesh, v, ring, n, i);
    for (int i = 0; i < n; i++) pairs += is_first(choice, i);
    for (int i = 0; i < n; i++) {
        if (!is_first(choice, i)) continue;
        tt_ring_pair pair = make_pair(maker->mesh, v, ring, n, i, choice[i], at);
        pair.measure = pair_measure(maker->mesh, &pair, at, pairs);
        measure_height(maker->mesh, &pair);
        if (!visit(maker, &pair)) return false;
    }
    return true;
}

/* bends[i] tells whether ring entry i lies on a triangle or line. Edges are sorted by (a, b) and rings ascend, so
 * walking the edges in order meets each vertex's entries in order. */
static void mark_bending(const tt_topology *topology, int nvertices, int *cursor, unsigned char *bends)
{
    for (int v = 0; v < nvertices; v++) cursor[v] = topology->ring_start[v];
    for (int pass = 0; pass < 2; pass++) /* first the smaller neighbours of each vertex, then the larger */
        for (int e = 0; e < topology->nedges; e++) {
            const tt_edge *edge = &topology->edge[e];
            int v = pass == 0 ? edge->b : edge->a;
            bends[cursor[v]++] = edge->ntris > 0 || edge->nlines > 0;
        }
}

bool tt_ring_pairs(tt_maker *maker, bool (*visit)(tt_maker *maker, const tt_ring_pair *pair))
{
    const tt_topology *topology = maker->topology;
    int n = maker->mesh->nvertices, widest = 0;
    for (int v = 0; v < n; v++) {
        int degree = topology->ring_start[v + 1] - topology->ring_start[v];
        widest = degree > widest ? degree : widest;
    }
    corner *corners = TT_TAKE(maker->scope, corner, n);
    int *ring = TT_TAKE(maker->scope, int, widest), *choice = TT_TAKE(maker->scope, int, widest);
    int *cursor = TT_TAKE(maker->scope, int, n);
    unsigned char *bends = TT_TAKE(maker->scope, unsigned char, topology->ring_start[n]);
    if (!corners || !ring || !choice || !cursor || !bends) return false;
    add_corners(maker->mesh, corners);
    mark_bending(topology, n, cursor, bends);
    for (int v = 0; v < n; v++) {
        int degree = bending_ring(maker, bends, v, ring);
        if (!visit_vertex(maker, v, ring, degree, choice, &corners[v], visit)) return false;
    }
    return true;
}
