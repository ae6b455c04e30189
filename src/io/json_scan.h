/* The tools of the JSON reader: its place in the text, memory, strings and numbers. */
#ifndef TAUT_IO_JSON_SCAN_H
#define TAUT_IO_JSON_SCAN_H

#include "io/json.h"

typedef struct tio_scan {
    tt_scope *scope;
    const char *name;
    taut_error *error;
    const unsigned char *at, *end;
    int line, column;
    int depth;
    char *piece; /* free memory and how much of it there is */
    size_t left;
} tio_scan;

/* Zeroed memory of the scope, for many small things; NULL (and an error) when memory ran out. */
void *tio_scan_cut(tio_scan *s, size_t size);

/* Both fill the error and return false. The second says "expected X, got Y", where Y is what comes next. */
bool tio_scan_fail(const tio_scan *s, const char *text);
bool tio_scan_expected(const tio_scan *s, const char *expected);

void tio_scan_space(tio_scan *s);
bool tio_scan_next_is(const tio_scan *s, char c);
bool tio_scan_digit(const tio_scan *s);
/* Steps over `c` (plain ASCII) if it is next. */
bool tio_scan_accept(tio_scan *s, char c);

/* Reads a string from its opening quote past its closing one; returns the text in its own memory. NULL on error. */
const char *tio_scan_string(tio_scan *s, int *length);
bool tio_scan_number(tio_scan *s, double *number);

#endif
