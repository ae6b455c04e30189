#include "base/definition.h"
#include "base/error.h"

#include <string.h>

static const uint32_t OTHER_VERSION = 0x7a0731ff;

void tt_definition_fill(void *definition, size_t size, const void *usual, size_t own_size)
{
    if (size == own_size) {
        memcpy(definition, usual, size);
        return;
    }
    memset(definition, 0, size);
    if (size >= sizeof OTHER_VERSION) memcpy(definition, &OTHER_VERSION, sizeof OTHER_VERSION);
}

bool tt_cookie_check(uint32_t cookie, uint32_t wanted, taut_code code, const char *stranger, taut_error *error)
{
    if (cookie == wanted) return true;
    if (cookie != OTHER_VERSION) return tt_fail(error, code, -1, "%s", stranger);
    return tt_fail(error, code, -1, "the definition comes from another version of taut.h than that of the library, %s",
                   taut_version());
}
