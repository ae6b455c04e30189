#include "io/text.h"

#include "base/error.h"
#include "io/decimal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tio_text_open(tio_text *text, const char *name, const void *bytes, size_t size,
                   taut_error *error)
{
    const char *begin = size ? bytes : "";
    *text = (tio_text){.name = name, .begin = begin, .end = begin + size, .error = error};
    text->next = text->at = text->line_end = text->line_feed = begin;
}

bool tio_fail(tio_text *text, const char *format, ...)
{
    char cause[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    if (!text->binary)
        return tt_fail(text->error, TAUT_BAD_MESH, -1, "%s:%d: %s", text->name, text->line, cause);
    size_t byte = (size_t)(text->next - text->begin);
    return tt_fail(text->error, TAUT_BAD_MESH, -1, "%s: byte %zu: %s", text->name, byte, cause);
}

/* ---- Lines and words ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static const char *find_line_end(tio_text *text)
{
    if (text->line_feed <= text->at) {
        const char *found = memchr(text->at, '\n', (size_t)(text->end - text->at));
        text->line_feed = found ? found : text->end;
    }
    const char *carriage_return = memchr(text->at, '\r', (size_t)(text->line_feed - text->at));
    return carriage_return ? carriage_return : text->line_feed;
}

static const char *behind_line_break(const tio_text *text, const char *at)
{
    if (at == text->end) return at;
    bool two = *at == '\r' && !text->lone_returns && at + 1 < text->end && at[1] == '\n';
    return at + (two ? 2 : 1);
}

bool tio_next_line(tio_text *text)
{
    if (text->next >= text->end) {
        text->at = text->line_end = text->end;
        return false;
    }
    if (text->line == 0 && text->end - text->next >= 3 && memcmp(text->next, "\xef\xbb\xbf", 3) == 0) text->next += 3;
    text->at = text->next;
    text->line_end = find_line_end(text);
    text->next = behind_line_break(text, text->line_end);
    if (text->line == 0 && text->line_end < text->end)
        text->lone_returns = *text->line_end == '\r' && text->next == text->line_end + 1;
    while (text->line_end > text->at && is_space(text->line_end[-1])) text->line_end--;
    if (text->line < INT_MAX) text->line++;
    return true;
}

bool tio_next_word(tio_text *text, tio_word *word)
{
    for (;;) {
        while (text->at < text->line_end && is_space(*text->at)) text->at++;
        if (text->at == text->line_end) return false;
        bool last = text->at + 1 == text->line_end;
        if (!text->continued || *text->at != '\\' || !last) break;
        if (!tio_next_line(text)) return false;
    }
    if (text->comment && *text->at == text->comment) {
        text->at = text->line_end;
        return false;
    }
    const char *begin = text->at;
    while (text->at < text->line_end && !is_space(*text->at)) {
        bool joins = text->continued && *text->at == '\\' && text->at + 1 == text->line_end;
        if (joins && text->at > begin) break;
        text->at++;
    }
    *word = (tio_word){begin, (size_t)(text->at - begin)};
    return true;
}

bool tio_flow_word(tio_text *text, tio_word *word)
{
    while (!tio_next_word(text, word))
        if (!tio_next_line(text)) return false;
    return true;
}

bool tio_word_is(tio_word word, const char *other)
{
    return strlen(other) == word.size && memcmp(word.at, other, word.size) == 0;
}

tio_word tio_rest_of_line(tio_text *text)
{
    while (text->at < text->line_end && is_space(*text->at)) text->at++;
    tio_word rest = {text->at, (size_t)(text->line_end - text->at)};
    text->at = text->line_end;
    return rest;
}

/* ---- Numbers ---- */

/* A bad word for an error: shortened, control characters made visible. */
typedef struct shown {
    char text[41];
} shown;

static shown show(tio_word word)
{
    shown s;
    size_t n = word.size < sizeof s.text ? word.size : sizeof s.text - 1;
    for (size_t i = 0; i < n; i++) {
        char c = word.at[i];
        s.text[i] = (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
    }
    s.text[n] = '\0';
    return s;
}

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

bool tio_parse_number(tio_text *text, tio_word word, const char *what, double *value)
{
    return tio_parse_decimal(word.at, word.size, value) ||
           tio_fail(text, "%s is not a number: %s", what, show(word).text);
}

bool tio_parse_integer(tio_text *text, tio_word word, const char *what, int64_t *value)
{
    const char *at = word.at, *end = word.at + word.size;
    bool minus = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    int64_t size = 0;
    bool whole = at < end && end - at <= 18; /* so that it fits 64 bits */
    for (; whole && at < end; at++) {
        whole = is_digit(at, end);
        size = 10 * size + (*at - '0');
    }
    if (!whole) return tio_fail(text, "%s is not a whole number: %s", what, show(word).text);
    *value = minus ? -size : size;
    return true;
}

static bool to_float(tio_text *text, double number, const char *what, float *value)
{
    if (!(fabs(number) <= (double)FLT_MAX))
        return tio_fail(text, "%s is not finite: %g", what, number);
    *value = (float)number;
    return true;
}

bool tio_parse_float(tio_text *text, tio_word word, const char *what, float *value)
{
    double number = 0;
    return tio_parse_number(text, word, what, &number) && to_float(text, number, what, value);
}

static bool missing(tio_text *text, const char *what)
{
    return tio_fail(text, "%s is missing", what);
}

bool tio_line_float(tio_text *text, const char *what, float *value)
{
    tio_word word;
    if (!tio_next_word(text, &word)) return missing(text, what);
    return tio_parse_float(text, word, what, value);
}

bool tio_line_integer(tio_text *text, const char *what, int64_t *value)
{
    tio_word word;
    if (!tio_next_word(text, &word)) return missing(text, what);
    return tio_parse_integer(text, word, what, value);
}

bool tio_flow_float(tio_text *text, const char *what, float *value)
{
    tio_word word;
    if (!tio_flow_word(text, &word)) return missing(text, what);
    return tio_parse_float(text, word, what, value);
}

bool tio_flow_integer(tio_text *text, const char *what, int64_t *value)
{
    tio_word word;
    if (!tio_flow_word(text, &word)) return missing(text, what);
    return tio_parse_integer(text, word, what, value);
}

/* ---- Counts and binary numbers ---- */

size_t tio_bytes_left(const tio_text *text) { return (size_t)(text->end - text->next); }

bool tio_check_count(tio_text *text, int64_t count, size_t least, const char *things)
{
    if (count < 0)
        return tio_fail(text, "the number of %s is negative: %lld", things, (long long)count);
    /* The rest of this line counts too, and the last word of a file needs no space after it. */
    size_t left = (size_t)(text->end - (text->at < text->line_end ? text->at : text->next)) + 1;
    if ((uint64_t)count > left / least || count > TAUT_MOST_SIDES)
        return tio_fail(text, "%lld %s do not fit in the %zu bytes that follow", (long long)count,
                        things, left - 1);
    return true;
}

size_t tio_type_size(tio_type type)
{
    static const size_t size[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return size[type];
}

bool tio_type_is_whole(tio_type type) { return type >= TIO_INT8 && type <= TIO_UINT64; }

bool tio_skip_bytes(tio_text *text, size_t count, const char *what)
{
    if (tio_bytes_left(text) < count) return tio_fail(text, "the file ends in %s", what);
    text->next += count;
    text->at = text->line_end = text->next;
    return true;
}

static bool take_bits(tio_text *text, size_t size, const char *what, uint64_t *bits)
{
    const unsigned char *byte = (const unsigned char *)text->next;
    if (!tio_skip_bytes(text, size, what)) return false;
    *bits = 0;
    for (size_t i = 0; i < size; i++)
        *bits = *bits << 8 | byte[text->big_endian ? i : size - 1 - i];
    return true;
}

bool tio_binary_integer(tio_text *text, tio_type type, const char *what, int64_t *value)
{
    uint64_t bits;
    size_t size = tio_type_size(type);
    if (!take_bits(text, size, what, &bits)) return false;
    bool is_signed =
        type == TIO_INT8 || type == TIO_INT16 || type == TIO_INT32 || type == TIO_INT64;
    if (is_signed && size > 0 && size < 8 && bits >> (8 * size - 1))
        bits |= ~(uint64_t)0 << (8 * size);
    /* Too large for any count or index anyway. */
    if (!is_signed && bits > INT64_MAX) bits = INT64_MAX;
    *value = (int64_t)bits;
    return true;
}

bool tio_binary_number(tio_text *text, tio_type type, const char *what, double *value)
{
    if (tio_type_is_whole(type)) {
        int64_t whole;
        if (!tio_binary_integer(text, type, what, &whole)) return false;
        *value = (double)whole;
        return true;
    }
    uint64_t bits;
    if (!take_bits(text, tio_type_size(type), what, &bits)) return false;
    if (type == TIO_FLOAT) {
        uint32_t narrow = (uint32_t)bits;
        float number;
        memcpy(&number, &narrow, sizeof number);
        *value = (double)number;
    } else memcpy(value, &bits, sizeof *value);
    return true;
}

bool tio_binary_float(tio_text *text, tio_type type, const char *what, float *value)
{
    double number = 0;
    return tio_binary_number(text, type, what, &number) && to_float(text, number, what, value);
}

bool tio_read_integer(tio_text *text, tio_type type, const char *what, int64_t *value)
{
    return text->binary ? tio_binary_integer(text, type, what, value)
                        : tio_flow_integer(text, what, value);
}

bool tio_read_float(tio_text *text, tio_type type, const char *what, float *value)
{
    return text->binary ? tio_binary_float(text, type, what, value)
                        : tio_flow_float(text, what, value);
}
