/* Copies, render meshes, meshes made of others, stiffness and mass by place, and settings for pictures. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BEAM "{\"generator\":\"beam\",\"nx\":2,\"ny\":1,\"nz\":1,\"size\":[2,1,1]}"
#define NEAR(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

/* ---- Copies ---- */

static void test_copies(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"bodies\":[{\"name\":\"flag\",\"mesh\":" SHEET ","
        "\"pins\":[{\"highest\":0},{\"lowest\":0,\"stiffness\":0.5}],"
        "\"transform\":{\"position\":[1,0,0]},\"copies\":{\"count\":[3,1,2],\"spacing\":[2,0,-4],"
        "\"colors\":[\"#ff0000\",[0,1,0]]}},{\"mesh\":" SHEET ",\"copies\":{\"count\":[1,2,1],\"spacing\":[0,9,0]}}]}");
    assert_int_equal(scene->nbodies, 8);
    for (int i = 0; i < 6; i++) {
        char name[16];
        const taut_scene_body *body = &scene->body[i];
        snprintf(name, sizeof name, "flag_%d", i);
        assert_string_equal(body->name, name);
        assert_ptr_equal(body->model, scene->body[0].model);
        assert_ptr_equal(body->file.mesh.x, scene->body[0].file.mesh.x);
        assert_true(body->color[0] == (i % 2 ? 0 : 1) && body->color[1] == (i % 2 ? 1 : 0));
        NEAR(body->shown.rest[0], -0.5 + 1 + 2 * (i % 3), 1e-6);
        NEAR(body->shown.rest[2], i >= 3 ? -4 : 0, 0);
        assert_int_equal(body->shown.nvertices, 20);
    }
    assert_string_equal(scene->body[6].name, "body1_0");
    assert_string_equal(scene->body[7].name, "body1_1");
    assert_ptr_not_equal(scene->body[6].model, scene->body[0].model);
    NEAR(scene->body[7].shown.rest[1], 9, 0);
    /* All copies move alike, each in its place. */
    float a[60], b[60];
    for (int i = 0; i < 20; i++) assert_true(taut_scene_step(scene, NULL));
    taut_scene_show(scene, 0, a);
    taut_scene_show(scene, 4, b);
    for (int v = 0; v < 20; v++) {
        NEAR(b[3 * v] - a[3 * v], 2, 1e-3);
        NEAR(b[3 * v + 1], a[3 * v + 1], 1e-3);
    }
    taut_scene_free(scene);
    run_scene("{\"bodies\":[{\"mesh\":" SHEET ",\"pins\":[{\"vertex\":0}],\"copies\":{\"count\":[2,2,2],"
              "\"spacing\":[1,1,1]}}]}",
              9);
}

static void test_bad_copies(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"\"copies\":{\"count\":[2,1,1]}", "t:1:89: bodies[0].copies has no \"spacing\""},
        {"\"copies\":{\"count\":2,\"spacing\":[1,1,1]}",
         "t:1:98: bodies[0].copies.count must be an array of 3 numbers"},
        {"\"copies\":{\"count\":[2,0,1],\"spacing\":[1,1,1]}",
         "t:1:101: bodies[0].copies.count[1] must be a whole number in [1,1000000], got 0"},
        {"\"copies\":{\"count\":[1000,1000,2],\"spacing\":[1,1,1]}",
         "t:1:98: bodies[0].copies.count makes more than 1000000 bodies"},
        {"\"copies\":{\"count\":[2,1,1],\"spacing\":[1,1,1],\"colors\":[]}",
         "t:1:133: bodies[0].copies.colors must have at least one colour"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"bodies\":[{\"mesh\":" SHEET ",%s}]}", cases[i].text);
        expect_refused(text, cases[i].message);
    }
    expect_refused("{\"bodies\":[{\"name\":\"a_1\",\"mesh\":" SHEET "},\n{\"name\":\"a\",\"mesh\":" SHEET ","
                   "\"copies\":{\"count\":[2,1,1],\"spacing\":[1,0,0]}}]}",
                   "t:2:9: bodies[1].name is \"a_1\" like that of bodies[0]");
}

/* ---- Render meshes ---- */

/* A fine sheet rides on a coarse one. While the coarse sheet is flat, both are in the same plane. */
static void test_render_mesh(void **state)
{
    (void)state;
    taut_scene *scene =
        good_scene("{\"gravity\":[0,0,-9],\"bodies\":[{"
                   "\"mesh\":{\"generator\":\"sheet\",\"nx\":3,\"ny\":3,\"width\":1,\"height\":1},"
                   "\"render_mesh\":{\"generator\":\"sheet\",\"nx\":9,\"ny\":9,\"width\":1,\"height\":1},"
                   "\"transform\":{\"rotation\":[0,0,90],\"scale\":3,\"position\":[0,0,1]},"
                   "\"copies\":{\"count\":[2,1,1],\"spacing\":[5,0,0]}}]}");
    const taut_scene_body *body = &scene->body[0];
    assert_int_equal(body->file.mesh.nvertices, 9);
    assert_int_equal(body->shown.nvertices, 81);
    assert_int_equal(body->shown.npolygons, 128);
    /* Vertex 8 of the fine sheet is at (0.5, 0): turned and scaled (0, 1.5). */
    NEAR(body->shown.rest[24], 0, 1e-5);
    NEAR(body->shown.rest[25], 1.5, 1e-5);
    NEAR(scene->body[1].shown.rest[24], 5, 1e-5);
    float fine[243];
    for (int i = 0; i < 30; i++) assert_true(taut_scene_step(scene, NULL));
    taut_scene_show(scene, 1, fine);
    const float *coarse = taut_body_positions(scene->world, scene->body[1].body, NULL);
    static const int same[9] = {0, 4, 8, 36, 40, 44, 72, 76, 80}; /* vertices at the same place */
    for (int v = 0; v < 9; v++)
        for (int c = 0; c < 3; c++) NEAR(fine[3 * same[v] + c], coarse[3 * v + c], 1e-5);
    assert_true(fine[2] < 0.5f); /* it has fallen */
    taut_scene_free(scene);

    /* A sphere in a solid of tets. */
    scene = good_scene("{\"bodies\":[{\"mesh\":{\"generator\":\"fill\",\"surface\":{\"generator\":\"sphere\","
                       "\"levels\":2,\"radius\":0.5},\"cell\":0.25},\"render_mesh\":{\"generator\":\"sphere\","
                       "\"levels\":3,\"radius\":0.5}}]}");
    assert_true(scene->body[0].file.mesh.ntets > 20);
    assert_int_equal(scene->body[0].shown.ntets, 0);
    assert_int_equal(scene->body[0].shown.npolygons, 1280);
    taut_scene_free(scene);

    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"render_mesh\":{\"generator\":\"sphere\",\"levels\":1}}]}",
                   "t:2:15: bodies[0].render_mesh has no \"radius\"");
    expect_refused("{\"bodies\":[{\"mesh\":{\"generator\":\"chain\",\"n\":3,\"length\":1},\n"
                   "\"render_mesh\":" SHEET "}]}",
                   "t:2:15: bodies[0].render_mesh: the simulated mesh has no triangle or tet that is not flat to carry "
                   "vertices");
}

/* ---- Meshes made of others ---- */

/* Two beams end to end and a chain that hangs from the second: one body. */
static void test_merge(void **state)
{
    (void)state;
    taut_scene *scene = good_scene("{\"bodies\":[{\"mesh\":{\"generator\":\"merge\",\"parts\":[{\"mesh\":" BEAM "},"
                                   "{\"name\":\"far\",\"mesh\":" BEAM ",\"transform\":{\"position\":[2,0,0]}},"
                                   "{\"mesh\":{\"generator\":\"chain\",\"n\":4,\"length\":6},"
                                   "\"transform\":{\"position\":[4,0.5,0.5],\"rotation\":[0,0,-90]}},"
                                   "{\"mesh\":{\"generator\":\"sheet\",\"nx\":2,\"ny\":2,\"width\":1,\"height\":1},"
                                   "\"transform\":{\"position\":[9,0,0]}}]},\"pins\":[{\"group\":\"far\"}]}]}");
    const taut_mesh *mesh = &scene->body[0].file.mesh;
    assert_int_equal(mesh->nvertices, 12 + 8 + 3 + 4); /* a face of four is shared, and one vertex by the chain */
    assert_int_equal(mesh->ntets, 20);
    assert_int_equal(mesh->nlines, 3);
    assert_int_equal(mesh->ntris, 2);
    taut_mesh sheet;
    assert_true(taut_mesh_sheet(&sheet, 2, 2, 1, 1, NULL));
    assert_memory_equal(mesh->uv, sheet.uv, 12 * sizeof *sheet.uv);
    taut_mesh_free(&sheet);
    int pinned = 0, tip = mesh->line[0];
    for (int v = 0; v < mesh->nvertices; v++) pinned += mesh->pinned[v];
    assert_int_equal(pinned, 12);
    NEAR(mesh->x[3 * tip], 4, 1e-6);
    assert_true(tip < 20 && mesh->pinned[tip]);
    NEAR(mesh->x[3 * mesh->line[5] + 1], -5.5, 1e-6);
    for (int t = 0; t < 2; t++)
        for (int c = 0; c < 3; c++) assert_true(mesh->tri[3 * t + c] >= 23);
    assert_int_equal(scene->body[0].file.npolygons, 2);
    taut_scene_free(scene);
}

/* Frames turn with their part; tets without frames get one from the part. */
static void test_frames_of_a_merge(void **state)
{
    (void)state;
    taut_scene *scene =
        good_scene("{\"bodies\":[{\"mesh\":{\"generator\":\"merge\",\"parts\":[{\"mesh\":" BEAM ",\"transform\":{"
                       "\"rotation\":[0,0,90]}},{\"mesh\":{\"generator\":\"torus\",\"around\":6,\"rings\":1,"
                       "\"big_radius\":1,\"small_radius\":0.2},\"transform\":{\"position\":[9,0,0]}}]}}]}");
    const taut_mesh *mesh = &scene->body[0].file.mesh;
    NEAR(mesh->frame[0], 0, 1e-6);
    NEAR(mesh->frame[1], 1, 1e-6);
    NEAR(mesh->frame[3], -1, 1e-6);
    taut_scene_free(scene);
}

/* Vertices of different parts within the welding distance become one, others do not. Two vertices of one part never
 * do. */
static void test_welds_of_a_merge(void **state)
{
    (void)state;
    static const char format[] =
        "{\"bodies\":[{\"mesh\":{\"generator\":\"merge\",\"weld\":%s,\"parts\":[{\"mesh\":{\"generator\":\"chain\","
        "\"n\":3,\"length\":0.02}},{\"mesh\":{\"generator\":\"chain\",\"n\":2,\"length\":1},"
        "\"transform\":{\"position\":[%s,0,0]}}]}}]}";
    static const struct {
        const char *weld, *x;
        int vertices;
    } welds[] = {
        {"0.015", "-0.012", 4}, {"0.015", "-0.016", 5}, {"0", "0", 4}, {"0", "0.0001", 5}, {"0.03", "0.02", 4}};
    for (size_t i = 0; i < sizeof welds / sizeof *welds; i++) {
        char text[500];
        snprintf(text, sizeof text, format, welds[i].weld, welds[i].x);
        taut_scene *scene = good_scene(text);
        assert_int_equal(scene->body[0].file.mesh.nvertices, welds[i].vertices);
        taut_scene_free(scene);
    }
}

static void test_bad_merge(void **state)
{
    (void)state;
    expect_refused("{\"bodies\":[{\"mesh\":\n{\"generator\":\"merge\"}}]}", "t:2:1: bodies[0].mesh has no \"parts\"");
    expect_refused("{\"bodies\":[{\"mesh\":\n{\"generator\":\"merge\",\"parts\":[]}}]}",
                   "t:2:30: bodies[0].mesh.parts must have at least one part");
    expect_refused("{\"bodies\":[{\"mesh\":\n{\"generator\":\"merge\",\"parts\":[{\"mesh\":" SHEET "},"
                   "{\"mash\":1}]}}]}",
                   "t:2:101: bodies[0].mesh.parts[1].mash is not a key here; did you mean \"mesh\"?");
    expect_refused("{\"bodies\":[{\"mesh\":\n{\"generator\":\"merge\",\"weld\":-1,\"parts\":[{\"mesh\":" SHEET "}]}}]}",
                   "t:2:29: bodies[0].mesh.weld must be at least 0, got -1");
    expect_refused("{\"bodies\":[{\"mesh\":\n{\"generator\":\"fill\",\"surface\":\"no.obj\"}}]}",
                   "t:2:31: bodies[0].mesh.surface: no.obj: cannot open: No such file or directory");
    taut_error error;
    /* Welding that collapses triangles. */
    assert_null(read_scene("{\"bodies\":[{\"mesh\":{\"generator\":\"merge\",\"weld\":5,\"parts\":[{\"mesh\":" SHEET
                           "},{\"mesh\":" SHEET ",\"transform\":{\"position\":[4,0,0]}}]}}]}",
                           &error));
    assert_non_null(strstr(error.text, "bodies[0].mesh: "));
    assert_null(read_scene("{\"bodies\":[{\"mesh\":{\"generator\":\"fill\",\"surface\":" SHEET "}}]}", &error));
    assert_non_null(strstr(error.text, "bodies[0].mesh: "));
}

/* ---- By place ---- */

static void test_scales_and_masses(void **state)
{
    (void)state;
    taut_scene *scene =
        good_scene("{\"gravity\":[0,0,0],\"bodies\":[{\"mesh\":" SHEET ",\"transform\":{\"position\":[0,5,0]},"
                   "\"stiffness_scale\":["
                   "{\"all\":true,\"scale\":0.5},{\"highest\":0.3,\"scale\":0.25}],"
                   "\"masses\":[{\"all\":true,\"mass\":2},{\"vertex\":7,\"mass\":3}]}]}");
    NEAR(scene->body[0].mass, 41, 1e-12); /* 20 vertices */
    const taut_mesh *mesh = &scene->body[0].file.mesh;
    int quarter = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        bool top = true; /* rows 0 and 1 are the highest 0.25 m */
        for (int c = 0; c < 3; c++) top = top && mesh->tri[3 * t + c] < 10;
        quarter += top;
        assert_true(mesh->tri_scale[t] == (top ? 0.25f : 0.5f));
    }
    assert_int_equal(quarter, 8);
    taut_scene_free(scene);

    /* A rope has a heavy and a light end. The speed of its centre of mass follows from the masses. */
    scene = good_scene("{\"gravity\":[0,0,0],\"bodies\":[{\"mesh\":{\"generator\":\"chain\",\"n\":2,\"length\":1},"
                       "\"material\":{\"edge\":1,\"damping\":{\"global\":0}},"
                       "\"masses\":[{\"vertex\":0,\"mass\":3},{\"vertex\":1,\"mass\":1}]}]}");
    NEAR(scene->body[0].mass, 4, 1e-12);
    const float velocity[6] = {0, 0, 0, 0, 4, 0};
    assert_true(taut_body_set_velocities(scene->world, 0, velocity, NULL));
    for (int i = 0; i < 60; i++) assert_true(taut_scene_step(scene, NULL));
    const float *x = taut_body_positions(scene->world, 0, NULL);
    NEAR(0.75 * (double)x[1] + 0.25 * (double)x[4], 1, 1e-3); /* it moves at 1 m/s */
    taut_scene_free(scene);

    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"masses\":[{\"vertex\":0,\"mass\":0}]}]}",
                   "t:2:30: bodies[0].masses[0].mass must be in [1e-30,1e+30], got 0");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"masses\":[{\"vertex\":0}]}]}",
                   "t:2:11: bodies[0].masses[0] has no \"mass\"");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"stiffness_scale\":[{\"vertex\":0,\"scale\":1}]}]}",
                   "t:2:20: bodies[0].stiffness_scale[0] selects no whole triangle or tet");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"stiffness_scale\":[{\"vertx\":0,\"scale\":1}]}]}",
                   "t:2:21: bodies[0].stiffness_scale[0].vertx is not a key here; did you mean \"vertex\"?");
}

/* The mean velocity along x of a sheet of 20 x 20 whose upper row weighs 0.05 kg a vertex. */
static double drift(const taut_scene *scene)
{
    double mass[400], sum = 0, momentum = 0;
    const taut_scene_body *body = &scene->body[0];
    const float *v = taut_body_velocities(scene->world, body->body, NULL);
    assert_true(taut_mesh_masses(&body->file.mesh, taut_body_material(scene->world, body->body), mass, NULL));
    for (int i = 0; i < 400; i++) {
        double own = i < 20 ? (double)0.05f : mass[i];
        sum += own;
        momentum += own * (double)v[3 * i];
    }
    NEAR(sum, body->mass, 1e-6);
    return momentum / sum;
}

/* A sheet is swung by a corner, let go, and flies on. If the levels did not have its masses, they would make it nearly
 * three times as fast. */
static void test_masses_reach_the_levels(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"gravity\":[0,0,0],\"air_density\":0,\"bodies\":[{\"mesh\":{\"generator\":\"sheet\",\"nx\":20,\"ny\":20,"
        "\"width\":1,\"height\":1},\"levels\":2,\"material\":{\"damping\":{\"global\":0},\"limit\":{\"stretch\":"
        "[0.95,1.02]}},\"masses\":[{\"highest\":0,\"mass\":0.05}],\"pins\":[{\"vertex\":0,\"until\":0.5,\"keys\":["
        "{\"time\":0},{\"time\":0.5,\"position\":[1,0,0.3]}]}]}]}");
    double before = 0;
    for (int frame = 0; frame < 330; frame++) {
        if (frame == 60) before = drift(scene);
        assert_true(taut_scene_step(scene, NULL));
    }
    NEAR(drift(scene), before, 0.05 * before);
    taut_scene_free(scene);
}

/* ---- Units and pictures ---- */

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        float metres;
    } units[] = {{"m", 1}, {"cm", 0.01f}, {"mm", 0.001f}, {"in", 0.0254f}};
    char text[600];
    put_file("tri.obj", "v 0 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 3\n");
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text,
                 "{\"unit\":\"%s\",\"bodies\":[{\"mesh\":\"%s/tri.obj\"},{\"unit\":\"mm\",\"mesh\":\"%s/tri.obj\","
                 "\"transform\":{\"scale\":2}},{\"mesh\":" SHEET ",\"render_mesh\":\"%s/tri.obj\"}]}",
                 units[i].unit, folder, folder, folder);
        taut_scene *scene = good_scene(text);
        NEAR(scene->body[0].file.mesh.x[3], 100 * units[i].metres, 1e-5);
        NEAR(scene->body[1].file.mesh.x[3], 0.2, 1e-7);
        NEAR(scene->body[2].file.mesh.x[0], -0.5, 0); /* generators are in metres */
        NEAR(scene->body[2].shown.rest[3], 100 * units[i].metres, 1e-4);
        taut_scene_free(scene);
    }
    remove(in_folder("tri.obj"));
    expect_refused("{\"bodies\":[],\"unit\":\"ft\"}",
                   "t:1:21: unit must be one of \"m\", \"cm\", \"mm\", \"in\", got \"ft\"");
}

static void test_look(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"$schema\":\"scene.schema.json\",\"output\":[\"a.pc2\",\"b.glb\"],\"camera\":{\"eye\":[1,2,3],"
        "\"target\":[0,1,0]},\"bodies\":[{\"mesh\":" SHEET ",\"color\":\"#ff8000\"},{\"mesh\":" SHEET ",\"color\":"
        "[0.25,0.5,1]},{\"mesh\":" SHEET "}],\"colliders\":[{\"shape\":\"plane\",\"normal\":[1,1,0]},"
        "{\"shape\":\"plane\",\"point\":[0,-3,0]}]}");
    assert_int_equal(scene->noutputs, 2);
    assert_string_equal(scene->output[1], "b.glb");
    const taut_camera *camera = &scene->camera;
    assert_true(scene->has_camera && camera->eye[1] == 2 && camera->target[1] == 1 && camera->fov == 40);
    const float *orange = scene->body[0].color;
    assert_true(orange[0] == 1 && orange[1] == 128 / 255.0f && orange[2] == 0);
    assert_true(scene->body[1].color[0] == 0.25f && scene->body[1].color[2] == 1);
    float sum = scene->body[2].color[0] + scene->body[2].color[1] + scene->body[2].color[2];
    assert_true(sum > 0.5f && sum < 2.5f);
    assert_true(scene->ground && scene->ground_height == -3);
    taut_scene_free(scene);
    scene = good_scene("{\"output\":\"x.obj\",\"bodies\":[]}");
    assert_true(scene->noutputs == 1 && !scene->has_camera && !scene->ground);
    taut_scene_free(scene);
    expect_refused("{\"bodies\":[],\"output\":7}",
                   "t:1:23: output must be a file's name or an array of names, got a number");
    expect_refused("{\"bodies\":[],\"output\":[\"a\",7]}", "t:1:28: output[1] must be a string, got a number");
    expect_refused("{\"bodies\":[],\"output\":\"\"}", "t:1:23: output must not be empty");
    expect_refused("{\"bodies\":[],\"camera\":{\"eye\":[0,0,0]}}", "t:1:23: camera has no \"target\"");
    expect_refused("{\"bodies\":[],\"camera\":{\"eye\":[0,0,0],\"target\":[0,0,0]}}",
                   "t:1:23: camera must have its target elsewhere than its eye");
    expect_refused("{\"bodies\":[],\"camera\":{\"eye\":[0,0,1],\"target\":[0,0,0],\"fov\":180}}",
                   "t:1:61: camera.fov must be in [1,170], got 180");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"color\":\"red\"}]}",
                   "t:2:9: bodies[0].color must be \"#rrggbb\" or 3 numbers of 0 to 1, got \"red\"");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"color\":\"#ff00\"}]}",
                   "t:2:9: bodies[0].color must be \"#rrggbb\" or 3 numbers of 0 to 1, got \"#ff00\"");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\n\"color\":[0,0,2]}]}",
                   "t:2:14: bodies[0].color[2] must be in [0,1], got 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_bad_copies),
        cmocka_unit_test(test_render_mesh),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_frames_of_a_merge),
        cmocka_unit_test(test_welds_of_a_merge),
        cmocka_unit_test(test_bad_merge),
        cmocka_unit_test(test_scales_and_masses),
        cmocka_unit_test(test_masses_reach_the_levels),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_look),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
