#include "info.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void info_row(const char *label, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("  %-14s ", label);
    vprintf(format, values);
    putchar('\n');
    va_end(values);
}

void info_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else if ((unsigned char)*text < 0x20) printf("\\u%04x", (unsigned)*text);
        else putchar(*text);
    }
    putchar('"');
}

void info_open(info_json *object, const char *kind, const char *path)
{
    *object = (info_json){0};
    putchar('{');
    info_key(object, "file");
    info_string(path);
    info_key(object, "kind");
    info_string(kind);
}

void info_key(info_json *object, const char *key) { printf("%s\"%s\": ", object->members++ ? ", " : "", key); }

void info_integer(info_json *object, const char *key, long long value)
{
    info_key(object, key);
    printf("%lld", value);
}

static void print_number(double value)
{
    if (isfinite(value)) printf("%.9g", value);
    else printf("null");
}

void info_number(info_json *object, const char *key, double value)
{
    info_key(object, key);
    print_number(value);
}

void info_vector(info_json *object, const char *key, const float value[3])
{
    info_key(object, key);
    for (int i = 0; i < 3; i++) {
        printf(i ? ", " : "[");
        print_number((double)value[i]);
    }
    putchar(']');
}
