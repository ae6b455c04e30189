/* Memory: any allocation while a scene is read or an animation loaded may fail; the error says so and nothing leaks.
 * Only the C library's own buffers of files may fail without an error. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "helpers_scene.h"

#include <errno.h>

/* The linker takes these in place of the C library's own, for the whole process. Sanitizers do the same, so there is
 * nothing to test under them. */
#if defined(__GLIBC__) && !UNDER_SANITIZER
#define FAILS_CALLS 1

static bool watching;
static long made, live, failing; /* since watching began: allocations; those not freed yet; the one that fails */

void *__libc_malloc(size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

#define INSTEAD __attribute__((visibility("default")))

static void *count(void *memory)
{
    if (watching && memory) live++;
    return memory;
}

static bool fails(void)
{
    bool now = watching && ++made == failing;
    if (now) errno = ENOMEM;
    return now;
}

INSTEAD void *malloc(size_t size) { return fails() ? NULL : count(__libc_malloc(size)); }

INSTEAD void *calloc(size_t items, size_t size)
{
    if (fails() || (size && items > SIZE_MAX / size)) return NULL;
    void *memory = count(__libc_malloc(items * size));
    return memory ? memset(memory, 0, items * size) : NULL;
}

INSTEAD void *realloc(void *memory, size_t size)
{
    if (fails()) return NULL;
    void *larger = __libc_realloc(memory, size);
    return memory ? larger : count(larger);
}

INSTEAD void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : count(__libc_memalign(alignment, size));
}

INSTEAD int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = fails() ? NULL : count(__libc_memalign(alignment, size));
    return *memory ? 0 : ENOMEM;
}

INSTEAD void free(void *memory)
{
    if (watching && memory) live--;
    __libc_free(memory);
}

static void watch(long fail)
{
    made = live = 0;
    failing = fail;
    watching = true;
}

static long stop_watching(void)
{
    watching = false;
    return live;
}

static bool has_failed(void) { return made >= failing; }
#else
#define FAILS_CALLS 0
static void watch(long fail) { (void)fail; }
static long stop_watching(void) { return 0; }
static bool has_failed(void) { return false; }
#endif

/* If memory runs out while a file is opened, the error has the message of the C library. */
static void expect_no_memory(const taut_error *error, long n)
{
    if (error->code != TAUT_NO_MEMORY && !strstr(error->text, "Cannot allocate memory"))
        fail_msg("allocation %ld: %s", n, error->text);
}

static void every_allocation_of_a_scene_may_fail(void **state)
{
    (void)state;
    if (!FAILS_CALLS) skip();
    static const char *const files[] = {"base.json", "scene.json", "w0.obj", "w1.obj"};
    static const char *const sets[] = {"bodies[a].material.bend.stiffness=0.25", "output=x.pc2"};
    taut_scene_options options = {.threads = 1, .nsets = 2, .set = sets};
    put_file("w0.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\ng g\nf 1 2 3\nf 2 4 3\n");
    put_file("w1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 1\nf 1 2 3\nf 2 4 3\n");
    put_file("base.json", "{\"bodies\":[{\"name\":\"a\",\"mesh\":\"w0.obj\",\"material\":{\"strain\":{\"xx\":1}}}],"
                          "\"camera\":{\"eye\":[0,0,1],\"target\":[0,0,0]}}");
    put_file("scene.json",
             "{\"include\":\"base.json\",\"wind\":{\"velocity\":[0,0,1],\"gust\":1},\"bodies\":[{\"name\":\"a\","
             "\"render_mesh\":" SHEET ",\"pins\":[{\"group\":\"g\",\"follow\":\"w%d.obj\"},"
             "{\"boundary\":true,\"stiffness\":0.5,\"keys\":[{\"time\":0},{\"time\":1,\"scale\":2}]}],"
             "\"masses\":[{\"all\":true,\"mass\":1}],\"stiffness_scale\":[{\"all\":true,\"scale\":0.5}],"
             "\"copies\":{\"count\":[2,1,1],\"spacing\":[2,0,0]}},"
             "{\"mesh\":{\"generator\":\"merge\",\"parts\":[{\"name\":\"p\",\"mesh\":\"w0.obj\"},"
             "{\"mesh\":{\"generator\":\"chain\",\"n\":2,\"length\":1}}]}}],"
             "\"colliders\":[{\"shape\":\"plane\",\"keys\":[{\"time\":0}]}]}");
    char path[300];
    snprintf(path, sizeof path, "%s", in_folder("scene.json"));
    long n = 0, refused = 0;
    do {
        taut_error error;
        watch(++n);
        taut_scene *scene = taut_scene_load(path, &options, &error);
        bool built = scene != NULL;
        taut_scene_free(scene);
        assert_int_equal(stop_watching(), 0);
        refused += !built;
        if (!built) expect_no_memory(&error, n);
    } while (has_failed());
    assert_true(refused > 100);
    remove_files(files, 4);
}

static void every_allocation_of_an_animation_may_fail(void **state)
{
    (void)state;
    if (!FAILS_CALLS) skip();
    static const char *const files[] = {"w0.obj", "w1.obj"};
    put_file("w0.obj", "v 0 0 0\n");
    put_file("w1.obj", "v 0 0 0\n");
    char path[300];
    snprintf(path, sizeof path, "%s", in_folder("w%d.obj"));
    long n = 0, refused = 0;
    do {
        taut_animation animation;
        taut_error error;
        watch(++n);
        bool loaded = taut_animation_load(path, &animation, &error);
        taut_animation_free(&animation);
        assert_int_equal(stop_watching(), 0);
        refused += !loaded;
        if (!loaded) expect_no_memory(&error, n);
    } while (has_failed());
    assert_true(refused > 10);
    remove_files(files, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_scene_may_fail),
        cmocka_unit_test(every_allocation_of_an_animation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
