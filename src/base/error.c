#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool tt_fail(taut_error *error, taut_code code, int index, const char *format, ...)
{
    if (!error) return false;
    error->code = code;
    error->index = index;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool tt_no_memory(taut_error *error) { return tt_fail(error, TAUT_NO_MEMORY, -1, "out of memory"); }

void tt_clear(taut_error *error)
{
    if (error) *error = (taut_error){.code = TAUT_OK, .index = -1, .text = ""};
}
