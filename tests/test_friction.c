/* Coulomb friction on colliders: cloth that should rest does so for long, cloth that should slide has the right
 * speed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

static const double PI = 3.14159265358979, G = 9.81;

/* ---- Slopes ---- */

/* A sheet of cotton on a plane. Gravity leans to x. */
typedef struct slope {
    taut_world *world;
    taut_model *model;
    int body, nvertices;
} slope;

static taut_world *open_world(double degrees)
{
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    double angle = degrees * PI / 180;
    const float gravity[3] = {(float)(G * sin(angle)), (float)(-G * cos(angle)), 0};
    assert_true(taut_world_set_gravity(world, gravity, NULL));
    return world;
}

/* Cotton that only friction slows down. */
static taut_material slippery_cotton(void)
{
    taut_material cotton;
    assert_true(taut_init_preset(&cotton, sizeof cotton, "cotton"));
    cotton.friction = 1;
    cotton.damping.global = cotton.drag = cotton.lift = 0;
    return cotton;
}

static taut_mesh level_sheet(int n, float size)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, n, n, size, size, 0.3f, 3, NULL));
    for (int i = 0; i < mesh.nvertices; i++) {
        float *x = &mesh.x[3 * i], y = x[1];
        x[1] = 0, x[2] = -size / 2 - y;
    }
    return mesh;
}

static slope open_slope(double degrees, double friction)
{
    taut_material cotton = slippery_cotton();
    taut_mesh mesh = level_sheet(13, 0.4f);
    slope s = {.world = open_world(degrees), .nvertices = mesh.nvertices};
    taut_collider_def def = taut_default_collider_def();
    def.friction = (float)friction;
    assert_true(taut_world_add_collider(s.world, &def, NULL) >= 0);
    s.model = model_of(&mesh, &cotton);
    s.body = add_at(s.world, s.model, 0, cotton.thickness * 1.02f, 0);
    return s;
}

static void close_slope(slope *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
}

static double place_of(const slope *s)
{
    const float *x = taut_body_positions(s->world, s->body, NULL);
    double sum = 0;
    for (int i = 0; i < s->nvertices; i++) sum += (double)x[3 * i];
    return sum / s->nvertices;
}

static double way_in(slope *s, double seconds)
{
    double before = place_of(s);
    for (int i = 0; i < (int)(60 * seconds + 0.5); i++) taut_world_step(s->world, 1.0f / 60);
    return place_of(s) - before;
}

static void a_sheet_rests_on_a_slope_without_creeping(void **state)
{
    (void)state;
    slope s = open_slope(20, 0.5);
    double way = way_in(&s, SLOW_BUILD ? 2 : 60);
    if (!(fabs(way) <= 0.001)) fail_msg("it has crept by %g m", way);
    close_slope(&s);
}

/* The acceleration follows from the speeds in the middle of two tenths of a second. */
static void a_sheet_slides_as_fast_as_it_should(void **state)
{
    (void)state;
    slope s = open_slope(40, 0.5);
    double a = G * (sin(40 * PI / 180) - 0.5 * cos(40 * PI / 180)), first = way_in(&s, 0.1), second = way_in(&s, 0.1);
    if (!(fabs((second - first) * 100 - a) <= 0.05 * a)) fail_msg("%g m/s^2, not %g", (second - first) * 100, a);
    close_slope(&s);
}

/* The slope is 26.565 degrees, whose tangent is 0.5. If the sheet slides at all, it gains speed. */
static void a_sheet_rests_if_friction_is_more_than_the_slope(void **state)
{
    (void)state;
    const double degrees = atan(0.5) * 180 / PI;
    for (int i = 0; i < 2; i++) {
        double friction = i ? 0.51 : 0.49;
        slope s = open_slope(degrees, friction);
        double first = way_in(&s, 0.5), second = way_in(&s, 0.5);
        bool slides = second > 0.01 && second > 2 * first, rests = fabs(second) < 1e-5;
        if (i ? !rests : !slides) fail_msg("friction %g: %g m, then %g m", friction, first, second);
        close_slope(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_rests_on_a_slope_without_creeping),
        cmocka_unit_test(a_sheet_slides_as_fast_as_it_should),
        cmocka_unit_test(a_sheet_rests_if_friction_is_more_than_the_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
