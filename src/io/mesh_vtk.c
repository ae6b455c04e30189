/* Legacy VTK files of unstructured grids, ascii and binary (big-endian). Cells may have the old form (count and
 * vertices of each) or that of version 5 (offsets and connectivity). Data of points and cells is passed over. */
#include "io/mesh_build.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    VERTEX = 1,
    POLY_VERTEX,
    LINE,
    POLY_LINE,
    TRIANGLE,
    TRIANGLE_STRIP,
    POLYGON,
    PIXEL,
    QUAD,
    TET
};

typedef struct vtk {
    tio_text *text;
    tio_builder *builder;
    bool is_binary;
    tio_list start;  /* int64_t: where each cell begins in `vertex`, and the end */
    tio_list vertex; /* int64_t                                                  */
    tio_list type;   /* int64_t, of each cell                                    */
} vtk;

static tio_type type_named(tio_word word)
{
    static const struct {
        const char *name;
        tio_type type;
    } types[] = {
        {"char", TIO_INT8},    {"unsigned_char", TIO_UINT8},   {"short", TIO_INT16},
        {"int", TIO_INT32},    {"unsigned_short", TIO_UINT16}, {"unsigned_int", TIO_UINT32},
        {"long", TIO_INT64},   {"unsigned_long", TIO_UINT64},  {"vtktypeint64", TIO_INT64},
        {"float", TIO_FLOAT},  {"vtktypeuint64", TIO_UINT64},  {"vtkidtype", TIO_INT64},
        {"double", TIO_DOUBLE}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tio_word_is(word, types[i].name)) return types[i].type;
    return TIO_NO_TYPE;
}

/* Keywords and counts are text in both forms; numbers follow right after the line. */
static void begin_numbers(vtk *k) { k->text->binary = k->is_binary; }
static void end_numbers(vtk *k) { k->text->binary = false; }

static bool read_type(vtk *k, tio_type *type)
{
    tio_word word;
    *type = tio_next_word(k->text, &word) ? type_named(word) : TIO_NO_TYPE;
    return *type != TIO_NO_TYPE ||
           tio_fail(k->text, "the type of the numbers is missing or unknown");
}

static size_t least_bytes(const vtk *k, tio_type type)
{
    return k->is_binary ? tio_type_size(type) : 2;
}

static bool read_integers(vtk *k, tio_type type, int64_t count, const char *what, tio_list *list)
{
    bool good = tio_check_count(k->text, count, least_bytes(k, type), what);
    list->size = 0;
    begin_numbers(k);
    for (int64_t i = 0; good && i < count; i++) {
        int64_t value;
        good = tio_read_integer(k->text, type, what, &value) &&
               tio_append(list, &value, sizeof value, k->text->error);
    }
    end_numbers(k);
    return good;
}

static bool read_points(vtk *k)
{
    int64_t count = 0;
    tio_type type;
    if (k->builder->nvertices > 0) return tio_fail(k->text, "there are two lists of points");
    if (!tio_line_integer(k->text, "the number of points", &count) || !read_type(k, &type) ||
        !tio_check_count(k->text, count, 3 * least_bytes(k, type), "points"))
        return false;
    bool good = true;
    begin_numbers(k);
    for (int64_t i = 0; good && i < count; i++) {
        float x[3];
        for (int j = 0; good && j < 3; j++)
            good = tio_read_float(k->text, type, "a coordinate", &x[j]);
        good = good && tio_add_vertex(k->builder, x);
    }
    end_numbers(k);
    return good;
}

/* Reads a word that has to come next, and the type after it. */
static bool expect(vtk *k, const char *wanted, tio_type *type)
{
    tio_word word;
    if (!tio_flow_word(k->text, &word) || !tio_word_is(word, wanted))
        return tio_fail(k->text, "expected %s", wanted);
    if (!read_type(k, type)) return false;
    return tio_type_is_whole(*type) || tio_fail(k->text, "%s must be whole numbers", wanted);
}

/* Splits "3 0 1 2  4 2 3 4 5" into starts and vertices. */
static bool split_cells(vtk *k, int64_t count, const tio_list *mixed)
{
    const int64_t *number = mixed->data;
    size_t n = mixed->size / sizeof *number, at = 0;
    int64_t start = 0;
    for (int64_t i = 0; i < count; i++) {
        if (at >= n || number[at] < 0 || (uint64_t)number[at] > n - at - 1)
            return tio_fail(k->text, "cell %lld reaches past the end of the list of cells",
                            (long long)i);
        size_t ncorners = (size_t)number[at++];
        if (!tio_append(&k->start, &start, sizeof start, k->text->error) ||
            !tio_append(&k->vertex, &number[at], ncorners * sizeof *number, k->text->error))
            return false;
        at += ncorners;
        start += (int64_t)ncorners;
    }
    return tio_append(&k->start, &start, sizeof start, k->text->error);
}

static bool read_cells(vtk *k)
{
    static const char offsets[] = "OFFSETS";
    int64_t count = 0, size = 0;
    if (k->start.size > 0) return tio_fail(k->text, "there are two lists of cells");
    if (!tio_line_integer(k->text, "the number of cells", &count) ||
        !tio_line_integer(k->text, "the size of the cells", &size))
        return false;
    size_t left = tio_bytes_left(k->text);
    if (left >= sizeof offsets - 1 && memcmp(k->text->next, offsets, sizeof offsets - 1) == 0) {
        tio_type type = TIO_NO_TYPE;
        return expect(k, offsets, &type) && read_integers(k, type, count, "offsets", &k->start) &&
               expect(k, "CONNECTIVITY", &type) &&
               read_integers(k, type, size, "vertices of cells", &k->vertex);
    }
    if (!tio_check_count(k->text, count, least_bytes(k, TIO_INT32), "cells")) return false;
    tio_list mixed = {0};
    bool good = read_integers(k, TIO_INT32, size, "vertices of cells", &mixed) &&
                split_cells(k, count, &mixed);
    free(mixed.data);
    return good;
}

static bool read_cell_types(vtk *k)
{
    int64_t count = 0;
    return tio_line_integer(k->text, "the number of cell types", &count) &&
           read_integers(k, TIO_INT32, count, "cell types", &k->type);
}

/* FIELD name n, then n times: name components tuples type, numbers. */
static bool skip_field(vtk *k)
{
    int64_t count = 0, components = 0, tuples = 0;
    tio_word word;
    tio_type type = TIO_NO_TYPE;
    if (!tio_next_word(k->text, &word)) return tio_fail(k->text, "the field's name is missing");
    if (!tio_line_integer(k->text, "the number of arrays", &count) ||
        !tio_check_count(k->text, count, 8, "arrays"))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!tio_flow_word(k->text, &word))
            return tio_fail(k->text, "an array of the field is missing");
        if (!tio_line_integer(k->text, "the components of the array", &components) ||
            !tio_line_integer(k->text, "the tuples of the array", &tuples) ||
            !read_type(k, &type) || !tio_check_count(k->text, components, 1, "components"))
            return false;
        size_t least = least_bytes(k, type) * (size_t)(components ? components : 1);
        if (!tio_check_count(k->text, tuples, least, "tuples")) return false;
        if (k->is_binary &&
            !tio_skip_bytes(k->text, (size_t)tuples * (size_t)components * tio_type_size(type),
                            "a field"))
            return false;
        for (int64_t j = 0; !k->is_binary && j < tuples * components; j++)
            if (!tio_flow_word(k->text, &word)) return tio_fail(k->text, "the field ends early");
    }
    return true;
}

static void skip_metadata(vtk *k)
{
    tio_word word;
    /* To the first empty line. */
    while (tio_next_line(k->text) && tio_next_word(k->text, &word)) continue;
}

static bool read_header(vtk *k)
{
    static const char magic[] = "# vtk DataFile Version";
    tio_word word;
    tio_next_line(k->text);
    size_t length = (size_t)(k->text->line_end - k->text->at);
    if (length < sizeof magic - 1 || memcmp(k->text->at, magic, sizeof magic - 1) != 0)
        return tio_fail(k->text, "this is not a legacy VTK file: it does not begin with %s", magic);
    tio_next_line(k->text); /* the title */
    if (!tio_next_line(k->text) || !tio_next_word(k->text, &word))
        return tio_fail(k->text, "the header ends early");
    k->is_binary = tio_word_is(word, "BINARY");
    k->text->big_endian = true;
    return k->is_binary || tio_word_is(word, "ASCII") ||
           tio_fail(k->text, "expected ASCII or BINARY");
}

static bool read_sections(vtk *k)
{
    tio_word word;
    while (tio_flow_word(k->text, &word)) {
        bool good = true;
        if (tio_word_is(word, "POINT_DATA") || tio_word_is(word, "CELL_DATA")) return true;
        if (tio_word_is(word, "DATASET")) {
            good = tio_next_word(k->text, &word) && tio_word_is(word, "UNSTRUCTURED_GRID");
            if (!good) return tio_fail(k->text, "the dataset must be an UNSTRUCTURED_GRID");
        } else if (tio_word_is(word, "POINTS")) good = read_points(k);
        else if (tio_word_is(word, "CELLS")) good = read_cells(k);
        else if (tio_word_is(word, "CELL_TYPES")) good = read_cell_types(k);
        else if (tio_word_is(word, "FIELD")) good = skip_field(k);
        else if (tio_word_is(word, "METADATA")) skip_metadata(k);
        else
            return tio_fail(k->text, "unknown section: %.*s", word.size < 40 ? (int)word.size : 40,
                            word.at);
        if (!good) return false;
    }
    return true;
}

/* ---- Cells ---- */

static bool fail_cell(vtk *k, size_t cell, const char *cause)
{
    return tt_fail(k->text->error, TAUT_BAD_MESH, (int)cell, "%s: cell %zu %s", k->text->name, cell,
                   cause);
}

static bool add_lines(vtk *k, const int *corner, int n)
{
    for (int i = 0; i + 1 < n; i++)
        if (!tio_add_line(k->builder, corner[i], corner[i + 1])) return false;
    return true;
}

static bool add_strip(vtk *k, const int *corner, int n)
{
    for (int i = 0; i + 2 < n; i++) {
        int odd = i & 1, triangle[3] = {corner[i], corner[i + 1 + odd], corner[i + 2 - odd]};
        if (!tio_add_polygon(k->builder, triangle, NULL, 3)) return false;
    }
    return true;
}

static bool add_cell(vtk *k, size_t cell, int64_t type, int *corner, int n)
{
    switch (type) {
    case VERTEX:
    case POLY_VERTEX:
        return true;
    case LINE:
    case POLY_LINE:
        return n >= 2 ? add_lines(k, corner, n)
                      : fail_cell(k, cell, "is a line of fewer than 2 vertices");
    case TRIANGLE_STRIP:
        return add_strip(k, corner, n);
    case PIXEL: /* a quad in the order of a grid */
        if (n != 4) return fail_cell(k, cell, "is a pixel and must have 4 vertices");
        return tio_add_polygon(k->builder, (int[4]){corner[0], corner[1], corner[3], corner[2]},
                               NULL, 4);
    case TRIANGLE:
        if (n != 3) return fail_cell(k, cell, "is a triangle and must have 3 vertices");
        return tio_add_polygon(k->builder, corner, NULL, n);
    case QUAD:
        if (n != 4) return fail_cell(k, cell, "is a quad and must have 4 vertices");
        return tio_add_polygon(k->builder, corner, NULL, n);
    case POLYGON:
        return tio_add_polygon(k->builder, corner, NULL, n);
    case TET:
        return n == 4 ? tio_add_tet(k->builder, corner)
                      : fail_cell(k, cell, "is a tet and must have 4 vertices");
    default:
        return fail_cell(k, cell, "is neither point, line, triangle, quad, polygon nor tet");
    }
}

static bool add_cells(vtk *k)
{
    const int64_t *start = k->start.data, *vertex = k->vertex.data, *type = k->type.data;
    size_t ncells = k->start.size ? k->start.size / sizeof *start - 1 : 0,
           ntypes = k->type.size / sizeof *type;
    int64_t end = (int64_t)(k->vertex.size / sizeof *vertex);
    if (ncells != ntypes)
        return tt_fail(k->text->error, TAUT_BAD_MESH, -1,
                       "%s: there are %zu cells but %zu cell types", k->text->name, ncells, ntypes);
    tio_list corner = {0};
    bool good = true;
    for (size_t i = 0; good && i < ncells; i++) {
        if (start[i] < 0 || start[i + 1] < start[i] || start[i + 1] > end) {
            good = fail_cell(k, i, "has a bad offset");
            break;
        }
        corner.size = 0;
        for (int64_t j = start[i]; good && j < start[i + 1]; j++) {
            bool inside = vertex[j] >= 0 && vertex[j] < k->builder->nvertices;
            int v = inside ? (int)vertex[j] : 0;
            good = inside
                       ? tio_append(&corner, &v, sizeof v, k->text->error)
                       : tt_fail(k->text->error, TAUT_BAD_MESH, (int)i,
                                 "%s: cell %zu: vertex index %lld is outside 0..%d", k->text->name,
                                 i, (long long)vertex[j], k->builder->nvertices - 1);
        }
        good = good && add_cell(k, i, type[i], corner.data, (int)(start[i + 1] - start[i]));
    }
    free(corner.data);
    return good;
}

bool tio_read_vtk(tio_text *text, tio_builder *builder)
{
    vtk k = {.text = text, .builder = builder};
    bool good = read_header(&k) && read_sections(&k) && add_cells(&k);
    free(k.start.data);
    free(k.vertex.data);
    free(k.type.data);
    return good;
}
