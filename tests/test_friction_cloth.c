/* Coulomb friction of cloth on cloth, solved by quality and by counts: what should rest does not creep, what should
 * slide has the right speed, and layers do not stick together. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

static const double PI = 3.14159265358979, G = 9.81;

/* A small sheet on a large one that is pinned. Gravity leans to x. */
typedef struct slope {
    taut_world *world;
    taut_model *large, *small;
    int body, nvertices;
} slope;

/* Cotton that only friction slows down. */
static taut_material slippery_cotton(double friction)
{
    taut_material cotton;
    assert_true(taut_init_preset(&cotton, sizeof cotton, "cotton"));
    cotton.contact = TAUT_CONTACT_STRICT;
    cotton.contact_friction = (float)friction;
    cotton.damping.global = cotton.damping.dry = cotton.drag = cotton.lift = 0;
    return cotton;
}

static taut_mesh level_sheet(int n, float size, uint32_t seed)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, n, n, size, size, 0.3f, seed, NULL));
    for (int i = 0; i < mesh.nvertices; i++) {
        float *x = &mesh.x[3 * i], y = x[1];
        x[1] = 0, x[2] = -size / 2 - y;
    }
    return mesh;
}

static slope open_slope(double degrees, double friction, bool counts)
{
    taut_material cotton = slippery_cotton(friction);
    taut_world_def def = taut_default_world_def();
    double angle = degrees * PI / 180;
    const float gravity[3] = {(float)(G * sin(angle)), (float)(-G * cos(angle)), 0};
    def.threads = 1;
    if (counts) def.stretch = 0;
    slope s = {.world = taut_world_create(&def, NULL)};
    assert_non_null(s.world);
    assert_true(taut_world_set_gravity(s.world, gravity, NULL));
    taut_mesh large = level_sheet(15, 1, 1), small = level_sheet(13, 0.4f, 2);
    for (int i = 0; i < large.nvertices; i++) assert_true(taut_mesh_pin(&large, i, NULL));
    s.nvertices = small.nvertices;
    s.large = model_of(&large, &cotton);
    s.small = model_of(&small, &cotton);
    add_at(s.world, s.large, 0, 0, 0);
    s.body = add_at(s.world, s.small, 0, cotton.thickness * 1.02f, 0);
    return s;
}

static void close_slope(slope *s)
{
    taut_world_free(s->world);
    taut_model_free(s->large);
    taut_model_free(s->small);
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

static void a_sheet_rests_on_a_sheet_without_creeping(void **state)
{
    (void)state;
    for (int counts = 0; counts < 2; counts++) {
        slope s = open_slope(20, 0.5, counts);
        double way = way_in(&s, SLOW_BUILD ? 0.5 : 60);
        if (!(fabs(way) <= 0.001)) fail_msg("it has crept by %g m", way);
        close_slope(&s);
    }
}

/* The acceleration follows from the speeds in the middle of two tenths of a second. */
static void a_sheet_slides_on_a_sheet_as_fast_as_it_should(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int i = 0; i < 4; i++) {
        double friction = i / 2 ? 0 : 0.5, a = G * (sin(40 * PI / 180) - friction * cos(40 * PI / 180));
        slope s = open_slope(40, friction, i % 2);
        double first = way_in(&s, 0.1), second = way_in(&s, 0.1), found = (second - first) * 100;
        if (!(fabs(found - a) <= 0.05 * a)) fail_msg("friction %g: %g m/s^2, not %g", friction, found, a);
        close_slope(&s);
    }
}

/* The slope is 26.565 degrees, whose tangent is 0.5. If the sheet slides at all, it gains speed. */
static void a_sheet_rests_if_friction_is_more_than_the_slope(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    const double degrees = atan(0.5) * 180 / PI;
    for (int i = 0; i < 4; i++) {
        double friction = i / 2 ? 0.51 : 0.49;
        slope s = open_slope(degrees, friction, i % 2);
        double first = way_in(&s, 1), second = way_in(&s, 0.5);
        bool slides = second > 0.01 && 2 * second > first, rests = fabs(second) < 1e-5;
        if (i / 2 ? !rests : !slides) fail_msg("friction %g: %g m, then %g m", friction, first, second);
        close_slope(&s);
    }
}

/* What friction holds is part of a save: without it the sheet would begin to creep anew. */
static void a_save_keeps_what_friction_holds(void **state)
{
    (void)state;
    slope s = open_slope(20, 0.5, false);
    const taut_model *models[2] = {s.large, s.small};
    float after[3 * 13 * 13];
    way_in(&s, 0.1);
    size_t size = taut_world_save(s.world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(taut_world_save(s.world, bytes, size), size);
    way_in(&s, 0.05);
    memcpy(after, taut_body_positions(s.world, s.body, NULL), sizeof after);
    assert_true(taut_world_restore(s.world, bytes, size, models, 2, NULL));
    way_in(&s, 0.05);
    assert_memory_equal(after, taut_body_positions(s.world, s.body, NULL), sizeof after);
    free(bytes);
    close_slope(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_rests_on_a_sheet_without_creeping),
        cmocka_unit_test(a_sheet_slides_on_a_sheet_as_fast_as_it_should),
        cmocka_unit_test(a_sheet_rests_if_friction_is_more_than_the_slope),
        cmocka_unit_test(a_save_keeps_what_friction_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
