/* Numbers to text and back, always with a point, whatever the process's locale. Writers of text spend most of their
 * time here, so floats are written faster than by printf. */
#ifndef TAUT_IO_DECIMAL_H
#define TAUT_IO_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* At most this many characters each. */
enum { TIO_DECIMAL_BYTES = 24 };

/* Writes a float as "%.9g" does. Nine digits are enough to read back the same float. Returns where the text ends; no
 * zero byte is written. */
char *tio_put_decimal(char *at, float value);
/* Writes a count as "%lld" does, for value >= 0. */
char *tio_put_count(char *at, int64_t value);

/* A number as "%.*g" prints it, with up to 17 digits, for use within a line of text: tio_decimal_of(fps, 17).text. */
typedef struct tio_decimal {
    char text[TIO_DECIMAL_BYTES + 1];
} tio_decimal;
tio_decimal tio_decimal_of(double value, int digits);

/* Reads the whole text as one number, as strtod does; false when it is not a number. */
bool tio_parse_decimal(const char *text, size_t length, double *value);

/* Text on its way to a file. It is written in pieces so large that the calls cost little. */
typedef struct tio_text_out {
    FILE *file;
    char *at; /* within `text` */
    char text[4096];
} tio_text_out;

void tio_text_out_open(tio_text_out *out, FILE *file);
/* Makes room for `bytes` more bytes, at most the size of `text`. */
void tio_text_out_room(tio_text_out *out, size_t bytes);
/* Writes all text to the file. */
void tio_text_out_flush(tio_text_out *out);

#endif
