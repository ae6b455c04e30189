/* Places and numbers of lattice points. lattice_inside.c tells which of them are inside. */
#include "mesh/lattice.h"

#include "base/error.h"

/* Floats have 24 bits. If 18 of them are used for the number of cells, a vertex is still placed to a 32nd of a cell. */
static const double SMALLEST_CELL = 0x1p-18;

static void bounds(const float *xyz, const int *vertex, int count, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (int i = 0; i < count; i++) {
            double x = xyz[3 * (size_t)vertex[i] + (size_t)axis];
            low[axis] = fmin(low[axis], x);
            high[axis] = fmax(high[axis], x);
        }
    }
}

bool tt_lattice_around(const float *x, const int *vertex, int count, double cell, tt_lattice *lattice,
                       taut_error *error)
{
    double low[3], high[3], extent = 0, farthest = 0, cells = 1, n[3];
    bounds(x, vertex, count, low, high);
    for (int axis = 0; axis < 3; axis++) {
        extent = fmax(extent, high[axis] - low[axis]);
        farthest = fmax(farthest, fmax(fabs(low[axis]), fabs(high[axis])));
    }
    if (extent <= 0)
        return tt_fail(error, TAUT_BAD_MESH, -1, "all vertices of the surface are in one place: it encloses no volume");
    if (cell == 0) cell = extent / 20;
    for (int axis = 0; axis < 3; axis++) {
        /* An extent of a whole number of cells gives that number, however it was rounded. */
        n[axis] = ceil((high[axis] - low[axis]) / cell - 1e-3) + 2;
        if (n[axis] < 3) n[axis] = 3;
        cells *= n[axis];
    }
    if (cells > TT_MAX_CELLS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "a cell of %g m is too small: the surface would take %.3g cells, the most is %d", cell, cells,
                       TT_MAX_CELLS);
    if (cell < SMALLEST_CELL * farthest)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "a cell of %g m is too small for floats as far from the origin as %g m", cell, farthest);
    lattice->cell = cell;
    for (int axis = 0; axis < 3; axis++) {
        lattice->n[axis] = (int)n[axis];
        lattice->origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * n[axis] * cell;
    }
    return true;
}

static int corners(const int n[3]) { return (n[0] + 1) * (n[1] + 1) * (n[2] + 1); }

int tt_lattice_points(const tt_lattice *l) { return corners(l->n) + l->n[0] * l->n[1] * l->n[2]; }

int tt_lattice_corner(const tt_lattice *l, const int at[3])
{
    return (at[2] * (l->n[1] + 1) + at[1]) * (l->n[0] + 1) + at[0];
}

int tt_lattice_centre(const tt_lattice *l, const int at[3])
{
    return corners(l->n) + (at[2] * l->n[1] + at[1]) * l->n[0] + at[0];
}

vec3 tt_lattice_position(const tt_lattice *l, int point)
{
    int centre = point >= corners(l->n), nx = l->n[0] + !centre, ny = l->n[1] + !centre;
    if (centre) point -= corners(l->n);
    int i = point % nx, j = point / nx % ny, k = point / nx / ny;
    double shift = centre ? 0.5 : 0;
    return (vec3){l->origin[0] + l->cell * (i + shift), l->origin[1] + l->cell * (j + shift),
                  l->origin[2] + l->cell * (k + shift)};
}

void tt_lattice_tets(const tt_lattice *l, const int cell[3], int axis, int point[4][4])
{
    static const int ring[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    int next[3] = {cell[0], cell[1], cell[2]}, corner[5];
    next[axis]++;
    for (int i = 0; i < 5; i++) {
        int at[3] = {next[0], next[1], next[2]};
        at[(axis + 1) % 3] += ring[i][0];
        at[(axis + 2) % 3] += ring[i][1];
        corner[i] = tt_lattice_corner(l, at);
    }
    for (int i = 0; i < 4; i++) {
        point[i][0] = tt_lattice_centre(l, cell);
        point[i][1] = tt_lattice_centre(l, next);
        point[i][2] = corner[i];
        point[i][3] = corner[i + 1];
    }
}
