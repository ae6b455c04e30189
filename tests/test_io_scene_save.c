/* Saves of scenes: damaged saves and those of other scenes are refused, and the scene goes on as if nothing had
 * happened. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#define SMALL_SHEET "{\"generator\":\"sheet\",\"nx\":3,\"ny\":2,\"width\":1,\"height\":0.5}"
#define COPIES(n) "\"copies\":{\"count\":[" n ",1,1],\"spacing\":[2,0,0]}"
#define PIN                                                                                                            \
    "\"pins\":[{\"vertex\":0},{\"vertex\":2,\"from\":0.01,\"keys\":[{\"time\":0},{\"time\":1,\"position\":[1,0,0]}]}]"
#define BALL "{\"shape\":\"sphere\",\"center\":[0,-1,0],\"radius\":0.2}"
#define SCENE(bodies, colliders) "{\"bodies\":[" bodies "],\"colliders\":[" colliders "]}"

static taut_scene *stepped(const char *text, int frames)
{
    taut_error error;
    taut_scene *scene = good_scene(text);
    for (int i = 0; i < frames; i++)
        if (!taut_scene_step(scene, &error)) fail_msg("%s", error.text);
    return scene;
}

static taut_bytes save(const taut_scene *scene)
{
    taut_bytes bytes = {.size = taut_scene_save(scene, NULL, 0)};
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    assert_int_equal(taut_scene_save(scene, bytes.data, bytes.size), bytes.size);
    return bytes;
}

/* Restores from a copy of exactly that size, so that sanitizers see every read past the end. */
static bool restores(taut_scene *scene, const unsigned char *bytes, size_t size, taut_error *error)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    bool good = taut_scene_restore(scene, copy, size, error);
    free(copy);
    return good;
}

static void damaged_saves_are_refused(void **state)
{
    (void)state;
    static const char text[] = SCENE("{\"mesh\":" SMALL_SHEET "," PIN "," COPIES("2") "}", BALL);
    taut_scene *scene = stepped(text, 3), *other = stepped(text, 5);
    taut_bytes bytes = save(scene);
    uint64_t hash = taut_world_hash(other->world);
    taut_error error;
    for (size_t i = 0; i < bytes.size; i++) {
        static const unsigned char flips[] = {1, 0x80, 0xff};
        for (int k = 0; k < 3; k++) {
            bytes.data[i] ^= flips[k];
            if (restores(other, bytes.data, bytes.size, &error)) fail_msg("byte %zu changed was accepted", i);
            bytes.data[i] ^= flips[k];
        }
        assert_int_equal(error.code, TAUT_BAD_SAVE);
    }
    for (size_t size = 0; size < bytes.size; size++)
        if (restores(other, bytes.data, size, &error)) fail_msg("%zu of %zu bytes were accepted", size, bytes.size);
    assert_true(other->frame == 5 && taut_world_hash(other->world) == hash);
    assert_true(restores(other, bytes.data, bytes.size, &error));
    assert_true(other->frame == 3 && taut_world_hash(other->world) == taut_world_hash(scene->world));
    taut_bytes_free(&bytes);
    taut_scene_free(scene);
    taut_scene_free(other);
}

static void saves_of_other_scenes_are_refused(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        SCENE("{\"mesh\":" SMALL_SHEET "," COPIES("3") "}", BALL "," BALL),
        SCENE("{\"mesh\":" SMALL_SHEET "," COPIES("2") "}", BALL "," BALL),
        SCENE("{\"mesh\":" SMALL_SHEET "," COPIES("3") "}", BALL),
        SCENE("{\"mesh\":" SMALL_SHEET "," COPIES("3") "}",
              BALL ",{\"shape\":\"plane\",\"normal\":[0,1,0],\"point\":[0,-2,0]}"),
        SCENE("{\"mesh\":" SMALL_SHEET "," COPIES("2") "},{\"name\":\"b\",\"mesh\":" SMALL_SHEET "}", BALL "," BALL),
        SCENE("{\"mesh\":" SHEET "," COPIES("3") "}", BALL "," BALL),
        SCENE("{\"mesh\":" SMALL_SHEET "," PIN "," COPIES("3") "}", BALL "," BALL),
    };
    enum { SCENES = sizeof scenes / sizeof *scenes };
    for (int i = 0; i < SCENES; i++) {
        taut_scene *from = stepped(scenes[i], 2);
        taut_bytes bytes = save(from);
        for (int k = 0; k < SCENES; k++) {
            taut_error error = {.text = ""};
            taut_scene *to = stepped(scenes[k], 1);
            bool good = taut_scene_restore(to, bytes.data, bytes.size, &error);
            if (good != (i == k)) fail_msg("scene %d restored from %d: %s", k, i, error.text);
            if (!good) assert_int_equal(error.code, TAUT_BAD_SAVE);
            if (!good)
                assert_string_equal(error.text, "the save is of a scene with other bodies, colliders or frame rate");
            assert_true(taut_scene_step(to, &error));
            taut_scene_free(to);
        }
        taut_bytes_free(&bytes);
        taut_scene_free(from);
    }
}

/* The place where a pin began is part of the state. run_scene goes on from saves before and after that moment. */
static void pins_that_begin_later_are_saved(void **state)
{
    (void)state;
    run_scene(SCENE("{\"mesh\":" SMALL_SHEET ",\"pins\":[{\"vertex\":0},{\"vertices\":[2,4],\"from\":0.1,\"keys\":["
                    "{\"time\":0},{\"time\":0.1,\"rotation\":[0,90,0],\"position\":[0.1,0,0]}]}]," COPIES("2") "}",
                    ""),
              20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_saves_are_refused),
        cmocka_unit_test(saves_of_other_scenes_are_refused),
        cmocka_unit_test(pins_that_begin_later_are_saved),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
