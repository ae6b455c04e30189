/* Deformation of bodies: stretch, compression and shear of bodies whose numbers are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_save.h"
#include "helpers_world.h"

#include <math.h>
#include <stdlib.h>

/* A body of a mesh alone in space. */
typedef struct subject {
    taut_mesh mesh;
    taut_model *model;
    taut_measurer *measurer;
    taut_world *world;
    int body;
} subject;

static void open_subject(subject *s, const taut_material *material)
{
    s->model = taut_model_build(&s->mesh, material, NULL, NULL);
    s->measurer = taut_measurer_build(&s->mesh, NULL, NULL);
    s->world = space(1);
    assert_true(s->model && s->measurer && s->world);
    s->body = add_at(s->world, s->model, 0, 0, 0);
}

static void close_subject(subject *s)
{
    taut_world_free(s->world);
    taut_measurer_free(s->measurer);
    taut_model_free(s->model);
    taut_mesh_free(&s->mesh);
}

static taut_deformation deformation_of(const subject *s)
{
    taut_deformation d;
    assert_true(taut_body_deformation(s->world, s->body, s->measurer, &d, NULL));
    return d;
}

/* Vertices go to the rest positions times a matrix by rows. */
static void deform(const subject *s, const float m[9])
{
    float *x = malloc(3 * (size_t)s->mesh.nvertices * sizeof *x);
    assert_non_null(x);
    for (int v = 0; v < s->mesh.nvertices; v++)
        for (int r = 0; r < 3; r++) {
            const float *p = &s->mesh.x[3 * v];
            x[3 * v + r] = m[3 * r] * p[0] + m[3 * r + 1] * p[1] + m[3 * r + 2] * p[2];
        }
    assert_true(taut_body_set_positions(s->world, s->body, x, NULL));
    free(x);
}

static void expect_spread(taut_spread s, double each)
{
    expect_near(s.p50, each, 2e-5);
    expect_near(s.p99, each, 2e-5);
    expect_near(s.worst, each, 2e-5);
}

/* A sheet is pulled by 10 % along the warp and pushed by 20 % along the weft, whatever its mesh and material. */
static void a_sheet_is_pulled_and_pushed(void **state)
{
    (void)state;
    taut_material edges = taut_default_material();
    edges.edge = 1;
    edges.strain.xx = edges.strain.yy = edges.strain.xy = 0;
    for (int i = 0; i < 4; i++) {
        subject s;
        assert_true(i & 1 ? taut_mesh_sheet_irregular(&s.mesh, 11, 11, 1, 1, 0.3f, 1, NULL)
                          : taut_mesh_sheet(&s.mesh, 11, 11, 1, 1, NULL));
        open_subject(&s, i & 2 ? &edges : NULL);
        taut_deformation d = deformation_of(&s);
        expect_near(d.stretch.worst + d.compression.worst + d.shear.worst + d.edge_stretch.worst, 0, 1e-5);
        deform(&s, (const float[9]){1.1f, 0, 0, 0, 0.8f, 0, 0, 0, 1});
        d = deformation_of(&s);
        expect_near(d.stretch.p99, 0.1, 1e-5);
        expect_near(d.stretch.worst, 0.1, 1e-5);
        expect_near(d.compression.p99, 0.2, 1e-5);
        expect_near(d.compression.worst, 0.2, 1e-5);
        expect_spread(d.shear, 0);
        expect_near(d.edge_stretch.worst, 0.1, 1e-5); /* of those on the hem */
        expect_near(d.edge_compression.worst, 0.2, 1e-5);
        expect_near(d.edge_stretch.worst, taut_body_stretch(s.world, s.body).stretch, 0);
        expect_near(d.edge_compression.worst, taut_body_stretch(s.world, s.body).compression, 0);
        close_subject(&s);
    }
}

/* A slope of 0.1 is an angle of atan 0.1. The warp keeps its length. Diagonals do not, so their edges are stretched. */
static void shear_is_told_from_stretch(void **state)
{
    (void)state;
    subject s;
    assert_true(taut_mesh_sheet(&s.mesh, 11, 11, 1, 1, NULL));
    open_subject(&s, NULL);
    const float c = 0.99503719f; /* 1 / sqrt(1.01): the weft keeps its length too */
    deform(&s, (const float[9]){1, 0.1f * c, 0, 0, c, 0, 0, 0, 1});
    taut_deformation d = deformation_of(&s);
    expect_spread(d.stretch, 0);
    expect_spread(d.compression, 0);
    expect_spread(d.shear, atan(0.1));
    assert_true(d.edge_stretch.p99 > 0.04 && d.edge_compression.p99 > 0.04);
    close_subject(&s);
}

/* A sheet that is folded onto itself within its plane: F x and F y are along each other. */
static void shear_ends_at_a_right_angle(void **state)
{
    (void)state;
    subject s;
    assert_true(taut_mesh_sheet(&s.mesh, 4, 4, 1, 1, NULL));
    open_subject(&s, NULL);
    deform(&s, (const float[9]){1, 1, 0, 0, 0, 0, 0, 0, 0});
    expect_spread(deformation_of(&s).shear, 3.14159265358979 / 2);
    deform(&s, (const float[9]){0});
    expect_spread(deformation_of(&s).shear, 0);
    expect_spread(deformation_of(&s).compression, 1);
    close_subject(&s);
}

/* One vertex of 900 is out of place: that is less than 1 % of all triangles and edges. */
static void the_worst_is_told_from_the_many(void **state)
{
    (void)state;
    subject s;
    float x[2700];
    assert_true(taut_mesh_sheet(&s.mesh, 30, 30, 29, 29, NULL));
    open_subject(&s, NULL);
    memcpy(x, s.mesh.x, sizeof x);
    x[3 * 465 + 2] = 0.75f;
    assert_true(taut_body_set_positions(s.world, s.body, x, NULL));
    taut_deformation d = deformation_of(&s);
    expect_near(d.stretch.worst, 0.25, 1e-5);
    expect_near(d.edge_stretch.worst, 0.25, 1e-5);
    expect_near(d.stretch.p99 + d.edge_stretch.p99 + d.compression.worst + d.edge_compression.worst, 0, 1e-5);
    close_subject(&s);
}

/* Tets have a third axis. Without a measurer, and for ropes, there are only edges. */
static void solids_and_ropes(void **state)
{
    (void)state;
    subject s;
    taut_deformation d;
    assert_true(taut_mesh_beam(&s.mesh, 4, 2, 2, 2, 1, 1, NULL));
    open_subject(&s, NULL);
    deform(&s, (const float[9]){1, 0, 0, 0, 0.9f, 0, 0, 0, 1.2f});
    d = deformation_of(&s);
    expect_near(d.stretch.worst, 0.2, 1e-5);
    expect_near(d.compression.worst, 0.1, 1e-5);
    expect_near(d.stretch.p50 + d.compression.p50, 0, 1e-5);
    close_subject(&s);
    assert_true(taut_mesh_chain(&s.mesh, 10, 1, NULL));
    const taut_material rope = rope_material();
    open_subject(&s, &rope);
    deform(&s, (const float[9]){1.3f, 0, 0, 0, 1, 0, 0, 0, 1});
    for (int with = 0; with < 2; with++) {
        assert_true(taut_body_deformation(s.world, s.body, with ? s.measurer : NULL, &d, NULL));
        expect_spread(d.stretch, 0.3);
        expect_spread(d.edge_stretch, 0.3);
        expect_spread(d.compression, 0);
        expect_spread(d.shear, 0);
    }
    close_subject(&s);
}

static void speed_of_all_vertices(void **state)
{
    (void)state;
    subject s;
    assert_true(taut_mesh_sheet(&s.mesh, 2, 2, 1, 1, NULL));
    open_subject(&s, NULL);
    const float v[12] = {3, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    assert_true(taut_body_set_velocities(s.world, s.body, v, NULL));
    expect_near(deformation_of(&s).rms_speed, sqrt(26.0 / 4), 1e-6);
    close_subject(&s);
}

/* A million metres away floats are 6 cm apart. Cells of 10 cm are still measured to a thousandth of a millimetre. */
static void far_from_the_origin(void **state)
{
    (void)state;
    subject s;
    assert_true(taut_mesh_sheet(&s.mesh, 11, 11, 1, 1, NULL));
    open_subject(&s, NULL);
    float x[363];
    const double far[3] = {1e6, -2e6, 3e5};
    for (int i = 0; i < 363; i++) x[i] = s.mesh.x[i] * (i % 3 == 0 ? 1.1f : 1);
    assert_true(taut_body_set_positions_from(s.world, s.body, far, x, NULL));
    taut_deformation d = deformation_of(&s);
    expect_near(d.stretch.worst, 0.1, 1e-4);
    expect_near(d.compression.worst + d.shear.worst, 0, 1e-4);
    close_subject(&s);
}

/* The same bits after a restore, with another number of threads, and as the steps go on; the cloth has levels. */
static void a_restored_body_has_the_same_numbers(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(50);
    taut_model *model = taut_model_build(&mesh, NULL, NULL, NULL);
    taut_measurer *measurer = taut_measurer_build(&mesh, NULL, NULL);
    assert_true(model && measurer && taut_model_levels(model) > 0);
    taut_world *world[2];
    taut_deformation d[2];
    for (int i = 0; i < 2; i++) {
        taut_world_def def = taut_default_world_def();
        def.threads = 1 + i;
        def.gravity[0] = 3, def.gravity[2] = 5; /* it swings out of its plane */
        world[i] = taut_world_create(&def, NULL);
        assert_non_null(world[i]);
    }
    int body = add_at(world[0], model, 0, 0, 0);
    step_times(world[0], 10);
    save saved = take_save(world[0]);
    assert_true(taut_world_restore(world[1], saved.bytes, saved.size, (const taut_model *const *)&model, 1, NULL));
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 2; i++) {
            assert_true(taut_body_deformation(world[i], body, measurer, &d[i], NULL));
            step_times(world[i], 1);
        }
        assert_memory_equal(&d[0], &d[1], sizeof d[0]);
        assert_true(d[0].stretch.worst > 0 && d[0].rms_speed > 0);
        assert_true(d[0].stretch.p50 <= d[0].stretch.p99 && d[0].stretch.p99 <= d[0].stretch.worst);
    }
    free(saved.bytes);
    for (int i = 0; i < 2; i++) taut_world_free(world[i]);
    taut_measurer_free(measurer);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

/* ---- Trouble ---- */

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    subject s;
    taut_error error = stale();
    taut_deformation d;
    assert_true(taut_mesh_sheet(&s.mesh, 5, 5, 1, 1, NULL));
    open_subject(&s, NULL);
    taut_mesh other;
    assert_true(taut_mesh_sheet(&other, 4, 5, 1, 1, NULL));
    taut_measurer *wrong = taut_measurer_build(&other, NULL, NULL);
    assert_false(taut_body_deformation(s.world, s.body, wrong, &d, &error));
    assert_string_equal(error.text, "the measurer is of another mesh: it has 20 vertices, body 0 has 25");
    taut_world_remove_body(s.world, s.body);
    assert_false(taut_body_deformation(s.world, s.body, s.measurer, &d, &error));
    assert_int_equal(error.code, TAUT_BAD_ARGUMENT);
    assert_true(d.stretch.worst == 0 && d.rms_speed == 0);
    taut_measurer_free(wrong);
    taut_mesh_free(&other);
    close_subject(&s);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    subject s;
    assert_true(taut_mesh_sheet(&s.mesh, 5, 5, 1, 1, NULL));
    open_subject(&s, NULL);
    heap h;
    heap_open(&h);
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    def.allocator = &h.hook;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    int body = add_at(world, s.model, 0, 0, 0);
    taut_deformation d;
    for (int i = 1; i <= 3; i++) {
        taut_error error = stale();
        int64_t live = h.live;
        heap_fail(&h, i);
        bool done = taut_body_deformation(world, body, s.measurer, &d, &error);
        assert_true(done == (i == 3));
        if (!done) assert_int_equal(error.code, TAUT_NO_MEMORY);
        assert_int_equal(h.live, live);
    }
    taut_world_free(world);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_is_pulled_and_pushed),
        cmocka_unit_test(shear_is_told_from_stretch),
        cmocka_unit_test(shear_ends_at_a_right_angle),
        cmocka_unit_test(the_worst_is_told_from_the_many),
        cmocka_unit_test(solids_and_ropes),
        cmocka_unit_test(speed_of_all_vertices),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(a_restored_body_has_the_same_numbers),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
