/* Errors returned to the caller. The library never prints, exits or aborts on user data. */
#ifndef TAUT_BASE_ERROR_H
#define TAUT_BASE_ERROR_H

#include "taut.h"

/* Fills `error` unless it is NULL. Returns false, so that a check can be written as `return tt_fail(...)`. */
bool tt_fail(taut_error *error, taut_code code, int index, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool tt_no_memory(taut_error *error);
void tt_clear(taut_error *error);

#endif
