/* Text to numbers, rounded correctly whatever the process's locale. */
#include "io/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

/* Reads a decimal number of up to 15 digits with a power of ten up to 22. It takes one operation on exact doubles, so
 * the result is rounded correctly (Clinger 1990). False for all other numbers. */
static bool short_number(const char *at, const char *end, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    bool minus = at < end && *at == '-', minus_exponent = false;
    if (at < end && (*at == '-' || *at == '+')) at++;
    int64_t digits = 0;
    int ndigits = 0, shift = 0, exponent = 0;
    for (; is_digit(at, end) && ndigits < 16; at++, ndigits++) digits = 10 * digits + (*at - '0');
    if (at < end && *at == '.')
        for (at++; is_digit(at, end) && ndigits < 16; at++, ndigits++, shift++) digits = 10 * digits + (*at - '0');
    if (ndigits == 0 || ndigits > 15) return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        minus_exponent = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        if (!is_digit(at, end)) return false;
        for (; is_digit(at, end) && exponent < 1000; at++) exponent = 10 * exponent + (*at - '0');
    }
    exponent = (minus_exponent ? -exponent : exponent) - shift;
    if (at != end || exponent < -22 || exponent > 22) return false;
    double size = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    *value = minus ? -size : size;
    return true;
}

/* strtod rounds correctly but expects the decimal point of the process's locale. So it gets that point, and no other
 * character that only the locale knows. */
bool tio_parse_decimal(const char *text, size_t length, double *value)
{
    enum { LONGEST = 400, LONGEST_POINT = 16 };
    static const char known[] = "0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (short_number(text, text + length, value)) return true;
    char copy[LONGEST + LONGEST_POINT + 1], *stop;
    const char *point = localeconv()->decimal_point;
    size_t n = 0, point_length = strlen(point);
    bool has_point = false;
    if (length == 0 || length > LONGEST || point_length > LONGEST_POINT) return false;
    for (size_t i = 0; i < length; i++) {
        bool is_point = text[i] == '.';
        if (!text[i] || !strchr(known, text[i]) || (is_point && has_point)) return false;
        memcpy(&copy[n], is_point ? point : &text[i], is_point ? point_length : 1);
        n += is_point ? point_length : 1;
        has_point = has_point || is_point;
    }
    copy[n] = '\0';
    *value = strtod(copy, &stop);
    return stop == copy + n;
}
