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

static void put_uvs(tio_text_out *out, const tio_seams *seams)
{
    for (int i = 0; seams->uv && i < seams->nvertices + seams->ncopies; i++) {
        const float *uv = tio_seam_uv(seams, i);
        tio_text_out_room(out, 5 + 2 * (size_t)TIO_DECIMAL_BYTES);
        *out->at++ = 'v';
        *out->at++ = 't';
        for (int axis = 0; axis < 2; axis++) {
            *out->at++ = ' ';
            out->at = tio_put_decimal(out->at, uv[axis]);
        }
        *out->at++ = '\n';
    }
}

/* "f 1 2 3", or "f 1/1 2/2 3/7" with UVs. */
static void put_faces(tio_text_out *out, const tio_faces *faces, int64_t first, const tio_seams *seams,
                      int64_t first_uv)
{
    for (int k = 0; k < faces->count; k++) {
        tio_text_out_room(out, 1);
        *out->at++ = 'f';
        for (int c = faces->start[k]; c < faces->start[k + 1]; c++) {
            tio_text_out_room(out, 3 + 2 * (size_t)TIO_DECIMAL_BYTES);
            *out->at++ = ' ';
            out->at = tio_put_count(out->at, first + faces->vertex[c]);
            if (!seams->uv) continue;
            *out->at++ = '/';
            out->at = tio_put_count(out->at, first_uv + seams->number[c]);
        }
        *out->at++ = '\n';
    }
}

static bool write_obj(const taut_cache *cache, const float *const *xyz, FILE *file, taut_error *error)
{
    tio_text_out out;
    int64_t first = 1, first_uv = 1; /* OBJ counts from 1, over all objects */
    for (int i = 0; i < cache->nobjects; i++) {
        const taut_cache_object *o = &cache->object[i];
        const tio_seams *seams = &cache->seams[i];
        char *name = tio_plain_name(o->name, "");
        if (!name) return tt_no_memory(error);
        fprintf(file, "o %s\n", name);
        free(name);
        tio_text_out_open(&out, file);
        put_vertices(&out, xyz[i], o->nvertices);
        put_uvs(&out, seams);
        put_faces(&out, &cache->faces[i], first, seams, first_uv);
        tio_text_out_flush(&out);
        first += o->nvertices;
        if (seams->uv) first_uv += (int64_t)seams->nvertices + seams->ncopies;
    }
    return true;
}

static bool frame_obj(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                      taut_error *error)
{
    (void)fields, (void)nfields;
    return write_file(cache, xyz, write_obj, error);
}

const tio_cache_format tio_cache_obj = {.ending = ".obj", .has_uvs = true, .frame = frame_obj, .begin = "o "};

/* ---- PLY ------------------------------------------------------------------------------------------------------- */

/* How a file stores UVs: by vertex if possible, because more programs read that, else by corner. */
typedef struct ply_form {
    bool by_vertex, by_corner;
    bool wide; /* Readers expect a byte for the length of a list; only faces that need it get an int. */
} ply_form;

static ply_form find_form(const taut_cache *cache)
{
    ply_form form = {.by_vertex = false};
    int most = 0;
    for (int i = 0; i < cache->nobjects; i++) {
        const tio_faces *faces = &cache->faces[i];
        if (cache->seams[i].uv) form.by_vertex = true;
        if (cache->seams[i].ncopies) form.by_corner = true;
        for (int k = 0; k < faces->count; k++) {
            int corners = faces->start[k + 1] - faces->start[k];
            most = corners > most ? corners : most;
        }
    }
    if (form.by_corner) form.by_vertex = false;
    form.wide = most > (form.by_corner ? 127 : 255);
    return form;
}

static void put_ply_vertices(FILE *file, const float *xyz, const tio_seams *seams, const ply_form *form)
{
    static const float none[2] = {0, 0};
    if (!form->by_vertex) tio_put_floats(file, xyz, 3 * (size_t)seams->nvertices);
    for (int v = 0; form->by_vertex && v < seams->nvertices; v++) {
        tio_put_floats(file, &xyz[3 * (size_t)v], 3);
        tio_put_floats(file, seams->uv ? tio_seam_uv(seams, v) : none, 2);
    }
}

static void put_ply_length(FILE *file, int length, const ply_form *form)
{
    if (form->wide) tio_put_u32(file, (uint32_t)length);
    else putc(length, file);
}

static void put_ply_faces(FILE *file, const tio_faces *faces, const tio_seams *seams, uint32_t first,
                          const ply_form *form)
{
    for (int k = 0; k < faces->count; k++) {
        int start = faces->start[k], corners = faces->start[k + 1] - start;
        put_ply_length(file, corners, form);
        for (int c = 0; c < corners; c++) tio_put_u32(file, first + (uint32_t)faces->vertex[start + c]);
        if (!form->by_corner) continue;
        put_ply_length(file, 2 * corners, form);
        if (seams->uv) tio_put_floats(file, &seams->uv[2 * (size_t)start], 2 * (size_t)corners);
        for (int c = 0; !seams->uv && c < 2 * corners; c++) tio_put_u32(file, 0);
    }
}

static bool write_ply(const taut_cache *cache, const float *const *xyz, FILE *file, taut_error *error)
{
    int64_t nvertices = 0, nfaces = 0;
    ply_form form = find_form(cache);
    const char *length = form.wide ? "int" : "uchar";
    for (int i = 0; i < cache->nobjects; i++) {
        nvertices += cache->object[i].nvertices;
        nfaces += cache->faces[i].count;
    }
    if (nvertices > INT32_MAX) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "too many vertices for PLY");
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %lld\n"
            "property float x\nproperty float y\nproperty float z\n%s"
            "element face %lld\nproperty list %s int vertex_indices\n",
            (long long)nvertices, form.by_vertex ? "property float s\nproperty float t\n" : "", (long long)nfaces,
            length);
    if (form.by_corner) fprintf(file, "property list %s float texcoord\n", length);
    fputs("end_header\n", file);
    for (int i = 0; i < cache->nobjects; i++) put_ply_vertices(file, xyz[i], &cache->seams[i], &form);
    uint32_t first = 0;
    for (int i = 0; i < cache->nobjects; i++) {
        put_ply_faces(file, &cache->faces[i], &cache->seams[i], first, &form);
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

const tio_cache_format tio_cache_ply = {
    .ending = ".ply", .has_uvs = true, .frame = frame_ply, .begin = "ply\nformat binary_little_endian 1.0\n"};
