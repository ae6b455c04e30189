/* The choice of an instruction set, and kinds by name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

extern char **environ;

/* The linker takes this function instead of the C library's, for the whole program. */
static int asked;
char *getenv(const char *name)
{
    size_t length = strlen(name);
    asked += strcmp(name, "TAUT_SIMD") == 0;
    for (char **entry = environ; *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return *entry + length + 1;
    return NULL;
}

static void a_world_reads_the_environment_once(void **state)
{
    (void)state;
    asked = 0;
    taut_model *model = sheet_model(9, NULL);
    assert_int_equal(asked, 0);
    taut_world *world = plain_world(2, 2);
    assert_int_equal(asked, 1);
    add_at(world, model, 0, 0, 0);
    step_times(world, 3);
    assert_non_null(taut_world_stats(world).simd);
    assert_int_equal(asked, 1);
    taut_world_free(world);
    taut_model_free(model);
}

static void kinds_are_found_by_name(void **state)
{
    (void)state;
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        assert_non_null(taut_kind_name(kind));
        assert_int_equal(taut_kind_find(taut_kind_name(kind)), kind);
    }
    assert_int_equal(taut_kind_find("no such kind"), -1);
    assert_int_equal(taut_kind_find(""), -1);
    assert_null(taut_kind_name(-1));
    assert_null(taut_kind_name(taut_kind_count()));
}

static void no_name_is_no_kind(void **state)
{
    (void)state;
    assert_int_equal(taut_kind_find(NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_reads_the_environment_once),
        cmocka_unit_test(kinds_are_found_by_name),
        cmocka_unit_test(no_name_is_no_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
