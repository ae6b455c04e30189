/* test_projection_damping.c: damping removes the motion along a mode and nothing else (SBD eq. 23, corrected). */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

enum { ROUNDINGS = 64 };

static crowd c;

typedef void case_test(const tt_simd *set, const variant *a, int mode);

static void each_damped_case(case_test *test)
{
    tt_simd sets[MAX_INSTANCES];
    int n = instances(sets);
    for (int s = 0; s < n; s++)
        for (int v = 0; v < LENGTH(variants); v++) {
            const variant *a = &variants[v];
            for (int mode = 0; oracle_of(a)->damp && mode < oracle_of(a)->modes; mode++) {
                random_state = 1 + (uint64_t)(100 * v + mode);
                test(&sets[s], a, mode);
            }
        }
}

static void set_damping(int mode, float damping)
{
    for (int i = 0; i < TT_MAX_MODES; i++) c.tuning.damping[i] = i == mode ? damping : 0;
}

static double fastest(int i)
{
    double most = 0;
    for (int k = 0; k < c.e[i].particles; k++) most = fmax(most, vec_length(c.v[i][k]));
    return most;
}

static void leave_rigid_motion(const tt_simd *set, const variant *a, int mode)
{
    make_crowd(&c, a, 0.3, 100);
    set_damping(mode, 1);
    for (int i = 0; i < CROWD; i++) {
        double size = extent(&c.e[i]);
        vec3 drift = random_vector(size), spin = random_vector(3);
        for (int k = 0; k < c.e[i].particles; k++) {
            c.e[i].x[k] = rounded3(c.e[i].x[k]);
            c.v[i][k] = vec_add(drift, vec_cross(spin, vec_sub(c.e[i].x[k], c.e[i].x[0])));
        }
    }
    load_crowd(&c);
    damp_crowd(&c, set);
    for (int i = 0; i < CROWD; i++)
        for (int k = 0; k < c.e[i].particles; k++) {
            double change = vec_length(vec_sub(velocity_after(&c, i, k), c.v[i][k]));
            double heaviness =
                10; /* a light particle gets the rounding of a heavy one times the ratio of their masses */
            if (!(change <= ROUNDINGS * heaviness * EPSILON * fastest(i)))
                fail_msg("%s %s mode %d: rigid motion changed by %g of %g", set->name, a->label,
                         mode, change, fastest(i));
        }
}

static void rigid_motion_is_not_damped(void **unused)
{
    (void)unused;
    each_damped_case(leave_rigid_motion);
}

static void shake(void)
{
    for (int i = 0; i < CROWD; i++)
        for (int k = 0; k < c.e[i].particles; k++) c.v[i][k] = random_vector(extent(&c.e[i]));
}

static double rate_along(const element *e, const vec3 *g, const vec3 *v)
{
    double rate = 0;
    for (int k = 0; k < e->particles; k++) rate += vec_dot(g[k], v[k]);
    return rate;
}

/* A share of 1 removes all of the motion, a share of 0.25 a quarter. Momentum is kept, and positions stay. */
static void take_the_mode(const tt_simd *set, const variant *a, int mode)
{
    const double shares[] = {1, 0.25};
    for (int s = 0; s < LENGTH(shares); s++) {
        static crowd before;
        make_crowd(&c, a, 0.3, 100);
        shake();
        set_damping(mode, (float)shares[s]);
        load_crowd(&c);
        before = c;
        damp_crowd(&c, set);
        assert_memory_equal(before.p, c.p, sizeof c.p);
        for (int i = 0; i < CROWD; i++) {
            const element *e = &c.e[i];
            vec3 g[MAX_SLOTS], v[MAX_SLOTS], linear = {0, 0, 0}, angular = {0, 0, 0};
            value_of(a, e, &c.tuning, mode, g);
            double sum = 0, mass = 0;
            for (int k = 0; k < e->particles; k++) {
                v[k] = velocity_after(&c, i, k);
                sum += vec_length(g[k]);
                mass += 1 / e->w[k];
                vec3 change = vec_scale(vec_sub(v[k], c.v[i][k]), 1 / e->w[k]);
                linear = vec_add(linear, change);
                angular = vec_add(angular, vec_cross(vec_sub(e->x[k], e->x[0]), change));
            }
            double left = rate_along(e, g, v), had = rate_along(e, g, c.v[i]),
                   slip = ROUNDINGS * EPSILON * fastest(i);
            bool holds = a->mode != TAUT_BEND_EQUAL && value_of(a, e, &c.tuning, mode, NULL) == 0;
            double kept = holds ? 1 : 1 - shares[s]; /* a limit that holds damps nothing */
            if (!(fabs(left - kept * had) <= slip * sum))
                fail_msg("%s %s mode %d: rate %g became %g", set->name, a->label, mode, had, left);
            if (!(vec_length(linear) <= slip * mass &&
                  vec_length(angular) <= slip * mass * extent(e)))
                fail_msg("%s %s mode %d: damping changed momentum by %g, %g", set->name, a->label,
                         mode, vec_length(linear), vec_length(angular));
        }
    }
}

static void damping_takes_the_motion_along_its_mode(void **unused)
{
    (void)unused;
    each_damped_case(take_the_mode);
}

/* The velocities of pinned particles stay. */
static void keep_pins(const tt_simd *set, const variant *a, int mode)
{
    make_crowd(&c, a, 0.3, 10);
    shake();
    set_damping(mode, 1);
    for (int i = 0; i < CROWD; i++) c.e[i].w[i % c.e[i].particles] = 0;
    load_crowd(&c);
    damp_crowd(&c, set);
    for (int i = 0; i < CROWD; i++) {
        int k = i % c.e[i].particles;
        vec3 v = velocity_after(&c, i, k);
        if (vec_length(vec_sub(v, c.v[i][k])) != 0)
            fail_msg("%s %s: damping moved a pin", set->name, a->label);
    }
}

static void damping_leaves_pins_alone(void **unused)
{
    (void)unused;
    each_damped_case(keep_pins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_is_not_damped),
        cmocka_unit_test(damping_takes_the_motion_along_its_mode),
        cmocka_unit_test(damping_leaves_pins_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
