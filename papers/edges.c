#include "edges.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return a[0] != b[0] ? a[0] - b[0] : a[1] - b[1];
}

static int add_element(edge *list, int n, const int *vertex, int corners)
{
    for (int i = 0; i < corners; i++)
        for (int j = i + 1; j < corners; j++, n++) {
            list[n][0] = vertex[i] < vertex[j] ? vertex[i] : vertex[j];
            list[n][1] = vertex[i] < vertex[j] ? vertex[j] : vertex[i];
        }
    return n;
}

edge *sides_of(paper_result *r, const taut_mesh *mesh, int *count)
{
    edge *list = paper_take(r, sizeof *list * (3 * (size_t)mesh->ntris + 6 * (size_t)mesh->ntets + 1));
    *count = 0;
    for (int t = 0; list && t < mesh->ntris; t++) *count = add_element(list, *count, mesh->tri + 3 * (size_t)t, 3);
    for (int t = 0; list && t < mesh->ntets; t++) *count = add_element(list, *count, mesh->tet + 4 * (size_t)t, 4);
    return list;
}

edge *edges_of(paper_result *r, const taut_mesh *mesh, int *count)
{
    int n, kept = 0;
    edge *list = sides_of(r, mesh, &n);
    if (!list) return NULL;
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int i = 0; i < n; i++)
        if (kept == 0 || compare(list[i], list[kept - 1]) != 0) memmove(list[kept++], list[i], sizeof *list);
    *count = kept;
    return list;
}
