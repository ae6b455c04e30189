#include "io/cache_names.h"

#include <stdlib.h>
#include <string.h>

const char *tio_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t tio_ending(const char *path)
{
    const char *dot = strrchr(tio_base_name(path), '.');
    return dot ? (size_t)(dot - path) : strlen(path);
}

/* The place of %d or %0Nd (N is one digit) in a path: characters start .. end - 1. If there is none, end equals
 * start. */
typedef struct number_place {
    size_t start, end;
    int digits;
} number_place;

static number_place find_number(const char *path)
{
    for (const char *at = strchr(tio_base_name(path), '%'); at; at = strchr(at + 1, '%')) {
        size_t start = (size_t)(at - path);
        if (at[1] == 'd') return (number_place){start, start + 2, 1};
        if (at[1] == '0' && at[2] >= '1' && at[2] <= '9' && at[3] == 'd') {
            return (number_place){start, start + 4, at[2] - '0'};
        }
    }
    return (number_place){tio_ending(path), tio_ending(path), 4};
}

/* The path with `number` in the place and another ending. */
static char *compose(const char *path, number_place place, const char *number, const char *ending)
{
    size_t end = tio_ending(path);
    if (end < place.end) end = place.end;
    size_t size = strlen(path) + strlen(number) + strlen(ending) + 1;
    char *composed = malloc(size);
    if (!composed) return NULL;
    snprintf(composed, size, "%.*s%s%.*s%s", (int)place.start, path, number, (int)(end - place.end), path + place.end,
             ending);
    return composed;
}

char *tio_frame_path(const char *path, int frame, const char *ending)
{
    char number[16];
    number_place place = find_number(path);
    snprintf(number, sizeof number, "%0*d", place.digits, frame);
    return compose(path, place, number, ending);
}

char *tio_index_path(const char *path, const char *ending) { return compose(path, find_number(path), "", ending); }

char *tio_plain_name(const char *name, const char *special)
{
    size_t size = strlen(name) + 1;
    char *plain = malloc(size);
    for (size_t i = 0; plain && i < size; i++) {
        bool control = (unsigned char)name[i] < ' ' || name[i] == 127;
        plain[i] = name[i] && (control || strchr(special, name[i])) ? '_' : name[i];
    }
    return plain;
}

char *tio_object_path(const taut_cache *cache, int object)
{
    const char *path = cache->path;
    size_t end = tio_ending(path);
    if (cache->nobjects == 1) return compose(path, (number_place){end, end, 0}, "", path + end);
    char *name = tio_plain_name(cache->object[object].name, "/\\:*?\"<>|");
    size_t size = strlen(path) + strlen(cache->object[object].name) + 2;
    char *composed = name ? malloc(size) : NULL;
    if (composed) snprintf(composed, size, "%.*s-%s%s", (int)end, path, name, path + end);
    free(name);
    return composed;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

char *tio_identifier(const char *name)
{
    size_t shift = is_digit(name[0]), length = strlen(name);
    char *identifier = malloc(length + shift + 1);
    if (!identifier) return NULL;
    identifier[0] = '_';
    for (size_t i = 0; i < length; i++) {
        identifier[i + shift] = name[i];
        if (!is_letter(name[i]) && !is_digit(name[i])) identifier[i + shift] = '_';
    }
    identifier[length + shift] = '\0';
    return identifier;
}
