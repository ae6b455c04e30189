/* The table of material parameters: it reaches every member exactly once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* Bytes of a material that belong to no member: two after the last bool of `bend`. */
enum { PADDING = 2 };

static void copies_every_member(void **state)
{
    (void)state;
    unsigned char from[sizeof(taut_material)], to[sizeof from] = {0};
    size_t end = sizeof(uint32_t), bytes = end;
    for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(1 + i % 255);
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *p = taut_parameter_at(i);
        assert_true(p->offset >= end); /* in order, without overlap */
        memcpy(to + p->offset, from + p->offset, p->size);
        end = p->offset + p->size;
        bytes += p->size;
    }
    assert_int_equal(bytes, sizeof(taut_material) - PADDING);
    size_t missed = 0;
    for (size_t i = sizeof(uint32_t); i < sizeof to; i++) missed += to[i] != from[i];
    assert_int_equal(missed, PADDING);
    size_t after_bend = offsetof(taut_material, bend.flat) + sizeof(bool);
    for (size_t i = 0; i < PADDING; i++) assert_int_equal(to[after_bend + i], 0);
}

static void sizes_fit_types(void **state)
{
    (void)state;
    static const size_t size[] = {
        [TAUT_PARAMETER_FLOAT] = sizeof(float),      [TAUT_PARAMETER_STIFFNESS] = sizeof(float),
        [TAUT_PARAMETER_VECTOR] = 3 * sizeof(float), [TAUT_PARAMETER_INTERVAL] = 2 * sizeof(float),
        [TAUT_PARAMETER_INT] = sizeof(int),          [TAUT_PARAMETER_BOOL] = sizeof(bool),
        [TAUT_PARAMETER_CHOICE] = sizeof(int),
    };
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *p = taut_parameter_at(i);
        assert_int_equal(p->size, size[p->type]);
        assert_int_equal(p->choices != NULL, p->type == TAUT_PARAMETER_CHOICE);
        assert_true(*p->name && *p->key && *p->meaning && p->unit);
        assert_true(p->low <= p->high[TAUT_RATIO] && p->high[TAUT_RATIO] <= p->high[TAUT_PHYSICAL]);
    }
    assert_null(taut_parameter_at(-1));
    assert_null(taut_parameter_at(taut_parameter_count()));
}

static void names_are_different(void **state)
{
    (void)state;
    for (int i = 0; i < taut_parameter_count(); i++)
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(taut_parameter_at(i)->name, taut_parameter_at(k)->name);
            assert_string_not_equal(taut_parameter_at(i)->key, taut_parameter_at(k)->key);
        }
}

static void intervals_are_checked_at_both_ends(void **state)
{
    (void)state;
    static const struct {
        float stretch[2], bend[2];
        const char *text;
    } bad[] = {
        {{-0.1f, 2}, {-1, 1}, "material.limit.stretch must be from 0..1 to 1 or more, got -0.1 to 2"},
        {{1.5f, 2}, {-1, 1}, "material.limit.stretch must be from 0..1 to 1 or more, got 1.5 to 2"},
        {{0.5f, 0.75f}, {-1, 1}, "material.limit.stretch must be from 0..1 to 1 or more, got 0.5 to 0.75"},
        {{0.5f, NAN}, {-1, 1}, "material.limit.stretch must be from 0..1 to 1 or more, got 0.5 to nan"},
        {{0.5f, 2}, {1, 2}, "material.limit.bend must be from -inf..0 to 0 or more, got 1 to 2"},
    };
    taut_mesh mesh = hanging_sheet(3);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        taut_error error;
        taut_material m = taut_default_material();
        memcpy(m.limit.stretch, bad[i].stretch, sizeof m.limit.stretch);
        memcpy(m.limit.bend, bad[i].bend, sizeof m.limit.bend);
        assert_null(taut_model_build(&mesh, &m, NULL, &error));
        assert_int_equal(error.code, TAUT_BAD_MATERIAL);
        assert_string_equal(error.text, bad[i].text);
    }
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_every_member),
        cmocka_unit_test(sizes_fit_types),
        cmocka_unit_test(names_are_different),
        cmocka_unit_test(intervals_are_checked_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
