/* Definitions that a caller fills by their default function and then passes in. Their first member is a cookie. It
 * distinguishes a filled definition from other bytes, and from a definition of a program that was compiled with another
 * taut.h. */
#ifndef TAUT_BASE_DEFINITION_H
#define TAUT_BASE_DEFINITION_H

#include "taut.h"

/* Copies `usual` to the caller's definition, which has `size` bytes in the caller's header. If `size` is not
 * `own_size`, the definition gets zeros and a cookie that stands for another version. */
void tt_definition_fill(void *definition, size_t size, const void *usual, size_t own_size);

/* Fails with `code` unless the cookie is `wanted`. `stranger` is the error message for a definition that no default
 * function filled. */
bool tt_cookie_check(uint32_t cookie, uint32_t wanted, taut_code code, const char *stranger, taut_error *error);

#endif
