/* Motion that a scene prescribes: keys, followed meshes, wind. All of it is a function of time alone. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"
#include "io/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NEAR(a, b, tolerance) assert_true(fabs((double)(a) - (double)(b)) <= (tolerance))

static const double PI = 3.14159265358979323846;

/* ---- Rotations and keys ---- */

/* Slerp goes at an even pace: a share of the turn is a turn by that share of the angle. */
static void test_slerp(void **state)
{
    (void)state;
    static const double angles[] = {1e-9, 1e-4, 1, 90, 179, 180, 270, 359};
    vec3 axis = {0.48, -0.6, 0.64}, v = {1, 2, 3};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        for (int k = 0; k <= 8; k++) {
            tio_quaternion a = tio_quaternion_turn(axis, 20), b = tio_quaternion_turn(axis, 20 + angles[i]);
            tio_quaternion q = tio_slerp(a, b, k / 8.0), want = tio_quaternion_turn(axis, 20 + angles[i] * k / 8);
            NEAR(tio_quaternion_dot(q, q), 1, 1e-14);
            vec3 x = tio_rotate(q, v), y = tio_rotate(want, v);
            NEAR(vec_length(vec_sub(x, y)), 0, 1e-12); /* a few roundings, times 1 / sin(0.5 degrees) */
        }
    /* A turn about z by 90 degrees takes x to y. */
    vec3 turned = tio_rotate(tio_quaternion_turn((vec3){0, 0, 1}, 90), (vec3){1, 0, 0});
    NEAR(turned.x, 0, 1e-15);
    NEAR(turned.y, 1, 1e-15);
    /* A whole turn ends where it began. It has no axis, but there is no NaN either. */
    tio_quaternion one = {0, 0, 0, 1}, minus = {0, 0, 0, -1};
    for (int k = 0; k <= 4; k++) {
        tio_quaternion q = tio_slerp(one, minus, k / 4.0);
        NEAR(tio_quaternion_dot(q, q), 1, 0);
    }
}

static void test_motion_at(void **state)
{
    (void)state;
    tio_pose_key key[] = {
        {1, {{0, 0, 0}, {0, 0, 0, 1}, 1}},
        {3, {{4, 0, -2}, tio_quaternion_turn((vec3){0, 1, 0}, 90), 3}},
        {4, TIO_AT_REST}};
    tio_motion motion = {3, key, false};
    tio_pose pose = tio_motion_at(&motion, 0);
    NEAR(pose.position.x, 0, 0);
    pose = tio_motion_at(&motion, 1.5);
    NEAR(pose.position.x, 1, 0);
    NEAR(pose.position.z, -0.5, 0);
    NEAR(pose.scale, 1.5, 0);
    NEAR(pose.rotation.y, sin(22.5 * PI / 360), 1e-15);
    pose = tio_motion_at(&motion, 3);
    NEAR(pose.position.x, 4, 0);
    pose = tio_motion_at(&motion, 100);
    NEAR(pose.position.x, 0, 0);
    NEAR(tio_motion_at(&(tio_motion){0}, 5).scale, 1, 0);
    motion.smooth = true; /* 3 s^2 - 2 s^3 at a quarter: 10/64 */
    pose = tio_motion_at(&motion, 1.5);
    NEAR(pose.position.x, 4 * 10.0 / 64, 1e-15);
    double h = 1e-4; /* level at the key: the slope is of the order of h */
    NEAR((tio_motion_at(&motion, 1 + h).position.x - 0) / h, 0, 4 * 3 * h);
    NEAR((4 - tio_motion_at(&motion, 3 - h).position.x) / h, 0, 4 * 3 * h);
    vec3 x = tio_pose_apply(&(tio_pose){{1, 0, 0}, tio_quaternion_turn((vec3){0, 0, 1}, 90), 2}, (vec3){1, 1, 0},
                            (vec3){2, 1, 0});
    NEAR(x.x, 2, 1e-15);
    NEAR(x.y, 3, 1e-15);
}

static void test_wind_at(void **state)
{
    (void)state;
    tio_wind_key key[] = {{1, {1, 0, 0}}, {2, {3, 4, 0}}};
    tio_wind wind = {2, key, 0, 2};
    NEAR(tio_wind_at(&wind, 0).x, 1, 0);
    NEAR(tio_wind_at(&wind, 1.25).x, 1.5, 0);
    NEAR(tio_wind_at(&wind, 1.25).y, 1, 0);
    NEAR(tio_wind_at(&wind, 9).y, 4, 0);
    wind.nkeys = 1;
    NEAR(tio_wind_at(&wind, 9).x, 1, 0);
    /* Gusts keep within -1..1, have no jumps, average out and do not come back soon. */
    double sum = 0, low = 1, high = -1;
    for (int i = 0; i < 20000; i++) {
        double g = tio_gust_wave(i * 0.01, 2), next = tio_gust_wave(i * 0.01 + 0.0005, 2);
        sum += g / 20000;
        low = fmin(low, g), high = fmax(high, g);
        /* The steepest slope is 1.5 a half period for each wave: 2 * 1.5 * 2 * (0.5 + 0.3 * 1.7 + 0.2 * 3.1) / 2 s. */
        assert_true(fabs(next - g) <= 0.0005 * 3 * (0.5 + 0.3 * 1.7 + 0.2 * 3.1) * 1.0001);
    }
    assert_true(low >= -1 && low < -0.8 && high <= 1 && high > 0.8 && fabs(sum) < 0.02);
    assert_true(fabs(tio_gust_wave(0.3, 2) - tio_gust_wave(2.3, 2)) > 0.01);
    wind.gust = 0.5;
    NEAR(tio_wind_at(&wind, 0.7).x, 1 + 0.5 * tio_gust_wave(0.7, 2), 0);
}

/* ---- Pins ---- */

/* A vertex of the sheet of 5 x 4, after some frames of 10 a second. */
static void step_to(taut_scene *scene, int frame)
{
    taut_error error;
    while (scene->frame < frame)
        if (!taut_scene_step(scene, &error)) fail_msg("%s", error.text);
}

static const float *vertex(const taut_scene *scene, int v)
{
    return taut_body_positions(scene->world, scene->body[0].body, NULL) + 3 * v;
}

static void expect_at(const taut_scene *scene, int v, double x, double y, double z)
{
    const float *at = vertex(scene, v);
    if (fabs(at[0] - x) > 1e-6 || fabs(at[1] - y) > 1e-6 || fabs(at[2] - z) > 1e-6)
        fail_msg("vertex %d at %g s is at %g %g %g, not %g %g %g", v, scene->frame / scene->fps, (double)at[0],
                 (double)at[1], (double)at[2], x, y, z);
}

#define PINNED(pins) "{\"fps\":10,\"bodies\":[{\"mesh\":" SHEET ",\"pins\":[" pins "]}]}"

static void test_pin_keys(void **state)
{
    (void)state;
    /* The top edge is 0..4 from x = -0.5 to 0.5, at y = 0. */
    taut_scene *scene = good_scene(PINNED(
        "{\"highest\":0,\"keys\":[{\"time\":0.5},{\"time\":1.5,\"position\":[0,2,0]},"
        "{\"time\":2.5,\"rotation\":[0,0,180]},{\"time\":3.5,\"scale\":0.5}]}"));
    step_to(scene, 5);
    expect_at(scene, 0, -0.5, 0, 0);
    step_to(scene, 10);
    expect_at(scene, 0, -0.5, 1, 0);
    step_to(scene, 15);
    expect_at(scene, 0, -0.5, 2, 0);
    step_to(scene, 20); /* a quarter turn about the middle of the edge */
    expect_at(scene, 0, 0, 1.5, 0);
    expect_at(scene, 4, 0, 2.5, 0);
    step_to(scene, 25); /* a value that a key leaves out stays, the position too */
    expect_at(scene, 0, 0.5, 2, 0);
    step_to(scene, 60);
    expect_at(scene, 0, 0.25, 2, 0);
    expect_at(scene, 2, 0, 2, 0);
    taut_scene_free(scene);

    scene = good_scene(PINNED("{\"vertex\":0,\"about\":[0,0,0],\"interpolation\":\"smooth\",\"keys\":["
                              "{\"time\":0},{\"time\":1,\"rotation\":[0,270,0]},"
                              "{\"time\":2,\"rotation\":[0,450,0]}]}"));
    step_to(scene, 5); /* half of the 270 degrees that the angles say: 135 */
    expect_at(scene, 0, -0.5 * cos(135 * PI / 180), 0, 0.5 * sin(135 * PI / 180));
    step_to(scene, 15); /* 360 */
    expect_at(scene, 0, -0.5, 0, 0);
    taut_scene_free(scene);

    /* Quaternions go the shorter way: from 0 to 270 degrees about y by -90. */
    scene = good_scene(PINNED("{\"vertex\":0,\"about\":[0,0,0],\"keys\":[{\"time\":0},"
                              "{\"time\":1,\"rotation\":[0,0.70710678,0,-0.70710678]}]}"));
    step_to(scene, 5);
    expect_at(scene, 0, -0.5 * cos(45 * PI / 180), 0, -0.5 * sin(45 * PI / 180));
    taut_scene_free(scene);
}

static void test_pin_times(void **state)
{
    (void)state;
    taut_scene *scene =
        good_scene(PINNED("{\"vertex\":0,\"until\":0.5},{\"vertex\":4},{\"vertex\":19,\"from\":1},"
                          "{\"vertex\":4,\"from\":1,\"until\":2,\"keys\":[{\"time\":0,\"position\":[0,1,0]}]}"));
    assert_true(scene->body[0].file.mesh.pinned[0] && scene->body[0].file.mesh.pinned[4]);
    assert_false(scene->body[0].file.mesh.pinned[19]);
    step_to(scene, 5);
    expect_at(scene, 0, -0.5, 0, 0);
    step_to(scene, 6); /* the vertex is let go and falls */
    assert_true(vertex(scene, 0)[1] < -0.001f);
    step_to(scene, 10);
    float held[3];
    memcpy(held, vertex(scene, 19), sizeof held);
    expect_at(scene, 4, 0.5, 0, 0);
    step_to(scene, 11); /* the pin that begins takes its vertex over, and the other pin holds its vertex where it is */
    expect_at(scene, 4, 0.5, 1, 0);
    assert_memory_equal(vertex(scene, 19), held, sizeof held);
    step_to(scene, 30); /* the earlier pin is left, and holds the vertex where it is now */
    expect_at(scene, 4, 0.5, 1, 0);
    assert_memory_equal(vertex(scene, 19), held, sizeof held);
    taut_scene_free(scene);
}

/* A sheet falls freely. At 0.3 s a pin takes two of its corners from where they are then, in each copy separately. */
static void test_keys_begin_with_their_pin(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"fps\":100,\"bodies\":[{\"mesh\":" SHEET ",\"copies\":{\"count\":[2,1,1],\"spacing\":[3,0,0]},\"pins\":["
        "{\"vertices\":[0,4],\"from\":0.3,\"keys\":[{\"time\":0},{\"time\":0.5,\"position\":[0,0,1]},"
        "{\"time\":1,\"rotation\":[0,180,0]}]}]}]}");
    float at[2][3], far[2][3];
    step_to(scene, 30);
    assert_true(vertex(scene, 0)[1] < -0.4f);
    const float *second = taut_body_positions(scene->world, scene->body[1].body, NULL);
    memcpy(at[0], vertex(scene, 0), sizeof at[0]);
    memcpy(at[1], vertex(scene, 4), sizeof at[1]);
    memcpy(far[0], second, sizeof far[0]);
    step_to(scene, 31); /* no jump: 1 m in 0.5 s is 0.02 m a frame */
    expect_at(scene, 0, at[0][0], at[0][1], at[0][2] + 0.02f);
    step_to(scene, 80);
    expect_at(scene, 0, at[0][0], at[0][1], at[0][2] + 1);
    expect_at(scene, 4, at[1][0], at[1][1], at[1][2] + 1);
    second = taut_body_positions(scene->world, scene->body[1].body, NULL);
    for (int i = 0; i < 3; i++) assert_true(fabsf(second[i] - far[0][i] - (i == 2)) < 1e-5f);
    step_to(scene, 130); /* turned about the middle of where they began */
    expect_at(scene, 0, at[1][0], at[0][1], at[1][2] + 1);
    expect_at(scene, 4, at[0][0], at[1][1], at[0][2] + 1);
    taut_scene_free(scene);
}

/* A pin that ends does not change the other pins: a pin that pulls keeps pulling to the place where it began. */
static void test_pins_beside_timed_ones(void **state)
{
    (void)state;
    taut_scene *plain = good_scene(PINNED("{\"vertex\":0},{\"vertex\":19,\"stiffness\":0.5}"));
    taut_scene *timed = good_scene(PINNED("{\"vertex\":0,\"until\":99},{\"vertex\":19,\"stiffness\":0.5}"));
    step_to(plain, 20);
    step_to(timed, 20);
    assert_true(taut_world_hash(plain->world) == taut_world_hash(timed->world));
    taut_scene_free(plain);
    taut_scene_free(timed);
}

/* With more steps per frame the same pins reach the same places. */
static void test_steps(void **state)
{
    (void)state;
    taut_scene *scene = good_scene("{\"fps\":10,\"solver\":{\"steps\":4},\"bodies\":[{\"mesh\":" SHEET ",\"pins\":["
                                   "{\"vertex\":0,\"keys\":[{\"time\":0},{\"time\":1,\"position\":[1,0,0]}]}]}]}");
    step_to(scene, 5);
    expect_at(scene, 0, 0, 0, 0);
    assert_int_equal(taut_world_stats(scene->world).steps, 20);
    NEAR(taut_world_stats(scene->world).seconds, 0.5, 1e-6);
    taut_scene_free(scene);
}

/* ---- Following ---- */

static void test_follow(void **state)
{
    (void)state;
    char text[1000];
    put_file("w0.obj", "v -50 0 0\nv 1 1 1\nv 0 0 0\n");
    put_file("w1.obj", "v -50 100 0\nv 2 2 2\nv 0 0 100\n");
    /* Twenty samples a second: frame 1 at 0.05 s. The files are in cm, the body is twice as large and turned. */
    snprintf(text, sizeof text,
             "{\"fps\":40,\"unit\":\"cm\",\"bodies\":[{\"mesh\":" SHEET ",\"transform\":{\"scale\":2,"
             "\"rotation\":[0,0,90],\"position\":[0,0,5]},\"copies\":{\"count\":[2,1,1],\"spacing\":[7,0,0]},\"pins\":["
             "{\"vertices\":[0,2],\"follow\":\"%s/w%%d.obj\",\"fps\":20},"
             "{\"vertices\":[5,7],\"follow\":\"%s/w%%d.obj\",\"fps\":20,\"follow_vertices\":[2,0]}]}]}",
             folder, folder);
    taut_scene *scene = good_scene(text);
    step_to(scene, 1); /* half way: vertex 0 at (-0.5, 0.5, 0) m in the file */
    expect_at(scene, 0, -1, -1, 5);
    expect_at(scene, 2, 0, 0, 6);
    expect_at(scene, 5, 0, 0, 6);
    expect_at(scene, 7, -1, -1, 5);
    const float *copy = taut_body_positions(scene->world, scene->body[1].body, NULL);
    NEAR(copy[0], 6, 1e-6);
    step_to(scene, 9); /* the last frame holds */
    expect_at(scene, 0, -2, -1, 5);
    taut_scene_free(scene);

    static const struct {
        const char *pin, *message;
    } bad[] = {
        {"\"vertex\":3,\"follow\":\"%s/w%%d.obj\"", "].follow has 3 vertices, but vertex 3 is to follow it"},
        {"\"vertices\":[0,1],\"follow\":\"%s/w%%d.obj\",\"follow_vertices\":[0]",
         "].follow_vertices must have 2 numbers, one for each vertex of the pin, got 1"},
        {"\"vertex\":0,\"follow\":\"%s/w%%d.obj\",\"follow_vertices\":[3]",
         "].follow_vertices[0] must be a whole number in [0,2], got 3"},
        {"\"vertex\":0,\"follow\":\"%s/no.pc2\"", "/no.pc2: cannot open"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char pin[300];
        taut_error error;
        snprintf(pin, sizeof pin, bad[i].pin, folder);
        snprintf(text, sizeof text, "{\"bodies\":[{\"mesh\":" SHEET ",\"pins\":[{%s}]}]}", pin);
        assert_null(read_scene(text, &error));
        if (!strstr(error.text, bad[i].message)) fail_msg("got %s, want %s", error.text, bad[i].message);
    }
    remove(in_folder("w0.obj"));
    remove(in_folder("w1.obj"));
}

/* ---- Colliders ---- */

/* A square of two triangles that rises by 0.4 m in 0.1 s, in a file with 20 samples a second. It lifts the sheet. */
static void test_collider_follow(void **state)
{
    (void)state;
    static const char faces[] = "f 1 2 3\nf 1 3 4\n";
    char text[1000];
    for (int i = 0; i < 3; i++) {
        char name[20], file[300];
        int y = 20 * i;
        snprintf(name, sizeof name, "up%d.obj", i);
        snprintf(file, sizeof file, "v -900 %d -900\nv -900 %d 900\nv 900 %d 900\nv 900 %d -900\n%s",
                 y, y, y, y, faces);
        put_file(name, file);
    }
    snprintf(text, sizeof text,
             "{\"fps\":40,\"unit\":\"cm\",\"bodies\":[{\"mesh\":" SHEET ",\"transform\":{\"rotation\":[-90,0,0],"
             "\"position\":[0,0.01,0]}}],\"colliders\":[{\"shape\":\"mesh\",\"mesh\":\"%s/up0.obj\","
             "\"follow\":\"%s/up%%d.obj\",\"fps\":20}]}",
             folder, folder);
    taut_scene *scene = good_scene(text);
    static const double heights[] = {0, 0.1, 0.2, 0.3, 0.4, 0.4};
    for (int frame = 0; frame < 6; frame++) {
        step_to(scene, frame);
        const taut_collider_def def = taut_scene_collider(scene, 0);
        for (int v = 0; v < 4; v++) NEAR(def.mesh->x[3 * v + 1], heights[frame], 1e-6);
        for (int v = 0; v < 20; v++) assert_true((double)vertex(scene, v)[1] > heights[frame]);
    }
    taut_scene_free(scene);
    put_file("few0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(text, sizeof text,
             "{\"bodies\":[],\"colliders\":[{\"shape\":\"mesh\",\"mesh\":\"%s/few0.obj\",\n"
             "\"follow\":\"%s/up%%d.obj\"}]}",
             folder, folder);
    expect_refused(text, "t:2:10: colliders[0].follow has 4 vertices, but the mesh has 3");
    static const char *const files[] = {"up0.obj", "up1.obj", "up2.obj", "few0.obj"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(in_folder(files[i]));
}

static void test_collider_keys(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"fps\":10,\"bodies\":[],\"colliders\":["
        "{\"shape\":\"sphere\",\"center\":[1,0,0],\"radius\":0.5,\"keys\":[{\"time\":0,\"scale\":2},"
        "{\"time\":1,\"position\":[0,3,0],\"scale\":4}]},"
        "{\"shape\":\"capsule\",\"a\":[0,0,0],\"b\":[2,0,0],\"radius\":0.1,\"keys\":[{\"time\":0},"
        "{\"time\":1,\"rotation\":[0,0,90]}]},"
        "{\"shape\":\"plane\",\"about\":[0,0,5],\"keys\":[{\"time\":0},{\"time\":1,\"rotation\":[90,0,0]}]}]}");
    const tio_scene *s = (const tio_scene *)scene;
    assert_int_equal(taut_scene_colliders(scene), 3);
    assert_true(scene->ground);
    taut_collider_def def = tio_collider_at(&s->collider[0], 0.5);
    NEAR(def.a[0], 1, 0);
    NEAR(def.a[1], 1.5, 0);
    NEAR(def.radius, 1.5, 1e-7);
    def = tio_collider_at(&s->collider[1], 2); /* about its middle */
    NEAR(def.a[0], 1, 1e-7);
    NEAR(def.a[1], -1, 1e-7);
    NEAR(def.b[1], 1, 1e-7);
    def = tio_collider_at(&s->collider[2], 1);
    NEAR(def.normal[2], 1, 1e-7);
    NEAR(def.normal[1], 0, 1e-7);
    NEAR(def.a[1], 5, 1e-6);
    taut_scene_free(scene);

    /* A ball that comes up carries a sheet that lies above it. */
    scene = good_scene("{\"fps\":30,\"gravity\":[0,0,0],\"bodies\":[{\"mesh\":" SHEET ",\"transform\":{"
                       "\"rotation\":[-90,0,0],\"position\":[0,0,-0.375]}}],\"colliders\":[{\"shape\":\"sphere\","
                       "\"center\":[0,-0.5,0],\"radius\":0.4,\"keys\":[{\"time\":0},"
                       "{\"time\":1,\"position\":[0,1,0]}]}]}");
    step_to(scene, 30);
    float top = 0;
    for (int v = 0; v < 20; v++) top = fmaxf(top, vertex(scene, v)[1]);
    assert_true(top > 0.8f);
    taut_scene_free(scene);
}

/* ---- Everything at once ---- */

static void test_restores_exactly(void **state)
{
    (void)state;
    char text[2000];
    put_file("f0.obj", "v 0 0 0\nv 0.1 0 0\n");
    put_file("f1.obj", "v 0 0.3 0\nv 0.1 0.2 0\n");
    put_file("f2.obj", "v 0 0.1 0\nv 0.1 0.4 0.1\n");
    snprintf(text, sizeof text,
             "{\"fps\":30,\"solver\":{\"substeps\":3,\"steps\":2},\"wind\":{\"velocity\":[2,0,1],\"gust\":0.7,"
             "\"period\":0.4},\"bodies\":[{\"mesh\":" SHEET ",\"material\":{\"drag\":1},\"copies\":{\"count\":[2,1,2],"
             "\"spacing\":[2,0,2]},\"pins\":["
             "{\"vertex\":4,\"until\":0.3},{\"vertex\":10,\"from\":0.2,\"stiffness\":0.5},"
             "{\"vertex\":0,\"interpolation\":\"smooth\",\"keys\":["
             "{\"time\":0.1},{\"time\":0.4,\"rotation\":[30,50,70],"
             "\"position\":[0.1,0.2,0.3],\"scale\":1.5}]},{\"vertex\":1,\"follow\":\"%s/f%%d.obj\",\"from\":0.1}],"
             "\"masses\":[{\"vertex\":19,\"mass\":0.3}]}],"
             "\"colliders\":[{\"shape\":\"sphere\",\"center\":[0,-0.6,0],\"radius\":0.2,\"keys\":[{\"time\":0},"
             "{\"time\":0.3,\"position\":[0,0,0.4]},{\"time\":0.6,\"position\":[0,0,-0.4]}]}]}", folder);
    uint64_t hash = run_scene(text, 25);
    char *drag = strstr(text, "\"gust\":0.7");
    drag[9] = '6'; /* other drag gives another hash, so the wind does matter */
    assert_true(run_scene(text, 25) != hash);
    remove(in_folder("f0.obj"));
    remove(in_folder("f1.obj"));
    remove(in_folder("f2.obj"));
}

static void test_refuses_bad_saves(void **state)
{
    (void)state;
    taut_error error;
    taut_scene *scene = good_scene(PINNED("{\"vertex\":0}"));
    size_t size = taut_scene_save(scene, NULL, 0);
    unsigned char *bytes = malloc(size);
    taut_scene_save(scene, bytes, size);
    assert_false(taut_scene_restore(scene, bytes, 5, &error));
    assert_int_equal(error.code, TAUT_BAD_SAVE);
    assert_false(taut_scene_restore(scene, bytes, size - 1, &error));
    assert_string_equal(error.text, "the save is damaged or cut off");
    memset(bytes, 0xff, 8);
    assert_false(taut_scene_restore(scene, bytes, size, &error));
    assert_string_equal(error.text, "these bytes are not the save of a scene");
    free(bytes);
    taut_scene_free(scene);
}

/* ---- Refusals ---- */

static void test_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *pin, *message;
    } pins[] = {
        {"\"keys\":[]", "keys must have at least one key"},
        {"\"keys\":{}", "keys must be an array, got an object"},
        {"\"keys\":[{}]", "keys[0] has no \"time\""},
        {"\"keys\":[{\"time\":-1}]", "keys[0].time must be in [0,1e+09], got -1"},
        {"\"keys\":[{\"time\":1},{\"time\":1}]", "keys[1].time must be above 1, that of the key before, got 1"},
        {"\"keys\":[{\"time\":0,\"positon\":[0,0,0]}]",
         "keys[0].positon is not a key here; did you mean \"position\"?"},
        {"\"keys\":[{\"time\":0,\"scale\":0}]", "keys[0].scale must be in [1e-06,1000000], got 0"},
        {"\"keys\":[{\"time\":0},{\"time\":1,\"rotation\":[0,360,0]}]",
         "keys[1].rotation turns 360 degrees or more from the key before: put a key between"},
        {"\"keys\":[{\"time\":0}],\"interpolation\":\"cubic\"",
         "interpolation must be one of \"linear\", \"smooth\", got \"cubic\""},
        {"\"about\":[0,0,0]", "about means nothing without \"keys\""},
        {"\"interpolation\":\"smooth\"", "interpolation means nothing without \"keys\""},
        {"\"fps\":25", "fps means nothing without \"follow\""},
        {"\"follow_vertices\":[0]", "follow_vertices means nothing without \"follow\""},
        {"\"follow\":7", "follow must be a string, got a number"},
        {"\"from\":2,\"until\":2", "until must be above \"from\", 2, got 2"},
        {"\"until\":0", "until must be in (0,1e+09], got 0"},
    };
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
        char text[600], want[300];
        taut_error error;
        snprintf(text, sizeof text, PINNED("{\"vertex\":0,%s}"), pins[i].pin);
        snprintf(want, sizeof want, "bodies[0].pins[0].%s", pins[i].message);
        assert_null(read_scene(text, &error));
        if (!strstr(error.text, want)) fail_msg("got %s, want %s", error.text, want);
    }
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\"pins\":[\n"
                   "{\"vertex\":0,\"keys\":[{\"time\":0}],\"follow\":\"x.pc2\"}]}]}",
                   "t:2:1: bodies[0].pins[0] must not have both \"keys\" and \"follow\"");
    expect_refused("{\"bodies\":[],\"wind\":{}}", "t:1:21: wind must have either \"velocity\" or \"keys\"");
    expect_refused("{\"bodies\":[],\"wind\":{\"velocity\":[0,0,0],\"keys\":[]}}",
                   "t:1:21: wind must have either \"velocity\" or \"keys\"");
    expect_refused("{\"bodies\":[],\"wind\":{\"velocity\":[0,0,0],\"gust\":2}}",
                   "t:1:48: wind.gust must be in [0,1], got 2");
    expect_refused("{\"bodies\":[],\"wind\":{\"keys\":[{\"time\":1}]}}", "t:1:30: wind.keys[0] has no \"velocity\"");
    expect_refused("{\"bodies\":[],\"wind\":\"west\"}", "t:1:21: wind must be an array of 3 numbers, got a string");
    expect_refused("{\"bodies\":[],\"colliders\":[{\"shape\":\"plane\",\"about\":[0,0,0]}]}",
                   "t:1:52: colliders[0].about means nothing without \"keys\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slerp),         cmocka_unit_test(test_motion_at),
        cmocka_unit_test(test_wind_at),       cmocka_unit_test(test_pin_keys),
        cmocka_unit_test(test_pin_times),     cmocka_unit_test(test_keys_begin_with_their_pin),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_follow),        cmocka_unit_test(test_collider_keys),
        cmocka_unit_test(test_collider_follow),
        cmocka_unit_test(test_restores_exactly), cmocka_unit_test(test_refuses_bad_saves),
        cmocka_unit_test(test_refuses),       cmocka_unit_test(test_pins_beside_timed_ones),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
