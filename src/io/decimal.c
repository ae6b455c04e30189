#include "io/decimal.h"

#include <string.h>

enum { DIGITS = 9, LEAST_EXPONENT = -9, MOST_EXPONENT = 9 };

/* 10^i. For a negative i the value is rounded, but a float is below it if and only if it is below the exact power. */
static const double power_of_ten[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0,
                                      1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9};

static const uint64_t power_of_five[] = {
    1,       5,       25,       125,       625,        3125,       15625,       78125,        390625,
    1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625, 30517578125, 152587890625, 762939453125,
};

/* The exponent of value in 10^-9 <= value < 10^9. Most coordinates are around a metre. */
static int exponent_of(double value)
{
    int exponent = 0;
    while (value < power_of_ten[exponent - LEAST_EXPONENT]) exponent--;
    while (value >= power_of_ten[exponent + 1 - LEAST_EXPONENT]) exponent++;
    return exponent;
}

/* value * 10^(8 - exponent), rounded to a whole number, ties to even. A float is m * 2^e with m < 2^24, so the product
 * is m * 5^k * 2^(e + k). With k at most 17, m * 5^k fits 64 bits and nothing is lost before the rounding. No float of
 * this range is so close below a power of ten that it would be rounded up to it. */
static uint32_t nine_digits(float value, int exponent)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int k = DIGITS - 1 - exponent;
    int shift = (int)(bits >> 23) - 150 + k; /* no subnormals: they are far below 10^-9 */
    uint64_t product = ((bits & 0x7fffff) | 0x800000) * power_of_five[k];
    if (shift >= 0) return (uint32_t)(product << shift);
    uint64_t whole = product >> -shift, rest = product - (whole << -shift), half = UINT64_C(1) << (-shift - 1);
    return (uint32_t)(whole + (rest > half || (rest == half && (whole & 1))));
}

/* The digits, the first one first; returns how many there are without zeros at the end. */
static int spell(uint32_t number, char digit[DIGITS])
{
    int count = 0;
    for (int i = DIGITS - 1; i >= 0; i--, number /= 10) {
        digit[i] = (char)('0' + number % 10);
        if (count == 0 && digit[i] != '0') count = i + 1;
    }
    return count;
}

static char *put(char *at, const char *from, int count)
{
    memcpy(at, from, (size_t)count);
    return at + count;
}

static char *put_zeros(char *at, int count)
{
    memset(at, '0', (size_t)count);
    return at + count;
}

/* 1.5e-07 */
static char *put_scientific(char *at, const char *digit, int count, int exponent)
{
    *at++ = digit[0];
    if (count > 1) *at++ = '.';
    at = put(at, digit + 1, count - 1);
    *at++ = 'e';
    *at++ = '-';
    *at++ = '0';
    *at++ = (char)('0' - exponent);
    return at;
}

/* printf uses the decimal point of the process's locale, so it is replaced. It may be several bytes; none of them is a
 * digit, a letter or a sign. */
tio_decimal tio_decimal_of(double value, int digits)
{
    char printed[TIO_DECIMAL_BYTES + 16];
    tio_decimal decimal = {""};
    int n = 0;
    snprintf(printed, sizeof printed, "%.*g", digits, value);
    for (const char *c = printed; *c; c++) {
        bool plain = strchr("0123456789+-einfa", *c) != NULL;
        if (plain) decimal.text[n++] = *c;
        else if (decimal.text[n - 1] != '.') decimal.text[n++] = '.';
    }
    return decimal;
}

char *tio_put_decimal(char *at, float value)
{
    char digit[DIGITS];
    double size = value < 0 ? -(double)value : (double)value;
    if (!(size >= power_of_ten[0] && size < power_of_ten[MOST_EXPONENT - LEAST_EXPONENT])) {
        tio_decimal decimal = tio_decimal_of((double)value, DIGITS);
        return put(at, decimal.text, (int)strlen(decimal.text));
    }
    if (value < 0) *at++ = '-';
    int exponent = exponent_of(size);
    int count = spell(nine_digits((float)size, exponent), digit);
    if (exponent < -4) return put_scientific(at, digit, count, exponent);
    if (exponent < 0) {
        at = put_zeros(put(at, "0.", 2), -exponent - 1);
        return put(at, digit, count);
    }
    int before = exponent + 1;
    if (count <= before) return put_zeros(put(at, digit, count), before - count);
    at = put(at, digit, before);
    *at++ = '.';
    return put(at, digit + before, count - before);
}

char *tio_put_count(char *at, int64_t value)
{
    char digit[TIO_DECIMAL_BYTES];
    int count = 0;
    do {
        digit[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) *at++ = digit[--count];
    return at;
}

void tio_text_out_open(tio_text_out *out, FILE *file)
{
    out->file = file;
    out->at = out->text;
}

void tio_text_out_room(tio_text_out *out, size_t bytes)
{
    if (out->text + sizeof out->text < out->at + bytes) tio_text_out_flush(out);
}

void tio_text_out_flush(tio_text_out *out)
{
    fwrite(out->text, 1, (size_t)(out->at - out->text), out->file);
    out->at = out->text;
}
