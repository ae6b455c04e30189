/* Work and memory are bounded by what comes in. */
#define _DEFAULT_SOURCE /* wait4 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_folder.h"
#include "slow_build.h"
#include "taut_io.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* A strip of triangles, all of it in 31 groups that are open at once. */
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

/* In a process of its own, whose peak of memory is then known. The groups themselves hold 31 numbers a vertex. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_groups_take_little_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
