/* A text that grows. */
#ifndef PAPERS_TEXT_H
#define PAPERS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    char *data; /* ends with 0; NULL while nothing was put */
    size_t size, room;
    bool failed; /* memory ran out */
} text;

__attribute__((format(printf, 2, 3))) void text_put(text *t, const char *format, ...);
__attribute__((format(printf, 2, 0))) void text_put_list(text *t, const char *format, va_list values);
void text_put_bytes(text *t, const char *bytes, size_t count);
/* Puts a string with < > & and quotes as HTML and SVG write them. */
void text_put_escaped(text *t, const char *string);
void text_free(text *t);

#endif
