/* USD as text: a Mesh for each object under one Xform, its points sampled at every frame. */
#include "base/error.h"
#include "io/cache_names.h"
#include "io/decimal.h"

#include <stdlib.h>

static void put_text(tio_text_out *out, const char *text)
{
    while (*text) *out->at++ = *text++;
}

static void put_points(FILE *file, const float *xyz, int count)
{
    tio_text_out out;
    tio_text_out_open(&out, file);
    for (int i = 0; i < count; i++, xyz += 3) {
        tio_text_out_room(&out, 12 + 3 * (size_t)TIO_DECIMAL_BYTES);
        for (int axis = 0; axis < 3; axis++) {
            put_text(&out, axis ? ", " : i ? ", (" : "[(");
            out.at = tio_put_decimal(out.at, xyz[axis]);
        }
        put_text(&out, ")");
    }
    tio_text_out_flush(&out);
    fputc(']', file);
}

static void put_bounds(FILE *file, const float *xyz, int count)
{
    tio_bounds b = tio_bounds_of(xyz, count);
    const float corners[6] = {b.min[0], b.min[1], b.min[2], b.max[0], b.max[1], b.max[2]};
    put_points(file, corners, 2);
}

static void put_faces(FILE *file, const tio_faces *faces)
{
    fputs("        int[] faceVertexCounts = [", file);
    for (int i = 0; i < faces->count; i++) {
        fprintf(file, "%s%d", i ? ", " : "", faces->start[i + 1] - faces->start[i]);
    }
    fputs("]\n        int[] faceVertexIndices = [", file);
    for (size_t i = 0; i < tio_corners(faces); i++) fprintf(file, "%s%d", i ? ", " : "", faces->vertex[i]);
    fputs("]\n", file);
}

static void put_uvs(FILE *file, const tio_seams *seams, size_t ncorners)
{
    fputs("        texCoord2f[] primvars:st = [", file);
    for (size_t c = 0; c < ncorners; c++) {
        const float *uv = &seams->uv[2 * c];
        fprintf(file, "%s(%s, %s)", c ? ", " : "", tio_decimal_of((double)uv[0], 9).text,
                tio_decimal_of((double)uv[1], 9).text);
    }
    fputs("] (\n            interpolation = \"faceVarying\"\n        )\n", file);
}

typedef void put_value(FILE *file, const float *xyz, int count);

/* The value at rest, then at every frame. */
static bool put_samples(taut_cache *cache, int object, const char *attribute, put_value *put, FILE *file,
                        taut_error *error)
{
    const taut_cache_object *o = &cache->object[object];
    fprintf(file, "        %s = ", attribute);
    put(file, o->rest, o->nvertices);
    fputc('\n', file);
    if (cache->frames == 0) return true;
    fprintf(file, "        %s.timeSamples = {\n", attribute);
    for (int frame = 0; frame < cache->frames; frame++) {
        const float *xyz = tio_cache_read(cache, object, frame, error);
        if (!xyz) return false;
        fprintf(file, "            %d: ", frame);
        put(file, xyz, o->nvertices);
        fputs(",\n", file);
    }
    fputs("        }\n", file);
    return true;
}

static bool put_object(taut_cache *cache, int object, FILE *file, taut_error *error)
{
    char *name = tio_identifier(cache->object[object].name);
    if (!name) return tt_no_memory(error);
    fprintf(file, "\n    def Mesh \"%s\"\n    {\n        uniform token subdivisionScheme = \"none\"\n", name);
    free(name);
    put_faces(file, &cache->faces[object]);
    if (cache->seams[object].uv) put_uvs(file, &cache->seams[object], tio_corners(&cache->faces[object]));
    bool good = put_samples(cache, object, "float3[] extent", put_bounds, file, error) &&
                put_samples(cache, object, "point3f[] points", put_points, file, error);
    fputs("    }\n", file);
    return good;
}

static bool write_file(taut_cache *cache, FILE *file, taut_error *error)
{
    tio_decimal fps = tio_decimal_of(cache->fps, 17);
    fprintf(file,
            "#usda 1.0\n(\n    defaultPrim = \"taut\"\n    startTimeCode = 0\n    endTimeCode = %d\n"
            "    timeCodesPerSecond = %s\n    framesPerSecond = %s\n    metersPerUnit = 1\n"
            "    upAxis = \"Y\"\n)\n\ndef Xform \"taut\"\n{",
            cache->frames ? cache->frames - 1 : 0, fps.text, fps.text);
    for (int i = 0; i < cache->nobjects; i++) {
        if (!put_object(cache, i, file, error)) return false;
    }
    fputs("}\n", file);
    return true;
}

static bool finish(taut_cache *cache, taut_error *error)
{
    tio_output out;
    if (!tio_output_open(&out, cache->path, error)) return false;
    return tio_output_close(&out, write_file(cache, out.file, error), error);
}

const tio_cache_format tio_cache_usda = {.ending = ".usda", .has_uvs = true, .finish = finish};
