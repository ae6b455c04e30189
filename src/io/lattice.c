/* Where the lattice is. What is inside is in lattice_inside.c. */
#include "io/lattice.h"

#include "base/error.h"

/* Floats have 24 bits: with 18 for the number of cells a vertex is still placed to a 32nd of one. */
static const double SMALLEST_CELL = 0x1p-18;

static void bounds(const taut_mesh *surface, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (size_t i = 0; i < 3 * (size_t)surface->ntris; i++) {
            double x = surface->x[3 * (size_t)surface->tri[i] + (size_t)axis];
            low[axis] = fmin(low[axis], x);
            high[axis] = fmax(high[axis], x);
        }
    }
}

bool tio_lattice_around(const taut_mesh *surface, double cell, tio_lattice *lattice, taut_error *error)
{
    double low[3], high[3], extent = 0, farthest = 0, cells = 1, n[3];
    bounds(surface, low, high);
    for (int axis = 0; axis < 3; axis++) {
        extent = fmax(extent, high[axis] - low[axis]);
        farthest = fmax(farthest, fmax(fabs(low[axis]), fabs(high[axis])));
    }
    if (extent <= 0)
        return tt_fail(error, TAUT_BAD_MESH, -1, "all vertices of the surface are in one place: it encloses no volume");
    if (cell == 0) cell = extent / 20;
    for (int axis = 0; axis < 3; axis++) {
        /* An extent of a whole number of cells stays one, however it was rounded. */
        n[axis] = ceil((high[axis] - low[axis]) / cell - 1e-3) + 2;
        if (n[axis] < 3) n[axis] = 3;
        cells *= n[axis];
    }
    if (cells > TIO_MAX_CELLS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "a cell of %g m is too small: the surface would take %.3g cells, the most is %d", cell, cells,
                       TIO_MAX_CELLS);
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

int tio_lattice_points(const tio_lattice *l) { return corners(l->n) + l->n[0] * l->n[1] * l->n[2]; }

int tio_lattice_corner(const tio_lattice *l, const int at[3])
{
    return (at[2] * (l->n[1] + 1) + at[1]) * (l->n[0] + 1) + at[0];
}

int tio_lattice_centre(const tio_lattice *l, const int at[3])
{
    return corners(l->n) + (at[2] * l->n[1] + at[1]) * l->n[0] + at[0];
}

vec3 tio_lattice_position(const tio_lattice *l, int point)
{
    int centre = point >= corners(l->n), nx = l->n[0] + !centre, ny = l->n[1] + !centre;
    if (centre) point -= corners(l->n);
    int i = point % nx, j = point / nx % ny, k = point / nx / ny;
    double shift = centre ? 0.5 : 0;
    return (vec3){l->origin[0] + l->cell * (i + shift), l->origin[1] + l->cell * (j + shift),
                  l->origin[2] + l->cell * (k + shift)};
}
