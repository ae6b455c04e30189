/* UVs on their way from mesh files and generators to written files: every format with UVs gives back the UV of each
 * corner. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_cache_read.h"

/*  3---4---5   two quads whose UVs differ at the edge 1-4, a triangle without UVs, two triangles without a seam */
static const float seam_x[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
static const int seam_start[] = {0, 4, 8}, seam_polygon[] = {0, 1, 4, 3, 1, 2, 5, 4};
static const float seam_uv[] = {0, 0, 0.5f, 0, 0.5f, 1, 0, 1, 0.75f, 0.125f, 1, 0.25f, 1, 1, 0.625f, 0.375f};
static const float plain_x[] = {5, 0, 0, 6, 0, 0, 5, 1, 0};
static const int plain_start[] = {0, 3}, plain_polygon[] = {0, 1, 2};
static const float even_x[] = {0, 0, 3, 1, 0, 3, 0, 1, 3, 1, 1, 3};
static const int even_start[] = {0, 3, 6}, even_polygon[] = {0, 1, 2, 2, 1, 3};
static const float even_uv[] = {0, 0.5f, 0.25f, 0, 0, 1, 0, 1, 0.25f, 0, 0.375f, 0.75f};
enum { SEAM_CORNERS = 8, PLAIN_CORNERS = 3, EVEN_CORNERS = 6 };

static const taut_cache_object objects[] = {
    {"even", 4, even_x, 2, even_start, even_polygon, 0, NULL, even_uv},
    {"plain", 3, plain_x, 1, plain_start, plain_polygon, 0, NULL, NULL},
    {"seam", 6, seam_x, 2, seam_start, seam_polygon, 0, NULL, seam_uv},
};

static void write_objects(const char *name, int nobjects)
{
    taut_error error;
    const float *const xyz[] = {even_x, plain_x, seam_x};
    taut_cache *cache = taut_cache_open(in_folder(name), objects, nobjects, 25, 2, 0, &error);
    if (!cache || !taut_cache_write(cache, xyz, NULL, 0, &error) || !taut_cache_write(cache, xyz, NULL, 0, &error))
        fail_msg("%s", error.text);
    close_cache(cache);
}

static void assert_uvs(const float *found, const float *expected, int corners)
{
    for (int i = 0; i < 2 * corners; i++) assert_same(found[i], expected ? expected[i] : 0);
}

static void check_sequence(const char *name, int nobjects)
{
    taut_mesh_file file;
    taut_error error;
    if (!taut_mesh_load(in_folder(name), &file, &error)) fail_msg("%s", error.text);
    assert_int_equal(file.mesh.nvertices, nobjects == 2 ? 7 : 13);
    assert_non_null(file.polygon_uv);
    assert_uvs(file.polygon_uv, even_uv, EVEN_CORNERS);
    assert_uvs(file.polygon_uv + 12, NULL, PLAIN_CORNERS);
    if (nobjects == 3) assert_uvs(file.polygon_uv + 18, seam_uv, SEAM_CORNERS);
    taut_mesh_file_free(&file);
}

static void obj_has_uvs(void **state)
{
    (void)state;
    write_objects("uv.obj", 3);
    check_sequence("uv0000.obj", 3);
    check_sequence("uv0001.obj", 3);
}

static void ply_has_uvs_of_vertices_without_seams(void **state)
{
    (void)state;
    write_objects("even.ply", 2);
    check_sequence("even0001.ply", 2);
    bytes b = slurp("even0001.ply");
    behind((char *)b.data, "property float s\nproperty float t\n");
    assert_null(strstr((char *)b.data, "texcoord"));
    free(b.data);
}

static void ply_has_uvs_of_corners_at_seams(void **state)
{
    (void)state;
    write_objects("seam.ply", 3);
    check_sequence("seam0001.ply", 3);
    bytes b = slurp("seam0001.ply");
    behind((char *)b.data, "property list uchar float texcoord\n");
    free(b.data);
}

static void usda_has_uvs(void **state)
{
    (void)state;
    write_objects("uv.usda", 3);
    bytes b = slurp("uv.usda");
    const char *at = behind((char *)b.data, "def Mesh \"even\"");
    at = behind(at, "texCoord2f[] primvars:st = [(0, 0.5), (0.25, 0), (0, 1), (0, 1), (0.25, 0), (0.375, 0.75)] (\n"
                    "            interpolation = \"faceVarying\"\n");
    at = behind(behind(at, "def Mesh \"seam\""), "primvars:st = [");
    assert_null(strstr(at, "primvars:st"));
    free(b.data);
}

/* ---- GLB: vertices 1 and 4 of "seam" are there twice ------------------------------------------------------------- */

static uint64_t accessor_number(const char *text, int accessor, const char *key)
{
    const char *at = behind(text, "\"accessors\":[");
    for (int i = 0; i <= accessor; i++) at = behind(at, "{\"bufferView\":");
    const char *end = strchr(at, '}'), *found = strstr(at, key);
    assert_true(found && found < end);
    found += strlen(key);
    return next_number(&found);
}

static uint64_t view_offset(const char *text, uint64_t index)
{
    const char *at = behind(text, "\"bufferViews\":[");
    for (uint64_t i = 0; i <= index; i++) at = behind(at, "\"byteOffset\":");
    return next_number(&at);
}

static void glb_splits_vertices_at_seams(void **state)
{
    (void)state;
    write_objects("uv.glb", 3);
    bytes b = slurp("uv.glb");
    const char *text = (char *)b.data + 20;
    size_t binary = 20 + (size_t)(b.data[12] | b.data[13] << 8 | b.data[14] << 16) + 8;
    behind(text, "\"name\":\"plain\",\"primitives\":[{\"mode\":4,\"attributes\":{\"POSITION\":5},\"indices\":8,");
    const char *at = behind(text, "\"name\":\"seam\",\"primitives\":[{\"mode\":4,\"attributes\":{\"POSITION\":");
    int rest = (int)next_number(&at);
    at = behind(at, ",\"TEXCOORD_0\":");
    int uvs = (int)next_number(&at);
    at = behind(at, "},\"indices\":");
    int indices = (int)next_number(&at);
    behind(at, "],\"extras\":{\"originals\":[1,4]}}");
    assert_int_equal(uvs, rest + 3);
    for (int i = rest; i < uvs; i++) assert_int_equal(accessor_number(text, i, "\"count\":"), 8);
    assert_int_equal(accessor_number(text, uvs, "\"count\":"), 8);
    bytes numbers = b;
    size_t uv_at = binary + view_offset(text, (uint64_t)accessor_number(text, rest, "") + 1);
    numbers.at = uv_at + 64;
    assert_int_equal(accessor_number(text, indices, "\"count\":"), 12);
    const int corner[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}; /* the quads as fans */
    for (int i = 0; i < 12; i++) {
        uint32_t vertex = take_little(&numbers);
        int original = vertex < 6 ? (int)vertex : vertex == 6 ? 1 : 4;
        assert_int_equal(original, seam_polygon[corner[i]]);
        assert_same(float_at(b, uv_at + 8 * vertex), seam_uv[2 * corner[i]]);
        assert_same(float_at(b, uv_at + 8 * vertex + 4), 1 - seam_uv[2 * corner[i] + 1]);
    }
    for (uint64_t vertex = 0; vertex < 8; vertex++) {
        uint64_t original = vertex < 6 ? vertex : vertex == 6 ? 1 : 4, place = uv_at - 3 * 96;
        assert_same(float_at(b, place + 12 * vertex), seam_x[3 * original]);
        assert_same(float_at(b, place + 96 + 12 * vertex), 0);
    }
    free(b.data);
}

/* ---- Meshes and scenes ------------------------------------------------------------------------------------------- */

static void saved_ply_has_uvs_of_vertices_without_seams(void **state)
{
    (void)state;
    taut_mesh sheet;
    taut_mesh_file file;
    assert_true(taut_mesh_sheet(&sheet, 3, 4, 1, 2, NULL));
    assert_true(taut_mesh_save(in_folder("sheet.ply"), &sheet, NULL));
    assert_true(taut_mesh_load(in_folder("sheet.ply"), &file, NULL));
    assert_uvs(file.mesh.uv, sheet.uv, 3 * sheet.ntris);
    taut_mesh_file_free(&file);
    taut_mesh_free(&sheet);
    bytes b = slurp("sheet.ply");
    behind((char *)b.data, "property float s\nproperty float t\n");
    free(b.data);
}

/* One vertex with as many UVs as triangles takes no longer than others. */
static void many_uvs_at_one_vertex(void **state)
{
    (void)state;
    enum { TRIANGLES = 200000 };
    taut_mesh fan = {.nvertices = TRIANGLES + 2, .ntris = TRIANGLES};
    fan.x = calloc(3 * (size_t)fan.nvertices, sizeof *fan.x);
    fan.tri = malloc(3 * sizeof *fan.tri * TRIANGLES);
    fan.uv = calloc(6 * (size_t)TRIANGLES, sizeof *fan.uv);
    assert_true(fan.x && fan.tri && fan.uv);
    for (int t = 0; t < TRIANGLES; t++) {
        fan.tri[3 * t] = 0, fan.tri[3 * t + 1] = t + 1, fan.tri[3 * t + 2] = t + 2;
        fan.uv[6 * t] = (float)t;
    }
    assert_true(taut_mesh_save(in_folder("fan.obj"), &fan, NULL));
    bytes b = slurp("fan.obj");
    behind((char *)b.data, "\nf 1/1 2/2 3/3\nf 1/200003 3/3 4/4\n");
    free(b.data);
    taut_mesh_free(&fan);
}

static taut_scene *parse_scene(const char *text)
{
    taut_error error;
    taut_scene *scene = taut_scene_parse(in_folder("scene.json"), text, strlen(text), NULL, &error);
    if (!scene) fail_msg("%s", error.text);
    return scene;
}

static void scenes_show_the_uvs_of_their_meshes(void **state)
{
    (void)state;
    taut_scene *scene = parse_scene(
        "{\"bodies\": [{\"name\": \"a\", \"mesh\": {\"generator\": \"sheet\", \"nx\": 3, \"ny\": 3, \"width\": 1, "
        "\"height\": 1}, \"copies\": {\"count\": [2, 1, 1], \"spacing\": [2, 0, 0]}},"
        "{\"name\": \"b\", \"mesh\": {\"generator\": \"merge\", \"parts\": [{\"mesh\": {\"generator\": \"sphere\", "
        "\"levels\": 0, \"radius\": 1}}, {\"mesh\": {\"generator\": \"sheet\", \"nx\": 2, \"ny\": 2, \"width\": 1, "
        "\"height\": 1}, \"transform\": {\"position\": [5, 0, 0]}}]}},"
        "{\"name\": \"c\", \"mesh\": {\"generator\": \"beam\", \"nx\": 1, \"ny\": 1, \"nz\": 1, \"size\": [1, 1, 1]}, "
        "\"render_mesh\": {\"generator\": \"sheet\", \"nx\": 2, \"ny\": 2, \"width\": 1, \"height\": 1}},"
        "{\"name\": \"d\", \"mesh\": {\"generator\": \"beam\", \"nx\": 1, \"ny\": 1, \"nz\": 1, \"size\": [1, 1, "
        "1]}}]}");
    for (int i = 0; i < 2; i++) assert_uvs(scene->body[i].shown.uv, scene->body[i].file.mesh.uv, 24);
    const taut_cache_object *merged = &scene->body[2].shown;
    assert_int_equal(merged->npolygons, 22);
    assert_uvs(merged->uv, NULL, 60); /* the sphere has none */
    assert_uvs(merged->uv + 120, scene->body[2].file.mesh.uv + 120, 6);
    bool has_any = false;
    for (int i = 120; i < 132; i++) has_any = has_any || merged->uv[i] != 0;
    assert_true(has_any);
    assert_non_null(scene->body[3].shown.uv);
    assert_null(scene->body[4].shown.uv);
    taut_scene_free(scene);
}

static void uvs_must_be_finite(void **state)
{
    (void)state;
    taut_error error;
    const float bad[] = {0, 0, 1, NAN, 0, 1};
    const taut_cache_object object = {"o", 3, plain_x, 1, plain_start, plain_polygon, 0, NULL, bad};
    assert_null(taut_cache_open(in_folder("bad.obj"), &object, 1, 25, 1, 0, &error));
    assert_string_equal(error.text, "object o: the UV of corner 1 is not finite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_has_uvs),
        cmocka_unit_test(ply_has_uvs_of_vertices_without_seams),
        cmocka_unit_test(ply_has_uvs_of_corners_at_seams),
        cmocka_unit_test(usda_has_uvs),
        cmocka_unit_test(glb_splits_vertices_at_seams),
        cmocka_unit_test(saved_ply_has_uvs_of_vertices_without_seams),
        cmocka_unit_test(many_uvs_at_one_vertex),
        cmocka_unit_test(scenes_show_the_uvs_of_their_meshes),
        cmocka_unit_test(uvs_must_be_finite),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
