#include "mesh_problems.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct list {
    mesh_problem *problem;
    int count;
} list;

__attribute__((format(printf, 4, 5))) static void add(list *all, const char *kind, int count, const char *format, ...)
{
    if (count <= 0 || all->count == MOST_PROBLEMS) return;
    mesh_problem *p = &all->problem[all->count++];
    va_list values;
    p->kind = kind;
    p->count = count;
    va_start(values, format);
    vsnprintf(p->text, sizeof p->text, format, values);
    va_end(values);
}

/* Chooses between "vertex is" and "vertices are", so that every sentence is right for one and for many. */
static const char *plural(int count, const char *one, const char *many) { return count == 1 ? one : many; }

static void add_edges(list *all, const mesh_figures *f)
{
    const taut_mesh_report *r = &f->report;
    int n = r->nonmanifold_edges;
    add(all, "nonmanifold_edges", n, "%d %s three or more triangles; the first is between vertices %d and %d.", n,
        plural(n, "edge joins", "edges join"), r->first_nonmanifold[0], r->first_nonmanifold[1]);
    n = r->inconsistent_edges;
    add(all, "inconsistent_edges", n,
        "%d %s two triangles that face opposite ways; the first is between vertices %d and %d.", n,
        plural(n, "edge joins", "edges join"), f->first_inconsistent[0], f->first_inconsistent[1]);
    add(all, "inside_out", f->enclosed_volume < 0, "The closed surface is inside out: its triangles face inwards.");
}

static void add_elements(list *all, const mesh_figures *f)
{
    int n = f->report.degenerate_tris;
    add(all, "degenerate_triangles", n, "%d %s no area to speak of; the worst is triangle %d.", n,
        plural(n, "triangle has", "triangles have"), f->worst_tri);
    n = f->report.degenerate_tets;
    add(all, "degenerate_tets", n, "%d %s no volume to speak of; the worst is tet %d.", n,
        plural(n, "tet has", "tets have"), f->worst_tet);
    n = f->report.inverted_tets;
    add(all, "inverted_tets", n, "%d %s inverted; the worst is tet %d.", n, plural(n, "tet is", "tets are"),
        f->worst_tet);
}

static void add_vertices(list *all, const mesh_figures *f)
{
    int n = f->report.unreferenced_vertices;
    add(all, "unreferenced_vertices", n, "%d %s to no element; the first is vertex %d.", n,
        plural(n, "vertex belongs", "vertices belong"), f->first_unreferenced);
    n = f->report.duplicate_vertices;
    add(all, "duplicate_vertices", n, "%d %s where another is already; the first is vertex %d, at the place of %d.", n,
        plural(n, "vertex is", "vertices are"), f->first_duplicate[1], f->first_duplicate[0]);
}

/* Units are metres. A mesh as large as a house or as small as a grain was probably modelled in other units. */
static void add_size(list *all, const mesh_figures *f)
{
    double size = 0;
    for (int i = 0; i < 3; i++) size = fmax(size, (double)f->report.max[i] - (double)f->report.min[i]);
    add(all, "size", size > 50, "It is %.3g m across. Taut's unit is the metre: was it modelled in centimetres?", size);
    add(all, "size", size < 1e-3, "It is %.3g m across. Taut's unit is the metre: is that its size?", size);
}

int mesh_problems(const mesh_figures *figures, mesh_problem problem[MOST_PROBLEMS])
{
    list all = {problem, 0};
    add_edges(&all, figures);
    add_elements(&all, figures);
    add_vertices(&all, figures);
    add_size(&all, figures);
    return all.count;
}
