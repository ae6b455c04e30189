#define _POSIX_C_SOURCE 200809L
/* Attachments and gas of scene files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#include <math.h>

/* Two sheets above each other, 20 vertices each, with a rail. */
#define TWO                                                                                                            \
    "\"bodies\":[{\"name\":\"a\",\"mesh\":" SHEET "},"                                                                 \
    "{\"name\":\"b\",\"mesh\":" SHEET ",\"transform\":{\"position\":[0,-0.8,0]}}],"                                    \
    "\"colliders\":[{\"shape\":\"plane\",\"point\":[0,-9,0]},"                                                         \
    "{\"name\":\"rail\",\"shape\":\"capsule\",\"a\":[-1,0.2,0],\"b\":[1,0.2,0],\"radius\":0.05,"                       \
    "\"keys\":[{\"time\":0},{\"time\":1,\"position\":[0,1,0]}]}]"

static const char outfit[] = "{" TWO ",\"attachments\":["
                             "{\"body\":\"a\",\"highest\":0.01,\"collider\":\"rail\"},"
                             "{\"body\":\"b\",\"highest\":0.01,\"to\":\"a\",\"seam\":{\"lowest\":0.01}},"
                             "{\"body\":\"b\",\"vertex\":19,\"to\":\"a\",\"slack\":1.5,\"strength\":40}]}";

static void attachments_hold(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(outfit);
    taut_error error;
    assert_int_equal(taut_world_stats(scene->world).attachments, 5 + 5 + 1);
    for (int i = 0; i < 60; i++) assert_true(taut_scene_step(scene, &error));
    const float *a = taut_body_positions(scene->world, scene->body[0].body, NULL);
    const float *b = taut_body_positions(scene->world, scene->body[1].body, NULL);
    for (int i = 0; i < 5; i++) {
        assert_true(fabsf(a[3 * i + 1] - 1) < 1e-4f);
        for (int c = 0; c < 3; c++) assert_true(fabsf(a[3 * (15 + i) + c] - b[3 * i + c]) < 1e-4f);
    }
    taut_scene_free(scene);
}

/* A thousand kilometres away attachments hold the same vertices, at the same places of the scene. */
static void attachments_hold_far_away(void **state)
{
    (void)state;
    taut_error error;
    char text[2048];
    float near[2][60], far[2][60];
    snprintf(text, sizeof text, "{\"origin\":[1048576,0,-1048576],%s", outfit + 1);
    taut_scene *here = good_scene(outfit), *there = good_scene(text);
    assert_int_equal(taut_world_stats(there->world).attachments, 5 + 5 + 1);
    for (int i = 0; i < 30; i++) assert_true(taut_scene_step(here, &error) && taut_scene_step(there, &error));
    for (int b = 0; b < 2; b++) {
        taut_scene_show(here, b, near[b]);
        taut_scene_show(there, b, far[b]);
    }
    for (int i = 0; i < 15; i++) { /* on the rail; and at the seam, which nothing but cloth holds */
        assert_true(fabsf(near[0][i] - far[0][i]) < 1e-5f);
        assert_true(fabsf(far[0][45 + i] - far[1][i]) < 1e-4f);
    }
    taut_scene_free(here);
    taut_scene_free(there);
}

/* Sheet b begins behind sheet a. It is held behind it by leashes, and comes up to its backstop. */
static const char backed[] = "{\"gravity\":[0,0,0]," TWO ",\"attachments\":["
                             "{\"body\":\"a\",\"highest\":0.01,\"collider\":\"rail\"},"
                             "{\"body\":\"b\",\"all\":true,\"to\":\"a\",\"seam\":{\"all\":true},"
                             "\"slack\":1.5,\"backstop\":0.02},"
                             "{\"body\":\"b\",\"vertex\":7,\"to\":\"a\",\"backstop\":0.03}]}";

static void backstops_of_a_scene(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(backed);
    assert_int_equal(taut_world_stats(scene->world).attachments, 5 + 20 + 1);
    taut_scene_free(scene);
    assert_true(run_scene(backed, 12) != 0);
}

static void a_scene_resumes_with_its_attachments(void **state)
{
    (void)state;
    assert_true(run_scene(outfit, 12) != 0);
}

static void gas_in_a_scene(void **state)
{
    (void)state;
    taut_scene *scene = good_scene("{\"gravity\":[0,0,0],\"bodies\":[{\"mesh\":{\"generator\":\"sphere\",\"levels\":2,"
                                   "\"radius\":0.3},\"material\":{\"preset\":\"ripstop\",\"gas\":{\"volume\":1.1,"
                                   "\"stiffness\":1e5}}}]}");
    taut_error error;
    double before, after, pressure;
    assert_true(taut_body_gas(scene->world, scene->body[0].body, &before, &pressure));
    assert_true(fabs(pressure - 1e4) < 1);
    for (int i = 0; i < 30; i++) assert_true(taut_scene_step(scene, &error));
    assert_true(taut_body_gas(scene->world, scene->body[0].body, &after, &pressure));
    assert_true(after > 1.01 * before && after < 1.1 * before && pressure > 0);
    taut_scene_free(scene);
}

static void bad_attachments_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *entry, *message;
    } bad[] = {
        {"{\"body\":\"a\",\"all\":true}", "t:1:%d: attachments[0] needs either \"collider\" or \"to\""},
        {"{\"body\":\"c\",\"all\":true,\"to\":\"a\"}", "t:1:%d: attachments[0].body names \"c\", which is not a body"},
        {"{\"body\":\"a\",\"all\":true,\"to\":\"c\"}", "t:1:%d: attachments[0].to names \"c\", which is not a body"},
        {"{\"body\":\"a\",\"all\":true,\"collider\":\"c\"}",
         "t:1:%d: attachments[0].collider names \"c\", which is not the name of a collider"},
        {"{\"body\":\"a\",\"all\":true,\"collider\":\"rail\",\"seam\":{\"all\":true}}",
         "t:1:%d: attachments[0].seam means nothing without \"to\""},
        {"{\"body\":\"a\",\"all\":true,\"collider\":\"rail\",\"backstop\":1}",
         "t:1:%d: attachments[0].backstop means nothing without \"to\""},
        {"{\"body\":\"a\",\"to\":\"b\"}", "t:1:%d: attachments[0] must have one way to select vertices, got 0"},
        {"{\"body\":\"a\",\"vertex\":3,\"to\":\"b\",\"seam\":{}}",
         "t:1:%d: attachments[0].seam must have one way to select vertices, got 0"},
        {"{\"body\":\"a\",\"vertex\":3,\"to\":\"a\",\"seam\":{\"vertex\":3}}",
         "t:1:%d: attachments[0] finds no place for vertex 3"},
        {"{\"body\":\"a\",\"vertex\":3,\"to\":\"b\",\"speed\":0}",
         "t:1:%d: attachments[0].speed must be above 0, got 0"},
        {"7", "t:1:%d: attachments[0] must be an object, got a number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        taut_error error = {.text = ""};
        snprintf(text, sizeof text, "{" TWO ",\"attachments\":[%s]}", bad[i].entry);
        taut_scene *scene = read_scene(text, &error);
        if (scene) fail_msg("%s was accepted", bad[i].entry);
        const char *colon = strchr(error.text + 4, ':'), *sentence = strchr(bad[i].message, 'a');
        assert_non_null(colon); /* the column depends on the text before */
        assert_string_equal(colon + 2, sentence);
    }
}

static void pairs_of_bodies_touch_as_the_scene_says(void **state)
{
    (void)state;
    taut_error error = {.text = ""};
    taut_scene *scene = good_scene("{" TWO ",\"contacts\":[{\"body\":\"a\",\"to\":\"b\",\"contact\":\"off\"}]}");
    taut_scene *plain = good_scene("{" TWO "}");
    assert_true(taut_world_save(scene->world, NULL, 0) > taut_world_save(plain->world, NULL, 0));
    taut_scene_free(plain);
    taut_scene_free(scene);
    static const struct {
        const char *entry, *message;
    } bad[] = {
        {"{\"body\":\"a\",\"to\":\"c\",\"contact\":\"off\"}", "contacts[0].to names \"c\", which is not a body"},
        {"{\"body\":\"a\",\"to\":\"a\",\"contact\":\"off\"}", "body 0 touches itself as its material says"},
        {"{\"body\":\"a\",\"to\":\"b\"}", "contact"},
        {"{\"body\":\"a\",\"to\":\"b\",\"contact\":\"soft\"}", "contacts[0].contact"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        snprintf(text, sizeof text, "{" TWO ",\"contacts\":[%s]}", bad[i].entry);
        assert_null(taut_scene_parse("t", text, strlen(text), NULL, &error));
        if (!strstr(error.text, bad[i].message)) fail_msg("%s", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_bodies_touch_as_the_scene_says),
        cmocka_unit_test(attachments_hold),
        cmocka_unit_test(attachments_hold_far_away),
        cmocka_unit_test(backstops_of_a_scene),
        cmocka_unit_test(a_scene_resumes_with_its_attachments),
        cmocka_unit_test(gas_in_a_scene),
        cmocka_unit_test(bad_attachments_are_refused),
    };
    return cmocka_run_group_tests_name("attachments of scenes", tests, NULL, NULL);
}
