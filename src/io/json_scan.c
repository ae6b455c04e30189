#include "io/json_scan.h"
#include "base/error.h"
#include "io/decimal.h"

#include <math.h>
#include <string.h>

enum { PIECE = 64 * 1024, LONGEST_NUMBER = 255 };

/* ---- Errors --------------------------------------------------------------------------------- */

bool tio_scan_fail(const tio_scan *s, const char *text)
{
    return tio_json_fail(s->error, s->name, s->line, s->column, "%s", text);
}

bool tio_scan_expected(const tio_scan *s, const char *expected)
{
    if (s->at == s->end)
        return tio_json_fail(s->error, s->name, s->line, s->column, "expected %s, got the end of the file", expected);
    unsigned c = *s->at;
    if (c > 0x20 && c < 0x7f)
        return tio_json_fail(s->error, s->name, s->line, s->column, "expected %s, got '%c'", expected, (int)c);
    return tio_json_fail(s->error, s->name, s->line, s->column, "expected %s, got byte 0x%02x", expected, c);
}

/* ---- Memory --------------------------------------------------------------------------------- */

void *tio_scan_cut(tio_scan *s, size_t size)
{
    size = (size + 7) / 8 * 8;
    if (size > s->left) {
        size_t whole = size > PIECE ? size : PIECE;
        char *piece = TT_TAKE(s->scope, char, whole);
        if (!piece) {
            tt_no_memory(s->error);
            return NULL;
        }
        if (size > PIECE) return piece;
        s->piece = piece;
        s->left = whole;
    }
    void *memory = s->piece;
    s->piece += size;
    s->left -= size;
    return memory;
}

/* ---- Characters ----------------------------------------------------------------------------- */

/* Steps over one byte of plain ASCII. */
static void step(tio_scan *s)
{
    s->at++;
    s->column++;
}

bool tio_scan_next_is(const tio_scan *s, char c) { return s->at < s->end && *s->at == (unsigned char)c; }

bool tio_scan_accept(tio_scan *s, char c)
{
    if (!tio_scan_next_is(s, c)) return false;
    step(s);
    return true;
}

void tio_scan_space(tio_scan *s)
{
    for (; s->at < s->end; s->at++) {
        bool lone_return = *s->at == '\r' && (s->end - s->at < 2 || s->at[1] != '\n');
        if (*s->at == '\n' || lone_return) {
            s->line++;
            s->column = 1;
        } else if (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
            s->column++;
        } else {
            return;
        }
    }
}

/* Bytes of the UTF-8 character at `at`; 0 when it is not valid (RFC 3629: no overlong forms, no surrogates, nothing
 * above U+10FFFF). */
static int utf8_length(const unsigned char *at, const unsigned char *end)
{
    unsigned lead = at[0];
    int length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (end - at < length) return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if (lead == 0xe0 && at[1] < 0xa0) return 0;
    if (lead == 0xed && at[1] > 0x9f) return 0;
    if (lead == 0xf0 && at[1] < 0x90) return 0;
    if (lead == 0xf4 && at[1] > 0x8f) return 0;
    return length;
}

static char *put_utf8(char *out, unsigned c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

/* ---- Strings -------------------------------------------------------------------------------- */

/* The four digits of a \u escape, or -1. */
static int parse_hex(tio_scan *s)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef";
        int c = s->at < s->end ? *s->at : 0;
        const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
        if (!found) {
            tio_scan_fail(s, "\\u needs four hexadecimal digits");
            return -1;
        }
        code = code * 16 + (int)(found - digits);
        step(s);
    }
    return code;
}

/* Reads what follows "\u". Characters above U+FFFF are a pair of surrogates, \ud83d\ude00. */
static bool parse_unicode_escape(tio_scan *s, char **out)
{
    int code = parse_hex(s);
    if (code < 0) return false;
    if (code == 0) return tio_scan_fail(s, "\\u0000 is not allowed in a string");
    if (code >= 0xdc00 && code <= 0xdfff)
        return tio_scan_fail(s, "\\u escape is the second half of a pair without its first");
    if (code >= 0xd800 && code <= 0xdbff) {
        static const char alone[] = "\\u escape is the first half of a pair without its second";
        if (!tio_scan_accept(s, '\\') || !tio_scan_accept(s, 'u')) return tio_scan_fail(s, alone);
        int low = parse_hex(s);
        if (low < 0) return false;
        if (low < 0xdc00 || low > 0xdfff) return tio_scan_fail(s, alone);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *out = put_utf8(*out, (unsigned)code);
    return true;
}

/* Reads what follows a backslash. */
static bool parse_escape(tio_scan *s, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (tio_scan_accept(s, 'u')) return parse_unicode_escape(s, out);
    const char *found = s->at < s->end && *s->at ? strchr(letters, *s->at) : NULL;
    if (!found) return tio_scan_fail(s, "a backslash must be followed by one of \" \\ / b f n r t u");
    *(*out)++ = meanings[found - letters];
    step(s);
    return true;
}

/* How many bytes the string at `at` (after its opening quote) needs at the most, without the final 0. */
static size_t string_bound(const tio_scan *s)
{
    const unsigned char *at = s->at;
    while (at < s->end && *at != '"' && *at >= 0x20) at += *at == '\\' && s->end - at > 1 ? 2 : 1;
    return (size_t)(at - s->at);
}

/* Begins at the opening quote. The decoded text is never longer than the text in the file. */
const char *tio_scan_string(tio_scan *s, int *length)
{
    int line = s->line, column = s->column;
    step(s);
    char *text = tio_scan_cut(s, string_bound(s) + 1), *out = text;
    if (!text) return NULL;
    while (s->at < s->end) {
        if (tio_scan_accept(s, '"')) {
            *out = 0;
            *length = (int)(out - text);
            return text;
        }
        if (*s->at < 0x20) {
            tio_scan_fail(s, "a control character in a string must be written as an escape such as \\n or \\u0009");
            return NULL;
        }
        if (tio_scan_accept(s, '\\')) {
            if (!parse_escape(s, &out)) return NULL;
            continue;
        }
        int bytes = utf8_length(s->at, s->end);
        if (!bytes) {
            tio_scan_fail(s, "the text is not UTF-8");
            return NULL;
        }
        for (int i = 0; i < bytes; i++) *out++ = (char)*s->at++;
        s->column++;
    }
    tio_json_fail(s->error, s->name, line, column, "the string does not end");
    return NULL;
}

/* ---- Numbers -------------------------------------------------------------------------------- */

bool tio_scan_digit(const tio_scan *s) { return s->at < s->end && *s->at >= '0' && *s->at <= '9'; }

static bool skip_digits(tio_scan *s)
{
    if (!tio_scan_digit(s)) return tio_scan_expected(s, "a digit");
    while (tio_scan_digit(s)) step(s);
    return true;
}

/* Exactly the RFC's grammar: no leading zeros, no plus sign, digits on both sides of the point. */
static bool skip_number(tio_scan *s)
{
    tio_scan_accept(s, '-');
    if (tio_scan_accept(s, '0')) {
        if (tio_scan_digit(s)) return tio_scan_fail(s, "a number must not begin with a superfluous 0");
    } else if (!skip_digits(s)) {
        return false;
    }
    if (tio_scan_accept(s, '.') && !skip_digits(s)) return false;
    if (tio_scan_accept(s, 'e') || tio_scan_accept(s, 'E')) {
        if (!tio_scan_accept(s, '+')) tio_scan_accept(s, '-');
        return skip_digits(s);
    }
    return true;
}

bool tio_scan_number(tio_scan *s, double *number)
{
    const unsigned char *from = s->at;
    int line = s->line, column = s->column;
    if (!skip_number(s)) return false;
    size_t length = (size_t)(s->at - from);
    if (length > LONGEST_NUMBER)
        return tio_json_fail(s->error, s->name, line, column, "the number has more than %d characters", LONGEST_NUMBER);
    if (!tio_parse_decimal((const char *)from, length, number) || isinf(*number))
        return tio_json_fail(s->error, s->name, line, column, "the number is too large");
    return true;
}
