/* test_projection_bending.c: the differences between the bending kinds: limits, slack, sides, folds. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

static crowd c, other;
static tt_simd sets[MAX_INSTANCES];
static int nsets;

/* On its side a limit acts like the equality; on the other side it does nothing. */
static void compare_with_equality(const char *limited, const char *equal, double side)
{
    for (int s = 0; s < nsets; s++) {
        int acted = 0, rested = 0;
        const variant *a = variant_named(limited), *b = variant_named(equal);
        make_crowd(&c, a, 0.5, 10);
        other = c;
        other.variant = b;
        other.tuning = tuning_of(b);
        load_crowd(&c);
        load_crowd(&other);
        project_crowd(&c, &sets[s]);
        project_crowd(&other, &sets[s]);
        for (int i = 0; i < CROWD; i++) {
            element limit = element_after(&c, i), equality = element_after(&other, i);
            double C = value_of(b, &c.e[i], &other.tuning, 0, NULL);
            bool acts = C * side > 0;
            const vec3 *expected = acts ? equality.x : c.e[i].x;
            for (int k = 0; k < limit.particles; k++)
                if (vec_length(vec_sub(limit.x[k], expected[k])) != 0)
                    fail_msg("%s %s at C = %g", sets[s].name, limited, C);
            acted += acts, rested += !acts;
        }
        assert_true(acted > CROWD / 8 && rested > CROWD / 8);
    }
}

static void at_most_acts_only_above(void **unused)
{
    (void)unused;
    compare_with_equality("bend at most", "bend equal", 1);
    compare_with_equality("sided at most", "sided equal", 1);
    compare_with_equality("midpoint at most", "midpoint equal", 1);
    compare_with_equality("midpoint sided at most", "midpoint sided", 1);
}

static void at_least_acts_only_below(void **unused)
{
    (void)unused;
    compare_with_equality("bend at least", "bend equal", -1);
    compare_with_equality("sided at least", "sided equal", -1);
    compare_with_equality("midpoint at least", "midpoint equal", -1);
    compare_with_equality("midpoint sided at least", "midpoint sided", -1);
}

/* The height |2v - b0 - b1|/3, or the same with the edge's midpoint as the tip. */
static double height(const variant *a, const element *e)
{
    vec3 tip = vec_add(e->x[2], a->midpoint ? e->x[3] : e->x[2]);
    return vec_length(vec_sub(tip, vec_add(e->x[0], e->x[1]))) / 3;
}

static void kappa_adds_to_the_rest_height(void **unused)
{
    (void)unused;
    const char *labels[] = {"bend equal", "sided equal", "midpoint equal", "midpoint sided"};
    for (int s = 0; s < nsets; s++)
        for (int l = 0; l < LENGTH(labels); l++) {
            const variant *a = variant_named(labels[l]);
            make_crowd(&c, a, 0.1, 10);
            c.tuning.slack = 0.25f;
            load_crowd(&c);
            project_crowd(&c, &sets[s]);
            for (int i = 0; i < CROWD; i++) {
                element e = element_after(&c, i);
                double want = fabs(e.data[0]) + 0.25;
                if (!(fabs(height(a, &e) - want) <=
                      32 * EPSILON * (farthest(&e) + farthest(&c.e[i]))))
                    fail_msg("%s %s: height %g, not %g", sets[s].name, labels[l], height(a, &e),
                             want);
            }
        }
}

/* Mirrors each element at the plane of its base (b0, b1 and a third direction), so that v pops to
 * the other side. */
static void reflect(crowd *at)
{
    for (int i = 0; i < CROWD; i++) {
        element *e = &at->e[i];
        memcpy(e->x, e->rest, sizeof e->x);
        vec3 edge = vec_sub(e->rest[3], e->rest[2]), base = vec_sub(e->rest[1], e->rest[0]);
        vec3 tip = vec_sub(at->variant->midpoint ? vec_scale(vec_add(e->rest[2], e->rest[3]), 0.5)
                                                 : e->rest[2],
                           vec_scale(vec_add(e->rest[0], e->rest[1]), 0.5));
        vec3 normal = unit(vec_cross(base, at->variant->midpoint ? edge : vec_cross(tip, base)));
        for (int k = 0; k < e->particles; k++) {
            double off = vec_dot(vec_sub(e->rest[k], e->rest[0]), normal);
            e->x[k] = vec_sub(e->rest[k], vec_scale(normal, 2 * off));
        }
    }
}

static void unsided_bending_takes_a_reflection_for_rest(void **unused)
{
    (void)unused;
    const char *labels[] = {"midpoint equal", "stick"};
    for (int s = 0; s < nsets; s++)
        for (int l = 0; l < LENGTH(labels); l++) {
            const variant *a = variant_named(labels[l]);
            make_crowd(&c, a, 0, 10);
            if (a->shape == HINGE) reflect(&c);
            load_crowd(&c);
            project_crowd(&c, &sets[s]);
            for (int i = 0; i < CROWD; i++) {
                element e = element_after(&c, i);
                for (int k = 0; k < e.particles; k++)
                    assert_true(vec_length(vec_sub(e.x[k], c.e[i].x[k])) <=
                                16 * EPSILON * farthest(&e));
            }
        }
}

static void come_back(const char *label, int iterations)
{
    const variant *a = variant_named(label);
    for (int s = 0; s < nsets; s++) {
        make_crowd(&c, a, 0, 10);
        reflect(&c);
        load_crowd(&c);
        for (int i = 0; i < CROWD; i++) /* twice the height away, on the wrong side */
            assert_true(fabs(value_of(a, &c.e[i], &c.tuning, 0, NULL)) > 1.5 * height(a, &c.e[i]));
        for (int n = 0; n < iterations; n++) project_crowd(&c, &sets[s]);
        for (int i = 0; i < CROWD; i++) {
            element e = element_after(&c, i);
            double C = value_of(a, &e, &c.tuning, 0, NULL);
            if (!(fabs(C) <= 64 * EPSILON * farthest(&e)))
                fail_msg("%s %s: reflected, C = %g of %g", sets[s].name, label, C, height(a, &e));
        }
    }
}

static void sided_bending_pulls_a_reflection_back(void **unused)
{
    (void)unused;
    come_back("midpoint sided", 20);
    come_back("sided equal", 20);
}

/* Two wings on the x axis, the second turned by `angle`. */
static void fold(element *e, double angle)
{
    const vec3 at[4] = {{0.4, -1, 0}, {0.6, cos(angle), sin(angle)}, {0, 0, 0}, {1, 0, 0}};
    memcpy(e->x, at, sizeof at);
}

static void dihedral_tells_up_from_down(void **unused)
{
    (void)unused;
    const variant *a = variant_named("dihedral");
    for (int s = 0; s < nsets; s++) {
        make_crowd(&c, a, 0, 10);
        for (int i = 0; i < CROWD; i++) {
            fold(&c.e[i], 0.7);
            c.e[i].data[0] = 0;
            double up = value_of(a, &c.e[i], &c.tuning, 0, NULL);
            assert_true(fabs(fabs(up) - 0.7) < 1e-12);
            c.e[i].data[0] = up;
            fold(&c.e[i], -0.7);
            assert_true(fabs(value_of(a, &c.e[i], &c.tuning, 0, NULL) + 2 * up) < 1e-6);
        }
        load_crowd(&c);
        for (int n = 0; n < 30; n++) project_crowd(&c, &sets[s]);
        for (int i = 0; i < CROWD; i++) {
            element e = element_after(&c, i);
            double C = value_of(a, &e, &c.tuning, 0, NULL);
            if (!(fabs(C) <= 64 * EPSILON))
                fail_msg("%s: folded down, %g from up", sets[s].name, C);
        }
    }
}

static void curved_isometric_keeps_its_fold(void **unused)
{
    (void)unused;
    const variant *a = variant_named("isometric curved");
    for (int s = 0; s < nsets; s++) {
        make_crowd(&c, a, 0, 10);
        for (int i = 0; i < CROWD; i++) deform(&c.e[i], 0.9, 1.1, 0.05, (vec3){0, 0, 0});
        load_crowd(&c);
        for (int n = 0; n < 30; n++) project_crowd(&c, &sets[s]);
        const variant *angle = variant_named("dihedral");
        tt_tuning tuning = tuning_of(angle);
        for (int i = 0; i < CROWD; i++) {
            element e = element_after(&c, i), rest = e;
            vec3 g[MAX_SLOTS];
            double C = value_of(a, &e, &c.tuning, 0, g);
            assert_true(fabs(C) <= 64 * noise(&e, g));
            memcpy(rest.x, rest.rest, sizeof rest.x);
            rest.data[0] = e.data[0] = 0;
            double now = value_of(angle, &e, &tuning, 0, NULL),
                   then = value_of(angle, &rest, &tuning, 0, NULL);
            if (!(now * then > 0 && fabs(now - then) < 0.5))
                fail_msg("fold %g became %g", then, now);
        }
    }
}

/* A hinge in its mirrored fold comes back to its own side. */
static void curved_isometric_knows_its_side(void **unused)
{
    (void)unused;
    const variant *a = variant_named("isometric curved");
    for (int s = 0; s < nsets; s++) {
        make_crowd(&c, a, 0, 10);
        for (int i = 0; i < CROWD; i++) {
            element *e = &c.e[i];
            vec3 edge = vec_sub(e->rest[3], e->rest[2]), leg = vec_sub(e->rest[0], e->rest[2]);
            vec3 normal = unit(vec_cross(edge, leg));
            for (int k = 0; k < 4; k++) {
                double off = vec_dot(vec_sub(e->rest[k], e->rest[2]), normal);
                e->x[k] = vec_sub(e->rest[k], vec_scale(normal, 2 * off));
            }
            double C = value_of(a, e, &c.tuning, 0, NULL);
            assert_true(fabs(C) > 1.99 * fabs(e->data[3]));
        }
        load_crowd(&c);
        for (int n = 0; n < 30; n++) project_crowd(&c, &sets[s]);
        int back = 0;
        for (int i = 0; i < CROWD; i++) {
            element e = element_after(&c, i);
            vec3 g[MAX_SLOTS];
            double C = value_of(a, &e, &c.tuning, 0, g);
            back += fabs(C) <= 64 * noise(&e, g);
        }
        if (back < CROWD) fail_msg("%s: only %d of %d came back", sets[s].name, back, CROWD);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_most_acts_only_above),
        cmocka_unit_test(at_least_acts_only_below),
        cmocka_unit_test(kappa_adds_to_the_rest_height),
        cmocka_unit_test(unsided_bending_takes_a_reflection_for_rest),
        cmocka_unit_test(sided_bending_pulls_a_reflection_back),
        cmocka_unit_test(dihedral_tells_up_from_down),
        cmocka_unit_test(curved_isometric_keeps_its_fold),
        cmocka_unit_test(curved_isometric_knows_its_side),
    };
    nsets = instances(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
