/* Animation caches: a small reader for each format reads it back. tests/caches.sh uses readers of other programs. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_cache_read.h"
#include "helpers_loans.h"

/* ---- Surfaces -------------------------------------------------------------------------------------------------- */

static double volume_inside(const float *x, const int *tri, int ntris)
{
    double volume = 0;
    for (int i = 0; i < ntris; i++) {
        const float *a = x + 3 * tri[3 * i], *b = x + 3 * tri[3 * i + 1], *c = x + 3 * tri[3 * i + 2];
        volume += (double)a[0] * ((double)b[1] * (double)c[2] - (double)b[2] * (double)c[1]) +
                  (double)a[1] * ((double)b[2] * (double)c[0] - (double)b[0] * (double)c[2]) +
                  (double)a[2] * ((double)b[0] * (double)c[1] - (double)b[1] * (double)c[0]);
    }
    return volume / 6;
}

static void surface_of_a_beam_faces_out(void **state)
{
    (void)state;
    taut_mesh beam;
    tt_scope scope;
    int ntris;
    tt_scope_open(&scope, NULL);
    assert_true(taut_mesh_beam(&beam, 3, 2, 1, 3, 2, 1, NULL));
    for (int pass = 0; pass < 2; pass++) {
        const int *tri = tt_surface(&scope, beam.x, beam.tet, beam.ntets, &ntris);
        assert_non_null(tri);
        assert_int_equal(ntris, 2 * 2 * (3 * 2 + 2 * 1 + 3 * 1));
        assert_true(fabs(volume_inside(beam.x, tri, ntris) - 6) < 1e-5);
        for (int i = 0; i < beam.ntets; i += 2) { /* in the second pass tets are given inside out */
            int corner = beam.tet[4 * i];
            beam.tet[4 * i] = beam.tet[4 * i + 1];
            beam.tet[4 * i + 1] = corner;
        }
    }
    tt_scope_close(&scope);
    taut_mesh_free(&beam);
}

static void surface_of_nothing_is_empty(void **state)
{
    (void)state;
    tt_scope scope;
    int ntris = -1;
    tt_scope_open(&scope, NULL);
    assert_non_null(tt_surface(&scope, flag_rest, NULL, 0, &ntris));
    assert_int_equal(ntris, 0);
    tt_scope_close(&scope);
}

/* ---- Formats --------------------------------------------------------------------------------- */

static void pc2_has_every_position(void **state)
{
    (void)state;
    write_cache("one.pc2", 1, CACHE_FRAMES);
    check_pc2("one.pc2", 0, CACHE_FRAMES);
    write_cache("short.pc2", 1, 3);
    check_pc2("short.pc2", 0, 3);
    assert_false(exists("short.pc2.part"));
    write_cache("many.pc2", 3, 2);
    check_pc2("many-flag.pc2", 0, 2);
    check_pc2("many-my _box_ & _co_.pc2", 1, 2);
    check_pc2("many-1-rope.pc2", 2, 2);
}

static void mdd_has_every_position(void **state)
{
    (void)state;
    write_cache("one.mdd", 1, CACHE_FRAMES);
    check_mdd("one.mdd", 0, CACHE_FRAMES);
    write_cache("short.mdd", 1, 3);
    check_mdd("short.mdd", 0, 3);
    write_cache("many.mdd", 3, 2);
    check_mdd("many-1-rope.mdd", 2, 2);
}

static void obj_has_a_file_a_frame(void **state)
{
    (void)state;
    write_cache("plain.obj", 3, 3);
    check_obj("plain0000.obj", 0);
    check_obj("plain0002.obj", 2);
    assert_false(exists("plain0003.obj"));
    write_cache("named-%02d-x.obj", 3, 2);
    check_obj("named-01-x.obj", 1);
    write_cache("n%d.obj", 3, 2);
    check_obj("n1.obj", 1);
}

static void ply_has_a_file_a_frame(void **state)
{
    (void)state;
    write_cache("plain.ply", 3, 3);
    check_ply("plain0000.ply", 0, 0);
    check_ply("plain0002.ply", 2, 0);

    enum { CORNERS = 300 };
    int polygon[CORNERS], start[] = {0, CORNERS};
    for (int i = 0; i < CORNERS; i++) polygon[i] = i % 7;
    taut_cache_object huge = show.object[0];
    huge.npolygons = 1, huge.polygon_start = start, huge.polygon = polygon;
    taut_cache *cache = taut_cache_open(in_folder("wide.ply"), &huge, 1, CACHE_FPS, 2, 0, NULL);
    write_frames(cache, 0, 1);
    close_cache(cache);
    check_ply("wide0000.ply", 0, CORNERS);
}

static void glb_has_every_position(void **state)
{
    (void)state;
    write_cache("all.glb", 3, CACHE_FRAMES);
    check_glb("all.glb", CACHE_FRAMES);
    write_cache("short.glb", 3, 2);
    check_glb("short.glb", 2);
    write_cache("none.glb", 3, 0);
    check_glb("none.glb", 0);
}

static void glb_refuses_what_cannot_fit(void **state)
{
    (void)state;
    taut_error error;
    assert_null(taut_cache_open(in_folder("huge.glb"), show.object, 3, CACHE_FPS, 100000, 0, &error));
    assert_non_null(strstr(error.text, "4 GiB"));
    assert_false(exists("huge.glb.part"));
}

static void vtu_has_a_file_a_frame_and_a_list(void **state)
{
    (void)state;
    write_cache("plain.vtu", 3, 3);
    check_vtu("plain0000.vtu", 0);
    check_vtu("plain0002.vtu", 2);
    check_pvd("plain.pvd", "plain%04d.vtu\"", 3);
    write_cache("other.pvd", 3, 2);
    check_vtu("other0001.vtu", 1);
    check_pvd("other.pvd", "other%04d.vtu\"", 2);
    write_cache("v%02d.vtu", 3, 2);
    check_vtu("v01.vtu", 1);
    check_pvd("v.pvd", "v%02d.vtu\"", 2);
}

static void vtu_wants_the_same_fields_everywhere(void **state)
{
    (void)state;
    taut_error error;
    const taut_cache_field one[] = {{"strain", show.field[0]}}, other[] = {{"stress", show.field[1]}};
    const taut_cache_field *fields[] = {one, other, NULL}, *none[] = {NULL, NULL, NULL}, *some[] = {NULL, other, NULL};
    taut_cache *cache = open_cache("fields.vtu", 3, CACHE_FRAMES, 0);
    cache_show_set(&show, 0);
    const float *const *xyz = (const float *const *)show.xyz;
    assert_false(taut_cache_write(cache, xyz, fields, 1, &error));
    assert_non_null(strstr(error.text, "must be strain"));
    assert_false(exists("fields0000.vtu"));
    assert_true(taut_cache_write(cache, xyz, none, 1, &error));
    assert_true(taut_cache_write(cache, xyz, NULL, 0, &error));
    assert_true(taut_cache_write(cache, xyz, some, 1, &error));
    close_cache(cache);

    bytes b = slurp("fields0002.vtu");
    const char *at = (char *)b.data;
    size_t data = (size_t)(behind(at, "<AppendedData encoding=\"raw\">\n_") - at);
    bytes values = open_array(&at, &b, data, "stress", 4 * FLAG_POLYGONS);
    for (int k = 0; k < FLAG_POLYGONS; k++) assert_true(isnan(as_float(take_little(&values))));
    free(b.data);
    assert_false(exists("fields0003.vtu"));
}

static void usda_has_every_position(void **state)
{
    (void)state;
    write_cache("all.usda", 3, CACHE_FRAMES);
    check_usda("all.usda", CACHE_FRAMES);
    write_cache("short.usda", 3, 2);
    check_usda("short.usda", 2);
    write_cache("none.usda", 3, 0);
    check_usda("none.usda", 0);
}

/* Objects are spoiled and freed as soon as the cache is open. */
static void write_from_loans(const char *name, int nobjects, int frames)
{
    loans l = {.spoil = true};
    taut_cache_object *object = lend(&l, show.object, (size_t)nobjects * sizeof *object);
    for (int i = 0; i < nobjects; i++) {
        taut_cache_object *o = &object[i];
        size_t corners = o->npolygons ? (size_t)o->polygon_start[o->npolygons] : 0;
        o->name = lend(&l, o->name, strlen(o->name) + 1);
        o->rest = lend(&l, o->rest, 3 * (size_t)o->nvertices * sizeof *o->rest);
        if (o->ntets) o->tet = lend(&l, o->tet, 4 * (size_t)o->ntets * sizeof *o->tet);
        if (!corners) continue;
        o->polygon = lend(&l, o->polygon, corners * sizeof *o->polygon);
        o->polygon_start = lend(&l, o->polygon_start, ((size_t)o->npolygons + 1) * sizeof *o->polygon_start);
    }
    const char *path = in_folder(name);
    taut_cache *cache =
        taut_cache_open(lend(&l, path, strlen(path) + 1), object, nobjects, CACHE_FPS, frames, 0, NULL);
    assert_non_null(cache);
    take_back(&l);
    write_frames(cache, 0, frames);
    close_cache(cache);
}

static void a_cache_keeps_nothing_of_the_caller(void **state)
{
    (void)state;
    write_from_loans("lent.pc2", 1, 2);
    check_pc2("lent.pc2", 0, 2);
    write_from_loans("lent.obj", 3, 2);
    check_obj("lent0001.obj", 1);
    write_from_loans("lent.ply", 3, 2);
    check_ply("lent0001.ply", 1, 0);
    write_from_loans("lent.glb", 3, 2);
    check_glb("lent.glb", 2);
    write_from_loans("lent.usda", 3, 2);
    check_usda("lent.usda", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_of_a_beam_faces_out),
        cmocka_unit_test(surface_of_nothing_is_empty),
        cmocka_unit_test(pc2_has_every_position),
        cmocka_unit_test(mdd_has_every_position),
        cmocka_unit_test(obj_has_a_file_a_frame),
        cmocka_unit_test(ply_has_a_file_a_frame),
        cmocka_unit_test(glb_has_every_position),
        cmocka_unit_test(glb_refuses_what_cannot_fit),
        cmocka_unit_test(vtu_has_a_file_a_frame_and_a_list),
        cmocka_unit_test(vtu_wants_the_same_fields_everywhere),
        cmocka_unit_test(usda_has_every_position),
        cmocka_unit_test(a_cache_keeps_nothing_of_the_caller),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
