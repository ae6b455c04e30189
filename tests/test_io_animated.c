/* Animated meshes from files: the output of the cache writers is read back, and damaged files are refused. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#include <math.h>
#include <stdio.h>

enum { VERTICES = 5, FRAMES = 4 };

static float value(int frame, int i) { return (float)(frame * 100 + i) * 0.37f - 3; }

static void write_cache(const char *name, double fps)
{
    static const int start[] = {0, 3}, polygon[] = {0, 1, 2};
    float xyz[3 * VERTICES];
    const float *all[] = {xyz};
    taut_error error;
    for (int i = 0; i < 3 * VERTICES; i++) xyz[i] = value(0, i);
    taut_cache_object object = {.name = "o", .nvertices = VERTICES, .rest = xyz, .npolygons = 1,
                                .polygon_start = start, .polygon = polygon};
    taut_cache *cache = taut_cache_open(in_folder(name), &object, 1, fps, FRAMES, 0, &error);
    if (!cache) fail_msg("%s", error.text);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < 3 * VERTICES; i++) xyz[i] = value(frame, i);
        assert_true(taut_cache_write(cache, all, NULL, 0, &error));
    }
    assert_true(taut_cache_close(cache, &error));
}

static void remove_sequence(const char *format)
{
    for (int i = 0; i < 20; i++) {
        char name[64];
        snprintf(name, sizeof name, format, i);
        remove(in_folder(name));
    }
}

static void expect_written(const char *name, double fps)
{
    taut_animation animation;
    taut_error error;
    if (!taut_animation_load(in_folder(name), &animation, &error)) fail_msg("%s", error.text);
    assert_int_equal(animation.nvertices, VERTICES);
    assert_int_equal(animation.nframes, FRAMES);
    assert_true(fabs(animation.fps - fps) < 1e-4 && animation.frame_step == 1);
    for (int frame = 0; frame < FRAMES; frame++)
        for (int i = 0; i < 3 * VERTICES; i++)
            assert_true(animation.xyz[frame * 3 * VERTICES + i] == value(frame, i));
    taut_animation_free(&animation);
    assert_null(animation.xyz);
    taut_animation_free(NULL);
}

static void test_reads_what_was_written(void **state)
{
    (void)state;
    write_cache("a.pc2", 25);
    expect_written("a.pc2", 0);
    write_cache("a.mdd", 25);
    expect_written("a.mdd", 25);
    write_cache("walk_%04d.obj", 25);
    expect_written("walk_%04d.obj", 0);
    write_cache("run.obj", 25);
    expect_written("run.obj", 0);
    write_cache("p%d.ply", 25);
    expect_written("p%d.ply", 0);
    remove(in_folder("a.pc2"));
    remove(in_folder("a.mdd"));
    remove_sequence("walk_%04d.obj");
    remove_sequence("run%04d.obj");
    remove_sequence("p%d.ply");
}

/* A sequence begins at its first file and ends before a gap. The name of a file that exists means that file. */
static void test_sequences(void **state)
{
    (void)state;
    taut_animation animation;
    taut_error error;
    put_file("s07.obj", "v 7 0 0\n");
    put_file("s08.obj", "v 8 0 0\n");
    put_file("s10.obj", "v 10 0 0\n");
    assert_true(taut_animation_load(in_folder("s%02d.obj"), &animation, &error));
    assert_int_equal(animation.nframes, 2);
    assert_true(animation.xyz[0] == 7 && animation.xyz[3] == 8);
    taut_animation_free(&animation);
    assert_true(taut_animation_load(in_folder("s10.obj"), &animation, &error));
    assert_int_equal(animation.nframes, 1);
    assert_true(animation.xyz[0] == 10);
    taut_animation_free(&animation);
    put_file("s08.obj", "v 8 0 0\nv 1 1 1\n");
    assert_false(taut_animation_load(in_folder("s%02d.obj"), &animation, &error));
    assert_non_null(strstr(error.text, "s08.obj: 2 vertices, but the first frame has 1"));
    put_file("s08.obj", "v 8 zero 0\n");
    assert_false(taut_animation_load(in_folder("s%02d.obj"), &animation, &error));
    assert_non_null(strstr(error.text, "s08.obj:1:"));
    assert_false(taut_animation_load(in_folder("none%d.obj"), &animation, &error));
    assert_non_null(strstr(error.text, "none%d.obj: there is no such file, nor a sequence that begins at 0 to 9999"));
    assert_false(taut_animation_load(in_folder("none.pc2"), &animation, &error));
    assert_non_null(strstr(error.text, "none.pc2: cannot open"));
    assert_null(animation.xyz);
    remove_sequence("s%02d.obj");
}

/* ---- Damage ---- */

static taut_bytes bytes_of(const char *name)
{
    taut_bytes bytes;
    assert_true(taut_file_read(in_folder(name), &bytes, NULL));
    return bytes;
}

static void expect_damaged(const char *name, const void *data, size_t size, const char *message)
{
    taut_animation animation;
    taut_error error;
    assert_true(taut_file_write(in_folder(name), data, size, &error));
    if (taut_animation_load(in_folder(name), &animation, &error)) fail_msg("accepted, want %s", message);
    if (!strstr(error.text, message)) fail_msg("got %s, want %s", error.text, message);
    assert_null(animation.xyz);
}

static void test_damaged_pc2(void **state)
{
    (void)state;
    write_cache("a.pc2", 25);
    taut_bytes bytes = bytes_of("a.pc2");
    unsigned char *b = bytes.data, saved[4];
    for (size_t size = 0; size < bytes.size; size++) expect_damaged("a.pc2", b, size, "a.pc2");
    expect_damaged("a.pc2", b, 11, "this is not a PC2 file");
    expect_damaged("a.pc2", b, bytes.size - 1, "the file ends before 4 frames of 5 vertices");
    unsigned char longer[1000];
    memcpy(longer, b, bytes.size);
    memset(longer + bytes.size, 0, 3);
    expect_damaged("a.pc2", longer, bytes.size + 3, "3 bytes follow the last frame");
    memcpy(saved, b + 12, 4), b[12] = 2;
    expect_damaged("a.pc2", b, bytes.size, "version 2 of PC2 is not known");
    memcpy(b + 12, saved, 4);
    memcpy(saved, b + 16, 4), memset(b + 16, 0xff, 4);
    expect_damaged("a.pc2", b, bytes.size, "-1 vertices and 4 frames: there must be at least one of each");
    b[19] = 0x7f; /* 2^31 - 1 vertices */
    expect_damaged("a.pc2", b, bytes.size, "the file ends before 4 frames of 2147483647 vertices");
    memcpy(b + 16, saved, 4);
    memcpy(saved, b + 24, 4), memset(b + 24, 0, 4);
    expect_damaged("a.pc2", b, bytes.size, "frames are 0 frames apart");
    memcpy(b + 24, saved, 4);
    memset(b + 36, 0xff, 4); /* a NaN */
    expect_damaged("a.pc2", b, bytes.size, "position");
    taut_bytes_free(&bytes);
    remove(in_folder("a.pc2"));
}

static void test_damaged_mdd(void **state)
{
    (void)state;
    write_cache("a.mdd", 25);
    taut_bytes bytes = bytes_of("a.mdd");
    unsigned char *b = bytes.data;
    for (size_t size = 0; size < bytes.size; size++) expect_damaged("a.mdd", b, size, "a.mdd");
    memset(b, 0x7f, 4);
    expect_damaged("a.mdd", b, bytes.size, "the file ends before 2139062143 times");
    memset(b, 0, 3), b[3] = FRAMES;
    unsigned char second[4];
    memcpy(second, b + 12, 4);
    memcpy(b + 12, b + 20, 4); /* frame 1 is at the time of frame 3 */
    expect_damaged("a.mdd", b, bytes.size, "frame 1 is at 0.12 s, but evenly spaced frames would have it at 0.04 s");
    memcpy(b + 12, second, 4);
    memset(b + 4, 0, 4);
    expect_damaged("a.mdd", b, bytes.size, "0 vertices and 4 frames");
    taut_bytes_free(&bytes);
    remove(in_folder("a.mdd"));
}

/* Files that say nothing about time have zeros there. */
static void test_mdd_without_times(void **state)
{
    (void)state;
    taut_animation animation;
    write_cache("a.mdd", 25);
    taut_bytes bytes = bytes_of("a.mdd");
    memset(bytes.data + 8, 0, 4 * FRAMES);
    assert_true(taut_file_write(in_folder("a.mdd"), bytes.data, bytes.size, NULL));
    assert_true(taut_animation_load(in_folder("a.mdd"), &animation, NULL));
    assert_true(animation.fps == 0 && animation.nframes == FRAMES);
    taut_animation_free(&animation);
    taut_bytes_free(&bytes);
    remove(in_folder("a.mdd"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_what_was_written), cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_damaged_pc2),            cmocka_unit_test(test_damaged_mdd),
        cmocka_unit_test(test_mdd_without_times),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
