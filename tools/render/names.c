#define _POSIX_C_SOURCE 200809L
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool name_ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool name_has_number(const char *path) { return strchr(file_of(path), '%') != NULL; }

bool name_of_frame(char *name, size_t size, const char *path, int number)
{
    const char *file = file_of(path), *place = strchr(file, '%'), *after;
    int digits = 4;
    if (place) {
        char *end;
        digits = isdigit((unsigned char)place[1]) ? (int)strtol(place + 1, &end, 10) : 0;
        for (after = place + 1; isdigit((unsigned char)*after); after++) continue;
        if (*after++ != 'd' || digits > 9 || strchr(after, '%')) return false;
    } else {
        place = strrchr(file, '.');
        if (!place) place = file + strlen(file);
        after = place;
    }
    int length = snprintf(name, size, "%.*s%0*d%s", (int)(place - path), path, digits, number, after);
    return length > 0 && (size_t)length < size;
}

bool name_of_first(char *name, size_t size, const char *path)
{
    enum { LAST = 9999 };
    if (!name_has_number(path) && access(path, F_OK) == 0)
        return (size_t)snprintf(name, size, "%s", path) < size;
    for (int number = 0; number <= LAST; number++)
        if (name_of_frame(name, size, path, number) && access(name, F_OK) == 0) return true;
    return false;
}
