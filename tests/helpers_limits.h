/* Shared by the tests of limits: many elements of one limit that share no particles, in blocks as a kernel wants them,
 * and a plain singular value decomposition for comparison.
 *
 * `real` is float, or double where TT_ISA_DOUBLE was defined first. */
#ifndef TAUT_TESTS_HELPERS_LIMITS_H
#define TAUT_TESTS_HELPERS_LIMITS_H

#include "helpers_crowd.h"

/* ---- Flocks ------------------------------------------------------------------------------------------------------ */

typedef struct flock {
    int kind, slots; /* index into the tables; particles of an element */
    int n, nblocks;
    int nvertices;
    vec3 *rest;      /* per vertex */
    real *start, *p, *sum; /* {x, y, z, w} per vertex: the start of each projection, and the kernel's arrays */
    int *vertex;     /* [n][slots] */
    double *field;   /* [n][fields] */
    uint32_t *offset;
    real *data;
    uint8_t *live;
    tt_tuning tuning;
    real excess;
} flock;

static inline const tt_kind *flock_kind(const flock *f) { return tt_oracle()[f->kind]; }

static inline void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memset(memory, 0, bytes);
}

/* The elements go to blocks of `width`; dead lanes repeat the last live one. */
static inline void fill_blocks(flock *f, int width)
{
    const size_t slots = (size_t)f->slots, fields = (size_t)flock_kind(f)->fields;
    f->nblocks = (f->n + width - 1) / width;
    f->offset = aligned((size_t)f->nblocks * slots * TT_BLOCK * sizeof *f->offset);
    f->data = aligned((size_t)f->nblocks * fields * TT_BLOCK * sizeof *f->data);
    f->live = aligned((size_t)f->nblocks);
    for (int block = 0; block < f->nblocks; block++)
        for (size_t lane = 0; lane < TT_BLOCK; lane++) {
            int i = block * width + (int)lane;
            bool alive = (int)lane < width && i < f->n;
            if (alive) f->live[block]++;
            else i = block * width + f->live[block] - 1;
            for (size_t k = 0; k < slots; k++)
                f->offset[((size_t)block * slots + k) * TT_BLOCK + lane] =
                    4 * (uint32_t)f->vertex[(size_t)i * slots + k];
            for (size_t k = 0; k < fields; k++)
                f->data[((size_t)block * fields + k) * TT_BLOCK + lane] = (real)f->field[(size_t)i * fields + k];
        }
}

/* A flock of all elements that the kind makes of a mesh, all at rest, with masses of 1. The factors may be NULL. */
static inline flock make_flock(const char *kind, const taut_mesh *mesh, const taut_material *material, int width,
                               const float *limit_factor, const float *bend_factor)
{
    const float no_axis[3] = {0, 0, 0};
    flock f = {.kind = taut_kind_find(kind), .nvertices = mesh->nvertices};
    tt_scope scope;
    tt_topology topology;
    assert_true(f.kind >= 0);
    tt_scope_open(&scope, NULL);
    assert_true(tt_topology_build(&scope, mesh, &topology));
    tt_maker maker = {.mesh = mesh, .topology = &topology, .material = material, .axis = no_axis, .scope = &scope,
                      .kind = flock_kind(&f), .limit_factor = limit_factor, .bend_factor = bend_factor};
    assert_true(maker.kind->create(&maker));
    f.n = maker.count;
    f.slots = maker.kind->particles;
    size_t slots = (size_t)f.n * (size_t)f.slots, fields = (size_t)f.n * (size_t)maker.kind->fields;
    size_t particles = 4 * (size_t)f.nvertices * sizeof(real);
    f.vertex = aligned(slots * sizeof *f.vertex);
    f.field = aligned(fields * sizeof *f.field);
    for (size_t i = 0; i < slots; i++) f.vertex[i] = maker.particle[i];
    for (size_t i = 0; i < fields; i++) f.field[i] = (double)maker.data[i];
    f.rest = aligned((size_t)f.nvertices * sizeof *f.rest);
    f.start = aligned(particles), f.p = aligned(particles), f.sum = aligned(particles);
    for (int v = 0; v < f.nvertices; v++) {
        f.rest[v] = vec_of(&mesh->x[3 * v]);
        f.start[4 * v] = mesh->x[3 * v], f.start[4 * v + 1] = mesh->x[3 * v + 1];
        f.start[4 * v + 2] = mesh->x[3 * v + 2], f.start[4 * v + 3] = 1;
    }
    tt_tuning_prepare(maker.kind, material, 1, 1, &f.tuning);
    fill_blocks(&f, width);
    tt_scope_close(&scope);
    return f;
}

static inline void free_flock(flock *f)
{
    void *all[] = {f->rest, f->start, f->p, f->sum, f->vertex, f->field, f->offset, f->data, f->live};
    for (int i = 0; i < LENGTH(all); i++) free(all[i]);
}

static inline tt_batch flock_batch(flock *f, bool jacobi)
{
    return (tt_batch){.p = f->p, .offset = f->offset, .data = f->data, .live = f->live, .first = 0, .last = f->nblocks,
                      .sum = jacobi ? f->sum : NULL, .excess = &f->excess, .tuning = &f->tuning};
}

/* Projects `times` times, from the start. The violation that the first projection met is in f->excess. */
static inline void project_flock(flock *f, const tt_simd *set, int times, bool jacobi)
{
    tt_batch batch = flock_batch(f, jacobi);
    size_t bytes = 4 * (size_t)f->nvertices * sizeof *f->p;
    memcpy(f->p, f->start, bytes);
    memset(f->sum, 0, bytes);
    f->excess = 0;
    for (int i = 0; i < times; i++) {
        set->kinds[f->kind]->project(&batch);
        batch.excess = NULL;
    }
}

static inline int vertex_of(const flock *f, int i, int k) { return f->vertex[i * f->slots + k]; }
static inline vec3 point_of(const flock *f, const real *p, int i, int k)
{
    return vector_at(&p[4 * vertex_of(f, i, k)]);
}
/* Whether element i of p has the same shape as x, in any place and rotation. */
static inline bool has_shape(const flock *f, const real *p, int i, const vec3 *x, double most)
{
    for (int j = 0; j < f->slots; j++)
        for (int k = 0; k < j; k++) {
            double here = vec_length(vec_sub(point_of(f, p, i, j), point_of(f, p, i, k)));
            if (!(fabs(here - vec_length(vec_sub(x[j], x[k]))) < most)) return false;
        }
    return true;
}
static inline double inverse_mass(const flock *f, int i, int k) { return (double)f->start[4 * vertex_of(f, i, k) + 3]; }

static inline void put_vertex(flock *f, int v, vec3 at)
{
    f->start[4 * v] = (real)at.x, f->start[4 * v + 1] = (real)at.y, f->start[4 * v + 2] = (real)at.z;
}

/* C of a mode of element i, by the oracle. */
static inline double flock_value(const flock *f, const real *p, int i, int mode, double *gradient)
{
    double x[3 * TT_MAX_PARTICLES];
    for (int k = 0; k < f->slots; k++) memcpy(&x[3 * k], &(vec3[]){point_of(f, p, i, k)}, sizeof(vec3));
    const tt_kind *kind = flock_kind(f);
    return kind->value(x, &f->field[i * kind->fields], &f->tuning, mode, gradient);
}

/* ---- Separate triangles and tets --------------------------------------------------------------------------------- */

/* n triangles (dimension 2) or tets (3), of sizes from 1 cm to 100 m, somewhere near the origin. */
static inline void separate_mesh(taut_mesh *mesh, int dimension, int n)
{
    int slots = dimension + 1, *corner = malloc((size_t)(n * slots) * sizeof *corner);
    *mesh = (taut_mesh){.nvertices = n * slots, .x = malloc(3 * (size_t)(n * slots) * sizeof(float))};
    for (int i = 0; i < n; i++) {
        vec3 x[MAX_SLOTS];
        double size = log_uniform(0.01, 100);
        matrix turn = random_rotation();
        unit_shape(dimension == 2 ? TRIANGLE : TET, x);
        vec3 shift = random_vector(size);
        for (int k = 0; k < slots; k++) {
            vec3 at = vec_add(vec_scale(times(&turn, x[k]), size), shift);
            float *to = &mesh->x[3 * (i * slots + k)];
            to[0] = (float)at.x, to[1] = (float)at.y, to[2] = (float)at.z;
            corner[i * slots + k] = i * slots + k;
        }
    }
    if (dimension == 2) mesh->ntris = n, mesh->tri = corner;
    else mesh->ntets = n, mesh->tet = corner;
}

static inline void free_separate(taut_mesh *mesh)
{
    free(mesh->x), free(mesh->tri), free(mesh->tet);
}

/* Deforms each element by stretches in [low, high] about its first vertex, and moves it; tets of odd number are turned
 * inside out. Inverse masses are within `ratio` of each other. */
static inline void deform_flock(flock *f, double low, double high, double ratio)
{
    for (int i = 0; i < f->n; i++) {
        matrix m = random_deformation(low, high);
        vec3 first = f->rest[vertex_of(f, i, 0)];
        double size = vec_length(vec_sub(f->rest[vertex_of(f, i, 1)], first));
        vec3 shift = random_vector(size);
        if (f->slots == 4 && i % 2)
            for (int j = 0; j < 3; j++) m.column[j] = vec_scale(m.column[j], -1);
        for (int k = 0; k < f->slots; k++) {
            int v = vertex_of(f, i, k);
            put_vertex(f, v, vec_add(times(&m, vec_sub(f->rest[v], first)), shift));
            f->start[4 * v + 3] = (real)log_uniform(1 / sqrt(ratio), sqrt(ratio));
        }
    }
}

/* ---- Singular values --------------------------------------------------------------------------------------------- */

/* F = U S V^T of a triangle (two columns) or tet: by rotations of the columns against each other (one-sided Jacobi).
 * Descending; where det F < 0 the last is negative. */
typedef struct decomposition {
    int n;
    double s[3], V[3][3]; /* V[j]: the j-th right vector */
    vec3 u[3];
} decomposition;

static inline void exchange(decomposition *d, int i, int j)
{
    double s = d->s[i];
    vec3 u = d->u[i];
    d->s[i] = d->s[j], d->u[i] = d->u[j], d->s[j] = s, d->u[j] = u;
    for (int c = 0; c < d->n; c++) s = d->V[i][c], d->V[i][c] = d->V[j][c], d->V[j][c] = s;
}

static inline decomposition decompose(const vec3 *F, int n)
{
    decomposition d = {.n = n};
    for (int j = 0; j < n; j++) d.u[j] = F[j], d.V[j][j] = 1;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double a = vec_dot(d.u[i], d.u[i]), b = vec_dot(d.u[j], d.u[j]), c = vec_dot(d.u[i], d.u[j]);
                double angle = 0.5 * atan2(2 * c, a - b), co = cos(angle), si = sin(angle);
                vec3 ui = d.u[i], uj = d.u[j];
                d.u[i] = vec_add(vec_scale(ui, co), vec_scale(uj, si));
                d.u[j] = vec_sub(vec_scale(uj, co), vec_scale(ui, si));
                for (int k = 0; k < n; k++) {
                    double vi = d.V[i][k], vj = d.V[j][k];
                    d.V[i][k] = co * vi + si * vj, d.V[j][k] = co * vj - si * vi;
                }
            }
    for (int j = 0; j < n; j++) d.s[j] = vec_length(d.u[j]);
    for (int pass = 0; pass < n; pass++)
        for (int j = 0; j + 1 < n; j++)
            if (d.s[j] < d.s[j + 1]) exchange(&d, j, j + 1);
    if (n == 3 && vec_dot(F[0], vec_cross(F[1], F[2])) < 0) d.s[2] = -d.s[2];
    for (int j = 0; j < n; j++) d.u[j] = vec_scale(d.u[j], 1 / d.s[j]);
    return d;
}

/* Q^-1 of element i by rows, in a frame of its own: of a triangle 2 x 2, of a tet 3 x 3. */
static inline void rest_inverse(const flock *f, int i, double inverse[3][3])
{
    vec3 p0 = f->rest[vertex_of(f, i, 0)], e[3] = {{0, 0, 0}};
    for (int k = 1; k < f->slots; k++) e[k - 1] = vec_sub(f->rest[vertex_of(f, i, k)], p0);
    if (f->slots == 4) {
        vec3 row[3] = {vec_cross(e[1], e[2]), vec_cross(e[2], e[0]), vec_cross(e[0], e[1])};
        double det = vec_dot(e[0], row[0]);
        for (int k = 0; k < 3; k++) inverse[k][0] = row[k].x / det, inverse[k][1] = row[k].y / det,
                                    inverse[k][2] = row[k].z / det;
        return;
    }
    vec3 x = unit(e[0]), y = unit(vec_cross(vec_cross(e[0], e[1]), e[0]));
    double a = vec_dot(x, e[0]), b = vec_dot(x, e[1]), c = vec_dot(y, e[1]);
    inverse[0][0] = 1 / a, inverse[0][1] = -b / (a * c), inverse[1][0] = 0, inverse[1][1] = 1 / c;
}

static inline decomposition stretches_of(const flock *f, const real *p, int i)
{
    double inverse[3][3];
    vec3 F[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, p0 = point_of(f, p, i, 0);
    int n = f->slots - 1;
    rest_inverse(f, i, inverse);
    for (int k = 1; k <= n; k++)
        for (int j = 0; j < n; j++)
            F[j] = vec_add(F[j], vec_scale(vec_sub(point_of(f, p, i, k), p0), inverse[k - 1][j]));
    return decompose(F, n);
}

#endif
