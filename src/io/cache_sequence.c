/* A file a frame: OBJ text and binary PLY. The objects follow each other in one file. */
#include "base/error.h"
#include "io/cache_names.h"
#include "io/decimal.h"

#include <stdlib.h>

typedef bool write_frame(const taut_cache *cache, const float *const *xyz, FILE *file, taut_error *error);

static bool write_file(taut_cache *cache, const float *const *xyz, write_frame *write, taut_error *error)
{
    tio_output out;
    char *path = tio_frame_path(cache->path, cache->frames, cache->format->ending);
    if (!path) return tt_no_memory(error);
    bool good = tio_output_open(&out, path, error);
    if (good) good = tio_output_close(&out, write(cache, xyz, out.file, error), error);
    free(path);
    return good;
}

/* ---- OBJ ------------------------------------------------------------------------------------------------------- */

static void put_vertices(tio_text_out *out, const float *xyz, int count)
{
    for (const float *x = xyz, *end = x + 3 * (size_t)count; x < end; x += 3) {
        tio_text_out_room(out, 3 + 3 * (size_t)TIO_DECIMAL_BYTES);
        *out->at++ = 'v';
        for (int axis = 0; axis < 3; axis++) {
            *out->at++ = ' ';
            out->at = tio_put_decimal(out->at, x[axis]);
        }
        *out->at++ = '\n';
    }
}

static void put_faces(tio_text_out *out, const tio_faces *faces, int64_t first)
{
    for (int k = 0; k < faces->count; k++) {
        tio_text_out_room(out, 1);
        *out->at++ = 'f';
        for (int c = faces->start[k]; c < faces->start[k + 1]; c++) {
            tio_text_out_room(out, 2 + (size_t)TIO_DECIMAL_BYTES);
            *out->at++ = ' ';
            out->at = tio_put_count(out->at, first + faces->vertex[c]);
        }
        *out->at++ = '\n';
    }
}

static bool write_obj(const taut_cache *cache, const float *const *xyz, FILE *file, taut_error *error)
{
    tio_text_out out;
    int64_t first = 1; /* OBJ counts from 1, over all objects */
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        char *name = tio_plain_name(o->name, "");
        if (!name) return tt_no_memory(error);
        fprintf(file, "o %s\n", name);
        free(name);
        tio_text_out_open(&out, file);
        put_vertices(&out, xyz[i], o->nvertices);
        put_faces(&out, &cache->faces[i], first);
        tio_text_out_flush(&out);
        first += o->nvertices;
    }
    return true;
}

static bool frame_obj(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                      taut_error *error)
{
    (void)fields, (void)nfields;
    return write_file(cache, xyz, write_obj, error);
}

const tio_cache_format tio_cache_obj = {.ending = ".obj", .frame = frame_obj};

/* ---- PLY ------------------------------------------------------------------------------------------------------- */

/* Readers expect a byte for the number of a face's vertices; only larger faces get an int. */
static bool needs_wide_counts(const taut_cache *cache)
{
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_faces *faces = &cache->faces[i];
        for (int k = 0; k < faces->count; k++) {
            if (faces->start[k + 1] - faces->start[k] > 255) return true;
        }
    }
    return false;
}

static bool write_ply(const taut_cache *cache, const float *const *xyz, FILE *file, taut_error *error)
{
    int64_t nvertices = 0, nfaces = 0;
    for (int i = 0; i < cache->nobjects; i++) {
        nvertices += cache->object[i].nvertices;
        nfaces += cache->faces[i].count;
    }
    if (nvertices > INT32_MAX) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "too many vertices for PLY");
    bool wide = needs_wide_counts(cache);
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %lld\n"
            "property float x\nproperty float y\nproperty float z\n"
            "element face %lld\nproperty list %s int vertex_indices\nend_header\n",
            (long long)nvertices, (long long)nfaces, wide ? "int" : "uchar");
    for (int i = 0; i < cache->nobjects; i++) tio_put_floats(file, xyz[i], 3 * (size_t)cache->object[i].nvertices);
    uint32_t first = 0;
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_faces *faces = &cache->faces[i];
        for (int k = 0; k < faces->count; k++) {
            int corners = faces->start[k + 1] - faces->start[k];
            if (wide) tio_put_u32(file, (uint32_t)corners);
            else putc(corners, file);
            for (int c = faces->start[k]; c < faces->start[k + 1]; c++) {
                tio_put_u32(file, first + (uint32_t)faces->vertex[c]);
            }
        }
        first += (uint32_t)cache->object[i].nvertices;
    }
    return true;
}

static bool frame_ply(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                      taut_error *error)
{
    (void)fields, (void)nfields;
    return write_file(cache, xyz, write_ply, error);
}

const tio_cache_format tio_cache_ply = {.ending = ".ply", .frame = frame_ply};
