/* Solids of tets: beams and tori. */
#include "base/error.h"
#include "base/exact.h"
#include "mesh/generate.h"

#include <limits.h>

/* The five tets of a cell: one spans the corners whose grid coordinates add up to an even number, the other four cut
 * off the odd corners. So neighbouring cells have the same diagonal in the face that they share. */
static void put_five_tets(taut_mesh *mesh, int first, const int corner[2][2][2], int odd)
{
    const int(*near)[2] = corner[odd], (*far)[2] = corner[1 - odd]; /* odd cells are mirrored */
    int c000 = near[0][0], c100 = far[0][0], c010 = near[1][0], c110 = far[1][0];
    int c001 = near[0][1], c101 = far[0][1], c011 = near[1][1], c111 = far[1][1];
    tt_put_tet(mesh, first, c000, c110, c101, c011);
    tt_put_tet(mesh, first + 1, c100, c000, c110, c101);
    tt_put_tet(mesh, first + 2, c010, c000, c110, c011);
    tt_put_tet(mesh, first + 3, c001, c000, c101, c011);
    tt_put_tet(mesh, first + 4, c111, c110, c101, c011);
}

static int beam_vertex(int nx, int ny, int i, int j, int k)
{
    return (k * (ny + 1) + j) * (nx + 1) + i;
}

bool taut_mesh_beam(taut_mesh *mesh, int nx, int ny, int nz, float sx, float sy, float sz,
                    taut_error *error)
{
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("nx", nx, 1, INT_MAX - 1, error) ||
        !tt_argument_range("ny", ny, 1, INT_MAX - 1, error) ||
        !tt_argument_range("nz", nz, 1, INT_MAX - 1, error) ||
        !tt_argument_positive("sx", sx, error) || !tt_argument_positive("sy", sy, error) ||
        !tt_argument_positive("sz", sz, error))
        return false;
    int64_t vertices = tt_times(tt_times(nx + 1, ny + 1), nz + 1);
    int64_t cells = tt_times(tt_times(nx, ny), nz);
    if (!taut_mesh_allocate(mesh, vertices, 0, tt_times(5, cells), 0, false, false, error)) return false;
    for (int k = 0; k <= nz; k++)
        for (int j = 0; j <= ny; j++)
            for (int i = 0; i <= nx; i++)
                tt_put_vertex(mesh, beam_vertex(nx, ny, i, j, k),
                              (vec3){(double)sx * i / nx, sy * ((double)j / ny - 0.5),
                                     sz * ((double)k / nz - 0.5)});
    int tet = 0;
    for (int k = 0; k < nz; k++) {
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < nx; i++, tet += 5) {
                int corner[2][2][2];
                for (int c = 0; c < 8; c++)
                    corner[c & 1][c >> 1 & 1][c >> 2] =
                        beam_vertex(nx, ny, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
                put_five_tets(mesh, tet, (const int(*)[2][2])corner, (i + j + k) % 2);
            }
        }
    }
    return true;
}

/* Vertex m (m >= 0, round and round) of ring r; ring 0 is the centre, ring r has 6 r vertices. */
static int disc_vertex(int r, int m) { return r == 0 ? 0 : 1 + 3 * r * (r - 1) + m % (6 * r); }

typedef struct torus {
    int around, rings;
    int disc; /* vertices of a cross-section */
    double big, small;
} torus;

static void put_torus_vertices(taut_mesh *mesh, const torus *ts)
{
    for (int s = 0; s < ts->around; s++) {
        double theta = 2 * TT_PI * s / ts->around, c = tt_cos(theta), d = tt_sin(theta);
        tt_put_vertex(mesh, s * ts->disc, (vec3){ts->big * c, 0, ts->big * d});
        for (int r = 1; r <= ts->rings; r++) {
            for (int m = 0; m < 6 * r; m++) {
                double phi = 2 * TT_PI * m / (6 * r), radius = ts->small * r / ts->rings;
                double out = ts->big + radius * tt_cos(phi);
                tt_put_vertex(mesh, s * ts->disc + disc_vertex(r, m),
                              (vec3){out * c, radius * tt_sin(phi), out * d});
            }
        }
    }
}

/* Material axes at the tet's centre: the tangent of the big circle, outward, and the axis of
 * symmetry. */
static void put_torus_frame(taut_mesh *mesh, int tet)
{
    vec3 centre = {0, 0, 0};
    for (size_t i = 0; i < 4; i++)
        centre = vec_add(centre, vec_of(mesh->x + 3 * (size_t)mesh->tet[4 * (size_t)tet + i]));
    double length = sqrt(centre.x * centre.x + centre.z * centre.z);
    float c = (float)(centre.x / length), d = (float)(centre.z / length);
    const float axes[9] = {-d, 0, c, c, 0, d, 0, 1, 0};
    for (size_t i = 0; i < 9; i++) mesh->frame[9 * (size_t)tet + i] = axes[i];
}

static void put_in_order(int *smaller, int *larger)
{
    if (*smaller <= *larger) return;
    int kept = *smaller;
    *smaller = *larger;
    *larger = kept;
}

/* The prism between a triangle of the disc in section s and the same triangle in the next section. Each of its three
 * quads is cut from the smaller disc vertex in section s to the larger one in the next section, so prisms that share a
 * quad cut it in the same way. */
static void put_prism(taut_mesh *mesh, const torus *ts, int *tet, int s, int a, int b, int c)
{
    put_in_order(&a, &b);
    put_in_order(&b, &c);
    put_in_order(&a, &b);
    int here = s * ts->disc, next = (s + 1) % ts->around * ts->disc;
    const int split[3][4] = {{here + a, here + b, here + c, next + c},
                             {here + a, here + b, next + b, next + c},
                             {here + a, next + a, next + b, next + c}};
    for (int k = 0; k < 3; k++) {
        tt_put_tet(mesh, *tet, split[k][0], split[k][1], split[k][2], split[k][3]);
        put_torus_frame(mesh, (*tet)++);
    }
}

/* Between ring r - 1 and ring r each of six sectors has r triangles on the outer ring, r - 1 on the
 * inner. */
static void put_torus_section(taut_mesh *mesh, const torus *ts, int *tet, int s)
{
    for (int r = 1; r <= ts->rings; r++) {
        for (int sector = 0; sector < 6; sector++) {
            for (int k = 0; k < r; k++) {
                int outer = disc_vertex(r, sector * r + k);
                int outer_next = disc_vertex(r, sector * r + k + 1);
                int inner = disc_vertex(r - 1, sector * (r - 1) + k);
                put_prism(mesh, ts, tet, s, inner, outer, outer_next);
                if (k < r - 1)
                    put_prism(mesh, ts, tet, s, inner, outer_next,
                              disc_vertex(r - 1, sector * (r - 1) + k + 1));
            }
        }
    }
}

bool taut_mesh_torus(taut_mesh *mesh, int around, int rings, float big_radius, float small_radius,
                     taut_error *error)
{
    const int most_rings = 10000; /* above the limit on vertices, and 3 r (r + 1) fits an int */
    *mesh = (taut_mesh){0};
    if (!tt_argument_range("around", around, 3, INT_MAX, error) ||
        !tt_argument_range("rings", rings, 1, most_rings, error) ||
        !tt_argument_positive("big_radius", big_radius, error) ||
        !tt_argument_positive("small_radius", small_radius, error))
        return false;
    if (small_radius >= big_radius)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "small_radius must be below big_radius (%g), got %g", (double)big_radius,
                       (double)small_radius);
    const torus ts = {around, rings, 1 + 3 * rings * (rings + 1), big_radius, small_radius};
    int64_t tets = tt_times(18 * (int64_t)rings * rings, around); /* 6 r^2 prisms of three */
    if (!taut_mesh_allocate(mesh, tt_times(ts.disc, around), 0, tets, 0, false, true, error))
        return false;
    put_torus_vertices(mesh, &ts);
    int tet = 0;
    for (int s = 0; s < around; s++) put_torus_section(mesh, &ts, &tet, s);
    return true;
}
