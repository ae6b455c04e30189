#include "io/cache_files.h"

#include "base/error.h"
#include "io/cache_names.h"

#include <stdlib.h>
#include <string.h>

const char *tio_frames_ending(const taut_cache *cache)
{
    return cache->format == &tio_cache_pvd ? tio_cache_vtu.ending : cache->format->ending;
}

/* ---- Frames of an earlier animation ----------------------------------------------------------------------------- */

static bool begins_with(const char *path, const char *begin)
{
    char bytes[64];
    size_t length = strlen(begin);
    FILE *file = tio_is_regular(path) ? fopen(path, "rb") : NULL;
    bool same = file && fread(bytes, 1, length, file) == length && memcmp(bytes, begin, length) == 0;
    if (file) fclose(file);
    return same;
}

bool tio_remove_later_frames(const taut_cache *cache, taut_error *error)
{
    for (int frame = cache->frames;; frame++) {
        char *path = tio_frame_path(cache->path, frame, tio_frames_ending(cache));
        if (!path) return tt_no_memory(error);
        bool removed = begins_with(path, cache->format->begin) && remove(path) == 0;
        free(path);
        if (!removed) return true;
    }
}

/* ---- All files -------------------------------------------------------------------------------------------------- */

typedef struct visitor {
    bool (*visit)(const char *file, void *user);
    void *user;
} visitor;

static bool visit_and_free(const visitor *v, char *path, taut_error *error)
{
    if (!path) return tt_no_memory(error);
    bool go_on = v->visit(path, v->user);
    free(path);
    return go_on;
}

static bool visit_frames(const taut_cache *cache, const visitor *v, taut_error *error)
{
    for (int frame = 0; frame < cache->nframes; frame++)
        if (!visit_and_free(v, tio_frame_path(cache->path, frame, tio_frames_ending(cache)), error)) return false;
    return !cache->format->finish || visit_and_free(v, tio_index_path(cache->path, tio_cache_pvd.ending), error);
}

bool taut_cache_files(const char *path, const taut_cache_object *object, int nobjects, int nframes,
                      bool (*visit)(const char *file, void *user), void *user, taut_error *error)
{
    const visitor v = {visit, user};
    tt_clear(error);
    taut_cache cache = {.path = path, .object = object, .nobjects = nobjects, .nframes = nframes};
    cache.format = tio_find_format(path, error);
    if (!cache.format) return false;
    if (cache.format->frame) return visit_frames(&cache, &v, error);
    if (!cache.format->object_files) return visit(path, user);
    for (int i = 0; i < nobjects; i++)
        if (!visit_and_free(&v, tio_object_path(&cache, i), error)) return false;
    return true;
}
