/* Scenes from strings and files, for tests of scene files. */
#ifndef TAUT_TESTS_HELPERS_SCENE_H
#define TAUT_TESTS_HELPERS_SCENE_H

#include "helpers_folder.h"
#include "taut_io.h"

#include <string.h>

#define SHEET "{\"generator\":\"sheet\",\"nx\":5,\"ny\":4,\"width\":1,\"height\":0.75}"

static const taut_scene_options one_thread = {.threads = 1};

static inline taut_scene *read_scene(const char *text, taut_error *error)
{
    return taut_scene_parse("t", text, strlen(text), &one_thread, error);
}

static inline taut_scene *good_scene(const char *text)
{
    taut_error error;
    taut_scene *scene = read_scene(text, &error);
    if (!scene) fail_msg("%s: %s", text, error.text);
    assert_int_equal(error.code, TAUT_OK);
    return scene;
}

static inline void expect_refused(const char *text, const char *message)
{
    taut_error error;
    taut_scene *scene = read_scene(text, &error);
    if (scene) fail_msg("%s was accepted", text);
    assert_string_equal(error.text, message);
}

/* Writes a file in the test's folder. */
static inline void put_file(const char *name, const char *text)
{
    taut_error error;
    if (!taut_file_write(in_folder(name), text, strlen(text), &error)) fail_msg("%s", error.text);
}

static inline void remove_files(const char *const *names, int count)
{
    for (int i = 0; i < count; i++) remove(in_folder(names[i]));
}

static inline taut_scene *load_scene(const char *name, const taut_scene_options *options)
{
    taut_error error;
    taut_scene *scene = taut_scene_load(in_folder(name), options, &error);
    if (!scene) fail_msg("%s", error.text);
    return scene;
}

/* Runs a scene for some frames. At every third one it saves the scene, restores the bytes into another scene and goes
 * on with that one. The hash must be the same. Returns the hash. */
static inline uint64_t run_scene(const char *text, int frames)
{
    taut_error error;
    taut_scene *scene = good_scene(text), *other = good_scene(text);
    for (int frame = 0; frame < frames; frame++) {
        if (!taut_scene_step(scene, &error)) fail_msg("%s", error.text);
        if (frame % 3 != 1) continue;
        size_t size = taut_scene_save(scene, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(taut_scene_save(scene, bytes, size), size);
        if (!taut_scene_restore(other, bytes, size, &error)) fail_msg("%s", error.text);
        free(bytes);
        assert_int_equal(other->frame, scene->frame);
        assert_true(taut_world_hash(other->world) == taut_world_hash(scene->world));
        taut_scene *swapped = scene; /* the run goes on with the restored scene */
        scene = other;
        other = swapped;
    }
    uint64_t hash = taut_world_hash(scene->world);
    taut_scene_free(scene);
    taut_scene_free(other);
    scene = good_scene(text);
    for (int frame = 0; frame < frames; frame++) assert_true(taut_scene_step(scene, &error));
    assert_true(taut_world_hash(scene->world) == hash);
    taut_scene_free(scene);
    return hash;
}

#endif
