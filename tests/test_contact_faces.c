/* Contact of faces. The library does not have it yet, so the test is skipped until it has. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

enum { SIDE = 6 };

/* A level sheet that hangs from its four corners, its vertices 20 cm apart. */
static taut_model *level_sheet(void)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.tether = 0;
    assert_true(taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, NULL));
    for (int v = 0; v < SIDE * SIDE; v++) {
        mesh.x[3 * v + 2] = mesh.x[3 * v + 1] + 0.5f;
        mesh.x[3 * v + 1] = 0;
    }
    const int corners[] = {0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1};
    for (int i = 0; i < LENGTH(corners); i++) assert_true(taut_mesh_pin(&mesh, corners[i], NULL));
    return model_of(&mesh, &m);
}

/* The height of the cell in the middle. */
static double middle_height(const taut_world *world, int body)
{
    const int first = SIDE * (SIDE / 2 - 1) + SIDE / 2 - 1, cell[] = {first, first + 1, first + SIDE, first + SIDE + 1};
    const float *x = taut_body_positions(world, body, NULL);
    double sum = 0;
    for (int i = 0; i < LENGTH(cell); i++) sum += (double)x[3 * cell[i] + 1];
    return sum / LENGTH(cell);
}

/* The ball fits between the vertices: only faces and edges can stop it. It comes down at 1 m/s, and must push the
 * middle of the sheet along below its centre. */
static void a_ball_does_not_pass_between_the_vertices_of_a_sheet(void **state)
{
    (void)state;
    print_message("SKIPPED: only vertices collide yet, so that the ball goes through\n");
    skip();
    taut_model *model = level_sheet();
    taut_world *world = space(4);
    int body = add_at(world, model, 0, 0, 0), ball = add_ball(world, 0, 0.3f, 0, 0.08f);
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_SPHERE;
    def.radius = 0.08f;
    for (int step = 1; step <= 24; step++) {
        def.a[1] = 0.3f - (float)step / 60;
        assert_true(taut_collider_move(world, ball, &def, NULL));
        step_times(world, 1);
    }
    assert_true(middle_height(world, body) < (double)def.a[1]);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_does_not_pass_between_the_vertices_of_a_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
