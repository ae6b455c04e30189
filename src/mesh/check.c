/* Checks of a mesh's arrays. Odd but usable geometry (zero areas, coincident or unused vertices,
 * non-manifold edges) passes: taut_mesh_inspect reports it. */
#include "base/error.h"
#include "mesh/limits.h"
#include "mesh/topology.h"

#include <math.h>

static bool check_count(const char *things, int count, const void *array, taut_error *error)
{
    if (count < 0)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the number of %s is negative: %d", things, count);
    if (count > 0 && !array)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the mesh has %d %s but their array is NULL",
                       count, things);
    return true;
}

static bool check_counts(const taut_mesh *mesh, taut_error *error)
{
    if (!mesh) return tt_fail(error, TAUT_BAD_MESH, -1, "there is no mesh (NULL)");
    if (!check_count("vertices", mesh->nvertices, mesh->x, error) ||
        !check_count("triangles", mesh->ntris, mesh->tri, error) ||
        !check_count("tets", mesh->ntets, mesh->tet, error) ||
        !check_count("lines", mesh->nlines, mesh->line, error))
        return false;
    if (mesh->nvertices == 0) return tt_fail(error, TAUT_BAD_MESH, -1, "the mesh has no vertices");
    if (mesh->nvertices > TAUT_MOST_VERTICES)
        return tt_fail(error, TAUT_BAD_MESH, -1, "the mesh has %d vertices, the most is %d",
                       mesh->nvertices, TAUT_MOST_VERTICES);
    if (tt_side_total(mesh->ntris, mesh->ntets, mesh->nlines) > TAUT_MOST_SIDES)
        return tt_fail(error, TAUT_BAD_MESH, -1,
                       "the mesh has too many elements: %d triangles, %d tets, %d lines",
                       mesh->ntris, mesh->ntets, mesh->nlines);
    return true;
}

/* Every element has `each` vertex indices, which must be in range and all different. */
static bool check_elements(const char *name, const int *vertices, int count, int each,
                           int nvertices, taut_error *error)
{
    for (int e = 0; e < count; e++) {
        const int *v = vertices + (size_t)e * (size_t)each;
        for (int i = 0; i < each; i++) {
            if (v[i] < 0 || v[i] >= nvertices)
                return tt_fail(error, TAUT_BAD_MESH, e, "%s %d: vertex index %d is outside 0..%d",
                               name, e, v[i], nvertices - 1);
            for (int j = 0; j < i; j++)
                if (v[i] == v[j])
                    return tt_fail(error, TAUT_BAD_MESH, e, "%s %d uses vertex %d twice", name, e,
                                   v[i]);
        }
    }
    return true;
}

/* Every element has `each` numbers, which must be finite. A NULL array is absent and passes. */
static bool check_finite(const char *name, const char *what, const float *value, int count,
                         int each, taut_error *error)
{
    if (!value) return true;
    for (int e = 0; e < count; e++)
        for (int i = 0; i < each; i++)
            if (!isfinite(value[(size_t)e * (size_t)each + (size_t)i]))
                return tt_fail(error, TAUT_BAD_MESH, e, "%s %d: %s is not finite", name, e, what);
    return true;
}

static bool check_scale(const char *name, const float *scale, int count, taut_error *error)
{
    if (!check_finite(name, "stiffness scale", scale, count, 1, error)) return false;
    for (int e = 0; scale && e < count; e++)
        if (scale[e] < 0)
            return tt_fail(error, TAUT_BAD_MESH, e,
                           "%s %d: stiffness scale must be 0 or above, got %g", name, e,
                           (double)scale[e]);
    return true;
}

static bool check_mass(const taut_mesh *mesh, taut_error *error)
{
    if (!check_finite("vertex", "mass", mesh->mass, mesh->nvertices, 1, error)) return false;
    for (int v = 0; mesh->mass && v < mesh->nvertices; v++)
        if (mesh->mass[v] <= 0)
            return tt_fail(error, TAUT_BAD_MESH, v, "vertex %d: mass must be above 0, got %g", v,
                           (double)mesh->mass[v]);
    return true;
}

bool taut_mesh_check(const taut_mesh *mesh, taut_error *error)
{
    tt_clear(error);
    return check_counts(mesh, error) &&
           check_finite("vertex", "position", mesh->x, mesh->nvertices, 3, error) &&
           check_elements("triangle", mesh->tri, mesh->ntris, 3, mesh->nvertices, error) &&
           check_elements("tet", mesh->tet, mesh->ntets, 4, mesh->nvertices, error) &&
           check_elements("line", mesh->line, mesh->nlines, 2, mesh->nvertices, error) &&
           check_finite("triangle", "uv", mesh->uv, mesh->ntris, 6, error) &&
           check_finite("triangle", "direction", mesh->direction, mesh->ntris, 3, error) &&
           check_finite("tet", "frame", mesh->frame, mesh->ntets, 9, error) &&
           check_scale("triangle", mesh->tri_scale, mesh->ntris, error) &&
           check_scale("tet", mesh->tet_scale, mesh->ntets, error) && check_mass(mesh, error);
}
