/* GLB, binary glTF 2.0: a mesh and a node for each object. Frames are morph targets (offsets from the rest shape); one
 * animation sets the weight of a frame's target to 1 and all others to 0 at the frame's time, without blending.
 *
 * Buffer views:  for each object its positions (at rest, then every target) and its indices (none for bare points);
 *                then the times, then the weights.
 * Accessors:     for each object rest, targets, indices; then times and weights. */
#define _POSIX_C_SOURCE 200809L /* fseeko */

#include "base/error.h"
#include "io/cache_names.h"
#include "io/decimal.h"

#include <errno.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
enum { PREFIX_BYTES = 20, ACCESSOR_TEXT_BYTES = 256 };

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

/* Corners of the triangles that the faces make as fans. */
static uint64_t corner_count(const tio_faces *faces) { return 3 * (tio_corners(faces) - 2 * (uint64_t)faces->count); }

static uint64_t positions_bytes(const taut_cache_object *object, int frames)
{
    return 12 * (uint64_t)object->nvertices * ((uint64_t)frames + 1);
}

/* The times and a square of weights follow the objects; there are none without frames. */
static uint64_t binary_bytes(const taut_cache *cache, int frames)
{
    uint64_t bytes = 4 * (uint64_t)frames * ((uint64_t)frames + 1);
    for (int i = 0; i < cache->nobjects; i++) {
        bytes += 4 * corner_count(&cache->faces[i]) + positions_bytes(&cache->object[i], frames);
    }
    return bytes;
}

static uint64_t size_at_most(const taut_cache *cache)
{
    uint64_t accessors = ((uint64_t)cache->nframes + 16) * (uint64_t)cache->nobjects;
    return binary_bytes(cache, cache->nframes) + ACCESSOR_TEXT_BYTES * accessors;
}

/* ---- Description ----------------------------------------------------------------------------------------------- */

static void put_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ') fprintf(file, "\\u%04x", (unsigned)*text);
        else fputc(*text, file);
    }
    fputc('"', file);
}

static const char *comma(int index) { return index ? "," : ""; }

static int accessors_of(const taut_cache *cache, int object)
{
    return 1 + cache->frames + (cache->faces[object].count > 0);
}

static void put_meshes(const taut_cache *cache, FILE *file)
{
    int accessor = 0;
    fputs("\"meshes\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        bool has_faces = cache->faces[i].count > 0;
        fprintf(file, "%s{\"name\":", comma(i));
        put_string(file, cache->object[i].name);
        fprintf(file, ",\"primitives\":[{\"mode\":%d,\"attributes\":{\"POSITION\":%d}", has_faces ? 4 : 0, accessor);
        if (has_faces) fprintf(file, ",\"indices\":%d", accessor + 1 + cache->frames);
        for (int frame = 0; frame < cache->frames; frame++) {
            fprintf(file, "%s{\"POSITION\":%d}", frame ? "," : ",\"targets\":[", accessor + 1 + frame);
        }
        fputs(cache->frames ? "]}]}" : "}]}", file);
        accessor += accessors_of(cache, i);
    }
    fputs("],\n", file);
}

static void put_nodes(const taut_cache *cache, FILE *file)
{
    fputs("\"asset\":{\"version\":\"2.0\",\"generator\":\"taut " TAUT_VERSION "\"},\n", file);
    fputs("\"scene\":0,\"scenes\":[{\"nodes\":[", file);
    for (int i = 0; i < cache->nobjects; i++) fprintf(file, "%s%d", comma(i), i);
    fputs("]}],\n\"nodes\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        fprintf(file, "%s{\"mesh\":%d,\"name\":", comma(i), i);
        put_string(file, cache->object[i].name);
        fputc('}', file);
    }
    fputs("],\n", file);
}

static void put_animation(const taut_cache *cache, int times, FILE *file)
{
    if (cache->frames == 0) return;
    fprintf(file,
            "\"animations\":[{\"samplers\":[{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}"
            "],\"channels\":[",
            times, times + 1);
    for (int i = 0; i < cache->nobjects; i++) {
        fprintf(file, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}", comma(i), i);
    }
    fputs("]}],\n", file);
}

static uint64_t put_view(FILE *file, uint64_t offset, uint64_t bytes, const char *more)
{
    fprintf(file, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu%s}", offset ? "," : "",
            (unsigned long long)offset, (unsigned long long)bytes, more);
    return offset + bytes;
}

static void put_views(const taut_cache *cache, FILE *file)
{
    char indices[40], positions[60];
    snprintf(indices, sizeof indices, ",\"target\":%d", ELEMENT_ARRAY_BUFFER);
    snprintf(positions, sizeof positions, ",\"byteStride\":12,\"target\":%d", ARRAY_BUFFER);
    uint64_t at = 0, frames = (uint64_t)cache->frames;
    fputs("\"bufferViews\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        at = put_view(file, at, positions_bytes(&cache->object[i], cache->frames), positions);
        if (cache->faces[i].count) at = put_view(file, at, 4 * corner_count(&cache->faces[i]), indices);
    }
    if (frames) at = put_view(file, at, 4 * frames, "");
    if (frames) at = put_view(file, at, 4 * frames * frames, "");
    fprintf(file, "],\n\"buffers\":[{\"byteLength\":%llu}],\n", (unsigned long long)at);
}

static void put_corner(FILE *file, const char *name, const float x[3])
{
    fprintf(file, ",\"%s\":[%s,%s,%s]", name, tio_decimal_of((double)x[0], 9).text,
            tio_decimal_of((double)x[1], 9).text, tio_decimal_of((double)x[2], 9).text);
}

static void put_positions_accessor(FILE *file, int view, uint64_t offset, const float *xyz, int count)
{
    tio_bounds b = tio_bounds_of(xyz, count);
    fprintf(file, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%d,\"type\":\"VEC3\"", view,
            (unsigned long long)offset, FLOAT, count);
    put_corner(file, "min", b.min);
    put_corner(file, "max", b.max);
    fputc('}', file);
}

static float seconds(const taut_cache *cache, int frame) { return (float)(frame / cache->fps); }

/* The offsets from rest of an object in a frame; NULL on error. */
static const float *read_offsets(taut_cache *cache, int object, int frame, taut_error *error)
{
    const taut_cache_object *o = &cache->object[object];
    if (!tio_cache_read(cache, object, frame, error)) return NULL;
    for (size_t k = 0; k < 3 * (size_t)o->nvertices; k++) cache->xyz[k] -= o->rest[k];
    return cache->xyz;
}

static bool put_accessors(taut_cache *cache, FILE *file, taut_error *error)
{
    int view = 0;
    fputs("\"accessors\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        fputs(comma(i), file);
        put_positions_accessor(file, view, 0, o->rest, o->nvertices);
        for (int frame = 0; frame < cache->frames; frame++) {
            const float *offsets = read_offsets(cache, i, frame, error);
            if (!offsets) return false;
            fputs(",\n", file);
            put_positions_accessor(file, view, positions_bytes(o, frame), offsets, o->nvertices);
        }
        view++;
        if (cache->faces[i].count == 0) continue;
        fprintf(file, ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%llu,\"type\":\"SCALAR\"}", view++,
                UNSIGNED_INT, (unsigned long long)corner_count(&cache->faces[i]));
    }
    if (cache->frames > 0) {
        fprintf(file,
                ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\",\"min\":"
                "[0],\"max\":[%s]}"
                ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%llu,\"type\":\"SCALAR\"}",
                view, FLOAT, cache->frames, tio_decimal_of((double)seconds(cache, cache->frames - 1), 9).text, view + 1,
                FLOAT, (unsigned long long)cache->frames * (unsigned long long)cache->frames);
    }
    fputs("]}", file);
    return true;
}

static bool put_description(taut_cache *cache, FILE *file, taut_error *error)
{
    int times = 0;
    for (int i = 0; i < cache->nobjects; i++) times += accessors_of(cache, i);
    fputc('{', file);
    put_nodes(cache, file);
    put_meshes(cache, file);
    put_animation(cache, times, file);
    put_views(cache, file);
    return put_accessors(cache, file, error);
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static void put_triangles(const tio_faces *faces, FILE *file)
{
    for (int k = 0; k < faces->count; k++) {
        const int *corner = faces->vertex + faces->start[k];
        for (int c = 2; c < faces->start[k + 1] - faces->start[k]; c++) {
            const int triangle[3] = {corner[0], corner[c - 1], corner[c]};
            tio_put_ints(file, triangle, 3);
        }
    }
}

static bool put_data(taut_cache *cache, FILE *file, taut_error *error)
{
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        tio_put_floats(file, o->rest, 3 * (size_t)o->nvertices);
        for (int frame = 0; frame < cache->frames; frame++) {
            const float *offsets = read_offsets(cache, i, frame, error);
            if (!offsets) return false;
            tio_put_floats(file, offsets, 3 * (size_t)o->nvertices);
        }
        put_triangles(&cache->faces[i], file);
    }
    for (int frame = 0; frame < cache->frames; frame++) {
        float time = seconds(cache, frame);
        tio_put_floats(file, &time, 1);
    }
    for (int frame = 0; frame < cache->frames; frame++) {
        for (int target = 0; target < cache->frames; target++) {
            float weight = frame == target;
            tio_put_floats(file, &weight, 1);
        }
    }
    return true;
}

static bool put_prefix(const taut_cache *cache, FILE *file, uint64_t description, uint64_t binary, taut_error *error)
{
    uint64_t total = PREFIX_BYTES + description + 8 + binary;
    errno = 0;
    if (total > UINT32_MAX) {
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%.120s: larger than the 4 GiB of the format", cache->path);
    }
    if (fseeko(file, 0, SEEK_SET) != 0) return tio_fail_file(error, "write", cache->path);
    fwrite("glTF", 1, 4, file);
    tio_put_u32(file, 2);
    tio_put_u32(file, (uint32_t)total);
    tio_put_u32(file, (uint32_t)description);
    fwrite("JSON", 1, 4, file);
    return true;
}

/* Lengths come first in the file but are known last: they are filled in at the end. */
static bool write_file(taut_cache *cache, FILE *file, taut_error *error)
{
    static const char blank[PREFIX_BYTES] = {0};
    uint64_t binary = binary_bytes(cache, cache->frames);
    fwrite(blank, 1, sizeof blank, file);
    if (!put_description(cache, file, error)) return false;
    while (ftello(file) % 4 != 0 && !ferror(file)) fputc(' ', file);
    uint64_t description = (uint64_t)ftello(file) - PREFIX_BYTES;
    tio_put_u32(file, (uint32_t)binary);
    fwrite("BIN", 1, 4, file);
    return put_data(cache, file, error) && put_prefix(cache, file, description, binary, error);
}

static bool finish(taut_cache *cache, taut_error *error)
{
    tio_output out;
    if (!tio_output_open(&out, cache->path, error)) return false;
    return tio_output_close(&out, write_file(cache, out.file, error), error);
}

const tio_cache_format tio_cache_glb = {.ending = ".glb", .finish = finish, .size = size_at_most};
