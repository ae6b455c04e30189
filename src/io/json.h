/* A strict JSON reader (RFC 8259) that remembers where every value stands, so that an error can point at it.
 *
 * It accepts less than the RFC: no key twice in an object, no \u0000 (strings are C strings), no number of more than
 * 255 characters, nesting of at most TIO_JSON_DEPTH and at most TIO_JSON_SIZE bytes. A byte order mark at the beginning
 * is passed over. */
#ifndef TAUT_IO_JSON_H
#define TAUT_IO_JSON_H

#include "base/memory.h"

#include <stdint.h>

#define TIO_JSON_DEPTH 64
#define TIO_JSON_SIZE (16 * 1024 * 1024)

typedef enum tio_json_type {
    TIO_JSON_NULL,
    TIO_JSON_BOOL,
    TIO_JSON_NUMBER,
    TIO_JSON_STRING,
    TIO_JSON_ARRAY,
    TIO_JSON_OBJECT
} tio_json_type;

/* A value. Lines and columns count from 1; columns are in characters, not bytes. A document can be put together from
 * several files, so every value knows its own file. */
typedef struct tio_json {
    const struct tio_json *parent; /* NULL: the whole document                */
    struct tio_json *next;         /* the next item of the same array or object */
    const char *key;               /* of a member of an object; else NULL     */
    const char *file;              /* its name in errors                      */
    int line, column;              /* 0: it is from no file; errors then name `file` alone */
    int key_line, key_column;
    tio_json_type type;
    int count; /* items of an array or object, bytes of a string  */
    union {
        bool boolean;
        double number;
        const char *string; /* UTF-8, ends in 0 */
        struct tio_json *first;
    };
} tio_json;

/* The document, in memory of `scope`; NULL on error. Errors call the file `name`. `bytes` may be freed afterwards,
 * `name` must stay. */
tio_json *tio_json_parse(tt_scope *scope, const char *name, const void *bytes, size_t size, taut_error *error);

/* The member with a key. NULL when there is no such key, or when `object` is not an object. */
const tio_json *tio_json_member(const tio_json *object, const char *key);
/* Item `index` of an array, or NULL. It walks from the first item, so go through long arrays by `first` and `next`. */
const tio_json *tio_json_item(const tio_json *array, int index);
/* Hashes keys and values, but not their places in the files. */
uint64_t tio_json_hash(uint64_t hash, const tio_json *value);
/* "a number", "an object", ... */
const char *tio_json_type_name(tio_json_type type);

/* Fills `error` with "NAME:LINE:COLUMN: " ("NAME: " for line 0) and the sentence, and returns false. Only the end of
 * a long name is shown. */
bool tio_json_fail(taut_error *error, const char *name, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
