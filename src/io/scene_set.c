#include "io/scene_set.h"
#include "base/error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One --set on its way along its path. */
typedef struct setting {
    const tio_check *check;
    const char *place; /* what errors call it: --set and the text */
    const char *at;    /* the rest of the path */
    const char *end;   /* of the path: the '=' */
} setting;

#define FAIL(s, ...) tio_json_fail((s)->check->error, (s)->place, 0, 0, __VA_ARGS__)

/* ---- Values ---- */

/* How deep arrays and objects are nested; the JSON reader has limited it. */
static int depth_of(const tio_json *value)
{
    int deepest = 0;
    if (value->type != TIO_JSON_ARRAY && value->type != TIO_JSON_OBJECT) return 0;
    for (const tio_json *item = value->first; item; item = item->next) {
        int depth = depth_of(item);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

/* How many objects and arrays a path goes through, including the document. Names in brackets may have dots. */
static int count_steps(const char *path, const char *end)
{
    int steps = 1;
    for (; path < end; path++) {
        steps += *path == '.' || *path == '[';
        if (*path == '[') path += strcspn(path, "]=");
    }
    return steps;
}

/* Removes the lines and columns within the text of --set, because they mean nothing to the user. */
static void forget_place(tio_json *value)
{
    value->line = value->column = value->key_line = value->key_column = 0;
    if (value->type != TIO_JSON_ARRAY && value->type != TIO_JSON_OBJECT) return;
    for (tio_json *item = value->first; item; item = item->next) forget_place(item);
}

static tio_json *take_value(const setting *s, tio_json_type type)
{
    tio_json *value = TT_TAKE(s->check->memory, tio_json, 1);
    if (!value) {
        tt_no_memory(s->check->error);
        return NULL;
    }
    value->file = s->place;
    value->type = type;
    return value;
}

static const char *copy(const setting *s, const char *text, size_t length)
{
    char *to = TT_TAKE(s->check->memory, char, length + 1);
    if (to) memcpy(to, text, length);
    else tt_no_memory(s->check->error);
    return to;
}

static tio_json *parse_value(const setting *s, const char *text)
{
    taut_error cause;
    tio_json *value = tio_json_parse(s->check->memory, s->place, text, strlen(text), &cause);
    bool meant_as_json = *text && strchr("{[\"", *text);
    if (!value && (meant_as_json || cause.code == TAUT_NO_MEMORY)) {
        if (s->check->error) *s->check->error = cause;
        return NULL;
    }
    if (!value) {
        value = take_value(s, TIO_JSON_STRING);
        if (!value) return NULL;
        value->count = (int)strlen(text);
        value->string = copy(s, text, strlen(text));
        if (!value->string) return NULL;
    }
    forget_place(value);
    return value;
}

/* ---- Steps of the path ---- */

/* Puts `value` in the place of `old` among the items of `parent`, or behind the last item if `old` is NULL. */
static void put(tio_json *parent, const tio_json *old, tio_json *value)
{
    tio_json **link = &parent->first;
    while (*link && *link != old) link = &(*link)->next;
    value->parent = parent;
    value->next = old ? old->next : NULL;
    *link = value;
    if (!old) parent->count++;
}

/* The member whose key comes next in the path. If there is none, a new object, or at the end of the path `value`. */
static tio_json *enter_member(setting *s, tio_json *object, tio_json *value)
{
    size_t length = strcspn(s->at, ".[=");
    const char *key = copy(s, s->at, length);
    if (!key) return NULL;
    s->at += length;
    if (!length) {
        FAIL(s, "a key is missing in the path");
        return NULL;
    }
    if (object->type != TIO_JSON_OBJECT) {
        char path[112];
        tio_path(object, path, sizeof path);
        FAIL(s, "%s is %s, it has no \"%s\"", path, tio_json_type_name(object->type), tio_show(key).text);
        return NULL;
    }
    tio_json *old = object->first;
    while (old && strcmp(old->key, key) != 0) old = old->next;
    if (s->at == s->end) {
        value->key = key;
        put(object, old, value);
        return value;
    }
    if (!old) {
        old = take_value(s, TIO_JSON_OBJECT);
        if (!old) return NULL;
        old->key = key;
        put(object, NULL, old);
    }
    return old;
}

static tio_json *named_item(const setting *s, const tio_json *array, const char *name)
{
    const char *meant = NULL;
    for (tio_json *item = array->first; item; item = item->next) {
        const tio_json *its = tio_json_member(item, "name");
        if (!its || its->type != TIO_JSON_STRING) continue;
        if (!strcmp(its->string, name)) return item;
        if (!meant) meant = tio_nearest(name, &its->string, 1, sizeof its->string);
    }
    char path[112];
    tio_path(array, path, sizeof path);
    if (meant) FAIL(s, "%s has none named \"%s\"; did you mean \"%s\"?", path, tio_show(name).text, meant);
    else FAIL(s, "%s has none named \"%s\"", path, tio_show(name).text);
    return NULL;
}

static tio_json *numbered_item(const setting *s, tio_json *array, const char *number)
{
    char path[112];
    long index = strlen(number) < 10 ? strtol(number, NULL, 10) : LONG_MAX;
    tio_json *item = array->first;
    for (long i = 0; item && i < index; i++) item = item->next;
    tio_path(array, path, sizeof path);
    if (!item && array->count) FAIL(s, "%s[%s] is not there: it has 0 to %d", path, number, array->count - 1);
    else if (!item) FAIL(s, "%s[%s] is not there: it is empty", path, number);
    return item;
}

/* The item in brackets, by number or name. */
static tio_json *enter_item(setting *s, tio_json *array, tio_json *value)
{
    size_t length = strcspn(++s->at, "]=");
    const char *index = copy(s, s->at, length);
    if (!index) return NULL;
    if (s->at[length] != ']') {
        FAIL(s, "\"]\" is missing in the path");
        return NULL;
    }
    s->at += length + 1;
    if (array->type != TIO_JSON_ARRAY) {
        char path[112];
        tio_path(array, path, sizeof path);
        FAIL(s, "%s is %s, it has no [%s]", path, tio_json_type_name(array->type), tio_show(index).text);
        return NULL;
    }
    bool number = length > 0 && strspn(index, "0123456789") == length;
    tio_json *item = number ? numbered_item(s, array, index) : named_item(s, array, index);
    if (!item || s->at < s->end) return item;
    put(array, item, value);
    return value;
}

/* ---- The whole ---- */

static const char *name_place(const tio_check *check, const char *text)
{
    size_t size = strlen(text) + sizeof "--set ";
    char *place = TT_TAKE(check->memory, char, size);
    if (place) snprintf(place, size, "--set %s", text);
    else tt_no_memory(check->error);
    return place;
}

bool tio_apply_set(const tio_check *check, tio_json *document, const char *text)
{
    const char *equals = strchr(text, '=');
    setting s = {check, name_place(check, text), text, equals};
    if (!s.place) return false;
    if (!equals || equals == text) return FAIL(&s, "must be PATH=VALUE, such as bodies[0].material.friction=0.5");
    if (!strncmp(text, "include", 7) && strchr(".[=", text[7]))
        return FAIL(&s, "what is included cannot be set: files are read before");
    tio_json *value = parse_value(&s, equals + 1), *at = document;
    if (!value) return false;
    if (count_steps(text, equals) + depth_of(value) > TIO_JSON_DEPTH)
        return FAIL(&s, "nested deeper than %d levels", TIO_JSON_DEPTH);
    at = enter_member(&s, at, value);
    while (at && s.at < s.end) {
        if (*s.at == '[') {
            at = enter_item(&s, at, value);
        } else if (*s.at == '.') {
            s.at++;
            at = enter_member(&s, at, value);
        } else {
            return FAIL(&s, "\".\" or \"[\" was expected behind \"]\" in the path");
        }
    }
    return at != NULL;
}
