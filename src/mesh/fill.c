/* Fills a surface with tets of a body-centred cubic lattice, after the first half of isosurface stuffing (Labelle
 * and Shewchuk 2007). Every tet of the lattice is well shaped, and the tets inside the surface are kept. If they stick
 * out of the surface or do not reach it, their outer vertices are moved onto it, but only as far as no tet gets badly
 * shaped. */
#include "taut.h"

#include "base/error.h"
#include "mesh/lattice.h"
#include "mesh/fill.h"
#include "mesh/generate.h"
#include "mesh/limits.h"

#include <string.h>

typedef struct filling {
    tt_scope *scratch;
    tt_triangles surface;
    tt_lattice lattice;
    signed char *inside; /* per lattice point, above 0: yes */
    float *depth;        /* per lattice point, cells, above 0 inside; 0: not yet known */
    tt_solid solid;     /* its vertices are lattice points until they are numbered */
} filling;

/* ---- The surface ---------------------------------------------------------------------------------------- */

/* Odd triangles pass, wrong arrays do not. */
static bool check_surface(const taut_mesh *surface, float cell, taut_error *error)
{
    if (!surface || surface->ntris <= 0 || !surface->tri || !surface->x)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the surface is empty: it has no triangles");
    if (!isfinite(cell) || cell < 0)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "cell must be a finite number of 0 or above, got %g",
                       (double)cell);
    for (int t = 0; t < surface->ntris; t++) {
        for (int i = 0; i < 3; i++) {
            int v = surface->tri[3 * (size_t)t + (size_t)i];
            if (v < 0 || v >= surface->nvertices)
                return tt_fail(error, TAUT_BAD_MESH, t, "triangle %d: vertex index %d is outside 0..%d", t, v,
                               surface->nvertices - 1);
            const float *x = surface->x + 3 * (size_t)v;
            if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
                return tt_fail(error, TAUT_BAD_MESH, v, "vertex %d: position is not finite", v);
        }
    }
    return true;
}

/* ---- Choosing tets ---------------------------------------------------------------------------------------- */

static double depth_of(filling *s, int point)
{
    if (s->depth[point] == 0) {
        vec3 p = tt_lattice_position(&s->lattice, point);
        double cells = vec_length(vec_sub(tt_triangles_closest(&s->surface, p), p));
        cells /= s->lattice.cell;
        s->depth[point] = (float)(s->inside[point] > 0 ? cells : -cells);
    }
    return s->depth[point];
}

/* A tet is kept when its centroid is inside; the mean depth of its vertices tells that. The margin of a 64th of a cell
 * matters for faces of the surface that lie in a plane of the lattice: the tets that straddle it are kept, and snap
 * flat. */
static bool is_kept(filling *s, const int point[4])
{
    int count = 0;
    double depth = 0;
    for (int i = 0; i < 4; i++) count += s->inside[point[i]] > 0;
    if (count == 0 || count == 4) return count == 4;
    for (int i = 0; i < 4; i++) depth += depth_of(s, point[i]);
    return depth / 4 > -1.0 / 64;
}

static int64_t choose_at_face(filling *s, const int cell[3], int axis, int64_t count)
{
    int point[4][4];
    tt_lattice_tets(&s->lattice, cell, axis, point);
    for (int i = 0; i < 4; i++) {
        if (!is_kept(s, point[i])) continue;
        if (s->solid.tet) memcpy(s->solid.tet + 4 * (size_t)count, point[i], sizeof point[i]);
        count++;
    }
    return count;
}

/* Counts the tets to be kept and, once there is memory for them, stores them. */
static int64_t choose(filling *s)
{
    int64_t count = 0;
    const int *n = s->lattice.n;
    int cell[3];
    for (cell[2] = 0; cell[2] < n[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < n[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < n[0]; cell[0]++)
                for (int axis = 0; axis < 3; axis++)
                    if (cell[axis] + 1 < n[axis]) count = choose_at_face(s, cell, axis, count);
    return count;
}

static bool choose_tets(filling *s, const taut_mesh *surface, taut_error *error)
{
    int points = tt_lattice_points(&s->lattice);
    s->inside = TT_TAKE(s->scratch, signed char, points);
    s->depth = TT_TAKE(s->scratch, float, points);
    if (!s->inside || !s->depth || !tt_triangles_build(s->scratch, surface, &s->surface) ||
        !tt_lattice_inside(s->scratch, &s->lattice, surface, s->inside))
        return tt_no_memory(error);
    int64_t count = choose(s);
    if (count == 0)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the surface encloses no volume: is it closed? (cells of %g m)",
                       s->lattice.cell);
    if (count > TAUT_MOST_SIDES / 6)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "a cell of %g m is too small: it gives %lld tets", s->lattice.cell,
                       (long long)count);
    s->solid.ntets = (int)count;
    s->solid.tet = TT_TAKE(s->scratch, int, 4 * count);
    if (!s->solid.tet) return tt_no_memory(error);
    choose(s);
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------------------- */

static bool place_vertices(filling *s)
{
    int *point = tt_solid_number(s->scratch, &s->solid, tt_lattice_points(&s->lattice));
    if (!point) return false;
    s->solid.x = TT_TAKE(s->scratch, float, 3 * (size_t)s->solid.nvertices);
    if (!s->solid.x) return false;
    for (int v = 0; v < s->solid.nvertices; v++) {
        vec3 p = tt_lattice_position(&s->lattice, point[v]);
        float *x = s->solid.x + 3 * (size_t)v;
        x[0] = (float)p.x;
        x[1] = (float)p.y;
        x[2] = (float)p.z;
    }
    return tt_solid_link(s->scratch, &s->solid);
}

static bool fill(filling *s, const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error)
{
    if (!tt_lattice_around(surface->x, surface->tri, 3 * surface->ntris, cell, &s->lattice, error) ||
        !choose_tets(s, surface, error))
        return false;
    if (!place_vertices(s) || !tt_solid_drop_bits(s->scratch, &s->solid) ||
        !tt_solid_snap(s->scratch, &s->solid, &s->surface, s->lattice.cell))
        return tt_no_memory(error);
    if (!taut_mesh_allocate(solid, s->solid.nvertices, 0, s->solid.ntets, 0, false, false, error)) return false;
    memcpy(solid->x, s->solid.x, 3 * sizeof(float) * (size_t)s->solid.nvertices);
    memcpy(solid->tet, s->solid.tet, 4 * sizeof(int) * (size_t)s->solid.ntets);
    return true;
}

bool taut_mesh_fill(const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error)
{
    *solid = (taut_mesh){0};
    tt_clear(error);
    if (!check_surface(surface, cell, error)) return false;
    tt_scope scratch;
    tt_scope_open(&scratch, NULL);
    filling s = {.scratch = &scratch};
    bool ok = fill(&s, surface, cell, solid, error);
    tt_scope_close(&scratch);
    return ok;
}
