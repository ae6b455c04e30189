#include "io/scene_check.h"
#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 31, FAR_APART = 99, LONGEST_PATH = 112 };

static int least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment, row by row: the classic table, with one more row for swaps. */
int tio_edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_WORD || nb > LONGEST_WORD) return FAR_APART;
    int rows[3][LONGEST_WORD + 1];
    int *older = rows[0], *old = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++) old[j] = older[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int best = old[j - 1] + (a[i - 1] != b[j - 1]);
            best = least(best, least(old[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = least(best, older[j - 2] + 1);
            row[j] = best;
        }
        int *reused = older;
        older = old, old = row, row = reused;
    }
    return old[nb];
}

const char *tio_nearest(const char *word, const void *words, int count, size_t stride)
{
    const char *nearest = NULL;
    int closest = FAR_APART, length = (int)strlen(word);
    for (int i = 0; i < count; i++) {
        const char *other = *(const char *const *)((const char *)words + (size_t)i * stride);
        int distance = tio_edit_distance(word, other), shorter = (int)strlen(other);
        if (shorter > length) shorter = length;
        if (distance >= closest || distance > 1 + shorter / 4) continue;
        closest = distance;
        nearest = other;
    }
    return nearest;
}

static bool is_plain(const char *text)
{
    return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == 0;
}

tio_shown tio_show(const char *text)
{
    tio_shown shown;
    const size_t most = sizeof shown.text - 4;
    size_t n = strlen(text);
    bool cut = n > most;
    if (cut) n = most;
    while (cut && n > 0 && (text[n] & 0xc0) == 0x80) n--; /* do not cut within a UTF-8 character */
    for (size_t i = 0; i < n; i++) shown.text[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
    memcpy(shown.text + n, cut ? "..." : "", cut ? 4 : 1);
    return shown;
}

/* ---- Paths and errors ----------------------------------------------------------------------- */

static int index_of(const tio_json *item)
{
    int index = 0;
    for (const tio_json *other = item->parent->first; other != item; other = other->next) index++;
    return index;
}

/* Puts `part` in front of `path`; does nothing when there is no room. */
static void prepend(char *path, size_t size, const char *part)
{
    size_t n = strlen(part), length = strlen(path);
    if (n + length + 1 > size) return;
    memmove(path + n, path, length + 1);
    for (size_t i = 0; i < n; i++) path[i] = part[i];
}

void tio_path(const tio_json *value, char *path, size_t size)
{
    path[0] = 0;
    for (; value->parent; value = value->parent) {
        char part[64];
        const char *dot = value->parent->parent ? "." : "";
        if (!value->key) snprintf(part, sizeof part, "[%d]", index_of(value));
        else if (is_plain(value->key)) snprintf(part, sizeof part, "%s%s", dot, tio_show(value->key).text);
        else snprintf(part, sizeof part, "%s\"%s\"", dot, tio_show(value->key).text);
        prepend(path, size, part);
    }
    if (!*path) prepend(path, size, "the scene");
}

bool tio_fail_at(const tio_check *check, const tio_json *value, const char *format, ...)
{
    char path[LONGEST_PATH];
    taut_error draft;
    tio_path(value, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(draft.text, sizeof draft.text, format, arguments);
    va_end(arguments);
    return tio_json_fail(check->error, value->file, value->line, value->column, "%s %s", path, draft.text);
}

bool tio_fail_because(const tio_check *check, const tio_json *value, const taut_error *cause)
{
    char path[LONGEST_PATH];
    if (cause->code == TAUT_NO_MEMORY) return tt_no_memory(check->error);
    tio_path(value, path, sizeof path);
    tio_json_fail(check->error, value->file, value->line, value->column, "%s: %s", path, cause->text);
    if (check->error) {
        check->error->code = cause->code;
        check->error->index = cause->index;
    }
    return false;
}

bool tio_expect(const tio_check *check, const tio_json *value, tio_json_type type)
{
    if (value->type == type) return true;
    return tio_fail_at(check, value, "must be %s, got %s", tio_json_type_name(type), tio_json_type_name(value->type));
}

/* ---- Numbers -------------------------------------------------------------------------------- */

static bool fail_range(const tio_check *check, const tio_json *value, tio_range range, const char *noun)
{
    double got = value->number;
    if (range.low > -TIO_MOST && range.high < TIO_MOST)
        return tio_fail_at(check, value, "must be %sin %c%.9g,%.9g], got %.9g", noun, range.open ? '(' : '[', range.low,
                           range.high, got);
    if (got > range.high) return tio_fail_at(check, value, "must be %sat most %.9g, got %.9g", noun, range.high, got);
    return tio_fail_at(check, value, "must be %s%s %.9g, got %.9g", noun, range.open ? "above" : "at least", range.low,
                       got);
}

static bool within(double value, tio_range range)
{
    return (range.open ? value > range.low : value >= range.low) && value <= range.high;
}

static bool read_double(const tio_check *check, const tio_json *value, tio_range range, double *out)
{
    if (!tio_expect(check, value, TIO_JSON_NUMBER)) return false;
    if (!within(value->number, range)) return fail_range(check, value, range, "");
    *out = value->number;
    return true;
}

/* Also checks the rounded value, because 1e-60 is above 0, but not as a float. */
static bool read_float(const tio_check *check, const tio_json *value, tio_range range, float *out)
{
    double number = 0;
    if (!read_double(check, value, range, &number)) return false;
    *out = (float)number;
    if (range.open && !((double)*out > range.low)) return fail_range(check, value, range, "");
    return true;
}

static bool check_whole(const tio_check *check, const tio_json *value, tio_range range)
{
    if (!tio_expect(check, value, TIO_JSON_NUMBER)) return false;
    if (value->number == floor(value->number) && within(value->number, range)) return true;
    return fail_range(check, value, range, "a whole number ");
}

static bool read_int(const tio_check *check, const tio_json *value, tio_range range, int *out)
{
    if (!check_whole(check, value, range)) return false;
    *out = (int)value->number;
    return true;
}

static bool read_bits(const tio_check *check, const tio_json *value, uint32_t *out)
{
    if (!check_whole(check, value, (tio_range){0, UINT32_MAX, false})) return false;
    *out = (uint32_t)value->number;
    return true;
}

bool tio_is_word(const tio_json *value, const char *word)
{
    return value->type == TIO_JSON_STRING && !strcmp(value->string, word);
}

bool tio_expect_number_or(const tio_check *check, const tio_json *value, const char *word)
{
    return value->type == TIO_JSON_NUMBER ||
           tio_fail_at(check, value, "must be a number or \"%s\", got %s", word, tio_json_type_name(value->type));
}

static bool read_stiffness(const tio_check *check, const tio_json *value, tio_range range, float *out)
{
    if (!isinf(range.high)) return read_float(check, value, range, out);
    if (tio_is_word(value, "rigid")) {
        *out = INFINITY;
        return true;
    }
    return tio_expect_number_or(check, value, "rigid") && read_float(check, value, TIO_NOT_NEGATIVE, out);
}

static bool read_place(const tio_check *check, const tio_json *value, tio_range range, double out[3])
{
    if (value->type != TIO_JSON_ARRAY)
        return tio_fail_at(check, value, "must be an array of 3 numbers, got %s", tio_json_type_name(value->type));
    if (value->count != 3) return tio_fail_at(check, value, "must have 3 numbers, got %d", value->count);
    const tio_json *item = value->first;
    for (int i = 0; i < 3; i++, item = item->next)
        if (!read_double(check, item, range, &out[i])) return false;
    return true;
}

static bool read_vector(const tio_check *check, const tio_json *value, tio_range range, float out[3])
{
    double number[3];
    if (!read_place(check, value, range, number)) return false;
    for (int i = 0; i < 3; i++) out[i] = (float)number[i];
    return true;
}

/* ---- Choices and keys ----------------------------------------------------------------------- */

/* "a|b|c" as "a", "b", "c" in quotes. */
static void list_choices(const char *choices, char *list, size_t size)
{
    size_t n = 0;
    list[n++] = '"';
    for (; *choices && n + 6 < size; choices++) {
        if (*choices == '|') {
            memcpy(list + n, "\", \"", 4);
            n += 4;
        } else {
            list[n++] = *choices;
        }
    }
    list[n++] = '"';
    list[n] = 0;
}

static bool read_choice(const tio_check *check, const tio_json *value, const char *choices, int *out)
{
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    size_t length = strlen(value->string);
    const char *from = choices;
    for (int number = 0;; number++) {
        size_t choice = strcspn(from, "|");
        if (choice == length && !memcmp(from, value->string, length)) {
            *out = number;
            return true;
        }
        if (from[choice] == 0) break;
        from += choice + 1;
    }
    char list[128];
    list_choices(choices, list, sizeof list);
    return tio_fail_at(check, value, "must be one of %s, got \"%s\"", list, tio_show(value->string).text);
}

bool tio_read_value(const tio_check *check, const tio_json *value, const tio_key *key, void *target)
{
    int choice = 0;
    switch (key->kind) {
    case TIO_FLOAT:
        return read_float(check, value, key->range, target);
    case TIO_DOUBLE:
        return read_double(check, value, key->range, target);
    case TIO_INT:
        return read_int(check, value, key->range, target);
    case TIO_BITS:
        return read_bits(check, value, target);
    case TIO_STIFFNESS:
        return read_stiffness(check, value, key->range, target);
    case TIO_VECTOR:
        return read_vector(check, value, key->range, target);
    case TIO_PLACE:
        return read_place(check, value, key->range, target);
    case TIO_CHOICE: /* copied as bytes, because the compiler may treat an enum as another type than int */
        if (!read_choice(check, value, key->choices, &choice)) return false;
        memcpy(target, &choice, sizeof choice);
        return true;
    case TIO_BOOL:
        if (!tio_expect(check, value, TIO_JSON_BOOL)) return false;
        *(bool *)target = value->boolean;
        return true;
    case TIO_STRING:
        if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
        *(const char **)target = value->string;
        return true;
    case TIO_VALUE:
        *(const tio_json **)target = value;
        return true;
    }
    return false;
}

bool tio_fail_unknown(const tio_check *check, const tio_json *member, const tio_key *keys, int nkeys)
{
    char path[LONGEST_PATH];
    const char *meant = tio_nearest(member->key, &keys->name, nkeys, sizeof *keys);
    tio_path(member, path, sizeof path);
    if (!meant)
        return tio_json_fail(check->error, member->file, member->key_line, member->key_column, "%s is not a key here",
                             path);
    return tio_json_fail(check->error, member->file, member->key_line, member->key_column,
                         "%s is not a key here; did you mean \"%s\"?", path, meant);
}

static const tio_key *find_key(const char *name, const tio_key *keys, int nkeys)
{
    for (int i = 0; i < nkeys; i++)
        if (!strcmp(name, keys[i].name)) return &keys[i];
    return NULL;
}

bool tio_read_object(const tio_check *check, const tio_json *object, const tio_key *keys, int nkeys, void *target)
{
    if (!tio_expect(check, object, TIO_JSON_OBJECT)) return false;
    for (const tio_json *member = object->first; member; member = member->next) {
        const tio_key *key = find_key(member->key, keys, nkeys);
        if (!key) return tio_fail_unknown(check, member, keys, nkeys);
        if (!tio_read_value(check, member, key, (char *)target + key->offset)) return false;
    }
    for (int i = 0; i < nkeys; i++)
        if (keys[i].required && !tio_json_member(object, keys[i].name))
            return tio_fail_at(check, object, "has no \"%s\"", keys[i].name);
    return true;
}
