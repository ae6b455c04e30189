/* Descriptions of files: one function for each kind of file, and functions to print with. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include "taut_io.h"

/* Each prints the description of a file on stdout, as text or as one JSON object. False after an error. */
typedef bool info_describe(const char *path, bool json, taut_error *error);
info_describe info_mesh, info_scene, info_animation;

/* Prints "label     " and then the text. */
__attribute__((format(printf, 2, 3))) void info_row(const char *label, const char *format, ...);

/* A JSON object that is being printed: whether the next member needs a comma before it. */
typedef struct info_json {
    int members;
} info_json;
void info_open(info_json *object, const char *kind, const char *path); /* with its first two members */
void info_key(info_json *object, const char *key);
void info_string(const char *text); /* in quotes, escaped */
void info_integer(info_json *object, const char *key, long long value);
void info_number(info_json *object, const char *key, double value);
void info_vector(info_json *object, const char *key, const float value[3]);

#endif
