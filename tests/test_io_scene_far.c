/* Scenes far from 0 0 0 show the same as near it, to the bit. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#include <math.h>
#include <stdlib.h>

/* Pins that hold, that move and that begin later; copies; a mesh that is carried; a ball that moves. */
#define BODIES \
    "\"bodies\":[{\"mesh\":" SHEET ",\"copies\":{\"count\":[2,1,1],\"spacing\":[3,0,0.3]}," \
    "\"transform\":{\"position\":[0.1,1.3,0],\"rotation\":[0,30,0]}," \
    "\"pins\":[{\"vertex\":0,\"keys\":[{\"time\":0},{\"time\":1,\"position\":[0.3,0.1,0]}]}," \
    "{\"vertex\":4,\"until\":0.1}," \
    "{\"vertex\":19,\"from\":0.2,\"keys\":[{\"time\":0},{\"time\":1,\"position\":[0,0.7,0]}]}]}," \
    "{\"mesh\":" SHEET ",\"render_mesh\":{\"generator\":\"sheet\",\"nx\":9,\"ny\":9,\"width\":0.9,\"height\":0.7}," \
    "\"transform\":{\"position\":[-2,0.9,0]}}]," \
    "\"colliders\":[{\"shape\":\"plane\"},{\"shape\":\"sphere\",\"center\":[0.2,0.3,0.1],\"radius\":0.4," \
    "\"keys\":[{\"time\":0},{\"time\":1,\"position\":[0.5,0,0]}]}]}"

static const char near_text[] = "{" BODIES;
static const char far_text[] = "{\"origin\":[1048576,-64,-2097152]," BODIES;
static const double place[3] = {1048576, -64, -2097152};

static void step(taut_scene *scene, int frames)
{
    taut_error error;
    for (int i = 0; i < frames; i++)
        if (!taut_scene_step(scene, &error)) fail_msg("%s", error.text);
}

static void expect_same_show(const taut_scene *a, const taut_scene *b)
{
    for (int i = 0; i < a->nbodies; i++) {
        size_t size = 3 * (size_t)a->body[i].shown.nvertices * sizeof(float);
        float *of_a = malloc(size), *of_b = malloc(size);
        assert_true(of_a && of_b);
        taut_scene_show(a, i, of_a);
        taut_scene_show(b, i, of_b);
        assert_memory_equal(of_a, of_b, size);
        assert_memory_equal(a->body[i].shown.rest, b->body[i].shown.rest, size);
        free(of_a);
        free(of_b);
    }
}

static void a_scene_far_away_shows_the_same(void **state)
{
    (void)state;
    taut_scene *a = good_scene(near_text), *b = good_scene(far_text);
    expect_same_show(a, b);
    for (int i = 0; i < 5; i++) {
        step(a, 6), step(b, 6);
        expect_same_show(a, b);
    }
    taut_scene_free(a);
    taut_scene_free(b);
}

static void a_scene_far_away_is_far_away(void **state)
{
    (void)state;
    taut_scene *a = good_scene(near_text), *b = good_scene(far_text);
    double of_a[60], of_b[60]; /* of a sheet's 20 vertices */
    step(a, 5), step(b, 5);
    for (int i = 0; i < 3; i++) {
        assert_true(taut_body_positions_double(a->world, a->body[i].body, of_a));
        assert_true(taut_body_positions_double(b->world, b->body[i].body, of_b));
        for (int k = 0; k < 60; k++)
            if (!(fabs(of_b[k] - of_a[k] - place[k % 3]) < 1e-9)) fail_msg("%.17g and %.17g", of_a[k], of_b[k]);
    }
    for (int i = 0; i < taut_scene_colliders(b); i++) {
        taut_collider_def def = taut_scene_collider(b, i);
        assert_memory_equal(def.origin, place, sizeof place);
    }
    taut_scene_free(a);
    taut_scene_free(b);
}

static void a_save_far_away_goes_on_there_and_nowhere_else(void **state)
{
    (void)state;
    taut_error error;
    taut_scene *a = good_scene(near_text), *b = good_scene(far_text), *other = good_scene(far_text);
    step(b, 20);
    size_t size = taut_scene_save(b, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(taut_scene_save(b, bytes, size), size);
    assert_false(taut_scene_restore(a, bytes, size, &error));
    if (!taut_scene_restore(other, bytes, size, &error)) fail_msg("%s", error.text);
    free(bytes);
    step(b, 10), step(other, 10);
    assert_true(taut_world_hash(b->world) == taut_world_hash(other->world));
    expect_same_show(b, other);
    taut_scene_free(a);
    taut_scene_free(b);
    taut_scene_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_far_away_shows_the_same),
        cmocka_unit_test(a_scene_far_away_is_far_away),
        cmocka_unit_test(a_save_far_away_goes_on_there_and_nowhere_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
