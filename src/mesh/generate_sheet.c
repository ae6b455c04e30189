/* Flat cloth: sheets, irregular sheets and strips, all a grid of cells cut in two. */
#include "base/error.h"
#include "mesh/generate.h"

#include <limits.h>

/* UVs are the rest positions in the plane, in metres. */
static void put_flat_triangle(taut_mesh *mesh, int triangle, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    tt_put_triangle(mesh, triangle, a, b, c);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++)
            mesh->uv[6 * (size_t)triangle + 2 * i + k] = mesh->x[3 * (size_t)corner[i] + k];
}

/* A cell of four corners, cut from top left to bottom right when `falling`, else the other way.
 * Faces +z. */
static void put_cell(taut_mesh *mesh, int cell, const int corner[4], bool falling)
{
    int top_left = corner[0], top_right = corner[1], low_left = corner[2], low_right = corner[3];
    if (falling) {
        put_flat_triangle(mesh, 2 * cell, top_left, low_left, low_right);
        put_flat_triangle(mesh, 2 * cell + 1, top_left, low_right, top_right);
    } else {
        put_flat_triangle(mesh, 2 * cell, top_left, low_left, top_right);
        put_flat_triangle(mesh, 2 * cell + 1, low_left, low_right, top_right);
    }
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Evenly in [-1, 1). */
static double random_offset(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-52 - 1;
}

static double flat_area(const taut_mesh *mesh, int a, int b, int c)
{
    vec3 p = vec_of(mesh->x + 3 * (size_t)a);
    vec3 to_b = vec_sub(vec_of(mesh->x + 3 * (size_t)b), p);
    vec3 to_c = vec_sub(vec_of(mesh->x + 3 * (size_t)c), p);
    return vec_cross(to_b, to_c).z / 2;
}

/* The smaller of the two triangles that a cut leaves; negative when a corner is across the cut. */
static double worst_area(const taut_mesh *mesh, const int corner[4], bool falling)
{
    if (falling)
        return fmin(flat_area(mesh, corner[0], corner[2], corner[3]),
                    flat_area(mesh, corner[0], corner[3], corner[1]));
    return fmin(flat_area(mesh, corner[0], corner[2], corner[1]),
                flat_area(mesh, corner[2], corner[3], corner[1]));
}

typedef struct grid {
    int nx, ny;
    double width, height;
    double jitter;
    bool random_cuts;
    uint64_t random;
} grid;

static void put_grid_vertices(taut_mesh *mesh, grid *g)
{
    for (int j = 0; j < g->ny; j++) {
        for (int i = 0; i < g->nx; i++) {
            double di = g->jitter * random_offset(&g->random);
            double dj = g->jitter * random_offset(&g->random);
            if (i == 0 || i == g->nx - 1) di = 0; /* slides along its edge; a corner stays */
            if (j == 0 || j == g->ny - 1) dj = 0;
            double right = (i + di) / (g->nx - 1), down = (j + dj) / (g->ny - 1);
            tt_put_vertex(mesh, j * g->nx + i,
                          (vec3){g->width * (right - 0.5), 0 - g->height * down, 0});
        }
    }
}

/* A random cut must leave both triangles at least a tenth of a cell, else the better cut is taken. Jitter below half a
 * cell can push one corner across one of the cuts, never across both. */
static bool random_cut(const taut_mesh *mesh, grid *g, const int corner[4])
{
    double enough = 0.1 * g->width * g->height / ((double)(g->nx - 1) * (g->ny - 1));
    bool falling = random_bits(&g->random) >> 63;
    double worst = worst_area(mesh, corner, falling), other = worst_area(mesh, corner, !falling);
    return worst < enough && other > worst ? !falling : falling;
}

static bool make_grid(taut_mesh *mesh, grid *g, taut_error *error)
{
    int64_t cells = tt_times(g->nx - 1, g->ny - 1);
    if (!taut_mesh_allocate(mesh, tt_times(g->nx, g->ny), 2 * cells, 0, 0, true, false, error))
        return false;
    put_grid_vertices(mesh, g);
    int cell = 0;
    for (int j = 0; j < g->ny - 1; j++) {
        for (int i = 0; i < g->nx - 1; i++, cell++) {
            int at = j * g->nx + i;
            const int corner[4] = {at, at + 1, at + g->nx, at + g->nx + 1};
            put_cell(mesh, cell, corner,
                     g->random_cuts ? random_cut(mesh, g, corner) : (i + j) % 2 == 0);
        }
    }
    return true;
}

static bool check_sheet(taut_mesh *mesh, int nx, int ny, float width, float height,
                        taut_error *error)
{
    *mesh = (taut_mesh){0};
    return tt_argument_range("nx", nx, 2, INT_MAX, error) &&
           tt_argument_range("ny", ny, 2, INT_MAX, error) &&
           tt_argument_positive("width", width, error) &&
           tt_argument_positive("height", height, error);
}

bool taut_mesh_sheet(taut_mesh *mesh, int nx, int ny, float width, float height, taut_error *error)
{
    if (!check_sheet(mesh, nx, ny, width, height, error)) return false;
    grid g = {.nx = nx, .ny = ny, .width = width, .height = height};
    return make_grid(mesh, &g, error);
}

bool taut_mesh_sheet_irregular(taut_mesh *mesh, int nx, int ny, float width, float height,
                               float jitter, uint32_t seed, taut_error *error)
{
    if (!check_sheet(mesh, nx, ny, width, height, error)) return false;
    if (!(jitter >= 0 && jitter <= 0.45f))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "jitter must be in 0..0.45, got %g",
                       (double)jitter);
    grid g = {.nx = nx,
              .ny = ny,
              .width = width,
              .height = height,
              .jitter = jitter,
              .random_cuts = true,
              .random = seed};
    return make_grid(mesh, &g, error);
}

bool taut_mesh_strip(taut_mesh *mesh, int n, float length, float width, taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("n", n, 2, INT_MAX, error) ||
        !tt_argument_positive("length", length, error) ||
        !tt_argument_positive("width", width, error) ||
        !taut_mesh_allocate(mesh, tt_times(2, n), tt_times(2, n - 1), 0, 0, true, false, error))
        return false;
    for (int i = 0; i < n; i++) {
        double x = (double)length * i / (n - 1);
        tt_put_vertex(mesh, 2 * i, (vec3){x, width / 2.0, 0});
        tt_put_vertex(mesh, 2 * i + 1, (vec3){x, -width / 2.0, 0});
    }
    for (int i = 0; i < n - 1; i++) {
        const int corner[4] = {2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 3};
        put_cell(mesh, i, corner, i % 2 == 0);
    }
    return true;
}
