/* Animation caches when things go wrong: a run that was interrupted and resumed gives the same bytes. Errors leave
 * nothing behind except what a run can resume from. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_cache_read.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- Going on -------------------------------------------------------------------------------------------------- */

static const char *const every_format[] = {"c.pc2", "c.mdd", "c.glb", "c.usda", "c.obj", "c%02d.ply", "c.vtu", "c.pvd"};
enum { FORMATS = sizeof every_format / sizeof *every_format };

/* Leaves what an interrupted write leaves: half a frame more in PATH.part. Files of frames have no name until they are
 * whole. */
static void tear(const char *name)
{
    char part[100];
    if (!strstr(name, ".pc2") && !strstr(name, ".mdd") && !strstr(name, ".glb") && !strstr(name, ".usda")) return;
    snprintf(part, sizeof part, "%s.part", name);
    FILE *file = fopen(in_folder(part), "ab");
    assert_non_null(file);
    fputs("half of a frame", file);
    fclose(file);
}

/* A run stops at `stop` in the middle of a write, resumes from `resume` and closes at `end`. All bytes are those of an
 * unbroken run. */
static void check_resume(const char *format, int stop, int resume, int end)
{
    char whole[60], broken[60], command[900];
    snprintf(command, sizeof command, "rm -rf %s/whole %s/broken", folder, folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(in_folder("whole"), 0700) | mkdir(in_folder("broken"), 0700), 0);
    snprintf(whole, sizeof whole, "whole/%s", format);
    snprintf(broken, sizeof broken, "broken/%s", format);
    write_cache(whole, 3, end);

    taut_cache *cache = open_cache(broken, 3, CACHE_FRAMES, 0);
    write_frames(cache, 0, stop);
    taut_cache_leave(cache);
    if (stop < CACHE_FRAMES) tear(broken);
    cache = open_cache(broken, 3, CACHE_FRAMES, resume);
    write_frames(cache, resume, end);
    close_cache(cache);
    snprintf(command, sizeof command, "diff -r %s/whole %s/broken", folder, folder);
    assert_int_equal(system(command), 0);
}

static void going_on_gives_the_same_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        check_resume(every_format[i], 1, 1, CACHE_FRAMES);
        check_resume(every_format[i], 4, 4, CACHE_FRAMES);
        check_resume(every_format[i], 5, 3, CACHE_FRAMES);
        check_resume(every_format[i], CACHE_FRAMES, CACHE_FRAMES - 1, CACHE_FRAMES);
        check_resume(every_format[i], CACHE_FRAMES, CACHE_FRAMES, CACHE_FRAMES);
        check_resume(every_format[i], 5, 2, 3);
        check_resume(every_format[i], 3, 0, CACHE_FRAMES);
    }
}

static void expect_refusal(const char *name, int nobjects, int first_frame, const char *cause)
{
    taut_error error;
    assert_null(taut_cache_open(in_folder(name), show.object, nobjects, CACHE_FPS, CACHE_FRAMES, first_frame, &error));
    if (!strstr(error.text, cause)) fail_msg("\"%s\" lacks \"%s\"", error.text, cause);
}

static void going_on_needs_the_frames_before(void **state)
{
    (void)state;
    taut_cache *cache = open_cache("few.pc2", 1, CACHE_FRAMES, 0);
    write_frames(cache, 0, 2);
    taut_cache_leave(cache);
    tear("few.pc2");
    expect_refusal("few.pc2", 1, 3, "it holds 2 whole frames");
    expect_refusal("few.pc2", 2, 1, "another animation");
    expect_refusal("absent.pc2", 1, 1, "absent.pc2.part: No such file");
    cache = open_cache("few.obj", 1, CACHE_FRAMES, 0);
    write_frames(cache, 0, 2);
    taut_cache_leave(cache);
    expect_refusal("few.obj", 1, 3, "few0002.obj is missing");
    cache = open_cache("few.pc2", 1, CACHE_FRAMES, 2); /* nothing was harmed by the refusals */
    write_frames(cache, 2, CACHE_FRAMES);
    close_cache(cache);
    check_pc2("few.pc2", 0, CACHE_FRAMES);
}

static void going_on_cuts_back(void **state)
{
    (void)state;
    const char *const names[] = {"cut.pc2", "cut.obj"};
    for (int i = 0; i < 2; i++) {
        taut_cache *cache = open_cache(names[i], 1, CACHE_FRAMES, 0);
        write_frames(cache, 0, 5);
        taut_cache_leave(cache);
        taut_cache_leave(open_cache(names[i], 1, CACHE_FRAMES, 2));
        expect_refusal(names[i], 1, 3, i ? "cut0002.obj is missing" : "it holds 2 whole frames");
    }
}

/* A run may be killed between closing one cache and the next. Then it opens and closes caches once more that were
 * closed already. */
static void a_closed_cache_is_closed_again(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        char name[60], command[900];
        taut_error error;
        snprintf(command, sizeof command, "rm -rf %s/twice %s/once && mkdir %s/twice", folder, folder, folder);
        assert_int_equal(system(command), 0);
        snprintf(name, sizeof name, "twice/%s", every_format[i]);
        write_cache(name, 3, CACHE_FRAMES);
        snprintf(command, sizeof command, "cp -r %s/twice %s/once", folder, folder);
        assert_int_equal(system(command), 0);
        taut_cache *cache = open_cache(name, 3, CACHE_FRAMES, CACHE_FRAMES);
        assert_true(taut_cache_flush(cache, &error));
        assert_false(cache_show_write(&show, cache, 0, &error));
        close_cache(cache);
        snprintf(command, sizeof command, "diff -r %s/once %s/twice", folder, folder);
        assert_int_equal(system(command), 0);
    }
    expect_refusal("absent.pc2", 1, CACHE_FRAMES, "absent.pc2.part: No such file");
}

static void flushing_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        char plain[60], flushed[60], command[900];
        taut_error error;
        snprintf(command, sizeof command, "rm -rf %s/plain %s/flushed; mkdir %s/plain %s/flushed", folder, folder,
                 folder, folder);
        assert_int_equal(system(command), 0);
        snprintf(plain, sizeof plain, "plain/%s", every_format[i]);
        snprintf(flushed, sizeof flushed, "flushed/%s", every_format[i]);
        write_cache(plain, 3, CACHE_FRAMES);
        taut_cache *cache = open_cache(flushed, 3, CACHE_FRAMES, 0);
        for (int frame = 0; frame < CACHE_FRAMES; frame++) {
            write_frames(cache, frame, frame + 1);
            if (frame % 2) assert_true(taut_cache_flush(cache, &error));
        }
        close_cache(cache);
        snprintf(command, sizeof command, "diff -r %s/plain %s/flushed", folder, folder);
        assert_int_equal(system(command), 0);
    }
}

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

static void unwritable_paths_are_errors(void **state)
{
    (void)state;
    taut_error error;
    for (int i = 0; i < FORMATS; i++) {
        char name[60];
        snprintf(name, sizeof name, "missing/%s", every_format[i]);
        taut_cache *cache = taut_cache_open(in_folder(name), show.object, 3, CACHE_FPS, CACHE_FRAMES, 0, &error);
        if (cache) {
            assert_false(cache_show_write(&show, cache, 0, &error));
            taut_cache_leave(cache);
        }
        assert_non_null(strstr(error.text, "cannot write "));
        assert_non_null(strstr(error.text, "No such file or directory"));
        assert_false(exists("missing"));
    }
    expect_refusal("cloth.abc", 1, 0, "unknown kind of cache");
    expect_refusal("cloth", 1, 0, "unknown kind of cache");
}

static void limit_file_size(rlim_t size)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static bool are_files_like(const char *pattern, int count)
{
    char command[200];
    snprintf(command, sizeof command, "[ \"$(ls -A %s | grep -E -c '%s')\" -eq %d ]", folder, pattern, count);
    return system(command) == 0;
}

static bool no_file_like(const char *pattern) { return are_files_like(pattern, 0); }

/* The disk is full in the middle of a frame, and again at the end. */
static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    taut_error error;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < FORMATS; i++) {
        char name[60], pattern[60];
        snprintf(name, sizeof name, "full%d-%s", i, every_format[i]);
        bool a_file_a_frame = i >= 4;
        taut_cache *cache = open_cache(name, 3, CACHE_FRAMES, 0);
        write_frames(cache, 0, 2);
        limit_file_size(a_file_a_frame ? 100 : 32 + 2 * 3 * 4 * (7 + 12 + 4) + 50);
        assert_false(cache_show_write(&show, cache, 2, &error));
        assert_non_null(strstr(error.text, "File too large"));
        limit_file_size(RLIM_INFINITY);
        write_frames(cache, 2, 4);
        limit_file_size(40);
        bool closed = taut_cache_close(cache, &error);
        limit_file_size(RLIM_INFINITY);
        assert_true(closed == (i == 4 || i == 5)); /* obj and ply are done by then */
        if (!closed) assert_non_null(strstr(error.text, "File too large"));
        snprintf(pattern, sizeof pattern, "full%d-.*[.](pc2|mdd|glb|usda|pvd|new)$", i);
        assert_true(no_file_like(pattern));
        if (closed) continue;
        close_cache(open_cache(name, 3, CACHE_FRAMES, 4));
    }
    signal(SIGXFSZ, SIG_DFL);
    check_pc2("full0-c-flag.pc2", 0, 4);
    check_mdd("full1-c-flag.mdd", 0, 4);
    check_glb("full2-c.glb", 4);
    check_usda("full3-c.usda", 4);
    check_obj("full4-c0002.obj", 2);
    check_ply("full5-c02.ply", 2, 0);
    check_vtu("full6-c0002.vtu", 2);
    check_pvd("full7-c.pvd", "full7-c%04d.vtu\"", 4);
    assert_true(no_file_like("(full.*[.]part$)|[.]taut-"));
}

static void a_taken_name_keeps_the_frames(void **state)
{
    (void)state;
    taut_error error;
    assert_int_equal(mkdir(in_folder("taken.pc2"), 0700), 0);
    taut_cache *cache = open_cache("taken.pc2", 1, 2, 0);
    write_frames(cache, 0, 2);
    assert_false(taut_cache_close(cache, &error));
    assert_non_null(strstr(error.text, "taken.pc2: Is a directory"));
    assert_true(no_file_like("[.]taut-"));
    assert_int_equal(rmdir(in_folder("taken.pc2")), 0);
    close_cache(open_cache("taken.pc2", 1, 2, 2));
    check_pc2("taken.pc2", 0, 2);
}

typedef struct files_seen {
    int count, missing;
} files_seen;

static bool see_file(const char *file, void *user)
{
    files_seen *seen = user;
    seen->count++;
    seen->missing += access(file, F_OK) != 0;
    return true;
}

static bool stop_at_once(const char *file, void *user)
{
    (void)file;
    ++*(int *)user;
    return false;
}

/* The files afterwards are exactly those that taut_cache_files told. */
static void a_cache_tells_its_files(void **state)
{
    (void)state;
    static const int files[FORMATS] = {3, 3, 1, 1, 2, 2, 3, 3};
    taut_error error;
    char name[60], pattern[60];
    for (int i = 0; i < FORMATS; i++) {
        files_seen seen = {0};
        int calls = 0;
        snprintf(name, sizeof name, "told%d-%s", i, every_format[i]);
        taut_cache *cache = open_cache(name, 3, 2, 0);
        write_frames(cache, 0, 2);
        close_cache(cache);
        assert_true(taut_cache_files(in_folder(name), show.object, 3, 2, see_file, &seen, &error));
        assert_int_equal(seen.count, files[i]);
        assert_int_equal(seen.missing, 0);
        snprintf(pattern, sizeof pattern, "told%d-", i);
        assert_true(are_files_like(pattern, files[i]));
        assert_false(taut_cache_files(in_folder(name), show.object, 3, 2, stop_at_once, &calls, &error));
        assert_int_equal(calls, 1);
        assert_int_equal(error.code, TAUT_OK);
    }
    assert_false(taut_cache_files("x.txt", show.object, 3, 2, see_file, NULL, &error));
    assert_non_null(strstr(error.text, "unknown kind of cache"));
}

static void a_discarded_cache_leaves_nothing(void **state)
{
    (void)state;
    taut_cache *cache = open_cache("discarded.glb", 3, 2, 0);
    write_frames(cache, 0, 1);
    assert_true(exists("discarded.glb.part"));
    taut_cache_discard(cache);
    assert_true(no_file_like("discarded"));
    taut_cache_discard(NULL);
}

static void expect_bad(const taut_cache_object *object, int nobjects, double fps, int nframes, int first_frame,
                       const char *cause)
{
    taut_error error;
    assert_null(taut_cache_open(in_folder("bad.pc2"), object, nobjects, fps, nframes, first_frame, &error));
    if (!strstr(error.text, cause)) fail_msg("\"%s\" lacks \"%s\"", error.text, cause);
    assert_false(exists("bad.pc2.part"));
}

static void wrong_arguments_are_errors(void **state)
{
    (void)state;
    taut_cache_object good = show.object[0], bad = good;
    const int outside[] = {0, 1, 5, 4, 0, 4, 1, 1, 2, 3, 7, 5}, thin[] = {0, 2, 7, 12}, bad_tet[] = {0, 1, 2, -1};
    float infinite[21] = {0};
    infinite[10] = INFINITY;
    expect_bad(&good, 0, 25, 1, 0, "at least one object");
    expect_bad(&good, 1, 0, 1, 0, "frames a second");
    expect_bad(&good, 1, (double)NAN, 1, 0, "frames a second");
    expect_bad(&good, 1, 25, 0, 0, "frame 0 of 0");
    expect_bad(&good, 1, 25, 3, 4, "frame 4 of 3");
    expect_bad(&good, 1, 25, 3, -1, "frame -1 of 3");
    bad.name = NULL;
    expect_bad(&bad, 1, 25, 1, 0, "no name");
    bad = good, bad.nvertices = 0;
    expect_bad(&bad, 1, 25, 1, 0, "0 vertices");
    bad = good, bad.polygon = outside;
    expect_bad(&bad, 1, 25, 1, 0, "vertex 7 of its polygons is outside 0..6");
    bad = good, bad.polygon_start = thin;
    expect_bad(&bad, 1, 25, 1, 0, "polygon 0 has fewer than three");
    bad = good, bad.ntets = 1, bad.tet = bad_tet;
    expect_bad(&bad, 1, 25, 1, 0, "vertex -1 of its tets");
    bad = good, bad.rest = infinite;
    expect_bad(&bad, 1, 25, 1, 0, "vertex 3 is not a finite number");
    taut_cache_object twins[] = {good, good};
    twins[0].name = "a-b", twins[1].name = "a_b";
    expect_bad(twins, 2, 25, 1, 0, "objects 0 and 1 of the cache have the same name");
}

static void wrong_frames_are_errors(void **state)
{
    (void)state;
    taut_error error;
    taut_cache *cache = open_cache("frames.pc2", 1, 2, 0);
    write_frames(cache, 0, 1);
    cache_show_set(&show, 1);
    show.xyz[0][5] = NAN;
    assert_false(taut_cache_write(cache, (const float *const *)show.xyz, NULL, 0, &error));
    assert_non_null(strstr(error.text, "object flag: the position of vertex 1 is not a finite number"));
    write_frames(cache, 1, 2);
    assert_false(cache_show_write(&show, cache, 2, &error));
    assert_non_null(strstr(error.text, "all of its 2 frames are written"));
    close_cache(cache);
    check_pc2("frames.pc2", 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_on_gives_the_same_bytes),
        cmocka_unit_test(going_on_needs_the_frames_before),
        cmocka_unit_test(going_on_cuts_back),
        cmocka_unit_test(a_closed_cache_is_closed_again),
        cmocka_unit_test(flushing_changes_nothing),
        cmocka_unit_test(unwritable_paths_are_errors),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(a_taken_name_keeps_the_frames),
        cmocka_unit_test(a_cache_tells_its_files),
        cmocka_unit_test(a_discarded_cache_leaves_nothing),
        cmocka_unit_test(wrong_arguments_are_errors),
        cmocka_unit_test(wrong_frames_are_errors),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
