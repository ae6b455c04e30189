/* Gas in closed shells: Laplace's law, Boyle's law in its linear form, momentum, resuming, refusals. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_save.h"
#include "helpers_world.h"
#include "slow_build.h"

#define QUALITY ((void *)1)

static taut_world *world_of(bool quality, int threads)
{
    const float none[3] = {0, 0, 0};
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    if (!quality) def.stretch = 0;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    assert_true(taut_world_set_gravity(world, none, NULL) && taut_world_set_wind(world, none, 0, NULL));
    return world;
}

/* A material like rubber, as far as one with warp and weft can be the same in all directions. */
static taut_material membrane(taut_gas gas)
{
    taut_material m;
    assert_true(taut_preset_material("cotton", &m));
    m.strain.xx = m.strain.yy = m.strain.xy = 200;
    m.gas = gas;
    return m;
}

static taut_model *ball(int levels, taut_gas gas)
{
    taut_mesh mesh;
    taut_material material = membrane(gas);
    assert_true(taut_mesh_sphere(&mesh, levels, 0.3f, NULL));
    return model_of(&mesh, &material);
}

static double volume_of(const taut_world *world, int body, double *pressure)
{
    double volume = 0;
    assert_true(taut_body_gas(world, body, &volume, pressure));
    return volume;
}

/* The tension of a ball is p r / 2, and its strain that over the modulus. */
static void pressure_stretches_as_it_should(void **state)
{
    SKIP_IF_BRIEF();
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 1);
    if (!quality) assert_true(taut_world_set_solver(world, 40, 4, NULL));
    taut_model *model = ball(3, (taut_gas){.pressure = 20, .volume = 1});
    int body = add_at(world, model, 0, 0, 0);
    double pressure, before = volume_of(world, body, &pressure);
    assert_true(before > 0.1);
    step_times(world, 240);
    double strain = cbrt(volume_of(world, body, &pressure) / before) - 1, by_law = 20 * 0.3 / 2 / 200;
    print_message("strain %.5f, %.5f by Laplace's law\n", strain, by_law);
    expect_near(pressure, 20, 1e-4);
    assert_true(strain > 0.7 * by_law && strain < 1.4 * by_law); /* the membrane is not isotropic */
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
}

/* A stiff gas takes the volume that it aims at. A ball that is squeezed gives way as the stiffness of its gas says. */
static void stiff_gas_keeps_a_volume(void **state)
{
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 1);
    taut_model *model = ball(3, (taut_gas){.volume = 1.2f, .stiffness = 1e5f});
    int body = add_at(world, model, 0, 0, 0);
    double pressure, before = volume_of(world, body, &pressure);
    expect_near(pressure, 2e4, 1);
    step_times(world, 120);
    double now = volume_of(world, body, &pressure);
    print_message("%.5f times the volume, %.1f Pa\n", now / before, pressure);
    expect_near(now / before, 1.2, 2e-3);
    expect_near(pressure, 1e5 * (1.2 - now / before), 0.1);
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
}

static void it_bears_a_weight_on_the_floor(void **state)
{
    SKIP_IF_BRIEF();
    bool quality = *state != NULL;
    const float down[3] = {0, -9.81f, 0};
    double height[2];
    for (int full = 0; full < 2; full++) {
        taut_world *world = world_of(quality, 1);
        assert_true(taut_world_set_gravity(world, down, NULL));
        taut_model *model = ball(3, (taut_gas){.pressure = full ? 100 : 1e-6f, .volume = 1});
        int body = add_at(world, model, 0, 0.35f, 0), count;
        add_floor(world, 0);
        step_times(world, 180);
        const float *x = taut_body_positions(world, body, &count);
        height[full] = 0;
        for (int v = 0; v < count; v++) height[full] = fmax(height[full], (double)x[3 * v + 1]);
        assert_int_equal(taut_world_stats(world).bad_particles, 0);
        taut_world_free(world);
        taut_model_free(model);
    }
    print_message("%.3f m empty, %.3f m full\n", height[0], height[1]);
    assert_true(height[1] > 0.55 && height[0] < 0.8 * height[1]);
}

static void gas_gives_no_momentum(void **state)
{
    taut_world *world = world_of(*state != NULL, 1);
    taut_model *model = ball(2, (taut_gas){.pressure = 50, .volume = 1, .stiffness = 1000});
    int body = add_at(world, model, 0, 0, 0), count;
    step_times(world, 60);
    const float *v = taut_body_velocities(world, body, &count);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 3 * count; i++) sum[i % 3] += (double)v[i] / count;
    for (int c = 0; c < 3; c++) expect_near(sum[c], 0, 1e-3);
    taut_world_free(world);
    taut_model_free(model);
}

static void gas_needs_a_closed_shell(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh sheet, sphere, beam;
    taut_material m = membrane((taut_gas){.pressure = 1, .volume = 1}), none = membrane((taut_gas){.volume = 1});
    assert_true(taut_mesh_sheet(&sheet, 3, 3, 1, 1, NULL) && taut_mesh_sphere(&sphere, 1, 1, NULL));
    assert_true(taut_mesh_beam(&beam, 1, 1, 1, 1, 1, 1, NULL));
    assert_null(taut_model_build(&sheet, &m, NULL, &error));
    expect_error(&error,
                 (wanted){TAUT_BAD_MATERIAL, -1, "material.gas needs a closed shell: the mesh has 8 open edges"});
    const char *facing = "material.gas needs a closed shell of triangles that all face out, two on each edge";
    assert_null(taut_model_build(&beam, &m, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MATERIAL, -1, facing});
    int first = sphere.tri[0];
    sphere.tri[0] = sphere.tri[1], sphere.tri[1] = first;
    assert_null(taut_model_build(&sphere, &m, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MATERIAL, -1, facing});
    m.gas.volume = -1;
    assert_null(taut_model_build(&sphere, &m, NULL, &error));
    assert_string_equal(error.text, "material.gas.volume must be at least 0 and finite, got -1");
    taut_world *world = world_of(true, 1);
    taut_model *model = model_of(&sheet, &none);
    int body = add_at(world, model, 0, 0, 0);
    double volume, pressure;
    m.gas.volume = 1;
    assert_false(taut_body_set_material(world, body, &m, &error));
    expect_error(&error,
                 (wanted){TAUT_BAD_MATERIAL, -1, "the model was built without material.gas; build it with some"});
    assert_false(taut_body_gas(world, body, &volume, &pressure) || taut_body_gas(world, 99, &volume, &pressure));
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&sphere);
    taut_mesh_free(&beam);
}

/* The pressure changes while the world runs. A save in the middle goes on with the same bits, with any number of
 * threads. */
static void a_save_brings_gas_back(void **state)
{
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 1), *other = world_of(quality, 2);
    taut_model *model = ball(3, (taut_gas){.pressure = 20, .volume = 1, .stiffness = 500});
    const taut_model *models[] = {model};
    int body = add_at(world, model, 0, 0.4f, 0);
    add_floor(world, 0);
    step_times(world, 10);
    taut_material more = *taut_body_material(world, body);
    more.gas.pressure = 80;
    assert_true(taut_body_set_material(world, body, &more, NULL));
    step_times(world, 10);
    save s = take_save(world);
    assert_true(taut_world_restore(other, s.bytes, s.size, models, 1, NULL));
    step_times(world, 20);
    step_times(other, 20);
    assert_true(taut_world_hash(world) == taut_world_hash(other));
    taut_world_free(world);
    taut_world_free(other);
    taut_model_free(model);
    free(s.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"pressure stretches as it should", pressure_stretches_as_it_should, NULL, NULL, QUALITY},
        {"pressure stretches as it should, by counts", pressure_stretches_as_it_should, NULL, NULL, NULL},
        {"stiff gas keeps a volume", stiff_gas_keeps_a_volume, NULL, NULL, QUALITY},
        {"stiff gas keeps a volume, by counts", stiff_gas_keeps_a_volume, NULL, NULL, NULL},
        {"it bears a weight on the floor", it_bears_a_weight_on_the_floor, NULL, NULL, QUALITY},
        {"it bears a weight on the floor, by counts", it_bears_a_weight_on_the_floor, NULL, NULL, NULL},
        {"gas gives no momentum", gas_gives_no_momentum, NULL, NULL, QUALITY},
        {"gas gives no momentum, by counts", gas_gives_no_momentum, NULL, NULL, NULL},
        cmocka_unit_test(gas_needs_a_closed_shell),
        {"a save brings gas back", a_save_brings_gas_back, NULL, NULL, QUALITY},
        {"a save brings gas back, by counts", a_save_brings_gas_back, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests_name("gas", tests, NULL, NULL);
}
