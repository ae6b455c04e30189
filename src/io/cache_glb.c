/* GLB, binary glTF 2.0: a mesh and a node for each object. Frames are morph targets (offsets from the rest shape); one
 * animation sets the weight of a frame's target to 1 and all others to 0 at the frame's time, without blending.
 *
 * Buffer views:  for each object its positions (at rest, then every target), its UVs (if it has any) and its indices
 *                (none for bare points); then the times, then the weights.
 * Accessors:     for each object rest, targets, UVs, indices; then times and weights.
 *
 * A vertex with several UVs has a copy for each further UV, at the end; "originals" lists the vertex of each copy. */
#define _POSIX_C_SOURCE 200809L /* fseeko */

#include "base/error.h"
#include "io/cache_names.h"
#include "io/decimal.h"

#include <errno.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
enum { PREFIX_BYTES = 20, ACCESSOR_TEXT_BYTES = 256, ORIGINAL_TEXT_BYTES = 11 };

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

/* The number of corners of the triangles, if each face is cut into a fan. */
static uint64_t corner_count(const tio_faces *faces) { return 3 * (tio_corners(faces) - 2 * (uint64_t)faces->count); }

/* The number of vertices together with their copies at seams. */
static uint64_t vertex_count(const tio_seams *seams) { return (uint64_t)seams->nvertices + (uint64_t)seams->ncopies; }

static uint64_t positions_bytes(const tio_seams *seams, int frames)
{
    return 12 * vertex_count(seams) * ((uint64_t)frames + 1);
}

static uint64_t uv_bytes(const tio_seams *seams) { return seams->uv ? 8 * vertex_count(seams) : 0; }

/* The times and a square of weights follow the objects. Without frames there are neither. */
static uint64_t binary_bytes(const taut_cache *cache, int frames)
{
    uint64_t bytes = 4 * (uint64_t)frames * ((uint64_t)frames + 1);
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_seams *seams = &cache->seams[i];
        bytes += positions_bytes(seams, frames) + uv_bytes(seams) + 4 * corner_count(&cache->faces[i]);
    }
    return bytes;
}

static uint64_t size_at_most(const taut_cache *cache)
{
    uint64_t accessors = ((uint64_t)cache->nframes + 16) * (uint64_t)cache->nobjects, originals = 0;
    for (int i = 0; i < cache->nobjects; i++) originals += ORIGINAL_TEXT_BYTES * (uint64_t)cache->seams[i].ncopies;
    return binary_bytes(cache, cache->nframes) + ACCESSOR_TEXT_BYTES * accessors + originals;
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
    return 1 + cache->frames + (cache->seams[object].uv != NULL) + (cache->faces[object].count > 0);
}

/* The object's accessors begin at number `accessor`. */
static void put_primitive(const taut_cache *cache, int object, int accessor, FILE *file)
{
    const tio_seams *seams = &cache->seams[object];
    bool has_faces = cache->faces[object].count > 0;
    int next = accessor + 1 + cache->frames;
    fprintf(file, "{\"mode\":%d,\"attributes\":{\"POSITION\":%d", has_faces ? 4 : 0, accessor);
    if (seams->uv) fprintf(file, ",\"TEXCOORD_0\":%d", next++);
    fputc('}', file);
    if (has_faces) fprintf(file, ",\"indices\":%d", next);
    for (int frame = 0; frame < cache->frames; frame++) {
        fprintf(file, "%s{\"POSITION\":%d}", frame ? "," : ",\"targets\":[", accessor + 1 + frame);
    }
    if (cache->frames) fputc(']', file);
    for (int i = 0; i < seams->ncopies; i++) {
        fprintf(file, "%s%d", i ? "," : ",\"extras\":{\"originals\":[", seams->original[i]);
    }
    fputs(seams->ncopies ? "]}}" : "}", file);
}

static void put_meshes(const taut_cache *cache, FILE *file)
{
    int accessor = 0;
    fputs("\"meshes\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        fprintf(file, "%s{\"name\":", comma(i));
        put_string(file, cache->object[i].name);
        fputs(",\"primitives\":[", file);
        put_primitive(cache, i, accessor, file);
        fputs("]}", file);
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
    char indices[40], positions[60], uvs[60];
    snprintf(indices, sizeof indices, ",\"target\":%d", ELEMENT_ARRAY_BUFFER);
    snprintf(positions, sizeof positions, ",\"byteStride\":12,\"target\":%d", ARRAY_BUFFER);
    snprintf(uvs, sizeof uvs, ",\"byteStride\":8,\"target\":%d", ARRAY_BUFFER);
    uint64_t at = 0, frames = (uint64_t)cache->frames;
    fputs("\"bufferViews\":[", file);
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_seams *seams = &cache->seams[i];
        at = put_view(file, at, positions_bytes(seams, cache->frames), positions);
        if (seams->uv) at = put_view(file, at, uv_bytes(seams), uvs);
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

/* Copies of vertices do not change the bounds. */
static void put_positions_accessor(FILE *file, int view, uint64_t offset, const float *xyz, const tio_seams *seams)
{
    tio_bounds b = tio_bounds_of(xyz, seams->nvertices);
    fprintf(file, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":%d,\"count\":%llu,\"type\":\"VEC3\"", view,
            (unsigned long long)offset, FLOAT, (unsigned long long)vertex_count(seams));
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
        const tio_seams *seams = &cache->seams[i];
        fputs(comma(i), file);
        put_positions_accessor(file, view, 0, cache->object[i].rest, seams);
        for (int frame = 0; frame < cache->frames; frame++) {
            const float *offsets = read_offsets(cache, i, frame, error);
            if (!offsets) return false;
            fputs(",\n", file);
            put_positions_accessor(file, view, positions_bytes(seams, frame), offsets, seams);
        }
        view++;
        if (seams->uv) {
            fprintf(file, ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%llu,\"type\":\"VEC2\"}", view++, FLOAT,
                    (unsigned long long)vertex_count(seams));
        }
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

static void put_triangles(const tio_faces *faces, const tio_seams *seams, FILE *file)
{
    const int *vertex = seams->uv ? seams->number : faces->vertex;
    for (int k = 0; k < faces->count; k++) {
        const int *corner = vertex + faces->start[k];
        for (int c = 2; c < faces->start[k + 1] - faces->start[k]; c++) {
            const int triangle[3] = {corner[0], corner[c - 1], corner[c]};
            tio_put_ints(file, triangle, 3);
        }
    }
}

/* A value for each vertex, then for each copy. */
static void put_positions(const tio_seams *seams, const float *xyz, FILE *file)
{
    tio_put_floats(file, xyz, 3 * (size_t)seams->nvertices);
    for (int i = 0; i < seams->ncopies; i++) tio_put_floats(file, &xyz[3 * (size_t)seams->original[i]], 3);
}

/* glTF counts v downward from the picture's upper edge. */
static void put_uvs(const tio_seams *seams, FILE *file)
{
    for (int i = 0; seams->uv && i < seams->nvertices + seams->ncopies; i++) {
        const float *uv = tio_seam_uv(seams, i), turned[2] = {uv[0], 1 - uv[1]};
        tio_put_floats(file, turned, 2);
    }
}

static bool put_data(taut_cache *cache, FILE *file, taut_error *error)
{
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_seams *seams = &cache->seams[i];
        put_positions(seams, cache->object[i].rest, file);
        for (int frame = 0; frame < cache->frames; frame++) {
            const float *offsets = read_offsets(cache, i, frame, error);
            if (!offsets) return false;
            put_positions(seams, offsets, file);
        }
        put_uvs(seams, file);
        put_triangles(&cache->faces[i], seams, file);
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

/* The lengths come first in the file but are known only at the end, so they are filled in then. */
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

const tio_cache_format tio_cache_glb = {.ending = ".glb", .has_uvs = true, .finish = finish, .size = size_at_most};
