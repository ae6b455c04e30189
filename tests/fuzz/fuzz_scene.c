/* Reads any bytes as a scene, builds its world and frees it again. The bytes after a zero byte are a value from
 * outside. Scenes that are merely large, or that name files elsewhere, are left out, because they would only cost
 * time. */
#include "io/json.h"
#include "taut_io.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST_SET = 200, LARGEST_COUNT = 6, LARGEST_LEVEL = 2 };

static void require(bool truth)
{
    if (!truth) abort();
}

static bool is_one_of(const char *word, const char *list)
{
    char framed[40];
    if (strlen(word) > sizeof framed - 3) return false;
    framed[0] = '|';
    strcpy(framed + 1, word);
    strcat(framed, "|");
    return strstr(list, framed) != NULL;
}

/* The key of a value, or of the array that holds it. */
static const char *key_of(const tio_json *value)
{
    for (; value; value = value->parent)
        if (value->key) return value->key;
    return "";
}

static bool affordable_number(const tio_json *value)
{
    const char *key = key_of(value);
    if (is_one_of(key, "|nx|ny|nz|n|around|along|rings|segments|count|")) return value->number <= LARGEST_COUNT;
    return strcmp(key, "levels") != 0 || value->number <= LARGEST_LEVEL;
}

/* A scene that fills a surface must say how large its cells are, because otherwise there may be very many. */
static bool affordable_fill(const tio_json *value)
{
    const tio_json *cell = value->parent ? tio_json_member(value->parent, "cell") : NULL;
    return strcmp(value->string, "fill") != 0 || (cell && cell->type == TIO_JSON_NUMBER && cell->number >= 0.25);
}

/* Visits all values in the file's order, without recursion. */
static bool affordable(const tio_json *document)
{
    bool fills = false, wide = false;
    const tio_json *value = document;
    while (value) {
        if (value->type == TIO_JSON_NUMBER) {
            if (!affordable_number(value)) return false;
            wide = wide || value->number > 1;
        }
        if (value->type == TIO_JSON_STRING) {
            if (value->string[0] == '/' || strstr(value->string, "..") || !affordable_fill(value)) return false;
            fills = fills || strcmp(value->string, "fill") == 0;
        }
        if ((value->type == TIO_JSON_ARRAY || value->type == TIO_JSON_OBJECT) && value->first) {
            value = value->first;
            continue;
        }
        while (value && !value->next) value = value->parent;
        if (value) value = value->next;
    }
    return !fills || !wide;
}

static bool is_worth_building(const uint8_t *data, size_t size)
{
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    const tio_json *document = tio_json_parse(&scope, "t", data, size, NULL);
    bool worth = !document || affordable(document);
    tt_scope_close(&scope);
    return worth;
}

/* Values from outside must not make a scene large either: no number above 9, no file. */
static bool is_small(const char *set)
{
    for (const char *c = set; *c; c++) {
        bool digit = *c >= '0' && *c <= '9', another = c[1] >= '0' && c[1] <= '9';
        if ((digit && another) || *c == '/' || ((*c == 'e' || *c == 'E') && (another || c[1] == '+'))) return false;
    }
    return strstr(set, "fill") == NULL && strstr(set, "cell") == NULL && strstr(set, "level") == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char set[LONGEST_SET + 1] = "";
    const char *const sets[] = {set};
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size, after = zero ? size - length - 1 : 0;
    if (after > LONGEST_SET) return 0;
    if (after) memcpy(set, zero + 1, after);
    if (!is_small(set) || !is_worth_building(data, length)) return 0;
    taut_error error = {0};
    taut_scene_options options = {.threads = 1, .nsets = after > 0, .set = sets};
    taut_scene *scene = taut_scene_parse("nowhere/t.json", data, length, &options, &error);
    require(scene || (error.code != TAUT_OK && error.text[0]));
    for (int i = 0; scene && i < scene->nbodies; i++) require(scene->body[i].name && scene->body[i].model);
    taut_scene_free(scene);
    return 0;
}
