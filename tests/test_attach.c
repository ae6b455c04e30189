/* Attachments: of vertices to colliders, to other bodies, to the same body; seams, leashes, breaking. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_save.h"
#include "helpers_world.h"
#include "slow_build.h"

#include <stdio.h>

enum { SIDE = 13 };

static taut_world *world_of(bool quality, int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    if (!quality) def.stretch = 0;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static taut_attachment_def held_by(int body, int vertex, int collider)
{
    taut_attachment_def def = taut_default_attachment_def();
    def.body = body, def.vertex = vertex, def.collider = collider;
    return def;
}

static taut_attachment_def sewn_to(int body, int vertex, int other, int corner)
{
    taut_attachment_def def = taut_default_attachment_def();
    def.body = body, def.vertex = vertex, def.other = other, def.corner[0] = corner;
    return def;
}

static int attach(taut_world *world, taut_attachment_def def)
{
    taut_error error = stale();
    int id = taut_world_attach(world, &def, &error);
    if (id < 0) fail_msg("%s", error.text);
    return id;
}

static const float *at(const taut_world *world, int body, int vertex)
{
    return taut_body_positions(world, body, NULL) + 3 * vertex;
}

static double apart(const float *a, const float *b)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) sum += ((double)a[c] - (double)b[c]) * ((double)a[c] - (double)b[c]);
    return sqrt(sum);
}

static taut_model *cloth(int n)
{
    taut_material cotton;
    assert_true(taut_preset_material("cotton", &cotton));
    return free_sheet_model(n, &cotton);
}

static taut_model *rubber(void)
{
    taut_material soft = physical_rubber();
    return beam_model(5, 2, 2, &soft);
}

static double mass_of(int n)
{
    taut_material cotton;
    taut_mesh mesh;
    double mass[64 * 64], sum = 0;
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    assert_true(taut_mesh_masses(&mesh, &cotton, mass, NULL));
    for (int i = 0; i < n * n; i++) sum += mass[i];
    taut_mesh_free(&mesh);
    return sum;
}

/* ---- On colliders ---- */

/* A rod of 1.2 m; a box has its middle at a. */
static taut_collider_def rod(taut_shape shape, float turn)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape;
    def.radius = def.radius_b = 0.1f;
    def.size[0] = 1.2f, def.size[1] = def.size[2] = 0.2f;
    def.rotation[2] = sinf(turn / 2), def.rotation[3] = cosf(turn / 2);
    def.a[0] = -0.6f * cosf(turn), def.a[1] = 0.15f - 0.6f * sinf(turn);
    def.b[0] = 0.6f * cosf(turn), def.b[1] = 0.15f + 0.6f * sinf(turn);
    return def;
}

static void cloth_rides_on_a_rod(void **state)
{
    const int *kind = *state; /* quality, shape */
    bool quality = kind[0] != 0, box = kind[1] == TAUT_BOX;
    taut_shape shape = (taut_shape)kind[1];
    taut_world *world = world_of(quality, 1);
    taut_model *model = cloth(SIDE);
    taut_collider_def start = rod(shape, 0);
    if (box) start.a[0] = 0;
    int body = add_at(world, model, 0, 0, 0), collider = taut_world_add_collider(world, &start, NULL);
    for (int i = 0; i < SIDE; i++) attach(world, held_by(body, i, collider));
    double width = apart(at(world, body, 0), at(world, body, SIDE - 1));
    for (int i = 1; i <= 60; i++) {
        taut_collider_def def = rod(shape, 0.01f * (float)i), to;
        for (int c = 0; c < 2; c++) def.a[c] += 0.02f * (float)i, def.b[c] += 0.02f * (float)i;
        to = def;
        for (int c = 0; c < 2 && box; c++) to.a[c] = (def.a[c] + def.b[c]) / 2;
        assert_true(taut_collider_move(world, collider, &to, NULL));
        step_times(world, 1);
        for (int k = 0; k < SIDE; k++) { /* the vertices are 0.15 m below the axis, in its middle plane */
            const float *p = at(world, body, k);
            double along[2] = {(double)(def.b[0] - def.a[0]) / 1.2, (double)(def.b[1] - def.a[1]) / 1.2};
            double x = (double)(p[0] - def.a[0]), y = (double)(p[1] - def.a[1]);
            expect_near(along[0] * y - along[1] * x, -0.15, 1e-4);
        }
    }
    expect_near(apart(at(world, body, 0), at(world, body, SIDE - 1)), width, 1e-4);
    taut_deformation now;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, NULL));
    taut_measurer *measurer = taut_measurer_build(&mesh, NULL, NULL);
    assert_true(measurer && taut_body_deformation(world, body, measurer, &now, NULL));
    if (quality) assert_true(now.stretch.p99 < 0.03);
    taut_measurer_free(measurer);
    taut_mesh_free(&mesh);
    taut_world_free(world);
    taut_model_free(model);
}

static void attachments_turn_with_a_spinning_ball(void **state)
{
    (void)state;
    taut_world *world = space(16);
    taut_model *model = cloth(SIDE);
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.2f;
    ball.spin[1] = 3.14159265f;
    int body = add_at(world, model, 0, 0, 0), collider = taut_world_add_collider(world, &ball, NULL);
    float before[3];
    memcpy(before, at(world, body, 0), sizeof before);
    attach(world, held_by(body, 0, collider));
    step_times(world, 60); /* half a turn */
    const float *p = at(world, body, 0);
    expect_near(p[0], -before[0], 1e-4);
    expect_near(p[1], before[1], 1e-4);
    expect_near(p[2], -before[2], 1e-4);
    taut_world_free(world);
    taut_model_free(model);
}

/* Attachments that hold a cloth at rest bear its weight. */
static void force_is_the_weight(void **state)
{
    bool quality = *state != NULL;
    if (SLOW_BUILD) skip();
    taut_world *world = world_of(quality, 1);
    taut_model *model = cloth(SIDE);
    int body = add_at(world, model, 0, 0, 0), floor = add_floor(world, -5);
    taut_attachment_def def[2] = {held_by(body, 0, floor), held_by(body, SIDE - 1, floor)};
    def[0].strength = def[1].strength = 100;
    int id[2] = {attach(world, def[0]), attach(world, def[1])};
    double sum = 0, weight = 9.81 * mass_of(SIDE);
    for (int i = 0; i < 600; i++) taut_world_step(world, 1.0f / 60);
    for (int i = 0; i < 60; i++) {
        taut_world_step(world, 1.0f / 60);
        double force[2] = {(double)taut_attachment_force(world, id[0]), (double)taut_attachment_force(world, id[1])};
        sum += (force[0] + force[1]) / 60;
    }
    print_message("bears %.4f N, weighs %.4f N\n", sum, weight);
    assert_true(sum > weight && sum < 1.6 * weight); /* the corners also pull towards each other */
    taut_world_free(world);
    taut_model_free(model);
}

static void it_breaks_by_more_than_its_strength(void **state)
{
    bool quality = *state != NULL;
    double weight = 9.81 * mass_of(SIDE);
    for (int strong = 0; strong < 2; strong++) {
        taut_world *world = world_of(quality, 1);
        taut_model *model = cloth(SIDE);
        int body = add_at(world, model, 0, 0, 0), floor = add_floor(world, -50), id[SIDE];
        for (int i = 0; i < SIDE; i++) {
            taut_attachment_def def = held_by(body, i, floor);
            def.strength = (float)(weight / SIDE * (strong ? 4 : 0.4));
            id[i] = attach(world, def);
        }
        int broken = 0;
        for (int i = 0; i < 60; i++) {
            step_times(world, 1);
            broken += taut_world_stats(world).broken;
        }
        for (int i = 0; i < SIDE; i++) assert_int_equal(taut_world_has_attachment(world, id[i]), strong);
        assert_int_equal(broken, strong ? 0 : SIDE);
        assert_int_equal(taut_world_stats(world).attachments, strong ? SIDE : 0);
        assert_true((at(world, body, 0)[1] > -0.1f) == strong);
        taut_world_free(world);
        taut_model_free(model);
    }
}

/* ---- On bodies ---- */

/* Two halves of a sheet that are sewn together hang as low as a whole one. */
static void sewn_halves_hang_like_a_whole(void **state)
{
    (void)state;
    if (SLOW_BUILD) skip();
    taut_world *world = world_of(true, 1);
    taut_material cotton;
    taut_mesh whole, half;
    assert_true(taut_preset_material("cotton", &cotton));
    assert_true(taut_mesh_sheet(&whole, SIDE, 2 * SIDE - 1, 1, 2, NULL));
    assert_true(taut_mesh_sheet(&half, SIDE, SIDE, 1, 1, NULL));
    for (int i = 0; i < SIDE; i++) assert_true(taut_mesh_pin(&whole, i, NULL));
    taut_model *one = model_of(&whole, &cotton), *part = model_of(&half, &cotton);
    int all = add_at(world, one, 5, 0, 0), upper = add_at(world, part, 0, 0, 0), lower = add_at(world, part, 0, -1, 0);
    for (int i = 0; i < SIDE; i++) {
        assert_true(taut_body_pin(world, upper, i, NULL, 1, NULL));
        attach(world, sewn_to(lower, i, upper, SIDE * (SIDE - 1) + i));
    }
    step_times(world, 300);
    double gap = 0;
    for (int i = 0; i < SIDE; i++) gap = fmax(gap, apart(at(world, lower, i), at(world, upper, SIDE * (SIDE - 1) + i)));
    double low = (double)at(world, lower, SIDE * (SIDE - 1) + SIDE / 2)[1];
    double hung = (double)at(world, all, SIDE * (2 * SIDE - 2) + SIDE / 2)[1];
    print_message("gap %.3g m, %.6f and %.6f\n", gap, low, hung);
    assert_true(gap < 1e-4);
    expect_near(low, hung, 1e-3); /* of 2 m; the seam has other masses than the whole sheet has there */
    taut_world_free(world);
    taut_model_free(one);
    taut_model_free(part);
}

typedef struct momentum {
    double linear[3], angular[3];
} momentum;

static momentum momentum_of(const taut_world *world, const int *body, const double *mass, int nbodies)
{
    momentum sum = {{0, 0, 0}, {0, 0, 0}};
    for (int b = 0; b < nbodies; b++) {
        int n;
        const float *x = taut_body_positions(world, body[b], &n), *v = taut_body_velocities(world, body[b], NULL);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < 3; c++) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                const float *p = x + 3 * i, *q = v + 3 * i;
                sum.linear[c] += mass[b] * (double)q[c];
                sum.angular[c] += mass[b] * ((double)p[d] * (double)q[e] - (double)p[e] * (double)q[d]);
            }
    }
    return sum;
}

/* Two bodies are thrown past each other, and attachments draw them together. Each vertex of a body has the same
 * mass. */
static void attached_bodies_keep_momentum(void **state)
{
    const int *kinds = *state;
    taut_world *world = world_of(kinds[2], 1);
    const float none[3] = {0, 0, 0};
    assert_true(taut_world_set_gravity(world, none, NULL) && taut_world_set_wind(world, none, 0, NULL));
    taut_model *model[2];
    int body[2];
    double mass[2] = {0.01, 0.03};
    for (int b = 0; b < 2; b++) {
        model[b] = kinds[b] ? rubber() : cloth(7);
        taut_body_def def = taut_default_body_def();
        def.position[1] = b ? 0.3f : 0, def.position[2] = b ? 0.2f : 0;
        def.velocity[b] = 1;
        body[b] = taut_world_add_body(world, model[b], &def, NULL);
        taut_material calm = *taut_body_material(world, body[b]);
        calm.damping.global = 0;
        calm.contact = TAUT_CONTACT_OFF; /* strict contact loses the motion that it takes back */
        assert_true(taut_body_set_material(world, body[b], &calm, NULL));
        for (int v = 0; v < taut_model_vertices(model[b]); v++)
            assert_true(taut_body_set_mass(world, body[b], v, (float)mass[b], NULL));
    }
    attach(world, sewn_to(body[0], 3, body[1], 5));
    taut_attachment_def place = sewn_to(body[1], 2, body[0], 20);
    place.corner[1] = 21, place.corner[2] = 27;
    place.weight[0] = 0.5f, place.weight[1] = place.weight[2] = 0.25f;
    attach(world, place);
    momentum before = momentum_of(world, body, mass, 2);
    step_times(world, 90);
    momentum after = momentum_of(world, body, mass, 2);
    assert_true(apart(at(world, body[0], 3), at(world, body[1], 5)) < 0.01);
    for (int c = 0; c < 3; c++) {
        expect_near(after.linear[c], before.linear[c], 2e-4);
        expect_near(after.angular[c], before.angular[c], 1e-3);
    }
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model[0]);
    taut_model_free(model[1]);
}

/* A cloth bears a solid that is sewn to its lower corners. */
static void cloth_carries_a_solid(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 1);
    taut_model *model = cloth(SIDE), *solid = rubber();
    int body = add_at(world, model, 0, 0, 0), beam = add_at(world, solid, -0.5f, -1, 0), id[2];
    for (int i = 0; i < SIDE; i++) assert_true(taut_body_pin(world, body, i, NULL, 1, NULL));
    for (int k = 0; k < 2; k++) {
        taut_place place;
        const float *p = at(world, body, k ? SIDE * SIDE - 1 : SIDE * (SIDE - 1));
        const double point[3] = {(double)p[0], (double)p[1], (double)p[2]};
        assert_true(taut_body_nearest(world, beam, point, &place));
        assert_true(place.distance < 0.11f);
        taut_attachment_def def = sewn_to(body, k ? SIDE * SIDE - 1 : SIDE * (SIDE - 1), beam, 0);
        memcpy(def.corner, place.corner, sizeof def.corner);
        memcpy(def.weight, place.weight, sizeof def.weight);
        id[k] = attach(world, def);
    }
    step_times(world, 120);
    double sum = 0;
    for (int i = 0; i < 60; i++) {
        step_times(world, 1);
        for (int k = 0; k < 2; k++) sum += (double)taut_attachment_force(world, id[k]) / 60;
    }
    print_message("bears %.3f N of 392.4 N\n", sum);
    assert_true(at(world, beam, 0)[1] > -2);
    assert_true(sum > 0.8 * 392.4 && sum < 1.6 * 392.4); /* 40 kg */
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
    taut_model_free(solid);
}

/* A rope solved by counts hangs from cloth solved by quality, whichever is heavier. */
static void a_rope_hangs_from_cloth(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    for (int heavy = 0; heavy < 3; heavy++) {
        taut_world *world = world_of(true, 1);
        taut_material rope = rope_material();
        rope.density = heavy == 0 ? 0.001f : heavy == 1 ? 0.2f : 5;
        taut_model *model = cloth(SIDE), *chain = chain_model(9, 0.5f, &rope);
        int body = add_at(world, model, 0, 0, 0), hanging = add_at(world, chain, 0, -1, 0);
        for (int i = 0; i < SIDE; i++) assert_true(taut_body_pin(world, body, i, NULL, 1, NULL));
        taut_attachment_def def = sewn_to(hanging, 0, body, SIDE * (SIDE - 1) + SIDE / 2);
        def.corner[1] = SIDE * (SIDE - 1) + SIDE / 2 + 1, def.weight[0] = 0.6f, def.weight[1] = 0.4f;
        int id = attach(world, def);
        step_times(world, 120);
        double sum = 0;
        for (int i = 0; i < 240; i++) {
            step_times(world, 1);
            sum += (double)taut_attachment_force(world, id) / 240;
        }
        double weight = 9.81 * 0.5 * (double)rope.density;
        print_message("bears %.4f N of %.4f N\n", sum, weight);
        assert_true(sum > 0.8 * weight && sum < 1.4 * weight);
        assert_true(at(world, hanging, 0)[1] > -1.2f);
        taut_world_free(world);
        taut_model_free(model);
        taut_model_free(chain);
    }
}

/* Attachments that share vertices: corners that meet at one point, and a chain of attachments. */
static void many_ties_at_a_point(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 1);
    taut_model *model = cloth(7);
    int body[4];
    for (int b = 0; b < 4; b++) body[b] = add_at(world, model, b % 2 ? 1.0f : 0, b / 2 ? -1.0f : 0, 0);
    for (int i = 0; i < 7; i++) assert_true(taut_body_pin(world, body[0], i, NULL, 1, NULL));
    const int corner[4] = {48, 42, 6, 0}; /* of each sheet where the four meet */
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) attach(world, sewn_to(body[a], corner[a], body[b], corner[b]));
    step_times(world, 120);
    for (int b = 1; b < 4; b++) assert_true(apart(at(world, body[0], corner[0]), at(world, body[b], corner[b])) < 1e-3);
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Leashes and seams that close ---- */

static void a_leash_holds_at_its_length(void **state)
{
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 1);
    taut_model *model = cloth(SIDE);
    int body = add_at(world, model, 0, 0, 0), floor = add_floor(world, -5);
    const float start[3] = {at(world, body, 0)[0], at(world, body, 0)[1], at(world, body, 0)[2]};
    taut_attachment_def def = held_by(body, 0, floor);
    def.slack = 0.3f;
    attach(world, def);
    double farthest = 0;
    for (int i = 0; i < 180; i++) {
        step_times(world, 1);
        farthest = fmax(farthest, apart(at(world, body, 0), start));
    }
    print_message("%.5f m of 0.3\n", farthest);
    assert_true(farthest > 0.299 && farthest < 0.303);
    assert_true(at(world, body, 0)[1] < -0.25f);
    taut_world_free(world);
    taut_model_free(model);
}

static void a_seam_closes_at_its_speed_and_stays(void **state)
{
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 1);
    const float none[3] = {0, 0, 0};
    assert_true(taut_world_set_gravity(world, none, NULL));
    taut_model *model = cloth(SIDE);
    int left = add_at(world, model, 0, 0, 0), right = add_at(world, model, 1.2f, 0, 0);
    for (int i = 0; i < SIDE; i++) {
        taut_attachment_def def = sewn_to(left, SIDE * i + SIDE - 1, right, SIDE * i);
        def.speed = 0.4f;
        attach(world, def);
    }
    for (int i = 0; i < 90; i++) {
        step_times(world, 1);
        double gap = apart(at(world, left, SIDE - 1), at(world, right, 0)), most = 0.2 - 0.4 * (i + 1) / 60;
        assert_true(gap < fmax(most, 0) + 2e-3);
    }
    assert_true(apart(at(world, left, SIDE * SIDE - 1), at(world, right, SIDE * (SIDE - 1))) < 1e-3);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Attachments that end ---- */

static void removing_drops_attachments(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 1);
    taut_model *model = cloth(7);
    int a = add_at(world, model, 0, 0, 0), b = add_at(world, model, 0, -1, 0), floor = add_floor(world, -5);
    int on_floor = attach(world, held_by(a, 0, floor)), on_b = attach(world, sewn_to(a, 42, b, 0));
    int own = attach(world, sewn_to(a, 6, a, 48));
    step_times(world, 3);
    taut_world_remove_body(world, b);
    assert_false(taut_world_has_attachment(world, on_b));
    assert_true(taut_world_has_attachment(world, on_floor) && taut_world_has_attachment(world, own));
    step_times(world, 3);
    taut_world_remove_collider(world, floor);
    assert_false(taut_world_has_attachment(world, on_floor));
    float before = at(world, a, 0)[1];
    step_times(world, 30);
    assert_true(at(world, a, 0)[1] < before - 0.5f); /* it falls */
    taut_world_detach(world, own);
    taut_world_detach(world, own);
    taut_world_detach(world, 12345);
    assert_false(taut_world_has_attachment(world, own));
    expect_near(taut_attachment_force(world, own), -1, 0);
    int again = attach(world, sewn_to(a, 6, a, 48));
    assert_true(again != own && again != on_b && again != on_floor);
    taut_world_free(world);
    taut_model_free(model);
}

typedef struct mistake {
    int body, vertex, collider, other, corner[2];
    float weight, slack, speed, strength;
    int index;
    const char *text;
} mistake;

static void bad_attachments_are_refused(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 1);
    taut_model *model = cloth(7);
    assert_int_equal(add_at(world, model, 0, 0, 0), 0);
    assert_int_equal(add_floor(world, -1), 0);
    const mistake all[] = {
        {7, 0, 0, -1, {0, -1}, 1, 0, 1, 1, 7, "there is no body 7; it may have been removed"},
        {0, 49, 0, -1, {0, -1}, 1, 0, 1, 1, 49, "attachment.vertex 49 is outside 0..48"},
        {0, 0, -1, -1, {0, -1}, 1, 0, 1, 1, -1, "an attachment needs a collider or another body, not both"},
        {0, 0, 0, 0, {1, -1}, 1, 0, 1, 1, -1, "an attachment needs a collider or another body, not both"},
        {0, 0, 3, -1, {0, -1}, 1, 0, 1, 1, 3, "there is no collider 3; it may have been removed"},
        {0, 0, -1, 5, {0, -1}, 1, 0, 1, 1, 5, "there is no body 5; it may have been removed"},
        {0, 0, -1, 0, {0, -1}, 1, 0, 1, 1, 0, "vertex 0 cannot be attached to itself"},
        {0, 0, -1, 0, {-1, -1}, 1, 0, 1, 1, -1, "attachment.corner names no vertex"},
        {0, 0, -1, 0, {1, 1}, 0.5f, 0, 1, 1, 1, "attachment.corner has vertex 1 twice"},
        {0, 0, -1, 0, {1, 77}, 0.5f, 0, 1, 1, 77, "attachment.corner 77 is outside 0..48"},
        {0, 0, -1, 0, {1, 2}, 1, 0, 1, 1, -1, "attachment.weight must be 1 in all, got 2"},
        {0, 0, 0, -1, {0, -1}, 1, -1, 1, 1, -1, "attachment.slack is impossible: -1"},
        {0, 0, 0, -1, {0, -1}, 1, 0, 0, 1, -1, "attachment.speed is impossible: 0"},
        {0, 0, 0, -1, {0, -1}, 1, 0, 1, 0, -1, "attachment.strength is impossible: 0"},
    };
    for (int i = 0; i < LENGTH(all); i++) {
        const mistake *m = &all[i];
        taut_error error = stale();
        taut_attachment_def def = held_by(m->body, m->vertex, m->collider);
        def.other = m->other, def.slack = m->slack, def.speed = m->speed, def.strength = m->strength;
        for (int k = 0; k < 2; k++) def.corner[k] = m->corner[k], def.weight[k] = m->weight;
        assert_int_equal(taut_world_attach(world, &def, &error), -1);
        expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, m->index, m->text});
    }
    taut_attachment_def none = {0};
    taut_error error = stale();
    assert_int_equal(taut_world_attach(world, &none, &error), -1);
    expect_error(&error,
                 (wanted){TAUT_BAD_ARGUMENT, -1, "the attachment does not come from taut_default_attachment_def()"});
    assert_int_equal(taut_world_attach(world, NULL, &error), -1);
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "there is no definition (NULL)"});
    assert_int_equal(taut_world_stats(world).attachments, 0);
    taut_world_free(world);
    taut_model_free(model);
}

static void bad_backstops_are_refused(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 1);
    taut_model *model = cloth(7);
    assert_int_equal(add_at(world, model, 0, 0, 0), 0);
    assert_int_equal(add_floor(world, -1), 0);
    for (int i = 0; i < 2; i++) { /* of a collider; of two corners */
        taut_attachment_def def = i ? sewn_to(0, 0, 0, 1) : held_by(0, 0, 0);
        taut_error error = stale();
        def.backstop = 0.1f;
        if (i) def.corner[1] = 2, def.weight[1] = 0;
        assert_int_equal(taut_world_attach(world, &def, &error), -1);
        expect_error(&error,
                     (wanted){TAUT_BAD_ARGUMENT, -1, "a backstop needs three vertices of another body as corners"});
        def.backstop = -1;
        assert_int_equal(taut_world_attach(world, &def, &error), -1);
        expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "attachment.backstop is impossible: -1"});
    }
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- The same bits ---- */

typedef struct outfit {
    taut_world *world;
    taut_model *cloth, *solid, *fine;
    int ball;
} outfit;

/* Cloth on a ball is sewn to cloth, to a solid, and to a fine sheet with limits and levels. There are leashes, and an
 * attachment that breaks. */
static outfit open_outfit(int threads, taut_contact contact)
{
    outfit o = {.world = world_of(true, threads), .cloth = cloth(SIDE), .solid = rubber()};
    taut_material limited;
    taut_mesh mesh;
    assert_true(taut_preset_material("silk", &limited));
    limited.limit.stretch[1] = 1.02f;
    assert_true(taut_mesh_sheet(&mesh, 33, 33, 1, 1, NULL));
    taut_model_options options = taut_default_model_options();
    options.levels = 2;
    o.fine = taut_model_build(&mesh, &limited, &options, NULL);
    taut_mesh_free(&mesh);
    assert_true(taut_model_levels(o.fine) > 0);
    o.ball = add_ball(o.world, 0, 0.3f, 0, 0.2f);
    int a = add_at(o.world, o.cloth, 0, 0, 0), b = add_at(o.world, o.cloth, 0, -1.1f, 0);
    int c = add_at(o.world, o.solid, 0.6f, 0, 0), d = add_at(o.world, o.fine, -1.1f, 0, 0);
    for (int i = 4; i < 9; i++) attach(o.world, held_by(a, i, o.ball));
    for (int i = 0; i < SIDE; i++) attach(o.world, sewn_to(b, i, a, SIDE * (SIDE - 1) + i));
    attach(o.world, sewn_to(a, SIDE - 1, c, 0));
    taut_attachment_def leash = held_by(b, SIDE * SIDE - 1, o.ball);
    leash.slack = 2;
    attach(o.world, leash);
    taut_attachment_def weak = sewn_to(d, 0, a, 0);
    attach(o.world, weak);
    weak = sewn_to(d, 32, a, 0);
    weak.corner[1] = 1, weak.corner[2] = SIDE;
    weak.weight[0] = weak.weight[1] = weak.weight[2] = 1.0f / 3;
    attach(o.world, weak);
    weak = held_by(b, SIDE * (SIDE - 1), o.ball);
    weak.strength = 0.05f;
    attach(o.world, weak);
    for (int i = 0; i < 3; i++) {
        int body = (int[]){a, b, d}[i];
        taut_material material = *taut_body_material(o.world, body);
        material.contact = contact;
        assert_true(taut_body_set_material(o.world, body, &material, NULL));
    }
    return o;
}

static void close_outfit(outfit *o)
{
    taut_world_free(o->world);
    taut_model_free(o->cloth);
    taut_model_free(o->solid);
    taut_model_free(o->fine);
}

static int last_frame(void) { return is_brief() ? 10 : 20; }

static void run_outfit(outfit *o, int first, int last)
{
    for (int i = first; i < last; i++) {
        taut_collider_def ball = taut_default_collider_def();
        ball.shape = TAUT_SPHERE, ball.radius = 0.2f;
        ball.a[0] = 0.01f * (float)i, ball.a[1] = 0.3f;
        ball.spin[1] = 1;
        assert_true(taut_collider_move(o->world, o->ball, &ball, NULL));
        taut_world_step(o->world, 1.0f / 60);
    }
    assert_int_equal(taut_world_stats(o->world).bad_particles, 0);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int threads = 1; threads <= 3; threads++) {
        outfit o = open_outfit(threads, TAUT_CONTACT_STRICT);
        run_outfit(&o, 0, last_frame());
        hash[threads - 1] = taut_world_hash(o.world);
        close_outfit(&o);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/* Seams may cross themselves. Only a body that was placed somewhere is searched for crossings, and a save must not look
 * like that. */
static void saves_bring_attachments_back(taut_contact contact)
{
    outfit o = open_outfit(1, contact);
    const taut_model *models[] = {o.cloth, o.solid, o.fine};
    run_outfit(&o, 0, 7);
    int attachments = taut_world_stats(o.world).attachments;
    save s = take_save(o.world);
    run_outfit(&o, 7, last_frame());
    uint64_t hash = taut_world_hash(o.world);
    for (int other = 0; other < 2; other++) {
        taut_world *world = other ? world_of(true, 2) : o.world, *first = o.world;
        assert_true(taut_world_restore(world, s.bytes, s.size, models, 3, NULL));
        assert_int_equal(taut_world_stats(world).attachments, attachments);
        o.world = world;
        run_outfit(&o, 7, last_frame());
        assert_true(taut_world_hash(world) == hash);
        o.world = first;
        if (other) taut_world_free(world);
    }
    free(s.bytes);
    close_outfit(&o);
}

static void a_save_brings_attachments_back(void **state)
{
    (void)state;
    saves_bring_attachments_back(TAUT_CONTACT_OFF);
}

static void a_save_brings_attachments_and_contact_back(void **state)
{
    (void)state;
    saves_bring_attachments_back(TAUT_CONTACT_STRICT);
}

/* Strict contact must not stop sewn cloth at its own seam. */
static void strict_cloth_moves_at_its_seam(void **state)
{
    (void)state;
    taut_material cotton;
    taut_mesh mesh;
    taut_world *world = world_of(true, 1);
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&mesh, 9, 9, 0.4f, 0.4f, NULL));
    cotton.contact = TAUT_CONTACT_STRICT;
    cotton.drag = cotton.lift = 0; /* air would brake its fall, the more the more it flutters */
    taut_model *model = model_of(&mesh, &cotton);
    int a = add_at(world, model, 0, 0, 0), b = add_at(world, model, 0, -0.42f, 0);
    for (int i = 0; i < 9; i++) {
        attach(world, sewn_to(b, i, a, 72 + i));
        assert_true(taut_body_pin(world, a, i, NULL, 1, NULL));
    }
    step_times(world, 60);
    for (int i = 0; i < 9; i++) {
        assert_true(taut_body_unpin(world, a, i, NULL));
        assert_true(apart(at(world, b, i), at(world, a, 72 + i)) < 1e-3);
    }
    float before = at(world, b, 4)[1];
    step_times(world, 30);
    assert_true(at(world, b, 4)[1] < before - 1);
    assert_int_equal(taut_world_stats(world).contact_stuck, 0);
    taut_world_free(world);
    taut_model_free(model);
}

static const int cloth_cloth[] = {0, 0, 1}, cloth_solid[] = {0, 1, 1}, by_counts[] = {0, 0, 0}, solids[] = {1, 1, 1};
static const int capsule_quality[] = {1, TAUT_CAPSULE}, capsule_counts[] = {0, TAUT_CAPSULE};
static const int tapered_quality[] = {1, TAUT_TAPERED}, box_quality[] = {1, TAUT_BOX}, box_counts[] = {0, TAUT_BOX};
#define QUALITY ((void *)1)
#define WITH(test, label, what)                                                                                        \
    {                                                                                                                  \
        label, test, NULL, NULL, (void *)(uintptr_t)(what)                                                             \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(cloth_rides_on_a_rod, "cloth rides on a capsule", capsule_quality),
        WITH(cloth_rides_on_a_rod, "cloth rides on a capsule, by counts", capsule_counts),
        WITH(cloth_rides_on_a_rod, "cloth rides on a tapered capsule", tapered_quality),
        WITH(cloth_rides_on_a_rod, "cloth rides on a box", box_quality),
        WITH(cloth_rides_on_a_rod, "cloth rides on a box, by counts", box_counts),
        cmocka_unit_test(attachments_turn_with_a_spinning_ball),
        WITH(force_is_the_weight, "the force is the weight", QUALITY),
        WITH(force_is_the_weight, "the force is the weight, by counts", NULL),
        WITH(it_breaks_by_more_than_its_strength, "it breaks by more than its strength", QUALITY),
        WITH(it_breaks_by_more_than_its_strength, "it breaks by more than its strength, by counts", NULL),
        cmocka_unit_test(sewn_halves_hang_like_a_whole),
        WITH(attached_bodies_keep_momentum, "momentum of cloth on cloth", cloth_cloth),
        WITH(attached_bodies_keep_momentum, "momentum of cloth on a solid", cloth_solid),
        WITH(attached_bodies_keep_momentum, "momentum of cloth on cloth, by counts", by_counts),
        WITH(attached_bodies_keep_momentum, "momentum of solids", solids),
        cmocka_unit_test(cloth_carries_a_solid),
        cmocka_unit_test(a_rope_hangs_from_cloth),
        cmocka_unit_test(many_ties_at_a_point),
        WITH(a_leash_holds_at_its_length, "a leash holds at its length", QUALITY),
        WITH(a_leash_holds_at_its_length, "a leash holds at its length, by counts", NULL),
        WITH(a_seam_closes_at_its_speed_and_stays, "a seam closes at its speed and stays", QUALITY),
        WITH(a_seam_closes_at_its_speed_and_stays, "a seam closes at its speed and stays, by counts", NULL),
        cmocka_unit_test(strict_cloth_moves_at_its_seam),
        cmocka_unit_test(removing_drops_attachments),
        cmocka_unit_test(bad_attachments_are_refused),
        cmocka_unit_test(bad_backstops_are_refused),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(a_save_brings_attachments_back),
        cmocka_unit_test(a_save_brings_attachments_and_contact_back),
    };
    return cmocka_run_group_tests_name("attachments", tests, NULL, NULL);
}
