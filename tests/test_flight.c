/* Free flight: bodies of every kind turn and shake for 10^4 steps, and touch nothing. They keep their momentum.
 * The constraints add no energy: at the start all of it is in the motion. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_flight.h"

static void bodies_in_flight_keep_their_momentum_and_gain_no_energy(void **state)
{
    (void)state;
    static const flyer flyers[] = {
        {"sheet, ratio", SHEET, RATIO, 0, 1, 2},
        {"sheet, ratio, levels", SHEET, RATIO, 2, 1, 2},
        {"sheet, ratio, levels, uneven masses", SHEET, RATIO | MASSES, 2, 1, 2},
        {"sheet, physical by quality", SHEET, PHYSICAL, 0, 4, 1},
        {"sheet, physical by quality, levels", SHEET, PHYSICAL, 2, 4, 1},
        {"sheet, elastic", SHEET, ELASTIC, 0, 0, 1},
        {"sheet, limits", SHEET, STRETCH, 0, 1, 1},
        {"sheet, upper limit, levels", SHEET, UPPER, 2, 1, 1},
        {"sheet, limits of both, levels", SHEET, STRETCH | BEND, 2, 1, 1},
        {"sheet, limits along axes, levels", SHEET, AXES, 2, 1, 1},
        {"irregular sheet, limits", IRREGULAR, STRETCH, 0, 1, 1},
        {"irregular sheet, limits, short steps", IRREGULAR, STRETCH, 0, 4, 1},
        {"irregular sheet, limits of both, levels", IRREGULAR, STRETCH | BEND, 2, 1, 1},
        {"sphere, limits of both, levels", SPHERE, STRETCH | BEND, 2, 1, 1},
        {"sphere, ratio, limits of both, levels", SPHERE, RATIO | STRETCH | BEND, 2, 2, 1},
        {"torus, ratio", TORUS, RATIO, 0, 1, 2},
        {"torus, physical", TORUS, PHYSICAL, 0, 4, 1},
        {"torus, elastic", TORUS, ELASTIC, 0, 0, 1},
        {"torus, limits", TORUS, STRETCH, 0, 1, 1},
        {"torus, limits at random", TORUS, STRETCH | RANDOM, 0, 1, 1},
        {"torus, limits by Jacobi", TORUS, STRETCH | JACOBI, 0, 1, 1},
        {"torus, limits along axes", TORUS, AXES, 0, 1, 1},
        {"rope, ratio, levels", ROPE, RATIO, 2, 1, 2},
        {"rope, limits", ROPE, EDGE, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof flyers / sizeof *flyers; i++) fly(&flyers[i], STEPS);
}

/* XPBD. Cloth of physical units is solved by quality otherwise. */
static void bodies_of_physical_units_gain_no_energy_by_counts(void **state)
{
    (void)state;
    static const flyer flyers[] = {
        {"sheet, physical by counts", SHEET, PHYSICAL | COUNTS, 0, 0, 1},
        {"torus, physical by counts", TORUS, PHYSICAL | COUNTS, 0, 0, 1},
    };
    fly_all(flyers, sizeof flyers / sizeof *flyers, STEPS);
}

static double fastest(const taut_world *world, int body)
{
    int n;
    const float *v = taut_body_velocities(world, body, &n);
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, vec_length(vec_of(&v[3 * i])));
    return most;
}

/* Stretch that is left is removed in the time of a usual step, not in the very short one. */
static void a_very_short_step_throws_nothing_away(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 21, 21, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 20, NULL));
    taut_material m = taut_default_material();
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    for (int step = 0; step < 30; step++) taut_world_step(world, 1.0f / 60);
    double before = fastest(world, body);
    taut_world_step(world, 1e-6f);
    double after = fastest(world, body);
    if (!(after < before + 2)) fail_msg("from %g to %g m/s", before, after);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_flight_keep_their_momentum_and_gain_no_energy),
        cmocka_unit_test(bodies_of_physical_units_gain_no_energy_by_counts),
        cmocka_unit_test(a_very_short_step_throws_nothing_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
