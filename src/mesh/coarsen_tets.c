#include "mesh/coarsen_tets.h"

#include "base/exact.h"
#include "mesh/elements.h"
#include "mesh/frame.h"
#include "mesh/generate.h"
#include "mesh/lattice.h"
#include "mesh/tet_overlap.h"

enum {
    ROUNDS = 6,           /* of the search for the size of a cell */
    MOST_CELLS = 4000000, /* of the lattice, many of them empty */
    WORK_PER_TET = 200,   /* cells of the lattice to take memory for and to look at, for each tet of the mesh */
    TETS_PER_CELL = 12
};

typedef struct cover {
    tt_lattice lattice;
    int ntets;
    unsigned char *taken; /* 3 per cell, by axis; bit i: the i-th tet between it and the next along the axis */
} cover;

/* ---- Which tets of a lattice cover the mesh ---------------------------------------------------------------------- */

static void corners_of(const taut_mesh *mesh, int t, vec3 corner[4])
{
    for (int i = 0; i < 4; i++) corner[i] = vec_of(mesh->x + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)i]);
}

static void take(cover *c, const vec3 fine[4], const int cell[3], int axis)
{
    const tt_lattice *l = &c->lattice;
    size_t number = ((size_t)cell[2] * (size_t)l->n[1] + (size_t)cell[1]) * (size_t)l->n[0] + (size_t)cell[0];
    unsigned char *taken = &c->taken[3 * number + (size_t)axis];
    int point[4][4];
    if (*taken == 15) return;
    tt_lattice_tets(l, cell, axis, point);
    for (int i = 0; i < 4; i++) {
        vec3 corner[4];
        if (*taken >> i & 1) continue;
        for (int j = 0; j < 4; j++) corner[j] = tt_lattice_position(l, point[i][j]);
        if (!tt_tets_overlap(corner, fine)) continue;
        *taken |= (unsigned char)(1 << i);
        c->ntets++;
    }
}

typedef struct cell_range {
    int first[3], last[3];
} cell_range;

/* The cells whose tets along the axis may overlap a tet of the mesh. The tets between a cell and the next one reach
 * from centre to centre along the axis, and as far as the cell across it. */
static cell_range cells_around(const tt_lattice *l, const vec3 fine[4], int axis)
{
    tt_box box = tt_box_around(fine, 4);
    cell_range r;
    for (int i = 0; i < 3; i++) {
        double low = (box.low[i] - l->origin[i]) / l->cell, high = (box.high[i] - l->origin[i]) / l->cell;
        int most = i == axis ? l->n[i] - 2 : l->n[i] - 1;
        r.first[i] = (int)floor(i == axis ? low - 0.5 : low);
        r.last[i] = (int)floor(i == axis ? high - 0.5 : high);
        if (r.first[i] < 0) r.first[i] = 0;
        if (r.last[i] > most) r.last[i] = most;
    }
    return r;
}

static void take_around(cover *c, const vec3 fine[4], int axis)
{
    cell_range r = cells_around(&c->lattice, fine, axis);
    int cell[3];
    for (cell[2] = r.first[2]; cell[2] <= r.last[2]; cell[2]++)
        for (cell[1] = r.first[1]; cell[1] <= r.last[1]; cell[1]++)
            for (cell[0] = r.first[0]; cell[0] <= r.last[0]; cell[0]++) take(c, fine, cell, axis);
}

/* How many cells there are, and how many cover_with will look at. */
static double work_of(const taut_mesh *fine, const tt_lattice *l)
{
    double work = (double)l->n[0] * l->n[1] * l->n[2];
    for (int t = 0; t < fine->ntets; t++) {
        vec3 corner[4];
        corners_of(fine, t, corner);
        for (int axis = 0; axis < 3; axis++) {
            cell_range r = cells_around(l, corner, axis);
            double cells = 1;
            for (int i = 0; i < 3; i++) cells *= r.last[i] - r.first[i] + 1;
            work += cells;
        }
    }
    return work;
}

static bool cover_with(tt_scope *scratch, const taut_mesh *fine, const tt_lattice *lattice, cover *c)
{
    const int *n = lattice->n;
    *c = (cover){.lattice = *lattice};
    c->taken = TT_TAKE(scratch, unsigned char, 3 * (size_t)n[0] * (size_t)n[1] * (size_t)n[2]);
    for (int t = 0; c->taken && t < fine->ntets; t++) {
        vec3 corner[4];
        corners_of(fine, t, corner);
        for (int axis = 0; axis < 3; axis++) take_around(c, corner, axis);
    }
    return c->taken != NULL;
}

/* ---- The size of a cell ------------------------------------------------------------------------------------------ */

static double volume_of(const taut_mesh *mesh)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntets; t++) {
        vec3 p[4];
        corners_of(mesh, t, p);
        sum += fabs(vec_dot(vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0])), vec_sub(p[3], p[0]))) / 6;
    }
    return sum;
}

/* The cube root of any x > 0. */
static double cube_root(double x) { return x <= 1 ? tt_root(x, 3) : 1 / tt_root(1 / x, 3); }

/* The lattice with that cell, or with the next larger cell that does not make the lattice too large. A mesh of thin and
 * long tets has little volume and so would get tiny cells, and each of its tets is near very many of them. */
static bool lattice_of(const taut_mesh *fine, double cell, tt_lattice *lattice)
{
    for (int tries = 0; tries < 64; tries++, cell *= 1.25) {
        if (!tt_lattice_around(fine->x, fine->tet, 4 * fine->ntets, cell, lattice, NULL)) continue;
        if ((double)lattice->n[0] * lattice->n[1] * lattice->n[2] > MOST_CELLS) continue;
        if (work_of(fine, lattice) <= (double)WORK_PER_TET * fine->ntets) return true;
    }
    return false;
}

/* A lattice sticks out of the solid, so the volume of the solid does not tell how many tets the lattice will have. In
 * each round the tets are counted, and the cell grows or shrinks accordingly. `found` tells whether there is a
 * lattice. */
static bool find_lattice(tt_scope *scope, const taut_mesh *fine, int target, tt_lattice *best, bool *found)
{
    double cell = cube_root(TETS_PER_CELL * volume_of(fine) / target), least = INFINITY;
    *found = false;
    for (int round = 0; round < ROUNDS && least > 1.1; round++) {
        tt_scope scratch;
        tt_lattice lattice;
        cover c;
        if (!(cell > 0) || !lattice_of(fine, cell, &lattice)) break;
        tt_scope_open(&scratch, &scope->allocator);
        bool ok = cover_with(&scratch, fine, &lattice, &c);
        tt_scope_close(&scratch);
        if (!ok) return false;
        if (c.ntets == 0) break;
        double ratio = (double)c.ntets / target, off = ratio > 1 ? ratio : 1 / ratio;
        if (off < least) {
            least = off;
            *best = lattice;
            *found = true;
        }
        cell = lattice.cell * cube_root(ratio);
    }
    return true;
}

/* ---- The mesh ---------------------------------------------------------------------------------------------------- */

/* The points of the taken tets, in the order of the cells. */
static void list_tets(const cover *c, int *tet)
{
    const int *n = c->lattice.n;
    const unsigned char *taken = c->taken;
    int cell[3];
    for (cell[2] = 0; cell[2] < n[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < n[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < n[0]; cell[0]++)
                for (int axis = 0; axis < 3; axis++, taken++) {
                    int point[4][4];
                    if (*taken) tt_lattice_tets(&c->lattice, cell, axis, point);
                    for (int i = 0; i < 4; i++)
                        for (int j = 0; j < 4 && *taken >> i & 1; j++) *tet++ = point[i][j];
                }
}

static bool fill_tets(tt_scope *scope, tt_scope *scratch, const cover *c, taut_mesh *coarse)
{
    int points = tt_lattice_points(&c->lattice), *number = TT_TAKE(scratch, int, points);
    int *listed = TT_TAKE(scratch, int, 4 * (size_t)c->ntets);
    coarse->tet = TT_TAKE(scope, int, 4 * (size_t)c->ntets);
    if (!number || !listed || !coarse->tet) return false;
    list_tets(c, listed);
    for (int i = 0; i < 4 * c->ntets; i++) number[listed[i]] = 1;
    for (int p = 0; p < points; p++) coarse->nvertices += number[p];
    coarse->x = TT_TAKE(scope, float, 3 * (size_t)coarse->nvertices);
    if (!coarse->x) return false;
    for (int p = 0, v = 0; p < points; p++) {
        if (!number[p]) continue;
        tt_put_vertex(coarse, v, tt_lattice_position(&c->lattice, p));
        number[p] = v++;
    }
    coarse->ntets = c->ntets;
    for (int t = 0; t < c->ntets; t++) {
        const int *p = listed + 4 * (size_t)t;
        tt_put_tet(coarse, t, number[p[0]], number[p[1]], number[p[2]], number[p[3]]);
    }
    return true;
}

/* ---- Frames and scales ------------------------------------------------------------------------------------------- */

/* Means over the fine tets in a coarse one, weighted by volume. */
typedef struct mean {
    vec3 x, y;
    double volume, scale;
} mean;

static vec3 centre_of(const taut_mesh *mesh, int t)
{
    vec3 p[4];
    corners_of(mesh, t, p);
    return vec_scale(vec_add(vec_add(p[0], p[1]), vec_add(p[2], p[3])), 0.25);
}

static void add(mean *m, const taut_mesh *fine, int t)
{
    double inverse[9], volume;
    vec3 axis[3];
    if (!tt_tet_frame(fine, t, inverse, &volume)) return;
    tt_tet_axes(fine, t, axis);
    m->x = vec_add(m->x, vec_scale(axis[0], volume));
    m->y = vec_add(m->y, vec_scale(axis[1], volume));
    m->volume += volume;
    m->scale += volume * (fine->tet_scale ? (double)fine->tet_scale[t] : 1);
}

static bool find_means(tt_scope *scratch, const taut_mesh *fine, const taut_mesh *coarse, mean *m)
{
    tt_elements in_coarse, in_fine = {0};
    if (!tt_elements_build(scratch, coarse, 4, &in_coarse)) return false;
    for (int t = 0, at = -1; t < fine->ntets; t++) {
        at = tt_bvh_nearest_from(&in_coarse.bvh, tt_elements_distance, &in_coarse, centre_of(fine, t), at);
        if (at >= 0) add(&m[in_coarse.element[at]], fine, t);
    }
    for (int t = 0; t < coarse->ntets; t++) { /* tets at the surface may contain no centre of a fine tet */
        if (m[t].volume > 0) continue;
        if (!in_fine.mesh && !tt_elements_build(scratch, fine, 4, &in_fine)) return false;
        int at = tt_bvh_nearest_from(&in_fine.bvh, tt_elements_distance, &in_fine, centre_of(coarse, t), -1);
        if (at >= 0) add(&m[t], fine, in_fine.element[at]);
    }
    return true;
}

static void put(float *at, vec3 v)
{
    at[0] = (float)v.x;
    at[1] = (float)v.y;
    at[2] = (float)v.z;
}

static bool fill_means(tt_scope *scope, tt_scope *scratch, const taut_mesh *fine, taut_mesh *coarse)
{
    if (!fine->frame && !fine->tet_scale) return true;
    mean *m = TT_TAKE(scratch, mean, coarse->ntets);
    if (fine->frame) coarse->frame = TT_TAKE(scope, float, 9 * (size_t)coarse->ntets);
    if (fine->tet_scale) coarse->tet_scale = TT_TAKE(scope, float, coarse->ntets);
    if (!m || (fine->frame && !coarse->frame) || (fine->tet_scale && !coarse->tet_scale)) return false;
    if (!find_means(scratch, fine, coarse, m)) return false;
    for (int t = 0; t < coarse->ntets; t++) {
        if (fine->tet_scale) coarse->tet_scale[t] = m[t].volume > 0 ? (float)(m[t].scale / m[t].volume) : 1;
        if (!fine->frame) continue;
        float *frame = coarse->frame + 9 * (size_t)t;
        double size = m[t].volume > 0 ? 1 / m[t].volume : 0;
        vec3 x = vec_scale(m[t].x, size), y = vec_scale(m[t].y, size);
        put(frame, x);
        put(frame + 3, y);
        put(frame + 6, vec_cross(x, y)); /* tt_tet_axes makes them orthonormal */
    }
    return true;
}

bool tt_inherit_frames(tt_scope *scope, const taut_mesh *fine, taut_mesh *coarse)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = fill_means(scope, &scratch, fine, coarse);
    tt_scope_close(&scratch);
    return ok;
}

bool tt_coarsen_tets(tt_scope *scope, const taut_mesh *fine, int target, taut_mesh *coarse)
{
    *coarse = (taut_mesh){0};
    if (target < 1) target = 1;
    tt_lattice lattice;
    bool found;
    if (!find_lattice(scope, fine, target, &lattice, &found)) return false;
    if (!found) return true;
    tt_scope scratch;
    cover c;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = cover_with(&scratch, fine, &lattice, &c) && fill_tets(scope, &scratch, &c, coarse) &&
              fill_means(scope, &scratch, fine, coarse);
    tt_scope_close(&scratch);
    return ok;
}
