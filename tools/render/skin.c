#include "skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

void batch_clear(batch *b) { b->nvertices = b->ntriangles = b->nedges = 0; }

void batch_free(batch *b)
{
    free(b->vertex);
    free(b->triangle);
    free(b->edge);
    *b = (batch){0};
}

static void *grown(void *list, int *room, int wanted, size_t size)
{
    if (wanted <= *room) return list;
    int larger = wanted > 2 * *room ? wanted : 2 * *room;
    void *moved = realloc(list, size * (size_t)larger);
    if (moved) *room = larger;
    return moved;
}

bool batch_reserve(batch *b, int vertices, int triangles, int edges)
{
    enum { MOST = 100000000 };
    if (b->nvertices > MOST - vertices || b->ntriangles > MOST - triangles || b->nedges > MOST - edges) return false;
    void *vertex = grown(b->vertex, &b->vertex_room, b->nvertices + vertices + 1, sizeof *b->vertex);
    if (vertex) b->vertex = vertex;
    void *triangle = grown(b->triangle, &b->triangle_room, b->ntriangles + triangles + 1, 3 * sizeof *b->triangle);
    if (triangle) b->triangle = triangle;
    void *edge = grown(b->edge, &b->edge_room, b->nedges + edges + 1, 2 * sizeof *b->edge);
    if (edge) b->edge = edge;
    return vertex && triangle && edge;
}

/* ---- Corners that share a normal -------------------------------------------------------------------------------- */

typedef struct side {
    int a, b;   /* vertices, a < b */
    int corner; /* 3 t + k: the side from corner k of triangle t to the next */
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *l = left, *r = right;
    if (l->a != r->a) return l->a < r->a ? -1 : 1;
    if (l->b != r->b) return l->b < r->b ? -1 : 1;
    return (l->corner > r->corner) - (l->corner < r->corner);
}

static int next_corner(int corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static int root_of(int *parent, int corner)
{
    while (parent[corner] != corner) {
        parent[corner] = parent[parent[corner]];
        corner = parent[corner];
    }
    return corner;
}

static void unite(int *parent, int a, int b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* The normal, as long as twice the area. */
static void normal_of(const float *xyz, const int *v, float n[3])
{
    const float *p = xyz + 3 * (size_t)v[0], *q = xyz + 3 * (size_t)v[1], *r = xyz + 3 * (size_t)v[2];
    float e[3], f[3];
    for (int k = 0; k < 3; k++) e[k] = q[k] - p[k], f[k] = r[k] - p[k];
    n[0] = e[1] * f[2] - e[2] * f[1];
    n[1] = e[2] * f[0] - e[0] * f[2];
    n[2] = e[0] * f[1] - e[1] * f[0];
}

static float dot3(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool is_sharp(const clip_object *o, int corner1, int corner2)
{
    static const float SHARP = 0.6f; /* cosine of 53 degrees */
    float n1[3], n2[3];
    normal_of(o->rest, o->tri + 3 * (size_t)(corner1 / 3), n1);
    normal_of(o->rest, o->tri + 3 * (size_t)(corner2 / 3), n2);
    return dot3(n1, n2) < SHARP * sqrtf(dot3(n1, n1) * dot3(n2, n2));
}

/* Joins the corners of two triangles at both ends of their edge. */
static void join(const clip_object *o, int *parent, int corner1, int corner2)
{
    int end1 = next_corner(corner1), end2 = next_corner(corner2);
    bool same_way = o->tri[corner1] == o->tri[corner2];
    if (same_way || is_sharp(o, corner1, corner2)) return;
    unite(parent, corner1, end2);
    unite(parent, end1, corner2);
}

static bool join_corners(const clip_object *o, int *parent)
{
    int count = 3 * o->ntris;
    side *sides = calloc((size_t)count + 1, sizeof *sides);
    if (!sides) return false;
    for (int c = 0; c < count; c++) {
        int a = o->tri[c], b = o->tri[next_corner(c)];
        sides[c] = (side){a < b ? a : b, a < b ? b : a, c};
        parent[c] = c;
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && sides[end].a == sides[i].a && sides[end].b == sides[i].b) end++;
        if (end - i == 2) join(o, parent, sides[i].corner, sides[i + 1].corner);
    }
    free(sides);
    return true;
}

static bool number_vertices(skin *s, const clip_object *o, int *parent)
{
    size_t count = 3 * (size_t)o->ntris;
    s->ntris = o->ntris;
    s->tri = malloc(sizeof *s->tri * (count + 1));
    s->source = calloc(count + 1, sizeof *s->source);
    if (!s->tri || !s->source) return false;
    for (int c = 0; c < (int)count; c++) {
        int root = root_of(parent, c); /* the smallest of the joined corners, so it has its number already */
        if (root == c) {
            s->source[s->nvertices] = o->tri[c];
            s->tri[c] = (unsigned)s->nvertices++;
        } else {
            s->tri[c] = s->tri[root];
        }
    }
    return true;
}

/* ---- Wireframe -------------------------------------------------------------------------------------------------- */

/* Lists the sides of all polygons; returns how many there are. */
static int list_sides(const clip_object *o, side *sides)
{
    bool whole = o->npolygons > 0;
    const int *vertex = whole ? o->polygon : o->tri;
    int n = 0;
    for (int p = 0; p < (whole ? o->npolygons : o->ntris); p++) {
        int start = whole ? o->polygon_start[p] : 3 * p, end = whole ? o->polygon_start[p + 1] : 3 * p + 3;
        for (int k = start; k < end; k++) {
            int a = vertex[k], b = vertex[k + 1 < end ? k + 1 : start];
            sides[n++] = (side){a < b ? a : b, a < b ? b : a, 0};
        }
    }
    return n;
}

/* Lists each side once. Its ends are any of the vertices at that place. */
static bool find_edges(skin *s, const clip_object *o)
{
    size_t most = o->npolygons > 0 ? (size_t)o->polygon_start[o->npolygons] : 3 * (size_t)o->ntris;
    side *sides = calloc(most + 1, sizeof *sides);
    unsigned *any = calloc((size_t)o->nvertices + 1, sizeof *any);
    s->edge = malloc(2 * sizeof *s->edge * (most + 1));
    bool fine = sides && any && s->edge;
    int n = fine ? list_sides(o, sides) : 0;
    if (fine) qsort(sides, (size_t)n, sizeof *sides, compare_sides);
    for (int v = 0; fine && v < s->nvertices; v++) any[s->source[v]] = (unsigned)v;
    for (int i = 0; i < n; i++) {
        if (i > 0 && sides[i].a == sides[i - 1].a && sides[i].b == sides[i - 1].b) continue;
        s->edge[2 * (size_t)s->nedges] = any[sides[i].a];
        s->edge[2 * (size_t)s->nedges++ + 1] = any[sides[i].b];
    }
    free(sides);
    free(any);
    return fine;
}

/* ---- Skins ------------------------------------------------------------------------------------------------------ */

/* The back of cloth is paler than its front. */
static void set_colors(skin *s, const float color[3])
{
    float gray = 0.3f * color[0] + 0.6f * color[1] + 0.1f * color[2];
    for (int k = 0; k < 3; k++) {
        float back = 0.62f * color[k] + 0.2f * gray + 0.16f;
        s->front[k] = (unsigned char)(255 * fminf(fmaxf(color[k], 0), 1) + 0.5f);
        s->back[k] = (unsigned char)(255 * fminf(fmaxf(back, 0), 1) + 0.5f);
    }
}

bool skin_build(skin *s, const clip_object *object)
{
    memset(s, 0, sizeof *s);
    set_colors(s, object->color);
    int *parent = calloc(3 * (size_t)object->ntris + 1, sizeof *parent);
    bool fine = parent && join_corners(object, parent) && number_vertices(s, object, parent) && find_edges(s, object);
    free(parent);
    if (!fine) skin_free(s);
    return fine;
}

void skin_free(skin *s)
{
    free(s->source);
    free(s->tri);
    free(s->edge);
    memset(s, 0, sizeof *s);
}

static void add_normals(const skin *s, paint_vertex *vertex)
{
    for (int t = 0; t < s->ntris; t++) {
        const unsigned *v = s->tri + 3 * (size_t)t;
        const float *p = vertex[v[0]].position, *q = vertex[v[1]].position, *r = vertex[v[2]].position;
        const float corner[9] = {p[0], p[1], p[2], q[0], q[1], q[2], r[0], r[1], r[2]};
        static const int order[3] = {0, 1, 2};
        float n[3];
        normal_of(corner, order, n);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++) vertex[v[k]].normal[i] += n[i];
    }
    for (int v = 0; v < s->nvertices; v++) {
        float *n = vertex[v].normal, length = sqrtf(dot3(n, n));
        for (int i = 0; i < 3; i++) n[i] = length > 0 ? n[i] / length : (float)(i == 1);
    }
}

bool skin_add(const skin *s, const float *xyz, const unsigned char *heat, bool wire, batch *b)
{
    int nedges = wire ? s->nedges : 0;
    if (!batch_reserve(b, s->nvertices, s->ntris, nedges)) return false;
    paint_vertex *vertex = b->vertex + b->nvertices;
    unsigned first = (unsigned)b->nvertices, *triangle = b->triangle + 3 * (size_t)b->ntriangles;
    for (int v = 0; v < s->nvertices; v++) {
        size_t at = 3 * (size_t)s->source[v];
        memset(&vertex[v], 0, sizeof vertex[v]);
        memcpy(vertex[v].position, xyz + at, sizeof vertex[v].position);
        memcpy(vertex[v].front, heat ? heat + at : s->front, 3);
        memcpy(vertex[v].back, heat ? heat + at : s->back, 3);
        vertex[v].back[3] = heat ? 255 : 0;
    }
    add_normals(s, vertex);
    for (size_t i = 0; i < 3 * (size_t)s->ntris; i++) triangle[i] = first + s->tri[i];
    for (size_t i = 0; i < 2 * (size_t)nedges; i++) b->edge[2 * (size_t)b->nedges + i] = first + s->edge[i];
    b->nvertices += s->nvertices;
    b->ntriangles += s->ntris;
    b->nedges += nedges;
    return true;
}

bool skin_mark(const skin *s, const unsigned char *marked, const unsigned char color[3], batch *b)
{
    int count = 0;
    for (int t = 0; t < s->ntris; t++) count += marked[t] != 0;
    if (!batch_reserve(b, 3 * count, 0, 0)) return false;
    unsigned *corner = b->triangle + 3 * (size_t)(b->ntriangles - s->ntris);
    for (int k = 0; k < 3 * s->ntris; k++) {
        if (!marked[k / 3]) continue;
        paint_vertex *own = &b->vertex[b->nvertices]; /* vertices are shared with triangles of other colours */
        *own = b->vertex[corner[k]];
        memcpy(own->front, color, 3);
        memcpy(own->back, color, 3);
        own->back[3] = 255;
        corner[k] = (unsigned)b->nvertices++;
    }
    return true;
}
