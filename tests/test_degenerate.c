/* Contact in scenes that nobody would make on purpose: layers in one place, triangles without area, no thickness,
 * colliders inside one another. No body is thrown away. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

enum { MOST_BODIES = 4 };

typedef struct scene {
    taut_world *world;
    int nbodies, body[MOST_BODIES];
    taut_model *model[MOST_BODIES];
} scene;

static scene open_scene(void)
{
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    scene s = {.world = taut_world_create(&def, NULL)};
    assert_non_null(s.world);
    return s;
}

static void close_scene(scene *s)
{
    taut_world_free(s->world);
    for (int i = 0; i < s->nbodies; i++) taut_model_free(s->model[i]);
}

static taut_material strict_cotton(float thickness)
{
    taut_material m;
    assert_true(taut_init_preset(&m, sizeof m, "cotton"));
    m.contact = TAUT_CONTACT_STRICT;
    m.thickness = thickness;
    return m;
}

static taut_mesh level_sheet(int n)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 0.4f, 0.4f, NULL));
    for (int i = 0; i < mesh.nvertices; i++) {
        float *x = &mesh.x[3 * i], y = x[1];
        x[1] = 0, x[2] = -0.2f - y;
    }
    return mesh;
}

static void add(scene *s, taut_mesh mesh, const taut_material *m, float height)
{
    s->model[s->nbodies] = model_of(&mesh, m);
    s->body[s->nbodies] = add_at(s->world, s->model[s->nbodies], 0, height, 0);
    s->nbodies++;
}

/* The speed of the fastest vertex of all frames. A fall of half a second gives 5 m/s. */
static double fastest_in(scene *s, int frames)
{
    double most = 0;
    for (int i = 0; i < frames; i++) {
        taut_world_step(s->world, 1.0f / 60);
        for (int b = 0; b < s->nbodies; b++) {
            int n;
            const float *v = taut_body_velocities(s->world, s->body[b], &n);
            for (int k = 0; k < n; k++) {
                double x = (double)v[3 * k], y = (double)v[3 * k + 1], z = (double)v[3 * k + 2];
                assert_true(isfinite(x + y + z));
                most = fmax(most, sqrt(x * x + y * y + z * z));
            }
        }
    }
    assert_int_equal(taut_world_stats(s->world).bad_particles, 0);
    return most;
}

static void expect_calm(scene *s, int frames, const char *what)
{
    double fastest = fastest_in(s, frames);
    if (!(fastest < 6)) fail_msg("%s: %g m/s", what, fastest);
    close_scene(s);
}

static void layers_in_one_place(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0.005f);
    for (int i = 0; i < 3; i++) add(&s, level_sheet(9), &m, 0.1f);
    add_floor(s.world, 0);
    expect_calm(&s, 30, "layers in one place");
}

/* Crossings are drawn out at up to 1.2 m/s here. If their pulls tear the cloth to and fro, it gets faster than that,
 * and crumples: it reached 3 m/s. Single vertices are a little faster than what draws them. */
static void layers_in_one_place_do_not_crumple(void **state)
{
    (void)state;
    const float none[3] = {0, 0, 0};
    scene s = open_scene();
    taut_material m = strict_cotton(0.005f);
    assert_true(taut_world_set_gravity(s.world, none, NULL));
    for (int i = 0; i < MOST_BODIES; i++) add(&s, level_sheet(9), &m, 0);
    double fastest = fastest_in(&s, 30);
    if (!(fastest < 1.8)) fail_msg("%g m/s", fastest);
    close_scene(&s);
}

/* Each vertex of a row is at the place of a vertex of the row before. */
static void triangles_without_area(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0.005f);
    add(&s, level_sheet(9), &m, 0.05f);
    add(&s, level_sheet(9), &m, 0.1f);
    int n;
    float x[3 * 81];
    memcpy(x, taut_body_positions(s.world, s.body[1], &n), sizeof x);
    memcpy(&x[3 * 36], &x[3 * 27], 27 * sizeof *x);
    assert_true(taut_body_set_positions(s.world, s.body[1], x, NULL));
    add_floor(s.world, 0);
    expect_calm(&s, 30, "triangles without area");
}

static void no_thickness(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0);
    add(&s, level_sheet(9), &m, 0.05f);
    add(&s, level_sheet(9), &m, 0.1f);
    add_floor(s.world, 0);
    expect_calm(&s, 40, "no thickness");
}

static void thickness_of_many_edges(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0.5f);
    add(&s, level_sheet(9), &m, 0.55f);
    add(&s, level_sheet(9), &m, 0.6f);
    add_floor(s.world, 0);
    expect_calm(&s, 40, "thickness of many edges");
}

static void colliders_inside_one_another(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0.005f);
    add(&s, level_sheet(9), &m, 0.25f);
    add_floor(s.world, 0);
    add_ball(s.world, 0, 0, 0, 0.2f);
    add_ball(s.world, 0.05f, 0.02f, 0, 0.1f);
    add_ball(s.world, 0.05f, 0.02f, 0, 0.1f);
    expect_calm(&s, 40, "colliders inside one another");
}

static void all_pinned(void **state)
{
    (void)state;
    scene s = open_scene();
    taut_material m = strict_cotton(0.005f);
    taut_mesh mesh = level_sheet(9);
    for (int i = 0; i < mesh.nvertices; i++) assert_true(taut_mesh_pin(&mesh, i, NULL));
    add(&s, mesh, &m, 0);
    add(&s, level_sheet(9), &m, 0.05f);
    expect_calm(&s, 40, "all pinned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_in_one_place),
        cmocka_unit_test(layers_in_one_place_do_not_crumple),
        cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(no_thickness),
        cmocka_unit_test(thickness_of_many_edges),
        cmocka_unit_test(colliders_inside_one_another),
        cmocka_unit_test(all_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
