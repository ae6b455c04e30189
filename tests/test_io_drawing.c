/* Functions of the library for pictures: the surface of a solid, and the places of the colliders of a scene. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "taut_io.h"

#include <stdlib.h>
#include <string.h>

/* A beam of 3 x 2 x 1 cells: 22 outer squares, two triangles each, that face out and enclose its volume. */
static void surface_of_a_beam(void **state)
{
    (void)state;
    taut_mesh beam;
    taut_error error;
    int ntris = 0;
    assert_true(taut_mesh_beam(&beam, 3, 2, 1, 3, 2, 1, NULL));
    int *tri = taut_mesh_surface(&beam, &ntris, &error);
    assert_non_null(tri);
    assert_int_equal(ntris, 44);
    double volume = 0, area = 0;
    for (int t = 0; t < ntris; t++) {
        vec3 a = vec_of(beam.x + 3 * tri[3 * t]), b = vec_of(beam.x + 3 * tri[3 * t + 1]);
        vec3 c = vec_of(beam.x + 3 * tri[3 * t + 2]);
        volume += vec_dot(a, vec_cross(b, c)) / 6;
        area += vec_length(vec_cross(vec_sub(b, a), vec_sub(c, a))) / 2;
    }
    assert_true(fabs(volume - 6) < 1e-5 && fabs(area - 22) < 1e-5);
    free(tri);
    beam.tet[0] = beam.nvertices;
    assert_null(taut_mesh_surface(&beam, &ntris, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    taut_mesh_free(&beam);
}

static void colliders_in_time(void **state)
{
    (void)state;
    static const char text[] =
        "{\"fps\": 10, \"frames\": 10, \"bodies\": [{\"mesh\": {\"generator\": \"chain\", \"n\": 2, \"length\": 1}}],"
        " \"colliders\": [{\"shape\": \"plane\", \"point\": [0, -1, 0]},"
        " {\"shape\": \"sphere\", \"center\": [0, 5, 0], \"radius\": 0.5, \"keys\": ["
        "  {\"time\": 0, \"position\": [0, 0, 0]}, {\"time\": 1, \"position\": [2, 0, 0]}]}]}";
    taut_error error = {.text = ""};
    taut_scene *scene = taut_scene_parse("s.json", text, sizeof text - 1, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(scene);
    assert_int_equal(taut_scene_colliders(scene), 2);
    for (int frame = 0; frame <= 5; frame++) {
        taut_collider_def plane = taut_scene_collider(scene, 0), ball = taut_scene_collider(scene, 1);
        assert_int_equal(plane.shape, TAUT_PLANE);
        assert_true(plane.a[1] == -1);
        assert_int_equal(ball.shape, TAUT_SPHERE);
        assert_true(fabsf(ball.a[0] - 0.2f * (float)frame) < 1e-5f && fabsf(ball.a[1] - 5) < 1e-5f);
        assert_true(ball.radius == 0.5f);
        assert_true(taut_scene_step(scene, &error));
    }
    taut_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_of_a_beam),
        cmocka_unit_test(colliders_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
