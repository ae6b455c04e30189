/* Contacts in the balance of cloth (docs/balance.md): cloth on a ball comes to rest at its length, and cloth on a slope
 * stays or slides as friction says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

/* A level sheet of cotton of 1 m, on colliders that are added next. */
typedef struct laid {
    taut_mesh mesh;
    taut_model *model;
    taut_measurer *measurer;
    taut_world *world;
    int body;
} laid;

static laid lay_as(int n, uint32_t seed, taut_contact contact, float height, int threads)
{
    static const float none[3] = {0, 0, 0};
    laid l;
    taut_material cotton;
    assert_true(taut_mesh_sheet_irregular(&l.mesh, n, n, 1, 1, 0.3f, seed, NULL));
    assert_true(taut_init_preset(&cotton, sizeof cotton, "cotton"));
    cotton.friction = 1;
    cotton.contact = contact;
    l.model = taut_model_build(&l.mesh, &cotton, NULL, NULL);
    l.measurer = taut_measurer_build(&l.mesh, none, NULL);
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    l.world = taut_world_create(&def, NULL);
    taut_body_def place = taut_default_body_def();
    place.position[1] = height;
    place.position[2] = -0.5f;
    place.rotation[0] = -sqrtf(0.5f), place.rotation[3] = sqrtf(0.5f);
    l.body = taut_world_add_body(l.world, l.model, &place, NULL);
    assert_true(l.model && l.measurer && l.body >= 0);
    return l;
}

/* Without contact of the cloth with itself, because most tests are about colliders. */
static laid lay(int n, float height, int threads) { return lay_as(n, 3, TAUT_CONTACT_OFF, height, threads); }

static void put_away(laid *l)
{
    taut_world_free(l->world);
    taut_measurer_free(l->measurer);
    taut_model_free(l->model);
    taut_mesh_free(&l->mesh);
}

static void add_under(taut_world *world, taut_shape shape, double friction)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape;
    def.friction = (float)friction;
    if (shape == TAUT_SPHERE) def.radius = 0.3f, def.a[1] = -0.3f;
    assert_true(taut_world_add_collider(world, &def, NULL) >= 0);
}

static void step_for(taut_world *world, double seconds)
{
    for (int i = 0; i < (int)(60 * seconds + 0.5); i++) taut_world_step(world, 1.0f / 60);
}

static double mean_x(const laid *l)
{
    const float *x = taut_body_positions(l->world, l->body, NULL);
    double sum = 0;
    for (int i = 0; i < l->mesh.nvertices; i++) sum += (double)x[3 * i];
    return sum / l->mesh.nvertices;
}

static void cloth_over_a_ball_rests_at_its_length(void **state)
{
    (void)state;
    laid l = lay(SLOW_BUILD ? 17 : 41, 0.02f, 1);
    taut_deformation d;
    add_under(l.world, TAUT_SPHERE, 0.5);
    step_for(l.world, SLOW_BUILD ? 0.5 : 4);
    assert_true(taut_body_deformation(l.world, l.body, l.measurer, &d, NULL));
    if (!SLOW_BUILD && (d.stretch.p99 > 0.02 || d.compression.p99 > 0.02))
        fail_msg("99 %% are within %g and %g", d.stretch.p99, d.compression.p99);
    if (!SLOW_BUILD && d.rms_speed > 0.0005) fail_msg("it moves at %g m/s", d.rms_speed);
    put_away(&l);
}

/* Triangles of 4 cm that are stiffer than the folds that they hang in load their contacts by more than gravity does. If
 * friction held all such loads, the cloth would go on at 5 to 16 mm/s for ever. */
static void coarse_cloth_over_a_ball_comes_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    enum { FROM = 240, FRAMES = 360 };
    for (uint32_t seed = 1; seed <= 5; seed += 2) {
        laid l = lay_as(25, seed, TAUT_CONTACT_AUTO, 0.1f, 1);
        taut_deformation d;
        double squares = 0;
        add_under(l.world, TAUT_SPHERE, 0.5);
        for (int frame = 0; frame < FRAMES; frame++) {
            taut_world_step(l.world, 1.0f / 60);
            assert_true(taut_body_deformation(l.world, l.body, l.measurer, &d, NULL));
            if (frame >= FROM) squares += d.rms_speed * d.rms_speed / (FRAMES - FROM);
        }
        if (!(sqrt(squares) < 0.001)) fail_msg("seed %u: it moves at %g m/s", seed, sqrt(squares));
        put_away(&l);
    }
}

/* The cloth hangs in folds over a small ball, and its corners lie on a floor. Anything that moved particles after the
 * balance would keep it trembling. */
static void cloth_in_folds_stops_trembling(void **state)
{
    (void)state;
    const int frames = SLOW_BUILD ? 20 : 300;
    laid l = lay(SLOW_BUILD ? 13 : 40, 0.35f, 1);
    taut_collider_def ball = taut_default_collider_def(), floor = ball;
    taut_deformation d;
    ball.shape = TAUT_SPHERE, ball.radius = 0.15f;
    floor.shape = TAUT_PLANE, floor.a[1] = -0.25f;
    assert_true(taut_world_add_collider(l.world, &ball, NULL) >= 0);
    assert_true(taut_world_add_collider(l.world, &floor, NULL) >= 0);
    const float *x = taut_body_positions(l.world, l.body, NULL);
    for (int frame = 0; frame < frames; frame++) {
        taut_world_step(l.world, 1.0f / 60);
        for (int i = 0; i < l.mesh.nvertices; i++) {
            const float *at = &x[3 * i];
            double radius = sqrt((double)(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
            if (radius < 0.15 || x[3 * i + 1] < -0.25f) fail_msg("frame %d: vertex %d is in a collider", frame, i);
        }
    }
    assert_true(taut_body_deformation(l.world, l.body, l.measurer, &d, NULL));
    if (!SLOW_BUILD && d.rms_speed > 0.0005) fail_msg("it moves at %g m/s", d.rms_speed);
    put_away(&l);
}

/* With the damping c of the material, a sheet that accelerates by a has gone a (t - (1 - exp(-c t)) / c) / c. */
static void cloth_on_a_slope_stays_or_slides_as_friction_says(void **state)
{
    (void)state;
    const struct slope {
        double degrees, friction;
    } slopes[] = {{20, 0.5}, {40, 0.5}, {20, 0.1}, {35, 0}};
    for (int i = 0; i < (SLOW_BUILD ? 1 : LENGTH(slopes)); i++) {
        double angle = slopes[i].degrees * 3.14159265358979 / 180, mu = slopes[i].friction, t = SLOW_BUILD ? 0.2 : 1;
        laid l = lay(17, 0.006f, 1);
        const float gravity[3] = {(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0};
        assert_true(taut_world_set_gravity(l.world, gravity, NULL));
        add_under(l.world, TAUT_PLANE, mu);
        double start = mean_x(&l), a = 9.81 * (sin(angle) - mu * cos(angle));
        step_for(l.world, t);
        double moved = mean_x(&l) - start, expected = a > 0 ? a * (t - (1 - exp(-t))) : 0;
        if (!(fabs(moved - expected) <= 0.002 + 0.05 * expected))
            fail_msg("%g degrees, %g: it moved by %g m, not %g", slopes[i].degrees, mu, moved, expected);
        put_away(&l);
    }
}

/* One side of a cloth is drawn over a floor. Stuck particles are released, so the cloth follows and hardly
 * stretches. */
static void cloth_is_dragged_over_a_floor(void **state)
{
    (void)state;
    laid l = lay(SLOW_BUILD ? 9 : 25, 0.006f, 1);
    const int frames = SLOW_BUILD ? 6 : 60;
    const float way = 0.005f * (float)frames;
    add_under(l.world, TAUT_PLANE, 0.5);
    step_for(l.world, 0.1);
    double start = mean_x(&l);
    const float *x = taut_body_positions(l.world, l.body, NULL);
    float right = -1;
    for (int i = 0; i < l.mesh.nvertices; i++) right = fmaxf(right, l.mesh.x[3 * i]);
    for (int frame = 0; frame < frames; frame++) {
        for (int i = 0; i < l.mesh.nvertices; i++)
            if (l.mesh.x[3 * i] > right - 1e-5f) {
                const float to[3] = {x[3 * i] + 0.005f, x[3 * i + 1], x[3 * i + 2]};
                assert_true(taut_body_pin(l.world, l.body, i, to, 1, NULL));
            }
        taut_world_step(l.world, 1.0f / 60);
    }
    taut_deformation d;
    assert_true(taut_body_deformation(l.world, l.body, l.measurer, &d, NULL));
    double moved = mean_x(&l) - start;
    if (!(fabs(moved - (double)way) < 0.1 * (double)way)) fail_msg("it moved by %g m, not %g", moved, (double)way);
    if (!(d.stretch.p99 < 0.02)) fail_msg("99 %% are within %g", d.stretch.p99);
    put_away(&l);
}

/* Any number of threads, and a run that is saved and resumed while the cloth is on the ball, give the same bits. */
static void contacts_go_on_the_same(void **state)
{
    (void)state;
    static char bytes[1 << 22];
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        laid l = lay(SLOW_BUILD ? 17 : 65, 0.02f, 1 + 2 * i);
        const taut_model *models[] = {l.model};
        add_under(l.world, TAUT_SPHERE, 0.5);
        step_for(l.world, SLOW_BUILD ? 0.05 : 0.2);
        size_t size = taut_world_save(l.world, bytes, sizeof bytes);
        assert_true(size <= sizeof bytes);
        step_for(l.world, 0.1);
        hash[i] = taut_world_hash(l.world);
        assert_true(taut_world_restore(l.world, bytes, size, models, 1, NULL));
        step_for(l.world, 0.1);
        assert_true(taut_world_hash(l.world) == hash[i]);
        put_away(&l);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_over_a_ball_rests_at_its_length),
        cmocka_unit_test(coarse_cloth_over_a_ball_comes_to_rest),
        cmocka_unit_test(cloth_in_folds_stops_trembling),
        cmocka_unit_test(cloth_on_a_slope_stays_or_slides_as_friction_says),
        cmocka_unit_test(cloth_is_dragged_over_a_floor),
        cmocka_unit_test(contacts_go_on_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
