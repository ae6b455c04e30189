/* Reads any bytes as a scene's JSON, and an object also as a material. Checks that a parsed tree is well formed and
 * that every error is a sentence with a place. */
#include "io/scene_material.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

/* Visits all values in the file's order, without recursion. */
static void check_tree(const tio_json *document)
{
    const tio_json *value = document;
    while (value) {
        char path[64];
        bool holds = value->type == TIO_JSON_ARRAY || value->type == TIO_JSON_OBJECT;
        require(value->line >= 1 && value->column >= 1);
        require(!value->parent || (value->key != NULL) == (value->parent->type == TIO_JSON_OBJECT));
        if (value->type == TIO_JSON_STRING) require(strlen(value->string) == (size_t)value->count);
        if (value->type == TIO_JSON_NUMBER) require(value->number - value->number == 0);
        if (!value->next) {
            tio_path(value, path, sizeof path);
            require(strlen(path) > 0);
        }
        if (holds && value->count) {
            require(value->first->parent == value);
            value = value->first;
            continue;
        }
        while (value && !value->next) value = value->parent;
        if (value) value = value->next;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tt_scope scope;
    taut_error error;
    tt_scope_open(&scope, NULL);
    const tio_json *document = tio_json_parse(&scope, "t", data, size, &error);
    require(document ? error.code == TAUT_OK : strncmp(error.text, "t:", 2) == 0);
    if (document) {
        taut_material material;
        tio_check check = {.error = &error};
        check_tree(document);
        bool good = tio_read_material(&check, document, &material);
        require(good || strncmp(error.text, "t:", 2) == 0);
        require(!good || material.density > 0);
    }
    tt_scope_close(&scope);
    return 0;
}
