/* test_reference.c: tests the reference itself. Gradients are compared with finite differences, projections with
 * gradients, and float with double, over random states of every kind and form. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "reference.h"

#define STATES 10000
#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

typedef ref_double_vec3 vec3;
typedef ref_double_stiffness stiffness;

static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int all[4] = {0, 1, 2, 3};

/* ---- Random numbers and vectors ---- */

static uint64_t random_state;

static double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static vec3 add_scaled(vec3 a, double s, vec3 b)
{
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vec3 sub(vec3 a, vec3 b) { return add_scaled(a, -1, b); }

static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double norm(vec3 a) { return sqrt(dot(a, a)); }

/* ---- Kinds ---- */

/* One constraint over particles 0, 1, ... with a random rest shape, positions and masses. */
typedef struct state {
    double scale; /* size of the constraint, m */
    double kappa, w[4];
    vec3 rest[4], p[4];
    union {
        ref_double_distance distance;
        ref_double_tether tether;
        ref_double_strain_tri strain_tri;
        ref_double_strain_tet strain_tet;
        ref_double_dihedral dihedral;
        ref_double_isometric isometric;
        ref_double_triangle_bend triangle_bend;
        ref_double_midpoint_bend midpoint_bend;
    } c;
} state;

typedef struct kind {
    const char *name;
    int particles, modes, spans; /* the first `spans` modes are spans: one projection solves them */
    ref_forms forms;
    bool (*make)(state *);
    double (*gradient)(const state *, ref_forms, int mode, const vec3 *p, vec3 *g);
    void (*project)(const state *, ref_forms, vec3 *p, stiffness);
} kind;

/* The kinds of one mode take no form and no mode; those of triangle bending take kappa. */
#define SINGLE_MODE(kind)                                                                          \
    static double gradient_##kind(const state *s, ref_forms f, int mode, const vec3 *p, vec3 *g)   \
    {                                                                                              \
        (void)f, (void)mode;                                                                       \
        return ref_double_##kind##_gradient(&s->c.kind, p, g);                                     \
    }                                                                                              \
    static void project_##kind(const state *s, ref_forms f, vec3 *p, stiffness k)                  \
    {                                                                                              \
        (void)f;                                                                                   \
        ref_double_##kind##_project(&s->c.kind, 1, p, s->w, k);                                    \
    }

#define BENT_TRIANGLE(kind)                                                                        \
    static bool make_##kind(state *s)                                                              \
    {                                                                                              \
        vec3 g[4];                                                                                 \
        bool ok = ref_double_##kind##_rest(&s->c.kind, all, s->rest);                              \
        double C = ref_double_##kind##_gradient(&s->c.kind, s->kappa, s->p, g);                    \
        return ok && C + s->c.kind.h0 + s->kappa > 0.05 * s->scale;                                \
    }                                                                                              \
    static double gradient_##kind(const state *s, ref_forms f, int mode, const vec3 *p, vec3 *g)   \
    {                                                                                              \
        (void)f, (void)mode;                                                                       \
        return ref_double_##kind##_gradient(&s->c.kind, s->kappa, p, g);                           \
    }                                                                                              \
    static void project_##kind(const state *s, ref_forms f, vec3 *p, stiffness k)                  \
    {                                                                                              \
        (void)f;                                                                                   \
        ref_double_##kind##_project(&s->c.kind, 1, s->kappa, REF_BEND_EQUAL, p, s->w, k);          \
    }

SINGLE_MODE(distance)
SINGLE_MODE(tether)
SINGLE_MODE(dihedral)
SINGLE_MODE(isometric)
BENT_TRIANGLE(triangle_bend)
BENT_TRIANGLE(midpoint_bend)

static bool make_distance(state *s)
{
    return ref_double_distance_rest(&s->c.distance, all, s->rest);
}

/* The limit is below any length, so that the tether always pulls. */
static bool make_tether(state *s)
{
    bool ok = ref_double_tether_rest(&s->c.tether, 0, s->rest[1], s->rest);
    s->c.tether.limit = 0.05 * s->scale;
    return ok && norm(sub(s->p[0], s->rest[1])) > 0.1 * s->scale;
}

static bool make_strain_tri(state *s)
{
    vec3 warp = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    bool ok = ref_double_strain_tri_rest(&s->c.strain_tri, all, s->rest, warp);
    for (int j = 0; j < 2; j++) s->c.strain_tri.s[j] = uniform(0.5, 2);
    return ok;
}

static double gradient_strain_tri(const state *s, ref_forms f, int mode, const vec3 *p, vec3 *g)
{
    return ref_double_strain_tri_gradient(&s->c.strain_tri, f, mode, p, g);
}

static void project_strain_tri(const state *s, ref_forms f, vec3 *p, stiffness k)
{
    ref_double_strain_tri_project(&s->c.strain_tri, 1, f, p, s->w, k);
}

static bool make_strain_tet(state *s)
{
    bool ok = ref_double_strain_tet_rest(&s->c.strain_tet, all, s->rest, axes);
    for (int j = 0; j < 3; j++) s->c.strain_tet.s[j] = uniform(0.5, 2);
    return ok;
}

static double gradient_strain_tet(const state *s, ref_forms f, int mode, const vec3 *p, vec3 *g)
{
    return ref_double_strain_tet_gradient(&s->c.strain_tet, f, mode, p, g);
}

static void project_strain_tet(const state *s, ref_forms f, vec3 *p, stiffness k)
{
    ref_double_strain_tet_project(&s->c.strain_tet, 1, f, p, s->w, k);
}

/* The angle is away from the jump of wrap. */
static bool make_dihedral(state *s)
{
    vec3 g[4];
    bool ok = ref_double_dihedral_rest(&s->c.dihedral, all, s->rest);
    return ok && fabs(ref_double_dihedral_gradient(&s->c.dihedral, s->p, g)) < 3.1;
}

static vec3 isometric_span(const state *s, const vec3 *p)
{
    vec3 b = {0, 0, 0};
    for (int i = 0; i < 4; i++) b = add_scaled(b, s->c.isometric.K[i], sub(p[i], p[0]));
    return b;
}

static bool make_isometric_flat(state *s)
{
    bool ok = ref_double_isometric_rest(&s->c.isometric, all, s->rest, true);
    return ok && norm(isometric_span(s, s->p)) > 0.1 * s->scale;
}

/* The state is away from the jump of the sign. */
static bool make_isometric_curved(state *s)
{
    bool ok = ref_double_isometric_rest(&s->c.isometric, all, s->rest, false);
    const vec3 *p = s->p;
    vec3 b = isometric_span(s, p), e0 = sub(p[1], p[0]);
    vec3 normals = add_scaled(cross(e0, sub(p[2], p[0])), -1, cross(e0, sub(p[3], p[0])));
    return ok && norm(b) > 0.1 * s->scale && fabs(dot(b, normals)) > 0.05 * norm(b) * norm(normals);
}

static const ref_forms plain = {REF_STRETCH_SPAN, REF_SHEAR_ANGLE};
static const ref_forms cosine = {REF_STRETCH_SPAN, REF_SHEAR_COSINE};
static const ref_forms raw = {REF_STRETCH_RAW, REF_SHEAR_RAW};

#define KIND(name) make_##name, gradient_##name, project_##name

static int kinds(kind table[16])
{
    const kind list[] = {
        {"distance", 2, 1, 1, plain, KIND(distance)},
        {"tether", 1, 1, 1, plain, KIND(tether)},
        {"strain_tri", 3, REF_TRI_MODES, 2, plain, KIND(strain_tri)},
        {"strain_tri cosine", 3, REF_TRI_MODES, 2, cosine, KIND(strain_tri)},
        {"strain_tri raw", 3, REF_TRI_MODES, 0, raw, KIND(strain_tri)},
        {"strain_tet", 4, REF_TET_MODES, 3, plain, KIND(strain_tet)},
        {"strain_tet cosine", 4, REF_TET_MODES, 3, cosine, KIND(strain_tet)},
        {"strain_tet raw", 4, REF_TET_MODES, 0, raw, KIND(strain_tet)},
        {"dihedral", 4, 1, 0, plain, KIND(dihedral)},
        {"isometric flat", 4, 1, 1, plain, make_isometric_flat, gradient_isometric,
         project_isometric},
        {"isometric curved", 4, 1, 0, plain, make_isometric_curved, gradient_isometric,
         project_isometric},
        {"triangle_bend", 3, 1, 1, plain, KIND(triangle_bend)},
        {"midpoint_bend", 4, 1, 1, plain, KIND(midpoint_bend)},
    };
    memcpy(table, list, sizeof list);
    return LENGTH(list);
}

/* Four points whose triangles and tet are far from degenerate, because slivers make finite differences inexact. */
static void random_shape(double scale, vec3 *x)
{
    for (;;) {
        for (int i = 0; i < 4; i++) x[i] = (vec3){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        bool good = fabs(dot(sub(x[3], x[0]), cross(sub(x[1], x[0]), sub(x[2], x[0])))) > 0.3;
        for (int i = 0; i < 4; i++) {
            vec3 a = x[i], b = x[(i + 1) % 4], c = x[(i + 2) % 4];
            good &= norm(cross(sub(b, a), sub(c, a))) > 0.3;
        }
        if (!good) continue;
        for (int i = 0; i < 4; i++) x[i] = (vec3){scale * x[i].x, scale * x[i].y, scale * x[i].z};
        return;
    }
}

/* Constraints have sizes from 1 cm to 100 m; one particle in five is pinned. */
static void random_constraint(const kind *k, state *s)
{
    do {
        s->scale = pow(10, uniform(-2, 2));
        s->kappa = uniform(0, 0.2) * s->scale;
        random_shape(s->scale, s->rest);
        random_shape(s->scale, s->p);
        for (int i = 0; i < 4; i++) s->w[i] = uniform(0, 1) < 0.2 ? 0 : pow(10, uniform(-1, 1));
    } while (!k->make(s));
}

/* ---- Tests over all kinds ---- */

static double value_at(const kind *k, const state *s, int mode, int coordinate, double offset)
{
    vec3 p[4], g[4];
    memcpy(p, s->p, sizeof p);
    double *moved = coordinate % 3 == 0   ? &p[coordinate / 3].x
                    : coordinate % 3 == 1 ? &p[coordinate / 3].y
                                          : &p[coordinate / 3].z;
    *moved += offset;
    return k->gradient(s, k->forms, mode, p, g);
}

/* Central differences of fourth order. */
static double slope(const kind *k, const state *s, int mode, int coordinate)
{
    double h = 1e-4 * s->scale;
    double near = value_at(k, s, mode, coordinate, h) - value_at(k, s, mode, coordinate, -h);
    double far = value_at(k, s, mode, coordinate, 2 * h) - value_at(k, s, mode, coordinate, -2 * h);
    return (8 * near - far) / (12 * h);
}

static void check_gradient(const kind *k, const state *s, int mode)
{
    vec3 g[4];
    double error = 0, size = 0;
    k->gradient(s, k->forms, mode, s->p, g);
    for (int i = 0; i < k->particles; i++) {
        vec3 d = {slope(k, s, mode, 3 * i), slope(k, s, mode, 3 * i + 1),
                  slope(k, s, mode, 3 * i + 2)};
        error += dot(sub(g[i], d), sub(g[i], d));
        size += dot(d, d);
    }
    if (!(sqrt(error) <= 1e-6 * sqrt(size)))
        fail_msg("%s mode %d: gradient off by %g of %g", k->name, mode, sqrt(error), sqrt(size));
}

static void gradients_match_finite_differences(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    random_state = 1;
    for (int i = 0; i < n; i++) {
        for (int mode = 0; mode < table[i].modes; mode++) {
            for (int round = 0; round < STATES; round++) {
                state s;
                random_constraint(&table[i], &s);
                check_gradient(&table[i], &s, mode);
            }
        }
    }
}

/* The step of PBD and XPBD, written out once more. */
static void expected_step(const kind *k, const state *s, int mode, double ratio, double alpha,
                          double *lambda, vec3 *p)
{
    vec3 g[4];
    double C = k->gradient(s, k->forms, mode, p, g), sum = 0;
    for (int i = 0; i < k->particles; i++) sum += s->w[i] * dot(g[i], g[i]);
    if (sum == 0) return;
    if (k->modes == REF_TET_MODES && mode == REF_TET_VOLUME) {
        const double *rest = s->c.strain_tet.s;
        if (C <= -rest[0] * rest[1] * rest[2]) ratio = 1, alpha = 0;
    }
    double dl = lambda ? (-C - alpha * *lambda) / (sum + alpha) : -ratio * C / sum;
    if (lambda) *lambda += dl;
    for (int i = 0; i < k->particles; i++) p[i] = add_scaled(p[i], s->w[i] * dl, g[i]);
}

static void assert_same_positions(const kind *k, const state *s, const vec3 *a, const vec3 *b)
{
    for (int i = 0; i < k->particles; i++) {
        double moved = norm(sub(b[i], s->p[i]));
        if (!(norm(sub(a[i], b[i])) <= 1e-10 * (s->scale + moved)))
            fail_msg("%s: particle %d off by %g of %g", k->name, i, norm(sub(a[i], b[i])), moved);
        if (s->w[i] == 0) assert_memory_equal(&a[i], &s->p[i], sizeof a[i]);
    }
}

static bool is_inverted(const kind *k, const state *s, const vec3 *p)
{
    vec3 g[4];
    if (k->modes != REF_TET_MODES) return false;
    const double *rest = s->c.strain_tet.s;
    return gradient_strain_tet(s, plain, REF_TET_VOLUME, p, g) <= -rest[0] * rest[1] * rest[2];
}

/* The volume of an inverted tet acts even when it is off. */
static bool volume_interferes(const kind *k, const state *s, int mode, const vec3 *p)
{
    return mode != REF_TET_VOLUME && is_inverted(k, s, p);
}

static void ratio_projection_follows_the_gradient(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    random_state = 2;
    for (int i = 0; i < n; i++) {
        for (int round = 0; round < STATES; round++) {
            state s;
            vec3 got[4], want[4];
            double ratio[REF_TET_MODES] = {0};
            int mode = round % table[i].modes;
            random_constraint(&table[i], &s);
            memcpy(got, s.p, sizeof got);
            memcpy(want, s.p, sizeof want);
            ratio[mode] = uniform(0, 1);
            expected_step(&table[i], &s, mode, ratio[mode], 0, NULL, want);
            if (volume_interferes(&table[i], &s, mode, want)) continue;
            table[i].project(&s, table[i].forms, got, (stiffness){ratio, NULL, NULL});
            assert_same_positions(&table[i], &s, got, want);
        }
    }
}

/* There are two iterations, so that lambda matters, and compliances near the size of sum w |g|^2. */
static void physical_projection_follows_the_gradient(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    random_state = 3;
    for (int i = 0; i < n; i++) {
        for (int round = 0; round < STATES; round++) {
            state s;
            vec3 got[4], want[4], g[4];
            double alpha[REF_TET_MODES], lambda[REF_TET_MODES] = {0}, expected = 0, sum = 0;
            int mode = round % table[i].modes;
            random_constraint(&table[i], &s);
            memcpy(got, s.p, sizeof got);
            memcpy(want, s.p, sizeof want);
            for (int j = 0; j < REF_TET_MODES; j++) alpha[j] = INFINITY;
            table[i].gradient(&s, table[i].forms, mode, s.p, g);
            for (int j = 0; j < table[i].particles; j++) sum += s.w[j] * dot(g[j], g[j]);
            alpha[mode] = (sum > 0 ? sum : 1) * uniform(0.2, 5);
            bool interferes = false;
            for (int iteration = 0; iteration < 2; iteration++) {
                expected_step(&table[i], &s, mode, 1, alpha[mode], &expected, want);
                interferes |= volume_interferes(&table[i], &s, mode, want);
                table[i].project(&s, table[i].forms, got, (stiffness){NULL, alpha, lambda});
            }
            if (interferes) continue;
            assert_same_positions(&table[i], &s, got, want);
            assert_true(fabs(lambda[mode] - expected) <= 1e-9 * fabs(expected));
        }
    }
}

/* All modes at once give the same bits as one call for each mode in their order. The multiplier of the volume tells
 * when it acted out of turn, on an inverted tet. */
static void modes_act_one_after_the_other(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table), tets = 0;
    random_state = 7;
    for (int i = 0; i < n; i++) {
        for (int round = 0; round < STATES; round++) {
            state s;
            vec3 together[4], apart[4];
            double alpha[REF_TET_MODES];
            double all_lambda[REF_TET_MODES] = {0}, lambda[REF_TET_MODES] = {0};
            random_constraint(&table[i], &s);
            memcpy(together, s.p, sizeof together);
            memcpy(apart, s.p, sizeof apart);
            bool out_of_turn = false;
            for (int mode = 0; mode < table[i].modes; mode++) {
                double alone[REF_TET_MODES];
                for (int j = 0; j < REF_TET_MODES; j++) alone[j] = INFINITY;
                alone[mode] = alpha[mode] = uniform(0, 1);
                table[i].project(&s, table[i].forms, apart, (stiffness){NULL, alone, lambda});
                out_of_turn |= mode != REF_TET_VOLUME && lambda[REF_TET_VOLUME] != 0;
            }
            if (out_of_turn) continue;
            table[i].project(&s, table[i].forms, together, (stiffness){NULL, alpha, all_lambda});
            assert_memory_equal(together, apart, sizeof together);
            assert_memory_equal(all_lambda, lambda, sizeof lambda);
            tets += table[i].modes == REF_TET_MODES;
        }
    }
    assert_true(tets > STATES / 2);
}

static void one_projection_solves_a_span(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    random_state = 4;
    for (int i = 0; i < n; i++) {
        for (int mode = 0; mode < table[i].spans; mode++) {
            for (int round = 0; round < STATES; round++) {
                state s;
                vec3 g[4];
                double ratio[REF_TET_MODES] = {0};
                random_constraint(&table[i], &s);
                bool movable = false;
                for (int j = 0; j < table[i].particles; j++) movable |= s.w[j] > 0;
                if (!movable) continue;
                ratio[mode] = 1;
                vec3 after[4];
                memcpy(after, s.p, sizeof after);
                expected_step(&table[i], &s, mode, 1, 0, NULL, after);
                if (volume_interferes(&table[i], &s, mode, after)) continue;
                table[i].project(&s, table[i].forms, s.p, (stiffness){ratio, NULL, NULL});
                double C = table[i].gradient(&s, table[i].forms, mode, s.p, g);
                double unit = table[i].modes == 1 ? s.scale : 1;
                if (!(fabs(C) <= 1e-10 * unit))
                    fail_msg("%s mode %d leaves %g", table[i].name, mode, C);
            }
        }
    }
}

static bool is_normalised_shear(const kind *k, int mode)
{
    if (k->forms.shear == REF_SHEAR_RAW) return false;
    if (k->modes == REF_TRI_MODES) return mode == REF_TRI_XY;
    return k->modes == REF_TET_MODES && mode >= REF_TET_XY && mode <= REF_TET_XZ;
}

static void check_degenerate_gradient(const kind *k, const state *s, int mode, bool zero)
{
    vec3 g[4];
    assert_true(isfinite(k->gradient(s, k->forms, mode, s->p, g)));
    for (int i = 0; i < k->particles; i++) {
        assert_true(isfinite(dot(g[i], g[i])));
        if (zero) assert_true(dot(g[i], g[i]) == 0);
    }
}

static void degenerate_states_stay_finite(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    random_state = 5;
    for (int i = 0; i < n; i++) {
        for (int round = 0; round < 1000; round++) {
            state s;
            double ratio[REF_TET_MODES] = {1, 1, 1, 1, 1, 1, 1};
            enum { POINT, LINE, PLANE, PINNED, TROUBLES };
            int trouble = round % TROUBLES;
            random_constraint(&table[i], &s);
            vec3 line = sub(s.p[1], s.p[0]);
            for (int j = 0; j < 4; j++) {
                if (trouble == POINT) s.p[j] = s.p[0];
                if (trouble == LINE) s.p[j] = add_scaled(s.p[0], 0.25 * j, line);
                if (trouble == PLANE) s.p[j].z = 0;
                if (trouble == PINNED) s.w[j] = 0;
            }
            for (int mode = 0; mode < table[i].modes; mode++) {
                bool parallel = trouble == LINE && is_normalised_shear(&table[i], mode);
                check_degenerate_gradient(&table[i], &s, mode, parallel);
            }
            vec3 before[4];
            memcpy(before, s.p, sizeof before);
            table[i].project(&s, table[i].forms, s.p, (stiffness){ratio, NULL, NULL});
            for (int j = 0; j < 4; j++) assert_true(isfinite(s.p[j].x + s.p[j].y + s.p[j].z));
            if (trouble == PINNED) assert_memory_equal(s.p, before, sizeof before);
        }
    }
}

/* ---- The two precisions ---- */

typedef ref_float_vec3 vec3f;

static void to_float(const vec3 *from, vec3f *to)
{
    for (int i = 0; i < 4; i++)
        to[i] = (vec3f){(float)from[i].x, (float)from[i].y, (float)from[i].z};
}

/* The float variant of a kind's projection, with rest data of its own. */
static void project_in_float(const char *name, const vec3f *rest, vec3f *p, ref_forms forms,
                             ref_float_stiffness k)
{
    const float w[4] = {1, 2, 3, 4};
    const vec3f frame[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ref_float_distance distance;
    ref_float_strain_tri tri;
    ref_float_strain_tet tet;
    ref_float_dihedral dihedral;
    ref_float_isometric isometric;
    ref_float_triangle_bend tip;
    ref_float_midpoint_bend midpoint;
    bool ok = true;
    if (strcmp(name, "distance") == 0) {
        ok = ref_float_distance_rest(&distance, all, rest);
        ref_float_distance_project(&distance, 1, p, w, k);
    } else if (strncmp(name, "strain_tri", 10) == 0) {
        ok = ref_float_strain_tri_rest(&tri, all, rest, frame[0]);
        ref_float_strain_tri_project(&tri, 1, forms, p, w, k);
    } else if (strncmp(name, "strain_tet", 10) == 0) {
        ok = ref_float_strain_tet_rest(&tet, all, rest, frame);
        ref_float_strain_tet_project(&tet, 1, forms, p, w, k);
    } else if (strcmp(name, "dihedral") == 0) {
        ok = ref_float_dihedral_rest(&dihedral, all, rest);
        ref_float_dihedral_project(&dihedral, 1, p, w, k);
    } else if (strncmp(name, "isometric", 9) == 0) {
        ok = ref_float_isometric_rest(&isometric, all, rest, strstr(name, "flat") != NULL);
        ref_float_isometric_project(&isometric, 1, p, w, k);
    } else if (strcmp(name, "triangle_bend") == 0) {
        ok = ref_float_triangle_bend_rest(&tip, all, rest);
        ref_float_triangle_bend_project(&tip, 1, 0, REF_BEND_EQUAL, p, w, k);
    } else if (strcmp(name, "midpoint_bend") == 0) {
        ok = ref_float_midpoint_bend_rest(&midpoint, all, rest);
        ref_float_midpoint_bend_project(&midpoint, 1, 0, REF_BEND_EQUAL, p, w, k);
    } else {
        fail_msg("no float variant of %s", name);
    }
    assert_true(ok);
}

/* Uses the same rest data as project_in_float. Strain stays near rest, because far from it a sequence of modes can pass
 * so near to a singular state (above all in the cosine form) that rounding errors explode. */
static void random_regular_constraint(const kind *k, state *s)
{
    vec3 g[4];
    do {
        random_constraint(k, s);
        if (k->modes > 1) {
            for (int j = 0; j < 4; j++)
                s->p[j] = add_scaled(s->rest[j], 0.15, sub(s->p[j], s->rest[j]));
        }
        if (k->modes == REF_TRI_MODES)
            assert_true(ref_double_strain_tri_rest(&s->c.strain_tri, all, s->rest, axes[0]));
        if (k->modes == REF_TET_MODES)
            assert_true(ref_double_strain_tet_rest(&s->c.strain_tet, all, s->rest, axes));
    } while (k->modes == REF_TET_MODES &&
             gradient_strain_tet(s, plain, REF_TET_VOLUME, s->p, g) < -0.5);
    for (int j = 0; j < 4; j++) s->w[j] = j + 1;
    s->kappa = 0;
}

static void precisions_agree(void **unused)
{
    (void)unused;
    kind table[16];
    int n = kinds(table);
    const float kf[REF_TET_MODES] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    const double kd[REF_TET_MODES] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    random_state = 6;
    for (int i = 0; i < n; i++) {
        if (table[i].make == make_tether) continue; /* tethers have no rest data; see below */
        for (int round = 0; round < 1000; round++) {
            state s;
            vec3f rest[4], p[4];
            random_regular_constraint(&table[i], &s);
            to_float(s.rest, rest);
            to_float(s.p, p);
            table[i].project(&s, table[i].forms, s.p, (stiffness){kd, NULL, NULL});
            project_in_float(table[i].name, rest, p, table[i].forms,
                             (ref_float_stiffness){kf, NULL, NULL});
            for (int j = 0; j < table[i].particles; j++) {
                double error = norm(sub((vec3){p[j].x, p[j].y, p[j].z}, s.p[j]));
                if (!(error <= 1e-4 * s.scale))
                    fail_msg("%s: float is off by %g at scale %g", table[i].name, error, s.scale);
            }
        }
    }
    const float w = 2, one = 1;
    const ref_float_tether c = {0, {1, 0, 0}, 0.5f};
    vec3f outside = {3, 0, 0};
    ref_float_tether_project(&c, 1, &outside, &w, (ref_float_stiffness){&one, NULL, NULL});
    assert_true(fabsf(outside.x - 1.5f) <= 1e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(ratio_projection_follows_the_gradient),
        cmocka_unit_test(physical_projection_follows_the_gradient),
        cmocka_unit_test(modes_act_one_after_the_other),
        cmocka_unit_test(one_projection_solves_a_span),
        cmocka_unit_test(degenerate_states_stay_finite),
        cmocka_unit_test(precisions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
