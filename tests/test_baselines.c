/* The methods with which strain limiting is compared: each must do what its authors say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "baselines.h"
#include "helpers.h"

enum { TRIANGLES = 10000, LINES = 32 };

static const int corners[3] = {0, 1, 2};

/* ---- Cauchy strain ---- */

typedef struct triangle {
    base_cauchy c;
    ref_float_vec3 p[3];
    float w[3];
} triangle;

static ref_float_vec3 in_float(vec3 a) { return (ref_float_vec3){(float)a.x, (float)a.y, (float)a.z}; }

static vec3 in_double(ref_float_vec3 a) { return (vec3){(double)a.x, (double)a.y, (double)a.z}; }

/* Makes a triangle that is well shaped at rest, and then turned, stretched by at most a fifth, and moved away from the
 * origin. */
static void make_triangle(triangle *t)
{
    const vec3 rest[3] = {{0, 0, 0}, {uniform(0.5, 1.5), 0, 0}, {uniform(0.2, 0.8), uniform(0.5, 1.5), 0}};
    ref_float_vec3 x[3];
    matrix m = random_deformation(1 / 1.2, 1.2);
    vec3 shift = random_vector(1);
    for (int k = 0; k < 3; k++) {
        x[k] = in_float(rest[k]);
        t->p[k] = in_float(vec_add(times(&m, rest[k]), shift));
        t->w[k] = (float)log_uniform(0.2, 5);
    }
    assert_true(base_cauchy_rest(&t->c, corners, x));
}

static void draw_limits(float limit[BASE_STRAINS][2])
{
    for (int s = 0; s < BASE_STRAINS; s++) {
        limit[s][0] = (float)uniform(-0.1, 0);
        limit[s][1] = (float)uniform(0, 0.1);
    }
}

static double excess_of(const triangle *t, const float limit[BASE_STRAINS][2])
{
    float strain[BASE_STRAINS], worst = 0;
    base_cauchy_strain(&t->c, t->p, strain);
    for (int s = 0; s < BASE_STRAINS; s++)
        worst = fmaxf(worst, fmaxf(limit[s][0] - strain[s], strain[s] - limit[s][1]));
    return (double)worst;
}

/* The strains belong to the rotation before the move. The move keeps the angular momentum and therefore turns the
 * triangle a little more, by about as much as it deforms it. That rotation changes the strains by the rotation times
 * the present strain, which is the excess plus the limits, up to 0.1. Repeated moves end within the limits. */
static void cauchy_strains_come_within_limits(void **unused)
{
    (void)unused;
    int outside = 0;
    for (int n = 0; n < TRIANGLES; n++) {
        triangle t;
        float limit[BASE_STRAINS][2];
        make_triangle(&t);
        draw_limits(limit);
        double before = excess_of(&t, limit);
        outside += before > 0.01;
        base_cauchy_project(&t.c, 1, limit, t.p, t.w);
        double after = excess_of(&t, limit);
        if (after > 2 * before * (before + 0.1) + 2e-6)
            fail_msg("triangle %d: %g over its limits, then %g", n, before, after);
        for (int again = 0; again < 4; again++) base_cauchy_project(&t.c, 1, limit, t.p, t.w);
        after = excess_of(&t, limit);
        if (after > 2e-6) fail_msg("triangle %d is %g over its limits", n, after);
    }
    assert_in_range(outside, TRIANGLES / 2, TRIANGLES);
}

static void a_cauchy_step_has_no_momentum(void **unused)
{
    (void)unused;
    const float none[BASE_STRAINS][2] = {{0, 0}, {0, 0}, {0, 0}};
    for (int n = 0; n < TRIANGLES; n++) {
        triangle t, was;
        make_triangle(&t);
        was = t;
        base_cauchy_project(&t.c, 1, none, t.p, t.w);
        vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
        double size = 0;
        for (int k = 0; k < 3; k++) {
            vec3 from = in_double(was.p[k]), step = vec_sub(in_double(t.p[k]), from);
            vec3 momentum = vec_scale(step, 1 / (double)t.w[k]);
            linear = vec_add(linear, momentum);
            angular = vec_add(angular, vec_cross(vec_sub(from, in_double(was.p[0])), momentum));
            size += 1 / (double)t.w[k];
        }
        assert_true(vec_length(linear) < 3e-6 * size && vec_length(angular) < 3e-6 * size);
    }
}

static void a_triangle_within_its_limits_stays(void **unused)
{
    (void)unused;
    const float wide[BASE_STRAINS][2] = {{-1, 1}, {-1, 1}, {-1, 1}};
    triangle t, was;
    make_triangle(&t);
    was = t;
    base_cauchy_project(&t.c, 1, wide, t.p, t.w);
    assert_memory_equal(t.p, was.p, sizeof t.p);
}

/* A turn is no strain. A stretch along the first edge is xx and nothing else. */
static void cauchy_strains_are_what_they_say(void **unused)
{
    (void)unused;
    const ref_float_vec3 rest[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, long_x[3] = {{0, 0, 0}, {1.25f, 0, 0}, {0, 1, 0}};
    base_cauchy c;
    float strain[BASE_STRAINS];
    matrix turn = random_rotation();
    ref_float_vec3 p[3];
    assert_true(base_cauchy_rest(&c, corners, rest));
    for (int k = 0; k < 3; k++) p[k] = in_float(times(&turn, in_double(long_x[k])));
    base_cauchy_strain(&c, p, strain);
    assert_true(fabsf(strain[BASE_XX] - 0.25f) < 1e-6f);
    assert_true(fabsf(strain[BASE_YY]) < 1e-6f && fabsf(strain[BASE_XY]) < 1e-6f);
}

/* ---- Springs ---- */

static void springs_come_within_limits_and_keep_momentum(void **unused)
{
    (void)unused;
    for (int n = 0; n < TRIANGLES; n++) {
        const base_spring spring = {{0, 1}, (float)uniform(0.5, 1.5)};
        ref_float_vec3 p[2] = {in_float(random_vector(1)), in_float(random_vector(1))};
        const float w[2] = {(float)log_uniform(0.2, 5), n % 3 ? (float)log_uniform(0.2, 5) : 0};
        vec3 centre = {0, 0, 0}, from[2] = {in_double(p[0]), in_double(p[1])};
        base_spring_project(&spring, 1, 0.9f, 1.1f, p, w);
        double length = vec_length(vec_sub(in_double(p[1]), in_double(p[0]))) / (double)spring.length;
        assert_true(length > 0.9 - 1e-6 && length < 1.1 + 1e-6);
        for (int k = 0; k < 2; k++)
            if (w[k] > 0) centre = vec_add(centre, vec_scale(vec_sub(in_double(p[k]), from[k]), 1 / (double)w[k]));
        assert_true(w[1] > 0 ? vec_length(centre) < 5e-6 : vec_length(vec_sub(in_double(p[1]), from[1])) == 0);
    }
}

/* ---- Fast projection ---- */

typedef struct chain {
    base_chain c;
    double length[LINES], scratch[3 * LINES], w[LINES + 1];
    ref_double_vec3 p[LINES + 1];
} chain;

/* A crooked chain, pinned at its first vertex, every line of which is stretched or squeezed by up to `strain`. */
static void make_chain(chain *c, double strain)
{
    *c = (chain){.p = {{0, 0, 0}}};
    c->c = (base_chain){LINES + 1, c->length, c->scratch};
    for (int k = 0; k < LINES; k++) {
        vec3 d = vec_add((vec3){1, 0, 0}, random_vector(0.5));
        c->length[k] = vec_length(d) / (1 + uniform(-strain, strain));
        c->p[k + 1] = (ref_double_vec3){c->p[k].x + d.x, c->p[k].y + d.y, c->p[k].z + d.z};
        c->w[k + 1] = log_uniform(0.2, 5);
    }
}

static void fast_projection_reaches_its_threshold(void **unused)
{
    (void)unused;
    for (int n = 0; n < 100; n++) {
        chain c;
        make_chain(&c, 0.1);
        int steps = base_chain_project(&c.c, 1e-12, 20, c.p, c.w);
        if (steps > 8) fail_msg("%d Newton steps", steps);
        assert_true(base_chain_strain(&c.c, c.p) <= 1e-12);
        assert_true(c.p[0].x == 0 && c.p[0].y == 0 && c.p[0].z == 0);
        assert_int_equal(base_chain_project(&c.c, 1e-12, 20, c.p, c.w), 0);
    }
}

/* If one step leaves a strain of e, the next leaves some constant times e^2. */
static void fast_projection_converges_quadratically(void **unused)
{
    (void)unused;
    for (int n = 0; n < 100; n++) {
        chain c;
        make_chain(&c, 0.02);
        base_chain_project(&c.c, 0, 1, c.p, c.w);
        double first = base_chain_strain(&c.c, c.p);
        base_chain_project(&c.c, 0, 1, c.p, c.w);
        double second = base_chain_strain(&c.c, c.p);
        if (first > 1e-2 || second > 50 * first * first) fail_msg("chain %d: %g, then %g", n, first, second);
    }
}

/* The chain has no pin. */
static void fast_projection_keeps_the_centre_of_mass(void **unused)
{
    (void)unused;
    chain c;
    make_chain(&c, 0.2);
    vec3 before = {0, 0, 0}, after = {0, 0, 0};
    c.w[0] = 1;
    for (int k = 0; k <= LINES; k++) {
        vec3 at = {c.p[k].x, c.p[k].y, c.p[k].z};
        before = vec_add(before, vec_scale(at, 1 / c.w[k]));
    }
    base_chain_project(&c.c, 1e-12, 20, c.p, c.w);
    for (int k = 0; k <= LINES; k++) {
        vec3 at = {c.p[k].x, c.p[k].y, c.p[k].z};
        after = vec_add(after, vec_scale(at, 1 / c.w[k]));
    }
    assert_true(vec_length(vec_sub(after, before)) < 1e-12 * vec_length(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cauchy_strains_come_within_limits),
        cmocka_unit_test(a_cauchy_step_has_no_momentum),
        cmocka_unit_test(a_triangle_within_its_limits_stays),
        cmocka_unit_test(cauchy_strains_are_what_they_say),
        cmocka_unit_test(springs_come_within_limits_and_keep_momentum),
        cmocka_unit_test(fast_projection_reaches_its_threshold),
        cmocka_unit_test(fast_projection_converges_quadratically),
        cmocka_unit_test(fast_projection_keeps_the_centre_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
