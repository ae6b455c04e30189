/* Reads the objects of a scene file into plain structs, by tables of their keys. Every error names the place and says
 * what is allowed: scene.json:14:21: bodies[0].material.strain.xx must be in [0,1], got 1.5 */
#ifndef TAUT_IO_SCENE_CHECK_H
#define TAUT_IO_SCENE_CHECK_H

#include "io/json.h"
#include "taut_io.h"

/* The arguments that every reader passes on. */
typedef struct tio_check {
    taut_error *error;
    tt_scope *memory; /* for data that lives as long as the scene; NULL if there is none */
    const taut_scene_input **inputs; /* the list of files that were read; NULL: none is kept */
} tio_check;

typedef enum tio_kind {
    TIO_FLOAT,     /* float within the range                                                            */
    TIO_DOUBLE,    /* double within the range                                                           */
    TIO_INT,       /* int within the range                                                              */
    TIO_BITS,      /* uint32_t, any                                                                     */
    TIO_BOOL,      /* bool                                                                              */
    TIO_CHOICE,    /* an enum or int: the number of the string within `choices`, "first|second|third"   */
    TIO_VECTOR,    /* float[3], each within the range                                                   */
    TIO_PLACE,     /* double[3], each within the range                                                  */
    TIO_STRING,    /* const char *, in the document's memory                                            */
    TIO_STIFFNESS, /* float from 0 to the range's end; where that is infinite, also the string "rigid"  */
    TIO_VALUE      /* const tio_json *: the caller looks at it                                          */
} tio_kind;

typedef struct tio_range {
    double low, high;
    bool open; /* low itself is not allowed */
} tio_range;

#define TIO_MOST 3e38 /* a little below the largest float */
#define TIO_ANY ((tio_range){-TIO_MOST, TIO_MOST, false})
#define TIO_POSITIVE ((tio_range){0, TIO_MOST, true})
/* m/s or m/s^2: far above any real motion, but small enough for finite squares. */
#define TIO_RATE ((tio_range){-1e6, 1e6, false})
/* Frames a second. */
#define TIO_FPS ((tio_range){1e-3, 1e5, false})
#define TIO_NOT_NEGATIVE ((tio_range){0, TIO_MOST, false})

/* One key that an object may have. */
typedef struct tio_key {
    const char *name;
    tio_kind kind;
    size_t offset; /* of the member that it fills, in the caller's struct */
    tio_range range;
    const char *choices;
    bool required;
} tio_key;

/* Reads an object: keys that are absent leave the struct as it is, keys that are not in the table are errors. */
bool tio_read_object(const tio_check *check, const tio_json *object, const tio_key *keys, int nkeys, void *target);
/* Fails at a member that is none of the keys, and suggests the nearest key. */
bool tio_fail_unknown(const tio_check *check, const tio_json *member, const tio_key *keys, int nkeys);
/* Reads one value into `target`, whatever its place. */
bool tio_read_value(const tio_check *check, const tio_json *value, const tio_key *key, void *target);
bool tio_expect(const tio_check *check, const tio_json *value, tio_json_type type);
/* For keys that take a number or one word. */
bool tio_is_word(const tio_json *value, const char *word);
bool tio_expect_number_or(const tio_check *check, const tio_json *value, const char *word);

/* Fails with "FILE:LINE:COLUMN: PATH " and the sentence, such as "must be ...". Returns false. `value` is the wrong
 * one. */
bool tio_fail_at(const tio_check *check, const tio_json *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the message of a function that failed because of `value`. */
bool tio_fail_because(const tio_check *check, const tio_json *value, const taut_error *cause);

/* Writes the path of a value in the document, such as bodies[0].material; the document itself is "the scene". */
void tio_path(const tio_json *value, char *path, size_t size);
/* A text of the user's for an error message: shortened, control characters made visible. */
typedef struct tio_shown {
    char text[48];
} tio_shown;
tio_shown tio_show(const char *text);
/* The word that was probably meant: the nearest of `count` words, if few changes lead to it; else NULL. Word i
 * stands at words + i * stride. */
const char *tio_nearest(const char *word, const void *words, int count, size_t stride);
/* The number of insertions, deletions, exchanges and swaps of neighbours that turn one word into the other. Words of
 * more than 31 characters count as far apart (99). */
int tio_edit_distance(const char *a, const char *b);

#define TIO_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#endif
