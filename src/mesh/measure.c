/* Measures of deformation, cell by cell, for heat maps and caches.
 *
 *     P = [p1-p0, ...],  F = P Q^-1 = [f_1, f_2, (f_3)]  with Q from the rest shape in material axes (mesh/frame.h)
 *
 * F is the deformation gradient of the model: its strain constraints hold the same stretch and shear. The principal
 * strains are the singular values of F, computed here from the eigenvalues of F^T F. A tet turned inside out has a
 * negative one. */
#include "mesh/measure.h"

#include "base/error.h"
#include "base/exact.h"
#include "mesh/frame.h"
#include "mesh/topology.h"

#include <float.h>
#include <string.h>

typedef struct fold {
    int p1, p2, p3, p4; /* as in tt_hinge */
    int cell1, cell2;
    double rest; /* rad */
} fold;

struct taut_measurer {
    tt_scope scope;
    int nvertices, ncells, corners, nfolds;
    int *vertex;     /* `corners` a cell */
    double *inverse; /* (corners - 1)^2 a cell: Q^-1 by rows; zero where the rest shape has no frame */
    double *size;    /* rest area or volume of each cell */
    fold *fold;
};

const char *taut_measure_name(taut_measure which)
{
    static const char *const name[TAUT_MEASURES] = {"stretch_x", "stretch_y", "shear", "principal", "bend"};
    return (unsigned)which < TAUT_MEASURES ? name[which] : NULL;
}

int taut_measure_find(const char *name)
{
    for (int i = 0; i < TAUT_MEASURES; i++)
        if (strcmp(taut_measure_name((taut_measure)i), name) == 0) return i;
    return -1;
}

/* ---- Building ------------------------------------------------------------------------------------------------ */

static vec3 at(const float *xyz, int vertex) { return vec_of(xyz + 3 * (size_t)vertex); }

/* The angle of two triangles over their edge, 0 when flat; as in dihedral.c. */
static double angle_over_edge(const fold *f, const float *xyz)
{
    vec3 p1 = at(xyz, f->p1), p2 = at(xyz, f->p2), p3 = at(xyz, f->p3), p4 = at(xyz, f->p4);
    vec3 n1 = vec_cross(vec_sub(p3, p1), vec_sub(p4, p1)), n2 = vec_cross(vec_sub(p4, p2), vec_sub(p3, p2));
    return tt_atan2(vec_length(vec_sub(p4, p3)) * vec_dot(n1, vec_sub(p3, p2)), vec_dot(n1, n2));
}

static bool find_folds(taut_measurer *m, const taut_mesh *rest)
{
    tt_scope scratch;
    tt_topology topology;
    tt_scope_open(&scratch, NULL);
    bool ok = tt_topology_build(&scratch, rest, &topology);
    if (ok) m->fold = TT_TAKE(&m->scope, fold, topology.nhinges);
    ok = ok && m->fold;
    for (int i = 0; ok && i < topology.nhinges; i++) {
        const tt_hinge *h = &topology.hinge[i];
        fold *f = &m->fold[m->nfolds++];
        *f = (fold){h->p1, h->p2, h->p3, h->p4, h->tri1, h->tri2, 0};
        f->rest = angle_over_edge(f, rest->x);
    }
    tt_scope_close(&scratch);
    return ok;
}

static bool fill(taut_measurer *m, const taut_mesh *rest, const float axis[3])
{
    size_t cells = (size_t)m->ncells, corners = (size_t)m->corners, entries = (corners - 1) * (corners - 1);
    bool solid = m->corners == 4;
    m->vertex = TT_TAKE(&m->scope, int, cells *corners);
    m->inverse = TT_TAKE(&m->scope, double, cells *entries);
    m->size = TT_TAKE(&m->scope, double, cells);
    if (!m->vertex || !m->inverse || !m->size) return false;
    if (m->ncells == 0) return true;
    memcpy(m->vertex, solid ? rest->tet : rest->tri, cells * corners * sizeof *m->vertex);
    for (int c = 0; c < m->ncells; c++) {
        double *inverse = m->inverse + entries * (size_t)c;
        if (solid) tt_tet_frame(rest, c, inverse, &m->size[c]);
        else tt_triangle_frame(rest, axis, c, inverse, &m->size[c]);
    }
    return solid || find_folds(m, rest);
}

taut_measurer *taut_measurer_build(const taut_mesh *rest, const float warp_axis[3], taut_error *error)
{
    static const float no_axis[3] = {0, 0, 0};
    tt_clear(error);
    if (!taut_mesh_check(rest, error)) return NULL;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    taut_measurer *m = TT_TAKE(&scope, taut_measurer, 1);
    if (!m) {
        tt_no_memory(error);
        return NULL;
    }
    bool solid = rest->ntris == 0 && rest->ntets > 0;
    *m = (taut_measurer){.scope = scope,
                         .nvertices = rest->nvertices,
                         .ncells = solid ? rest->ntets : rest->ntris,
                         .corners = solid ? 4 : 3};
    if (fill(m, rest, warp_axis ? warp_axis : no_axis)) return m;
    tt_no_memory(error);
    taut_measurer_free(m);
    return NULL;
}

void taut_measurer_free(taut_measurer *measurer)
{
    if (!measurer) return;
    tt_scope scope = measurer->scope; /* the measurer's own memory is in it */
    tt_scope_close(&scope);
}

int taut_measurer_cells(const taut_measurer *measurer) { return measurer->ncells; }

int tt_measurer_vertices(const taut_measurer *measurer) { return measurer->nvertices; }

int tt_measurer_axes(const taut_measurer *measurer) { return measurer->corners - 1; }

/* ---- Principal strains ----------------------------------------------------------------------------------------- */

/* Of two, the singular value that is farther from 1. */
static double farther(double a, double b) { return fabs(a - 1) > fabs(b - 1) ? a : b; }

static double principal_of_two(const vec3 f[3])
{
    double a = vec_dot(f[0], f[0]), b = vec_dot(f[0], f[1]), d = vec_dot(f[1], f[1]);
    double mean = (a + d) / 2, apart = sqrt((a - d) * (a - d) / 4 + b * b), larger = mean + apart;
    double area = vec_length(vec_cross(f[0], f[1])); /* the product of both; mean - apart would cancel */
    if (!(larger > 0)) return 0;
    return farther(sqrt(larger), area / sqrt(larger));
}

/* One rotation of Jacobi's method for the eigenvalues of a symmetric matrix: makes s[p][q] zero. */
static void jacobi_rotate(double s[3][3], int p, int q)
{
    if (s[p][q] == 0) return;
    double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), sine = t * c;
    int r = 3 - p - q;
    double rp = s[r][p], rq = s[r][q];
    s[p][p] -= t * s[p][q];
    s[q][q] += t * s[p][q];
    s[p][q] = s[q][p] = 0;
    s[r][p] = s[p][r] = c * rp - sine * rq;
    s[r][q] = s[q][r] = sine * rp + c * rq;
}

static double principal_of_three(const vec3 f[3])
{
    enum { SWEEPS = 8 }; /* convergence is quadratic: four are enough for doubles */
    double s[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s[i][j] = vec_dot(f[i], f[j]);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        jacobi_rotate(s, 0, 1);
        jacobi_rotate(s, 0, 2);
        jacobi_rotate(s, 1, 2);
    }
    double sigma[3];
    int least = 0;
    for (int i = 0; i < 3; i++) {
        sigma[i] = sqrt(fmax(s[i][i], 0));
        if (sigma[i] < sigma[least]) least = i;
    }
    if (vec_dot(vec_cross(f[0], f[1]), f[2]) < 0) sigma[least] = -sigma[least];
    return farther(farther(sigma[0], sigma[1]), sigma[2]);
}

/* ---- Measuring -------------------------------------------------------------------------------------------------- */

static void deformation(const taut_measurer *m, int cell, const float *xyz, vec3 f[3])
{
    int n = m->corners - 1;
    const int *v = m->vertex + (size_t)m->corners * (size_t)cell;
    const double *inverse = m->inverse + (size_t)(n * n) * (size_t)cell;
    vec3 p0 = at(xyz, v[0]);
    for (int j = 0; j < n; j++) f[j] = (vec3){0, 0, 0};
    for (int k = 0; k < n; k++) {
        vec3 edge = vec_sub(at(xyz, v[k + 1]), p0);
        for (int j = 0; j < n; j++) f[j] = vec_add(f[j], vec_scale(edge, inverse[k * n + j]));
    }
}

static double measure_strain(const taut_measurer *m, int cell, const float *xyz, taut_measure which)
{
    vec3 f[3];
    if (!(m->size[cell] > 0)) return 0;
    deformation(m, cell, xyz, f);
    switch (which) {
    case TAUT_STRETCH_X:
        return vec_length(f[0]) - 1;
    case TAUT_STRETCH_Y:
        return vec_length(f[1]) - 1;
    case TAUT_SHEAR:
        return -tt_atan2(vec_dot(f[0], f[1]), vec_length(vec_cross(f[0], f[1])));
    default:
        return (m->corners == 4 ? principal_of_three(f) : principal_of_two(f)) - 1;
    }
}

static void measure_bend(const taut_measurer *m, const float *xyz, float *per_cell)
{
    memset(per_cell, 0, (size_t)m->ncells * sizeof *per_cell);
    for (int i = 0; i < m->nfolds; i++) {
        const fold *f = &m->fold[i];
        double change = fabs(angle_over_edge(f, xyz) - f->rest);
        float bend = (float)(change > TT_PI ? 2 * TT_PI - change : change);
        per_cell[f->cell1] = fmaxf(per_cell[f->cell1], bend);
        per_cell[f->cell2] = fmaxf(per_cell[f->cell2], bend);
    }
}

void taut_measurer_apply(const taut_measurer *measurer, const float *xyz, taut_measure which, float *per_cell)
{
    if (which == TAUT_BEND) measure_bend(measurer, xyz, per_cell);
    else
        for (int c = 0; c < measurer->ncells; c++) per_cell[c] = (float)measure_strain(measurer, c, xyz, which);
}

void tt_measure_axes(const taut_measurer *measurer, const float *xyz, double *stretch, double *shear)
{
    size_t axes = (size_t)measurer->corners - 1;
    for (int c = 0; c < measurer->ncells; c++) {
        vec3 f[3];
        bool sound = measurer->size[c] > 0;
        if (sound) deformation(measurer, c, xyz, f);
        for (size_t axis = 0; axis < axes; axis++)
            stretch[axes * (size_t)c + axis] = sound ? vec_length(f[axis]) - 1 : 0;
        double across = sound ? vec_length(vec_cross(f[0], f[1])) : 0;
        double along = sound ? fabs(vec_dot(f[0], f[1])) : 0;
        shear[c] = across > 0 ? along / across : along > 0 ? DBL_MAX : 0;
    }
}

/* ---- Means ------------------------------------------------------------------------------------------------------ */

bool taut_measurer_to_vertices(const taut_measurer *measurer, const float *per_cell, float *per_vertex)
{
    tt_scope scratch;
    tt_scope_open(&scratch, NULL);
    double *sum = TT_TAKE(&scratch, double, measurer->nvertices);
    double *weight = TT_TAKE(&scratch, double, measurer->nvertices);
    bool ok = sum && weight;
    size_t corners = (size_t)measurer->corners, count = (size_t)measurer->ncells * corners;
    for (size_t i = 0; ok && i < count; i++) {
        int v = measurer->vertex[i];
        double size = measurer->size[i / corners];
        sum[v] += size * (double)per_cell[i / corners];
        weight[v] += size;
    }
    for (int v = 0; ok && v < measurer->nvertices; v++) per_vertex[v] = weight[v] > 0 ? (float)(sum[v] / weight[v]) : 0;
    tt_scope_close(&scratch);
    return ok;
}

bool taut_measurer_to_polygons(const taut_measurer *measurer, int npolygons, const int *polygon_start,
                               const float *per_cell, float *per_polygon)
{
    if (measurer->corners != 3) return false;
    int64_t triangles = npolygons > 0 ? (int64_t)polygon_start[npolygons] - 2 * (int64_t)npolygons : 0;
    if (triangles != measurer->ncells) return false;
    for (int i = 0, c = 0; i < npolygons; i++) {
        double sum = 0, weight = 0, plain = 0;
        int count = polygon_start[i + 1] - polygon_start[i] - 2;
        for (int end = c + count; c < end; c++) {
            sum += measurer->size[c] * (double)per_cell[c];
            weight += measurer->size[c];
            plain += (double)per_cell[c];
        }
        per_polygon[i] = (float)(weight > 0 ? sum / weight : count > 0 ? plain / count : 0);
    }
    return true;
}
