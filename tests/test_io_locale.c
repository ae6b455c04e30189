/* The process's locale changes neither writing nor reading of files. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_cache_read.h"
#include "helpers_locale.h"
#include "io/json.h"

/* A triangle whose numbers take every path through the writer: short, tiny, huge. */
static float odd_x[] = {0.5f, -1.25e-12f, 3.4e12f, 1.1f, 2, 0, -0.001f, 1, 7e-7f};
static int odd_tri[] = {0, 1, 2};
static float odd_uv[] = {0.25f, 1e-20f, 1, 0.5f, 0, 1};
static const taut_mesh odd_mesh = {.nvertices = 3, .ntris = 1, .x = odd_x, .tri = odd_tri, .uv = odd_uv};

static void save_mesh(const char *name)
{
    taut_error error;
    if (!taut_mesh_save(in_folder(name), &odd_mesh, &error)) fail_msg("%s", error.text);
}

/* 29.97 frames a second: times have digits behind the point. */
static void save_cache(const char *name)
{
    taut_error error;
    taut_cache *cache = taut_cache_open(in_folder(name), show.object, CACHE_OBJECTS, 29.97, 3, 0, &error);
    if (!cache) fail_msg("%s", error.text);
    write_frames(cache, 0, 3);
    close_cache(cache);
}

static void assert_same_file(const char *name, const char *other)
{
    bytes a = slurp(name), b = slurp(other);
    if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) fail_msg("%s and %s differ", name, other);
    free(a.data);
    free(b.data);
}

/* Writes in the C locale and in those with commas, and compares the files that `kept` names. */
static void check_writer(void (*save)(const char *), const char *name, const char *const *kept)
{
    char mine[100], plain[100];
    save(name);
    for (int k = 0; kept[k]; k++) {
        snprintf(mine, sizeof mine, "%s", in_folder(kept[k]));
        snprintf(plain, sizeof plain, "plain-%s", kept[k]);
        assert_int_equal(rename(mine, in_folder(plain)), 0);
    }
    for (int i = 0; i < COMMA_LOCALES; i++) {
        assert_non_null(setlocale(LC_ALL, comma_locales[i]));
        save(name);
        assert_non_null(setlocale(LC_ALL, "C"));
        for (int k = 0; kept[k]; k++) {
            snprintf(plain, sizeof plain, "plain-%s", kept[k]);
            assert_same_file(kept[k], plain);
        }
    }
}

static void meshes_are_written_with_points(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"odd.obj"}, {"odd.ply"}, {"odd.msh"}, {"odd.vtk"}};
    for (int i = 0; i < 4; i++) check_writer(save_mesh, names[i][0], names[i]);
}

static void caches_are_written_with_points(void **state)
{
    (void)state;
    static const char *const names[][3] = {{"c0002.obj"}, {"c0002.ply"}, {"c.glb"}, {"c.usda"}, {"c0002.vtu", "c.pvd"}};
    static const char *const paths[] = {"c.obj", "c.ply", "c.glb", "c.usda", "c.vtu"};
    for (int i = 0; i < 5; i++) check_writer(save_cache, paths[i], names[i]);
}

/* Numbers of many digits take another path than short ones. */
static void meshes_are_read_with_points(void **state)
{
    (void)state;
    static const char text[] = "v 0.5 1.2345678901234567890 -2.5e-30\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    static const char commas[] = "v 0,5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (int i = 0; i < COMMA_LOCALES; i++) {
        taut_mesh_file file;
        taut_error error = {.text = ""};
        assert_non_null(setlocale(LC_ALL, comma_locales[i]));
        bool good = taut_mesh_parse("a.obj", text, sizeof text - 1, &file, &error);
        bool accepted = taut_mesh_parse("b.obj", commas, sizeof commas - 1, &(taut_mesh_file){0}, NULL);
        assert_non_null(setlocale(LC_ALL, "C"));
        if (!good) fail_msg("%s", error.text);
        assert_same(file.mesh.x[0], 0.5f);
        assert_same(file.mesh.x[1], 1.2345678901234567890f);
        assert_same(file.mesh.x[2], -2.5e-30f);
        taut_mesh_file_free(&file);
        assert_false(accepted);
    }
}

static void json_is_read_with_points(void **state)
{
    (void)state;
    tt_scope scope;
    static const char text[] = "[1.25e1, 0.1234567890123456789]";
    tt_scope_open(&scope, NULL);
    for (int i = 0; i < COMMA_LOCALES; i++) {
        assert_non_null(setlocale(LC_ALL, comma_locales[i]));
        const tio_json *array = tio_json_parse(&scope, "t", text, sizeof text - 1, NULL);
        assert_non_null(setlocale(LC_ALL, "C"));
        assert_non_null(array);
        assert_true(array->first->number == 12.5);
        assert_true(array->first->next->number == 0.1234567890123456789);
    }
    tt_scope_close(&scope);
}

static int open_all(void **state) { return open_folder(state) || make_comma_locales(state) ? -1 : 0; }
static int close_all(void **state) { return close_folder(state) || remove_comma_locales(state) ? -1 : 0; }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_written_with_points),
        cmocka_unit_test(caches_are_written_with_points),
        cmocka_unit_test(meshes_are_read_with_points),
        cmocka_unit_test(json_is_read_with_points),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
