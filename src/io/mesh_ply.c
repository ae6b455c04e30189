/* Stanford PLY, ascii and binary of either byte order. The header lists elements and the properties of their rows.
 * The reader uses those of vertices (x y z, and u v under their usual names), faces (vertex_indices, and MeshLab's
 * texcoord with two numbers a corner) and edges (vertex1 vertex2). It passes over all others. */
#include "io/mesh_build.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 64, MAX_PROPERTIES = 256 };

typedef enum role { OTHER, AT_X, AT_Y, AT_Z, AT_U, AT_V, CORNERS, TEXCOORD, EDGE_FROM, EDGE_TO, ROLES } role;

typedef struct property {
    tio_type type, count_type; /* count_type: of lists */
    role role;
} property;

typedef struct element {
    char name[16]; /* long enough for the names that are used */
    int64_t count;
    int first_property, nproperties;
} element;

typedef struct ply {
    tio_text *text;
    tio_builder *builder;
    bool binary;
    int nelements, nproperties;
    element element[MAX_ELEMENTS];
    property property[MAX_PROPERTIES];
    bool has_uv;        /* per vertex */
    tio_list vertex_uv; /* 2 floats a vertex */
    /* The present row: */
    double value[ROLES];
    tio_list corner, texcoord; /* int64_t; float */
    tio_list face, face_uv;    /* int; float: passed on to the builder */
} ply;

/* ---- Header ---- */

static tio_type type_named(tio_word word)
{
    static const struct {
        const char *name;
        tio_type type;
    } types[] = {{"char", TIO_INT8},     {"int8", TIO_INT8},     {"uchar", TIO_UINT8},
                 {"uint8", TIO_UINT8},   {"short", TIO_INT16},   {"int16", TIO_INT16},
                 {"ushort", TIO_UINT16}, {"uint16", TIO_UINT16}, {"int", TIO_INT32},
                 {"int32", TIO_INT32},   {"uint", TIO_UINT32},   {"uint32", TIO_UINT32},
                 {"float", TIO_FLOAT},   {"float32", TIO_FLOAT}, {"double", TIO_DOUBLE},
                 {"float64", TIO_DOUBLE}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tio_word_is(word, types[i].name)) return types[i].type;
    return TIO_NO_TYPE;
}

static role role_of(const element *e, tio_word name, bool is_list)
{
    static const struct {
        const char *element, *property;
        bool is_list;
        role role;
    } roles[] = {{"vertex", "x", false, AT_X},
                 {"vertex", "y", false, AT_Y},
                 {"vertex", "z", false, AT_Z},
                 {"vertex", "u", false, AT_U},
                 {"vertex", "v", false, AT_V},
                 {"vertex", "s", false, AT_U},
                 {"vertex", "t", false, AT_V},
                 {"vertex", "texture_u", false, AT_U},
                 {"vertex", "texture_v", false, AT_V},
                 {"face", "vertex_indices", true, CORNERS},
                 {"face", "vertex_index", true, CORNERS},
                 {"face", "texcoord", true, TEXCOORD},
                 {"edge", "vertex1", false, EDGE_FROM},
                 {"edge", "vertex2", false, EDGE_TO}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(e->name, roles[i].element) == 0 && tio_word_is(name, roles[i].property) &&
            is_list == roles[i].is_list)
            return roles[i].role;
    return OTHER;
}

static bool read_format(ply *p)
{
    tio_word word;
    if (!tio_next_word(p->text, &word)) return tio_fail(p->text, "the format is missing");
    p->binary = !tio_word_is(word, "ascii");
    p->text->big_endian = tio_word_is(word, "binary_big_endian");
    if (p->binary && !p->text->big_endian && !tio_word_is(word, "binary_little_endian"))
        return tio_fail(p->text,
                        "the format must be ascii, binary_little_endian or binary_big_endian");
    return true;
}

static bool read_element(ply *p)
{
    tio_word name;
    if (p->nelements == MAX_ELEMENTS)
        return tio_fail(p->text, "more than %d elements", MAX_ELEMENTS);
    element *e = &p->element[p->nelements++];
    *e = (element){.first_property = p->nproperties};
    if (!tio_next_word(p->text, &name)) return tio_fail(p->text, "the element's name is missing");
    if (name.size < sizeof e->name) memcpy(e->name, name.at, name.size);
    return tio_line_integer(p->text, "the element's count", &e->count) &&
           tio_check_count(p->text, e->count, 1, "rows");
}

static bool read_property(ply *p)
{
    if (p->nelements == 0) return tio_fail(p->text, "a property stands before the first element");
    if (p->nproperties == MAX_PROPERTIES)
        return tio_fail(p->text, "more than %d properties", MAX_PROPERTIES);
    element *e = &p->element[p->nelements - 1];
    property *q = &p->property[p->nproperties++];
    tio_word word, name;
    bool there = tio_next_word(p->text, &word), is_list = there && tio_word_is(word, "list");
    *q = (property){0};
    if (is_list) {
        there = tio_next_word(p->text, &word);
        q->count_type = there ? type_named(word) : TIO_NO_TYPE;
        if (!tio_type_is_whole(q->count_type))
            return tio_fail(p->text, "the list's count has no whole type");
        there = tio_next_word(p->text, &word);
    }
    q->type = there ? type_named(word) : TIO_NO_TYPE;
    if (q->type == TIO_NO_TYPE) return tio_fail(p->text, "the property's type is unknown");
    if (!tio_next_word(p->text, &name)) return tio_fail(p->text, "the property's name is missing");
    q->role = role_of(e, name, is_list);
    bool is_index = q->role == CORNERS || q->role == EDGE_FROM || q->role == EDGE_TO;
    if (is_index && !tio_type_is_whole(q->type))
        return tio_fail(p->text, "vertex indices must have a whole type");
    e->nproperties++;
    return true;
}

static bool read_header(ply *p)
{
    tio_word word;
    bool has_format = false;
    if (!tio_next_line(p->text) || !tio_next_word(p->text, &word) || !tio_word_is(word, "ply"))
        return tio_fail(p->text, "this is not a PLY file: it does not begin with ply");
    while (tio_next_line(p->text)) {
        bool good = true;
        if (!tio_next_word(p->text, &word)) continue;
        if (tio_word_is(word, "end_header"))
            return has_format || tio_fail(p->text, "the header names no format");
        if (tio_word_is(word, "format")) good = has_format = read_format(p);
        else if (tio_word_is(word, "element")) good = read_element(p);
        else if (tio_word_is(word, "property")) good = read_property(p);
        else if (!tio_word_is(word, "comment") && !tio_word_is(word, "obj_info"))
            return tio_fail(p->text, "unknown word in the header: %.*s",
                            word.size < 40 ? (int)word.size : 40, word.at);
        if (!good) return false;
    }
    return tio_fail(p->text, "the header has no end_header");
}

/* ---- Rows ---- */

/* Numbers that are used must be finite; others may be anything. */
static bool read_number(ply *p, const property *q, double *value)
{
    float number = 0;
    tio_word word;
    bool good;
    if (q->role == OTHER && p->binary)
        return tio_skip_bytes(p->text, tio_type_size(q->type), "a row");
    if (q->role == OTHER)
        return tio_flow_word(p->text, &word) || tio_fail(p->text, "a row is missing");
    if (q->role == EDGE_FROM || q->role == EDGE_TO) {
        int64_t whole = 0;
        good = tio_read_integer(p->text, q->type, "an edge", &whole);
        *value = (double)whole;
        return good;
    }
    bool of_texture = q->role == TEXCOORD || q->role == AT_U || q->role == AT_V;
    const char *what = of_texture ? "a texture coordinate" : "a coordinate";
    good = tio_read_float(p->text, q->type, what, &number);
    *value = (double)number;
    return good;
}

static bool read_list(ply *p, const property *q)
{
    int64_t count, index;
    if (!tio_read_integer(p->text, q->count_type, "a list's count", &count)) return false;
    size_t each = p->binary ? tio_type_size(q->type) : 2;
    if (count < 0 ||
        (uint64_t)count >
            (tio_bytes_left(p->text) + (size_t)(p->text->line_end - p->text->at) + 1) / each)
        return tio_fail(p->text, "a list is longer than the file");
    for (int64_t i = 0; i < count; i++) {
        double value = 0;
        if (q->role == CORNERS) {
            if (!tio_read_integer(p->text, q->type, "a vertex index", &index) ||
                !tio_append(&p->corner, &index, sizeof index, p->text->error))
                return false;
        } else {
            if (!read_number(p, q, &value)) return false;
            float number = q->role == TEXCOORD ? (float)value : 0;
            if (q->role == TEXCOORD &&
                !tio_append(&p->texcoord, &number, sizeof number, p->text->error))
                return false;
        }
    }
    return true;
}

static bool read_row(ply *p, const element *e)
{
    p->corner.size = p->texcoord.size = 0;
    for (int i = 0; i < e->nproperties; i++) {
        const property *q = &p->property[e->first_property + i];
        if (!(q->count_type ? read_list(p, q) : read_number(p, q, &p->value[q->role])))
            return false;
    }
    return true;
}

static bool check_vertex(ply *p, int64_t index, int *vertex)
{
    return tio_check_index(p->text, "vertex index", index, 0, p->builder->nvertices, vertex);
}

static bool add_face(ply *p)
{
    const int64_t *corner = p->corner.data;
    const float *uv = p->texcoord.data, *vertex_uv = p->vertex_uv.data;
    size_t n = p->corner.size / sizeof *corner;
    bool wedges = n > 0 && p->texcoord.size == 2 * n * sizeof *uv;
    if (n > TIO_MAX_CORNERS) return tio_fail(p->text, "a face has too many corners");
    p->face.size = p->face_uv.size = 0;
    for (size_t i = 0; i < n; i++) {
        int vertex;
        if (!check_vertex(p, corner[i], &vertex)) return false;
        const float *of_corner = wedges      ? &uv[2 * i]
                                 : p->has_uv ? &vertex_uv[2 * (size_t)vertex]
                                             : NULL;
        if (!tio_append(&p->face, &vertex, sizeof vertex, p->text->error) ||
            !tio_append(&p->face_uv, of_corner, 2 * sizeof *uv, p->text->error))
            return false;
    }
    if (n == 0) return true;
    return tio_add_polygon(p->builder, p->face.data, wedges || p->has_uv ? p->face_uv.data : NULL,
                           (int)n);
}

static bool use_row(ply *p, const element *e)
{
    const double *v = p->value;
    if (strcmp(e->name, "vertex") == 0) {
        float x[3] = {(float)v[AT_X], (float)v[AT_Y], (float)v[AT_Z]}, uv[2] = {(float)v[AT_U], (float)v[AT_V]};
        return tio_add_vertex(p->builder, x) &&
               (!p->has_uv || tio_append(&p->vertex_uv, uv, sizeof uv, p->text->error));
    }
    if (strcmp(e->name, "face") == 0) return add_face(p);
    if (strcmp(e->name, "edge") != 0) return true;
    int a, b;
    return check_vertex(p, (int64_t)v[EDGE_FROM], &a) && check_vertex(p, (int64_t)v[EDGE_TO], &b) &&
           tio_add_line(p->builder, a, b);
}

static bool has_role(const ply *p, const element *e, role wanted)
{
    for (int i = 0; i < e->nproperties; i++)
        if (p->property[e->first_property + i].role == wanted) return true;
    return false;
}

/* The fewest bytes that a row can take. In text every number takes a digit and a space. */
static size_t least_row(const ply *p, const element *e)
{
    size_t least = 0;
    for (int i = 0; i < e->nproperties; i++) {
        const property *q = &p->property[e->first_property + i];
        least += p->binary ? tio_type_size(q->count_type ? q->count_type : q->type) : 2;
    }
    return least;
}

static bool read_rows(ply *p, const element *e)
{
    size_t least = least_row(p, e);
    if (least == 0) return true; /* rows of nothing */
    if (!tio_check_count(p->text, e->count, least, "rows")) return false;
    bool vertex = strcmp(e->name, "vertex") == 0, edge = strcmp(e->name, "edge") == 0;
    if (vertex && !(has_role(p, e, AT_X) && has_role(p, e, AT_Y) && has_role(p, e, AT_Z)))
        return tio_fail(p->text, "vertices need the properties x, y and z");
    if (edge && !(has_role(p, e, EDGE_FROM) && has_role(p, e, EDGE_TO)))
        return tio_fail(p->text, "edges need the properties vertex1 and vertex2");
    if (vertex && p->builder->nvertices > 0)
        return tio_fail(p->text, "there are two lists of vertices");
    if (vertex) p->has_uv = has_role(p, e, AT_U) && has_role(p, e, AT_V);
    for (int64_t i = 0; i < e->count; i++)
        if (!read_row(p, e) || !use_row(p, e)) return false;
    return true;
}

bool tio_read_ply(tio_text *text, tio_builder *builder)
{
    ply *p = calloc(1, sizeof *p);
    if (!p) return tt_no_memory(text->error);
    p->text = text;
    p->builder = builder;
    bool good = read_header(p);
    text->binary = p->binary;
    for (int i = 0; good && i < p->nelements; i++) good = read_rows(p, &p->element[i]);
    tio_list_free(&p->vertex_uv);
    tio_list_free(&p->corner);
    tio_list_free(&p->texcoord);
    tio_list_free(&p->face);
    tio_list_free(&p->face_uv);
    free(p);
    return good;
}
