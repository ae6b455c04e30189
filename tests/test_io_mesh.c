/* Files and mesh readers: every format from bytes written here by hand, round trips, real meshes. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_bytes.h"
#include "helpers_folder.h"
#include "io/text.h"
#include "mesh/topology.h"
#include "taut_io.h"

#include <math.h>

/* The vertices of a tet. */
static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---- Parsing good files ---- */

static taut_mesh_file parse_bytes(const char *name, const void *data, size_t size)
{
    taut_mesh_file file;
    taut_error error;
    if (!taut_mesh_parse(name, data, size, &file, &error)) fail_msg("%s", error.text);
    assert_true(taut_mesh_check(&file.mesh, &error));
    return file;
}

static taut_mesh_file parse(const char *name, const char *text)
{
    return parse_bytes(name, text, strlen(text));
}

static void assert_ints(const int *got, const int *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (got[i] != wanted[i]) fail_msg("number %d is %d, wanted %d", i, got[i], wanted[i]);
}

static void assert_floats(const float *got, const float *wanted, int count)
{
    for (int i = 0; i < count; i++)
        if (!(got[i] == wanted[i]))
            fail_msg("number %d is %.9g, wanted %.9g", i, (double)got[i], (double)wanted[i]);
}

#define ASSERT_INTS(got, ...)                                                                      \
    assert_ints(got, (const int[]){__VA_ARGS__}, (int)LENGTH(((const int[]){__VA_ARGS__})))
#define ASSERT_FLOATS(got, ...)                                                                    \
    assert_floats(got, (const float[]){__VA_ARGS__}, (int)LENGTH(((const float[]){__VA_ARGS__})))

static void assert_counts(const taut_mesh_file *file, int nvertices, int ntris, int ntets,
                          int nlines)
{
    ASSERT_INTS(&file->mesh.nvertices, nvertices, ntris, ntets, nlines);
}

static double area_of(const taut_mesh *mesh)
{
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(mesh, &report, NULL));
    return (double)report.area;
}

/* ---- Files ---- */

static void write_text(const char *name, const char *text)
{
    assert_true(taut_file_write(in_folder(name), text, strlen(text), NULL));
}

static void test_file_round_trip(void **state)
{
    (void)state;
    unsigned char data[200000];
    taut_bytes read;
    taut_error error;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7 + i / 256);
    static const size_t sizes[] = {0, 1, 65536, 131072, sizeof data};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        assert_true(taut_file_write(in_folder("a"), data, sizes[i], &error));
        assert_true(taut_file_read(in_folder("a"), &read, &error));
        assert_int_equal(read.size, sizes[i]);
        assert_memory_equal(read.data, data, sizes[i]);
        taut_bytes_free(&read);
        assert_null(read.data);
    }
    unlink(in_folder("a"));
}

/* ---- OBJ ---- */

static void test_obj_quads(void **state)
{
    (void)state;
    /* The diagonal 1-3 is the shorter one. */
    taut_mesh_file file = parse("a.obj", "v 0 0 0\nv 2 -0.1 0\nv 2.5 2 0\nv 1 1 0\nf 1 2 3 4\n");
    ASSERT_INTS(file.mesh.tri, 0, 1, 3, 1, 2, 3);
    ASSERT_INTS(file.polygon_start, 0, 4);
    ASSERT_INTS(file.polygon, 0, 1, 2, 3);
    assert_null(file.mesh.uv);
    taut_mesh_file_free(&file);
    assert_null(file.polygon);
    /* A dart, concave at corner 3, seen from behind and standing: only the diagonal 0-2 (vertices 2
     * and 4) is inside, though it is the longer one. */
    file = parse("a.obj", "v 0 1 5\nv 0 0 0\nv 0 -1 5\nv 0 0 4.5\nf 4 3 2 1\n");
    ASSERT_INTS(file.mesh.tri, 3, 2, 1, 3, 1, 0);
    assert_true(fabs(area_of(&file.mesh) - 4.5) < 1e-6);
    taut_mesh_file_free(&file);
}

/* A comb with teeth: a fan would cover far more than its area. */
static void test_obj_concave_polygon(void **state)
{
    (void)state;
    char text[4000], face[1000] = "f";
    size_t at = 0, end = 1;
    int n = 0;
    for (int tooth = 0; tooth < 10; tooth++)
        for (int i = 0; i < 2; i++) {
            at += (size_t)sprintf(text + at, "v %d 0 %d\n", 2 * tooth + i, i == 0 ? 1 : 10);
            end += (size_t)sprintf(face + end, " %d", ++n);
        }
    at += (size_t)sprintf(text + at, "v 19 0 0\nv 0 0 0\n");
    end += (size_t)sprintf(face + end, " %d %d\n", n + 1, n + 2);
    memcpy(text + at, face, end + 1);
    taut_mesh_file file = parse("a.obj", text);
    assert_counts(&file, 22, 20, 0, 0);
    double shoelace = 0;
    for (int i = 0; i < 22; i++) {
        const float *p = &file.mesh.x[3 * i], *q = &file.mesh.x[3 * ((i + 1) % 22)];
        shoelace += (double)(p[0] * q[2] - q[0] * p[2]) / 2;
    }
    assert_true(fabs(area_of(&file.mesh) - fabs(shoelace)) < 1e-5 * fabs(shoelace));
    taut_mesh_report report;
    assert_true(taut_mesh_inspect(&file.mesh, &report, NULL));
    assert_int_equal(report.inconsistent_edges, 0);
    assert_int_equal(report.boundary_edges, 22);
    taut_mesh_file_free(&file);
}

/* A spike reaches into the ear that would have the shortest cut. The test looks from both sides, and along each
 * axis. */
static void test_obj_spike(void **state)
{
    (void)state;
    static const float at[10][2] = {{0, 0},       {1, 0},    {10, 0}, {10, 9}, {6, 5.5f},
                                    {0.3f, 0.3f}, {5.5f, 6}, {9, 10}, {0, 10}, {0, 1}};
    double shoelace = 0;
    for (int i = 0; i < 10; i++) {
        const float *p = at[i], *q = at[(i + 1) % 10];
        shoelace += ((double)p[0] * (double)q[1] - (double)q[0] * (double)p[1]) / 2;
    }
    for (int way = 0; way < 6; way++) {
        char text[1000];
        int end = 0, axis = way / 2;
        for (int i = 0; i < 10; i++) {
            float x[3] = {7, 7, 7};
            x[(axis + 1) % 3] = at[i][0];
            x[(axis + 2) % 3] = at[i][1];
            end +=
                sprintf(text + end, "v %.9g %.9g %.9g\n", (double)x[0], (double)x[1], (double)x[2]);
        }
        sprintf(text + end, way % 2 ? "f 10 9 8 7 6 5 4 3 2 1\n" : "f 1 2 3 4 5 6 7 8 9 10\n");
        taut_mesh_file file = parse("a.obj", text);
        assert_counts(&file, 10, 8, 0, 0);
        assert_true(fabs(area_of(&file.mesh) - shoelace) < 1e-5 * shoelace);
        taut_mesh_file_free(&file);
    }
}

static void test_obj_uvs(void **state)
{
    (void)state;
    /* A seam: vertices 2 and 3 have other UVs in each triangle. */
    static const char seam[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 0.25 0\nvt 0 0.5 0\nvt 7\nvt 8 1\n"
        "f 1/1 2/2 3/3\nf 2/-2/1 4/5/ 3/1\n";
    taut_mesh_file file = parse("seam.obj", seam);
    ASSERT_FLOATS(file.mesh.uv, 0, 0, 0.25f, 0, 0, 0.5f, 7, 0, 8, 1, 0, 0);
    taut_mesh_file_free(&file);
    /* A face without UVs has zeros, wherever it is in the file. */
    file = parse("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 1 2\nf 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 "
                          "3//1\nf 1/1 2 3/1\n");
    ASSERT_FLOATS(file.mesh.uv, 0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                  0);
    taut_mesh_file_free(&file);
}

static void test_obj_groups(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 2\nf 1 2 3\ng left top\nf 4 3 2\ng right\n"
        "f 2 3 1\no An object\nl 5 1\ng left\nf 1 2 5\n";
    taut_mesh_file file = parse("a.obj", text);
    assert_int_equal(file.ngroups, 4);
    assert_string_equal(file.group[0].name, "left");
    assert_int_equal(file.group[0].nvertices, 5);
    ASSERT_INTS(file.group[0].vertex, 0, 1, 2, 3, 4);
    assert_string_equal(file.group[1].name, "top");
    assert_int_equal(file.group[1].nvertices, 3);
    ASSERT_INTS(file.group[1].vertex, 1, 2, 3);
    assert_string_equal(file.group[2].name, "right");
    assert_int_equal(file.group[2].nvertices, 3);
    ASSERT_INTS(file.group[2].vertex, 0, 1, 2);
    assert_string_equal(file.group[3].name, "An object");
    assert_int_equal(file.group[3].nvertices, 3);
    ASSERT_INTS(file.group[3].vertex, 0, 1, 4);
    taut_mesh_file_free(&file);
}

static void test_obj_oddities(void **state)
{
    (void)state;
    /* Windows line ends, comments, a joined line, faces before vertices, normals, colours, no last
     * line break. */
    taut_mesh_file file = parse("A.OBJ", "# hello\r\nf 1 2 3\r\nmtllib a\r\nv 0 0 0 1 0.5 "
                                         "0.25\r\nvn 0 0 1\r\nv 1e0 -0.0 \\\r\n +0\r\n"
                                         "v 0 1.50 0 # last\r\nusemtl m\r\ns off\r\nl 1 2\\\n3");
    assert_counts(&file, 3, 1, 0, 2);
    ASSERT_FLOATS(file.mesh.x, 0, 0, 0, 1, 0, 0, 0, 1.5f, 0);
    ASSERT_INTS(file.mesh.line, 0, 1, 1, 2);
    taut_mesh_file_free(&file);
    /* Repeated corners: a quad that is really a triangle becomes one; smaller faces are dropped. */
    file = parse("a.obj",
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2 3\nf 1 2 1\nf 3 3 3\nl 2 2\nf 1 2 3 1\n");
    assert_counts(&file, 3, 2, 0, 0);
    ASSERT_INTS(file.mesh.tri, 0, 1, 2, 0, 1, 2);
    assert_int_equal(file.npolygons, 2);
    ASSERT_INTS(file.polygon_start, 0, 3, 6);
    taut_mesh_file_free(&file);
    /* Vertices alone are a mesh. */
    file = parse("a.obj", "v 1 2 3\n");
    assert_counts(&file, 1, 0, 0, 0);
    assert_int_equal(file.polygon_start[0], 0);
    taut_mesh_file_free(&file);
}

/* Numbers are the same as strtod's to the last bit, whichever path reads them. */
static void test_numbers(void **state)
{
    (void)state;
    static const char *const odd[] = {"0.1",      "-3.4028234e38",
                                      "1e-45",    "123456789012345678901234567890",
                                      "4.9e-324", "9007199254740993",
                                      ".5",       "5.",
                                      "+1E+2",    "-0",
                                      "1e22",     "1e23",
                                      "1e-22",    "1e-23"};
    tio_text reader;
    taut_error error;
    uint64_t seed = 1;
    tio_text_open(&reader, "a", "", 0, &error);
    for (int i = 0; i < 20000; i++) {
        char number[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int digits = (int)(seed >> 59) % 19, power = (int)(seed >> 50) % 60 - 30;
        snprintf(number, sizeof number, "%.*fe%d", digits, (double)(seed >> 11) * 0x1p-48, power);
        if (i < (int)LENGTH(odd)) snprintf(number, sizeof number, "%s", odd[i]);
        double got, wanted = strtod(number, NULL);
        assert_true(tio_parse_number(&reader, (tio_word){number, strlen(number)}, "it", &got));
        if (memcmp(&got, &wanted, sizeof got) != 0)
            fail_msg("%s is %a, got %a", number, wanted, got);
    }
}

/* ---- PLY ---- */

static void test_ply_ascii(void **state)
{
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\ncomment x\nelement camera 1\nproperty float f\nelement vertex "
        "4\nproperty float z\n"
        "property uchar red\nproperty double x\nproperty float y\nproperty float s\nproperty float "
        "t\nelement face 3\n"
        "property list uchar int vertex_indices\nproperty list uchar float texcoord\nelement edge "
        "2\n"
        "property int vertex1\nproperty int vertex2\nend_header\nnan\n0 9 0 0 0 1\n0 9 1 0 2 3\n0 "
        "9 1 1 4 5\n"
        "5 9 0 1 6\n7\n3 0 1 2 0\n3 0 2 3 6 .1 .2 .3 .4 .5 .6\n3 1 1 2 0\n0 3\n2 2";
    taut_mesh_file file = parse("a.ply", text);
    assert_counts(&file, 4, 2, 0, 1);
    ASSERT_FLOATS(file.mesh.x, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 5);
    ASSERT_INTS(file.mesh.tri, 0, 1, 2, 0, 2, 3);
    ASSERT_INTS(file.mesh.line, 0, 3);
    ASSERT_FLOATS(file.mesh.uv, 0, 1, 2, 3, 4, 5, .1f, .2f, .3f, .4f, .5f, .6f);
    taut_mesh_file_free(&file);
}

static void test_ply_binary(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        bytes b = {.big = big};
        put_text(&b, big ? "ply\nformat binary_big_endian 1.0\n"
                         : "ply\nformat binary_little_endian 1.0\n");
        put_text(&b, "element vertex 4\nproperty float x\nproperty short y\nproperty double "
                     "z\nproperty uint id\n"
                     "element face 1\nproperty list ushort uint vertex_index\nproperty list uchar "
                     "short more\nend_header\n");
        for (int i = 0; i < 4; i++) {
            put_float(&b, (float)(i == 1 || i == 2) * 0.1f);
            put_whole(&b, 2, (uint64_t)(i >= 2 ? -3 : 0));
            put_double(&b, i);
            put_whole(&b, 4, 77);
        }
        put_whole(&b, 2, 4);
        for (int i = 0; i < 4; i++) put_whole(&b, 4, (uint64_t)i);
        put_whole(&b, 1, 1);
        put_whole(&b, 2, 5);
        taut_mesh_file file = parse_bytes("a.ply", b.data, b.size);
        assert_counts(&file, 4, 2, 0, 0);
        ASSERT_FLOATS(file.mesh.x, 0, 0, 0, .1f, 0, 1, .1f, -3, 2, 0, -3, 3);
        assert_int_equal(file.npolygons, 1);
        ASSERT_INTS(file.polygon, 0, 1, 2, 3);
        taut_mesh_file_free(&file);
    }
}

/* ---- STL ---- */

static void test_stl_ascii(void **state)
{
    (void)state;
    taut_mesh_file file = parse(
        "a.stl", "solid a b\nfacet normal nan 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                 "vertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1 outer loop vertex 1 0 0\n"
                 "vertex 1 1 0 vertex -0 1 0 endloop endfacet\nfacet normal 0 0 0\nouter loop\n"
                 "vertex 1 1 0\nvertex 1 1 0\nvertex 0 0 0\nendloop\nendfacet\nendsolid a b\n");
    assert_counts(&file, 4, 2, 0, 0);
    ASSERT_FLOATS(file.mesh.x, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
    ASSERT_INTS(file.mesh.tri, 0, 1, 2, 1, 3, 2);
    taut_mesh_file_free(&file);
}

/* A binary file that begins like a text, and a mesh large enough for the welding table to grow. */
static void test_stl_binary(void **state)
{
    (void)state;
    taut_mesh sphere;
    assert_true(taut_mesh_sphere(&sphere, 4, 1, NULL));
    size_t size = 84 + 50 * (size_t)sphere.ntris;
    unsigned char *data = calloc(1, size);
    bytes b = {0};
    memcpy(data, "solid", 5);
    put_whole(&b, 4, (uint64_t)sphere.ntris);
    memcpy(data + 80, b.data, 4);
    for (int t = 0; t < sphere.ntris; t++) {
        b.size = 0;
        for (int i = 0; i < 3; i++) put_float(&b, NAN);
        for (int i = 0; i < 9; i++) put_float(&b, sphere.x[3 * sphere.tri[3 * t + i / 3] + i % 3]);
        memcpy(data + 84 + 50 * (size_t)t, b.data, b.size);
    }
    taut_mesh_file file = parse_bytes("a.stl", data, size);
    assert_counts(&file, sphere.nvertices, sphere.ntris, 0, 0);
    for (int c = 0; c < 3 * sphere.ntris; c++)
        assert_floats(&file.mesh.x[3 * file.mesh.tri[c]], &sphere.x[3 * sphere.tri[c]], 3);
    taut_mesh_file_free(&file);
    taut_mesh_free(&sphere);
    free(data);
}

/* ---- TetGen ---- */

static void test_tetgen(void **state)
{
    (void)state;
    static const char *const nodes[] = {
        "# made\n4 3 1 1\n\n0 0 0 0 9 1\n1 1 0 0 9 1 # x\n2 0 1 0 9 1\n3 0 0 1 9 1\n",
        "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1"};
    static const char *const tets[] = {"2 4 1\n0 0 1 2 3 7\n1 0 1 3 2 7\n",
                                       "2 10 0\n1 1 2 3 4 1 1 1 1 1 1\n2 1 2 4 3 1 1 1 1 1 1"};
    for (int first = 0; first < 2; first++) {
        write_text("t.node", nodes[first]);
        write_text("t.ele", tets[first]);
        for (int i = 0; i < 2; i++) {
            taut_mesh_file file;
            taut_error error;
            if (!taut_mesh_load(in_folder(i ? "t.node" : "t.ele"), &file, &error))
                fail_msg("%s", error.text);
            assert_counts(&file, 4, 0, 2, 0);
            assert_floats(file.mesh.x, corners, 12);
            ASSERT_INTS(file.mesh.tet, 0, 1, 2, 3, 0, 1, 2, 3); /* the second was inverted */
            taut_mesh_file_free(&file);
        }
    }
    unlink(in_folder("t.ele"));
    taut_mesh_file file;
    taut_error error;
    char wanted[300];
    assert_false(taut_mesh_load(in_folder("t.node"), &file, &error));
    snprintf(wanted, sizeof wanted, "%s/t.ele: cannot open: No such file or directory", folder);
    assert_string_equal(error.text, wanted);
    write_text("t.ele", "1 4 0\n1 1 2 3 5\n");
    assert_false(taut_mesh_load(in_folder("t.node"), &file, &error));
    snprintf(wanted, sizeof wanted, "%s/t.ele:2: node 5 is outside 1..4", folder);
    assert_string_equal(error.text, wanted);
    write_text("t.ele", "1 4 0\n1 1 2 3 3\n");
    assert_false(taut_mesh_load(in_folder("t.node"), &file, &error));
    snprintf(wanted, sizeof wanted, "%s/t.ele: tet 0 uses vertex 2 twice", folder);
    assert_string_equal(error.text, wanted);
    unlink(in_folder("t.node"));
    unlink(in_folder("t.ele"));
}

/* ---- VTK ---- */

static void test_vtk_ascii(void **state)
{
    (void)state;
    taut_mesh_file file = parse("a.vtk", "# vtk DataFile Version 3.0\nany title\nASCII\nDATASET "
                                         "UNSTRUCTURED_GRID\nFIELD FieldData 1\n"
                                         "TIME 1 2 double\n0.5 nan\nPOINTS 4 float\n0 0 0 1 0 0\n0 "
                                         "1 0 0 0 1\nMETADATA\nINFORMATION 0\n\n"
                                         "CELLS 6 25\n1 0\n3 0 1 2\n3 0 1 3\n4 0 1 3 2\n4 0 1 2 "
                                         "3\n4 0 1 2 3\nCELL_TYPES 6\n1 4 5 10 6 8\n"
                                         "POINT_DATA 4\nSCALARS nonsense\n");
    assert_counts(&file, 4, 5, 1, 2);
    assert_floats(file.mesh.x, corners, 12);
    ASSERT_INTS(file.mesh.line, 0, 1, 1, 2);
    ASSERT_INTS(file.mesh.tri, 0, 1, 3, 0, 1, 2, 1, 3, 2);
    ASSERT_INTS(file.polygon + 9, 0, 1, 3, 2);
    ASSERT_INTS(file.mesh.tet, 0, 1, 2, 3);
    taut_mesh_file_free(&file);
}

static void test_vtk_binary(void **state)
{
    (void)state;
    for (int version = 3; version <= 5; version += 2) {
        bytes b = {.big = true};
        put_text(&b,
                 version == 3 ? "# vtk DataFile Version 3.0\n" : "# vtk DataFile Version 5.1\n");
        put_text(&b, "t\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n");
        for (int i = 0; i < 12; i++) put_double(&b, (double)corners[i]);
        if (version == 3) {
            put_text(&b, "\nCELLS 2 9\n");
            static const uint64_t cells[] = {3, 0, 1, 2, 4, 0, 1, 3, 2};
            for (size_t i = 0; i < LENGTH(cells); i++) put_whole(&b, 4, cells[i]);
        } else {
            put_text(&b, "\nCELLS 3 7\nOFFSETS vtktypeint64\n");
            static const uint64_t offsets[] = {0, 3, 7}, cells[] = {0, 1, 2, 0, 1, 3, 2};
            for (size_t i = 0; i < LENGTH(offsets); i++) put_whole(&b, 8, offsets[i]);
            put_text(&b, "\nCONNECTIVITY vtktypeint64\n");
            for (size_t i = 0; i < LENGTH(cells); i++) put_whole(&b, 8, cells[i]);
        }
        put_text(&b, "\nCELL_TYPES 2\n");
        put_whole(&b, 4, 5);
        put_whole(&b, 4, 10);
        put_text(&b, "\n");
        taut_mesh_file file = parse_bytes("a.vtk", b.data, b.size);
        assert_counts(&file, 4, 1, 1, 0);
        assert_floats(file.mesh.x, corners, 12);
        ASSERT_INTS(file.mesh.tri, 0, 1, 2);
        ASSERT_INTS(file.mesh.tet, 0, 1, 2, 3);
        taut_mesh_file_free(&file);
    }
}

/* ---- Gmsh ---- */

static void assert_gmsh(taut_mesh_file *file)
{
    assert_counts(file, 4, 1, 1, 1);
    assert_floats(file->mesh.x, corners, 12);
    ASSERT_INTS(file->mesh.line, 0, 1);
    ASSERT_INTS(file->mesh.tri, 0, 1, 2);
    ASSERT_INTS(file->mesh.tet, 0, 1, 2, 3);
    taut_mesh_file_free(file);
}

static void test_gmsh_ascii(void **state)
{
    (void)state;
    taut_mesh_file file = parse(
        "a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"Cloth\"\n"
                 "$EndPhysicalNames\n$Nodes\n4\n40 0 0 0\n30 1 0 0\n7 0 1 0\n9 0 0 1\n$EndNodes\n"
                 "$Elements\n4\n1 15 2 0 1 40\n2 1 2 0 1 40 30\n3 2 3 0 1 5 40 30 7\n"
                 "4 4 0 40 30 9 7\n$EndElements\n");
    assert_gmsh(&file);
    file = parse(
        "a.msh",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n3 4 1 9\n"
        "2 1 1 2\n8\n2\n0 0 0 0.5 0.5\n1 0 0 1 0\n2 2 0 0\n3 1 0 2\n5\n9\n0 1 0\n0 0 1\n$EndNodes\n"
        "$Elements\n3 3 1 3\n1 1 1 1\n1 8 2\n2 1 2 1\n2 8 2 5\n3 1 4 1\n3 8 2 9 5\n$EndElements\n");
    assert_gmsh(&file);
}

static void test_gmsh2_binary(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        bytes b = {.big = big};
        put_text(&b, "$MeshFormat\n2.2 1 8\n");
        put_whole(&b, 4, 1);
        put_text(&b, "\n$EndMeshFormat\n$Nodes\n4\n");
        for (int i = 0; i < 4; i++) {
            put_whole(&b, 4, (uint64_t)(10 - i));
            for (int j = 0; j < 3; j++) put_double(&b, (double)corners[3 * i + j]);
        }
        put_text(&b, "\n$EndNodes\n$Elements\n4\n");
        static const uint64_t elements[] = {15, 1, 1,  1, 0, 10, 1, 1, 1, 2, 0, 10, 9, 2, 1,
                                            0,  3, 10, 9, 8, 4,  1, 2, 4, 0, 0, 10, 9, 7, 8};
        for (size_t i = 0; i < LENGTH(elements); i++) put_whole(&b, 4, elements[i]);
        put_text(&b, "\n$EndElements\n");
        taut_mesh_file file = parse_bytes("a.msh", b.data, b.size);
        assert_gmsh(&file);
    }
}

static void test_gmsh4_binary(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        int size = form & 1 ? 4 : 8;
        bytes b = {.big = form >= 2};
        put_text(&b, size == 8 ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n4.1 1 4\n");
        put_whole(&b, 4, 1);
        put_text(&b, "\n$EndMeshFormat\n$Nodes\n");
        static const uint64_t counts[] = {1, 4, 5, 8}, tags[] = {8, 7, 6, 5};
        for (int i = 0; i < 4; i++) put_whole(&b, size, counts[i]);
        put_block(&b, 3, 0, size, 4);
        for (int i = 0; i < 4; i++) put_whole(&b, size, tags[i]);
        for (int i = 0; i < 12; i++) put_double(&b, (double)corners[i]);
        put_text(&b, "\n$EndNodes\n$Elements\n");
        static const uint64_t element_counts[] = {3, 3, 1, 3},
                              elements[] = {1, 8, 7, 2, 8, 7, 6, 3, 8, 7, 5, 6};
        for (int i = 0; i < 4; i++) put_whole(&b, size, element_counts[i]);
        put_block(&b, 1, 1, size, 1);
        for (int i = 0; i < 3; i++) put_whole(&b, size, elements[i]);
        put_block(&b, 2, 2, size, 1);
        for (int i = 3; i < 7; i++) put_whole(&b, size, elements[i]);
        put_block(&b, 3, 4, size, 1);
        for (int i = 7; i < 12; i++) put_whole(&b, size, elements[i]);
        put_text(&b, "\n$EndElements\n");
        taut_mesh_file file = parse_bytes("a.msh", b.data, b.size);
        assert_gmsh(&file);
    }
}

/* ---- Saving ---- */

static void assert_round_trip(const char *name, const taut_mesh *mesh, bool keeps_uv)
{
    taut_error error;
    taut_mesh_file file;
    const char *path = in_folder(name);
    if (!taut_mesh_save(path, mesh, &error) || !taut_mesh_load(path, &file, &error))
        fail_msg("%s", error.text);
    assert_counts(&file, mesh->nvertices, mesh->ntris, mesh->ntets, mesh->nlines);
    assert_memory_equal(file.mesh.x, mesh->x, 3 * sizeof(float) * (size_t)mesh->nvertices);
    assert_ints(file.mesh.tri, mesh->tri, 3 * mesh->ntris);
    assert_ints(file.mesh.tet, mesh->tet, 4 * mesh->ntets);
    assert_ints(file.mesh.line, mesh->line, 2 * mesh->nlines);
    if (keeps_uv) assert_floats(file.mesh.uv, mesh->uv, 6 * mesh->ntris);
    taut_mesh_file_free(&file);
    unlink(path);
}

static void test_save_round_trips(void **state)
{
    (void)state;
    taut_mesh mesh;
    int line[] = {0, 9, 4, 5};
    assert_true(taut_mesh_tube(&mesh, 11, 7, 0.1f, 1 / 3.0f, NULL)); /* has a seam of its UVs */
    for (int i = 0; i < 3 * mesh.nvertices; i++)
        mesh.x[i] += 1003; /* where it takes all nine digits */
    mesh.line = line;
    mesh.nlines = 2;
    assert_round_trip("a.obj", &mesh, true);
    assert_round_trip("a.ply", &mesh, true);
    assert_round_trip("a.msh", &mesh, false);
    assert_round_trip("a.vtk", &mesh, false);
    mesh.line = NULL;
    mesh.nlines = 0;
    taut_mesh_free(&mesh);
    assert_true(taut_mesh_beam(&mesh, 3, 2, 2, 0.3f, 0.1f, 1e-7f, NULL));
    assert_round_trip("a.msh", &mesh, false);
    assert_round_trip("a.vtk", &mesh, false);
    taut_error error;
    assert_false(taut_mesh_save("a.obj", &mesh, &error));
    assert_string_equal(error.text, "a.obj: this format has no tets; msh and vtk do");
    assert_false(taut_mesh_save("a.stl", &mesh, &error));
    assert_string_equal(error.text, "a.stl: the ending is none of obj, ply, msh, vtk");
    mesh.tet[1] = mesh.tet[0];
    assert_false(taut_mesh_save("a.vtk", &mesh, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    taut_mesh_free(&mesh);
}

/* The UVs of a sheet without seams are written once per vertex. */
static void test_save_shares_uvs(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_bytes read;
    assert_true(taut_mesh_sheet(&mesh, 4, 5, 1, 1, NULL));
    assert_true(taut_mesh_save(in_folder("s.obj"), &mesh, NULL));
    assert_true(taut_file_read(in_folder("s.obj"), &read, NULL));
    int count = 0;
    for (size_t i = 0; i + 3 < read.size; i++) count += memcmp(read.data + i, "\nvt ", 4) == 0;
    assert_int_equal(count, 20);
    taut_bytes_free(&read);
    taut_mesh_free(&mesh);
    unlink(in_folder("s.obj"));
}

/* ---- Real meshes ---- */

static void test_real_meshes(void **state)
{
    (void)state;
    /* The counts come from grep. All surfaces are closed (V - E + F = 2, 0 for the torus) except the body, which has
     * eye holes. */
    static const struct {
        const char *path;
        int nvertices, ntris, euler, boundary;
    } meshes[] = {{"fish_low_resolution", 945, 1886, 2, 0},
                  {"penguin", 3362, 6720, 2, 0},
                  {"spot", 11533, 23062, 2, 0},
                  {"spot_low_resolution", 829, 1654, 2, 0},
                  {"torus", 2304, 4608, 0, 0},
                  {"human_neutral", 10475, 20908, 5, 32}};
    if (access("../shared/data/meshes", F_OK) != 0) {
        print_message("SKIPPED: ../shared/data/meshes is not there\n");
        skip();
    }
    for (size_t i = 0; i < LENGTH(meshes); i++) {
        char path[200];
        taut_mesh_file file;
        taut_error error;
        taut_mesh_report report;
        snprintf(path, sizeof path, "../shared/data/meshes/%s.obj", meshes[i].path);
        if (!taut_mesh_load(path, &file, &error)) fail_msg("%s", error.text);
        assert_counts(&file, meshes[i].nvertices, meshes[i].ntris, 0, 0);
        assert_true(taut_mesh_inspect(&file.mesh, &report, &error));
        assert_int_equal(report.inconsistent_edges + report.nonmanifold_edges, 0);
        assert_int_equal(report.boundary_edges, meshes[i].boundary);
        assert_int_equal(meshes[i].nvertices - report.edges + meshes[i].ntris, meshes[i].euler);
        assert_true((file.mesh.uv != NULL) == (strcmp(meshes[i].path, "human_neutral") == 0));
        taut_mesh_file_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_round_trip),
        cmocka_unit_test(test_obj_quads),
        cmocka_unit_test(test_obj_concave_polygon),
        cmocka_unit_test(test_obj_spike),
        cmocka_unit_test(test_obj_uvs),
        cmocka_unit_test(test_obj_groups),
        cmocka_unit_test(test_obj_oddities),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_ply_ascii),
        cmocka_unit_test(test_ply_binary),
        cmocka_unit_test(test_stl_ascii),
        cmocka_unit_test(test_stl_binary),
        cmocka_unit_test(test_tetgen),
        cmocka_unit_test(test_vtk_ascii),
        cmocka_unit_test(test_vtk_binary),
        cmocka_unit_test(test_gmsh_ascii),
        cmocka_unit_test(test_gmsh2_binary),
        cmocka_unit_test(test_gmsh4_binary),
        cmocka_unit_test(test_save_round_trips),
        cmocka_unit_test(test_save_shares_uvs),
        cmocka_unit_test(test_real_meshes),
    };
    return cmocka_run_group_tests_name("io_mesh", tests, make_folder, remove_folder);
}
