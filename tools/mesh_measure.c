#include "mesh_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct vector {
    double x, y, z;
} vector;

static vector point(const taut_mesh *mesh, int v)
{
    const float *x = &mesh->x[3 * (size_t)v];
    return (vector){(double)x[0], (double)x[1], (double)x[2]};
}

static vector between(vector a, vector b) { return (vector){b.x - a.x, b.y - a.y, b.z - a.z}; }
static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double length(vector a) { return sqrt(dot(a, a)); }

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* ---- Spreads ---- */

/* Until spread_end, `mean` holds the sum. */
static void spread_add(spread *s, double value)
{
    if (s->count == 0 || value < s->least) s->least = value;
    if (s->count == 0 || value > s->most) s->most = value;
    s->mean += value;
    s->count++;
}

static void spread_end(spread *s)
{
    if (s->count > 0) s->mean /= s->count;
}

static int bin_of(double value, double width, int bins)
{
    int bin = (int)(value / width);
    return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

/* ---- Elements ---- */

static double smallest_angle(const taut_mesh *mesh, const int *v)
{
    double smallest = 180;
    for (int i = 0; i < 3; i++) {
        vector at = point(mesh, v[i]);
        vector a = between(at, point(mesh, v[(i + 1) % 3])), b = between(at, point(mesh, v[(i + 2) % 3]));
        double angle = atan2(length(cross(a, b)), dot(a, b)) * (180 / 3.14159265358979323846);
        if (angle < smallest) smallest = angle;
    }
    return smallest;
}

static void measure_triangles(const taut_mesh *mesh, mesh_figures *f)
{
    f->worst_tri = -1;
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * (size_t)t];
        double angle = smallest_angle(mesh, v);
        if (f->worst_tri < 0 || angle < f->angle.least) f->worst_tri = t;
        spread_add(&f->angle, angle);
        f->angle_bin[bin_of(angle, 60.0 / ANGLE_BINS, ANGLE_BINS)]++;
    }
    spread_end(&f->angle);
}

static double tet_quality(const taut_mesh *mesh, const int *v)
{
    vector p[4];
    double squares = 0;
    for (int i = 0; i < 4; i++) p[i] = point(mesh, v[i]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) squares += dot(between(p[i], p[j]), between(p[i], p[j]));
    double volume = dot(cross(between(p[0], p[1]), between(p[0], p[2])), between(p[0], p[3])) / 6;
    double edge = sqrt(squares / 6);
    return edge > 0 ? 6 * sqrt(2.0) * volume / (edge * edge * edge) : 0;
}

static void measure_tets(const taut_mesh *mesh, mesh_figures *f)
{
    f->worst_tet = -1;
    for (int t = 0; t < mesh->ntets; t++) {
        double quality = tet_quality(mesh, &mesh->tet[4 * (size_t)t]);
        if (f->worst_tet < 0 || quality < f->quality.least) f->worst_tet = t;
        spread_add(&f->quality, quality);
        f->quality_bin[bin_of(quality, 1.0 / QUALITY_BINS, QUALITY_BINS)]++;
    }
    spread_end(&f->quality);
}

/* Uses the divergence theorem. Positions are measured from the middle of the bounds, so that little precision is lost
 * far from the origin. */
static double enclosed_volume(const taut_mesh *mesh, const taut_mesh_report *report)
{
    const float *a = report->min, *b = report->max;
    vector middle = {((double)a[0] + (double)b[0]) / 2, ((double)a[1] + (double)b[1]) / 2,
                     ((double)a[2] + (double)b[2]) / 2};
    double total = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * (size_t)t];
        vector p = between(middle, point(mesh, v[0])), q = between(middle, point(mesh, v[1]));
        total += dot(cross(p, q), between(middle, point(mesh, v[2]))) / 6;
    }
    return total;
}

/* ---- Edges ---- */

/* A side of an element, from its smaller to its larger vertex. */
typedef struct side {
    int a, b;
    bool of_triangle, forward;
} side;

static int by_ends(const void *left, const void *right)
{
    const side *m = left, *n = right;
    return m->a != n->a ? (m->a > n->a) - (m->a < n->a) : (m->b > n->b) - (m->b < n->b);
}

static void add_side(side *sides, size_t *count, int from, int to, bool of_triangle)
{
    bool forward = from < to;
    sides[(*count)++] = (side){forward ? from : to, forward ? to : from, of_triangle, forward};
}

static side *list_sides(const taut_mesh *mesh, size_t *count)
{
    size_t most = 3 * (size_t)mesh->ntris + 6 * (size_t)mesh->ntets + (size_t)mesh->nlines;
    side *sides = malloc((most + 1) * sizeof *sides);
    *count = 0;
    if (!sides) return NULL;
    for (int t = 0; t < mesh->ntris; t++)
        for (int i = 0; i < 3; i++) {
            const int *v = &mesh->tri[3 * (size_t)t];
            add_side(sides, count, v[i], v[(i + 1) % 3], true);
        }
    for (int t = 0; t < mesh->ntets; t++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++) {
                const int *v = &mesh->tet[4 * (size_t)t];
                add_side(sides, count, v[i], v[j], false);
            }
    for (int l = 0; l < mesh->nlines; l++) add_side(sides, count, mesh->line[2 * l], mesh->line[2 * l + 1], false);
    qsort(sides, *count, sizeof *sides, by_ends);
    return sides;
}

/* Remembers the edge if it is the first. */
static void note_edge(int first[2], const side *edge)
{
    if (first[0] >= 0) return;
    first[0] = edge->a;
    first[1] = edge->b;
}

/* Measures one edge, which has the sides from `s` to before `end`. */
static void measure_edge(const taut_mesh *mesh, const side *s, const side *end, mesh_figures *f)
{
    int triangles = 0, forward = 0;
    spread_add(&f->edge, length(between(point(mesh, s->a), point(mesh, s->b))));
    for (const side *other = s; other < end; other++) {
        triangles += other->of_triangle;
        forward += other->of_triangle && other->forward;
    }
    if (triangles == 1) note_edge(f->first_boundary, s);
    if (triangles == 2 && forward != 1) note_edge(f->first_inconsistent, s);
}

/* ---- Pieces ---- */

static int root_of(int *parent, int v)
{
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

/* Union and find over the edges. A vertex without edges is in no piece. */
static bool count_pieces(int nvertices, const side *sides, size_t nsides, mesh_figures *f)
{
    int *parent = malloc((size_t)nvertices * sizeof *parent);
    bool *used = calloc((size_t)nvertices, sizeof *used);
    bool good = parent && used;
    for (int v = 0; good && v < nvertices; v++) parent[v] = v;
    for (size_t i = 0; good && i < nsides; i++) {
        parent[root_of(parent, sides[i].a)] = root_of(parent, sides[i].b);
        used[sides[i].a] = used[sides[i].b] = true;
    }
    f->first_unreferenced = -1;
    for (int v = 0; good && v < nvertices; v++) {
        f->pieces += used[v] && parent[v] == v;
        if (!used[v] && f->first_unreferenced < 0) f->first_unreferenced = v;
    }
    free(parent);
    free(used);
    return good;
}

static bool measure_edges(const taut_mesh *mesh, mesh_figures *f)
{
    size_t nsides;
    side *sides = list_sides(mesh, &nsides);
    f->first_boundary[0] = f->first_boundary[1] = f->first_inconsistent[0] = f->first_inconsistent[1] = -1;
    if (!sides) return false;
    for (size_t i = 0, next; i < nsides; i = next) {
        for (next = i + 1; next < nsides && by_ends(&sides[i], &sides[next]) == 0; next++) continue;
        measure_edge(mesh, &sides[i], &sides[next], f);
    }
    spread_end(&f->edge);
    bool good = count_pieces(mesh->nvertices, sides, nsides, f);
    free(sides);
    return good;
}

/* ---- Vertices at the same place ---- */

typedef struct place {
    float x[3];
    int vertex;
} place;

static int by_coordinates(const void *left, const void *right)
{
    const place *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->x[i] != b->x[i]) return a->x[i] < b->x[i] ? -1 : 1;
    return 0;
}

static int by_place(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = by_coordinates(a, b);
    return order ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* Finds the first vertex at the place of an earlier one. */
static bool find_duplicate(const taut_mesh *mesh, int first[2])
{
    size_t n = (size_t)mesh->nvertices;
    place *all = malloc(n * sizeof *all);
    first[0] = first[1] = -1;
    if (!all) return false;
    for (size_t v = 0; v < n; v++) all[v] = (place){{mesh->x[3 * v], mesh->x[3 * v + 1], mesh->x[3 * v + 2]}, (int)v};
    qsort(all, n, sizeof *all, by_place);
    for (size_t i = 1; i < n; i++) {
        if (by_coordinates(&all[i - 1], &all[i]) != 0) continue;
        if (first[1] >= 0 && first[1] < all[i].vertex) continue;
        first[0] = all[i - 1].vertex;
        first[1] = all[i].vertex;
    }
    free(all);
    return true;
}

bool mesh_measure(const taut_mesh *mesh, mesh_figures *figures, taut_error *error)
{
    *figures = (mesh_figures){0};
    if (!taut_mesh_inspect(mesh, &figures->report, error)) return false;
    if (!measure_edges(mesh, figures) || !find_duplicate(mesh, figures->first_duplicate)) {
        if (error) {
            error->code = TAUT_NO_MEMORY;
            snprintf(error->text, sizeof error->text, "out of memory");
        }
        return false;
    }
    measure_triangles(mesh, figures);
    measure_tets(mesh, figures);
    const taut_mesh_report *report = &figures->report;
    figures->closed = mesh->ntris > 0 && report->boundary_edges == 0;
    if (figures->closed && report->inconsistent_edges == 0) figures->enclosed_volume = enclosed_volume(mesh, report);
    return true;
}
