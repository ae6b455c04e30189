/* The reader goes through the bytes once, by recursive descent (at most TIO_JSON_DEPTH deep). Values and strings are
 * cut from large pieces of memory, because there may be millions of them. */
#include "io/json_scan.h"
#include "base/error.h"
#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 96 };

static bool parse_value(tio_scan *s, tio_json *value);

/* ---- Errors --------------------------------------------------------------------------------- */

/* If a name is too long to be shown whole, its end, cut between UTF-8 characters. */
static const char *visible_name(const char *name, const char **dots)
{
    size_t length = strlen(name);
    *dots = length > LONGEST_NAME ? "..." : "";
    if (length <= LONGEST_NAME) return name;
    name += length - LONGEST_NAME;
    while ((*name & 0xc0) == 0x80) name++;
    return name;
}

bool tio_json_fail(taut_error *error, const char *name, int line, int column, const char *format, ...)
{
    const char *dots, *shown = visible_name(name, &dots);
    taut_error draft;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(draft.text, sizeof draft.text, format, arguments);
    va_end(arguments);
    if (line == 0) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s%s: %s", dots, shown, draft.text);
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s%s:%d:%d: %s", dots, shown, line, column, draft.text);
}

/* ---- Words, arrays and objects -------------------------------------------------------------- */

static bool parse_word(tio_scan *s, tio_json *value)
{
    static const struct {
        const char *text;
        tio_json_type type;
        bool boolean;
    } words[] = {
        {"true", TIO_JSON_BOOL, true}, {"false", TIO_JSON_BOOL, false}, {"null", TIO_JSON_NULL, false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].text);
        if ((size_t)(s->end - s->at) < length || memcmp(s->at, words[i].text, length) != 0) continue;
        value->type = words[i].type;
        value->boolean = words[i].boolean;
        s->at += length;
        s->column += (int)length;
        return true;
    }
    return tio_scan_expected(s, "a value");
}

/* Enters an array or object whose opening character `open` is next. */
static bool enter(tio_scan *s, char open)
{
    if (s->depth == TIO_JSON_DEPTH)
        return tio_json_fail(s->error, s->name, s->line, s->column, "nested deeper than %d levels", TIO_JSON_DEPTH);
    s->depth++;
    tio_scan_accept(s, open);
    tio_scan_space(s);
    return true;
}

/* Adds an item to `parent` behind the last one. */
static tio_json *append(tio_scan *s, tio_json *parent, tio_json *last)
{
    tio_json *item = tio_scan_cut(s, sizeof *item);
    if (!item) return NULL;
    item->parent = parent;
    *(last ? &last->next : &parent->first) = item;
    parent->count++;
    return item;
}

/* Reads what follows an item. Returns true when another item follows; *closed becomes true at the end of the list. */
static bool parse_comma(tio_scan *s, char close, bool *closed)
{
    tio_scan_space(s);
    *closed = tio_scan_accept(s, close);
    if (*closed) return true;
    if (!tio_scan_accept(s, ',')) return tio_scan_expected(s, close == ']' ? "',' or ']'" : "',' or '}'");
    tio_scan_space(s);
    if (tio_scan_next_is(s, close)) return tio_scan_fail(s, "a comma must be followed by another item");
    return true;
}

static bool parse_array(tio_scan *s, tio_json *array)
{
    array->type = TIO_JSON_ARRAY;
    if (!enter(s, '[')) return false;
    tio_json *last = NULL;
    for (bool closed = tio_scan_accept(s, ']'); !closed;) {
        last = append(s, array, last);
        if (!last || !parse_value(s, last) || !parse_comma(s, ']', &closed)) return false;
    }
    s->depth--;
    return true;
}

static bool stands_before(const tio_json *a, const tio_json *b)
{
    return a->key_line != b->key_line ? a->key_line < b->key_line : a->key_column < b->key_column;
}

typedef struct sorted_member {
    const tio_json *member;
} sorted_member;

static int compare_keys(const void *a, const void *b)
{
    const tio_json *p = ((const sorted_member *)a)->member, *q = ((const sorted_member *)b)->member;
    int order = strcmp(p->key, q->key);
    return order ? order : stands_before(p, q) ? -1 : 1;
}

/* Sorts the members by key, so that an object with a million keys is checked quickly. */
static bool check_duplicates(tio_scan *s, const tio_json *object)
{
    if (object->count < 2) return true;
    size_t n = 0, count = (size_t)object->count;
    const tio_json *worst = NULL;
    sorted_member *sorted = tio_scan_cut(s, count * sizeof *sorted);
    if (!sorted) return false;
    for (const tio_json *member = object->first; member; member = member->next) sorted[n++].member = member;
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < n; i++)
        if (!strcmp(sorted[i - 1].member->key, sorted[i].member->key) &&
            (!worst || stands_before(sorted[i].member, worst)))
            worst = sorted[i].member;
    if (!worst) return true;
    return tio_json_fail(s->error, s->name, worst->key_line, worst->key_column, "this key stands twice in one object");
}

static bool parse_member(tio_scan *s, tio_json *member)
{
    int length;
    if (!tio_scan_next_is(s, '"')) return tio_scan_expected(s, "a key in quotes");
    member->key_line = s->line;
    member->key_column = s->column;
    member->key = tio_scan_string(s, &length);
    if (!member->key) return false;
    tio_scan_space(s);
    if (!tio_scan_accept(s, ':')) return tio_scan_expected(s, "':'");
    tio_scan_space(s);
    return parse_value(s, member);
}

static bool parse_object(tio_scan *s, tio_json *object)
{
    object->type = TIO_JSON_OBJECT;
    if (!enter(s, '{')) return false;
    tio_json *last = NULL;
    for (bool closed = tio_scan_accept(s, '}'); !closed;) {
        last = append(s, object, last);
        if (!last || !parse_member(s, last) || !parse_comma(s, '}', &closed)) return false;
    }
    s->depth--;
    return check_duplicates(s, object);
}

static bool parse_value(tio_scan *s, tio_json *value)
{
    value->file = s->name;
    value->line = s->line;
    value->column = s->column;
    if (tio_scan_next_is(s, '{')) return parse_object(s, value);
    if (tio_scan_next_is(s, '[')) return parse_array(s, value);
    if (tio_scan_next_is(s, '-') || tio_scan_digit(s)) {
        value->type = TIO_JSON_NUMBER;
        return tio_scan_number(s, &value->number);
    }
    if (!tio_scan_next_is(s, '"')) return parse_word(s, value);
    value->type = TIO_JSON_STRING;
    value->string = tio_scan_string(s, &value->count);
    return value->string != NULL;
}

/* ---- The document --------------------------------------------------------------------------- */

static void skip_byte_order_mark(tio_scan *s)
{
    if (s->end - s->at >= 3 && memcmp(s->at, "\xef\xbb\xbf", 3) == 0) s->at += 3;
}

tio_json *tio_json_parse(tt_scope *scope, const char *name, const void *bytes, size_t size, taut_error *error)
{
    static const unsigned char nothing[1];
    tt_clear(error);
    tio_scan s = {.scope = scope, .name = name, .error = error, .line = 1, .column = 1};
    s.at = size ? bytes : nothing;
    s.end = s.at + size;
    if (size > TIO_JSON_SIZE) {
        tio_json_fail(error, name, 1, 1, "the file has %zu bytes, more than %d", size, TIO_JSON_SIZE);
        return NULL;
    }
    tio_json *document = tio_scan_cut(&s, sizeof *document);
    if (!document) return NULL;
    skip_byte_order_mark(&s);
    tio_scan_space(&s);
    if (!parse_value(&s, document)) return NULL;
    tio_scan_space(&s);
    if (s.at < s.end) {
        tio_scan_expected(&s, "the end of the file");
        return NULL;
    }
    return document;
}

/* ---- Looking up values ---------------------------------------------------------------------- */

const tio_json *tio_json_member(const tio_json *object, const char *key)
{
    if (object->type != TIO_JSON_OBJECT) return NULL;
    const tio_json *member = object->first;
    while (member && strcmp(member->key, key) != 0) member = member->next;
    return member;
}

const tio_json *tio_json_item(const tio_json *array, int index)
{
    if (array->type != TIO_JSON_ARRAY || index < 0) return NULL;
    const tio_json *item = array->first;
    while (item && index-- > 0) item = item->next;
    return item;
}

uint64_t tio_json_hash(uint64_t hash, const tio_json *value)
{
    const uint64_t head = (uint64_t)value->count << 8 | (uint64_t)value->type;
    hash = tt_hash(hash, &head, sizeof head);
    if (value->key) hash = tt_hash(hash, value->key, strlen(value->key) + 1);
    switch (value->type) {
    case TIO_JSON_NULL: return hash;
    case TIO_JSON_BOOL: return tt_hash(hash, &value->boolean, sizeof value->boolean);
    case TIO_JSON_NUMBER: return tt_hash(hash, &value->number, sizeof value->number);
    case TIO_JSON_STRING: return tt_hash(hash, value->string, strlen(value->string));
    case TIO_JSON_ARRAY:
    case TIO_JSON_OBJECT: break;
    }
    for (const tio_json *item = value->first; item; item = item->next) hash = tio_json_hash(hash, item);
    return hash;
}

const char *tio_json_type_name(tio_json_type type)
{
    static const char *const names[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
    return names[type];
}
