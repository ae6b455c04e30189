/* Lines: chains and branching plants. */
#include "base/exact.h"
#include "mesh/generate.h"

#include <limits.h>

static void put_line(taut_mesh *mesh, int line, int a, int b)
{
    mesh->line[2 * (size_t)line] = a;
    mesh->line[2 * (size_t)line + 1] = b;
}

bool taut_mesh_chain(taut_mesh *mesh, int n, float length, taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("n", n, 2, INT_MAX, error) ||
        !tt_argument_positive("length", length, error) ||
        !taut_mesh_allocate(mesh, n, 0, 0, n - 1, false, false, error))
        return false;
    for (int v = 0; v < n; v++) tt_put_vertex(mesh, v, (vec3){(double)length * v / (n - 1), 0, 0});
    for (int l = 0; l < n - 1; l++) put_line(mesh, l, l, l + 1);
    return true;
}

typedef struct plant {
    taut_mesh *mesh;
    int segments;
    int nlines; /* so far; line l ends in vertex l + 1 */
} plant;

static const double SHORTER = 0.7;         /* a branch to its parent         */
static const double SPREAD = TT_PI * 0.17; /* of a branch from its parent, rad */

/* Grows a branch from vertex `from` at `root`, with all its children. `aside` is the unit direction in which the
 * children part. Each generation turns it by a quarter round the branch, so that the plant fills space. */
static void grow(plant *pl, int from, vec3 root, vec3 along, vec3 aside, double length, int levels)
{
    for (int k = 1; k <= pl->segments; k++) {
        int vertex = pl->nlines + 1;
        tt_put_vertex(pl->mesh, vertex, vec_add(root, vec_scale(along, length * k / pl->segments)));
        put_line(pl->mesh, pl->nlines++, from, vertex);
        from = vertex;
    }
    if (levels == 0) return;
    vec3 tip = vec_add(root, vec_scale(along, length));
    for (int side = -1; side <= 1; side += 2) {
        vec3 to =
            vec_add(vec_scale(along, tt_cos(SPREAD)), vec_scale(aside, side * tt_sin(SPREAD)));
        grow(pl, from, tip, to, vec_cross(along, aside), length * SHORTER, levels - 1);
    }
}

bool taut_mesh_branch(taut_mesh *mesh, int segments, int levels, float length, taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("segments", segments, 1, INT_MAX, error) ||
        !tt_argument_range("levels", levels, 0, 24, error) ||
        !tt_argument_positive("length", length, error))
        return false;
    int64_t branches = ((int64_t)2 << levels) - 1, lines = tt_times(branches, segments);
    if (!taut_mesh_allocate(mesh, lines + 1, 0, 0, lines, false, false, error)) return false;
    plant pl = {mesh, segments, 0};
    grow(&pl, 0, (vec3){0, 0, 0}, (vec3){0, 1, 0}, (vec3){1, 0, 0}, length, levels);
    return true;
}
