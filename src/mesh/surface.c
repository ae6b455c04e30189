#include "mesh/surface.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Corners of the four faces of a tet with positive volume, seen from outside counter-clockwise. */
static const int tet_face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

typedef struct face {
    int sorted[3]; /* vertices ascending: equal for the two sides of a shared face */
    size_t place;  /* 4 * tet + face */
} face;

static void swap_if_above(int *a, int *b)
{
    if (*a <= *b) return;
    int t = *a;
    *a = *b;
    *b = t;
}

static int compare_vertices(const face *a, const face *b)
{
    for (int i = 0; i < 3; i++) {
        if (a->sorted[i] != b->sorted[i]) return a->sorted[i] < b->sorted[i] ? -1 : 1;
    }
    return 0;
}

static int by_vertices(const void *a, const void *b) { return compare_vertices(a, b); }

static bool inverted(const float *rest, const int *tet)
{
    double e[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            e[i][k] = (double)rest[3 * (size_t)tet[i + 1] + (size_t)k] - (double)rest[3 * (size_t)tet[0] + (size_t)k];
        }
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]) <
           0;
}

/* Marks the faces that occur once; returns how many. */
static size_t mark_outer(face *faces, size_t count, unsigned char *outer)
{
    size_t found = 0;
    qsort(faces, count, sizeof *faces, by_vertices);
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && compare_vertices(&faces[i], &faces[end]) == 0) end++;
        if (end - i > 1) continue;
        outer[faces[i].place] = 1;
        found++;
    }
    return found;
}

int *tt_surface(tt_scope *scope, const float *rest, const int *tet, int ntets, int *ntris)
{
    size_t count = 4 * (size_t)ntets;
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    face *faces = TT_TAKE(&scratch, face, count);
    unsigned char *outer = TT_TAKE(&scratch, unsigned char, count);
    int *tri = NULL;
    if (faces && outer) {
        for (size_t i = 0; i < count; i++) {
            int *s = faces[i].sorted;
            for (int k = 0; k < 3; k++) s[k] = tet[4 * (i / 4) + (size_t)tet_face[i % 4][k]];
            swap_if_above(&s[0], &s[1]);
            swap_if_above(&s[1], &s[2]);
            swap_if_above(&s[0], &s[1]);
            faces[i].place = i;
        }
        size_t found = mark_outer(faces, count, outer);
        tri = TT_TAKE(scope, int, 3 * found);
        *ntris = (int)found;
    }
    for (size_t i = 0, n = 0; tri && i < count; i++) {
        if (!outer[i]) continue;
        const int *corner = &tet[4 * (i / 4)], *f = tet_face[i % 4];
        bool flip = inverted(rest, corner);
        tri[n++] = corner[f[0]];
        tri[n++] = corner[f[flip ? 2 : 1]];
        tri[n++] = corner[f[flip ? 1 : 2]];
    }
    tt_scope_close(&scratch);
    return tri;
}

int *taut_mesh_surface(const taut_mesh *solid, int *ntris, taut_error *error)
{
    tt_scope scope;
    tt_clear(error);
    if (!taut_mesh_check(solid, error)) return NULL;
    tt_scope_open(&scope, NULL);
    const int *found = tt_surface(&scope, solid->x, solid->tet, solid->ntets, ntris);
    size_t bytes = found ? 3 * (size_t)*ntris * sizeof *found : 0;
    int *tri = found ? malloc(bytes ? bytes : 1) : NULL;
    if (tri) memcpy(tri, found, bytes);
    else tt_no_memory(error);
    tt_scope_close(&scope);
    return tri;
}
