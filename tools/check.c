#include "check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(taut_error *error)
{
    *error = (taut_error){.code = TAUT_NO_MEMORY, .index = -1, .text = "out of memory"};
    return false;
}

/* ---- One mesh of all objects ------------------------------------------------------------------------------------ */

static void add_indices(int *to, const int *from, size_t count, int first)
{
    for (size_t i = 0; i < count; i++) to[i] = from[i] + first;
}

static void fill(check *c)
{
    size_t line = 0;
    for (int i = 0; i < c->clip->nobjects; i++) {
        const clip_object *o = &c->clip->object[i];
        add_indices(c->mesh.tri + 3 * (size_t)c->first_triangle[i], o->tri, 3 * (size_t)o->ntris, c->first_vertex[i]);
        add_indices(c->mesh.line + line, o->line, 2 * (size_t)o->nlines, c->first_vertex[i]);
        line += 2 * (size_t)o->nlines;
    }
}

bool check_open(check *c, const clip *from, taut_error *error)
{
    int64_t vertices = 0, triangles = 0, lines = 0;
    size_t places = (size_t)from->nobjects + 1;
    *c = (check){.clip = from};
    for (int i = 0; i < from->nobjects; i++) {
        vertices += from->object[i].nvertices;
        triangles += from->object[i].ntris;
        lines += from->object[i].nlines;
    }
    if (!taut_mesh_allocate(&c->mesh, vertices, triangles, 0, lines, false, false, error)) return false;
    c->first_vertex = calloc(places, sizeof *c->first_vertex);
    c->first_triangle = calloc(places, sizeof *c->first_triangle);
    if (!c->first_vertex || !c->first_triangle) return check_close(c), no_memory(error);
    for (int i = 0; i < from->nobjects; i++) {
        c->first_vertex[i + 1] = c->first_vertex[i] + from->object[i].nvertices;
        c->first_triangle[i + 1] = c->first_triangle[i] + from->object[i].ntris;
    }
    fill(c);
    return true;
}

void check_close(check *c)
{
    taut_mesh_free(&c->mesh);
    free(c->first_vertex);
    free(c->first_triangle);
    *c = (check){0};
}

static check_place place_of(const int *first, int number)
{
    int object = 0;
    while (first[object + 1] <= number) object++;
    return (check_place){object, number - first[object]};
}

check_place check_place_of_vertex(const check *c, int vertex) { return place_of(c->first_vertex, vertex); }
check_place check_place_of_triangle(const check *c, int triangle) { return place_of(c->first_triangle, triangle); }

/* ---- Frames ----------------------------------------------------------------------------------------------------- */

bool check_search(const check *c, const float *xyz, taut_crossing *list, int most, check_counts *counts,
                  taut_error *error)
{
    counts->crossings = taut_mesh_crossings(&c->mesh, xyz, list, most, &counts->pairs, error);
    return counts->crossings >= 0;
}

int check_next_on_edge(const check *c, const int edge[2], int triangle)
{
    for (int t = triangle + 1; t < c->mesh.ntris; t++) {
        int ends = 0;
        for (int k = 0; k < 3; k++) {
            int vertex = c->mesh.tri[3 * (size_t)t + (size_t)k];
            ends += vertex == edge[0] || vertex == edge[1];
        }
        if (ends == 2) return t;
    }
    return -1;
}

static int by_edge(const void *left, const void *right)
{
    const taut_crossing *a = left, *b = right;
    if (a->edge[0] != b->edge[0]) return a->edge[0] < b->edge[0] ? -1 : 1;
    return (a->edge[1] > b->edge[1]) - (a->edge[1] < b->edge[1]);
}

/* Marks both sides of each crossing: the triangle, and the triangles on the edge. */
static void mark_crossings(const check *c, taut_crossing *list, size_t count, unsigned char *marked)
{
    for (size_t i = 0; i < count; i++) marked[list[i].triangle] = 1;
    if (count == 0) return;
    qsort(list, count, sizeof *list, by_edge);
    for (int corner = 0; corner < 3 * c->mesh.ntris; corner++) {
        int a = c->mesh.tri[corner], b = c->mesh.tri[corner % 3 == 2 ? corner - 2 : corner + 1];
        const taut_crossing wanted = {{a < b ? a : b, a < b ? b : a}, -1};
        if (bsearch(&wanted, list, count, sizeof *list, by_edge)) marked[corner / 3] = 1;
    }
}

bool check_mark(void *checker, const float *xyz, unsigned char *marked, taut_error *error)
{
    const check *c = checker;
    check_counts counts;
    memset(marked, 0, (size_t)c->mesh.ntris);
    if (!check_search(c, xyz, NULL, 0, &counts, error)) return false;
    int count = counts.crossings < INT_MAX ? (int)counts.crossings : INT_MAX;
    taut_crossing *list = malloc(((size_t)count + 1) * sizeof *list);
    if (!list) return no_memory(error);
    bool fine = check_search(c, xyz, list, count, &counts, error);
    if (fine) mark_crossings(c, list, (size_t)count, marked);
    free(list);
    return fine;
}
