/* test_presets.c: presets of the library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "taut.h"

#include <math.h>
#include <string.h>

static void every_preset_says_what_it_is(void **state)
{
    (void)state;
    assert_true(taut_preset_count() >= 16);
    for (int i = 0; i < taut_preset_count(); i++) {
        const taut_preset *preset = taut_preset_at(i);
        assert_true(*preset->name && *preset->meaning && *preset->source);
        for (int k = 0; k < i; k++) assert_string_not_equal(preset->name, taut_preset_at(k)->name);
    }
    assert_null(taut_preset_at(-1));
    assert_null(taut_preset_at(taut_preset_count()));
}

/* Fabrics weigh from grams to a kilogram a square metre, and their bending lengths are those of fabrics and paper.
 * Solids have less than twice the density of water, and have neither bending nor tethers. */
static void presets_are_in_the_ranges_of_such_stuff(void **state)
{
    (void)state;
    for (int i = 0; i < taut_preset_count(); i++) {
        taut_material m;
        const taut_preset *preset = taut_preset_at(i);
        assert_true(taut_preset_material(preset->name, &m));
        assert_int_equal(m.units, TAUT_PHYSICAL);
        double density = (double)m.density;
        if (preset->solid) {
            assert_true(density > 10 && density < 2000 && m.strain.volume > 0 && m.strain.zz > 0);
            assert_true(m.bend.model == TAUT_BEND_NONE && m.tether == 0);
        } else {
            double bending_length = cbrt((double)m.bend.stiffness / (density * 9.81));
            assert_true(density > 0.01 && density < 1);
            assert_true(bending_length > 0.005 && bending_length < 0.1);
            assert_true(m.strain.xy < m.strain.xx && m.strain.xy > 0);
        }
    }
}

static void an_unknown_name_gives_the_default_material(void **state)
{
    (void)state;
    taut_material m, usual = taut_default_material();
    assert_false(taut_preset_material("tweed", &m));
    assert_memory_equal(&m, &usual, sizeof m);
}

/* A program that was compiled with another header must get no figures in the wrong places. */
static void a_material_of_another_size_is_left_to_the_check(void **state)
{
    (void)state;
    taut_material m;
    memset(&m, 0, sizeof m);
    taut_init_preset(&m, sizeof m - sizeof(float), "denim");
    assert_true(m.density == 0 && m.strain.xx == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_says_what_it_is),
        cmocka_unit_test(presets_are_in_the_ranges_of_such_stuff),
        cmocka_unit_test(an_unknown_name_gives_the_default_material),
        cmocka_unit_test(a_material_of_another_size_is_left_to_the_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
