/* test_projection.c: one projection of one element, in every instruction set, compared with the oracle's C and gradient
 * and with the reference. test_projection_double.c compiles this file for the kernels in double.
 *
 * Tolerances count roundings: a few dozen operations, each with an error of EPSILON times the size of its numbers. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"
#include "helpers_reference.h"

enum { ROUNDINGS = 32 };

static crowd c;

/* Calls `test` for each instruction set, variant and mode. */
typedef void case_test(const tt_simd *set, const variant *a, int mode);

static void each_case(case_test *test)
{
    tt_simd sets[MAX_INSTANCES];
    int n = instances(sets);
    for (int s = 0; s < n; s++)
        for (int v = 0; v < LENGTH(variants); v++)
            for (int mode = 0; mode < oracle_of(&variants[v])->modes; mode++) {
                random_state = 1 + (uint64_t)(100 * v + mode);
                test(&sets[s], &variants[v], mode);
            }
}

static void pin_some(void)
{
    for (int i = 0; i < CROWD; i++) {
        element *e = &c.e[i];
        int kept = (int)uniform(0, e->particles);
        for (int k = 0; k < e->particles; k++)
            if (k != kept && uniform(0, 1) < 0.3) e->w[k] = 0;
    }
}

/* How far a displacement may be off: by the rounding of the place, and by that of C in the projection. */
static double step_tolerance(const element *e, const vec3 *g, int k, vec3 step, double denominator)
{
    double through = denominator > 0 ? e->w[k] * vec_length(g[k]) / denominator * noise(e, g) : 0;
    return ROUNDINGS * (EPSILON * (farthest(e) + vec_length(step)) + through);
}

/* ---- Spans ---- */

static void solve(const tt_simd *set, const variant *a, int mode)
{
    if (mode >= a->spans) return;
    make_crowd(&c, a, 0.5, 1e6);
    if (!is_tether(a)) pin_some();
    only_mode(&c.tuning, mode);
    load_crowd(&c);
    project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        vec3 g[MAX_SLOTS];
        double before = value_of(a, &c.e[i], &c.tuning, mode, g);
        if (!has_lever(&c.e[i], g)) continue;
        element e = element_after(&c, i);
        double C = value_of(a, &e, &c.tuning, mode, NULL);
        double allowed = ROUNDINGS * (noise(&e, g) + noise(&c.e[i], g) + EPSILON * fabs(before));
        if (!(fabs(C) <= allowed))
            fail_msg("%s %s mode %d: %g became %g, allowed %g", set->name, a->label, mode, before,
                     C, allowed);
    }
}

static void one_projection_solves_a_span(void **unused)
{
    (void)unused;
    each_case(solve);
}

/* ---- Momentum ---- */

static void keep_momentum(const tt_simd *set, const variant *a, int mode)
{
    if (is_tether(a)) return;
    make_crowd(&c, a, 0.3, 100);
    only_mode(&c.tuning, mode);
    load_crowd(&c);
    project_crowd(&c, set);
    double moved = 0;
    for (int i = 0; i < CROWD; i++) {
        const element *e = &c.e[i];
        element after = element_after(&c, i);
        vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
        double allowed = 0, lever = extent(e);
        for (int k = 0; k < e->particles; k++) {
            vec3 step = vec_sub(after.x[k], e->x[k]), arm = vec_sub(e->x[k], e->x[0]);
            vec3 momentum = vec_scale(step, 1 / e->w[k]);
            linear = vec_add(linear, momentum);
            angular = vec_add(angular, vec_cross(arm, momentum));
            allowed += ROUNDINGS * EPSILON * (farthest(e) + farthest(&after)) / e->w[k];
            moved = fmax(moved, vec_length(step) / lever);
        }
        if (!(vec_length(linear) <= allowed && vec_length(angular) <= allowed * lever))
            fail_msg("%s %s mode %d: momentum %g, angular %g, allowed %g, %g", set->name, a->label,
                     mode, vec_length(linear), vec_length(angular), allowed, allowed * lever);
    }
    assert_true(moved > 0.01);
}

static void projections_keep_momentum(void **unused)
{
    (void)unused;
    each_case(keep_momentum);
}

/* ---- Rest and rigid motion ---- */

static void stay_at_rest(const tt_simd *set, const variant *a, int mode)
{
    make_crowd(&c, a, 0.3, 10);
    only_mode(&c.tuning, mode);
    for (int i = 0; i < CROWD; i++) { /* half of the elements stay, half are moved rigidly */
        element *e = &c.e[i];
        memcpy(e->x, e->rest, sizeof e->x);
        if (i % 2) deform(e, 1, 1, 0, random_vector(extent(e)));
    }
    load_crowd(&c);
    project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        const element *e = &c.e[i];
        element after = element_after(&c, i);
        vec3 g[MAX_SLOTS];
        double C = value_of(a, e, &c.tuning, mode, g);
        /* Rest data are floats, even for the kernels in double. A rest angle is within half a turn. */
        double angle = a->bend == TAUT_BEND_DIHEDRAL ? acos(-1) : 0;
        if (!(fabs(C) <= 8 * 0x1p-24 * (noise(e, g) / EPSILON + angle)))
            fail_msg("%s %s mode %d: C = %g at rest", set->name, a->label, mode, C);
        for (int k = 0; k < e->particles; k++) {
            double step = vec_length(vec_sub(after.x[k], e->x[k]));
            if (!(step <= ROUNDINGS * 0x1p-24 * farthest(e)))
                fail_msg("%s %s mode %d: moved by %g at rest, size %g", set->name, a->label, mode,
                         step, extent(e));
        }
    }
}

static void elements_at_rest_stay_there(void **unused)
{
    (void)unused;
    each_case(stay_at_rest);
}

static void ignore_rigid_motion(const tt_simd *set, const variant *a, int mode)
{
    (void)set;
    for (int i = 0; i < 1000; i++) {
        element e;
        vec3 g[MAX_SLOTS];
        tt_tuning tuning = tuning_of(a);
        make_element(a, log_uniform(0.01, 100), &e);
        deform(&e, 0.7, 1.4, 0.1, (vec3){0, 0, 0});
        double before = value_of(a, &e, &tuning, mode, g);
        matrix turn = random_rotation();
        vec3 shift = random_vector(extent(&e));
        for (int k = 0; k < e.slots; k++) e.x[k] = vec_add(times(&turn, e.x[k]), shift);
        double after = value_of(a, &e, &tuning, mode, g),
               allowed = 256 * 0x1p-53 * (noise(&e, g) / EPSILON + 1);
        if (!(fabs(after - before) <= allowed))
            fail_msg("%s mode %d: %.17g became %.17g", a->label, mode, before, after);
    }
}

static void values_ignore_rigid_motion(void **unused)
{
    (void)unused;
    each_case(ignore_rigid_motion);
}

/* ---- Ratio stiffness ---- */

static void scale_with_k(const tt_simd *set, const variant *a, int mode)
{
    static crowd full;
    make_crowd(&c, a, 0.3, 100);
    only_mode(&c.tuning, mode);
    full = c;
    load_crowd(&full);
    project_crowd(&full, set);
    c.tuning.stiffness[mode] = 0.25f;
    for (int i = 0; i < CROWD;
         i++) /* half of the elements are halved by k alone, the others also by their own weight */
        c.e[i].data[oracle_of(a)->fields - 1] = i % 2 ? 0.5 : 1;
    load_crowd(&c);
    project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        const element *e = &c.e[i];
        element whole = element_after(&full, i), part = element_after(&c, i);
        for (int k = 0; k < e->particles; k++) {
            vec3 expected = vec_scale(vec_sub(whole.x[k], e->x[k]), i % 2 ? 0.125 : 0.25);
            vec3 step = vec_sub(part.x[k], e->x[k]);
            if (!(vec_length(vec_sub(step, expected)) <=
                  8 * EPSILON * (farthest(e) + farthest(&whole))))
                fail_msg("%s %s mode %d: k does not scale the step", set->name, a->label, mode);
        }
    }
}

static void the_step_is_linear_in_k(void **unused)
{
    (void)unused;
    each_case(scale_with_k);
}

/* ---- XPBD ---- */

/* Gives each element a compliance comparable to its own stiffness against motion, through its
 * weight. */
static void set_compliance(int mode)
{
    const variant *a = c.variant;
    c.tuning.physical = true;
    c.tuning.compliance[mode] = 0.5f;
    for (int i = 0; i < CROWD; i++) {
        vec3 g[MAX_SLOTS];
        value_of(a, &c.e[i], &c.tuning, mode, g);
        double alpha = weighted_gradient(&c.e[i], g) * log_uniform(0.1, 10);
        c.e[i].data[oracle_of(a)->fields - 1] = alpha / 0.5;
    }
}

static double alpha_of(int i) { return 0.5 * c.e[i].data[oracle_of(c.variant)->fields - 1]; }

static void follow_the_formula(const tt_simd *set, const variant *a, int mode)
{
    make_crowd(&c, a, 0.3, 100);
    only_mode(&c.tuning, mode);
    set_compliance(mode);
    load_crowd(&c);
    static double start[CROWD];
    for (int i = 0; i < CROWD; i++) {
        vec3 g[MAX_SLOTS];
        double C = value_of(a, &c.e[i], &c.tuning, mode, g);
        start[i] = rounded(C / alpha_of(i) * uniform(-0.5, 0.5));
        c.lambda[lambda_at(&c, i, mode)] = (real)start[i];
    }
    project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        const element *e = &c.e[i];
        element after = element_after(&c, i);
        vec3 g[MAX_SLOTS];
        double C = value_of(a, e, &c.tuning, mode, g), alpha = alpha_of(i),
               sum = weighted_gradient(e, g) + alpha;
        double change = (-C - alpha * start[i]) / sum;
        if (is_tether(a) && C == 0) change = 0;
        double got = (double)c.lambda[lambda_at(&c, i, mode)] - start[i];
        if (!(fabs(got - change) <=
              ROUNDINGS * (noise(e, g) / sum + EPSILON * (fabs(change) + fabs(start[i])))))
            fail_msg("%s %s mode %d: multiplier changed by %.9g, not %.9g", set->name, a->label,
                     mode, got, change);
        for (int k = 0; k < e->particles; k++) {
            vec3 expected = vec_scale(g[k], e->w[k] * change), step = vec_sub(after.x[k], e->x[k]);
            if (!(vec_length(vec_sub(step, expected)) <= step_tolerance(e, g, k, step, sum)))
                fail_msg("%s %s mode %d particle %d: step is not w g dlambda", set->name, a->label,
                         mode, k);
        }
    }
}

static void a_compliant_step_follows_the_formula(void **unused)
{
    (void)unused;
    each_case(follow_the_formula);
}

/* C + alpha lambda goes to 0. A span reaches this in one step, C = C0 alpha/(sum w g^2 + alpha), and then stays. */
static void converge(const tt_simd *set, const variant *a, int mode)
{
    if (a->mode != TAUT_BEND_EQUAL) return;
    make_crowd(&c, a, 0.15, 10);
    only_mode(&c.tuning, mode);
    set_compliance(mode);
    load_crowd(&c);
    for (int iteration = 0; iteration < 60; iteration++) project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        element after = element_after(&c, i);
        vec3 g[MAX_SLOTS], g0[MAX_SLOTS];
        double C = value_of(a, &after, &c.tuning, mode, g),
               before = value_of(a, &c.e[i], &c.tuning, mode, g0);
        double alpha = alpha_of(i), lambda = (double)c.lambda[lambda_at(&c, i, mode)];
        double allowed =
            ROUNDINGS * (noise(&after, g) + noise(&c.e[i], g0) + EPSILON * fabs(before));
        if (!(fabs(C + alpha * lambda) <= allowed))
            fail_msg("%s %s mode %d: C = %g, -alpha lambda = %g", set->name, a->label, mode, C,
                     -alpha * lambda);
        double exact = before * alpha / (weighted_gradient(&c.e[i], g0) + alpha);
        if (mode < a->spans && !(fabs(C - exact) <= allowed))
            fail_msg("%s %s mode %d: C = %g, exact %g", set->name, a->label, mode, C, exact);
    }
}

static void multipliers_converge_to_the_compliant_solution(void **unused)
{
    (void)unused;
    each_case(converge);
}

/* ---- The reference ---- */

static void match_sequences(const tt_simd *set, const variant *a, int physical)
{
    if (!has_reference(a) || physical > 1) return;
    const int modes = oracle_of(a)->modes;
    double k[TT_MAX_MODES];
    make_crowd(&c, a, 0.2, 10);
    for (int mode = 0; mode < modes; mode++) {
        k[mode] = 0.3 + 0.1 * mode;
        c.tuning.stiffness[mode] = (float)k[mode];
        k[mode] = (double)c.tuning.stiffness[mode];
        c.tuning.compliance[mode] = (float)uniform(0.5, 2);
    }
    c.tuning.physical = physical;
    for (int i = 0; physical && i < CROWD; i++) {
        vec3 g[MAX_SLOTS];
        value_of(a, &c.e[i], &c.tuning, 0, g);
        c.e[i].data[oracle_of(a)->fields - 1] = weighted_gradient(&c.e[i], g);
    }
    load_crowd(&c);
    for (int iteration = 0; iteration < 3; iteration++) project_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        element e = c.e[i], after = element_after(&c, i);
        double alpha[TT_MAX_MODES], lambda[TT_MAX_MODES] = {0};
        for (int mode = 0; mode < modes; mode++)
            alpha[mode] = (double)c.tuning.compliance[mode] * e.data[oracle_of(a)->fields - 1];
        ref_double_stiffness stiffness = {k, physical ? alpha : NULL, physical ? lambda : NULL};
        for (int iteration = 0; iteration < 3; iteration++)
            reference_project(a, &e, &c.tuning, stiffness);
        double moved = 0;
        for (int p = 0; p < e.particles; p++) {
            double error = vec_length(vec_sub(after.x[p], e.x[p]));
            moved = fmax(moved, vec_length(vec_sub(e.x[p], c.e[i].x[p])));
            if (!(error <= 3 * ROUNDINGS * EPSILON * (farthest(&e) + farthest(&after))))
                fail_msg("%s %s physical %d: %g away from the reference, which moved %g, size %g",
                         set->name, a->label, physical, error, moved, extent(&e));
        }
    }
}

static void sequences_match_the_reference(void **unused)
{
    (void)unused;
    tt_simd sets[MAX_INSTANCES];
    int n = instances(sets);
    for (int s = 0; s < n; s++)
        for (int v = 0; v < LENGTH(variants); v++)
            for (int physical = 0; physical < 2; physical++)
                match_sequences(&sets[s], &variants[v], physical);
}

/* ---- Pins ---- */

static void stand_still(const tt_simd *set, const variant *a, int mode)
{
    for (int physical = 0; physical < 2; physical++) {
        static crowd before;
        make_crowd(&c, a, 0.5, 1);
        only_mode(&c.tuning, mode);
        if (physical) set_compliance(mode);
        for (int i = 0; i < CROWD; i++) memset(c.e[i].w, 0, sizeof c.e[i].w);
        load_crowd(&c);
        before = c;
        project_crowd(&c, set);
        if (memcmp(before.p, c.p, sizeof c.p) != 0)
            fail_msg("%s %s: pinned, yet it moved", set->name, a->label);
    }
}

static void pinned_elements_stand_still(void **unused)
{
    (void)unused;
    each_case(stand_still);
}

/* A pinned particle keeps its bits while the others move. */
static void hold_one(const tt_simd *set, const variant *a, int mode)
{
    if (is_tether(a)) return;
    static crowd before;
    make_crowd(&c, a, 0.5, 10);
    only_mode(&c.tuning, mode);
    for (int i = 0; i < CROWD; i++) c.e[i].w[i % c.e[i].particles] = 0;
    load_crowd(&c);
    before = c;
    project_crowd(&c, set);
    assert_true(memcmp(before.p, c.p, sizeof c.p) != 0);
    for (int i = 0; i < CROWD; i++) {
        size_t at = particle_at(&c, i, i % c.e[i].particles);
        if (memcmp(&before.p[at], &c.p[at], 4 * sizeof *c.p) != 0)
            fail_msg("%s %s mode %d: a pin moved", set->name, a->label, mode);
    }
}

static void pins_hold(void **unused)
{
    (void)unused;
    each_case(hold_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_projection_solves_a_span),
        cmocka_unit_test(projections_keep_momentum),
        cmocka_unit_test(elements_at_rest_stay_there),
        cmocka_unit_test(values_ignore_rigid_motion),
        cmocka_unit_test(the_step_is_linear_in_k),
        cmocka_unit_test(a_compliant_step_follows_the_formula),
        cmocka_unit_test(multipliers_converge_to_the_compliant_solution),
        cmocka_unit_test(sequences_match_the_reference),
        cmocka_unit_test(pinned_elements_stand_still),
        cmocka_unit_test(pins_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
