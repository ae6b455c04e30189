/* Colliders: the table of shapes, and the broad phase, which must give the same bits as trying every collider. */
#include "scenery.h"
#include "slow_build.h"

#include "collide/contact.h"
#include "constraints/constraint.h"

static void test_every_shape_has_a_whole_row(void **state)
{
    (void)state;
    const char *names[TT_SHAPES] = {"plane", "sphere", "capsule", "box", "tapered", "hull", "mesh", "field"};
    for (int i = 0; i < TT_SHAPES; i++) {
        const tt_shape *shape = tt_shapes(tt_simd_choose().name)->shape[i];
        assert_string_equal(shape->name, names[i]);
        assert_true(shape->place && shape->box && shape->keep_out);
    }
}

/* ---- Random contacts ---- */

enum { PARTICLES = 64, COLLIDERS = 200 };

/* A region of random places: around `centre` on every axis, within `size`. */
typedef struct place {
    double centre, size;
    float thickness;
} place;

static void random_point(uint64_t *random, const place *at, double size, float out[3])
{
    for (int i = 0; i < 3; i++) out[i] = (float)(at->centre + uniform(random, -size, size));
}

static void random_rotation(uint64_t *random, float q[4])
{
    double r[4], norm = 0;
    for (int i = 0; i < 4; i++) r[i] = uniform(random, -1, 1), norm += r[i] * r[i];
    for (int i = 0; i < 4; i++) q[i] = (float)(r[i] / sqrt(norm));
}

static taut_collider_def random_collider(uint64_t *random, const place *at, taut_shape shape)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape;
    random_point(random, at, at->size, def.a);
    random_point(random, at, at->size, def.b);
    for (int i = 0; i < 3; i++) {
        def.normal[i] = (float)uniform(random, -1, 1);
        def.spin[i] = (float)uniform(random, -3, 3);
    }
    def.radius = (float)(at->size * uniform(random, 0.01, 0.2));
    def.radius_b = (float)(at->size * uniform(random, 0.01, 0.2));
    for (int i = 0; i < 3; i++) def.size[i] = (float)(at->size * uniform(random, 0.01, 0.4));
    random_rotation(random, def.rotation);
    if (uniform(random, 0, 1) < 0.3) def.thickness = (float)(at->size * 0.05);
    if (uniform(random, 0, 1) < 0.5) def.normal[0] = def.normal[2] = 0;
    if (shape == TAUT_PLANE) def.a[1] = (float)(at->centre - at->size);
    return def;
}

/* The meshes to which shapes refer. */
typedef struct random_meshes {
    tt_owned *of[TT_SHAPES];
} random_meshes;

/* Random colliders: a third of them move, every seventh is in another group, every tenth slot is empty, and planes are
 * rare. */
static void random_colliders(uint64_t *random, const place *at, tt_collider *collider,
                             const random_meshes *mesh)
{
    for (int i = 0; i < COLLIDERS; i++) {
        taut_shape shape = i % 40 == 0 ? TAUT_PLANE : (taut_shape)(1 + i % (TT_SHAPES - 1));
        collider[i].owned = tt_shape_owns(shape) ? mesh->of[shape] : NULL;
        collider[i].used = i % 10 != 3;
        collider[i].now = collider[i].target = random_collider(random, at, shape);
        if (i % 3 == 0) collider[i].target = random_collider(random, at, shape);
        collider[i].now.group = collider[i].target.group = i % 7 == 0 ? 2 : 1;
    }
}

/* A small cluster of particles. Some are pinned, and one is at NaN. */
static void random_particles(uint64_t *random, const place *at, float *p, float *x)
{
    float middle[3];
    place near = {0, 0, 0};
    random_point(random, at, at->size, middle);
    double spread = at->size * (uniform(random, 0, 1) < 0.2 ? 1 : 0.1);
    for (int i = 0; i < PARTICLES; i++) {
        random_point(random, &near, spread, &p[4 * i]);
        for (int c = 0; c < 3; c++) {
            p[4 * i + c] += middle[c];
            x[4 * i + c] = p[4 * i + c] + (float)uniform(random, -0.01, 0.01);
        }
        p[4 * i + 3] = i % 9 == 4 ? 0 : 1;
        x[4 * i + 3] = 0;
    }
    p[4 * 7] = (float)NAN;
}

static int touch_every_collider(const tt_broad *broad, const tt_collider *collider, const tt_contact_batch *batch)
{
    int contacts = 0;
    memset(batch->pushed, 0, 4 * PARTICLES * sizeof *batch->pushed);
    for (int i = 0; i < COLLIDERS; i++)
        if (collider[i].used && collider[i].now.group == 1)
            contacts += broad->shapes->shape[collider[i].now.shape]->keep_out(batch, &broad->placed[i]);
    return contacts;
}

/* Returns the number of contacts. */
static int expect_same_contacts(uint64_t *random, const place *at, tt_broad *broad, const tt_collider *collider)
{
    _Alignas(64) float p[4 * PARTICLES], x[4 * PARTICLES], every[4 * PARTICLES], pushed[4 * PARTICLES];
    random_particles(random, at, p, x);
    memcpy(every, p, sizeof p);
    tt_contact_batch batch = {.p = p,
                              .x = x,
                              .last = PARTICLES,
                              .thickness = at->thickness,
                              .friction = 0.7f,
                              .group = 1,
                              .mask = 1,
                              .escape = 0.1f * (float)at->size,
                              .pushed = pushed};
    tt_contact_batch slow = batch;
    slow.p = every;
    int contacts = touch_every_collider(broad, collider, &slow);
    assert_int_equal(tt_contacts(broad, &batch), contacts);
    assert_memory_equal(p, every, sizeof p);
    return contacts;
}

static void one_by_one(int count, void (*task)(void *argument, int index), void *argument, void *user)
{
    (void)user;
    for (int i = 0; i < count; i++) task(argument, i);
}

static tt_owned *make_field(const tt_scope *scope, const taut_mesh *points, double size)
{
    taut_error error;
    taut_mesh hull;
    check_done(taut_mesh_hull(&hull, points->x, points->nvertices, &error), &error);
    const tt_helpers helpers = {one_by_one, NULL};
    tt_owned *field = tt_owned_create_field(scope, &hull, (float)(0.05 * size), helpers, &error);
    taut_mesh_free(&hull);
    return field;
}

/* The hull of random points, triangles between them, and a field of the hull. */
static random_meshes make_meshes(uint64_t *random, const tt_scope *scope, double size)
{
    const place around = {0, size, 0};
    random_meshes made = {{0}};
    float points[3 * 20];
    int corners[3 * 18];
    for (int i = 0; i < 20; i++) random_point(random, &around, 0.2 * size, &points[3 * i]);
    for (int i = 0; i < LENGTH(corners); i++) corners[i] = i / 3 + i % 3;
    taut_mesh mesh = {.nvertices = 20, .ntris = 18, .x = points, .tri = corners};
    for (int shape = 0; shape < TT_SHAPES; shape++) {
        if (!tt_shape_owns((taut_shape)shape)) continue;
        made.of[shape] = shape == TAUT_FIELD ? make_field(scope, &mesh, size)
                                             : tt_owned_create(scope, (taut_shape)shape, &mesh, NULL);
        assert_non_null(made.of[shape]);
    }
    return made;
}

static void free_meshes(random_meshes *mesh)
{
    for (int shape = 0; shape < TT_SHAPES; shape++) tt_owned_free(mesh->of[shape]);
}

static void test_the_broad_phase_changes_no_bit(void **state)
{
    (void)state;
    static const place places[] = {{0, 1, 0.01f}, {0, 1, 0.3f}, {1000, 1, 0.001f}, {-3e5, 10, 0}, {0, 1e-3, 1e-4f}};
    static tt_collider collider[COLLIDERS];
    uint64_t random = 1;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_broad broad = {.shapes = tt_shapes(tt_simd_choose().name)};
    assert_true(tt_broad_reserve(&broad, &scope, COLLIDERS));
    for (int i = 0; i < LENGTH(places); i += is_brief() ? 2 : 1) {
        int contacts = 0;
        random_meshes mesh = make_meshes(&random, &scope, places[i].size);
        for (int round = 0; round < 5; round++) {
            random_colliders(&random, &places[i], collider, &mesh);
            tt_broad_begin(&broad, collider, COLLIDERS);
            for (int substep = 0; substep < 3; substep++) {
                tt_broad_advance(&broad, collider, (float)substep / 3, (float)(substep + 1) / 3, 0.01f);
                for (int k = 0; k < 60; k++) contacts += expect_same_contacts(&random, &places[i], &broad, collider);
            }
        }
        assert_true(contacts > 10000);
        free_meshes(&mesh);
    }
    tt_scope_close(&scope);
}

/* Every shape gives the same result with every instruction set of this machine. */
static void test_every_instruction_set_gives_the_same_bits(void **state)
{
    (void)state;
    static const place at = {0, 1, 0.02f};
    static tt_collider collider[COLLIDERS];
    const char *own = tt_simd_choose().name;
    const tt_shape_set *sets[2] = {tt_shapes("scalar"), tt_shapes(own)};
    uint64_t random = 1;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    random_meshes mesh = make_meshes(&random, &scope, 1);
    random_colliders(&random, &at, collider, &mesh);
    int contacts = 0;
    for (int i = 0; i < COLLIDERS; i++)
        for (int k = 0; k < 20; k++) {
            _Alignas(64) float p[2][4 * PARTICLES], x[4 * PARTICLES];
            _Alignas(64) float pushed[2][4 * PARTICLES] = {{0}}, noted[2][8 * PARTICLES] = {{0}};
            random_particles(&random, &at, p[0], x);
            memcpy(p[1], p[0], sizeof p[0]);
            tt_placed placed = tt_collider_place(&collider[i], 0.5f, 0.75f, 0.01f);
            for (int set = 0; set < 2; set++) {
                tt_contact_batch batch = {.p = p[set],
                                          .x = x,
                                          .last = PARTICLES,
                                          .thickness = 0.02f,
                                          .friction = 0.7f,
                                          .escape = 0.01f,
                                          .pushed = pushed[set],
                                          .touched = {noted[set], noted[set] + 4 * PARTICLES}};
                contacts += sets[set]->shape[placed.shape]->keep_out(&batch, &placed);
            }
            assert_memory_equal(p[0], p[1], sizeof p[0]);
            assert_memory_equal(pushed[0], pushed[1], sizeof pushed[0]);
            assert_memory_equal(noted[0], noted[1], sizeof noted[0]);
        }
    assert_true(contacts > 1000);
    free_meshes(&mesh);
    tt_scope_close(&scope);
}

/* One particle without thickness is within a few roundings of a moving sphere's end, so no margin hides a box that is
 * too small. */
static void test_boxes_have_room_for_rounding(void **state)
{
    (void)state;
    tt_collider ball = {.used = true};
    uint64_t random = 1;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_broad broad = {.shapes = tt_shapes(tt_simd_choose().name)};
    assert_true(tt_broad_reserve(&broad, &scope, 1));
    for (int i = 0; i < 20000; i++) {
        const place at = {uniform(&random, -100, 100), 1, 0};
        _Alignas(64) float p[4 * TT_BLOCK] = {0}, x[4 * TT_BLOCK] = {0}, alone[4 * TT_BLOCK];
        ball.now = random_collider(&random, &at, TAUT_SPHERE);
        ball.target = random_collider(&random, &at, TAUT_SPHERE);
        tt_broad_begin(&broad, &ball, 1);
        tt_broad_advance(&broad, &ball, 0, 1, 0.01f);
        memcpy(p, broad.placed[0].a, 3 * sizeof *p);
        p[0] += broad.placed[0].radius, p[3] = 1;
        for (int k = i % 5; k < 2; k++) p[0] = nextafterf(p[0], -INFINITY);
        memcpy(alone, p, sizeof p);
        tt_contact_batch batch = {.p = p, .x = x, .last = TT_BLOCK, .group = 1, .mask = 1, .escape = 1}, every = batch;
        every.p = alone;
        int contacts = broad.shapes->shape[TAUT_SPHERE]->keep_out(&every, &broad.placed[0]);
        assert_int_equal(tt_contacts(&broad, &batch), contacts);
        assert_memory_equal(p, alone, sizeof p);
    }
    tt_scope_close(&scope);
}

/* A row of spheres, each of which pushes the particle into the next, far out of the box in which it began. */
static void test_pushed_particles_meet_colliders_that_were_far(void **state)
{
    (void)state;
    enum { ROW = 100 };
    static tt_collider row[ROW];
    _Alignas(64) float p[4 * TT_BLOCK] = {0.4f, 0, 0, 1}, x[4 * TT_BLOCK] = {0.4f}, pushed[4 * TT_BLOCK];
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_broad broad = {.shapes = tt_shapes(tt_simd_choose().name)};
    assert_true(tt_broad_reserve(&broad, &scope, ROW));
    for (int i = 0; i < ROW; i++) {
        taut_collider_def ball = taut_default_collider_def();
        ball.shape = TAUT_SPHERE, ball.a[0] = 0.005f * (float)i;
        row[i] = (tt_collider){.used = true, .now = ball, .target = ball};
    }
    tt_broad_begin(&broad, row, ROW);
    tt_broad_advance(&broad, row, 0, 1, 0.01f);
    tt_contact_batch batch = {.p = p, .x = x, .last = TT_BLOCK, .group = 1, .mask = 1, .escape = 9, .pushed = pushed};
    assert_int_equal(tt_contacts(&broad, &batch), ROW);
    assert_true(fabsf(p[0] - (0.005f * (ROW - 1) + 1)) < 1e-6f);
    tt_scope_close(&scope);
}

/* ---- Far away ---- */

static void make_cloth(scene *s)
{
    taut_error error;
    s->material = taut_default_material();
    check_done(taut_mesh_sheet(&s->mesh, 40, 40, 1, 1, &error), &error);
}

static void make_solid(scene *s)
{
    taut_error error;
    s->material = taut_default_material();
    s->material.strain.volume = 1;
    s->material.limit.stretch[1] = 1.1f;
    check_done(taut_mesh_torus(&s->mesh, 40, 4, 0.6f, 0.2f, &error), &error);
}

static void make_rope(scene *s)
{
    taut_error error;
    s->material = taut_default_material();
    s->material.edge = 1;
    check_done(taut_mesh_chain(&s->mesh, 200, 2, &error), &error);
}

/* Drops a body on a floor and a ball; returns the hash after two thirds of a second. */
static uint64_t land(void (*make)(scene *), int levels, int nfar)
{
    scene s = {.def = taut_default_world_def(), .place = taut_default_body_def()};
    taut_model_options options = taut_default_model_options();
    taut_collider_def floor = taut_default_collider_def(), ball = floor, far = floor;
    taut_error error;
    s.def.substeps = 4;
    s.place.position[1] = 1.05f;
    make(&s);
    options.levels = levels;
    s.model = taut_model_build(&s.mesh, &s.material, &options, &error);
    check_done(s.model && taut_model_levels(s.model) == levels, &error);
    s.world = taut_world_create(&s.def, &error);
    check_done(s.world && taut_world_add_body(s.world, s.model, &s.place, &error) == 0, &error);
    far.shape = TAUT_CAPSULE;
    ball.shape = TAUT_SPHERE, ball.radius = 0.3f;
    for (int i = 0; i < nfar; i++) {
        far.a[0] = far.b[0] = 100 + (float)i;
        add_collider(&s, &far);
    }
    add_collider(&s, &floor);
    add_collider(&s, &ball);
    int contacts = 0;
    for (int i = 0; i < 40; i++) {
        step(&s, 1, STEP);
        contacts += taut_world_stats(s.world).contacts;
    }
    assert_true(contacts > 0);
    uint64_t hash = taut_world_hash(s.world);
    free_scene(&s);
    return hash;
}

static void test_far_colliders_change_no_bit(void **state)
{
    (void)state;
    if (!is_brief()) {
        assert_true(land(make_cloth, 0, 400) == land(make_cloth, 0, 0));
        assert_true(land(make_cloth, 2, 400) == land(make_cloth, 2, 0));
    }
    assert_true(land(make_solid, 1, 400) == land(make_solid, 1, 0));
    assert_true(land(make_rope, 2, 400) == land(make_rope, 2, 0));
}

/* ---- Groups and masks ---- */

/* Three particles on a floor. */
static scene over_floor(uint32_t group, uint32_t mask, const taut_collider_def *floor)
{
    taut_error error;
    scene s = bare_scene();
    s.def.gravity[1] = -10;
    s.place.group = group, s.place.mask = mask;
    check_done(taut_mesh_chain(&s.mesh, 3, 1, &error), &error);
    build_scene(&s);
    add_collider(&s, floor);
    return s;
}

static void test_groups_and_masks_say_who_touches_whom(void **state)
{
    (void)state;
    const uint32_t all = UINT32_MAX;
    static const struct {
        uint32_t group, mask, floor_group, floor_mask;
        bool touch;
    } cases[] = {
        {1, UINT32_MAX, 1, UINT32_MAX, true}, /* the defaults        */
        {2, 4, 4, 2, true},                   /* made for each other */
        {6, 8, 24, 34, true},
        {2, 4, 4, 1, false}, /* the floor does not want the body */
        {2, 1, 4, 2, false}, /* the body does not want the floor */
        {0, UINT32_MAX, 1, UINT32_MAX, false},
        {1, UINT32_MAX, 1, 0, false},
        {0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u, true},
    };
    assert_true(taut_default_body_def().group == 1 && taut_default_body_def().mask == all);
    assert_true(taut_default_collider_def().group == 1 && taut_default_collider_def().mask == all);
    for (int i = 0; i < LENGTH(cases); i++) {
        taut_collider_def floor = taut_default_collider_def();
        floor.group = cases[i].floor_group, floor.mask = cases[i].floor_mask;
        scene s = over_floor(cases[i].group, cases[i].mask, &floor);
        step(&s, 10, STEP);
        assert_true((positions(&s)[1] < -0.01f) == !cases[i].touch);
        free_scene(&s);
    }
}

/* The filter of a body can change while it runs, and is saved. */
static void test_a_filter_can_change_and_is_saved(void **state)
{
    (void)state;
    taut_error error;
    taut_collider_def floor = taut_default_collider_def();
    floor.mask = 1;
    scene s = over_floor(1, UINT32_MAX, &floor);
    step(&s, 10, STEP);
    float resting = positions(&s)[1];
    check_done(taut_body_set_filter(s.world, s.body, 2, UINT32_MAX, &error), &error);
    size_t size = taut_world_save(s.world, NULL, 0);
    void *bytes = malloc(size);
    assert_true(taut_world_save(s.world, bytes, size) == size);
    step(&s, 10, STEP);
    assert_true(positions(&s)[1] < resting - 0.01f);
    uint64_t hash = taut_world_hash(s.world);
    check_done(taut_body_set_filter(s.world, s.body, 1, 1, &error), &error);
    const taut_model *models[] = {s.model};
    check_done(taut_world_restore(s.world, bytes, size, models, 1, &error), &error);
    step(&s, 10, STEP);
    assert_true(taut_world_hash(s.world) == hash);
    free(bytes);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_has_a_whole_row),
        cmocka_unit_test(test_the_broad_phase_changes_no_bit),
        cmocka_unit_test(test_every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(test_boxes_have_room_for_rounding),
        cmocka_unit_test(test_pushed_particles_meet_colliders_that_were_far),
        cmocka_unit_test(test_far_colliders_change_no_bit),
        cmocka_unit_test(test_groups_and_masks_say_who_touches_whom),
        cmocka_unit_test(test_a_filter_can_change_and_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
