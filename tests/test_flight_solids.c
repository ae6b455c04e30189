/* Free flight of closed shells and solids that have little else than limits. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_flight.h"

static void shells_and_solids_of_limits_gain_no_energy(void **state)
{
    (void)state;
    static const flyer flyers[] = {
        {"sphere, limits of both, levels", SPHERE, STRETCH | BEND, 2, 0, 1},
        {"torus, limits", TORUS, STRETCH, 0, 0, 1},
    };
    fly_all(flyers, sizeof flyers / sizeof *flyers, STEPS);
}

/* These have many tets, so they take fewer steps. */
static void solids_with_levels_gain_no_energy(void **state)
{
    (void)state;
    static const flyer ratio = {"long torus, ratio, limits, levels", LONG_TORUS, RATIO | STRETCH, 1, 1, 1};
    static const flyer limits = {"long torus, limits, levels", LONG_TORUS, STRETCH, 1, 0, 1};
    fly(&ratio, STEPS / 5);
    fly_all(&limits, 1, STEPS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shells_and_solids_of_limits_gain_no_energy),
        cmocka_unit_test(solids_with_levels_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
