/* Work and memory are bounded by the size of the input. */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_folder.h"
#include "slow_build.h"
#include "taut_io.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* A strip of triangles that are all in 31 groups, which are open at once. */
static char *many_groups(int ntris, size_t *size)
{
    char *text = malloc(200 + 60 * (size_t)ntris), *at = text;
    assert_non_null(text);
    at += sprintf(at, "v 0 0 0\nv 1 0 0\ng");
    for (int i = 0; i < 31; i++) at += sprintf(at, " g%d", i);
    for (int i = 0; i < ntris; i++) at += sprintf(at, "\nv %d 1 0\nf %d %d %d", i, i + 1, i + 2, i + 3);
    *size = (size_t)(at - text);
    return text;
}

static int check_groups(const char *text, size_t size, int nvertices)
{
    taut_mesh_file file;
    if (!taut_mesh_parse("a.obj", text, size, &file, NULL) || file.ngroups != 31) return 1;
    for (int g = 0; g < 31; g++) {
        if (file.group[g].nvertices != nvertices) return 1;
        for (int v = 0; v < nvertices; v++)
            if (file.group[g].vertex[v] != v) return 1;
    }
    taut_mesh_file_free(&file);
    return 0;
}

/* Runs in a separate process, so that its peak of memory is known. The groups themselves hold 31 numbers per vertex. */
static void open_groups_take_little_memory(void **state)
{
    (void)state;
    enum { TRIANGLES = 100000 };
    size_t size;
    char *text = many_groups(TRIANGLES, &size);
    int status;
    struct rusage usage;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(check_groups(text, size, TRIANGLES + 2));
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_int_equal(status, 0);
    double groups = 31 * 4.0 * TRIANGLES, peak = 1024.0 * (double)usage.ru_maxrss;
    if (!UNDER_SANITIZER && peak > groups + 16 * (double)size)
        fail_msg("%.1f MB for %.1f MB", peak / 1e6, (double)size / 1e6);
    free(text);
}

/* ---- Files ---- */

static void assert_refused(const char *path, const char *cause)
{
    taut_bytes bytes;
    taut_error error;
    alarm(20); /* ends a test that waits for a pipe */
    assert_false(taut_file_read(path, &bytes, &error));
    alarm(0);
    if (!strstr(error.text, cause)) fail_msg("%s", error.text);
    assert_null(bytes.data);
}

static void pipes_and_devices_are_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe.obj"), 0600), 0);
    assert_refused(in_folder("pipe.obj"), "/pipe.obj: cannot read: it is a pipe");
    unlink(in_folder("pipe.obj"));
    assert_refused("/dev/zero", "/dev/zero: cannot read: it is a device");
    assert_refused("/dev/fd/9999", "/dev/fd/9999: cannot open: ");
    assert_refused("/dev/fd/-1", "/dev/fd/-1: cannot open: ");
}

/* A hole of 5 GiB takes no room on the disk. */
static void files_above_4_gib_are_refused(void **state)
{
    (void)state;
    FILE *file = fopen(in_folder("large"), "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)5 << 30), 0);
    fclose(file);
    assert_refused(in_folder("large"), "/large: cannot read: it is larger than 4294967295 bytes");
    unlink(in_folder("large"));
}

/* The path of a descriptor, as shells give it for <(command). */
static const char *path_of(int descriptor)
{
    static char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
    return path;
}

static void scenes_come_through_pipes(void **state)
{
    (void)state;
    static const char text[] = "{\"bodies\": [{\"mesh\": {\"generator\": \"chain\", \"n\": 3, \"length\": 1}}]}";
    int end[2];
    taut_error error;
    assert_int_equal(pipe(end), 0);
    assert_int_equal(write(end[1], text, sizeof text - 1), sizeof text - 1);
    close(end[1]);
    taut_scene *scene = taut_scene_load(path_of(end[0]), NULL, &error);
    if (!scene) fail_msg("%s", error.text);
    taut_scene_free(scene);
    close(end[0]);
}

static void endless_scenes_are_cut_short(void **state)
{
    (void)state;
    taut_error error;
    int zeros = open("/dev/zero", O_RDONLY);
    assert_true(zeros >= 0);
    assert_null(taut_scene_load(path_of(zeros), NULL, &error));
    if (!strstr(error.text, "it is larger than 16777216 bytes")) fail_msg("%s", error.text);
    close(zeros);
}

/* ---- Values of --set ---- */

/* Sets PATH a.a.a...=VALUE [[[...]]], each of the given depth. */
static void set_deep(int path, int value, bool good)
{
    static const char scene[] = "{\"bodies\": []}";
    char *text = malloc(2 * (size_t)path + 2 * (size_t)value + 16), *at = text;
    taut_error error;
    assert_non_null(text);
    for (int i = 0; i < path; i++) *at++ = 'a', *at++ = i + 1 < path ? '.' : '=';
    for (int i = 0; i < 2 * value; i++) *at++ = i < value ? '[' : ']';
    strcpy(at, value ? "" : "1");
    const char *const sets[] = {text};
    assert_null(taut_scene_parse("t", scene, sizeof scene - 1, &(taut_scene_options){.nsets = 1, .set = sets}, &error));
    const char *cause = good ? "is not a key here" : "nested deeper than 64 levels";
    if (!strstr(error.text, cause)) fail_msg("%s", error.text);
    free(text);
}

static void set_is_nested_no_deeper_than_files(void **state)
{
    (void)state;
    set_deep(64, 0, true);
    set_deep(65, 0, false);
    set_deep(60000, 0, false);
    set_deep(1, 63, true);
    set_deep(1, 64, false);
    set_deep(1, 60000, false);
    set_deep(40, 24, true);
    set_deep(40, 25, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_groups_take_little_memory), cmocka_unit_test(pipes_and_devices_are_refused),
        cmocka_unit_test(files_above_4_gib_are_refused),  cmocka_unit_test(scenes_come_through_pipes),
        cmocka_unit_test(endless_scenes_are_cut_short),   cmocka_unit_test(set_is_nested_no_deeper_than_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
