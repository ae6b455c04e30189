/* Shells in random states that keep their limits, and a check that the limits of their coarser levels agree. */
#ifndef TAUT_TESTS_HELPERS_STATES_H
#define TAUT_TESTS_HELPERS_STATES_H

#include "helpers.h"
#include "slow_build.h"
#include "base/exact.h"
#include "model/hierarchy.h"
#include "model/train.h"

#include <math.h>

/* ---- Shells ---- */

typedef struct subject {
    taut_mesh mesh;
    taut_material material;
    taut_model_options options;
    taut_train_def def;
} subject;

/* Cloth that gives by `slack` and bends up to `bend` rad per metre. */
static inline subject subject_of(taut_mesh mesh, double slack, double bend, int levels)
{
    subject s = {mesh, taut_default_material(), taut_default_model_options(), taut_default_train_def()};
    s.material.limit.stretch[0] = (float)(1 - slack), s.material.limit.stretch[1] = (float)(1 + slack);
    s.material.limit.bend[0] = (float)-bend, s.material.limit.bend[1] = (float)bend;
    s.options.levels = levels;
    s.def.threads = 2;
    return s;
}

static inline subject sheet(int n, double slack, double bend, int levels)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    return subject_of(mesh, slack, bend, levels);
}

/* ---- Feasible states ---- */

enum {
    LANES = TT_BLOCK,
    SIDE = SLOW_BUILD ? 8 : 16 /* vertices along a side of a sheet: one coarser level, or two */
};

/* Sixteen copies of the whole mesh side by side, and its limits. */
typedef struct states {
    tt_scope scope;
    tt_ground ground;
    tt_patch patch;
    vec3 *x; /* of one state */
} states;

/* Opens states whose patch is the whole mesh: one triangle covers everything. */
static inline void states_open(states *s, const subject *of)
{
    static int everything[3] = {0, 0, 0};
    static taut_mesh one = {.ntris = 1, .tri = everything};
    int n = of->mesh.nvertices;
    tt_scope_open(&s->scope, NULL);
    tt_maker like = {.material = &of->material, .axis = of->options.axis};
    assert_true(tt_ground_build(&s->scope, tt_simd_choose().kinds, &like, &of->mesh, &s->ground));
    tt_cover cover = {.mesh = &one, .start = TT_TAKE(&s->scope, int, 2), .near = TT_TAKE(&s->scope, int, n)};
    cover.start[1] = n;
    for (int v = 0; v < n; v++) cover.near[v] = v;
    assert_true(tt_patches_take(&s->scope, &s->ground, &cover, 1, &s->patch));
    tt_patch_cut(&s->patch, &s->ground, &cover, everything, 1);
    s->x = TT_TAKE(&s->scope, vec3, n);
}

static inline const vec3 *state_of(states *s, int lane)
{
    for (int v = 0; v < s->patch.nvertices; v++)
        s->x[s->patch.vertex[v]] = vec_of(tt_patch_at(&s->patch, v, lane));
    return s->x;
}

/* The largest violation of any limit, in double. */
static inline double violation(const tt_ground *ground, const vec3 *x)
{
    double worst = 0;
    for (int i = 0; i < ground->nkinds; i++) {
        const tt_train_kind *k = &ground->kind[i];
        const tt_kind *kind = tt_oracle()[taut_kind_find(k->kind->name)];
        for (int e = 0; e < k->start[ground->mesh->nvertices]; e++) {
            vec3 at[TT_MAX_PARTICLES];
            double data[TT_MAX_FIELDS];
            for (int p = 0; p < kind->particles; p++) at[p] = x[k->particle[e * kind->particles + p]];
            for (int f = 0; f < kind->fields; f++) data[f] = (double)k->data[e * kind->fields + f];
            for (int mode = 0; mode < kind->modes; mode++)
                worst = fmax(worst, fabs(kind->value((const double *)at, data, &k->tuning, mode, NULL)));
        }
    }
    return worst;
}

static inline void roll_up(states *s, int lane)
{
    double phi = uniform(0, 2 * TT_PI), curvature = log_uniform(0.5, 12), c = cos(phi), t = sin(phi);
    double noise = uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.02);
    for (int v = 0; v < s->patch.nvertices; v++) {
        float *p = tt_patch_at(&s->patch, v, lane);
        double x = (double)p[0], y = (double)p[1] + 0.5, a = x * c + y * t, b = y * c - x * t, angle = a * curvature;
        double across = sin(angle) / curvature, up = (1 - cos(angle)) / curvature + (double)p[2] * cos(angle);
        vec3 to = vec_add((vec3){across * c - b * t, across * t + b * c, up}, random_vector(noise));
        p[0] = (float)to.x, p[1] = (float)to.y, p[2] = (float)to.z;
    }
}

static inline void wave(states *s, int lane)
{
    double k[4][3], squeeze = uniform(0.6, 1), noise = uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.02);
    for (int i = 0; i < 12; i++) k[i / 3][i % 3] = uniform(-1, 1);
    for (int v = 0; v < s->patch.nvertices; v++) {
        float *p = tt_patch_at(&s->patch, v, lane);
        double x = (double)p[0], y = (double)p[1], z = (double)p[2];
        for (int i = 0; i < 4; i++) z += 0.1 * k[i][0] * sin(8 * (k[i][1] * x + k[i][2] * y) + i);
        vec3 to = vec_add((vec3){squeeze * x, y, z}, random_vector(noise));
        p[0] = (float)to.x, p[1] = (float)to.y, p[2] = (float)to.z;
    }
}

/* ---- Whether levels agree ---- */

/* Fills in the limits of level i. Memory comes from `scope`. */
typedef void level_limits(tt_scope *scope, const subject *of, const void *user, const tt_hierarchy *h, int i,
                          tt_maker *like);

typedef struct rule {
    level_limits *limits;
    const void *user;
} rule;

/* Coarse limits must be violated by no more than the fine ones still are. */
static inline void expect_consistent(states *s, const subject *of, rule r, const tt_hierarchy *h, int lane,
                                     double residual)
{
    vec3 *fine = (vec3 *)state_of(s, lane);
    for (int i = 0; i < h->count; i++) {
        tt_ground coarse;
        tt_maker like = {.material = &of->material, .axis = of->options.axis};
        r.limits(&s->scope, of, r.user, h, i, &like);
        assert_true(tt_ground_build(&s->scope, tt_simd_choose().kinds, &like, &h->level[i].mesh, &coarse));
        /* Origins ascend, so a coarse position never overwrites one that is still to come. */
        for (int v = 0; v < h->level[i].mesh.nvertices; v++) fine[v] = fine[h->level[i].origin[v]];
        double worst = violation(&coarse, fine);
        if (worst > residual + 1e-5)
            fail_msg("state %d violates limits of level %d by %g, its own by %g", lane, i + 1, worst, residual);
    }
}

/* Enforces the limits on random states. States that do not reach their limits do not count. */
static inline int check_states(const subject *of, rule r, void (*bend)(states *s, int lane))
{
    states s;
    tt_hierarchy h;
    int feasible = 0;
    states_open(&s, of);
    assert_true(tt_hierarchy_build(&s.scope, &of->mesh, &of->material, &of->options, &h));
    for (int lane = 0; lane < LANES; lane++) bend(&s, lane);
    for (int pass = 0; pass < 1500 && tt_patch_enforce(&s.patch, &s.ground) > 1e-4f; pass++) {}
    for (int lane = 0; lane < LANES; lane++) {
        double residual = violation(&s.ground, state_of(&s, lane));
        if (residual > 2e-3) continue;
        expect_consistent(&s, of, r, &h, lane, residual);
        feasible++;
    }
    tt_scope_close(&s.scope);
    return feasible;
}

#endif
