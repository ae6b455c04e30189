#include "io/seams.h"

#include <stdlib.h>

typedef struct wedge {
    int vertex, corner;
    float u, v;
} wedge;

static int compare_uvs(const wedge *p, const wedge *q)
{
    if (p->u != q->u) return p->u < q->u ? -1 : 1;
    return (p->v > q->v) - (p->v < q->v);
}

/* Orders wedges by vertex, UV and corner. Sorting them keeps vertices with very many UVs fast. */
static int compare_wedges(const void *a, const void *b)
{
    const wedge *p = a, *q = b;
    if (p->vertex != q->vertex) return p->vertex < q->vertex ? -1 : 1;
    int order = compare_uvs(p, q);
    return order ? order : (p->corner > q->corner) - (p->corner < q->corner);
}

static bool same_vertex(const wedge *p, const wedge *q) { return p->vertex == q->vertex; }

static int count_copies(const wedge *sorted, size_t count)
{
    int ncopies = 0;
    for (size_t i = 1; i < count; i++)
        ncopies += same_vertex(&sorted[i - 1], &sorted[i]) && compare_uvs(&sorted[i - 1], &sorted[i]) != 0;
    return ncopies;
}

static void number_corners(const wedge *sorted, size_t count, tio_seams *seams, int *original, int *corner, int *number)
{
    int copy = 0, here = 0;
    for (int v = 0; v < seams->nvertices; v++) corner[v] = -1;
    for (size_t i = 0; i < count; i++) {
        const wedge *w = &sorted[i];
        if (i == 0 || !same_vertex(w - 1, w)) {
            here = w->vertex;
            corner[here] = w->corner;
        } else if (compare_uvs(w - 1, w) != 0) {
            here = seams->nvertices + copy;
            original[copy++] = w->vertex;
            corner[here] = w->corner;
        }
        number[w->corner] = here;
    }
}

bool tio_find_seams(tt_scope *scope, const int *vertex, const float *uv, size_t ncorners, int nvertices,
                    tio_seams *seams)
{
    tt_scope moment;
    tt_scope_open(&moment, NULL);
    wedge *sorted = TT_TAKE(&moment, wedge, ncorners);
    bool good = sorted != NULL;
    for (size_t i = 0; good && i < ncorners; i++) sorted[i] = (wedge){vertex[i], (int)i, uv[2 * i], uv[2 * i + 1]};
    if (good && ncorners > 1) qsort(sorted, ncorners, sizeof *sorted, compare_wedges);
    int ncopies = good ? count_copies(sorted, ncorners) : 0;
    int *original = TT_TAKE(scope, int, ncopies), *number = TT_TAKE(scope, int, ncorners);
    int *corner = TT_TAKE(scope, int, (size_t)nvertices + (size_t)ncopies);
    *seams = (tio_seams){nvertices, ncopies, original, corner, number, uv};
    good = good && original && number && corner;
    if (good) number_corners(sorted, ncorners, seams, original, corner, number);
    tt_scope_close(&moment);
    return good;
}

const float *tio_seam_uv(const tio_seams *seams, int number)
{
    static const float none[2] = {0, 0};
    int corner = seams->corner[number];
    return corner < 0 ? none : &seams->uv[2 * (size_t)corner];
}
