/* The library's own elementary functions against libm and against identities. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/exact.h"

#include <float.h>
#include <math.h>

static uint64_t random_state = 1;

/* Evenly in [-1, 1). */
static double random_number(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-52 - 1;
}

static void assert_close(double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void sin_and_cos_agree_with_libm(void **state)
{
    (void)state;
    const double ranges[] = {1e-300, 1e-8, 0.1, 1, 10, 1000, 1e6};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        for (int i = 0; i < 20000; i++) {
            double x = ranges[r] * random_number();
            assert_close(tt_sin(x), sin(x), 1e-15);
            assert_close(tt_cos(x), cos(x), 1e-15);
        }
    }
}

static void sin_and_cos_hold_near_quarter_turns(void **state)
{
    (void)state;
    for (int k = -600000; k <= 600000; k += 997) {
        double x = k * (TT_PI / 2);
        for (int step = -2; step <= 2; step++) {
            double y = x + step * 1e-9 * (1 + fabs(x));
            if (fabs(y) > 1e6) continue;
            assert_close(tt_sin(y), sin(y), 1e-15);
            assert_close(tt_cos(y), cos(y), 1e-15);
        }
    }
}

static void sin_and_cos_of_plain_angles(void **state)
{
    (void)state;
    assert_true(tt_sin(0) == 0);
    assert_true(tt_cos(0) == 1);
    assert_true(tt_cos(TT_PI) == -1);
    assert_true(tt_sin(TT_PI / 2) == 1);
    assert_close(tt_sin(TT_PI / 6), 0.5, 2e-16);
    assert_true(isnan(tt_sin(NAN)) && isnan(tt_cos(NAN)));
}

static void atan2_agrees_with_libm(void **state)
{
    (void)state;
    const double scales[] = {1e-300, 1e-20, 1e-3, 1, 1e5, 1e300};
    const size_t n = sizeof scales / sizeof *scales;
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            for (int i = 0; i < 3000; i++) {
                double y = scales[a] * random_number(), x = scales[b] * random_number();
                assert_close(tt_atan2(y, x), atan2(y, x), 1e-15);
            }
        }
    }
    for (int i = 0; i <= 20000; i++) { /* across the joint of its two series */
        double t = i / 20000.0;
        assert_close(tt_atan2(t, 1), atan2(t, 1), 1e-15);
    }
}

static void atan2_of_axes(void **state)
{
    (void)state;
    assert_true(tt_atan2(0, 0) == 0);
    assert_true(tt_atan2(0, 1) == 0);
    assert_true(tt_atan2(1, 0) == TT_PI / 2);
    assert_true(tt_atan2(-1, 0) == -TT_PI / 2);
    assert_true(tt_atan2(0, -1) == TT_PI);
    assert_true(tt_atan2(-0.0, -1) == TT_PI); /* -pi is not in the range of results */
    assert_true(tt_atan2(1, 1) == TT_PI / 4);
}

static void atan2_keeps_small_angles(void **state)
{
    (void)state;
    for (double y = 1e-300; y < 1e-3; y *= 7.3)
        assert_close(tt_atan2(y, 1) / atan2(y, 1), 1, 1e-15);
}

static void root_agrees_with_libm(void **state)
{
    (void)state;
    const int degrees[] = {1, 2, 3, 7, 20, 1000, 12345, 1000000};
    for (size_t d = 0; d < sizeof degrees / sizeof *degrees; d++) {
        for (int i = 1; i <= 300; i++) {
            long double x = i / 300.0L;
            for (int k = 0; k < 3; k++, x *= x) {
                double wanted = (double)powl((long double)(double)x, 1.0L / degrees[d]);
                assert_close(tt_root((double)x, degrees[d]) / wanted, 1, 1e-14);
            }
        }
    }
}

static void root_of_the_ends(void **state)
{
    (void)state;
    const double tiny[] = {DBL_TRUE_MIN, 1e-310, DBL_MIN, 1e-200};
    for (int n = 1; n <= 1000000; n *= 10) {
        assert_true(tt_root(0, n) == 0);
        assert_true(tt_root(1, n) == 1);
        for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++)
            assert_close(tt_root(tiny[i], n) / (double)powl(tiny[i], 1.0L / n), 1, 1e-14);
    }
    assert_true(tt_root(0.3, 1) == 0.3);
    assert_true(tt_root(0.25, 2) == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sin_and_cos_agree_with_libm),
        cmocka_unit_test(sin_and_cos_hold_near_quarter_turns),
        cmocka_unit_test(sin_and_cos_of_plain_angles),
        cmocka_unit_test(atan2_agrees_with_libm),
        cmocka_unit_test(atan2_of_axes),
        cmocka_unit_test(atan2_keeps_small_angles),
        cmocka_unit_test(root_agrees_with_libm),
        cmocka_unit_test(root_of_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
