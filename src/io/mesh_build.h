/* Shared by all mesh readers: lists that grow, and a mesh that is put together piece by piece. */
#ifndef TAUT_IO_MESH_BUILD_H
#define TAUT_IO_MESH_BUILD_H

#include "io/text.h"
#include "taut_io.h"

/* A list of bytes from malloc that grows. */
typedef struct tio_list {
    void *data;
    size_t size, capacity; /* bytes */
} tio_list;

/* Appends `size` bytes; zeros if `items` is NULL. */
bool tio_append(tio_list *list, const void *items, size_t size, taut_error *error);
void tio_list_free(tio_list *list);

typedef struct tio_builder {
    const char *name; /* of the file, for errors */
    taut_error *error;
    int nvertices, ntris, ntets, nlines, npolygons;
    tio_list x, tri, tet, line;
    tio_list uv; /* empty until the first face that has UVs */
    tio_list polygon_start, polygon;
    tio_list polygon_uv; /* as `uv` */
    tio_list group; /* taut_vertex_group */
} tio_builder;

void tio_builder_open(tio_builder *builder, const char *name, taut_error *error);
/* Moves everything to `file` and checks it. On error both are empty. */
bool tio_builder_finish(tio_builder *builder, taut_mesh_file *file);
void tio_builder_discard(tio_builder *builder);

/* Real files have faces with repeated vertices (collapsed quads, slivers of zero area welded away) and lines from a
 * vertex to itself. A repeated corner of a face is left out. A face that then has fewer than three corners is dropped,
 * and so is a line from a vertex to itself. A simulation could not use them. A tet with a repeated vertex is an error,
 * because its solid would have a hole. Indices must have been checked before. */
bool tio_add_vertex(tio_builder *builder, const float x[3]);
bool tio_add_line(tio_builder *builder, int a, int b);
/* The tet is turned round when its volume is negative. */
bool tio_add_tet(tio_builder *builder, const int vertex[4]);
/* `uv` is NULL or 2 per corner. `corner` and `uv` are changed. In a mesh with UVs, a face without them gets zeros. */
bool tio_add_polygon(tio_builder *builder, int *corner, float *uv, int ncorners);

enum { TIO_MAX_CORNERS = 4096 }; /* of a face, because the time to cut it up grows with the square */

/* Cuts a polygon of 3 or more corners into ncorners - 2 triangles, given as numbers of corners. A quad is cut along
 * its shorter diagonal that lies inside, a larger polygon by clipping ears. False when memory ran out. */
bool tio_triangulate(const float *x, const int *corner, int ncorners, int *triangle);

/* Whether `index` is in first .. first + count - 1. If so, *vertex becomes its number from 0. */
bool tio_check_index(tio_text *text, const char *what, int64_t index, int first, int count, int *vertex);

/* ---- The readers ---- */

bool tio_read_obj(tio_text *text, tio_builder *builder);
bool tio_read_ply(tio_text *text, tio_builder *builder);
bool tio_read_stl(tio_text *text, tio_builder *builder);
bool tio_read_vtk(tio_text *text, tio_builder *builder);
bool tio_read_gmsh(tio_text *text, tio_builder *builder);
/* *first is the number that the file gives its first node. */
bool tio_read_tetgen_nodes(tio_text *text, tio_builder *builder, int *first);
bool tio_read_tetgen_tets(tio_text *text, tio_builder *builder, int first);
bool tio_parse_tetgen(const char *node_path, const taut_bytes *nodes, const char *ele_path, const taut_bytes *tets,
                      taut_mesh_file *file, taut_error *error);

/* Whether a file's name ends with a dot and `ending`, in letters of either case. */
bool tio_ends_with(const char *name, const char *ending);

#endif
