/* Trained limits of scenes: the file that "training" names, and every way in which that can be the wrong file. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

/* A stiff sheet whose upper edge is squeezed, so that its limits are reached. */
#define COAT(nx, more)                                                                                                 \
    "{\"bodies\":[{\"name\":\"coat\",\"mesh\":{\"generator\":\"sheet\",\"nx\":" nx                                     \
    ",\"ny\":14,\"width\":1,\"height\":1},\"levels\":1,\"transform\":{\"rotation\":[90,0,0]},\"pins\":["               \
    "{\"vertex\":0},{\"vertex\":13,\"keys\":[{\"time\":0},{\"time\":0.4,\"position\":[-0.9,0,0]}]}],"                  \
    "\"material\":{\"limit\":{\"stretch\":[0.95,1.02],\"bend\":[-5,5]}}" more "}]}"

static taut_bytes trained; /* for COAT("14", "") */

/* Loads the scene from a file in the test's folder, where "training" looks for its file too. */
static taut_scene *load_text(const char *text, const taut_scene_options *options, taut_error *error)
{
    put_file("scene.json", text);
    taut_scene *scene = taut_scene_load(in_folder("scene.json"), options, error);
    remove(in_folder("scene.json"));
    return scene;
}

static uint64_t hash_after(const char *text, const taut_scene_options *options)
{
    taut_error error;
    taut_scene *scene = load_text(text, options, &error);
    if (!scene) fail_msg("%s", error.text);
    for (int i = 0; i < 60; i++) assert_true(taut_scene_step(scene, &error));
    uint64_t hash = taut_world_hash(scene->world);
    taut_scene_free(scene);
    return hash;
}

static void put_limits(size_t size)
{
    taut_error error;
    if (!taut_file_write(in_folder("coat.limits"), trained.data, size, &error)) fail_msg("%s", error.text);
}

static void expect_error(const char *text, taut_code code, const char *place, const char *cause)
{
    taut_error error;
    taut_scene *scene = load_text(text, &one_thread, &error);
    if (scene) fail_msg("%s was accepted", text);
    if (!strstr(error.text, place) || !strstr(error.text, cause)) fail_msg("%s", error.text);
    assert_int_equal(error.code, code);
}

static int train(void **state)
{
    taut_error error;
    taut_model_options options = taut_default_model_options();
    taut_train_def def = taut_default_train_def();
    if (make_folder(state) != 0) return -1;
    taut_scene *scene = good_scene(COAT("14", ""));
    const taut_scene_body *coat = &scene->body[0];
    options.levels = coat->levels;
    taut_training *training =
        taut_train(&coat->file.mesh, taut_body_material(scene->world, coat->body), &options, &def, &error);
    if (!training) fail_msg("%s", error.text);
    trained.size = taut_training_save(training, NULL, 0);
    trained.data = malloc(trained.size);
    assert_int_equal(taut_training_save(training, trained.data, trained.size), trained.size);
    taut_training_free(training);
    taut_scene_free(scene);
    return 0;
}

static int forget(void **state)
{
    taut_bytes_free(&trained);
    return remove_folder(state);
}

static void trained_limits_are_used(void **state)
{
    (void)state;
    static const char text[] = COAT("14", ",\"training\":\"coat.limits\"");
    const taut_scene_options untrained = {.threads = 1, .untrained = true};
    put_limits(trained.size);
    uint64_t plain = hash_after(COAT("14", ""), &one_thread), with = hash_after(text, &one_thread);
    assert_true(with != plain);
    assert_true(hash_after(text, &one_thread) == with);
    assert_true(hash_after(text, &untrained) == plain);
    remove(in_folder("coat.limits"));
    assert_true(hash_after(text, &untrained) == plain); /* the file need not be there */
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const char text[] = COAT("14", ",\"training\":\"coat.limits\"");
    expect_error(text, TAUT_BAD_ARGUMENT, "scene.json:1:", "bodies[0].training: ");
    expect_error(text, TAUT_BAD_ARGUMENT, "coat.limits: cannot open", "No such file");
    expect_error(COAT("14", ",\"training\":3"), TAUT_BAD_ARGUMENT, "bodies[0].training",
                 "must be a string, got a number");
    put_limits(trained.size);
    expect_error(COAT("15", ",\"training\":\"coat.limits\""), TAUT_BAD_TRAINING,
                 "bodies[0].training: ", "trained for another mesh");
    remove(in_folder("coat.limits"));
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const char text[] = COAT("14", ",\"training\":\"coat.limits\"");
    for (size_t size = 0; size < trained.size; size += trained.size / 13) {
        put_limits(size);
        expect_error(text, TAUT_BAD_TRAINING, "bodies[0].training: ", "trained limits");
    }
    for (size_t at = 0; at < trained.size; at += trained.size / 97) {
        trained.data[at] ^= 0x55;
        put_limits(trained.size);
        trained.data[at] ^= 0x55;
        expect_error(text, TAUT_BAD_TRAINING, "bodies[0].training: ", "");
    }
    remove(in_folder("coat.limits"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trained_limits_are_used),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, train, forget);
}
