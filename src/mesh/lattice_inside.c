/* Finds which points of a lattice are inside a surface. The surface may have holes, overlaps and triangles that run the
 * wrong way round.
 *
 * Straight lines run through the points along x, y and z, and each line judges its points by the triangles that it
 * crosses. It crosses a closed surface an even number of times. A line with an odd number of crossings went through a
 * hole and abstains. If as many crossings lead in as out, a point is inside where the winding number along the line is
 * not zero, so parts that overlap make one body. Else the triangles do not agree on which side is outside, and a point
 * is inside after an odd number of crossings. The three lines through a point vote.
 *
 * Whether a line crosses a triangle is decided edge by edge in the plane across the line, by the crossing number of a
 * ray in that plane. An edge gives the same answer, up to its sign, in both of its triangles, whatever the rounding. So
 * a crossing that one triangle loses is gained by its neighbour, and a closed surface has no cracks. */
#include "mesh/lattice.h"

#include <stdlib.h>

typedef struct crossing {
    double at; /* along the line */
    int sign;  /* +1 or -1: the sense of the triangle seen along the line */
} crossing;

/* All lines along one axis through the corners, or the centres, of the cells. */
typedef struct scan {
    int axis, u, v; /* the coordinate along the lines, and the two across */
    double base[3], cell;
    int points[3];
    size_t *start; /* where the crossings of each line start; one more entry than lines */
    crossing *crossing;
    signed char *inside;
} scan;

typedef struct flat_point {
    double u, v;
} flat_point;

/* How the edge a b passes the ray from q along +u: 0 not at all, +1 upwards in v, -1 downwards. */
static int pass(flat_point a, flat_point b, flat_point q)
{
    bool up = a.v <= q.v && q.v < b.v, down = b.v <= q.v && q.v < a.v;
    if (!up && !down) return 0;
    flat_point low = up ? a : b, high = up ? b : a;
    double side = (high.u - low.u) * (q.v - low.v) - (q.u - low.u) * (high.v - low.v);
    return side > 0 ? up - down : 0;
}

/* The lines that may cross something that reaches from `low` to `high` along `axis`. */
static void line_range(const scan *s, int axis, double low, double high, int *first, int *last)
{
    double from = floor((low - s->base[axis]) / s->cell), to = ceil((high - s->base[axis]) / s->cell);
    *first = from > 0 ? (int)from : 0;
    *last = to < s->points[axis] - 1 ? (int)to : s->points[axis] - 1;
}

static double clamp(double value, double low, double high) { return fmin(fmax(value, low), high); }

/* The place at which the line through q meets the plane of the triangle. */
static double meet(const scan *s, const double corner[3][3], flat_point q)
{
    const double *a = corner[0], *b = corner[1], *c = corner[2];
    int u = s->u, v = s->v, w = s->axis;
    double n = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    double nu = (b[v] - a[v]) * (c[w] - a[w]) - (b[w] - a[w]) * (c[v] - a[v]);
    double nv = (b[w] - a[w]) * (c[u] - a[u]) - (b[u] - a[u]) * (c[w] - a[w]);
    double low = fmin(a[w], fmin(b[w], c[w])), high = fmax(a[w], fmax(b[w], c[w]));
    if (n == 0) return 0.5 * (low + high);
    return clamp(a[w] - ((q.u - a[u]) * nu + (q.v - a[v]) * nv) / n, low, high);
}

/* Counts the triangle's crossings in s->start, or, once there is memory for them, stores them. */
static void cross_triangle(scan *s, const double corner[3][3])
{
    flat_point p[3];
    for (int i = 0; i < 3; i++) p[i] = (flat_point){corner[i][s->u], corner[i][s->v]};
    int first_u, last_u, first_v, last_v;
    line_range(s, s->u, fmin(p[0].u, fmin(p[1].u, p[2].u)), fmax(p[0].u, fmax(p[1].u, p[2].u)), &first_u, &last_u);
    line_range(s, s->v, fmin(p[0].v, fmin(p[1].v, p[2].v)), fmax(p[0].v, fmax(p[1].v, p[2].v)), &first_v, &last_v);
    for (int j = first_v; j <= last_v; j++) {
        for (int i = first_u; i <= last_u; i++) {
            flat_point q = {s->base[s->u] + s->cell * i, s->base[s->v] + s->cell * j};
            int sign = pass(p[0], p[1], q) + pass(p[1], p[2], q) + pass(p[2], p[0], q);
            if (sign == 0) continue;
            size_t place = s->start[(size_t)j * (size_t)s->points[s->u] + (size_t)i]++;
            if (s->crossing) s->crossing[place] = (crossing){meet(s, corner, q), sign};
        }
    }
}

static void cross_all(scan *s, const taut_mesh *surface)
{
    for (int t = 0; t < surface->ntris; t++) {
        double corner[3][3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                corner[i][axis] = surface->x[3 * (size_t)surface->tri[3 * (size_t)t + (size_t)i] + (size_t)axis];
        cross_triangle(s, (const double(*)[3])corner);
    }
}

static int by_place(const void *left, const void *right)
{
    const crossing *a = left, *b = right;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->sign - b->sign;
}

/* Adds the line's verdict to each of its points, which are `step` apart in `inside`. */
static void judge(const scan *s, crossing *c, size_t count, signed char *inside, size_t step)
{
    int balance = 0, winding = 0;
    for (size_t i = 0; i < count; i++) balance += c[i].sign;
    if (count % 2) return;
    qsort(c, count, sizeof *c, by_place);
    size_t passed = 0;
    for (int i = 0; i < s->points[s->axis]; i++, inside += step) {
        double at = s->base[s->axis] + s->cell * i;
        for (; passed < count && c[passed].at <= at; passed++) winding += c[passed].sign;
        bool is_inside = balance == 0 ? winding != 0 : passed % 2 == 1;
        *inside = (signed char)(*inside + (is_inside ? 1 : -1));
    }
}

static bool run(tt_scope *scratch, scan *s, const taut_mesh *surface)
{
    size_t nu = (size_t)s->points[s->u], nv = (size_t)s->points[s->v], lines = nu * nv;
    s->start = TT_TAKE(scratch, size_t, lines + 1);
    if (!s->start) return false;
    cross_all(s, surface);
    size_t total = 0;
    for (size_t i = 0; i <= lines; i++) { /* counts become places */
        size_t count = s->start[i];
        s->start[i] = total;
        total += count;
    }
    s->crossing = TT_TAKE(scratch, crossing, total);
    if (!s->crossing) return false;
    cross_all(s, surface);
    size_t stride[3] = {1, (size_t)s->points[0], (size_t)s->points[0] * (size_t)s->points[1]};
    for (size_t line = 0, first = 0; line < lines; line++) { /* a line now starts at the end of the one before */
        signed char *inside = s->inside + line % nu * stride[s->u] + line / nu * stride[s->v];
        judge(s, s->crossing + first, s->start[line] - first, inside, stride[s->axis]);
        first = s->start[line];
    }
    return true;
}

bool tt_lattice_inside(tt_scope *scratch, const tt_lattice *lattice, const taut_mesh *surface, signed char *inside)
{
    bool ok = true;
    for (int centres = 0; centres < 2; centres++) {
        for (int axis = 0; ok && axis < 3; axis++) {
            scan s = {.axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3, .cell = lattice->cell};
            for (int i = 0; i < 3; i++) {
                s.base[i] = lattice->origin[i] + (centres ? 0.5 * lattice->cell : 0);
                s.points[i] = lattice->n[i] + !centres;
            }
            const int first[3] = {0, 0, 0};
            s.inside = inside + (centres ? tt_lattice_centre(lattice, first) : 0);
            tt_scope work;
            tt_scope_open(&work, &scratch->allocator);
            ok = run(&work, &s, surface);
            tt_scope_close(&work);
        }
    }
    return ok;
}
