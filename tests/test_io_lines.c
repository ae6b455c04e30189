/* Line ends and byte order marks: every text file may come from any system, and errors name the right line. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/json.h"
#include "io/mesh_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const line_ends[] = {"\n", "\r\n", "\r"};
enum { LINE_ENDS = 3, LONGEST = 2000 };
#define MARK "\xef\xbb\xbf"

/* Writes the text with other line ends, with or without a byte order mark; returns its size. */
static size_t convert(const char *text, const char *line_end, bool mark, char out[LONGEST])
{
    size_t size = 0;
    if (mark) memcpy(out, MARK, 3), size = 3;
    for (; *text; text++) {
        const char *piece = *text == '\n' ? line_end : text;
        size_t length = *text == '\n' ? strlen(line_end) : 1;
        assert_true(size + length <= LONGEST);
        memcpy(out + size, piece, length);
        size += length;
    }
    return size;
}

static const struct {
    const char *name, *text;
    int nvertices, ntris, ntets, nlines;
} good[] = {
    {"a.obj", "v 0 0 0\nv 1 0 0\n\n# a face\nv 0 1 0\nf 1 2 \\\n3\nl 1 2\n", 3, 1, 0, 1},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
     "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
     3, 1, 0, 0},
    {"a.stl",
     "solid a name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
     "endsolid a name\n",
     3, 1, 0, 0},
    {"a.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Other\nthis and that\n$EndOther\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
     "$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n$EndElements\n",
     3, 1, 0, 0},
    {"a.vtk",
     "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0\n1 0 0\n0 1 0\nCELLS 1 4\n"
     "3 0 1 2\nCELL_TYPES 1\n5\n",
     3, 1, 0, 0},
    {"a.node", "# nodes\n3 3 0 0\n\n0 0 0 0\n1 1 0 0\n2 0 1 0\n", 3, 0, 0, 0},
};

static void meshes_with_any_line_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (int k = 0; k < 2 * LINE_ENDS; k++) {
            char text[LONGEST];
            taut_error error;
            taut_mesh_file file;
            size_t size = convert(good[i].text, line_ends[k / 2], k % 2, text);
            if (!taut_mesh_parse(good[i].name, text, size, &file, &error))
                fail_msg("line end %d, mark %d: %s", k / 2, k % 2, error.text);
            assert_int_equal(file.mesh.nvertices, good[i].nvertices);
            assert_int_equal(file.mesh.ntris, good[i].ntris);
            assert_int_equal(file.mesh.nlines, good[i].nlines);
            taut_mesh_file_free(&file);
        }
}

static void tetgen_with_any_line_ends(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * LINE_ENDS; k++) {
        char nodes[LONGEST], tets[LONGEST];
        taut_error error;
        taut_mesh_file file;
        size_t size = convert("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", line_ends[k / 2], k % 2, nodes);
        size_t tets_size = convert("1 4 0\n1 1 2 3 4\n", line_ends[k / 2], k % 2, tets);
        const taut_bytes a = {(unsigned char *)nodes, size}, b = {(unsigned char *)tets, tets_size};
        if (!tio_parse_tetgen("a.node", &a, "a.ele", &b, &file, &error)) fail_msg("%s", error.text);
        assert_int_equal(file.mesh.ntets, 1);
        taut_mesh_file_free(&file);
    }
}

static void errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *error;
    } bad[] = {
        {"a.obj", "v 0 0 0\n\n\nv 1 x 0\n", "a.obj:4: y is not a number: x"},
        {"a.ply", "ply\nformat ascii 1.0\n\nelement vertex x\n",
         "a.ply:4: the element's count is not a whole number: x"},
        {"a.stl", "solid\n\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
         "a.stl:5: a coordinate is not a number: x"},
        {"a.node", "1 3\n\n0 0 x 0\n", "a.node:3: y is not a number: x"},
        {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 x\n",
         "a.msh:6: a coordinate is not a number: x"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int k = 0; k < 2 * LINE_ENDS; k++) {
            char text[LONGEST];
            taut_error error;
            size_t size = convert(bad[i].text, line_ends[k / 2], k % 2, text);
            assert_false(taut_mesh_parse(bad[i].name, text, size, &(taut_mesh_file){0}, &error));
            assert_string_equal(error.text, bad[i].error);
        }
}

/* Binary numbers follow right after the last line end of a header. A first byte of 10 belongs to the numbers. */
static void binary_numbers_after_a_lone_return(void **state)
{
    (void)state;
    static const char head[] = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n"
                               "property uchar y\nproperty uchar z\nend_header\n";
    for (int k = 0; k < LINE_ENDS; k++) {
        char text[LONGEST];
        taut_error error;
        taut_mesh_file file;
        size_t size = convert(head, line_ends[k], false, text);
        memcpy(text + size, "\n\r\n", 3);
        if (!taut_mesh_parse("a.ply", text, size + 3, &file, &error)) fail_msg("%d: %s", k, error.text);
        for (int i = 0; i < 3; i++) assert_true(file.mesh.x[i] == (i == 1 ? 13 : 10));
        taut_mesh_file_free(&file);
    }
}

/* The search for the end of a line takes no longer than the line is, whatever ends it. */
static void long_files_of_any_line_ends(void **state)
{
    (void)state;
    enum { VERTICES = 300000 };
    for (int k = 0; k < LINE_ENDS; k++) {
        char line[16];
        size_t length = (size_t)snprintf(line, sizeof line, "v 1 2 3%s", line_ends[k]);
        char *text = malloc(length * VERTICES);
        taut_mesh_file file;
        assert_non_null(text);
        for (size_t i = 0; i < VERTICES; i++) memcpy(text + length * i, line, length);
        assert_true(taut_mesh_parse("a.obj", text, length * VERTICES, &file, NULL));
        assert_int_equal(file.mesh.nvertices, VERTICES);
        taut_mesh_file_free(&file);
        free(text);
    }
}

static void json_names_the_line(void **state)
{
    (void)state;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    for (int k = 0; k < 2 * LINE_ENDS; k++) {
        char text[LONGEST];
        taut_error error;
        size_t size = convert("{\n \"a\": 1,\n\n \"b\": x\n}\n", line_ends[k / 2], k % 2, text);
        assert_null(tio_json_parse(&scope, "a.json", text, size, &error));
        assert_string_equal(error.text, "a.json:4:7: expected a value, got 'x'");
    }
    tt_scope_close(&scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_with_any_line_ends),   cmocka_unit_test(tetgen_with_any_line_ends),
        cmocka_unit_test(errors_name_the_line),        cmocka_unit_test(binary_numbers_after_a_lone_return),
        cmocka_unit_test(long_files_of_any_line_ends), cmocka_unit_test(json_names_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
