/* Numbers as text: the same characters as those of the C library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_float(float value)
{
    char expected[64], text[TIO_DECIMAL_BYTES + 1];
    snprintf(expected, sizeof expected, "%.9g", (double)value);
    char *end = tio_put_decimal(text, value);
    *end = 0;
    if (strcmp(text, expected) != 0) fail_msg("%a is %s, must be %s", (double)value, text, expected);
}

static void floats_are_as_printf_has_them(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 500000; i++) {
        random = random * 1664525u + 1013904223u;
        check_float(float_of(random)); /* of any size, NaN and infinities too */
        check_float(ldexpf((float)(random >> 8), -(int)(random % 60)) - 0.5f);
        check_float((float)(int)(random >> 12) / 1000); /* few digits */
    }
}

/* Ties need a last digit of 5 with nothing behind it: multiples of 2^-k with few bits. */
static void ties_go_to_even(void **state)
{
    (void)state;
    for (int k = 1; k < 40; k++) {
        for (int m = 1; m < 3000; m++) check_float(ldexpf((float)m, -k));
    }
}

static void powers_of_ten_and_their_neighbours(void **state)
{
    (void)state;
    for (int exponent = -44; exponent <= 38; exponent++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        uint32_t bits = bits_of(strtof(text, NULL));
        for (uint32_t near = bits > 40 ? bits - 40 : 0; near < bits + 40; near++) {
            check_float(float_of(near));
            check_float(-float_of(near));
        }
    }
    check_float(0.0f);
    check_float(-0.0f);
}

static void counts(void **state)
{
    (void)state;
    const int64_t values[] = {0, 1, 9, 10, 99, 100, 123456789, INT32_MAX, INT64_C(10000000000), INT64_MAX};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[32], text[TIO_DECIMAL_BYTES + 1];
        snprintf(expected, sizeof expected, "%lld", (long long)values[i]);
        char *end = tio_put_count(text, values[i]);
        *end = 0;
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_as_printf_has_them),
        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(powers_of_ten_and_their_neighbours),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
