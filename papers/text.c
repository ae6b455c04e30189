#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(text *t, size_t more)
{
    if (t->failed) return false;
    if (t->size + more < t->room) return true;
    size_t room = 2 * t->room + more + 256;
    char *data = realloc(t->data, room);
    t->failed = !data;
    if (data) t->data = data, t->room = room;
    return data != NULL;
}

void text_put_bytes(text *t, const char *bytes, size_t count)
{
    if (!make_room(t, count)) return;
    memcpy(t->data + t->size, bytes, count);
    t->size += count;
    t->data[t->size] = 0;
}

void text_put_list(text *t, const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, again); /* NOLINT(clang-analyzer-valist.Uninitialized): va_copy sets it */
    va_end(again);
    if (length < 0 || !make_room(t, (size_t)length)) return;
    vsnprintf(t->data + t->size, (size_t)length + 1, format, values);
    t->size += (size_t)length;
}

void text_put(text *t, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    text_put_list(t, format, values);
    va_end(values);
}

void text_put_escaped(text *t, const char *string)
{
    for (; *string; string++) {
        if (*string == '<') text_put(t, "&lt;");
        else if (*string == '>') text_put(t, "&gt;");
        else if (*string == '&') text_put(t, "&amp;");
        else if (*string == '"') text_put(t, "&quot;");
        else text_put_bytes(t, string, 1);
    }
}

void text_free(text *t)
{
    free(t->data);
    *t = (text){0};
}
