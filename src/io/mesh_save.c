/* Writes meshes as OBJ, PLY, MSH 2.2 and legacy VTK, all as text. Numbers have nine digits, which give back the same
 * floats. */
#include "io/mesh_build.h"

#include "base/error.h"
#include "io/decimal.h"
#include "io/seams.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct output {
    const taut_mesh *mesh;
    tio_list bytes;
    bool failed; /* memory ran out; later calls do nothing */
    taut_error *error;
} output;

__attribute__((format(printf, 2, 3))) static void print(output *out, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!out->failed) out->failed = !tio_append(&out->bytes, line, (size_t)length, out->error);
}

/* Prints at most three numbers as "a b c". */
static void print_numbers(output *out, const float *number, int count)
{
    char text[3 * (TIO_DECIMAL_BYTES + 1)], *at = text;
    for (int i = 0; i < count; i++) {
        if (i > 0) *at++ = ' ';
        at = tio_put_decimal(at, number[i]);
    }
    if (!out->failed) out->failed = !tio_append(&out->bytes, text, (size_t)(at - text), out->error);
}

static void print_vertices(output *out, const char *before)
{
    const float *x = out->mesh->x;
    for (int v = 0; v < out->mesh->nvertices; v++, x += 3) {
        print(out, "%s", before);
        print_numbers(out, x, 3);
        print(out, "\n");
    }
}

/* ---- OBJ ---- */

/* Corners that share vertex and UV share an index, so that seams stay where they were. */
static void print_faces_with_uvs(output *out)
{
    const taut_mesh *mesh = out->mesh;
    tio_seams seams;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    if (tio_find_seams(&scope, mesh->tri, mesh->uv, 3 * (size_t)mesh->ntris, mesh->nvertices, &seams)) {
        for (int i = 0; i < seams.nvertices + seams.ncopies; i++) {
            print(out, "vt ");
            print_numbers(out, tio_seam_uv(&seams, i), 2);
            print(out, "\n");
        }
        const int *v = mesh->tri, *uv = seams.number;
        for (int t = 0; t < mesh->ntris; t++, v += 3, uv += 3)
            print(out, "f %d/%d %d/%d %d/%d\n", v[0] + 1, uv[0] + 1, v[1] + 1, uv[1] + 1, v[2] + 1, uv[2] + 1);
    } else out->failed = !tt_no_memory(out->error);
    tt_scope_close(&scope);
}

static void save_obj(output *out)
{
    const taut_mesh *mesh = out->mesh;
    print_vertices(out, "v ");
    if (mesh->uv) print_faces_with_uvs(out);
    for (int t = 0; !mesh->uv && t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * (size_t)t];
        print(out, "f %d %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
    }
    for (int i = 0; i < mesh->nlines; i++) {
        const int *v = &mesh->line[2 * (size_t)i];
        print(out, "l %d %d\n", v[0] + 1, v[1] + 1);
    }
}

/* ---- PLY ---- */

/* UVs are stored by vertex if possible, because more programs read that, else by corner. */
static void print_ply(output *out, const tio_seams *seams)
{
    const taut_mesh *mesh = out->mesh;
    bool by_vertex = seams && seams->ncopies == 0, by_corner = seams && !by_vertex;
    print(out, "ply\nformat ascii 1.0\nelement vertex %d\n", mesh->nvertices);
    print(out, "property float x\nproperty float y\nproperty float z\n");
    if (by_vertex) print(out, "property float s\nproperty float t\n");
    print(out, "element face %d\nproperty list uchar int vertex_indices\n", mesh->ntris);
    if (by_corner) print(out, "property list uchar float texcoord\n");
    print(out, "element edge %d\nproperty int vertex1\nproperty int vertex2\nend_header\n",
          mesh->nlines);
    for (int v = 0; v < mesh->nvertices; v++) {
        print_numbers(out, &mesh->x[3 * (size_t)v], 3);
        if (by_vertex) {
            print(out, " ");
            print_numbers(out, tio_seam_uv(seams, v), 2);
        }
        print(out, "\n");
    }
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * (size_t)t];
        print(out, "3 %d %d %d", v[0], v[1], v[2]);
        if (by_corner) {
            const float *uv = &mesh->uv[6 * (size_t)t];
            print(out, " 6 ");
            print_numbers(out, uv, 3);
            print(out, " ");
            print_numbers(out, uv + 3, 3);
        }
        print(out, "\n");
    }
    for (int i = 0; i < mesh->nlines; i++) {
        const int *v = &mesh->line[2 * (size_t)i];
        print(out, "%d %d\n", v[0], v[1]);
    }
}

static void save_ply(output *out)
{
    const taut_mesh *mesh = out->mesh;
    tio_seams seams;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    if (mesh->uv && !tio_find_seams(&scope, mesh->tri, mesh->uv, 3 * (size_t)mesh->ntris, mesh->nvertices, &seams))
        out->failed = !tt_no_memory(out->error);
    else print_ply(out, mesh->uv ? &seams : NULL);
    tt_scope_close(&scope);
}

/* ---- Gmsh and VTK: every kind of element in one list ---- */

typedef void print_element(output *out, int number, const int *vertex, int nvertices);

static void each_element(output *out, print_element *action)
{
    const taut_mesh *mesh = out->mesh;
    int number = 0;
    for (int i = 0; i < mesh->nlines; i++) action(out, number++, &mesh->line[2 * (size_t)i], 2);
    for (int i = 0; i < mesh->ntris; i++) action(out, number++, &mesh->tri[3 * (size_t)i], 3);
    for (int i = 0; i < mesh->ntets; i++) action(out, number++, &mesh->tet[4 * (size_t)i], 4);
}

static void print_gmsh_element(output *out, int number, const int *vertex, int nvertices)
{
    static const int type[] = {0, 0, 1, 2, 4}; /* by number of vertices */
    print(out, "%d %d 0", number + 1, type[nvertices]);
    for (int i = 0; i < nvertices; i++) print(out, " %d", vertex[i] + 1);
    print(out, "\n");
}

static void save_gmsh(output *out)
{
    const taut_mesh *mesh = out->mesh;
    print(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", mesh->nvertices);
    for (int v = 0; v < mesh->nvertices; v++) {
        print(out, "%d ", v + 1);
        print_numbers(out, &mesh->x[3 * (size_t)v], 3);
        print(out, "\n");
    }
    print(out, "$EndNodes\n$Elements\n%d\n", mesh->nlines + mesh->ntris + mesh->ntets);
    each_element(out, print_gmsh_element);
    print(out, "$EndElements\n");
}

static void print_vtk_cell(output *out, int number, const int *vertex, int nvertices)
{
    (void)number;
    print(out, "%d", nvertices);
    for (int i = 0; i < nvertices; i++) print(out, " %d", vertex[i]);
    print(out, "\n");
}

static void print_vtk_type(output *out, int number, const int *vertex, int nvertices)
{
    static const int type[] = {0, 0, 3, 5, 10};
    (void)number;
    (void)vertex;
    print(out, "%d\n", type[nvertices]);
}

static void save_vtk(output *out)
{
    const taut_mesh *mesh = out->mesh;
    int count = mesh->nlines + mesh->ntris + mesh->ntets;
    long long size = 3LL * mesh->nlines + 4LL * mesh->ntris + 5LL * mesh->ntets;
    print(out,
          "# vtk DataFile Version 3.0\ntaut\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d float\n",
          mesh->nvertices);
    print_vertices(out, "");
    print(out, "CELLS %d %lld\n", count, size);
    each_element(out, print_vtk_cell);
    print(out, "CELL_TYPES %d\n", count);
    each_element(out, print_vtk_type);
}

/* ---- By ending ---- */

bool taut_mesh_save(const char *path, const taut_mesh *mesh, taut_error *error)
{
    static const struct {
        const char *ending;
        void (*save)(output *out);
        bool tets;
    } savers[] = {{"obj", save_obj, false},
                  {"ply", save_ply, false},
                  {"msh", save_gmsh, true},
                  {"vtk", save_vtk, true}};
    tt_clear(error);
    if (!taut_mesh_check(mesh, error)) return false;
    for (size_t i = 0; i < sizeof savers / sizeof *savers; i++) {
        if (!tio_ends_with(path, savers[i].ending)) continue;
        if (mesh->ntets > 0 && !savers[i].tets)
            return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                           "%s: this format has no tets; msh and vtk do", path);
        output out = {.mesh = mesh, .error = error};
        savers[i].save(&out);
        bool good = !out.failed && taut_file_write(path, out.bytes.data, out.bytes.size, error);
        free(out.bytes.data);
        return good;
    }
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: the ending is none of obj, ply, msh, vtk",
                   path);
}
