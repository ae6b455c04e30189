/* Worlds as an engine meets them: many bodies of one model, ids, and changes while running. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <math.h>

static float lowest(const taut_world *world, int body)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    float low = x[1];
    for (int v = 1; v < n; v++) low = fminf(low, x[3 * v + 1]);
    return low;
}

/* ---- Bodies and ids ---- */

static void a_thousand_flags_of_one_model(void **state)
{
    (void)state;
    enum { FLAGS = 1000 };
    taut_material silk;
    assert_true(taut_preset_material("silk", &silk));
    silk.contact = TAUT_CONTACT_OFF; /* 250 flags hang in each place */
    taut_model *model = sheet_model(6, &silk);
    taut_world *world = plain_world(4, 1);
    const float wind[3] = {4, 0, 3};
    assert_true(taut_world_set_wind(world, wind, 1.2f, NULL));
    for (int i = 0; i < FLAGS; i++) assert_int_equal(add_at(world, model, 2 * (float)(i % 4), 0, 0), i);
    step_times(world, 10);
    taut_stats stats = taut_world_stats(world);
    assert_int_equal(stats.bodies, FLAGS);
    assert_int_equal(stats.particles, FLAGS * 36);
    assert_int_equal(stats.bad_particles, 0);
    const float *first = taut_body_positions(world, 0, NULL);
    for (int i = 0; i < FLAGS; i++) {
        const float *x = taut_body_positions(world, i, NULL);
        const float aside = 2 * (float)(i % 4);
        if (i % 4 == 0) assert_memory_equal(x, first, 3 * 36 * sizeof *x);
        for (int v = 0; v < 3 * 36; v++) /* each body flies like the first, except for the rounding of its place */
            expect_near(x[v] - (v % 3 == 0 ? aside : 0), first[v], 0.02);
    }
    assert_true(first[3 * 32 + 2] > 0.01f); /* the lower edge is blown aside */
    taut_world_free(world);
    taut_model_free(model);
}

static void ids_are_used_again(void **state)
{
    (void)state;
    taut_model *model = sheet_model(3, NULL), *other = chain_model(5, 1, NULL);
    taut_world *world = plain_world(1, 1);
    int id[100];
    for (int i = 0; i < 40; i++) assert_int_equal(id[i] = add_at(world, model, (float)i, 0, 0), i);
    const float *kept = taut_body_positions(world, id[20], NULL);
    taut_world_remove_body(world, id[7]);
    taut_world_remove_body(world, id[39]);
    assert_false(taut_world_has_body(world, id[7]));
    assert_false(taut_world_has_body(world, id[39]));
    assert_false(taut_world_has_body(world, -1));
    assert_false(taut_world_has_body(world, 1000));
    assert_true(taut_world_has_body(world, id[38]));
    assert_int_equal(taut_world_stats(world).bodies, 38);
    step_times(world, 2);
    int stale = id[39], count;
    id[39] = add_at(world, other, 0, 0, 0);
    assert_int_not_equal(id[39], stale);
    taut_body_positions(world, id[39], &count);
    assert_int_equal(count, 5);
    id[7] = add_at(world, other, 0, 0, 0);
    for (int i = 40; i < 100; i++) id[i] = add_at(world, model, 0, 0, 0);
    assert_ptr_equal(taut_body_positions(world, id[20], NULL), kept); /* valid until the body is removed */
    expect_near(kept[0], 20 - 0.5, 0.05);
    for (int i = 0; i < 100; i++) taut_world_remove_body(world, id[i]);
    assert_int_equal(taut_world_stats(world).bodies, 0);
    step_times(world, 1);
    assert_true(taut_world_has_body(world, add_at(world, model, 0, 0, 0)));
    taut_world_free(world);
    taut_model_free(model);
    taut_model_free(other);
}

/* The id of a removed body names no body, even when its slot is in use again. No call crashes on it. */
static void stale_ids_are_recognised(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(3, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 1, 0), wall = add_floor(world, -1), count = 7;
    const float origin[3] = {0, 0, 0};
    taut_error error;
    taut_world_remove_body(world, body);
    taut_world_remove_collider(world, wall);
    int next = add_at(world, model, 0, 1, 0), floor = add_floor(world, -1);
    assert_true(taut_world_has_body(world, next) && !taut_world_has_body(world, body));
    assert_null(taut_body_positions(world, body, &count));
    assert_int_equal(count, 0);
    assert_null(taut_body_material(world, body));
    assert_false(taut_body_pin(world, body, 0, origin, 1, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, body, "there is no body 0; it may have been removed"});
    assert_false(taut_body_set_material(world, body, NULL, &error));
    assert_true(taut_body_worst_stretch(world, body) == 0);
    taut_collider_def def = taut_default_collider_def();
    assert_false(taut_collider_move(world, wall, &def, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, wall, "there is no collider 0; it may have been removed"});
    assert_true(taut_collider_move(world, floor, &def, NULL));
    taut_world_remove_body(world, body); /* no body has this id, so nothing happens */
    taut_world_remove_collider(world, wall);
    assert_int_equal(taut_world_stats(world).bodies, 1);
    assert_int_equal(taut_world_stats(world).colliders, 1);
    taut_world_free(world);
    taut_model_free(model);
}

/* If adding a body searched for a free slot, this test would look at a thousand million slots. */
static void adding_many_bodies_takes_constant_time_each(void **state)
{
    (void)state;
    enum { MANY = 64000 };
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, 2, 1, NULL));
    taut_model *model = taut_model_build(&mesh, NULL, NULL, NULL);
    taut_world *world = plain_world(1, 1);
    int *id = malloc(MANY * sizeof *id);
    for (int i = 0; i < MANY; i++) id[i] = taut_world_add_body(world, model, NULL, NULL);
    for (int i = 0; i < MANY; i += 2) taut_world_remove_body(world, id[i]);
    for (int i = 0; i < MANY; i += 2) id[i] = taut_world_add_body(world, model, NULL, NULL);
    for (int i = 0; i < MANY; i++) assert_true(taut_world_has_body(world, id[i]));
    assert_int_equal(taut_world_stats(world).bodies, MANY);
    free(id);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

/* The ids of a slot do not repeat: after its last use the slot is not used again. */
static void no_id_ever_comes_back(void **state)
{
    (void)state;
    taut_world *world = plain_world(1, 1);
    int first = add_floor(world, 0), last = first, uses = 1;
    for (taut_world_remove_collider(world, last); uses < 5000; uses++) {
        int id = add_floor(world, 0);
        assert_true(id >= 0 && id != last && id != first);
        last = id;
        taut_world_remove_collider(world, id);
    }
    taut_world_free(world);
}

static void ids_of_colliders_are_used_again(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(3, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 1, 0);
    for (int i = 0; i < 20; i++) assert_int_equal(add_floor(world, -50 - (float)i), i);
    taut_world_remove_collider(world, 3);
    assert_int_equal(taut_world_stats(world).colliders, 19);
    int floor = add_floor(world, 0);
    step_times(world, 90);
    assert_true(lowest(world, body) > 0);
    taut_world_remove_collider(world, floor); /* the ground gives way */
    step_times(world, 30);
    assert_true(lowest(world, body) < -0.5f);
    taut_world_free(world);
    taut_model_free(model);
}

static void a_body_starts_where_its_definition_says(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(4);
    taut_model *model = taut_model_build(&mesh, NULL, NULL, NULL);
    taut_world *world = space(2);
    taut_body_def def = taut_default_body_def();
    const float turn[4] = {0, 0, 0.6f, 0.8f}; /* about z by an angle with cosine 0.28, sine 0.96 */
    memcpy(def.rotation, turn, sizeof turn);
    def.position[0] = 1, def.position[1] = 2, def.position[2] = 3;
    def.velocity[0] = 0.5f, def.velocity[1] = -1, def.velocity[2] = 2;
    def.imperfection = 0;
    int body = taut_world_add_body(world, model, &def, NULL), count;
    const float *x = taut_body_positions(world, body, &count), *v = taut_body_velocities(world, body, NULL);
    assert_int_equal(count, 16);
    for (int i = 0; i < 16; i++) {
        const float *r = &mesh.x[3 * i];
        expect_near(x[3 * i], 0.28 * r[0] - 0.96 * r[1] + 1, 1e-6);
        expect_near(x[3 * i + 1], 0.96 * r[0] + 0.28 * r[1] + 2, 1e-6);
        expect_near(x[3 * i + 2], r[2] + 3.0, 1e-6);
        for (int c = 0; c < 3; c++) assert_true(v[3 * i + c] == (i == 0 || i == 3 ? 0 : def.velocity[c]));
    }
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

static void a_free_body_flies_straight(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    m.damping.global = m.drag = m.lift = 0;
    taut_model *model = free_sheet_model(5, &m);
    taut_world *world = plain_world(4, 1);
    taut_body_def def = taut_default_body_def();
    def.velocity[0] = 3;
    int body = taut_world_add_body(world, model, &def, NULL);
    const float *x = taut_body_positions(world, body, NULL), *v = taut_body_velocities(world, body, NULL);
    float x0 = x[0], y0 = x[1];
    step_times(world, 60);
    expect_near(x[0] - x0, 3, 1e-3);
    expect_near(x[1] - y0, -0.5 * 9.81 * (1 + 1.0 / 240), 2e-3); /* symplectic Euler falls h g t/2 further */
    expect_near(v[1], -9.81, 1e-2);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Vertices keep the mesh's numbers ---- */

static void positions_are_in_the_meshs_order(void **state)
{
    (void)state;
    enum { SIDE = 30, VERTICES = SIDE * SIDE };
    taut_mesh mesh = hanging_sheet(SIDE), shuffled = hanging_sheet(SIDE);
    int to[VERTICES];
    uint32_t random = 1;
    for (int i = 0; i < VERTICES; i++) to[i] = i;
    for (int i = VERTICES - 1; i > 0; i--) {
        random = random * 1664525u + 1013904223u;
        int k = (int)((random >> 8) % (uint32_t)(i + 1)), kept = to[i];
        to[i] = to[k];
        to[k] = kept;
    }
    memset(shuffled.pinned, 0, VERTICES);
    for (int i = 0; i < VERTICES; i++) memcpy(&shuffled.x[3 * to[i]], &mesh.x[3 * i], 3 * sizeof(float));
    for (int i = 0; i < VERTICES; i++) shuffled.pinned[to[i]] = mesh.pinned[i];
    for (int i = 0; i < 3 * mesh.ntris; i++) shuffled.tri[i] = to[mesh.tri[i]];
    taut_material ratios = taut_default_material();
    ratios.contact = TAUT_CONTACT_OFF; /* both hang in the same place */
    taut_model *a = model_of(&mesh, &ratios), *b = model_of(&shuffled, &ratios);
    taut_world *world = plain_world(8, 1);
    int first = add_at(world, a, 0, 0, 0), second = add_at(world, b, 0, 0, 0);
    const float *x = taut_body_positions(world, first, NULL), *y = taut_body_positions(world, second, NULL);
    for (int i = 0; i < VERTICES; i++) assert_memory_equal(&x[3 * i], &y[3 * to[i]], 3 * sizeof *x);
    const float aside[3] = {0, -7, 7};
    assert_true(taut_world_set_gravity(world, aside, NULL));
    step_times(world, 20);
    double worst = 0;
    for (int i = 0; i < VERTICES; i++)
        for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(x[3 * i + c] - y[3 * to[i] + c]));
    assert_true(worst < 0.02); /* constraints come in another order; a mixed-up vertex would be off by far more */
    assert_true(x[3 * (VERTICES - SIDE / 2) + 2] > 0.2f); /* the lower edge swings out */
    taut_world_free(world);
    taut_model_free(a);
    taut_model_free(b);
}

static void positions_and_velocities_can_be_set(void **state)
{
    (void)state;
    enum { SIDE = 27 };
    taut_material m = taut_default_material();
    m.damping.global = m.drag = m.lift = 0;
    taut_model *model = free_sheet_model(SIDE, &m);
    taut_world *world = space(2);
    int body = add_at(world, model, 0, 0, 0);
    static float x[3 * SIDE * SIDE], v[3 * SIDE * SIDE];
    memcpy(x, taut_body_positions(world, body, NULL), sizeof x);
    for (int i = 0; i < SIDE * SIDE; i++) {
        x[3 * i] += 10;
        x[3 * i + 2] += 0.25f;
        v[3 * i + 1] = 6;
    }
    uint64_t hash = taut_world_hash(world);
    assert_true(taut_body_set_velocities(world, body, v, NULL));
    assert_true(taut_world_hash(world) != hash);
    assert_memory_equal(taut_body_velocities(world, body, NULL), v, sizeof v);
    assert_true(taut_body_set_positions(world, body, x, NULL));
    assert_memory_equal(taut_body_positions(world, body, NULL), x, sizeof x);
    assert_memory_equal(taut_body_velocities(world, body, NULL), v, sizeof v); /* kept */
    step_times(world, 1);
    const float *now = taut_body_positions(world, body, NULL);
    for (int i = 0; i < SIDE * SIDE; i++) {
        expect_near(now[3 * i], x[3 * i], 1e-4);
        expect_near(now[3 * i + 1], x[3 * i + 1] + 0.1, 1e-4);
        expect_near(now[3 * i + 2], 0.25, 1e-4);
    }
    taut_world_free(world);
    taut_model_free(model);
}

/* When all positions are set, pinned vertices go along. */
static void pins_follow_new_positions(void **state)
{
    (void)state;
    taut_model *model = sheet_model(3, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 0, 0);
    float x[27];
    memcpy(x, taut_body_positions(world, body, NULL), sizeof x);
    for (int i = 0; i < 9; i++) x[3 * i] += 5;
    assert_true(taut_body_set_positions(world, body, x, NULL));
    step_times(world, 10);
    const float *now = taut_body_positions(world, body, NULL);
    assert_memory_equal(&now[0], &x[0], 3 * sizeof *x);
    assert_memory_equal(&now[6], &x[6], 3 * sizeof *x);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Pins and masses ---- */

static void a_hard_pin_is_exact_and_moves_evenly(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(4, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 0, 0);
    const float *x = taut_body_positions(world, body, NULL), *v = taut_body_velocities(world, body, NULL);
    const float start[3] = {x[15], x[16], x[17]}, target[3] = {start[0] + 0.06f, start[1], start[2] - 0.03f};
    assert_true(taut_body_pin(world, body, 5, NULL, 1, NULL));
    step_times(world, 10);
    assert_memory_equal(&x[15], start, sizeof start);
    assert_true(taut_body_pin(world, body, 5, target, 1, NULL));
    step_times(world, 1);
    assert_memory_equal(&x[15], target, sizeof target);
    expect_near(v[15], 0.06 * 60, 0.05);
    step_times(world, 1);
    assert_memory_equal(&x[15], target, sizeof target);
    expect_near(v[15], 0, 0);
    static const float far_away[][3] = {{1000.1f, 0.3f, -77.7f}, {0.1f, -0.7f, 1e-3f}, {-3.3f, 1e5f, 0.9f}};
    for (int i = 0; i < LENGTH(far_away); i++) { /* exact to the last bit, wherever the vertex comes from */
        assert_true(taut_body_pin(world, body, 5, far_away[i], 1, NULL));
        step_times(world, 1);
        assert_memory_equal(&x[15], far_away[i], sizeof far_away[i]);
    }
    taut_world_free(world);
    taut_model_free(model);
}

static void a_pin_can_be_let_go(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(4, NULL);
    taut_world *world = plain_world(4, 1);
    int body = add_at(world, model, 0, 0, 0);
    const float *x = taut_body_positions(world, body, NULL);
    const float start[3] = {x[15], x[16], x[17]};
    assert_true(taut_body_pin(world, body, 5, NULL, 1, NULL));
    step_times(world, 10);
    assert_memory_equal(&x[15], start, sizeof start);
    assert_true(taut_body_unpin(world, body, 5, NULL));
    step_times(world, 20);
    assert_true(x[16] < start[1] - 0.2f); /* falls with the rest */
    taut_world_free(world);
    taut_model_free(model);
}

static void a_soft_pin_pulls(void **state)
{
    (void)state;
    taut_model *model = free_sheet_model(4, NULL);
    taut_world *world = space(4);
    int weak = add_at(world, model, 0, 0, 0), strong = add_at(world, model, 9, 0, 0);
    float up[3];
    const float *x = taut_body_positions(world, weak, NULL), *y = taut_body_positions(world, strong, NULL);
    memcpy(up, x, sizeof up);
    up[2] += 1;
    assert_true(taut_body_pin(world, weak, 0, up, 0.02f, NULL));
    up[0] += 9;
    assert_true(taut_body_pin(world, strong, 0, up, 0.3f, NULL));
    step_times(world, 1);
    assert_true(x[2] > 1e-4f && y[2] > 2 * x[2] && y[2] < 1);
    step_times(world, 300);
    expect_near(x[2], 1, 0.1);
    expect_near(y[2], 1, 0.1);
    assert_true(taut_body_pin(world, strong, 0, NULL, 1, NULL)); /* a soft pin may become a hard one */
    float there[3];
    memcpy(there, y, sizeof there);
    step_times(world, 5);
    assert_memory_equal(y, there, sizeof there);
    taut_world_free(world);
    taut_model_free(model);
}

/* Two vertices on a line share its stretch by their inverse masses. */
static void a_heavy_vertex_moves_less(void **state)
{
    (void)state;
    taut_material m = rope_material();
    m.damping.global = 0;
    taut_model *model = chain_model(2, 1, &m);
    taut_world *world = space(1);
    int body = add_at(world, model, 0, 0, 0);
    const float stretched[6] = {0, 0, 0, 1.5f, 0, 0}, still[6] = {0};
    const float *x = taut_body_positions(world, body, NULL);
    assert_true(taut_body_set_mass(world, body, 0, 4, NULL) && taut_body_set_mass(world, body, 1, 1, NULL));
    assert_true(taut_body_set_positions(world, body, stretched, NULL));
    step_times(world, 1);
    expect_near(x[0], 0.1, 1e-6);
    expect_near(x[3], 1.1, 1e-6);
    assert_true(taut_body_pin(world, body, 0, NULL, 1, NULL));
    assert_true(taut_body_set_mass(world, body, 0, 1, NULL)); /* counts once it is let go */
    assert_true(taut_body_set_positions(world, body, stretched, NULL));
    assert_true(taut_body_set_velocities(world, body, still, NULL));
    step_times(world, 1);
    expect_near(x[0], 0, 0);
    expect_near(x[3], 1, 1e-6);
    assert_true(taut_body_unpin(world, body, 0, NULL));
    assert_true(taut_body_set_positions(world, body, stretched, NULL));
    assert_true(taut_body_set_velocities(world, body, still, NULL));
    step_times(world, 1);
    expect_near(x[0], 0.25, 1e-6);
    expect_near(x[3], 1.25, 1e-6);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Materials while running ---- */

/* How far a sheet of this material hangs down after a while. */
static float sag(taut_world *world, int body, const taut_material *m, int steps)
{
    assert_true(taut_body_set_material(world, body, m, NULL));
    step_times(world, steps);
    return -lowest(world, body);
}

static void a_softer_material_sags_more(void **state)
{
    (void)state;
    taut_material m = physical_cloth();
    m.tether = 0;
    m.damping.global = 3;
    taut_model *model = sheet_model(8, &m);
    taut_world *world = plain_world(8, 1);
    int body = add_at(world, model, 0, 0, 0);
    taut_material soft = m;
    soft.strain.xx = soft.strain.yy = soft.strain.xy = soft.edge = soft.strain.area = 5;
    float stiff_sag = sag(world, body, &m, 150), soft_sag = sag(world, body, &soft, 150);
    assert_true(taut_body_material(world, body)->strain.xx == 5);
    assert_true(soft_sag > stiff_sag + 0.1f);
    expect_near(sag(world, body, &m, 300), stiff_sag, 0.03); /* and back again */
    taut_world_free(world);
    taut_model_free(model);
}

static void a_model_does_not_change_with_its_bodies(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    taut_model *model = sheet_model(4, &m);
    taut_world *world = plain_world(1, 1);
    int first = add_at(world, model, 0, 0, 0);
    uint64_t hash = taut_model_hash(model);
    m.strain.xx = 0.1f;
    assert_true(taut_body_set_material(world, first, &m, NULL));
    int second = add_at(world, model, 0, 0, 0);
    assert_true(taut_body_material(world, second)->strain.xx == 1);
    assert_true(taut_model_hash(model) == hash);
    taut_world_free(world);
    taut_model_free(model);
}

/* A fold that the bending would open stays closed once bending is off, however it is switched off. */
static void bending_can_be_switched_off(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    m.bend.stiffness = 1;
    taut_model *model = free_sheet_model(3, &m);
    for (int way = 0; way < 3; way++) {
        taut_world *world = space(4);
        int body = add_at(world, model, 0, 0, 0);
        float x[27];
        memcpy(x, taut_body_positions(world, body, NULL), sizeof x);
        for (int i = 0; i < 3; i++) { /* the right third stands up */
            x[3 * (3 * i + 2)] = 0;
            x[3 * (3 * i + 2) + 2] = 0.5f;
        }
        taut_material off = m;
        if (way == 1) off.bend.stiffness = 0;
        if (way == 2) off.bend.model = TAUT_BEND_NONE;
        assert_true(taut_body_set_positions(world, body, x, NULL));
        assert_true(taut_body_set_material(world, body, &off, NULL));
        step_times(world, 3);
        float moved = fabsf(taut_body_positions(world, body, NULL)[3 * 5 + 2] - 0.5f);
        if (way == 0) assert_true(moved > 0.01f);
        else if (moved > 1e-4f) fail_msg("way %d: the fold opened by %g", way, (double)moved);
        taut_world_free(world);
    }
    taut_model_free(model);
}

/* NULL is the material of a model that was built without one, as everywhere. */
static void null_is_the_default_definition(void **state)
{
    (void)state;
    taut_model *model = sheet_model(4, NULL);
    taut_world *world = plain_world(1, 1), *plain = taut_world_create(NULL, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    taut_material m = *taut_body_material(world, body);
    m.friction = 0.25f;
    assert_int_equal(taut_world_add_collider(world, NULL, NULL), 0);
    assert_true(plain && body == 0);
    assert_true(taut_body_set_material(world, body, &m, NULL));
    assert_true(taut_body_set_material(world, body, NULL, NULL));
    assert_true(taut_body_material(world, body)->friction == 1);
    assert_true(taut_collider_move(world, 0, NULL, NULL));
    taut_world_free(world);
    taut_world_free(plain);
    taut_model_free(model);
}

/* ---- Settings ---- */

/* The mean over all vertices, which weigh the same. */
static double mean_velocity(const taut_world *world, int body, int axis)
{
    int n;
    const float *v = taut_body_velocities(world, body, &n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[3 * i + axis];
    return sum / n;
}

static void settings_take_effect(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.damping.global = 0;
    assert_true(taut_mesh_sheet(&mesh, 4, 4, 1, 1, NULL));
    mesh.mass = malloc(16 * sizeof(float));
    for (int i = 0; i < 16; i++) mesh.mass[i] = 0.05f;
    taut_model *model = model_of(&mesh, &m);
    taut_world *world = plain_world(2, 1);
    int body = add_at(world, model, 0, 0, 0);
    const float up[3] = {0, 6, 0}, calm[3] = {0, 0, 0}, wind[3] = {0, 0, 20};
    assert_true(taut_world_set_gravity(world, up, NULL));
    step_times(world, 1);
    expect_near(mean_velocity(world, body, 1), 0.1, 1e-4);
    assert_true(taut_world_set_gravity(world, calm, NULL) && taut_world_set_wind(world, wind, 1.2f, NULL));
    step_times(world, 5);
    double blown = mean_velocity(world, body, 2);
    assert_true(blown > 0.5 && blown < 20);
    assert_true(taut_world_set_wind(world, wind, 0, NULL)); /* no air, no wind */
    step_times(world, 5);
    expect_near(mean_velocity(world, body, 2), blown, 1e-3);
    taut_world_free(world);
    taut_model_free(model);
}

static void more_iterations_stretch_less(void **state)
{
    (void)state;
    taut_material m = taut_default_material();
    m.tether = 0;
    taut_model *model = sheet_model(16, &m);
    double stretch[3];
    static const int solver[3][2] = {{1, 1}, {1, 20}, {20, 1}};
    for (int i = 0; i < 3; i++) {
        taut_world *world = plain_world(2, 2);
        int body = add_at(world, model, 0, 0, 0);
        assert_true(taut_world_set_solver(world, solver[i][0], solver[i][1], NULL));
        step_times(world, 40);
        stretch[i] = taut_body_worst_stretch(world, body);
        taut_world_free(world);
    }
    assert_true(stretch[1] < 0.5 * stretch[0]);
    assert_true(stretch[2] < 0.5 * stretch[1]); /* substeps over iterations */
    taut_model_free(model);
}

static void a_senseless_step_does_nothing(void **state)
{
    (void)state;
    static const float senseless[] = {0, -1.0f / 60, NAN, INFINITY, -INFINITY};
    taut_model *model = sheet_model(4, NULL);
    taut_world *world = plain_world(2, 1);
    add_at(world, model, 0, 0, 0);
    int floor = add_floor(world, -3);
    step_times(world, 3);
    taut_collider_def def = taut_default_collider_def();
    def.a[1] = -0.5f;
    assert_true(taut_collider_move(world, floor, &def, NULL));
    uint64_t hash = taut_world_hash(world);
    for (int i = 0; i < LENGTH(senseless); i++) {
        taut_world_step(world, senseless[i]);
        assert_true(taut_world_hash(world) == hash);
        assert_int_equal(taut_world_stats(world).steps, 3);
        expect_near(taut_world_stats(world).seconds, 3.0 / 60, 1e-8);
    }
    step_times(world, 1);
    assert_true(taut_world_hash(world) != hash);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_flags_of_one_model),
        cmocka_unit_test(ids_are_used_again),
        cmocka_unit_test(ids_of_colliders_are_used_again),
        cmocka_unit_test(stale_ids_are_recognised),
        cmocka_unit_test(adding_many_bodies_takes_constant_time_each),
        cmocka_unit_test(no_id_ever_comes_back),
        cmocka_unit_test(a_body_starts_where_its_definition_says),
        cmocka_unit_test(a_free_body_flies_straight),
        cmocka_unit_test(positions_are_in_the_meshs_order),
        cmocka_unit_test(positions_and_velocities_can_be_set),
        cmocka_unit_test(pins_follow_new_positions),
        cmocka_unit_test(a_hard_pin_is_exact_and_moves_evenly),
        cmocka_unit_test(a_pin_can_be_let_go),
        cmocka_unit_test(a_soft_pin_pulls),
        cmocka_unit_test(a_heavy_vertex_moves_less),
        cmocka_unit_test(a_softer_material_sags_more),
        cmocka_unit_test(a_model_does_not_change_with_its_bodies),
        cmocka_unit_test(bending_can_be_switched_off),
        cmocka_unit_test(null_is_the_default_definition),
        cmocka_unit_test(settings_take_effect),
        cmocka_unit_test(more_iterations_stretch_less),
        cmocka_unit_test(a_senseless_step_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
