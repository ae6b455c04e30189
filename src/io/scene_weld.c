/* Vertices are sorted by their cells in a grid with the welding distance, so that all vertices within reach are in 27
 * cells. */
#include "io/scene_weld.h"
#include "base/vec.h"

#include <stdlib.h>

typedef struct entry {
    double cell[3];
    int vertex;
} entry;

static int compare_cells(const entry *a, const entry *b)
{
    for (int i = 0; i < 3; i++)
        if (a->cell[i] != b->cell[i]) return a->cell[i] < b->cell[i] ? -1 : 1;
    return 0;
}

static int compare_entries(const void *p, const void *q)
{
    const entry *a = p, *b = q;
    int order = compare_cells(a, b);
    return order ? order : a->vertex < b->vertex ? -1 : 1;
}

static entry entry_of(const float *xyz, int vertex, double weld)
{
    entry e = {.vertex = vertex};
    for (int i = 0; i < 3; i++) {
        double x = xyz[3 * (size_t)vertex + (size_t)i];
        e.cell[i] = weld > 0 ? floor(x / weld) : x;
    }
    return e;
}

/* The first entry of a cell, or where it would be. */
static int find_cell(const entry *sorted, int count, const entry *wanted)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_cells(&sorted[middle], wanted) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

typedef struct search {
    const float *xyz;
    const int *part;
    const int *same; /* same[v]: the vertex that v is welded to, or v itself */
    int vertex;
    double nearest; /* squared */
    int found;
} search;

static void look_in_cell(search *s, const entry *sorted, int count, const entry *cell)
{
    vec3 at = vec_of(&s->xyz[3 * (size_t)s->vertex]);
    for (int i = find_cell(sorted, count, cell); i < count && compare_cells(&sorted[i], cell) == 0; i++) {
        int other = sorted[i].vertex;
        if (other >= s->vertex) return;
        if (s->part[other] == s->part[s->vertex] || s->same[other] != other) continue;
        vec3 apart = vec_sub(vec_of(&s->xyz[3 * (size_t)other]), at);
        double squared = vec_dot(apart, apart);
        bool nearer = squared < s->nearest || (s->found >= 0 && squared == s->nearest && other < s->found);
        if (!nearer && !(s->found < 0 && squared == s->nearest)) continue;
        s->nearest = squared;
        s->found = other;
    }
}

static int find_same(const float *xyz, const int *part, const int *same, int vertex, double weld, const entry *sorted,
                     int count)
{
    search s = {xyz, part, same, vertex, weld * weld, -1};
    entry own = entry_of(xyz, vertex, weld);
    int around = weld > 0 ? 1 : 0;
    for (int x = -around; x <= around; x++)
        for (int y = -around; y <= around; y++)
            for (int z = -around; z <= around; z++) {
                entry cell = {{own.cell[0] + x, own.cell[1] + y, own.cell[2] + z}, 0};
                look_in_cell(&s, sorted, count, &cell);
            }
    return s.found >= 0 ? s.found : vertex;
}

int tio_weld(const float *xyz, const int *part, int nvertices, double weld, int *number)
{
    tt_scope moment;
    int kept = 0;
    tt_scope_open(&moment, NULL);
    entry *sorted = TT_TAKE(&moment, entry, nvertices);
    int *same = TT_TAKE(&moment, int, nvertices);
    if (!sorted || !same) {
        tt_scope_close(&moment);
        return -1;
    }
    for (int v = 0; v < nvertices; v++) sorted[v] = entry_of(xyz, v, weld);
    qsort(sorted, (size_t)nvertices, sizeof *sorted, compare_entries);
    for (int v = 0; v < nvertices; v++) {
        same[v] = find_same(xyz, part, same, v, weld, sorted, nvertices);
        number[v] = same[v] == v ? kept++ : number[same[v]];
    }
    tt_scope_close(&moment);
    return kept;
}
