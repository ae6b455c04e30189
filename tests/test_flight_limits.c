/* Free flight of bodies with limits. Limits that are broken when a substep begins, or that are no convex sets, throw
 * particles about. That must not add energy (src/world/energy.c). It is worst for cloth that has limits of bending but
 * no smallest stretch, because its squeezed triangles turn over. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_flight.h"

static void cloth_that_can_be_squeezed_flat_gains_no_energy(void **state)
{
    (void)state;
    static const flyer flyers[] = {
        {"sheet, upper and bend limits", SHEET, UPPER | BEND, 0, 0, 1},
        {"sheet, upper and bend limits, levels", SHEET, UPPER | BEND, 2, 0, 1},
        {"sheet, upper and bend limits by Jacobi", SMALL_SHEET, UPPER | BEND | JACOBI, 0, 0, 1},
        {"sheet, ratio, upper and bend limits, levels", SHEET, RATIO | UPPER | BEND, 2, 0, 1},
        {"sheet, physical, upper and bend limits", SMALL_SHEET, PHYSICAL | UPPER | BEND, 0, 0, 1},
    };
    fly_all(flyers, sizeof flyers / sizeof *flyers, STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_that_can_be_squeezed_flat_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
