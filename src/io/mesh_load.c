/* The ending of a mesh file's name decides which reader it gets. */
#include "io/mesh_build.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

typedef bool reader(tio_text *text, tio_builder *builder);

static bool read_node_alone(tio_text *text, tio_builder *builder)
{
    int first;
    return tio_read_tetgen_nodes(text, builder, &first);
}

static bool read_ele_alone(tio_text *text, tio_builder *builder)
{
    (void)builder;
    return tt_fail(text->error, TAUT_BAD_MESH, -1,
                   "%s: an .ele file is read together with its .node file", text->name);
}

bool tio_ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), n = strlen(ending);
    if (length <= n || name[length - n - 1] != '.') return false;
    for (size_t i = 0; i < n; i++) {
        char c = name[length - n + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) return false;
    }
    return true;
}

static reader *reader_of(const char *name, taut_error *error)
{
    static const struct {
        const char *ending;
        reader *read;
    } readers[] = {{"obj", tio_read_obj},  {"ply", tio_read_ply}, {"stl", tio_read_stl},
                   {"msh", tio_read_gmsh}, {"vtk", tio_read_vtk}, {"node", read_node_alone},
                   {"ele", read_ele_alone}};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (tio_ends_with(name, readers[i].ending)) return readers[i].read;
    tt_fail(error, TAUT_BAD_ARGUMENT, -1,
            "%s: the ending is none of obj, ply, stl, msh, vtk, node, ele", name);
    return NULL;
}

bool taut_mesh_parse(const char *name, const void *bytes, size_t size, taut_mesh_file *file,
                     taut_error *error)
{
    *file = (taut_mesh_file){0};
    tt_clear(error);
    reader *read = reader_of(name, error);
    if (!read) return false;
    tio_text text;
    tio_builder builder;
    tio_text_open(&text, name, bytes, size, error);
    tio_builder_open(&builder, name, error);
    if (read(&text, &builder)) return tio_builder_finish(&builder, file);
    tio_builder_discard(&builder);
    return false;
}

/* PATH with another ending; from malloc. */
static char *with_ending(const char *path, const char *ending)
{
    size_t stem = (size_t)(strrchr(path, '.') - path) + 1, length = strlen(ending);
    char *other = malloc(stem + length + 1);
    if (!other) return NULL;
    memcpy(other, path, stem);
    memcpy(other + stem, ending, length + 1);
    return other;
}

bool tio_parse_tetgen(const char *node_path, const taut_bytes *nodes, const char *ele_path,
                      const taut_bytes *tets, taut_mesh_file *file, taut_error *error)
{
    tio_text text;
    tio_builder builder;
    int first;
    tio_builder_open(&builder, node_path, error);
    tio_text_open(&text, node_path, nodes->data, nodes->size, error);
    bool good = tio_read_tetgen_nodes(&text, &builder, &first);
    if (good) {
        builder.name = ele_path;
        tio_text_open(&text, ele_path, tets->data, tets->size, error);
        good = tio_read_tetgen_tets(&text, &builder, first);
    }
    if (good) return tio_builder_finish(&builder, file);
    tio_builder_discard(&builder);
    return false;
}

static bool load_tetgen(const char *path, taut_mesh_file *file, taut_error *error)
{
    char *node_path = with_ending(path, "node"), *ele_path = with_ending(path, "ele");
    taut_bytes nodes = {0}, tets = {0};
    bool good = node_path && ele_path;
    if (!good) tt_no_memory(error);
    good = good && taut_file_read(node_path, &nodes, error) &&
           taut_file_read(ele_path, &tets, error) &&
           tio_parse_tetgen(node_path, &nodes, ele_path, &tets, file, error);
    taut_bytes_free(&nodes);
    taut_bytes_free(&tets);
    free(node_path);
    free(ele_path);
    return good;
}

bool taut_mesh_load(const char *path, taut_mesh_file *file, taut_error *error)
{
    *file = (taut_mesh_file){0};
    tt_clear(error);
    if (!reader_of(path, error)) return false;
    if (tio_ends_with(path, "node") || tio_ends_with(path, "ele"))
        return load_tetgen(path, file, error);
    taut_bytes bytes;
    if (!taut_file_read(path, &bytes, error)) return false;
    bool good = taut_mesh_parse(path, bytes.data, bytes.size, file, error);
    taut_bytes_free(&bytes);
    return good;
}

void taut_mesh_file_free(taut_mesh_file *file)
{
    if (!file) return;
    taut_mesh_free(&file->mesh);
    free(file->polygon_start);
    free(file->polygon);
    free(file->polygon_uv);
    for (int i = 0; i < file->ngroups; i++) {
        free(file->group[i].name);
        free(file->group[i].vertex);
    }
    free(file->group);
    *file = (taut_mesh_file){0};
}
