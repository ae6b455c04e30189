#define _POSIX_C_SOURCE 200809L /* fseeko, ftruncate */

#include "io/cache_part.h"

#include "base/error.h"
#include "base/hash.h"
#include "io/cache_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_BYTES = 32 };

static const char magic[8] = {'t', 'a', 'u', 't', 'p', 'a', 'r', 't'};

static uint64_t hash_objects(const taut_cache *cache)
{
    uint64_t hash = tt_hash(TT_HASH_SEED, &cache->fps, sizeof cache->fps);
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        const tio_faces *faces = &cache->faces[i];
        hash = tt_hash(hash, o->name, strlen(o->name) + 1);
        hash = tt_hash(hash, o->rest, 3 * sizeof *o->rest * (size_t)o->nvertices);
        hash = tt_hash(hash, faces->start, sizeof *faces->start * ((size_t)faces->count + 1));
        hash = tt_hash(hash, faces->vertex, sizeof *faces->vertex * tio_corners(faces));
        if (o->uv && o->npolygons > 0) hash = tt_hash(hash, o->uv, 2 * sizeof *o->uv * tio_corners(faces));
    }
    return hash;
}

static void encode_header(const taut_cache *cache, unsigned char header[HEADER_BYTES])
{
    uint64_t words[2] = {hash_objects(cache), cache->frame_bytes};
    memset(header, 0, HEADER_BYTES);
    memcpy(header, magic, sizeof magic);
    for (int i = 0; i < 4; i++) tio_encode_u32(header + 8 + 4 * i, (uint32_t)(words[i / 2] >> (32 * (i % 2))));
}

static off_t frame_place(const taut_cache *cache, int frame)
{
    return (off_t)HEADER_BYTES + (off_t)frame * (off_t)cache->frame_bytes;
}

static bool write_at(taut_cache *cache, off_t place, const void *bytes, size_t size, taut_error *error)
{
    errno = 0;
    if (fseeko(cache->part, place, SEEK_SET) == 0 && fwrite(bytes, 1, size, cache->part) == size) return true;
    tio_fail_file(error, "write", cache->part_path);
    clearerr(cache->part);
    return false;
}

/* Removes an old file of kept frames. Any other file under this name was made by somebody else and stays. */
static bool make_place(const char *path, taut_error *error)
{
    struct stat found;
    char begin[sizeof magic];
    if (lstat(path, &found) != 0) return true;
    int file = S_ISREG(found.st_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool ours = file >= 0 && (found.st_size == 0 || (read(file, begin, sizeof begin) == (ssize_t)sizeof begin &&
                                                     memcmp(begin, magic, sizeof magic) == 0));
    if (file >= 0) close(file);
    if (ours && remove(path) == 0) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%.120s is in the way: it holds no frames of an animation", path);
}

/* Follows no link, because a link could lead to any file. */
static FILE *open_file(const char *path, int how)
{
    int number = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | how, 0666);
    FILE *file = number >= 0 ? fdopen(number, "r+b") : NULL;
    if (number >= 0 && !file) close(number);
    return file;
}

static bool start_part(taut_cache *cache, taut_error *error)
{
    unsigned char header[HEADER_BYTES];
    if (!make_place(cache->part_path, error)) return false;
    errno = 0;
    cache->part = open_file(cache->part_path, O_CREAT | O_EXCL);
    if (!cache->part) return tio_fail_file(error, "write", cache->part_path);
    setvbuf(cache->part, NULL, _IONBF, 0); /* written frames survive the process */
    encode_header(cache, header);
    if (write_at(cache, 0, header, sizeof header, error)) return true;
    remove(cache->part_path);
    return false;
}

/* Whether an earlier run finished the cache: PATH.part is gone and the finished file is there. PATH.part is removed
 * last, after the finished files have their names. With one object, or with all in one file, the finished file is PATH.
 * Else it is the file of the last object, which gets its name last. */
static bool was_finished(const taut_cache *cache)
{
    char *last = tio_object_path(cache, cache->nobjects - 1);
    bool finished = tio_exists(cache->path) || (last && tio_exists(last));
    free(last);
    return finished;
}

/* Cuts off all frames after the first `first_frame`, whole or torn. */
static bool go_on_with_part(taut_cache *cache, int first_frame, taut_error *error)
{
    unsigned char expected[HEADER_BYTES], header[HEADER_BYTES];
    errno = 0;
    cache->part = open_file(cache->part_path, 0);
    if (!cache->part && errno == ENOENT && first_frame == cache->nframes && was_finished(cache)) {
        cache->finished = true;
        return true;
    }
    if (!cache->part) return tio_fail_file(error, "go on with", cache->part_path);
    setvbuf(cache->part, NULL, _IONBF, 0);
    encode_header(cache, expected);
    if (fread(header, 1, sizeof header, cache->part) != sizeof header || memcmp(header, expected, sizeof header) != 0) {
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "cannot go on with %.120s: it is of another animation",
                       cache->part_path);
    }
    if (fseeko(cache->part, 0, SEEK_END) != 0) return tio_fail_file(error, "go on with", cache->part_path);
    off_t size = ftello(cache->part);
    if (size < frame_place(cache, first_frame)) {
        long long whole = (long long)(size - HEADER_BYTES) / (long long)cache->frame_bytes;
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "cannot go on with %.120s at frame %d: it holds %lld whole frames",
                       cache->part_path, first_frame, whole);
    }
    if (ftruncate(fileno(cache->part), frame_place(cache, first_frame)) == 0) return true;
    return tio_fail_file(error, "cut back", cache->part_path);
}

bool tio_part_open(taut_cache *cache, int first_frame, taut_error *error)
{
    size_t floats = 0, most = 0, length = strlen(cache->path);
    for (int i = 0; i < cache->nobjects; i++) {
        size_t n = 3 * (size_t)cache->object[i].nvertices;
        floats += n;
        if (n > most) most = n;
    }
    cache->frame_bytes = 4 * floats;
    cache->bytes = TT_TAKE(&cache->scope, unsigned char, cache->frame_bytes);
    cache->xyz = TT_TAKE(&cache->scope, float, most);
    char *part_path = TT_TAKE(&cache->scope, char, length + 6);
    if (!cache->bytes || !cache->xyz || !part_path) return tt_no_memory(error);
    snprintf(part_path, length + 6, "%s.part", cache->path);
    cache->part_path = part_path;
    return first_frame > 0 ? go_on_with_part(cache, first_frame, error) : start_part(cache, error);
}

const float *tio_cache_read(taut_cache *cache, int object, int frame, taut_error *error)
{
    size_t before = 0, count = 3 * (size_t)cache->object[object].nvertices;
    for (int i = 0; i < object; i++) before += 3 * (size_t)cache->object[i].nvertices;
    errno = 0;
    if (fseeko(cache->part, frame_place(cache, frame) + (off_t)(4 * before), SEEK_SET) != 0 ||
        fread(cache->bytes, 4, count, cache->part) != count) {
        tio_fail_file(error, "read", cache->part_path);
        return NULL;
    }
    tio_decode_floats(cache->bytes, cache->xyz, count);
    return cache->xyz;
}

bool tio_part_write(taut_cache *cache, const float *const *xyz, taut_error *error)
{
    unsigned char *at = cache->bytes;
    for (int i = 0; i < cache->nobjects; i++) {
        size_t count = 3 * (size_t)cache->object[i].nvertices;
        tio_encode_floats(at, xyz[i], count);
        at += 4 * count;
    }
    return write_at(cache, frame_place(cache, cache->frames), cache->bytes, cache->frame_bytes, error);
}
