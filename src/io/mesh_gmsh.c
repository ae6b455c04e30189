/* Gmsh's .msh of versions 2.2 and 4.1, ascii and binary: nodes, lines, triangles, quads and tets.
 * Points are passed over, and so are all sections except the format, nodes and elements. Nodes have tags in any order;
 * vertices keep the file's order. All other elements become part of the mesh, also the triangles that bound its
 * tets. */
#include "io/mesh_build.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 1, TRIANGLE = 2, QUAD = 3, TET = 4, POINT = 15 };

typedef struct node {
    int64_t tag;
    int vertex;
} node;

typedef struct gmsh {
    tio_text *text;
    tio_builder *builder;
    bool version4, is_binary;
    tio_type size_type; /* of counts and tags of version 4 */
    tio_list node;      /* node, by tag */
} gmsh;

static size_t least_bytes(const gmsh *g, size_t text, size_t binary)
{
    return g->is_binary ? binary : text;
}

static bool read_int(gmsh *g, const char *what, int64_t *value)
{
    return tio_read_integer(g->text, TIO_INT32, what, value);
}

/* A count or tag of version 4. */
static bool read_size(gmsh *g, const char *what, int64_t *value)
{
    return tio_read_integer(g->text, g->size_type, what, value);
}

/* ---- Sections ---- */

/* Goes to the line after $EndNAME. */
static bool skip_section(gmsh *g, tio_word name)
{
    char end[64];
    if (name.size + 3 > sizeof end) return tio_fail(g->text, "a section's name is too long");
    memcpy(end, "$End", 4);
    memcpy(end + 4, name.at + 1, name.size - 1);
    size_t length = name.size + 3;
    int line = g->text->line;
    while (tio_next_line(g->text))
        if ((size_t)(g->text->line_end - g->text->at) == length &&
            memcmp(g->text->at, end, length) == 0) {
            g->text->at = g->text->line_end;
            return true;
        }
    g->text->line = line;
    return tio_fail(g->text, "the section %.*s has no end", (int)name.size, name.at);
}

static bool expect(gmsh *g, const char *wanted)
{
    tio_word word;
    g->text->binary = false;
    return (tio_flow_word(g->text, &word) && tio_word_is(word, wanted)) ||
           tio_fail(g->text, "expected %s", wanted);
}

static bool read_byte_order(gmsh *g)
{
    int64_t one;
    g->text->binary = true;
    if (!read_int(g, "the byte order", &one)) return false;
    g->text->big_endian = one != 1;
    return one == 1 || one == 0x01000000 ||
           tio_fail(g->text, "the byte order is neither little nor big endian");
}

static bool read_format(gmsh *g)
{
    float version;
    int64_t binary, size;
    if (!tio_flow_float(g->text, "the version", &version) ||
        !tio_line_integer(g->text, "the file type", &binary) ||
        !tio_line_integer(g->text, "the data size", &size))
        return false;
    g->version4 = version == 4.1f;
    if (!g->version4 && version != 2.2f)
        return tio_fail(g->text, "the version must be 2.2 or 4.1, got %g", (double)version);
    if (binary != 0 && binary != 1)
        return tio_fail(g->text, "the file type must be 0 or 1, got %lld", (long long)binary);
    if (size != 4 && size != 8)
        return tio_fail(g->text, "the data size must be 4 or 8, got %lld", (long long)size);
    g->is_binary = binary == 1;
    g->size_type = size == 8 ? TIO_UINT64 : TIO_UINT32;
    return (!g->is_binary || read_byte_order(g)) && expect(g, "$EndMeshFormat");
}

/* ---- Nodes ---- */

static bool add_node(gmsh *g, int64_t tag)
{
    float x[3];
    node n = {tag, g->builder->nvertices};
    for (int i = 0; i < 3; i++)
        if (!tio_read_float(g->text, TIO_DOUBLE, "a coordinate", &x[i])) return false;
    return tio_add_vertex(g->builder, x) && tio_append(&g->node, &n, sizeof n, g->text->error);
}

static bool read_nodes2(gmsh *g)
{
    int64_t count = 0, tag = 0;
    if (!tio_flow_integer(g->text, "the number of nodes", &count) ||
        !tio_check_count(g->text, count, least_bytes(g, 8, 28), "nodes"))
        return false;
    g->text->binary = g->is_binary;
    for (int64_t i = 0; i < count; i++)
        if (!read_int(g, "a node's tag", &tag) || !add_node(g, tag)) return false;
    return true;
}

/* A block has the tags of all its nodes, then their coordinates, each followed by up to three parameters. */
static bool read_node_block(gmsh *g, tio_list *tags)
{
    int64_t dimension, entity, parametric, count, tag;
    float ignored;
    if (!read_int(g, "a block's dimension", &dimension) ||
        !read_int(g, "a block's entity", &entity) ||
        !read_int(g, "whether a block is parametric", &parametric) ||
        !read_size(g, "a block's number of nodes", &count) ||
        !tio_check_count(g->text, count, least_bytes(g, 8, 24 + tio_type_size(g->size_type)),
                         "nodes"))
        return false;
    int64_t parameters = parametric ? dimension : 0;
    if (parameters < 0 || parameters > 3)
        return tio_fail(g->text, "a block's dimension is outside 0..3");
    tags->size = 0;
    for (int64_t i = 0; i < count; i++)
        if (!read_size(g, "a node's tag", &tag) ||
            !tio_append(tags, &tag, sizeof tag, g->text->error))
            return false;
    for (int64_t i = 0; i < count; i++) {
        if (!add_node(g, ((const int64_t *)tags->data)[i])) return false;
        for (int64_t j = 0; j < parameters; j++)
            if (!tio_read_float(g->text, TIO_DOUBLE, "a parameter", &ignored)) return false;
    }
    return true;
}

/* The head of nodes and of elements of version 4: the number of blocks, the number of all items in them, the least and
 * the largest tag. */
static bool read_block_counts(gmsh *g, const char *what, int64_t *nblocks)
{
    int64_t ignored;
    g->text->binary = g->is_binary;
    if (!read_size(g, what, nblocks)) return false;
    for (int i = 0; i < 3; i++)
        if (!read_size(g, what, &ignored)) return false;
    return tio_check_count(g->text, *nblocks, least_bytes(g, 8, 12 + tio_type_size(g->size_type)),
                           "blocks");
}

static bool read_nodes4(gmsh *g)
{
    int64_t nblocks;
    tio_list tags = {0};
    bool good = read_block_counts(g, "a count of nodes", &nblocks);
    for (int64_t i = 0; good && i < nblocks; i++) good = read_node_block(g, &tags);
    free(tags.data);
    return good;
}

static int by_tag(const void *a, const void *b)
{
    const node *m = a, *n = b;
    return (m->tag > n->tag) - (m->tag < n->tag);
}

static bool sort_nodes(gmsh *g)
{
    node *n = g->node.data;
    size_t count = g->node.size / sizeof *n;
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++) sorted = n[i - 1].tag < n[i].tag;
    if (sorted) return true;
    qsort(n, count, sizeof *n, by_tag);
    for (size_t i = 1; i < count; i++)
        if (n[i - 1].tag == n[i].tag)
            return tio_fail(g->text, "node %lld is there twice", (long long)n[i].tag);
    return true;
}

static bool read_nodes(gmsh *g)
{
    if (g->builder->nvertices > 0) return tio_fail(g->text, "there are two lists of nodes");
    return (g->version4 ? read_nodes4(g) : read_nodes2(g)) && sort_nodes(g) &&
           expect(g, "$EndNodes");
}

/* ---- Elements ---- */

static bool find_vertex(gmsh *g, int64_t tag, int *vertex)
{
    const node *n = g->node.data, wanted = {.tag = tag}, *found = NULL;
    size_t count = g->node.size / sizeof *n;
    /* Tags mostly run from 1 without a gap. */
    if (tag >= 1 && (uint64_t)tag <= count && n[tag - 1].tag == tag) found = &n[tag - 1];
    else if (count > 0) found = bsearch(&wanted, n, count, sizeof *n, by_tag);
    if (!found) return tio_fail(g->text, "there is no node %lld", (long long)tag);
    *vertex = found->vertex;
    return true;
}

static int corners_of(int64_t type)
{
    switch (type) {
    case POINT:
        return 1;
    case LINE:
        return 2;
    case TRIANGLE:
        return 3;
    case QUAD:
    case TET:
        return 4;
    default:
        return 0;
    }
}

static bool check_type(gmsh *g, int64_t type)
{
    if (corners_of(type) > 0) return true;
    return tio_fail(
        g->text,
        "elements of type %lld are not supported: only points, lines, triangles, quads and tets",
        (long long)type);
}

/* The nodes of an element of a type that has been checked. */
static bool read_corners(gmsh *g, int64_t type, tio_type tag_type)
{
    int vertex[4] = {0}, n = corners_of(type);
    for (int i = 0; i < n; i++) {
        int64_t tag = 0;
        if (!tio_read_integer(g->text, tag_type, "a node of an element", &tag) ||
            !find_vertex(g, tag, &vertex[i]))
            return false;
    }
    if (type == LINE) return tio_add_line(g->builder, vertex[0], vertex[1]);
    if (type == TET) return tio_add_tet(g->builder, vertex);
    return type == POINT || tio_add_polygon(g->builder, vertex, NULL, n);
}

static bool skip_ints(gmsh *g, int64_t count)
{
    int64_t ignored;
    for (int64_t i = 0; i < count; i++)
        if (!read_int(g, "a tag of an element", &ignored)) return false;
    return true;
}

/* Text has one element per line; binary has runs of elements of the same type and number of tags. */
static bool read_elements2(gmsh *g)
{
    int64_t left = 0, type = 0, run = 1, ntags = 0;
    if (!tio_flow_integer(g->text, "the number of elements", &left) ||
        !tio_check_count(g->text, left, least_bytes(g, 8, 8), "elements"))
        return false;
    g->text->binary = g->is_binary;
    for (; left > 0; left -= run) {
        if (!g->is_binary && !skip_ints(g, 1)) return false;
        if (!read_int(g, "an element's type", &type) || !check_type(g, type) ||
            (g->is_binary && !read_int(g, "a run of elements", &run)) ||
            !read_int(g, "the number of tags", &ntags))
            return false;
        if (run < 1 || run > left)
            return tio_fail(g->text, "a run of %lld elements, %lld are left", (long long)run,
                            (long long)left);
        if (ntags < 0)
            return tio_fail(g->text, "the number of tags is negative: %lld", (long long)ntags);
        for (int64_t i = 0; i < run; i++)
            if (!skip_ints(g, g->is_binary ? 1 + ntags : ntags) ||
                !read_corners(g, type, TIO_INT32))
                return false;
    }
    return true;
}

static bool read_element_block(gmsh *g)
{
    int64_t dimension = 0, entity = 0, type = 0, count = 0, tag = 0;
    if (!read_int(g, "a block's dimension", &dimension) ||
        !read_int(g, "a block's entity", &entity) || !read_int(g, "an element's type", &type) ||
        !read_size(g, "a block's number of elements", &count) || !check_type(g, type) ||
        !tio_check_count(g->text, count, least_bytes(g, 4, 2 * tio_type_size(g->size_type)),
                         "elements"))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!read_size(g, "an element's tag", &tag) || !read_corners(g, type, g->size_type))
            return false;
    return true;
}

static bool read_elements4(gmsh *g)
{
    int64_t nblocks;
    if (!read_block_counts(g, "a count of elements", &nblocks)) return false;
    for (int64_t i = 0; i < nblocks; i++)
        if (!read_element_block(g)) return false;
    return true;
}

static bool read_elements(gmsh *g)
{
    if (g->node.size == 0) return tio_fail(g->text, "$Elements stands before $Nodes");
    return (g->version4 ? read_elements4(g) : read_elements2(g)) && expect(g, "$EndElements");
}

static bool read_sections(gmsh *g)
{
    tio_word word;
    if (!tio_flow_word(g->text, &word) || !tio_word_is(word, "$MeshFormat"))
        return tio_fail(g->text, "this is not a Gmsh file: it does not begin with $MeshFormat");
    if (!read_format(g)) return false;
    while (tio_flow_word(g->text, &word)) {
        bool good;
        if (word.at[0] != '$')
            return tio_fail(g->text, "expected a section: $Nodes, $Elements or another");
        if (tio_word_is(word, "$Nodes")) good = read_nodes(g);
        else if (tio_word_is(word, "$Elements")) good = read_elements(g);
        else good = skip_section(g, word);
        if (!good) return false;
    }
    return true;
}

bool tio_read_gmsh(tio_text *text, tio_builder *builder)
{
    gmsh g = {.text = text, .builder = builder};
    bool good = read_sections(&g);
    free(g.node.data);
    return good;
}
