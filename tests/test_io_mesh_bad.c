/* Bad files: exact errors, and nothing left behind. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_bytes.h"
#include "helpers_folder.h"
#include "taut_io.h"

#include <math.h>
#include <sys/stat.h>

/* ---- Files ---- */

static void test_file_errors(void **state)
{
    (void)state;
    taut_bytes read;
    taut_error error;
    char wanted[300];
    assert_false(taut_file_read(in_folder("none"), &read, &error));
    snprintf(wanted, sizeof wanted, "%s/none: cannot open: No such file or directory", folder);
    assert_string_equal(error.text, wanted);
    assert_false(taut_file_read(folder, &read, &error));
    snprintf(wanted, sizeof wanted, "%s: cannot read: Is a directory", folder);
    assert_string_equal(error.text, wanted);
    assert_false(taut_file_write(in_folder("no/where"), "x", 1, &error));
    snprintf(wanted, sizeof wanted, "cannot write %s/no/where: No such file or directory", folder);
    assert_string_equal(error.text, wanted);
    /* A folder in the place of the file: nothing is left behind, not even the part. */
    assert_int_equal(mkdir(in_folder("taken"), 0700), 0);
    assert_false(taut_file_write(in_folder("taken"), "x", 1, &error));
    snprintf(wanted, sizeof wanted, "cannot write %s/taken: Is a directory", folder);
    assert_string_equal(error.text, wanted);
    assert_int_equal(access(in_folder("taken.part"), F_OK), -1);
    assert_int_equal(rmdir(in_folder("taken")), 0);
}

/* ---- Meshes ---- */

#define PLY_HEAD                                                                                   \
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float " \
    "z\n"
#define VTK_HEAD "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define VTK_POINTS VTK_HEAD "POINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
#define MSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH2_NODES MSH2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
#define MSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"

static const struct {
    const char *name, *text, *error;
} bad[] = {
    {"a.txt", "", "a.txt: the ending is none of obj, ply, stl, msh, vtk, node, ele"},
    {"obj", "", "obj: the ending is none of obj, ply, stl, msh, vtk, node, ele"},
    {"a.obj", "", "a.obj: the mesh has no vertices"},
    {"a.obj", "v 0 0 0\nv 1 2\n", "a.obj:2: z is missing"},
    {"a.obj", "v 0 zero 0\n", "a.obj:1: y is not a number: zero"},
    {"a.obj", "v 0 0 1.5.2\n", "a.obj:1: z is not a number: 1.5.2"},
    {"a.obj", "\nv nan 0 0\n", "a.obj:2: x is not finite: nan"},
    {"a.obj", "v 0 1e39 0\n", "a.obj:1: y is not finite: 1e+39"},
    {"a.obj", "v 0 0 0\nvt inf\n", "a.obj:2: u is not finite: inf"},
    {"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 120\n", "a.obj:3: vertex index 120 is outside 1..2"},
    {"a.obj", "v 0 0 0\nf 1 0 1\n", "a.obj:2: vertex index 0: indices count from 1"},
    {"a.obj", "v 0 0 0\nf -1 -2 1\n", "a.obj:2: vertex index -2 goes back before the first of 1"},
    {"a.obj", "v 0 0 0\nf 1 9999999999 1\n", "a.obj:2: vertex index 9999999999 is too large"},
    {"a.obj", "v 0 0 0\nf 1/2 1/1 1/1\nvt 0 0\n", "a.obj:2: texture index 2 is outside 1..1"},
    {"a.obj", "v 0 0 0\nf 1/x 1 1\n", "a.obj:2: texture index is not a whole number: x"},
    {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face needs 3 vertices, got 2"},
    {"a.obj", "v 0 0 0\nl 1\n", "a.obj:2: a line needs 2 vertices, got 1"},
    {"a.obj", "v 0 0 0\nf 1.5 1 1\n", "a.obj:2: vertex index is not a whole number: 1.5"},
    {"a.ply", "", "a.ply:0: this is not a PLY file: it does not begin with ply"},
    {"a.ply", "ply\nformat text 1.0\n",
     "a.ply:2: the format must be ascii, binary_little_endian or binary_big_endian"},
    {"a.ply", "ply\nend_header\n", "a.ply:2: the header names no format"},
    {"a.ply", "ply\nformat ascii 1.0\n", "a.ply:2: the header has no end_header"},
    {"a.ply", "ply\nproperty float x\n", "a.ply:2: a property stands before the first element"},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\n",
     "a.ply:3: 1000000000 rows do not fit in the 0 bytes that follow"},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n",
     "a.ply:3: the number of rows is negative: -1"},
    {"a.ply", PLY_HEAD "property quad q\n", "a.ply:7: the property's type is unknown"},
    {"a.ply", PLY_HEAD "end_header\n0 0 nan\n", "a.ply:8: a coordinate is not finite: nan"},
    {"a.ply", PLY_HEAD "end_header\n0    0\n", "a.ply:8: a coordinate is missing"},
    {"a.ply",
     PLY_HEAD
     "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n",
     "a.ply:11: vertex index 1 is outside 0..0"},
    {"a.ply",
     PLY_HEAD
     "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n255 0 0\n",
     "a.ply:11: a list is longer than the file"},
    {"a.ply", PLY_HEAD "element face 1\nproperty list uchar float vertex_indices\n",
     "a.ply:8: vertex indices must have a whole type"},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
     "a.ply:5: vertices need the properties x, y and z"},
    {"a.stl", "junk", "a.stl: byte 0: the file ends in the header"},
    {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex",
     "a.stl:5: a coordinate is not a number: vertex"},
    {"a.stl", "solid\nfacet normal 0 0 1\nloop\n", "a.stl:3: expected outer"},
    {"a.stl", "solid\nnothing\n", "a.stl:2: expected facet or endsolid"},
    {"a.stl", "solid\nendsolid\n", "a.stl: the mesh has no vertices"},
    {"a.node", "3 2 0 0\n", "a.node:1: the dimension must be 3, got 2"},
    {"a.node", "1000000 3 0 0\n0 0 0 0\n",
     "a.node:1: 1000000 nodes do not fit in the 8 bytes that follow"},
    {"a.node", "1 3 0 0\n5 0 0 0\n", "a.node:2: the first node must be 0 or 1, got 5"},
    {"a.node", "2 3 0 0\n1 0 0 0\n3 0 0 0\n", "a.node:3: node 2 is expected, got 3"},
    {"a.node", "2 3 0 0\n1 0 0 0        \n", "a.node:2: the file ends before its last node"},
    {"a.ele", "1 4 0\n", "a.ele: an .ele file is read together with its .node file"},
    {"a.vtk", "vtk\n",
     "a.vtk:1: this is not a legacy VTK file: it does not begin with # vtk DataFile Version"},
    {"a.vtk", "# vtk DataFile Version 3.0\nt\nXML\n", "a.vtk:3: expected ASCII or BINARY"},
    {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n",
     "a.vtk:4: the dataset must be an UNSTRUCTURED_GRID"},
    {"a.vtk", VTK_HEAD "POINTS 99999999 float\n0 0 0",
     "a.vtk:5: 99999999 points do not fit in the 5 bytes that follow"},
    {"a.vtk", VTK_HEAD "POINTS 1 real\n0 0 0",
     "a.vtk:5: the type of the numbers is missing or unknown"},
    {"a.vtk", VTK_HEAD "NODES 1\n", "a.vtk:5: unknown section: NODES"},
    {"a.vtk", VTK_POINTS "CELLS 1 4\n3 0 1 3\nCELL_TYPES 1\n5\n",
     "a.vtk: cell 0: vertex index 3 is outside 0..2"},
    {"a.vtk", VTK_POINTS "CELLS 1 4\n4 0 1 2\nCELL_TYPES 1\n5\n",
     "a.vtk:8: cell 0 reaches past the end of the list of cells"},
    {"a.vtk", VTK_POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
     "a.vtk: cell 0 is a tet and must have 4 vertices"},
    {"a.vtk", VTK_POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n12\n",
     "a.vtk: cell 0 is neither point, line, triangle, quad, polygon nor tet"},
    {"a.vtk", VTK_POINTS "CELLS 1 4\n3 0 1 2\n", "a.vtk: there are 1 cells but 0 cell types"},
    {"a.msh", "v 0 0 0\n", "a.msh:1: this is not a Gmsh file: it does not begin with $MeshFormat"},
    {"a.msh", "$MeshFormat\n3 0 8\n$EndMeshFormat\n",
     "a.msh:2: the version must be 2.2 or 4.1, got 3"},
    {"a.msh", MSH2 "$Nodes\n5000000\n1 0 0 0\n",
     "a.msh:5: 5000000 nodes do not fit in the 8 bytes that follow"},
    {"a.msh", MSH2 "$Nodes\n2\n1 0 0 0\n1 0 0 0\n$EndNodes\n", "a.msh:7: node 1 is there twice"},
    {"a.msh", MSH2_NODES "$Elements\n1\n1 2 0 1 2 4\n$EndElements\n",
     "a.msh:12: there is no node 4"},
    {"a.msh", MSH2_NODES "$Elements\n1\n1 5 0 1 2 3\n$EndElements\n",
     "a.msh:12: elements of type 5 are not supported: only points, lines, triangles, quads and "
     "tets"},
    {"a.msh", MSH2_NODES "$Elements\n1\n1 4 0 1 2 3 3\n$EndElements\n",
     "a.msh: tet 0 uses vertex 2 twice"},
    {"a.msh", MSH2 "$Elements\n1\n", "a.msh:4: $Elements stands before $Nodes"},
    {"a.msh", MSH2 "$Comment\nfor ever\n", "a.msh:4: the section $Comment has no end"},
    {"a.msh", MSH4 "$Nodes\n1 1 1 1\n2 1 0 900\n1\n0 0 0\n$EndNodes\n",
     "a.msh:6: 900 nodes do not fit in the 18 bytes that follow"},
    {"a.msh", MSH4 "$Nodes\n1 1 1 1\n2 1 0 1\n1\n0 0 0\n$Elements\n",
     "a.msh:9: expected $EndNodes"},
};

static void test_bad_input(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        taut_mesh_file file;
        taut_error error = {0};
        bool good = taut_mesh_parse(bad[i].name, bad[i].text, strlen(bad[i].text), &file, &error);
        if (!good && strcmp(error.text, bad[i].error) == 0 && !file.mesh.x && !file.polygon)
            continue;
        print_error("wanted: %s\n   got: %s\n", bad[i].error, good ? "success" : error.text);
        taut_mesh_file_free(&file);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void expect_error(const char *name, const bytes *b, const char *wanted)
{
    taut_mesh_file file;
    taut_error error;
    assert_false(taut_mesh_parse(name, b->data, b->size, &file, &error));
    assert_string_equal(error.text, wanted);
}

static void test_bad_binary(void **state)
{
    (void)state;
    bytes stl = {.size = 80};
    put_whole(&stl, 4, 20000000);
    expect_error("a.stl", &stl,
                 "a.stl: byte 84: 20000000 triangles do not fit in the 0 bytes that follow");
    bytes facet = {.size = 80};
    put_whole(&facet, 4, 1);
    for (int i = 0; i < 12; i++) put_float(&facet, i == 5 ? INFINITY : 0);
    put_whole(&facet, 2, 0);
    expect_error("a.stl", &facet, "a.stl: byte 108: a coordinate is not finite: inf");
    bytes ply = {0};
    put_text(
        &ply,
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty double x\nproperty "
        "double y\n"
        "property double z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n");
    for (int i = 0; i < 3; i++) put_double(&ply, i);
    bytes list = ply;
    put_whole(&list, 4, 0x40000000);
    expect_error("a.ply", &list, "a.ply: byte 199: a list is longer than the file");
    bytes index = ply;
    put_whole(&index, 4, 1);
    put_whole(&index, 4, (uint64_t)-1);
    expect_error("a.ply", &index, "a.ply: byte 203: vertex index -1 is outside 0..0");
    bytes msh = {0};
    put_text(&msh, "$MeshFormat\n4.1 1 8\n");
    bytes order = msh;
    put_whole(&order, 4, 7);
    expect_error("a.msh", &order,
                 "a.msh: byte 24: the byte order is neither little nor big endian");
    put_whole(&msh, 4, 1);
    put_text(&msh, "\n$EndMeshFormat\n$Nodes\n");
    for (int i = 0; i < 4; i++) put_whole(&msh, 8, 1);
    put_block(&msh, 0, 0, 8, UINT64_MAX);
    expect_error("a.msh", &msh,
                 "a.msh: byte 99: 9223372036854775807 nodes do not fit in the 0 bytes that follow");
    bytes vtk = {.big = true};
    put_text(&vtk,
             "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n");
    for (int i = 0; i < 3; i++) put_float(&vtk, i == 2 ? INFINITY : 0);
    expect_error("a.vtk", &vtk, "a.vtk: byte 89: a coordinate is not finite: inf");
}

/* Cutting any good file short is an error or gives a smaller mesh, never a crash. */
static void test_truncated(void **state)
{
    (void)state;
    static const char *const names[] = {"a.obj", "a.ply", "a.msh", "a.vtk"};
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 3, 3, 1, 1, NULL));
    for (size_t i = 0; i < LENGTH(names); i++) {
        taut_bytes whole;
        assert_true(taut_mesh_save(in_folder(names[i]), &mesh, NULL));
        assert_true(taut_file_read(in_folder(names[i]), &whole, NULL));
        for (size_t size = 0; size < whole.size; size++) {
            unsigned char *exact =
                malloc(size + !size); /* so that a sanitizer sees a read past the end */
            memcpy(exact, whole.data, size);
            taut_mesh_file file;
            taut_error error;
            if (taut_mesh_parse(names[i], exact, size, &file, &error)) taut_mesh_file_free(&file);
            else assert_true(error.code != TAUT_OK && error.text[0]);
            free(exact);
        }
        taut_bytes_free(&whole);
        unlink(in_folder(names[i]));
    }
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_errors),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bad_binary),
        cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests_name("io_mesh_bad", tests, make_folder, remove_folder);
}
