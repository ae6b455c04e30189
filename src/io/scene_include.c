#include "io/scene_include.h"
#include "base/error.h"
#include "io/file.h"

#include <string.h>

enum { DEEPEST = 16, MOST_FILES = 256 };

/* ---- Merging ---- */

static bool differ(const tio_json *a, const tio_json *b, const char *key)
{
    const tio_json *p = tio_json_member(a, key), *q = tio_json_member(b, key);
    return p && q && p->type == TIO_JSON_STRING && q->type == TIO_JSON_STRING && strcmp(p->string, q->string) != 0;
}

static tio_json *find_member(tio_json *object, const char *key)
{
    tio_json *member = object->first;
    while (member && strcmp(member->key, key) != 0) member = member->next;
    return member;
}

static void append(tio_json *parent, tio_json **end, tio_json *item)
{
    item->parent = parent;
    item->next = NULL;
    *end = item;
    parent->count++;
}

static void merge_objects(tio_json *over, tio_json *base);

static void merge(tio_json *over, tio_json *base)
{
    bool objects = over->type == TIO_JSON_OBJECT && base->type == TIO_JSON_OBJECT;
    if (objects && !differ(over, base, "generator") && !differ(over, base, "shape")) merge_objects(over, base);
}

static void merge_objects(tio_json *over, tio_json *base)
{
    tio_json **end = &over->first;
    while (*end) end = &(*end)->next;
    for (tio_json *member = base->first, *next; member; member = next) {
        next = member->next;
        tio_json *own = find_member(over, member->key);
        if (own) {
            merge(own, member);
        } else {
            append(over, end, member);
            end = &member->next;
        }
    }
}

/* Takes the entry of the same name as `item` out of a list; NULL when there is none. */
static tio_json *take_named(tio_json **list, const tio_json *item)
{
    const tio_json *name = tio_json_member(item, "name");
    if (!name || name->type != TIO_JSON_STRING) return NULL;
    for (tio_json **at = list; *at; at = &(*at)->next) {
        tio_json *other = *at;
        const tio_json *its = tio_json_member(other, "name");
        if (!its || its->type != TIO_JSON_STRING || strcmp(its->string, name->string) != 0) continue;
        *at = other->next;
        return other;
    }
    return NULL;
}

/* Entries of the included file come first and keep their order. */
static void merge_lists(tio_json *over, tio_json *base)
{
    tio_json *added = over->first, **end = &over->first;
    over->first = NULL;
    over->count = 0;
    for (tio_json *item = base->first, *next; item; item = next) {
        next = item->next;
        tio_json *own = take_named(&added, item);
        if (own) merge(own, item);
        append(over, end, own ? own : item);
        end = &(*end)->next;
    }
    for (tio_json *next; added; added = next) {
        next = added->next;
        append(over, end, added);
        end = &added->next;
    }
}

/* Merges `base` into `over`. Both are objects. `base` already contains its own includes. */
static void merge_scenes(tio_json *over, tio_json *base)
{
    static const char *const lists[] = {"bodies", "colliders", "attachments"};
    for (int i = 0; i < TIO_COUNT(lists); i++) {
        tio_json *own = find_member(over, lists[i]), *included = find_member(base, lists[i]);
        if (own && included && own->type == TIO_JSON_ARRAY && included->type == TIO_JSON_ARRAY)
            merge_lists(own, included);
    }
    for (tio_json **at = &base->first; *at; at = &(*at)->next)
        if (!strcmp((*at)->key, "include")) {
            *at = (*at)->next;
            break;
        }
    merge_objects(over, base);
}

/* ---- Files ---- */

const char *tio_file_beside(const tio_check *check, const tio_json *string)
{
    const char *slash = string->line > 0 ? strrchr(string->file, '/') : NULL;
    size_t folder = slash && string->string[0] != '/' ? (size_t)(slash - string->file) + 1 : 0;
    char *path = TT_TAKE(check->memory, char, folder + (size_t)string->count + 1);
    taut_scene_input *input = TT_TAKE(check->memory, taut_scene_input, 1);
    if (!path || !input) {
        tt_no_memory(check->error);
        return NULL;
    }
    memcpy(path, string->file, folder);
    memcpy(path + folder, string->string, (size_t)string->count + 1);
    if (check->inputs) {
        *input = (taut_scene_input){path, *check->inputs};
        *check->inputs = input;
    }
    return path;
}

/* The files that are being read, each included by the one before. */
typedef struct chain {
    const char *file[DEEPEST + 1];
    int length;
    int nfiles; /* how many files have been read so far */
} chain;

static tio_json *read_document(const tio_check *check, chain *files, const char *name, const void *bytes, size_t size);

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes "a.json > b.json > a.json"; only the end of it if it is too long. */
static void show_chain(const chain *files, const char *last, char *text, size_t size)
{
    size_t at = size - 1;
    text[at] = 0;
    for (int i = files->length; i >= 0; i--) {
        const char *name = base_name(i == files->length ? last : files->file[i]), *arrow = i ? " > " : "";
        size_t length = strlen(name) + strlen(arrow);
        if (length + 3 > at) {
            at -= 3;
            memcpy(text + at, "...", 3);
            break;
        }
        at -= length;
        memcpy(text + at, arrow, strlen(arrow));
        memcpy(text + at + strlen(arrow), name, strlen(name));
    }
    memmove(text, text + at, size - at);
}

static bool check_chain(const tio_check *check, const chain *files, const tio_json *value, const char *path)
{
    char text[120];
    show_chain(files, path, text, sizeof text);
    for (int i = 0; i < files->length; i++)
        if (!strcmp(files->file[i], path)) return tio_fail_at(check, value, "goes round in a circle: %s", text);
    if (files->length == DEEPEST)
        return tio_fail_at(check, value, "is more than %d files deep: %s", DEEPEST - 1, text);
    if (files->nfiles == MOST_FILES)
        return tio_fail_at(check, value, "makes more than %d included files: %s", MOST_FILES - 1, text);
    return true;
}

static tio_json *read_included(const tio_check *check, chain *files, const tio_json *value)
{
    taut_bytes bytes;
    taut_error cause;
    if (!tio_expect(check, value, TIO_JSON_STRING)) return NULL;
    const char *path = tio_file_beside(check, value);
    if (!path || !check_chain(check, files, value, path)) return NULL;
    if (!tio_file_read(path, TIO_JSON_SIZE, &bytes, &cause)) {
        tio_fail_because(check, value, &cause);
        return NULL;
    }
    tio_json *document = read_document(check, files, path, bytes.data, bytes.size);
    taut_bytes_free(&bytes);
    return document;
}

/* Reads everything that `value`, one name or an array of names, includes. */
static tio_json *read_base(const tio_check *check, chain *files, const tio_json *value)
{
    if (value->type != TIO_JSON_ARRAY) return read_included(check, files, value);
    tio_json *base = NULL;
    for (const tio_json *item = value->first; item; item = item->next) {
        tio_json *later = read_included(check, files, item);
        if (!later) return NULL;
        if (base) merge_scenes(later, base);
        base = later;
    }
    if (!base) tio_fail_at(check, value, "names no file");
    return base;
}

static tio_json *read_document(const tio_check *check, chain *files, const char *name, const void *bytes, size_t size)
{
    tio_json *document = tio_json_parse(check->memory, name, bytes, size, check->error);
    if (!document || !tio_expect(check, document, TIO_JSON_OBJECT)) return NULL;
    const tio_json *include = tio_json_member(document, "include");
    files->nfiles++;
    if (!include) return document;
    files->file[files->length++] = name;
    tio_json *base = read_base(check, files, include);
    files->length--;
    if (!base) return NULL;
    merge_scenes(document, base);
    return document;
}

tio_json *tio_scene_document(const tio_check *check, const char *name, const void *bytes, size_t size)
{
    chain files = {.length = 0};
    return read_document(check, &files, name, bytes, size);
}
