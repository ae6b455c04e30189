/* A reader of lines and words that keeps line numbers. It also reads binary numbers between them, because mesh files
 * mix both. Lines end with LF, CR LF or CR; a byte order mark before the first line is passed over.
 *
 * A function that returns false has filled the reader's error. */
#ifndef TAUT_IO_TEXT_H
#define TAUT_IO_TEXT_H

#include "taut.h"

typedef struct tio_text {
    const char *name; /* of the file, for errors                                              */
    const char *begin, *end;
    const char *next;      /* the first byte of the next line, or of the next binary number        */
    const char *at;        /* within the line: words are taken from here                           */
    const char *line_end;  /* of the line, without its line break                                  */
    const char *line_feed; /* the next LF from `at` on, or the end; searched once, not in every line */
    bool lone_returns;     /* the first line ends with CR alone: then a LF after a CR does not belong to it */
    int line;              /* 1 = the first; 0 before it                                           */
    char comment;          /* begins a comment that runs to the end of the line; 0: none           */
    bool continued;        /* a backslash at the end of a line joins the next one to it            */
    bool binary;           /* the following bytes are not text                                     */
    bool big_endian;       /* how binary numbers are stored                                        */
    taut_error *error;
} tio_text;

typedef struct tio_word {
    const char *at;
    size_t size;
} tio_word;

void tio_text_open(tio_text *text, const char *name, const void *bytes, size_t size, taut_error *error);

/* Fails with "NAME:LINE: ...", or "NAME: byte AT: ..." in a binary file; returns false. */
bool tio_fail(tio_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Lines and words. These return false without an error when there are no more. ---- */

bool tio_next_line(tio_text *text);
bool tio_next_word(tio_text *text, tio_word *word); /* of this line */
bool tio_flow_word(tio_text *text, tio_word *word); /* of this line, or of the next line that has words */
bool tio_word_is(tio_word word, const char *other);
/* The rest of the line without spaces at its ends. */
tio_word tio_rest_of_line(tio_text *text);

/* ---- Numbers of words. `what` names the number in errors. ---- */

bool tio_parse_number(tio_text *text, tio_word word, const char *what, double *value);
bool tio_parse_integer(tio_text *text, tio_word word, const char *what, int64_t *value);
/* A finite number that fits a float. */
bool tio_parse_float(tio_text *text, tio_word word, const char *what, float *value);

/* The next word of this line, which has to be there. */
bool tio_line_float(tio_text *text, const char *what, float *value);
bool tio_line_integer(tio_text *text, const char *what, int64_t *value);
/* The next word of this line or a later one, which has to be there. */
bool tio_flow_float(tio_text *text, const char *what, float *value);
bool tio_flow_integer(tio_text *text, const char *what, int64_t *value);

/* ---- Counts and binary numbers ---- */

size_t tio_bytes_left(const tio_text *text); /* after this line */

/* Can the file have that many things of at least `least` bytes each, given what is left of it? */
bool tio_check_count(tio_text *text, int64_t count, size_t least, const char *things);

typedef enum tio_type {
    TIO_NO_TYPE,
    TIO_INT8,
    TIO_UINT8,
    TIO_INT16,
    TIO_UINT16,
    TIO_INT32,
    TIO_UINT32,
    TIO_INT64,
    TIO_UINT64,
    TIO_FLOAT,
    TIO_DOUBLE
} tio_type;

size_t tio_type_size(tio_type type);
bool tio_type_is_whole(tio_type type);
bool tio_skip_bytes(tio_text *text, size_t count, const char *what);
/* The first is for whole types, the second for any type. */
bool tio_binary_integer(tio_text *text, tio_type type, const char *what, int64_t *value);
bool tio_binary_number(tio_text *text, tio_type type, const char *what, double *value);
bool tio_binary_float(tio_text *text, tio_type type, const char *what, float *value);
/* Text or binary, as the file is. */
bool tio_read_integer(tio_text *text, tio_type type, const char *what, int64_t *value);
bool tio_read_float(tio_text *text, tio_type type, const char *what, float *value);

#endif
