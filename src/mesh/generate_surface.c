/* Curved surfaces: tubes and spheres. */
#include "base/error.h"
#include "base/exact.h"
#include "mesh/generate.h"
#include "mesh/sides.h"

#include <limits.h>

/* Corner `i` around (up to and including `around`, where the seam closes) and `j` along. */
typedef struct tube_corner {
    int i, j;
} tube_corner;

typedef struct tube {
    int around, along;
    double chord, cell; /* width and height of a cell, m */
} tube;

/* UVs in metres; u runs on across the seam, so that the triangles there are not folded back. */
static void put_tube_triangle(taut_mesh *mesh, const tube *tb, int triangle,
                              const tube_corner corner[3])
{
    int v[3];
    for (size_t k = 0; k < 3; k++) {
        v[k] = corner[k].j * tb->around + corner[k].i % tb->around;
        mesh->uv[6 * (size_t)triangle + 2 * k] = (float)(corner[k].i * tb->chord);
        mesh->uv[6 * (size_t)triangle + 2 * k + 1] = (float)(corner[k].j * tb->cell);
    }
    tt_put_triangle(mesh, triangle, v[0], v[1], v[2]);
}

bool taut_mesh_tube(taut_mesh *mesh, int around, int along, float radius, float length,
                    taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("around", around, 3, INT_MAX, error) ||
        !tt_argument_range("along", along, 2, INT_MAX, error) ||
        !tt_argument_positive("radius", radius, error) ||
        !tt_argument_positive("length", length, error) ||
        !taut_mesh_allocate(mesh, tt_times(around, along), tt_times(2 * (int64_t)around, along - 1), 0, 0, true,
                            false, error))
        return false;
    const tube tb = {around, along, 2 * (double)radius * tt_sin(TT_PI / around),
                     (double)length / (along - 1)};
    for (int i = 0; i < around; i++) {
        /* From x towards -z: so u, v and the outward normal are right-handed. */
        double angle = 2 * TT_PI * i / around;
        double x = radius * tt_cos(angle), z = -radius * tt_sin(angle);
        for (int j = 0; j < along; j++)
            tt_put_vertex(mesh, j * around + i,
                          (vec3){x, length * ((double)j / (along - 1) - 0.5), z});
    }
    int triangle = 0;
    for (int j = 0; j < along - 1; j++) {
        for (int i = 0; i < around; i++, triangle += 2) {
            tube_corner a = {i, j}, b = {i + 1, j}, c = {i + 1, j + 1}, d = {i, j + 1};
            bool rising = (i + j) % 2 == 0;
            put_tube_triangle(mesh, &tb, triangle,
                              rising ? (tube_corner[3]){a, b, c} : (tube_corner[3]){a, b, d});
            put_tube_triangle(mesh, &tb, triangle + 1,
                              rising ? (tube_corner[3]){a, c, d} : (tube_corner[3]){b, c, d});
        }
    }
    return true;
}

static vec3 unit(vec3 p) { return vec_scale(p, 1 / vec_length(p)); }

/* An icosahedron's vertices are the cyclic permutations of (0, +-1, +-golden ratio). */
static void start_icosahedron(taut_mesh *mesh, vec3 *p)
{
    static const int face[20][3] = {{0, 1, 8},  {0, 10, 1}, {0, 4, 5},   {0, 8, 4}, {0, 5, 10},
                                    {1, 7, 6},  {1, 6, 8},  {1, 10, 7},  {2, 9, 3}, {2, 3, 11},
                                    {2, 5, 4},  {2, 4, 9},  {2, 11, 5},  {3, 6, 7}, {3, 9, 6},
                                    {3, 7, 11}, {4, 8, 9},  {5, 11, 10}, {6, 9, 8}, {7, 10, 11}};
    const double golden = (1 + sqrt(5.0)) / 2;
    for (int k = 0; k < 4; k++) {
        double one = k & 1 ? -1 : 1, long_side = k & 2 ? -golden : golden;
        p[k] = unit((vec3){0, one, long_side});
        p[4 + k] = unit((vec3){one, long_side, 0});
        p[8 + k] = unit((vec3){long_side, 0, one});
    }
    for (int t = 0; t < 20; t++) tt_put_triangle(mesh, t, face[t][0], face[t][1], face[t][2]);
}

/* Cuts every triangle in four at the midpoints of its edges, pushed out to the sphere. */
static bool subdivide(tt_scope *scope, taut_mesh *mesh, vec3 *p)
{
    int nsides;
    tt_side *side = tt_sides(scope, mesh, &nsides);
    int *middle = TT_TAKE(scope, int, 3 * mesh->ntris);
    if (!side || !middle) return false;
    for (int begin = 0, end; begin < nsides; begin = end) {
        end = tt_sides_end(side, nsides, begin);
        p[mesh->nvertices] = unit(vec_add(p[side[begin].a], p[side[begin].b]));
        for (int i = begin; i < end; i++) middle[side[i].slot] = mesh->nvertices;
        mesh->nvertices++;
    }
    int ntris = mesh->ntris;
    for (int t = 0; t < ntris; t++) {
        const int *m = middle + 3 * (size_t)t;
        int a = mesh->tri[3 * t], b = mesh->tri[3 * t + 1], c = mesh->tri[3 * t + 2];
        tt_put_triangle(mesh, t, m[0], m[1], m[2]);
        tt_put_triangle(mesh, mesh->ntris++, a, m[0], m[2]);
        tt_put_triangle(mesh, mesh->ntris++, b, m[1], m[0]);
        tt_put_triangle(mesh, mesh->ntris++, c, m[2], m[1]);
    }
    return true;
}

bool taut_mesh_sphere(taut_mesh *mesh, int levels, float radius, taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("levels", levels, 0, 8, error) ||
        !tt_argument_positive("radius", radius, error))
        return false;
    int64_t quarters = (int64_t)1 << (2 * levels);
    if (!taut_mesh_allocate(mesh, 10 * quarters + 2, 20 * quarters, 0, 0, false, false, error)) return false;
    tt_scope scratch;
    tt_scope_open(&scratch, NULL);
    vec3 *p = TT_TAKE(&scratch, vec3, mesh->nvertices);
    bool ok = p;
    if (ok) {
        mesh->nvertices = 12;
        mesh->ntris = 20;
        start_icosahedron(mesh, p);
        for (int level = 0; ok && level < levels; level++) ok = subdivide(&scratch, mesh, p);
        for (int v = 0; ok && v < mesh->nvertices; v++)
            tt_put_vertex(mesh, v, vec_scale(p[v], radius));
    }
    tt_scope_close(&scratch);
    if (ok) return true;
    taut_mesh_free(mesh);
    return tt_no_memory(error);
}
