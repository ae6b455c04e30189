/* TetGen's .node and .ele files: a line of counts, then a line for each node or tet, with its number first. Numbers
 * begin at 0 or 1 and go up by one; the first node says which. */
#include "io/mesh_build.h"

/* The next line that has words. */
static bool next_filled_line(tio_text *text, const char *what)
{
    tio_word word;
    while (tio_next_line(text)) {
        const char *begin = text->at;
        if (!tio_next_word(text, &word)) continue;
        text->at = begin;
        return true;
    }
    return tio_fail(text, "the file ends before %s", what);
}

bool tio_read_tetgen_nodes(tio_text *text, tio_builder *builder, int *first)
{
    int64_t count, dimension, number;
    text->comment = '#';
    *first = 0;
    if (!next_filled_line(text, "the number of nodes") ||
        !tio_line_integer(text, "the number of nodes", &count) ||
        !tio_line_integer(text, "the dimension", &dimension))
        return false;
    if (dimension != 3)
        return tio_fail(text, "the dimension must be 3, got %lld", (long long)dimension);
    text->at = text->line_end;
    if (!tio_check_count(text, count, 8, "nodes")) return false;
    for (int64_t i = 0; i < count; i++) {
        float x[3];
        if (!next_filled_line(text, "its last node") ||
            !tio_line_integer(text, "the node's number", &number))
            return false;
        if (i == 0 && number != 0 && number != 1)
            return tio_fail(text, "the first node must be 0 or 1, got %lld", (long long)number);
        if (i == 0) *first = (int)number;
        if (number != *first + i)
            return tio_fail(text, "node %lld is expected, got %lld", (long long)(*first + i),
                            (long long)number);
        if (!tio_line_float(text, "x", &x[0]) || !tio_line_float(text, "y", &x[1]) ||
            !tio_line_float(text, "z", &x[2]) || !tio_add_vertex(builder, x))
            return false;
    }
    return true;
}

bool tio_read_tetgen_tets(tio_text *text, tio_builder *builder, int first)
{
    int64_t count, corners, number;
    text->comment = '#';
    if (!next_filled_line(text, "the number of tets") ||
        !tio_line_integer(text, "the number of tets", &count) ||
        !tio_line_integer(text, "the number of nodes of a tet", &corners))
        return false;
    /* The last six of ten nodes are midpoints of edges. The tets here have straight edges and need only the first
     * four. */
    if (corners != 4 && corners != 10)
        return tio_fail(text, "a tet must have 4 or 10 nodes, got %lld", (long long)corners);
    text->at = text->line_end;
    if (!tio_check_count(text, count, 10, "tets")) return false;
    for (int64_t i = 0; i < count; i++) {
        int vertex[4];
        if (!next_filled_line(text, "its last tet") ||
            !tio_line_integer(text, "the tet's number", &number))
            return false;
        for (int j = 0; j < 4; j++)
            if (!tio_line_integer(text, "a node of the tet", &number) ||
                !tio_check_index(text, "node", number, first, builder->nvertices, &vertex[j]))
                return false;
        if (!tio_add_tet(builder, vertex)) return false;
    }
    return true;
}
