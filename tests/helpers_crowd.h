/* A crowd: elements of one kind that share no particles, in blocks as a kernel wants them. The result of a kernel for
 * an element is compared with the oracle's value and gradient of that element.
 *
 * `real` is float, or double where TT_ISA_DOUBLE was defined first: then the only instance is the oracle. */
#ifndef TAUT_TESTS_HELPERS_CROWD_H
#define TAUT_TESTS_HELPERS_CROWD_H

#include "helpers.h"

#include <stdlib.h>

/* The rounding error of one operation. */
#define EPSILON (sizeof(real) == 4 ? 0x1p-24 : 0x1p-53)

enum { CROWD = 4 * TT_BLOCK, MAX_INSTANCES = 6 };

/* The instruction sets of this machine, scalar first. */
static inline int instances(tt_simd *list)
{
    if (sizeof(real) == 8) {
        list[0] = (tt_simd){"double", tt_oracle()};
        return 1;
    }
    static const char *const names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    int n = 0;
    for (int i = 0; i < LENGTH(names); i++) {
        setenv("TAUT_SIMD", names[i], 1);
        tt_simd simd = tt_simd_choose();
        if (strcmp(simd.name, names[i]) == 0) list[n++] = simd;
    }
    unsetenv("TAUT_SIMD");
    return n;
}

typedef struct crowd {
    const variant *variant;
    element e[CROWD];
    vec3 v[CROWD][MAX_SLOTS]; /* velocities */
    tt_tuning tuning;
    _Alignas(64) real p[4 * 4 * CROWD];
    _Alignas(64) real velocity[4 * 4 * CROWD];
    _Alignas(64) real anchor[4 * CROWD];
    _Alignas(64) real data[TT_MAX_FIELDS * CROWD];
    _Alignas(64) real lambda[TT_MAX_MODES * CROWD];
    uint32_t offset[MAX_SLOTS * CROWD];
    uint8_t live[CROWD / TT_BLOCK];
} crowd;

/* Rounds through memory, because gcc 12 at -O2 drops (double)(float)a when it vectorises load_crowd. */
static inline double rounded(double a)
{
    volatile real r = (real)a;
    return (double)r;
}
static inline vec3 rounded3(vec3 a) { return (vec3){rounded(a.x), rounded(a.y), rounded(a.z)}; }

/* The place of slot k of element i in p (of tethers' anchors: in `anchor`). */
static inline size_t particle_at(const crowd *c, int i, int k) { return 4 * (size_t)(i * c->e[0].particles + k); }

static inline size_t field_at(const crowd *c, int i, int field)
{
    size_t fields = (size_t)oracle_of(c->variant)->fields;
    return ((size_t)(i / TT_BLOCK) * fields + (size_t)field) * TT_BLOCK + (size_t)(i % TT_BLOCK);
}

static inline size_t lambda_at(const crowd *c, int i, int mode)
{
    size_t modes = (size_t)oracle_of(c->variant)->modes;
    return ((size_t)(i / TT_BLOCK) * modes + (size_t)mode) * TT_BLOCK + (size_t)(i % TT_BLOCK);
}

/* Writes the elements to the arrays, and rounds the elements to the precision of the arrays. Multipliers become 0. */
static inline void load_crowd(crowd *c)
{
    const tt_kind *kind = oracle_of(c->variant);
    memset(c->lambda, 0, sizeof c->lambda);
    memset(c->live, TT_BLOCK, sizeof c->live);
    for (int i = 0; i < CROWD; i++) {
        element *e = &c->e[i];
        for (int k = 0; k < e->slots; k++) {
            bool anchored = k >= e->particles;
            size_t at = anchored ? 4 * (size_t)i : particle_at(c, i, k);
            size_t lane = (size_t)(i / TT_BLOCK * e->slots + k) * TT_BLOCK + (size_t)(i % TT_BLOCK);
            real *p = anchored ? &c->anchor[at] : &c->p[at];
            e->x[k] = rounded3(e->x[k]);
            e->w[k] = rounded(e->w[k]);
            p[0] = (real)e->x[k].x, p[1] = (real)e->x[k].y, p[2] = (real)e->x[k].z;
            p[3] = anchored ? 1 : (real)e->w[k];
            c->offset[lane] = (uint32_t)at;
            if (anchored) continue;
            real *v = &c->velocity[at];
            c->v[i][k] = rounded3(c->v[i][k]);
            v[0] = (real)c->v[i][k].x, v[1] = (real)c->v[i][k].y, v[2] = (real)c->v[i][k].z, v[3] = 0;
        }
        for (int f = 0; f < kind->fields; f++) {
            e->data[f] = rounded(e->data[f]);
            c->data[field_at(c, i, f)] = (real)e->data[f];
        }
    }
}

static inline tt_batch batch_of(crowd *c)
{
    return (tt_batch){.p = c->p,
                      .v = c->velocity,
                      .anchor = c->anchor,
                      .offset = c->offset,
                      .data = c->data,
                      .live = c->live,
                      .lambda = c->lambda,
                      .first = 0,
                      .last = CROWD / TT_BLOCK,
                      .tuning = &c->tuning};
}

static inline void project_crowd(crowd *c, const tt_simd *set)
{
    tt_batch batch = batch_of(c);
    set->kinds[kind_of(c->variant)]->project(&batch);
}

static inline void damp_crowd(crowd *c, const tt_simd *set)
{
    tt_batch batch = batch_of(c);
    set->kinds[kind_of(c->variant)]->damp(&batch);
}

static inline vec3 vector_at(const real *p) { return (vec3){(double)p[0], (double)p[1], (double)p[2]}; }

/* Element i as the kernel left it. */
static inline element element_after(const crowd *c, int i)
{
    element e = c->e[i];
    for (int k = 0; k < e.particles; k++) e.x[k] = vector_at(&c->p[particle_at(c, i, k)]);
    return e;
}

static inline vec3 velocity_after(const crowd *c, int i, int k)
{
    return vector_at(&c->velocity[particle_at(c, i, k)]);
}

/* Elements of sizes from 1 cm to 100 m somewhere near the origin, deformed by up to `strain`, with inverse masses
 * within `ratio` of each other. Tethers are tight. */
static inline void make_crowd(crowd *c, const variant *a, double strain, double ratio)
{
    memset(c, 0, sizeof *c);
    c->variant = a;
    c->tuning = tuning_of(a);
    for (int i = 0; i < CROWD; i++) {
        element *e = &c->e[i];
        double size = log_uniform(0.01, 100), low = is_tether(a) ? 1.01 : 1 / (1 + strain);
        make_element(a, size, e);
        deform(e, low, 1 + strain, is_tether(a) ? 0 : strain / 4, random_vector(size));
        for (int k = 0; k < e->particles; k++) e->w[k] = log_uniform(1 / sqrt(ratio), sqrt(ratio));
    }
}

/* The error of a C of gradient g from the rounding of coordinates alone. */
static inline double noise(const element *e, const vec3 *g)
{
    double sum = 0;
    for (int k = 0; k < e->particles; k++) sum += vec_length(g[k]);
    return EPSILON * sum * farthest(e);
}

static inline double weighted_gradient(const element *e, const vec3 *g)
{
    double sum = 0;
    for (int k = 0; k < e->particles; k++) sum += e->w[k] * vec_dot(g[k], g[k]);
    return sum;
}

/* Whether the free particles have a lever on the mode; without one the mode stands still (lever_least in kernel.h). The
 * test asks for a lever well above that threshold. */
static inline bool has_lever(const element *e, const vec3 *g)
{
    double w = 0, squares = 0;
    for (int k = 0; k < e->particles; k++) w += e->w[k], squares += vec_dot(g[k], g[k]);
    return weighted_gradient(e, g) > 2e-4 * w * squares;
}

#endif
