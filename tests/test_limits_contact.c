/* Bodies with limits that touch: limits do not move them into each other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

enum { TORI = 2 };
static const float BIG = 0.25f, SMALL = 0.08f;

static taut_material solid_material(int passes)
{
    taut_material m = taut_default_material();
    m.edge = 0;
    m.bend.model = TAUT_BEND_NONE;
    m.strain.xx = m.strain.yy = m.strain.zz = 0.3f;
    m.strain.xy = m.strain.yz = m.strain.xz = 0.2f;
    m.damping = (taut_damping){0};
    m.density = 300;
    m.thickness = 0.01f;
    m.contact = TAUT_CONTACT_STRICT;
    m.friction = m.contact_friction = 0.3f;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.iterations = passes;
    return m;
}

/* A torus falls on another one, which falls on the ground. With few substeps, limits move particles far in each. */
static void stack(int substeps, int levels)
{
    taut_world_def def = taut_default_world_def();
    taut_collider_def ground = taut_default_collider_def();
    taut_material material = solid_material(32 / substeps);
    taut_model_options options = taut_default_model_options();
    taut_mesh mesh;
    int body[TORI];
    def.stretch = 0;
    def.substeps = substeps;
    def.iterations = def.threads = 1;
    options.levels = levels;
    assert_true(taut_mesh_torus(&mesh, 16, 2, BIG, SMALL, NULL));
    taut_model *model = taut_model_build(&mesh, &material, &options, NULL);
    taut_world *world = taut_world_create(&def, NULL);
    assert_true(model && world && taut_world_add_collider(world, &ground, NULL) >= 0);
    for (int b = 0; b < TORI; b++) body[b] = add_at(world, model, 0.02f * (float)b, 0.12f + 0.3f * (float)b, 0);
    for (int frame = 0; frame < 60; frame++) assert_true(taut_world_step(world, 1.0f / 30));
    double low = INFINITY, high = -INFINITY, residual = taut_world_residual(world, taut_kind_find("limit_tet")).mean;
    for (int b = 0; b < TORI; b++) {
        const float *x = taut_body_positions(world, body[b], NULL);
        for (int v = 0; v < mesh.nvertices; v++) {
            low = fmin(low, (double)x[3 * v + 1]), high = fmax(high, (double)x[3 * v + 1]);
        }
    }
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    if (!(low > -0.001 && high > 3.6 * (double)SMALL && residual < 0.05))
        fail_msg("%d substeps, %d levels: from %g to %g m, the limits are exceeded by %g", substeps, levels, low, high,
                 residual);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

static void solids_with_limits_carry_each_other(void **state)
{
    (void)state;
    for (int substeps = 1; substeps <= 4; substeps *= 4)
        for (int levels = 0; levels < 2; levels++) stack(substeps, levels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_with_limits_carry_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
