/* Colliders that are fields of distances are compared with spheres and rings, at any speed, moved and saved. The test
 * computes distances by other formulas than the library. */
#include "scenery.h"
#include "slow_build.h"

#include "base/hash.h"

enum { PARTICLES = 300 };
static const double RADIUS = 0.3, CELL = 0.02;
static const double ERROR = 0.0035; /* 1/6 of a cell: by interpolation of a ball of 15 cells, and by its triangles */

static scene free_particles(float thickness, float friction)
{
    taut_error error;
    scene s = bare_scene();
    s.material.thickness = thickness;
    s.material.friction = friction;
    check_done(taut_mesh_chain(&s.mesh, PARTICLES, 1, &error), &error);
    build_scene(&s);
    return s;
}

static void put(scene *s, const d3 *at, const d3 *velocity)
{
    static float xyz[3 * PARTICLES];
    taut_error error;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PARTICLES; i++) {
            const d3 from = turn ? velocity[i] : at[i];
            xyz[3 * i] = (float)from.x, xyz[3 * i + 1] = (float)from.y, xyz[3 * i + 2] = (float)from.z;
        }
        check_done(turn ? taut_body_set_velocities(s->world, s->body, xyz, &error)
                        : taut_body_set_positions(s->world, s->body, xyz, &error),
                   &error);
    }
}

static d3 random_way(uint64_t *random)
{
    d3 way;
    do way = (d3){uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
    while (d3_length(way) > 1 || d3_length(way) < 0.1);
    return d3_scale(1 / d3_length(way), way);
}

static taut_collider_def field_of(const taut_mesh *mesh)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_FIELD;
    def.mesh = mesh;
    def.cell = (float)CELL;
    def.friction = 1;
    return def;
}

static int add_field(taut_world *world, const taut_mesh *mesh)
{
    taut_error error;
    const taut_collider_def def = field_of(mesh);
    int id = taut_world_add_collider(world, &def, &error);
    check_done(id >= 0, &error);
    return id;
}

static taut_mesh make_ball(void)
{
    taut_error error;
    taut_mesh mesh;
    check_done(taut_mesh_sphere(&mesh, 4, (float)RADIUS, &error), &error);
    return mesh;
}

static void a_field_of_a_sphere_is_a_sphere(void **state)
{
    (void)state;
    static const double speeds[] = {1, 100, 3000};
    uint64_t random = 3;
    taut_mesh ball = make_ball();
    for (int i = 0; i < LENGTH(speeds); i++) {
        static d3 at[PARTICLES], v[PARTICLES];
        scene s = free_particles(0.002f, 1000);
        add_field(s.world, &ball);
        for (int p = 0; p < PARTICLES; p++) {
            d3 way = random_way(&random);
            at[p] = d3_scale(0.9, way), v[p] = d3_scale(-speeds[i], way);
        }
        put(&s, at, v);
        step(&s, speeds[i] < 2 ? 60 : 3, STEP);
        for (int p = 0; p < PARTICLES; p++)
            check_near("distance", d3_length(vertex(&s, p)), RADIUS + 0.002, ERROR);
        free_scene(&s);
    }
    taut_mesh_free(&ball);
}

static void what_begins_inside_comes_out_slowly(void **state)
{
    (void)state;
    uint64_t random = 5;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_mesh ball = make_ball();
    scene s = free_particles(0.004f, 0);
    add_field(s.world, &ball);
    for (int p = 0; p < PARTICLES; p++) {
        at[p] = d3_scale(uniform(&random, 0.05, 0.29), random_way(&random));
        v[p] = (d3){0, 0, 0};
    }
    put(&s, at, v);
    for (int i = 0; i < 60; i++) {
        step(&s, 1, STEP);
        for (int p = 0; p < PARTICLES; p++)
            check_within("speed", d3_length(velocity(&s, p)), 0, 1.05 * 240 * 0.002); /* slopes differ a little */
    }
    for (int p = 0; p < PARTICLES; p++)
        check_within("out", d3_length(vertex(&s, p)), RADIUS + 0.004 - ERROR, 1);
    free_scene(&s);
    taut_mesh_free(&ball);
}

/* The surface of a solid ring. */
static taut_mesh make_ring(void)
{
    taut_error error;
    taut_mesh solid, ring = {0};
    check_done(taut_mesh_torus(&solid, 64, 8, 0.3f, 0.1f, &error), &error);
    int *tri = taut_mesh_surface(&solid, &ring.ntris, &error), n = ring.ntris;
    check_done(taut_mesh_allocate(&ring, solid.nvertices, n, 0, 0, false, false, &error), &error);
    memcpy(ring.x, solid.x, 3 * (size_t)solid.nvertices * sizeof *ring.x);
    memcpy(ring.tri, tri, 3 * (size_t)n * sizeof *tri);
    free(tri);
    taut_mesh_free(&solid);
    return ring;
}

/* Particles fly at 100 m/s through the hole, around the ring and against it. */
static void a_ring_has_a_hole(void **state)
{
    (void)state;
    uint64_t random = 7;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_mesh ring = make_ring();
    scene s = free_particles(0.001f, 0.5f);
    add_field(s.world, &ring);
    for (int round = 0; round < 4; round++) {
        for (int p = 0; p < PARTICLES; p++) {
            bool hole = p % 3 == 0;
            at[p] = (d3){uniform(&random, -0.1, 0.1), 1, uniform(&random, -0.1, 0.1)};
            if (!hole) at[p] = d3_scale(0.9, random_way(&random));
            v[p] = hole ? (d3){0, -100, 0} : d3_scale(-100, random_way(&random));
        }
        put(&s, at, v);
        step(&s, 2, STEP);
        for (int p = 0; p < PARTICLES; p++) {
            d3 now = vertex(&s, p);
            if (p % 3 == 0) check_near("through the hole", now.y, 1 - 200.0 / 60, 1e-4);
            check_within("outside", hypot(hypot(now.x, now.z) - 0.3, now.y), 0.1 - ERROR, 1e9);
        }
    }
    free_scene(&s);
    taut_mesh_free(&ring);
}

/* A field that crosses the room in a step, and turns by a right angle meanwhile, sweeps all before it. */
static void a_fast_field_carries_what_it_meets(void **state)
{
    (void)state;
    uint64_t random = 13;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_error error;
    taut_mesh ball = make_ball();
    scene s = free_particles(0, 1000);
    int id = add_field(s.world, &ball);
    for (int p = 0; p < PARTICLES; p++) {
        at[p] = (d3){uniform(&random, -0.05, 0.05), uniform(&random, -0.05, 0.05), 5};
        v[p] = (d3){0, 0, 0};
    }
    put(&s, at, v);
    taut_collider_def def = field_of(&ball);
    def.a[2] = 20;
    def.rotation[2] = def.rotation[3] = sqrtf(0.5f);
    check_done(taut_collider_move(s.world, id, &def, &error), &error);
    step(&s, 1, STEP);
    for (int p = 0; p < PARTICLES; p++) check_within("ahead of it", vertex(&s, p).z, 20.28, 1e9);
    free_scene(&s);
    taut_mesh_free(&ball);
}

static scene sheet_over_ring(int threads)
{
    taut_error error;
    scene s = bare_scene();
    check_done(taut_mesh_sheet(&s.mesh, 21, 21, 0.9f, 0.9f, &error), &error);
    check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
    s.def.gravity[1] = -9.81f;
    s.def.stretch = 0.02f;
    s.def.threads = threads;
    s.place.rotation[0] = -sqrtf(0.5f), s.place.rotation[3] = sqrtf(0.5f);
    s.place.position[1] = 0.2f, s.place.position[2] = -0.45f;
    build_scene(&s);
    return s;
}

static void cloth_rests_on_a_ring(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    taut_mesh ring = make_ring();
    scene s = sheet_over_ring(1);
    add_field(s.world, &ring);
    step(&s, 150, STEP);
    for (int p = 0; p < s.mesh.nvertices; p++) {
        d3 now = vertex(&s, p);
        check_within("outside", hypot(hypot(now.x, now.z) - 0.3, now.y), 0.1 - ERROR, 1e9);
        check_within("at rest", d3_length(velocity(&s, p)), 0, 0.1);
    }
    free_scene(&s);
    taut_mesh_free(&ring);
}

/* Saves amid contact, and restores into the same world and an empty one, on any number of threads. */
static void a_save_brings_back_a_field(void **state)
{
    (void)state;
    taut_error error;
    uint64_t hash = 0;
    taut_mesh ring = make_ring();
    for (int threads = 1; threads <= 4; threads += is_brief() ? 2 : 1) {
        scene s = sheet_over_ring(threads);
        add_field(s.world, &ring);
        step(&s, 20, STEP);
        check_within("contacts", taut_world_stats(s.world).contacts, 5, 1e9);
        size_t size = taut_world_save(s.world, NULL, 0);
        char *bytes = malloc(size);
        assert_true(taut_world_save(s.world, bytes, size) == size);
        step(&s, 20, STEP);
        if (threads == 1) hash = taut_world_hash(s.world);
        assert_true(taut_world_hash(s.world) == hash);
        const taut_model *models[] = {s.model};
        for (int twice = 0; twice < 2; twice++) {
            check_done(taut_world_restore(s.world, bytes, size, models, 1, &error), &error);
            step(&s, 20, STEP);
            assert_true(taut_world_hash(s.world) == hash);
            taut_world_free(s.world);
            s.world = taut_world_create(&s.def, &error);
        }
        free(bytes);
        free_scene(&s);
    }
    taut_mesh_free(&ring);
}

/* Bytes of a save are changed, and its checksum is corrected. A world that accepts it must step soundly. */
static void a_forged_save_does_no_harm(void **state)
{
    (void)state;
    taut_error error;
    taut_mesh ball;
    int taken = 0, refused = 0;
    check_done(taut_mesh_sphere(&ball, 0, 0.3f, &error), &error);
    scene s = bare_scene();
    check_done(taut_mesh_sheet(&s.mesh, 4, 4, 0.4f, 0.4f, &error), &error);
    s.material.edge = 1;
    s.def.gravity[1] = -9.81f;
    build_scene(&s);
    taut_collider_def def = field_of(&ball);
    def.cell = 0.2f;
    check_done(taut_world_add_collider(s.world, &def, &error) >= 0, &error);
    step(&s, 2, STEP);
    const taut_model *models[] = {s.model};
    size_t size = taut_world_save(s.world, NULL, 0), body = size - sizeof(uint64_t);
    unsigned char *bytes = malloc(size);
    assert_true(taut_world_save(s.world, bytes, size) == size);
    for (size_t at = 0; at < body; at++)
        for (int way = 0; way < 3; way++) {
            unsigned char change = (unsigned char)(way == 0 ? 0xff : way == 1 ? 1u << at % 8 : 0x40);
            bytes[at] ^= change;
            uint64_t check = tt_hash(TT_HASH_SEED, bytes, body);
            memcpy(bytes + body, &check, sizeof check);
            bool sound = taut_world_restore(s.world, bytes, size, models, 1, NULL);
            bytes[at] ^= change;
            *(sound ? &taken : &refused) += 1;
            if (!sound || !taut_world_has_body(s.world, s.body)) continue;
            step(&s, 1, STEP);
            for (int v = 0; v < s.mesh.nvertices; v++)
                if (!isfinite(d3_length(vertex(&s, v)))) fail_msg("byte %zu, way %d", at, way);
        }
    assert_true(taken > 0 && refused > 0);
    free(bytes);
    free_scene(&s);
    taut_mesh_free(&ball);
}

static void refuse(taut_world *world, const taut_collider_def *def, const char *text)
{
    taut_error error;
    assert_int_equal(taut_world_add_collider(world, def, &error), -1);
    assert_string_equal(error.text, text);
}

static void bad_fields_are_refused(void **state)
{
    (void)state;
    taut_error error;
    taut_mesh ball = make_ball();
    taut_world *world = taut_world_create(NULL, &error);
    taut_collider_def def = field_of(&ball);
    def.cell = -1;
    refuse(world, &def, "collider.cell must be at least 0, got -1");
    def.cell = 1e-4f;
    refuse(world, &def, "collider.cell of 0.0001 m makes 2.17e+11 points, a field has at most 16777216");
    def.cell = 0, ball.ntris--;
    refuse(world, &def, "the mesh of a field must be closed: each edge has two triangles, which run opposite ways");
    ball.ntris = 0;
    refuse(world, &def, "the mesh of a collider has no triangles");
    def.mesh = NULL;
    refuse(world, &def, "collider.mesh is NULL");
    assert_int_equal(taut_world_stats(world).colliders, 0);
    taut_world_free(world);
    taut_mesh_free(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_of_a_sphere_is_a_sphere),
        cmocka_unit_test(what_begins_inside_comes_out_slowly),
        cmocka_unit_test(a_ring_has_a_hole),
        cmocka_unit_test(a_fast_field_carries_what_it_meets),
        cmocka_unit_test(cloth_rests_on_a_ring),
        cmocka_unit_test(a_save_brings_back_a_field),
        cmocka_unit_test(a_forged_save_does_no_harm),
        cmocka_unit_test(bad_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
