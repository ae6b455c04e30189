/* Order statistics, compared with sorting. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/quantile.h"
#include "helpers.h"

#include <stdlib.h>

enum { MOST = 20000 };

static double given[MOST], values[MOST], sorted[MOST];

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Takes all shares one after the other on the same array, although each leaves it in another order. */
static void expect_quantiles(int n)
{
    memcpy(values, given, (size_t)n * sizeof *values);
    memcpy(sorted, given, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    for (int percent = 100; percent >= 0; percent--) {
        double q = percent / 100.0, wanted = sorted[(int)(q * (n - 1) + 0.5)];
        if (tt_quantile(values, n, q) != wanted) fail_msg("%d %% of %d values", percent, n);
    }
    qsort(values, (size_t)n, sizeof *values, compare);
    assert_memory_equal(values, sorted, (size_t)n * sizeof *values); /* none is lost */
}

static void of_any_number_of_values(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 63, 64, 65, 66, 127, 128, 129, 1000, MOST};
    for (int i = 0; i < LENGTH(sizes); i++) {
        for (int k = 0; k < sizes[i]; k++) given[k] = uniform(-1, 1);
        expect_quantiles(sizes[i]);
    }
}

static void of_values_in_order_and_in_patterns(void **state)
{
    (void)state;
    for (int k = 0; k < MOST; k++) given[k] = k;
    expect_quantiles(MOST);
    for (int k = 0; k < MOST; k++) given[k] = -k;
    expect_quantiles(MOST);
    for (int k = 0; k < MOST; k++) given[k] = k < MOST / 2 ? k : MOST - k;
    expect_quantiles(MOST);
    for (int k = 0; k < MOST; k++) given[k] = (k % 300 == 0 ? 1000 : 1) * uniform(0, 1); /* few are large */
    expect_quantiles(MOST);
}

static void of_values_that_are_alike(void **state)
{
    (void)state;
    for (int kinds = 1; kinds < 5; kinds++) {
        for (int k = 0; k < MOST; k++) given[k] = (int)uniform(0, kinds);
        expect_quantiles(MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_any_number_of_values),
        cmocka_unit_test(of_values_in_order_and_in_patterns),
        cmocka_unit_test(of_values_that_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
