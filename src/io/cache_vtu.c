/* VTU, the unstructured grids of VTK and ParaView: a file a frame with a piece for each object, its arrays appended as
 * raw bytes, and a PVD file that lists the frames with their times. Cells are an object's polygons, or the tets of one
 * that has none. */
#include "base/error.h"
#include "io/cache_names.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"" /* of the file of a frame */

enum { VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9, VTK_TETRA = 10 };

typedef struct frame_data {
    const float *const *xyz;
    const taut_cache_field *const *fields; /* NULL: none */
    const taut_cache_field *named;         /* of the first object that has any: all have the same names */
    int nfields;
} frame_data;

typedef struct cells {
    int count, corners;
    const int *start, *vertex; /* start NULL: tets */
} cells;

static cells cells_of(const taut_cache_object *o)
{
    if (o->npolygons) return (cells){o->npolygons, o->polygon_start[o->npolygons], o->polygon_start, o->polygon};
    return (cells){o->ntets, 4 * o->ntets, NULL, o->tet};
}

static int cell_end(const cells *c, int cell) { return c->start ? c->start[cell + 1] : 4 * (cell + 1); }

static int cell_type(const cells *c, int cell)
{
    if (!c->start) return VTK_TETRA;
    int corners = c->start[cell + 1] - c->start[cell];
    return corners == 3 ? VTK_TRIANGLE : corners == 4 ? VTK_QUAD : VTK_POLYGON;
}

static void put_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (strchr("&<>\"", *text)) fprintf(file, "&#%d;", *text);
        else fputc((unsigned char)*text < ' ' ? '_' : *text, file);
    }
}

/* ---- The description: where each array of the appended data begins --------------------------------------------- */

static uint64_t put_array(FILE *file, const char *type, const char *name, int components, uint64_t offset,
                          uint64_t bytes)
{
    fprintf(file, "<DataArray type=\"%s\" Name=\"", type);
    put_escaped(file, name);
    fprintf(file, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", components,
            (unsigned long long)offset);
    return offset + 8 + bytes;
}

static uint64_t put_piece(FILE *file, const taut_cache_object *o, const frame_data *frame, uint64_t at)
{
    cells c = cells_of(o);
    uint64_t n = (uint64_t)c.count;
    fprintf(file, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n", o->nvertices, c.count);
    at = put_array(file, "Float32", "Points", 3, at, 12 * (uint64_t)o->nvertices);
    fputs("</Points>\n<Cells>\n", file);
    at = put_array(file, "Int32", "connectivity", 1, at, 4 * (uint64_t)c.corners);
    at = put_array(file, "Int32", "offsets", 1, at, 4 * n);
    at = put_array(file, "UInt8", "types", 1, at, n);
    fputs("</Cells>\n<CellData>\n", file);
    at = put_array(file, "Int32", "object", 1, at, 4 * n);
    for (int i = 0; i < frame->nfields; i++) at = put_array(file, "Float32", frame->named[i].name, 1, at, 4 * n);
    fputs("</CellData>\n</Piece>\n", file);
    return at;
}

/* ---- The appended data ----------------------------------------------------------------------------------------- */

static void put_cells(FILE *file, const cells *c)
{
    tio_put_u64(file, 4 * (uint64_t)c->corners);
    tio_put_ints(file, c->vertex, (size_t)c->corners);
    tio_put_u64(file, 4 * (uint64_t)c->count);
    for (int i = 0; i < c->count; i++) tio_put_u32(file, (uint32_t)cell_end(c, i));
    tio_put_u64(file, (uint64_t)c->count);
    for (int i = 0; i < c->count; i++) fputc(cell_type(c, i), file);
}

static void put_piece_data(FILE *file, const taut_cache *cache, int object, const frame_data *frame)
{
    const taut_cache_object *o = &cache->object[object];
    cells c = cells_of(o);
    tio_put_u64(file, 12 * (uint64_t)o->nvertices);
    tio_put_floats(file, frame->xyz[object], 3 * (size_t)o->nvertices);
    put_cells(file, &c);
    tio_put_u64(file, 4 * (uint64_t)c.count);
    for (int i = 0; i < c.count; i++) tio_put_u32(file, (uint32_t)object);
    for (int k = 0; k < frame->nfields; k++) {
        const float *value = frame->fields[object] ? frame->fields[object][k].value : NULL;
        const float none = NAN;
        tio_put_u64(file, 4 * (uint64_t)c.count);
        if (value) tio_put_floats(file, value, (size_t)c.count);
        for (int i = 0; i < c.count && !value; i++) tio_put_floats(file, &none, 1);
    }
}

static void write_file(FILE *file, const taut_cache *cache, const frame_data *frame)
{
    uint64_t at = 0;
    fprintf(file,
            BEGIN " version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n"
            "<UnstructuredGrid>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%s</DataArray>\n"
            "</FieldData>\n",
            tio_decimal_of(cache->frames / cache->fps, 17).text);
    for (int i = 0; i < cache->nobjects; i++) at = put_piece(file, &cache->object[i], frame, at);
    fputs("</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", file);
    for (int i = 0; i < cache->nobjects; i++) put_piece_data(file, cache, i, frame);
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
}

/* ---- Frames and the list of them ------------------------------------------------------------------------------- */

/* VTK wants the same arrays in every piece. */
static bool check_fields(const taut_cache *cache, frame_data *frame, taut_error *error)
{
    for (int i = 0; i < cache->nobjects && frame->nfields > 0; i++) {
        const taut_cache_field *own = frame->fields[i];
        if (!frame->named) frame->named = own;
        for (int k = 0; own && k < frame->nfields; k++) {
            if (own[k].name && strcmp(own[k].name, frame->named[k].name) == 0) continue;
            return tt_fail(error, TAUT_BAD_ARGUMENT, k, "field %d of object %.60s must be %.60s as in other objects", k,
                           cache->object[i].name, frame->named[k].name ? frame->named[k].name : "named");
        }
    }
    if (!frame->named) frame->nfields = 0;
    return true;
}

static bool write_frame(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                        taut_error *error)
{
    tio_output out;
    frame_data frame = {.xyz = xyz, .fields = fields, .nfields = fields ? nfields : 0};
    if (!check_fields(cache, &frame, error)) return false;
    char *path = tio_frame_path(cache->path, cache->frames, tio_cache_vtu.ending);
    if (!path) return tt_no_memory(error);
    bool good = tio_output_open(&out, path, error);
    if (good) {
        write_file(out.file, cache, &frame);
        good = tio_output_close(&out, true, error);
    }
    free(path);
    return good;
}

static bool write_list(const taut_cache *cache, FILE *file, taut_error *error)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", file);
    for (int frame = 0; frame < cache->frames; frame++) {
        char *path = tio_frame_path(cache->path, frame, tio_cache_vtu.ending);
        if (!path) return tt_no_memory(error);
        fprintf(file, "<DataSet timestep=\"%s\" part=\"0\" file=\"", tio_decimal_of(frame / cache->fps, 17).text);
        put_escaped(file, tio_base_name(path));
        fputs("\"/>\n", file);
        free(path);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
    return true;
}

static bool finish(taut_cache *cache, taut_error *error)
{
    tio_output out;
    char *path = tio_index_path(cache->path, tio_cache_pvd.ending);
    if (!path) return tt_no_memory(error);
    bool good = tio_output_open(&out, path, error);
    if (good) good = tio_output_close(&out, write_list(cache, out.file, error), error);
    free(path);
    return good;
}

const tio_cache_format tio_cache_vtu = {.ending = ".vtu", .frame = write_frame, .finish = finish, .begin = BEGIN};
const tio_cache_format tio_cache_pvd = {.ending = ".pvd", .frame = write_frame, .finish = finish, .begin = BEGIN};
