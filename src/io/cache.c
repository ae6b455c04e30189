#define _GNU_SOURCE /* fileno, fsync, syncfs */

#include "io/cache.h"

#include "base/error.h"
#include "io/cache_check.h"
#include "io/cache_files.h"
#include "io/cache_names.h"
#include "io/cache_part.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const tio_cache_format *const formats[] = {
    &tio_cache_pc2, &tio_cache_mdd, &tio_cache_obj,  &tio_cache_ply, &tio_cache_glb,
    &tio_cache_vtu, &tio_cache_pvd, &tio_cache_usda, NULL,
};

const tio_cache_format *tio_find_format(const char *path, taut_error *error)
{
    const char *ending = path + tio_ending(path);
    for (const tio_cache_format *const *format = formats; *format; format++) {
        if (strcmp(ending, (*format)->ending) == 0) return *format;
    }
    tt_fail(error, TAUT_BAD_ARGUMENT, -1,
            "%.120s: unknown kind of cache; the name must end in .pc2, .mdd, .obj, .ply, .glb, "
            ".vtu, .pvd or .usda",
            path);
    return NULL;
}

/* ---- Files of frames ------------------------------------------------------------------------------------------- */

/* A run that goes on needs every earlier frame. Later frames are removed, because they may come from another run. */
static bool cut_back_files(const taut_cache *cache, int first_frame, taut_error *error)
{
    for (int frame = 0; frame < cache->nframes; frame++) {
        char *path = tio_frame_path(cache->path, frame, tio_frames_ending(cache));
        if (!path) return tt_no_memory(error);
        bool good = frame >= first_frame || tio_exists(path);
        if (!good) {
            tt_fail(error, TAUT_BAD_ARGUMENT, frame, "cannot go on at frame %d: %.120s is missing", first_frame, path);
        }
        if (frame >= first_frame) remove(path);
        free(path);
        if (!good) return false;
    }
    return true;
}

#ifdef __linux__
/* Flushes everything on the file's disk in one go. With many small files this takes a tenth of the time. */
static int flush_disk(FILE *file) { return syncfs(fileno(file)); }
enum { FLUSHES_ALL = true };
#else
static int flush_disk(FILE *file) { return fsync(fileno(file)); }
enum { FLUSHES_ALL = false };
#endif

static bool flush_file(const char *path, taut_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    bool good = file && flush_disk(file) == 0;
    if (!good) tio_fail_file(error, "flush", path);
    if (file) fclose(file);
    return good;
}

static bool flush_files(taut_cache *cache, taut_error *error)
{
    if (FLUSHES_ALL && cache->flushed < cache->frames) cache->flushed = cache->frames - 1;
    for (; cache->flushed < cache->frames; cache->flushed++) {
        char *path = tio_frame_path(cache->path, cache->flushed, tio_frames_ending(cache));
        if (!path) return tt_no_memory(error);
        bool good = flush_file(path, error);
        free(path);
        if (!good) return false;
    }
    return true;
}

/* ---- The cache ------------------------------------------------------------------------------------------------- */

static bool find_surface(taut_cache *cache, const taut_cache_object *o, tio_faces *faces, taut_error *error)
{
    const taut_mesh solid = {
        .nvertices = o->nvertices, .ntets = o->ntets, .x = (float *)o->rest, .tet = (int *)o->tet};
    int ntris = 0, *found = taut_mesh_surface(&solid, &ntris, error);
    if (!found) return false;
    size_t corners = 3 * (size_t)ntris;
    int *tri = TT_TAKE(&cache->scope, int, corners), *start = TT_TAKE(&cache->scope, int, (size_t)ntris + 1);
    bool taken = tri && start;
    for (int k = 0; taken && k <= ntris; k++) start[k] = 3 * k;
    if (taken) memcpy(tri, found, corners * sizeof *tri);
    free(found);
    *faces = (tio_faces){ntris, start, tri};
    return taken || tt_no_memory(error);
}

static bool find_faces(taut_cache *cache, taut_error *error)
{
    cache->faces = TT_TAKE(&cache->scope, tio_faces, cache->nobjects);
    if (!cache->faces) return tt_no_memory(error);
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        if (o->npolygons > 0) {
            cache->faces[i] = (tio_faces){o->npolygons, o->polygon_start, o->polygon};
            continue;
        }
        if (!find_surface(cache, o, &cache->faces[i], error)) return false;
    }
    return true;
}

static bool find_seams(taut_cache *cache, taut_error *error)
{
    cache->seams = TT_TAKE(&cache->scope, tio_seams, cache->nobjects);
    bool good = cache->seams != NULL;
    for (int i = 0; good && i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        const tio_faces *faces = &cache->faces[i];
        cache->seams[i] = (tio_seams){.nvertices = o->nvertices};
        if (cache->format->has_uvs && o->uv && o->npolygons > 0)
            good = tio_find_seams(&cache->scope, faces->vertex, o->uv, tio_corners(faces), o->nvertices,
                                  &cache->seams[i]);
    }
    return good || tt_no_memory(error);
}

/* A copy of the bytes; NULL if there are none. `good` becomes false when memory ran out. */
static const void *copy_of(tt_scope *scope, const void *data, size_t size, bool *good)
{
    if (!data || size == 0) return NULL;
    char *own = TT_TAKE_RAW(scope, char, size);
    if (!own) *good = false;
    return own ? memcpy(own, data, size) : NULL;
}

static bool copy_object(tt_scope *scope, taut_cache_object *o)
{
    bool good = true;
    size_t polygons = (size_t)o->npolygons, corners = polygons ? (size_t)o->polygon_start[polygons] : 0;
    o->name = copy_of(scope, o->name, strlen(o->name) + 1, &good);
    o->rest = copy_of(scope, o->rest, 3 * (size_t)o->nvertices * sizeof *o->rest, &good);
    o->uv = copy_of(scope, o->uv, 2 * corners * sizeof *o->uv, &good);
    o->polygon = copy_of(scope, o->polygon, corners * sizeof *o->polygon, &good);
    size_t starts = polygons ? (polygons + 1) * sizeof *o->polygon_start : 0;
    o->polygon_start = copy_of(scope, o->polygon_start, starts, &good);
    o->tet = copy_of(scope, o->tet, 4 * (size_t)o->ntets * sizeof *o->tet, &good);
    return good;
}

static bool copy_arguments(taut_cache *cache, const char *path, const taut_cache_object *object, taut_error *error)
{
    bool good = true;
    size_t objects = (size_t)cache->nobjects * sizeof *object;
    cache->path = copy_of(&cache->scope, path, strlen(path) + 1, &good);
    taut_cache_object *own = TT_TAKE(&cache->scope, taut_cache_object, cache->nobjects);
    if (!own || !good) return tt_no_memory(error);
    cache->object = memcpy(own, object, objects);
    for (int i = 0; good && i < cache->nobjects; i++) good = copy_object(&cache->scope, &own[i]);
    return good || tt_no_memory(error);
}

static bool prepare(taut_cache *cache, int first_frame, taut_error *error)
{
    if (!find_faces(cache, error) || !find_seams(cache, error)) return false;
    if (cache->format->size && cache->format->size(cache) > UINT32_MAX) {
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%.120s: %d frames do not fit the format's 4 GiB", cache->path,
                       cache->nframes);
    }
    if (!cache->format->frame) return tio_part_open(cache, first_frame, error);
    return first_frame == 0 || cut_back_files(cache, first_frame, error);
}

taut_cache *taut_cache_open(const char *path, const taut_cache_object *object, int nobjects, double fps, int nframes,
                            int first_frame, taut_error *error)
{
    tt_clear(error);
    const tio_cache_format *format = tio_find_format(path, error);
    if (!format || !tio_check_objects(object, nobjects, error)) return NULL;
    if (!(fps > 0) || !isfinite(fps) || nframes < 1 || first_frame < 0 || first_frame > nframes) {
        tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%.120s: frame %d of %d at %g frames a second makes no sense", path,
                first_frame, nframes, fps);
        return NULL;
    }
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    taut_cache *cache = TT_TAKE(&scope, taut_cache, 1);
    if (!cache) {
        tt_no_memory(error);
        return NULL;
    }
    *cache = (taut_cache){
        .scope = scope, .format = format, .nobjects = nobjects, .fps = fps, .nframes = nframes, .frames = first_frame,
        .flushed = first_frame};
    if (copy_arguments(cache, path, object, error) && prepare(cache, first_frame, error)) return cache;
    taut_cache_leave(cache);
    return NULL;
}

bool taut_cache_write(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                      taut_error *error)
{
    tt_clear(error);
    if (cache->frames == cache->nframes) {
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%.120s: all of its %d frames are written", cache->path,
                       cache->nframes);
    }
    if (!tio_check_frame(cache->object, cache->nobjects, xyz, error)) return false;
    bool good = cache->format->frame ? cache->format->frame(cache, xyz, fields, nfields, error)
                                     : tio_part_write(cache, xyz, error);
    cache->frames += good;
    return good;
}

bool taut_cache_flush(taut_cache *cache, taut_error *error)
{
    tt_clear(error);
    if (cache->finished) return true;
    if (cache->format->frame) return flush_files(cache, error);
    errno = 0;
    return (fflush(cache->part) == 0 && fsync(fileno(cache->part)) == 0) ||
           tio_fail_file(error, "flush", cache->part_path);
}

bool taut_cache_close(taut_cache *cache, taut_error *error)
{
    tt_clear(error);
    bool good = cache->finished || !cache->format->finish || cache->format->finish(cache, error);
    if (good && cache->part) remove(cache->part_path);
    if (good && cache->format->frame) good = tio_remove_later_frames(cache, error);
    taut_cache_leave(cache);
    return good;
}

void taut_cache_discard(taut_cache *cache)
{
    if (cache && cache->part) remove(cache->part_path);
    taut_cache_leave(cache);
}

void taut_cache_leave(taut_cache *cache)
{
    if (!cache) return;
    if (cache->part) fclose(cache->part);
    tt_scope scope = cache->scope; /* the cache's own memory is in it */
    tt_scope_close(&scope);
}

/* ---- Shared by the formats ------------------------------------------------------------------------------------- */

bool tio_each_object(taut_cache *cache, bool (*write)(taut_cache *, int object, FILE *, taut_error *),
                     taut_error *error)
{
    for (int i = 0; i < cache->nobjects; i++) {
        tio_output out;
        char *path = tio_object_path(cache, i);
        if (!path) return tt_no_memory(error);
        bool good = tio_output_open(&out, path, error);
        if (good) good = tio_output_close(&out, write(cache, i, out.file, error), error);
        free(path);
        if (!good) return false;
    }
    return true;
}

tio_bounds tio_bounds_of(const float *xyz, int count)
{
    tio_bounds b = {{xyz[0], xyz[1], xyz[2]}, {xyz[0], xyz[1], xyz[2]}};
    for (size_t i = 3; i < 3 * (size_t)count; i++) {
        if (xyz[i] < b.min[i % 3]) b.min[i % 3] = xyz[i];
        if (xyz[i] > b.max[i % 3]) b.max[i % 3] = xyz[i];
    }
    return b;
}
