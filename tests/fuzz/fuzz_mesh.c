/* All mesh readers: the first byte picks the format. What they accept must be a mesh that the
 * library accepts, with polygons and groups in range. */
#include "io/mesh_build.h"
#include "mesh/topology.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth) abort();
}

static void check_file(const taut_mesh_file *file)
{
    taut_mesh_report report;
    int n = file->mesh.nvertices;
    require(taut_mesh_check(&file->mesh, NULL));
    require(taut_mesh_inspect(&file->mesh, &report, NULL));
    require(report.inverted_tets == 0);
    require(file->polygon_start[0] == 0);
    for (int i = 0; i < file->npolygons; i++) {
        require(file->polygon_start[i + 1] - file->polygon_start[i] >= 3);
        for (int j = file->polygon_start[i]; j < file->polygon_start[i + 1]; j++)
            require(file->polygon[j] >= 0 && file->polygon[j] < n);
    }
    for (int g = 0; g < file->ngroups; g++)
        for (int i = 0; i < file->group[g].nvertices; i++) {
            require(file->group[g].vertex[i] >= 0 && file->group[g].vertex[i] < n);
            require(i == 0 || file->group[g].vertex[i] > file->group[g].vertex[i - 1]);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.obj", "a.ply",  "a.stl", "a.msh",
                                        "a.vtk", "a.node", "a.ele"};
    enum { FORMATS = sizeof names / sizeof *names };
    if (size == 0) return 0;
    int format = data[0] % (FORMATS + 1);
    taut_mesh_file file;
    taut_error error = {0};
    bool good;
    data++, size--;
    if (format < FORMATS) {
        good = taut_mesh_parse(names[format], data, size, &file, &error);
    } else {
        /* .node and .ele with a zero byte between */
        const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
        size_t first = zero ? (size_t)(zero - data) : size, second = zero ? size - first - 1 : 0;
        taut_bytes nodes = {(unsigned char *)data, first};
        taut_bytes tets = {(unsigned char *)data + size - second, second};
        file = (taut_mesh_file){0};
        good = tio_parse_tetgen("a.node", &nodes, "a.ele", &tets, &file, &error);
    }
    if (good) check_file(&file);
    else require(error.code != TAUT_OK && error.text[0] != '\0');
    taut_mesh_file_free(&file);
    return 0;
}
